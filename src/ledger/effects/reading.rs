//! Reading one call, part by part: by the row of its tool, or by what its name says.

use std::borrow::Cow;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::class::Known;
use super::classifier::Classifier;
use super::combine::{Part, Why, short, shortened};
use super::data::Runs;
use super::deeds::{Deed, Job};
use super::identity::{self, Identity};
use super::input::Fields;
use super::label;
use super::mcp;
use super::patch;
use super::rule::Rule;
use super::script::{self, Argument};
use super::shell::{self, Shell, Statement};
use super::tool::OTHER;
use crate::base::text::prefix;
use crate::transcript::{Agent, Input};

/// Of code that calls tools only this many bytes are looked at.
const CODE_BYTES: usize = 64 * 1024;
/// Code in code is looked into no deeper than this.
const DEPTH: usize = 3;

/// What was read from one call.
pub(super) struct Reading {
    pub(super) parts: Vec<Part>,
    pub(super) identity: Identity,
    pub(super) label: String,
    /// What it opens and closes in the world.
    pub(super) deeds: Vec<Deed>,
    /// What it starts in the background and leaves running.
    pub(super) jobs: Vec<Job>,
}

impl Classifier {
    /// Reads a call of `tool`. Calls in calls (Codex's `exec`) are read down to a certain depth.
    pub(super) fn read(&mut self, agent: Agent, tool: &str, input: &Input<'_>, depth: usize) -> Reading {
        let catalogue = Arc::clone(&self.catalogue);
        let fields = Fields::of(input);
        let mut deeds = Vec::new();
        catalogue.things.of_tool(tool, |field| fields.text(field), &mut deeds);
        let Some(rule) = catalogue.tools.find(agent.0, tool, &fields) else {
            return unlisted(&catalogue, agent, (tool, deeds), &fields);
        };
        match rule.runs() {
            Some(Runs::Text | Runs::Texts) => self.command(rule, tool, &fields),
            Some(Runs::Tool)
                if depth < DEPTH
                    && let Some((inner, input)) = handed_on(rule, &fields) =>
            {
                self.read(agent, &inner, &Input::Json(input), depth + 1)
            }
            Some(Runs::Code) if depth < DEPTH => self.code(agent, rule, tool, &fields, depth),
            Some(Runs::Patch) => {
                let text = fields.first_text(rule.at());
                let row = part(rule, tool, &fields);
                let part = patch::part(text.as_deref().unwrap_or(fields.whole), row);
                let label = part.target.as_deref().map_or_else(|| tool.to_owned(), label::line);
                Reading {
                    parts: vec![part],
                    identity: identity_of(&catalogue, rule, tool, &fields),
                    label,
                    deeds,
                    jobs: Vec::new(),
                }
            }
            _ => {
                let part = part(rule, tool, &fields);
                let shown = label::of_tool(rule.show(), &fields).or_else(|| part.target.as_deref().map(label::line));
                let label = shown.unwrap_or_else(|| label::line(tool));
                Reading {
                    parts: vec![part],
                    identity: identity_of(&catalogue, rule, tool, &fields),
                    label,
                    deeds,
                    jobs: Vec::new(),
                }
            }
        }
    }

    /// A tool whose input is a command: a script, or words.
    fn command(&mut self, rule: &Rule, tool: &str, fields: &Fields<'_>) -> Reading {
        let catalogue = Arc::clone(&self.catalogue);
        let dir = fields.first_text(rule.dir());
        let words = rule.at().iter().find_map(|path| fields.words(path)).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let text = match words.as_slice() {
            scripts @ [_, ..] if rule.runs() == Some(Runs::Texts) => Some(scripts.join("\n").into()),
            // A shell that gets its script as a word: the same as the script.
            [shell, option, script] if is_shell(shell) && option.starts_with('-') && option.ends_with('c') => {
                Some((*script).into())
            }
            [] if fields.free_text.is_some() => fields.free_text.map(Cow::Borrowed),
            [] => rule.at().iter().find(|path| fields.json(path).is_some()).map(|path| fields.text(path).unwrap_or_default()),
            _ => None,
        };
        if text.is_none() && words.is_empty() {
            // No command is there: the tool itself is all that is known.
            let part = part(rule, tool, fields);
            return Reading {
                parts: vec![part],
                identity: identity_of(&catalogue, rule, tool, fields),
                label: label::line(tool),
                deeds: Vec::new(),
                jobs: Vec::new(),
            };
        }
        let parsed = text.as_deref().map(|text| shell::parse(&mut self.parser, text));
        let mut shell = Shell::new(&catalogue, &mut self.parser);
        match &parsed {
            Some(parsed) => shell.script(parsed, dir.as_deref()),
            None => shell.argv(&words, dir.as_deref()),
        }
        let Shell { parts, deeds, jobs, key, first_cd, .. } = shell;
        let jobs = jobs.into_iter().flatten().collect();
        let (cd, from) = first_cd.map_or((None, 0), |(dir, bytes)| (Some(dir), bytes.end));
        let tokens = match (&parsed, &text) {
            (Some(parsed), Some(text)) => shell::tokens(parsed, text, from),
            _ => words.clone(),
        };
        let dir = cd.as_deref().map(|cd| shell::joined(dir.as_deref(), cd)).or_else(|| dir.as_deref().map(str::to_owned));
        let identity = identity::of_command(&tokens, dir.as_deref(), key);
        let label = text.as_deref().map_or_else(|| label::line(&words.join(" ")), label::of_command);
        Reading { parts, identity, label, deeds, jobs }
    }

    /// Code that calls tools: each call counts, the strongest speaks.
    fn code(&mut self, agent: Agent, rule: &Rule, tool: &str, fields: &Fields<'_>, depth: usize) -> Reading {
        let code = fields.first_text(rule.at());
        let code = code.as_deref().unwrap_or(fields.whole);
        let words: Vec<&str> = code.split_whitespace().collect();
        let mut identity = identity::of_command(&words, None, None);
        let mut parts = Vec::new();
        let mut labels = Vec::new();
        let (mut deeds, mut jobs) = (Vec::new(), Vec::new());
        for (n, call) in script::sub_calls(prefix(code, CODE_BYTES)).into_iter().enumerate() {
            let input = match call.argument {
                Argument::Object(json) => Input::Json(json.into()),
                Argument::Text(text) => Input::Text(text.into()),
                Argument::Unknown => Input::Json("{}".into()),
            };
            let reading = self.read(agent, call.tool, &input, depth + 1);
            parts.extend(reading.parts.into_iter().map(|part| Part { statement: part.statement + n * 1000, ..part }));
            identity.key = identity.key.or(reading.identity.key);
            labels.push(reading.label);
            deeds.extend(reading.deeds);
            jobs.extend(reading.jobs);
        }
        if parts.is_empty() || code.len() > CODE_BYTES {
            // What was not read may do anything.
            parts.push(part(rule, tool, fields));
        }
        let label = if labels.is_empty() { label::of_command(code) } else { label::line(&labels.join(" · ")) };
        Reading { parts, identity, label, deeds, jobs }
    }
}

/// The tool that a call hands on to, and its input: an object, or one that was written as text.
fn handed_on<'f>(rule: &Rule, fields: &Fields<'f>) -> Option<(Cow<'f, str>, Cow<'f, str>)> {
    let [name, input] = rule.at() else { return None };
    let written = fields.text(input).filter(|text| text.trim_start().starts_with('{'));
    Some((fields.text(name)?, written.or_else(|| fields.json(input).map(Cow::Borrowed)).unwrap_or(Cow::Borrowed("{}"))))
}

/// What the row of a tool says of a call with these fields.
fn part(rule: &Rule, tool: &str, fields: &Fields<'_>) -> Part {
    let target = fields.names(rule.target()).map(|target| short(&target).to_owned());
    let script = fields.first_text(rule.script()).map(|script| short(&script).to_owned());
    let about = script.or_else(|| target.clone());
    let intent = about.map_or_else(|| tool.to_owned(), |about| [tool, " ", &about].concat());
    Part {
        class: rule.class(),
        idempotency: rule.idempotency(),
        known: Known::Listed,
        atomic: rule.is_atomic(),
        one: !rule.is_many(),
        why: Why::rule(tool, rule.class(), rule.idempotency(), Known::Listed, &rule.place),
        intent: shortened(intent),
        target,
        world: rule.world().cloned(),
        also: rule.also().cloned(),
        look: rule.look().cloned(),
        statement: 0,
        looped: false,
        after_success: false,
        background: false,
        serves: false,
        removes: rule.removes(),
    }
}

/// A tool that no row names: what its name says.
fn unlisted(catalogue: &Catalogue, agent: Agent, (tool, mut deeds): (&str, Vec<Deed>), fields: &Fields<'_>) -> Reading {
    let guess = catalogue.verbs.guess(tool);
    let other = catalogue.tools.find(agent.0, OTHER, fields);
    let base = other.map(|rule| part(rule, tool, fields));
    let idempotency =
        guess.rule.filter(|rule| rule.class() == guess.class).map_or(guess.class.usual_idempotency(), Rule::idempotency);
    let verb = guess.rule.map_or_else(|| "no verb in its name is listed".to_owned(), |rule| rule.place.to_string());
    let part = Part {
        class: guess.class,
        idempotency,
        known: Known::Inferred,
        atomic: false,
        one: true,
        intent: base.as_ref().map_or_else(|| short(tool).to_owned(), |base| base.intent.clone()),
        target: base.as_ref().and_then(|base| base.target.clone()),
        world: None,
        also: None,
        look: None,
        statement: 0,
        looped: false,
        after_success: false,
        background: false,
        serves: false,
        removes: false,
        why: Why::Said(format!("{}: not listed, {} by inference ({verb})", short(tool), guess.class.word())),
    };
    let label = other.and_then(|rule| label::of_tool(rule.show(), fields)).unwrap_or_else(|| label::line(&guess.name));
    let identity = identity::of_tool(&catalogue.identity, tool, fields, &[]);
    let parts = sql(catalogue, tool, fields, &part, &mut deeds);
    Reading { parts: if parts.is_empty() { vec![part] } else { parts }, identity, label, deeds, jobs: Vec::new() }
}

/// The statements of a tool that takes SQL, and what they open and close; none of any other tool, and none where a verb is not known.
fn sql(catalogue: &Catalogue, tool: &str, fields: &Fields<'_>, base: &Part, deeds: &mut Vec<Deed>) -> Vec<Part> {
    let facts = &catalogue.sql_tool;
    if !mcp::is_named(tool, &facts.names) {
        return Vec::new();
    }
    let Some(text) = facts.fields.iter().find_map(|field| fields.text(field)) else { return Vec::new() };
    let statements = shell::statements(&text);
    let read = |statement: &Statement| {
        let rule = catalogue.sql.get(&statement.verb)?;
        let tables = statement.tables.join(" ");
        let intent = format!("{tool} {} {tables}", statement.verb);
        Some(Part {
            class: rule.class(),
            idempotency: rule.idempotency(),
            atomic: rule.is_atomic(),
            intent: short(intent.trim_end()).to_owned(),
            target: Some(short(&tables).to_owned()).filter(|tables| !tables.is_empty()),
            world: Some(Arc::from("sql")),
            why: Why::rule(intent.trim_end(), rule.class(), rule.idempotency(), Known::Inferred, &rule.place),
            ..base.clone()
        })
    };
    let parts: Option<Vec<Part>> = statements.iter().map(read).collect();
    let parts = parts.unwrap_or_default();
    if !parts.is_empty() {
        statements.iter().for_each(|statement| catalogue.things.of_words(&["sql", &statement.verb], deeds));
    }
    parts
}

fn identity_of(catalogue: &Catalogue, rule: &Rule, tool: &str, fields: &Fields<'_>) -> Identity {
    identity::of_tool(&catalogue.identity, tool, fields, rule.volatile())
}

fn is_shell(word: &str) -> bool {
    matches!(word.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash"))
}
