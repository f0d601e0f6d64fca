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

/// What a text says became of the action of `call`; none where it says nothing certain.
pub(super) fn outcome(text: &str, call: &CallRow, asked: Asked, facts: &Statements) -> Option<EffectStatus> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    let one_of = |part: &str, phrases: &[String]| phrases.iter().any(|phrase| part.contains(phrase.as_str()));
    let looked = one_of(&text, &facts.looked);
    sentences(&text).find_map(|sentence| {
        if one_of(sentence, &facts.doubtful) || !(asked == Asked::Answers || names(sentence, call)) {
            return None;
        }
        let failed = one_of(sentence, &facts.not_started);
        match asked {
            _ if failed && (looked || asked == Asked::Answers) => Some(EffectStatus::NotStarted),
            _ if !failed && one_of(sentence, &facts.committed) => Some(EffectStatus::Committed),
            _ => None,
        }
    })
}

/// Whether a text asks about the action of `call`.
pub(super) fn asks_about(text: &str, call: &CallRow) -> bool {
    let text = text.get(text.len().saturating_sub(LONGEST)..).unwrap_or(text);
    text.contains('?') && names(&text.to_lowercase(), call)
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
