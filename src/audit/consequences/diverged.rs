//! A value that came out different, and a label that was given another meaning.
//!
//! Source: essay 001, "Committed-value loss"; incident claude-code#88753 (the wrong database).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::value::Value;
use crate::audit::finding::{Finding, FindingClass};
use crate::audit::labels::{Definition, definitions, unescaped};
use crate::audit::values::own;
use crate::evidence::{Exact, Gist, stands_whole};
use crate::ledger::rows::CallRow;

/// A value of so many bytes tells by itself what it is; a shorter one may be anything.
const TELLING: usize = 5;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    if !matches!(finding.class, FindingClass::CommittedValueLoss | FindingClass::BindingSevered) {
        return Vec::new();
    }
    let is_severed = finding.class == FindingClass::BindingSevered;
    let lost = if is_severed { finding.before.as_deref().unwrap_or_default() } else { "" };
    let lost = definitions(lost, later.phrasebook);
    if let Some(call) = later.acts().find(|call| names_otherwise(&lost, call, later)) {
        return vec![later.at(call.event, ConsequenceClass::ValueDiverged)];
    }
    let Some(entry) = &finding.entry else { return Vec::new() };
    let (before, about) = (Value::all(&entry.text), Gist::of(&entry.text));
    let after = finding.after.as_deref().unwrap_or_default();
    let other = own(after).filter(|token| !stands_whole(&entry.text, token));
    let other: Vec<Exact<'_>> = other.filter(|token| later.is_acted_on(token)).map(Exact::new).collect();
    let differs = |call: &&CallRow| {
        let Some(words) = later.shown.words(call) else { return false };
        let is_about = || about.shared(words.about_input()) > 0;
        let given = other.iter().any(|token| token.stands_in(&call.input) && (token.value().len() >= TELLING || is_about()));
        let keeps = || before.iter().any(|value| call.input.contains(value.text));
        let is_other = |own: &Value<'_>| before.iter().any(|value| value.is_one_with(own));
        given || (!before.is_empty() && words.values().iter().any(is_other) && !keeps())
    };
    later.acts().find(differs).map(|call| later.at(call.event, ConsequenceClass::ValueDiverged)).into_iter().collect()
}

/// Whether a call gives one of the labels that were lost for something that shares no word with what it had been given for.
fn names_otherwise(lost: &[Definition<'_>], call: &CallRow, later: &Later<'_>) -> bool {
    if !lost.iter().any(|lost| call.input.contains(lost.label)) {
        return false;
    }
    definitions(&unescaped(&call.input), later.phrasebook).iter().any(|told| {
        let mut own = lost.iter().filter(|lost| lost.label == told.label).map(|lost| Gist::of(lost.says)).peekable();
        let told = Gist::of(told.says);
        own.peek().is_some() && own.all(|lost| lost.shared(&told) == 0)
    })
}
