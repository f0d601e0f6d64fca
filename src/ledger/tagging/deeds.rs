//! The verbs of requests and tasks whose doing a session shows: `[deeds]` of `assets/cues.toml`, which explains the lists. English.

use std::borrow::Cow;

use serde::Deserialize;

/// The verbs. Those of actions are the beginnings of words, as `merg` is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::ledger) struct Deeds {
    looks: List,
    leads: List,
    actions: List,
    vague: List,
    meant: List,
    led: List,
    opens: List,
}

impl Deeds {
    /// Whether a word tells of a task that only looks.
    pub(in crate::ledger) fn is_look(&self, word: &str) -> bool {
        self.looks.has(word)
    }

    /// Whether a word stands in front of the action that is meant.
    pub(in crate::ledger) fn leads(&self, word: &str) -> bool {
        self.leads.has(word)
    }

    /// Whether an action is one that only leads to another.
    pub(in crate::ledger) fn is_lead(&self, stem: &str) -> bool {
        self.leads.0.iter().any(|lead| lead.starts_with(stem))
    }

    /// Whether a task that begins with an action means it.
    pub(in crate::ledger) fn is_meant(&self, stem: &str) -> bool {
        self.meant.has(stem)
    }

    /// Whether a request of these words means an action though others of its name are none: "run the tests", not "test the login".
    pub(in crate::ledger) fn is_led(&self, stem: &str, words: &[Cow<'_, str>]) -> bool {
        self.led.has(stem) && words.iter().any(|word| self.vague.has(word))
    }

    /// The words by which a pull request is asked for.
    pub(in crate::ledger) fn opens(&self) -> impl Iterator<Item = &str> {
        self.opens.0.iter().map(|word| &**word)
    }

    /// The actions that a clause in small letters names. A vague one says which only where nothing else does.
    pub(in crate::ledger) fn actions(&self, clause: &str) -> Vec<&str> {
        let words: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).collect();
        // Most verbs are out by their first letter, with which no word begins; most words are by theirs.
        let letter = |word: &str| word.bytes().next().map_or(0_u32, |first| 1 << (first % 32));
        let letters = words.iter().fold(0, |all, word| all | letter(word));
        let begins = |word: &str, stem: &str| word.bytes().next() == stem.bytes().next() && word.starts_with(stem);
        let named = |stem: &&str| letters & letter(stem) != 0 && words.iter().any(|word| begins(word, stem));
        let mut found: Vec<&str> = self.actions.0.iter().map(|stem| &**stem).filter(named).collect();
        if found.len() > 1 {
            found.retain(|stem| !self.vague.has(stem));
        }
        found
    }
}

/// Words in a row.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "String")]
struct List(Box<[Box<str>]>);

impl List {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|own| **own == *word)
    }
}

impl From<String> for List {
    fn from(words: String) -> Self {
        Self(words.split_whitespace().map(Box::from).collect())
    }
}
