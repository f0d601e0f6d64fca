//! The part of a call that one simple command is: by its own row, by a redirection, or by inference.

use std::sync::Arc;

use super::grammar::joined;
use super::{Context, Shell};
use crate::ledger::effects::class::{Class, Idempotency, Known};
use crate::ledger::effects::combine::{Part, Why, short, shortened};
use crate::ledger::effects::commands::Found;
use crate::ledger::effects::rule::Rule;

impl Shell<'_, '_> {
    /// What a command's own row says of it.
    pub(super) fn own(&self, found: &Found<'_, '_>, context: Context<'_>) -> Part {
        let rule = found.rule;
        // `{}` is what `find` and `xargs` put in its place.
        let target = found.at(rule.target()).filter(|target| target != "{}");
        let sub_command = || found.sub_command.map(str::to_owned);
        let about = found.at(rule.script()).or_else(|| target.clone()).or_else(sub_command);
        self.part(rule, &found.name, about.as_deref(), target, found, context)
    }

    /// A part that does what `rule` says: of the command `name`, about a script or target, acting on `target`.
    pub(super) fn part(
        &self,
        rule: &Rule,
        name: &str,
        about: Option<&str>,
        target: Option<String>,
        found: &Found<'_, '_>,
        context: Context<'_>,
    ) -> Part {
        let intent = match about {
            Some(about) => [name, " ", about].concat(),
            None => name.to_owned(),
        };
        let world = rule.world().or_else(|| found.rule.world()).cloned();
        let own_dir = found.rule.dir().iter().find_map(|option| found.values_of(option).next()).map(|own| joined(context.dir, own));
        let dir = own_dir.as_deref().or(context.dir);
        let is_file = world.as_deref() == Some("file");
        let target = target.map(|target| if is_file { joined(dir, &target) } else { target });
        let class = rule.class();
        Part {
            class,
            idempotency: rule.idempotency(),
            known: found.known,
            atomic: rule.is_atomic(),
            one: !rule.is_many() && !found.rule.is_many() && target.as_deref().is_some_and(|target| is_one(target, found)),
            why: Why::rule(&intent, class, rule.idempotency(), found.known, &rule.place),
            intent: shortened(intent),
            target: target.map(shortened),
            also: rule.also().cloned(),
            world,
            look: rule.look().or_else(|| found.rule.look()).cloned(),
            statement: context.statement,
            looped: context.looped,
            after_success: context.after_success,
            background: context.job.is_some(),
            serves: rule.serves(),
            removes: rule.removes(),
        }
    }

    /// Output that goes to a file.
    pub(super) fn output(&mut self, program: &str, path: &str, append: bool, context: Context<'_>) {
        let facts = &self.catalogue.shell;
        if facts.nowhere.iter().any(|nowhere| path == nowhere || nowhere.ends_with('/') && path.starts_with(nowhere)) {
            return;
        }
        let class = if append { Class::Create } else { Class::Write };
        let (sign, idempotency) = (if append { ">>" } else { ">" }, class.usual_idempotency());
        let intent = format!("{program} {sign} {path}").trim_start().to_owned();
        self.parts.push(Part {
            class,
            idempotency,
            known: Known::Listed,
            atomic: false,
            one: true,
            why: Why::rule(&intent, class, idempotency, Known::Listed, &Arc::from("a redirection")),
            intent: short(&intent).to_owned(),
            target: Some(short(&joined(context.dir, path)).to_owned()),
            world: Some(Arc::from("file")),
            also: None,
            look: None,
            statement: context.statement,
            looped: context.looped,
            after_success: context.after_success,
            background: context.job.is_some(),
            serves: false,
            removes: false,
        });
    }

    /// A program that no row names: a cmdlet by its verb, else anything.
    pub(super) fn unlisted(&self, program: &str, args: &[&str], context: Context<'_>) -> Part {
        let about = first_operand(args).unwrap_or_default();
        let cmdlet = program.split_once('-').filter(|(verb, noun)| is_capitalised(verb) && is_capitalised(noun));
        let rule = cmdlet.and_then(|(verb, _)| self.catalogue.cmdlets.get(&verb.to_lowercase()));
        match rule {
            Some(rule) => Part {
                class: rule.class(),
                idempotency: rule.idempotency(),
                target: Some(about.to_owned()).filter(|about| !about.is_empty()),
                world: rule.world().cloned(),
                why: Why::rule(program, rule.class(), rule.idempotency(), Known::Inferred, &rule.place),
                ..self.opaque(program, about, context)
            },
            None => self.sending(program, args, context).unwrap_or_else(|| self.opaque(program, about, context)),
        }
    }

    /// A program that nobody knows, and that is told by its first words to send something.
    fn sending(&self, program: &str, args: &[&str], context: Context<'_>) -> Option<Part> {
        const FIRST: usize = 2;
        let at = args
            .iter()
            .take_while(|word| !word.starts_with('-'))
            .take(FIRST)
            .position(|word| self.catalogue.shell.leaves.contains(word))?;
        let place = Arc::from(format!("shell.leaves: {}", args.get(at).copied().unwrap_or_default()));
        let target = args.get(at + 1).filter(|word| !word.starts_with('-')).map(|word| (*word).to_owned());
        let about = args.get(..at + 1 + usize::from(target.is_some())).unwrap_or_default().join(" ");
        Some(Part {
            class: Class::External,
            idempotency: Idempotency::NotIdempotent,
            one: true,
            target,
            why: Why::rule(program, Class::External, Idempotency::NotIdempotent, Known::Inferred, &place),
            ..self.opaque(program, &about, context)
        })
    }

    /// Whether a command only asks a program how it is used, or what it is.
    pub(super) fn asks_for_help(&self, words: &[&str]) -> bool {
        let facts = &self.catalogue.shell;
        match words {
            [_, option] if facts.alone.contains(option) => true,
            [_, .., last] => facts.help.contains(last),
            _ => false,
        }
    }

    /// A program that only says how it is used, or what it is.
    pub(super) fn asking(&self, words: &[&str], context: Context<'_>) -> Part {
        let (program, args) = words.split_first().map_or(("", words), |(program, args)| (*program, args));
        let option = args.last().copied().unwrap_or_default();
        Part {
            class: Class::Read,
            idempotency: Idempotency::Idempotent,
            known: Known::Listed,
            why: Why::Said(format!("{program} {option}: read, only says how it is used")),
            ..self.opaque(program, first_operand(args).unwrap_or_default(), context)
        }
    }

    /// Something that nobody knows.
    pub(super) fn opaque(&self, program: &str, about: &str, context: Context<'_>) -> Part {
        Part {
            class: Class::Execute,
            idempotency: Idempotency::Unknown,
            known: Known::Inferred,
            atomic: false,
            one: false,
            intent: short(format!("{program} {about}").trim_end()).to_owned(),
            target: None,
            world: None,
            also: None,
            look: None,
            statement: context.statement,
            looped: context.looped,
            after_success: context.after_success,
            background: context.job.is_some(),
            serves: false,
            removes: false,
            why: Why::Said(format!("{program}: not listed, so execute by inference")),
        }
    }
}

/// Whether a target is one thing: no pattern, no folder with all that is in it, and not where several go (`cp a b c DIR`).
fn is_one(target: &str, found: &Found<'_, '_>) -> bool {
    let goes_last = matches!(found.rule.target(), [last] if &**last == "last");
    let recursive = ["-r", "-R", "-a", "--recursive", "--archive"].iter().any(|option| found.has(option));
    let several = target.contains([' ', '*', '?', '{', '$']) || matches!(target, "" | "." | "..");
    !(several || recursive || goes_last && found.operands.len() > 2)
}

/// The first operand of a program whose options nobody knows: of two, not the one that may be the value of a long option.
fn first_operand<'w>(args: &[&'w str]) -> Option<&'w str> {
    let is_value =
        |n: usize| n.checked_sub(1).and_then(|n| args.get(n)).is_some_and(|word| word.starts_with("--") && !word.contains('='));
    let mut operands = args.iter().enumerate().filter(|(_, word)| !word.starts_with('-'));
    let first = operands.clone().next();
    operands.find(|(n, _)| !is_value(*n)).or(first).map(|(_, word)| *word)
}

fn is_capitalised(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphanumeric())
}
