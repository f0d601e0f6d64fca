//! The table of commands: a program and its sub-commands, looked up by the longest key that its words begin with.
//!
//! The table is the last one of `assets/effects.toml`, one row a line. Start-up is part of speed: it is only cut into programs when it
//! is loaded, and the rows of a program are parsed when that program is first met.

mod args;
mod node;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use self::args::Args;
use self::node::Node;
use super::class::{Class, Known};
use super::data::Row;
use super::rule::Rule;
use crate::base::data::{DataError, DataFile, parse, parse_over};

/// All commands, by program.
#[derive(Debug, Default)]
pub(super) struct Commands {
    programs: Programs,
}

type Programs = IndexMap<Cow<'static, str>, Program, FxBuildHasher>;

/// The rows of one program.
#[derive(Debug, Default)]
struct Program {
    /// One a line; they stand together.
    rows: &'static str,
    node: OnceLock<Option<Node>>,
}

/// The row of a command, and what stands behind its key.
#[derive(Debug)]
pub(super) struct Found<'c, 'w> {
    /// The words of the key as they were typed: `git push`.
    pub(super) name: String,
    pub(super) rule: &'c Rule,
    pub(super) known: Known,
    /// The word where a sub-command was to stand, if none of that name is listed.
    pub(super) sub_command: Option<&'w str>,
    pub(super) options: Vec<(&'w str, Option<&'w str>)>,
    pub(super) operands: Vec<&'w str>,
    /// Where among the words begins what is handed on.
    pub(super) inner: Option<usize>,
}

/// A row may say that it is like another, which may say so too.
const FOLLOWED: usize = 4;

impl Commands {
    /// The commands of these rows, with a user's own laid over them.
    ///
    /// # Errors
    /// A mistake in the user's rows.
    pub(super) fn new(rows: &'static str, own: &BTreeMap<String, Row>, overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let mut programs = by_program(rows);
        let touched: BTreeSet<&str> = own.keys().filter_map(|key| program_of(key)).collect();
        if touched.is_empty() {
            return Ok(Self { programs });
        }
        // All at once: an overlay may be as long as our own table.
        let known = touched.iter().filter_map(|program| programs.get(*program)).flat_map(|program| program.rows.lines());
        let text = format!("[command]\n{}", known.map(as_table).collect::<String>());
        let merged: OnlyCommands = parse_over(DataFile { name: "effects.toml (built in)", text: &text }, overlay)?;
        let mut rows = BTreeMap::<String, BTreeMap<String, Row>>::new();
        for (key, row) in merged.command {
            let program = program_of(&key).unwrap_or_default().to_owned();
            rows.entry(program).or_default().insert(key, row);
        }
        for (program, rows) in rows {
            let node = OnceLock::from(Node::of(&program, rows));
            programs.entry(Cow::Owned(program)).or_default().node = node;
        }
        Ok(Self { programs })
    }

    /// The row of a command. None for a program that is not listed.
    pub(super) fn find<'c, 'w>(&'c self, words: &'w [&'w str]) -> Option<Found<'c, 'w>> {
        let (program, mut own) = self.program(words.first()?)?;
        let mut node = self.follow(own);
        let mut listed = node;
        let mut name = program.to_owned();
        let mut args = Args::of(words);
        let next = loop {
            args.options(&node.rule);
            let next = args.next_operand();
            // What is like another may have rows of its own below it.
            match next.and_then(|word| own.below.get(word).or_else(|| node.below.get(word))) {
                Some(below) => {
                    (own, node) = (below, self.follow(below));
                    listed = if node.listed == Known::Listed { node } else { listed };
                    name.extend([" ", args.take().unwrap_or_default()]);
                }
                None => break next,
            }
        };
        let sub_command = next.filter(|_| !node.below.is_empty() && node.rule.script().is_empty());
        let behind_key = args.clone();
        args.rest(&node.rule);
        let variant = node.variant(&args.options, &args.operands);
        if let Some(rule) = variant.filter(|rule| rule.runs().is_some()) {
            // `docker run --rm` hands on what `docker run` alone does not.
            args = behind_key;
            args.rest(rule);
        }
        let Args { options, operands, inner, .. } = args;
        // What a program does with a sub-command that is not listed is what it does; if that is anything, nobody knows.
        let rule = variant.unwrap_or(&listed.rule);
        let guessed =
            variant.is_none() && rule.class() == Class::Execute && (sub_command.is_some() || listed.listed == Known::Inferred);
        let known = if guessed { Known::Inferred } else { Known::Listed };
        Some(Found { name, rule, known, sub_command, options, operands, inner })
    }

    /// The words and the row of every listed command, in the order of their words.
    pub(super) fn list(&self) -> Vec<(String, &Rule)> {
        let mut listed = Vec::new();
        let mut nodes: Vec<&Node> = self.programs.keys().filter_map(|program| self.node(program)).collect();
        while let Some(node) = nodes.pop() {
            if node.listed == Known::Listed {
                listed.push((node.name.to_string(), &self.follow(node).rule));
            }
            listed.extend(node.variants.iter().map(|(variant, rule)| (format!("{} {variant}", node.name), rule)));
            nodes.extend(node.below.values());
        }
        listed.sort_by(|(one, _), (other, _)| one.cmp(other));
        listed
    }

    /// A program by name: as it stands, a local script as `./gradlew`, out of a folder of programs, without its version. With the name
    /// that a person would use.
    fn program<'w>(&self, word: &'w str) -> Option<(&'w str, &Node)> {
        let word = word.strip_suffix(".exe").unwrap_or(word);
        let name = match word.rsplit_once('/') {
            Some((folder, name)) if folder.ends_with("bin") || folder.ends_with("MacOS") => name,
            Some((_, name)) => return Some((word, self.node(&format!("./{name}"))?)),
            None => word,
        };
        let bare = || {
            let bare = name.rsplit_once('@').map_or(name, |(bare, _)| bare);
            let is_version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
            Some((bare, self.node(bare).or_else(|| self.node(bare.trim_end_matches(is_version)))?))
        };
        self.node(name).map(|node| (name, node)).or_else(bare)
    }

    fn node(&self, program: &str) -> Option<&Node> {
        let known = self.programs.get(program)?;
        let parsed = || {
            // The built-in rows are read whole by a test: none of them is lost here.
            let rows = parse(DataFile { name: "effects.toml (built in)", text: known.rows }).ok()?;
            Node::of(program, rows)
        };
        known.node.get_or_init(parsed).as_ref()
    }

    fn follow<'c>(&'c self, node: &'c Node) -> &'c Node {
        let mut node = node;
        for _ in 0..FOLLOWED {
            let Some(like) = node.rule.like() else { break };
            let mut words = like.split_whitespace();
            let start = words.next().and_then(|program| self.node(program));
            let Some(found) = words.try_fold(start, |node, word| node.map(|node| node.below.get(word))).flatten() else { break };
            node = found;
        }
        node
    }

    /// Whether a row of these words is listed and says what to do.
    pub(super) fn lists(&self, key: &str) -> bool {
        let mut words = key.split_whitespace();
        let start = words.next().and_then(|program| self.node(program));
        let found = words.try_fold(start, |node, word| node.map(|node| node.below.get(word))).flatten();
        found.is_some_and(|node| node.listed == Known::Listed && node.rule.decides())
    }
}

fn program_of(key: &str) -> Option<&str> {
    key.split_whitespace().next()
}

/// The rows of each program.
fn by_program(rows: &'static str) -> Programs {
    let (mut programs, mut at) = (Programs::default(), 0);
    let mut current: Option<(&str, usize)> = None;
    let mut note = |(program, from): (&'static str, usize), to: usize| {
        let rows = rows.get(from..to).unwrap_or_default();
        programs.insert(Cow::Borrowed(program), Program { rows, node: OnceLock::new() });
    };
    for line in rows.split_inclusive('\n') {
        let key = line.strip_prefix('"').unwrap_or(line);
        let end = key.bytes().position(|byte| matches!(byte, b' ' | b'"' | b'\n')).unwrap_or(key.len());
        let program = key.get(..end).filter(|program| !program.is_empty() && !program.starts_with('#'));
        if let Some(program) = program.filter(|program| current.is_none_or(|(current, _)| current != *program))
            && let Some(done) = current.replace((program, at))
        {
            note(done, at);
        }
        at += line.len();
    }
    if let Some(done) = current {
        note(done, at);
    }
    programs
}

/// A row of ours as a table, so that a user's row is joined with it and does not take its place.
fn as_table(row: &str) -> String {
    match row.split_once(" = \"") {
        Some((key, class)) if !key.contains('{') => format!("{key} = {{ class = \"{class} }}\n"),
        _ => format!("{row}\n"),
    }
}

/// The one table of an overlay that is merged here.
#[derive(serde::Deserialize)]
struct OnlyCommands {
    command: BTreeMap<String, Row>,
}
