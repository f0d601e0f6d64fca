//! A value that came out different, and a label that was given another meaning.
//!
//! Source: essay 001, "Committed-value loss"; incident claude-code#88753 (the wrong database).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::audit::labels::definitions;
use crate::audit::values::own;
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
    if let Some(call) = later.acts().find(|call| names_otherwise(finding, call)) {
        return vec![later.at(call.event, ConsequenceClass::ValueDiverged)];
    }
    let Some(entry) = &finding.entry else { return Vec::new() };
    let (before, about) = (values(&entry.text), Gist::of(&entry.text));
    let after = finding.after.as_deref().unwrap_or_default();
    let other: Vec<&str> = own(after).filter(|token| !stands_whole(&entry.text, token)).collect();
    let differs = |call: &&CallRow| {
        let is_about = || about.shared(&Gist::of(&call.input)) > 0;
        let given = other.iter().any(|token| stands_whole(&call.input, token) && (token.len() >= TELLING || is_about()));
        let keeps = || before.iter().any(|value| call.input.contains(value.text));
        given || (!keeps() && values(&call.input).iter().any(|own| before.iter().any(|value| value.is_one_with(own))))
    };
    later.acts().find(differs).map(|call| later.at(call.event, ConsequenceClass::ValueDiverged)).into_iter().collect()
}

/// Whether a call gives one of the labels that were lost for something that shares no word with what it had been given for.
fn names_otherwise(finding: &Finding, call: &CallRow) -> bool {
    if finding.class != FindingClass::BindingSevered {
        return false;
    }
    let lost = definitions(finding.before.as_deref().unwrap_or_default());
    let input = call.input.replace("\\n", "\n");
    definitions(&input).iter().any(|told| {
        let mut own = lost.iter().filter(|lost| lost.label == told.label).map(|lost| Gist::of(lost.says)).peekable();
        let told = Gist::of(told.says);
        own.peek().is_some() && own.all(|lost| lost.shared(&told) == 0)
    })
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
