//! What a human says became of an action (DESIGN section 2, "Unknown effects"): "it went through", "the deploy failed, I checked".
//!
//! Cautious: only a plain statement counts, and only one that names the action's target or answers a question about it. A hope, a guess
//! and a question settle nothing.

use crate::ledger::effects::{EffectStatus, Statements};
use crate::ledger::rows::CallRow;

/// In a longer text nobody looks for a statement, in bytes.
const LONGEST: usize = 1200;
/// Words of an intent that are shorter than this name nothing.
const SHORTEST_NAME: usize = 4;

/// Whether a text answers a question about the action that it may settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// It does.
    Answers,
    /// It was said unasked.
    Unasked,
}

/// The sentences of a text, in lower case, that say plainly what became of something.
pub(super) struct Testimony(Vec<(String, Said)>);

/// What a sentence says became of something.
#[derive(Clone, Copy)]
enum Said {
    /// It has happened.
    Committed,
    /// It has not.
    NotStarted,
    /// The same of whoever has not looked: that counts only as an answer.
    ThoughtNotStarted,
}

impl Testimony {
    /// Reads a text.
    pub(super) fn of(text: &str, facts: &Statements) -> Self {
        if text.len() > LONGEST {
            return Self(Vec::new());
        }
        let text = text.to_lowercase();
        let one_of = |part: &str, phrases: &[String]| phrases.iter().any(|phrase| part.contains(phrase.as_str()));
        let looked = one_of(&text, &facts.looked);
        let said = |sentence: &str| match () {
            () if one_of(sentence, &facts.doubtful) => None,
            () if one_of(sentence, &facts.not_started) => Some(if looked { Said::NotStarted } else { Said::ThoughtNotStarted }),
            () if one_of(sentence, &facts.committed) => Some(Said::Committed),
            () => None,
        };
        Self(sentences(&text).filter_map(|sentence| Some((sentence.to_owned(), said(sentence)?))).collect())
    }

    /// What it says became of the action of `call`; none where it says nothing certain.
    pub(super) fn outcome(&self, call: &CallRow, asked: Asked) -> Option<EffectStatus> {
        let mut own = self.0.iter().filter(|(sentence, _)| asked == Asked::Answers || names(sentence, call));
        own.find_map(|(_, said)| match said {
            Said::Committed => Some(EffectStatus::Committed),
            Said::NotStarted => Some(EffectStatus::NotStarted),
            Said::ThoughtNotStarted => (asked == Asked::Answers).then_some(EffectStatus::NotStarted),
        })
    }
}

/// Whether a text of the assistant says that it does not know what became of what it did last: "I do not know how far it came".
pub(super) fn leaves_open(text: &str, facts: &Statements) -> bool {
    let text = end_of(text).to_lowercase();
    facts.open.iter().any(|phrase| text.contains(phrase.as_str()))
}

fn end_of(text: &str) -> &str {
    text.get(text.len().saturating_sub(LONGEST)..).unwrap_or(text)
}

/// The end of a text that asks something, in lower case.
pub(super) struct Question(Option<String>);

impl Question {
    /// Reads a text.
    pub(super) fn of(text: &str) -> Self {
        let text = end_of(text);
        Self(text.contains('?').then(|| text.to_lowercase()))
    }

    /// Whether it asks about the action of `call`.
    pub(super) fn is_about(&self, call: &CallRow) -> bool {
        self.0.as_deref().is_some_and(|text| names(text, call))
    }
}

/// Whether a text, in lower case, names the action's target, or what the action is beside its program.
fn names(text: &str, call: &CallRow) -> bool {
    let target = call.target.iter().flat_map(|target| [&**target, target.rsplit('/').next().unwrap_or_default()]);
    let intent = call.intent.split([' ', '/', '.', '_', '-', ':']);
    let mut candidates = target.chain(intent).filter(|name| name.len() >= SHORTEST_NAME && !is_common(name));
    candidates.any(|name| has_word(text, &name.to_lowercase()))
}

/// Words that stand in many intents and say nothing about one.
fn is_common(word: &str) -> bool {
    const COMMON: &[&str] =
        &["bash", "python", "node", "npm", "http", "https", "main", "scripts", "create", "this", "with", "true"];
    COMMON.contains(&word)
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    })
}

/// Sentences, each with the mark that ends it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['?', '!', '\n', ';']).flat_map(|part| part.split_inclusive(". ")).map(str::trim).filter(|s| !s.is_empty())
}
