//! Shell commands: parsed with a real grammar, every simple command looked up by program and sub-command, through whatever runs
//! another command (`sudo`, `bash -c`, `docker exec`, `ssh host '...'`).

mod grammar;
mod handed_on;
mod http;
mod named;
mod parse;
mod part;
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
use super::combine::{Part, Why};
use super::commands::Found;
use super::deeds::{Deed, Job};

pub(super) use self::grammar::joined;
pub(super) use self::parse::{Parsed, parse};
pub(super) use self::sql::{Statement, statements};
pub(super) use self::tokens::tokens;

/// Deeper than this, scripts in scripts are not looked into.
const DEPTH: usize = 8;

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
            None if self.asks_for_help(words) => self.parts.push(self.asking(words, context)),
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
        let of_itself = |name: &str, value: Option<&str>| {
            facts.help.contains(name) || facts.alone.contains(name) && value.is_none() && found.operands.is_empty()
        };
        let dry = found.options.iter().find(|(name, value)| {
            (facts.dry.contains(name) || facts.help.contains(name)) && !is_no(*value) || of_itself(name, *value)
        });
        let hands_on = found.rule.at().iter().any(|option| found.values_of(option).next().is_some());
        if let Some((option, value)) = dry.filter(|_| !hands_on) {
            let class = found.rule.class().min(Class::Read);
            let why =
                Why::Said(format!("{} {option}: {}, only says what it would do ({})", found.name, class.word(), found.rule.place));
            let own = self.own(found, context);
            // What it says of itself shows nothing of the world.
            let world = own.world.clone().filter(|_| !of_itself(option, *value));
            let part = Part { class, idempotency: Idempotency::Idempotent, known: Known::Listed, world, why, ..own };
            return self.parts.push(part);
        }
        self.catalogue.things.of_command(found, &mut self.deeds);
        if !self.handed_on(found, words, context) {
            // What is handed on decides, whatever stands behind it: `bash -c '...' --help`.
            let part = if self.asks_for_help(words) { self.asking(words, context) } else { self.own(found, context) };
            self.parts.push(part);
        }
        for option in found.rule.writes() {
            for path in found.values_of(option).filter(|path| *path != "-") {
                self.output(&found.name, path, false, context);
            }
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

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name) && !name.starts_with(|c: char| c.is_ascii_digit()))
}
