//! What people call what a command does, and how a call shows it: `assets/wordings.toml`.

use std::collections::BTreeMap;

use memchr::memmem::{Finder, find_iter};
use serde::Deserialize;

use crate::base::data::{DataError, DataFile, parse_over};
use crate::ledger::rows::CallRow;

const BUILT_IN: DataFile<'static> =
    DataFile { name: "wordings.toml (built in)", text: include_str!("../../../assets/wordings.toml") };

/// The wordings that are known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wordings {
    places: Vec<String>,
    /// What a ban makes an exception with.
    exceptions: Vec<String>,
    /// What scripts that are run by their names show.
    pub echo: Echo,
    deed: BTreeMap<String, Wording>,
}

/// How a program that runs a script by its name shows what it runs (`[echo]`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Echo {
    programs: Vec<String>,
    marks: Vec<String>,
}

impl Echo {
    /// Of a result so many lines may show it.
    const LINES: usize = 12;

    /// Whether the program of an intent does so.
    #[must_use]
    pub fn is_by(&self, intent: &str) -> bool {
        let program = intent.split(' ').next().unwrap_or_default();
        self.programs.iter().any(|known| known == program)
    }

    /// The commands that its result shows, each with a space before it.
    #[must_use]
    pub fn in_result(&self, result: &str) -> String {
        let marked = |line: &&str| self.marks.iter().any(|mark| line.starts_with(mark.as_str()));
        result.lines().take(Self::LINES).filter(marked).flat_map(|line| [" ", line]).collect()
    }
}

/// One deed as people call it. The file explains the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wording {
    said: Vec<Piece>,
    shows: Vec<Piece>,
    world: Option<String>,
    /// It counts only where no other deed is named.
    pub vague: bool,
    /// Its verb alone never tells it, not even where the call has the same.
    pub broad: bool,
    /// Its verb alone tells it: "do not push".
    pub bare: bool,
    #[serde(skip)]
    number: usize,
}

/// Words that are looked for in many texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
struct Piece {
    finder: Finder<'static>,
    text: String,
    /// Whether a word may go on behind them: they end with `*`.
    goes_on: bool,
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        let (text, goes_on) = text.strip_suffix('*').map_or((&*text, false), |text| (text, true));
        Self { finder: Finder::new(text).into_owned(), text: text.to_owned(), goes_on }
    }
}

impl Piece {
    /// Whether a word of a text begins with them.
    fn begins_a_word_of(&self, text: &str) -> bool {
        self.finder.find_iter(text.as_bytes()).any(|at| begins_at(text, at))
    }

    /// Whether they stand in a text as whole words.
    fn stand_in(&self, text: &str) -> bool {
        self.finder.find_iter(text.as_bytes()).any(|at| {
            let behind = || text.get(at + self.text.len()..).is_some_and(|behind| behind.starts_with(is_inner));
            begins_at(text, at) && (self.goes_on || !behind())
        })
    }
}

impl Wordings {
    /// The built-in deeds with the user's laid over them, by key.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let mut wordings: Self = parse_over(BUILT_IN, overlay)?;
        wordings.deed.values_mut().enumerate().for_each(|(n, deed)| deed.number = n);
        Ok(wordings)
    }

    /// What a ban forbids, without the exception that it makes at its end: "send nothing to passengers, only to staff".
    #[must_use]
    pub fn without_exception<'t>(&self, ban: &'t str) -> &'t str {
        let text = ban.to_ascii_lowercase();
        let begins = self.exceptions.iter().filter_map(|words| text.find(&format!(" {words} "))).min();
        begins.and_then(|end| ban.get(..end)).unwrap_or(ban)
    }

    /// The deeds that a text in small letters names.
    #[must_use]
    pub fn named_in(&self, text: &str) -> Vec<&Wording> {
        self.deed.values().filter(|deed| deed.said.iter().any(|said| said.begins_a_word_of(text))).collect()
    }

    /// The places that a text in small letters names.
    pub fn places_in<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        text.split(|c: char| !is_inner(c)).filter(|word| self.places.iter().any(|place| place == word))
    }
}

impl Wording {
    /// Which of the wordings it is, from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Whether a call does it; `shown` are its label and input in small letters.
    #[must_use]
    pub fn is_shown_by(&self, call: &CallRow, shown: &str) -> bool {
        let in_world = call.class.has_effect()
            && self.world.as_deref().is_some_and(|world| world == "*" || Some(world) == call.world.as_deref());
        in_world || self.shows.iter().any(|piece| piece.stand_in(shown))
    }

    /// Whether one of its own words stands in both texts, which are in small letters.
    #[must_use]
    pub fn is_said_in_both(&self, text: &str, other: &str) -> bool {
        self.said.iter().any(|said| said.begins_a_word_of(text) && begins_a_word(other, said.text.trim_end()))
    }

    /// Whether a word in small letters is one of its own.
    #[must_use]
    pub fn is_called(&self, word: &str) -> bool {
        self.said.iter().any(|said| word.starts_with(said.text.trim_end()))
    }
}

fn begins_a_word(text: &str, start: &str) -> bool {
    find_iter(text.as_bytes(), start.as_bytes()).any(|at| begins_at(text, at))
}

/// Whether no word stands just before a place of a text.
fn begins_at(text: &str, at: usize) -> bool {
    !text.get(..at).is_some_and(|before| before.ends_with(is_inner))
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_can_be_read() {
        let wordings = Wordings::load(None).unwrap();
        assert!(wordings.named_in("do not force-push").len() == 2);
        assert_eq!(wordings.places_in("push to main, not to maintenance").collect::<Vec<_>>(), ["main"]);
    }

    #[test]
    fn a_users_wordings_are_laid_over_the_built_in_ones() {
        let load = |text| Wordings::load(Some(DataFile { name: "wordings.toml", text }));
        let wordings = load("[deed.flash]\nsaid = [\"flash\"]\nshows = [\"flash\"]\n").unwrap();
        assert_eq!((wordings.named_in("flash it").len(), wordings.named_in("push it").len()), (1, 1));
        assert_eq!(load("[deed.flash]\nsay = []\n").unwrap_err().line, Some(2));
    }
}
