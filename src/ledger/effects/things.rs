//! The catalogue of things that commands and tools open and close: `assets/transactions.toml`.

mod row;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::commands::Found;
use super::deeds::{Deed, Role};
use crate::base::data::{DataError, DataFile, parse, parse_over};

pub use self::row::ThingKind;
pub(in super::super) use self::row::{Statements, ThingRow, UnverifiedFacts, When};

const BUILT_IN: DataFile<'static> =
    DataFile { name: "transactions.toml (built in)", text: include_str!("../../../assets/transactions.toml") };

/// The catalogue of things.
#[derive(Debug, Default)]
pub struct Things {
    things: Vec<Arc<Thing>>,
    /// What a program's commands do, by the first word of their patterns.
    by_program: FxHashMap<Box<str>, Vec<Pattern>>,
    /// What tools do, by their names.
    by_tool: FxHashMap<Box<str>, Vec<Pattern>>,
    /// Words of a human that settle an unknown.
    pub(in super::super) said: Statements,
    /// Which written files need a check or a commit.
    pub(in super::super) unverified: UnverifiedFacts,
}

/// Something that a call may leave open.
#[derive(Debug)]
pub struct Thing {
    /// Its key in the file.
    pub name: Arc<str>,
    pub(in super::super) row: ThingRow,
}

impl Thing {
    /// What kind of thing it is.
    #[must_use]
    pub fn kind(&self) -> ThingKind {
        self.row.kind
    }

    /// What it is, in words.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.row.what
    }
}

#[derive(Debug)]
struct Pattern {
    words: Box<[Box<str>]>,
    options: Box<[Box<str>]>,
    thing: usize,
    role: Role,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    thing: BTreeMap<String, ThingRow>,
    said: Statements,
    unverified: UnverifiedFacts,
}

/// The things of which commits and pushes are told.
pub(super) const COMMIT: &str = "unverified.commit";
pub(super) const PUSH: &str = "unverified.push";

impl Things {
    /// The built-in catalogue with the user's overlay merged over it, by key.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        if let Some(overlay) = overlay {
            // A merged table has no lines any more: what is wrong in the shape of the overlay is told with its place.
            parse::<toml::Table>(overlay)?;
        }
        let file: File = parse_over(BUILT_IN, overlay)?;
        check(&file, overlay.unwrap_or(BUILT_IN))?;
        let File { thing, said, unverified } = file;
        let mut things =
            Self { things: Vec::new(), by_program: FxHashMap::default(), by_tool: FxHashMap::default(), said, unverified };
        for (name, row) in thing {
            things.add(name, row);
        }
        for (name, opens) in [(COMMIT, things.unverified.commits.clone()), (PUSH, things.unverified.pushes.clone())] {
            things.add(name.to_owned(), ThingRow { kind: ThingKind::Milestone, opens, ..ThingRow::default() });
        }
        Ok(things)
    }

    /// All things, by name.
    #[must_use]
    pub fn list(&self) -> &[Arc<Thing>] {
        &self.things
    }

    fn add(&mut self, name: String, row: ThingRow) {
        let thing = self.things.len();
        let lists = [
            (Role::Opens, &row.opens),
            (Role::Closes, &row.closes),
            (Role::Aborts, &row.aborts),
            (Role::Clears, &row.clears),
            (Role::Acts, &row.acts),
            (Role::Passes, &row.passes),
        ];
        for (role, patterns) in lists {
            for pattern in patterns {
                let (options, words): (Vec<&str>, Vec<&str>) = pattern.split_whitespace().partition(|word| word.starts_with('-'));
                let boxed = |words: &[&str]| words.iter().map(|word| Box::from(*word)).collect();
                if let Some(program) = words.first() {
                    let pattern = Pattern { words: boxed(&words), options: boxed(&options), thing, role };
                    let (table, name) = match program.strip_prefix('@') {
                        Some(tool) => (&mut self.by_tool, tool),
                        None => (&mut self.by_program, *program),
                    };
                    table.entry(Box::from(name)).or_default().push(pattern);
                }
            }
        }
        self.things.push(Arc::new(Thing { name: name.into(), row }));
    }

    /// What a listed command does.
    pub(super) fn of_command(&self, found: &Found<'_, '_>, deeds: &mut Vec<Deed>) {
        let program = found.name.split(' ').next().unwrap_or_default();
        let Some(patterns) = self.by_program.get(program) else { return };
        let words: Vec<&str> = found.name.split(' ').chain(found.operands.iter().copied()).collect();
        let fits = |pattern: &Pattern| pattern.fits(words.iter().copied(), |option| found.has(option));
        self.pick(patterns, fits, |place| found.at(place), deeds);
    }

    /// What a program that is not listed does, by its words.
    pub(super) fn of_words(&self, words: &[&str], deeds: &mut Vec<Deed>) {
        let Some(patterns) = words.first().and_then(|program| self.by_program.get(*program)) else { return };
        let operands = || words.iter().copied().filter(|word| !word.starts_with('-'));
        let handle = |_: &[Box<str>]| operands().next_back().map(str::to_owned);
        self.pick(patterns, |pattern| pattern.fits(operands(), |option| words.contains(&option)), handle, deeds);
    }

    /// What a tool does, called with these fields. Its patterns begin with `@`.
    pub(super) fn of_tool<'f>(&self, tool: &str, text: impl Fn(&str) -> Option<std::borrow::Cow<'f, str>>, deeds: &mut Vec<Deed>) {
        let Some(patterns) = self.by_tool.get(tool) else { return };
        let holds = |condition: &str| match condition.split_once('=') {
            Some((field, value)) => text(field).unwrap_or_default() == value,
            None => false,
        };
        let fits = |pattern: &Pattern| pattern.words.iter().skip(1).all(|word| holds(word));
        self.pick(patterns, fits, |places| places.iter().find_map(|field| text(field)).map(std::borrow::Cow::into_owned), deeds);
    }

    /// Takes, for each thing, the roles of the longest pattern that fits.
    fn pick(
        &self,
        patterns: &[Pattern],
        fits: impl Fn(&Pattern) -> bool,
        handle: impl Fn(&[Box<str>]) -> Option<String>,
        deeds: &mut Vec<Deed>,
    ) {
        let fitting: Vec<&Pattern> = patterns.iter().filter(|pattern| fits(pattern)).collect();
        for pattern in &fitting {
            let longer = |other: &&Pattern| other.thing == pattern.thing && other.length() > pattern.length();
            let (false, Some(thing)) = (fitting.iter().any(longer), self.things.get(pattern.thing)) else {
                continue;
            };
            let row = &thing.row;
            let places = match pattern.role {
                Role::Opens => &row.handle,
                _ if row.by.is_empty() => &row.handle,
                _ => &row.by,
            };
            if pattern.role != Role::Passes {
                let handle = handle(&places.0).map(String::into_boxed_str);
                deeds.push(Deed { thing: Arc::clone(thing), role: pattern.role, handle });
            }
        }
    }
}

impl Pattern {
    fn length(&self) -> usize {
        self.words.len() + self.options.len()
    }

    fn fits<'w>(&self, mut words: impl Iterator<Item = &'w str>, has: impl Fn(&str) -> bool) -> bool {
        let same = |own: &str, word: &str| match own.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => own == word,
        };
        self.words.iter().all(|own| words.next().is_some_and(|word| same(own, word))) && self.options.iter().all(|own| has(own))
    }
}

/// Looks for rows that cannot be followed.
fn check(file: &File, told: DataFile<'_>) -> Result<(), DataError> {
    for (name, row) in &file.thing {
        let mistake = if row.opens.is_empty() {
            Some(("opens", "says no command that opens it"))
        } else if row.closes.is_empty() && row.aborts.is_empty() && row.clears.is_empty() {
            Some(("closes", "says nothing that closes it: it would stay open for ever"))
        } else if row.when != When::Success && row.needs.is_empty() {
            Some(("needs", "may be open after a failure: `needs` must say which text proves it"))
        } else {
            None
        };
        if let Some((field, message)) = mistake {
            let header = format!("[thing.{name}]");
            let line = told.text.lines().position(|line| line.trim() == header).map(|n| n + 1);
            return Err(DataError {
                file: told.name.to_owned(),
                line,
                field: Some(format!("thing.{name}.{field}")),
                message: message.to_owned(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Things, String> {
        Things::load(Some(DataFile { name: "mine.toml", text })).map_err(|error| error.to_string())
    }

    #[test]
    fn a_users_row_is_laid_over_the_built_in_ones() {
        let built_in = Things::load(None).unwrap().list().len();
        let things =
            load("[thing.lease]\nkind = \"resource\"\nwhat = \"a lease\"\nopens = [\"lease take\"]\ncloses = [\"lease drop\"]\n")
                .unwrap();
        assert_eq!(things.list().len(), built_in + 1);
        let mut deeds = Vec::new();
        things.of_words(&["lease", "take", "db-7"], &mut deeds);
        assert_eq!(deeds.iter().map(|deed| (&*deed.thing.name, deed.role)).collect::<Vec<_>>(), [("lease", Role::Opens)]);
        let changed = load("[thing.stash]\nwhat = \"mine\"\n").unwrap();
        let stash = changed.list().iter().find(|thing| &*thing.name == "stash").unwrap();
        assert_eq!((stash.row.what.as_str(), stash.row.opens.len()), ("mine", 3));
    }

    #[test]
    fn a_mistake_names_its_field_and_line() {
        for (text, told) in [
            ("[thing.stash]\nopen = []\n", "mine.toml:2: thing.stash.open: unknown field `open`"),
            ("[thing.stash]\nkind = \"pile\"\n", "mine.toml:2: thing.stash.kind: unknown variant `pile`"),
            (
                "[thing.lease]\nkind = \"resource\"\nwhat = \"x\"\nopens = [\"a\"]\n",
                "mine.toml:1: thing.lease.closes: says nothing that closes it",
            ),
            ("[thing.lease\n", "mine.toml:1: "),
        ] {
            let error = load(text).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
