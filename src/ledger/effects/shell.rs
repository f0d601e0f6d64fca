//! Shell commands: parsed with a real grammar, every simple command looked up by program and sub-command, through whatever runs
//! another command (`sudo`, `bash -c`, `docker exec`, `ssh host '...'`).

mod grammar;
mod http;
mod named;
mod parse;
mod plain;
mod snippet;
mod sql;
mod tokens;
mod words;

use std::ops::Range;
use std::sync::Arc;

use tree_sitter::Parser;

use self::grammar::Simple;
use self::parse::Extent;
use super::catalogue::Catalogue;
use super::class::{Class, Idempotency, Known};
use super::combine::{Part, explained, short};
use super::commands::Found;
use super::data::Runs;
use super::deeds::{Deed, Job};
use super::patch;
use super::rule::Rule;
use crate::base::text::prefix;

pub(super) use self::grammar::joined;
pub(super) use self::parse::{Parsed, parse};
pub(super) use self::sql::{Statement, statements};
pub(super) use self::tokens::tokens;

/// Deeper than this, scripts in scripts are not looked into.
const DEPTH: usize = 8;
/// Of a program in another language only this many bytes are looked at.
const SNIPPET_BYTES: usize = 16 * 1024;

/// What a command does, part by part.
pub(super) struct Shell<'c, 'p> {
    catalogue: &'c Catalogue,
    parser: &'p mut Parser,
    /// The parts found so far.
    pub(super) parts: Vec<Part>,
    /// What it opens and closes in the world.
    pub(super) deeds: Vec<Deed>,
    /// What it starts in the background; none of what it ends itself.
    pub(super) jobs: Vec<Option<Job>>,
    /// The explicit idempotency key that stands in an option or a header.
    pub(super) key: Option<String>,
    /// The folder that the script goes to before anything else, and the bytes that say so.
    pub(super) first_cd: Option<(Arc<str>, Range<usize>)>,
    functions: Vec<String>,
    depth: usize,
}

/// Where a simple command stands.
#[derive(Clone, Copy)]
struct Context<'s> {
    dir: Option<&'s str>,
    stdin: Option<&'s str>,
    statement: usize,
    looped: bool,
    after_success: bool,
    /// The job that it is a part of.
    job: Option<usize>,
}

impl<'s> Context<'s> {
    fn of_script(dir: Option<&'s str>) -> Self {
        Self { dir, stdin: None, statement: 0, looped: false, after_success: false, job: None }
    }
}

impl<'c, 'p> Shell<'c, 'p> {
    pub(super) fn new(catalogue: &'c Catalogue, parser: &'p mut Parser) -> Self {
        Self {
            catalogue,
            parser,
            parts: Vec::new(),
            deeds: Vec::new(),
            jobs: Vec::new(),
            key: None,
            first_cd: None,
            functions: Vec::new(),
            depth: 0,
        }
    }

    /// Reads a parsed script that runs in `dir`.
    pub(super) fn script(&mut self, script: &Parsed<'_>, dir: Option<&str>) {
        self.first_cd = self.parsed(script, Context::of_script(dir));
    }

    /// Reads a command that is given as its words, without a shell.
    pub(super) fn argv(&mut self, words: &[&str], dir: Option<&str>) {
        self.words(words, Context::of_script(dir));
    }

    fn parsed(&mut self, parsed: &Parsed<'_>, around: Context<'_>) -> Option<(Arc<str>, Range<usize>)> {
        let script = grammar::read(parsed);
        self.functions.extend(script.functions.iter().map(|name| (*name).to_owned()));
        let jobs = self.jobs.len();
        self.jobs.extend(script.jobs.iter().map(|text| Some(Job::of(text))));
        for simple in &script.commands {
            self.simple(simple, around, jobs);
        }
        if !parsed.is_read() || parsed.extent == Extent::Beginning {
            // What was not read may do anything.
            self.parts.push(self.opaque("script", "", around));
        }
        script.first_cd
    }

    fn nested(&mut self, text: &str, around: Context<'_>) {
        self.depth += 1;
        if self.depth <= DEPTH {
            let parsed = parse(self.parser, text);
            self.parsed(&parsed, around);
        } else {
            self.parts.push(self.opaque("script", "", around));
        }
        self.depth -= 1;
    }

    /// A simple command of a script whose jobs begin at number `jobs`.
    fn simple(&mut self, simple: &Simple<'_>, around: Context<'_>, jobs: usize) {
        let words: Vec<&str> = simple.words.iter().map(|word| &**word).collect();
        let dir = simple.dir.as_deref().map(|own| joined(around.dir, own));
        let context = Context {
            dir: dir.as_deref().or(around.dir),
            stdin: simple.stdin.as_deref().or(around.stdin),
            statement: around.statement + simple.statement.saturating_sub(1),
            looped: around.looped || simple.looped,
            after_success: around.after_success || simple.after_success,
            job: simple.job.map(|n| jobs + n).or(around.job),
        };
        let from = self.parts.len();
        self.words(&words, context);
        let is_check = self.parts.iter().skip(from).any(|part| part.class == Class::Check);
        let program = words.first().copied().unwrap_or_default();
        let logs = self.part_of_job(&words, from, context);
        let job = context.job.filter(|_| logs);
        for redirect in &simple.redirects {
            let kept = is_check && self.catalogue.shell.scratch.iter().any(|folder| redirect.path.starts_with(folder));
            match job.and_then(|job| self.jobs.get_mut(job)?.as_mut()) {
                // What runs on in the background writes its log.
                Some(job) => job.output = Some(joined(context.dir, &redirect.path).into()),
                None if !kept => self.output(program, &redirect.path, redirect.append, context),
                None => {}
            }
        }
    }

    /// Notes what the parts from `from` on do in the background. True if what it prints is a log, and no result.
    fn part_of_job(&mut self, words: &[&str], from: usize, context: Context<'_>) -> bool {
        let parts = self.parts.get(from..).unwrap_or_default();
        let (class, serves) = (parts.iter().map(|part| part.class).max(), parts.iter().any(|part| part.serves));
        if let Some(job) = context.job.and_then(|job| self.jobs.get_mut(job)?.as_mut()) {
            job.class = job.class.max(class);
            job.serves |= serves;
            return serves || matches!(class, Some(Class::Execute | Class::Check));
        }
        if matches!(words, ["wait", ..]) || words.first() == Some(&"kill") && words.iter().any(|word| word.starts_with(['$', '%']))
        {
            // It does not leave running what it has started so far.
            self.jobs.iter_mut().filter(|job| job.as_ref().is_some_and(|job| job.class.is_some())).for_each(|job| *job = None);
        }
        false
    }

    /// A command, by its words.
    fn words(&mut self, words: &[&str], context: Context<'_>) {
        let start = words.iter().position(|word| !is_assignment(word)).unwrap_or(words.len());
        let Some(words @ [program, ..]) = words.get(start..) else { return };
        if self.functions.iter().any(|name| name == program) {
            return;
        }
        let catalogue = self.catalogue;
        match catalogue.commands.find(words) {
            Some(found) => {
                self.explicit_key(words);
                self.found(&found, words, context);
            }
            None => {
                catalogue.things.of_words(words, &mut self.deeds);
                let part = self.unlisted(program, words.get(1..).unwrap_or_default(), context);
                self.parts.push(part);
            }
        }
    }

    fn found(&mut self, found: &Found<'c, '_>, words: &[&str], context: Context<'_>) {
        let facts = &self.catalogue.shell;
        let is_no = |value: Option<&str>| matches!(value, Some("none" | "false" | "0"));
        let dry = found.options.iter().find(|(name, value)| {
            facts.dry.contains(name) && !is_no(*value) || facts.alone.contains(name) && value.is_none() && found.operands.is_empty()
        });
        if let Some((option, _)) = dry {
            let class = found.rule.class().min(Class::Read);
            let why = format!("{} {option}: {}, only says what it would do ({})", found.name, class.word(), found.rule.place);
            let part = Part { class, idempotency: Idempotency::Idempotent, known: Known::Listed, why, ..self.own(found, context) };
            return self.parts.push(part);
        }
        self.catalogue.things.of_command(found, &mut self.deeds);
        if !self.handed_on(found, words, context) {
            let part = self.own(found, context);
            self.parts.push(part);
        }
        for option in found.rule.writes() {
            for path in found.values_of(option).filter(|path| *path != "-") {
                self.output(&found.name, path, false, context);
            }
        }
    }

    /// Reads what a command hands on to another. False where there is nothing: then it is what its own row says.
    fn handed_on(&mut self, found: &Found<'c, '_>, words: &[&str], context: Context<'_>) -> bool {
        let rule = found.rule;
        let inner = found.inner.and_then(|at| words.get(at..)).filter(|inner| !inner.is_empty());
        let given = || rule.at().iter().flat_map(|option| found.values_of(option));
        let fed = context.stdin.filter(|_| rule.is_fed() && inner.is_none() && matches!(found.operands.as_slice(), [] | ["-"]));
        if let Some(program) = fed {
            self.snippet(found, program, context);
            return true;
        }
        match rule.runs() {
            None | Some(Runs::Code) => false,
            Some(Runs::Snippet) => {
                let text = given().next().or(context.stdin);
                text.map(|text| self.snippet(found, text, context)).is_some()
            }
            Some(Runs::Words) => {
                let end = |inner: &[&str]| {
                    inner.iter().position(|word| matches!(*word, ";" | "+") && !rule.at().is_empty()).unwrap_or(inner.len())
                };
                let inner =
                    inner.and_then(|inner| inner.get(..end(inner))).filter(|inner| !inner.iter().all(|word| is_assignment(word)));
                self.depth += 1;
                let runs = inner.filter(|_| self.depth <= DEPTH).map(|inner| self.words(inner, context)).is_some();
                self.depth -= 1;
                runs
            }
            Some(Runs::Text) => {
                let text = given().next().map(str::to_owned).or_else(|| inner.map(|inner| inner.join(" ")));
                let piped = context.stdin.filter(|_| found.operands.len() <= rule.skip().unwrap_or(0));
                match (text, piped) {
                    (Some(text), _) => self.nested(&text, context),
                    (None, Some(piped)) => self.nested(piped, Context { stdin: None, ..context }),
                    (None, None) => return false,
                }
                true
            }
            Some(Runs::Sql) => {
                let given: Vec<&str> = given().chain(inner.and_then(|inner| inner.first().copied())).collect();
                let text = if given.is_empty() { context.stdin.map(str::to_owned) } else { Some(given.join(";\n")) };
                text.map(|text| self.sql(found, &text, context)).is_some()
            }
            Some(Runs::Http) => {
                let part = self.http(found, context);
                self.parts.push(part);
                true
            }
            Some(Runs::Script) => self.named(found, context),
            Some(Runs::Verb) => self.verb(found, context),
            Some(Runs::Patch) => {
                let text = found.operands.first().copied().or(context.stdin);
                let part = text.map(|text| patch::part(text, self.own(found, context)));
                self.parts.extend(part.clone());
                part.is_some()
            }
        }
    }

    /// What a command's own row says of it.
    fn own(&self, found: &Found<'_, '_>, context: Context<'_>) -> Part {
        let rule = found.rule;
        // `{}` is what `find` and `xargs` put in its place.
        let target = found.at(rule.target()).filter(|target| target != "{}");
        let sub_command = || found.sub_command.map(str::to_owned);
        let about = found.at(rule.script()).or_else(|| target.clone()).or_else(sub_command);
        self.part(rule, &found.name, about.as_deref(), target, found, context)
    }

    /// A part that does what `rule` says: of the command `name`, about a script or target, acting on `target`.
    fn part(
        &self,
        rule: &Rule,
        name: &str,
        about: Option<&str>,
        target: Option<String>,
        found: &Found<'_, '_>,
        context: Context<'_>,
    ) -> Part {
        let intent = match about {
            Some(about) => format!("{name} {about}"),
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
            why: explained(&intent, class, rule.idempotency(), found.known, &rule.place),
            intent: short(&intent).to_owned(),
            target: target.map(|target| short(&target).to_owned()),
            also: rule.also().cloned(),
            world,
            look: rule.look().or_else(|| found.rule.look()).cloned(),
            statement: context.statement,
            looped: context.looped,
            after_success: context.after_success,
            background: context.job.is_some(),
            serves: rule.serves(),
        }
    }

    /// Output that goes to a file.
    fn output(&mut self, program: &str, path: &str, append: bool, context: Context<'_>) {
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
            why: explained(&intent, class, idempotency, Known::Listed, "a redirection"),
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
        });
    }

    /// A program that no row names: a cmdlet by its verb, else anything.
    fn unlisted(&self, program: &str, args: &[&str], context: Context<'_>) -> Part {
        let about = first_operand(args).unwrap_or_default();
        let cmdlet = program.split_once('-').filter(|(verb, noun)| is_capitalised(verb) && is_capitalised(noun));
        let rule = cmdlet.and_then(|(verb, _)| self.catalogue.cmdlets.get(&verb.to_lowercase()));
        match rule {
            Some(rule) => Part {
                class: rule.class(),
                idempotency: rule.idempotency(),
                target: Some(about.to_owned()).filter(|about| !about.is_empty()),
                world: rule.world().cloned(),
                why: explained(program, rule.class(), rule.idempotency(), Known::Inferred, &rule.place),
                ..self.opaque(program, about, context)
            },
            None => self.opaque(program, about, context),
        }
    }

    /// A program in another language: what the calls that it is known by may do. Of anything else nobody knows.
    fn snippet(&mut self, found: &Found<'_, '_>, text: &str, context: Context<'_>) {
        let read = prefix(text, SNIPPET_BYTES);
        let known = self.catalogue.snippets.iter().filter(|(piece, _)| read.contains(piece.as_str()));
        let part = match known.map(|(_, rule)| rule).max_by_key(|rule| rule.class()) {
            Some(rule) => Part { known: Known::Inferred, ..self.part(rule, &found.name, None, None, found, context) },
            None if read.len() == text.len() && snippet::only_reads(text, &self.catalogue.pure) => {
                let why = format!("{}: read, inferred (every module is in pure.modules, and no word in pure.acts)", found.name);
                let idempotency = Idempotency::Idempotent;
                Part { class: Class::Read, idempotency, why, ..self.opaque(&found.name, "", context) }
            }
            None => self.opaque(&found.name, "", context),
        };
        self.parts.push(part);
    }

    /// Something that nobody knows.
    fn opaque(&self, program: &str, about: &str, context: Context<'_>) -> Part {
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
            why: format!("{program}: not listed, so execute by inference"),
        }
    }

    /// Looks for an explicit key: behind an option, or in a header.
    fn explicit_key(&mut self, words: &[&str]) {
        let facts = &self.catalogue.identity;
        let header = |word: &str| {
            let (name, value) = word.split_once(':')?;
            facts.headers.iter().any(|own| own.eq_ignore_ascii_case(name.trim())).then(|| value.trim().to_owned())
        };
        let behind_option = |(word, next): (&str, Option<&&str>)| match word.split_once('=') {
            Some((name, value)) if facts.options.contains(name) => Some(value.to_owned()),
            _ if facts.options.contains(word) => next.map(|value| (*value).to_owned()),
            _ => header(word),
        };
        let key = words.iter().enumerate().find_map(|(n, word)| behind_option((word, words.get(n + 1))));
        self.key = self.key.take().or(key).filter(|key| !key.is_empty());
    }
}

/// Whether a target is one thing: no pattern, no folder with all that is in it, and not where several go (`cp a b c DIR`).
fn is_one(target: &str, found: &Found<'_, '_>) -> bool {
    let goes_last = matches!(found.rule.target(), [last] if &**last == "last");
    let recursive = ["-r", "-R", "-a", "--recursive", "--archive"].iter().any(|option| found.has(option));
    let several = target.contains([' ', '*', '?', '{', '$']) || matches!(target, "" | "." | "..");
    !(several || recursive || goes_last && found.operands.len() > 2)
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name) && !name.starts_with(|c: char| c.is_ascii_digit()))
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
