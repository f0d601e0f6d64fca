//! A value that came out different.
//!
//! Source: essay 001, "Committed-value loss"; incident claude-code#88753 (the wrong database).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::evidence::{Gist, stands_whole};
use crate::ledger::identifiers::{IdentifierKind, identifiers};
use crate::ledger::rows::CallRow;

/// A value of so many bytes tells by itself what it is; a shorter one may be anything.
const TELLING: usize = 5;

/// The words before a value that say what it is a value of stand within this many bytes.
const SLOT: usize = 48;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    if !matches!(finding.class, FindingClass::CommittedValueLoss | FindingClass::BindingSevered) {
        return Vec::new();
    }
    let Some(entry) = &finding.entry else { return Vec::new() };
    let (before, about) = (values(&entry.text), Gist::of(&entry.text));
    let after = finding.after.as_deref().unwrap_or_default();
    let other: Vec<&str> = tokens(after).filter(|token| is_value(token) && !stands_whole(&entry.text, token)).collect();
    let differs = |call: &&CallRow| {
        let is_about = || about.shared(&Gist::of(&call.input)) > 0;
        let given = other.iter().any(|token| stands_whole(&call.input, token) && (token.len() >= TELLING || is_about()));
        let keeps = || before.iter().any(|value| call.input.contains(value.text));
        given || (!keeps() && values(&call.input).iter().any(|own| before.iter().any(|value| value.is_one_with(own))))
    };
    later.acts().find(differs).map(|call| later.at(call.event, ConsequenceClass::ValueDiverged)).into_iter().collect()
}

/// The words of a text with whatever stands inside of values.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>');
    text.split(is_around).map(|word| word.trim_matches(['.', ':', '!', '?', '*'])).filter(|word| !word.is_empty())
}

/// Whether a word is a value: it has a digit, the signs of a name, or no small letter.
fn is_value(word: &str) -> bool {
    let signs = word.len() > 2 && word.contains(['_', '/', '@', '-', '.']);
    word.contains(|c: char| c.is_ascii_digit())
        || signs
        || (word.len() > 2 && !word.contains(char::is_lowercase) && word.contains(char::is_alphabetic))
}

/// A value, and what it is a value of.
struct Value<'t> {
    kind: IdentifierKind,
    text: &'t str,
    slot: Gist,
}

impl Value<'_> {
    /// Whether another value stands for the same thing, and is another one.
    fn is_one_with(&self, other: &Value<'_>) -> bool {
        self.kind == other.kind && self.text != other.text && self.slot.shared(&other.slot) > 0
    }
}

fn values(text: &str) -> Vec<Value<'_>> {
    let told = identifiers(text).into_iter().filter_map(|found| {
        let from = found.range.start.saturating_sub(SLOT);
        let start = (from..=found.range.start).find(|at| text.is_char_boundary(*at))?;
        let slot = Gist::of(text.get(start..found.range.start)?);
        Some(Value { kind: found.kind, text: text.get(found.range)?, slot })
    });
    told.collect()
}
