//! Exact values, each with the words before it that say what it is a value of.

use crate::evidence::Gist;
use crate::ledger::identifiers::{IdentifierKind, identifiers};

/// The words before a value that say what it is a value of stand within this many bytes.
const SLOT: usize = 48;

/// A value, and what it is a value of.
pub(super) struct Value {
    kind: IdentifierKind,
    pub(super) text: String,
    slot: Gist,
}

impl Value {
    /// The values of a text, by place.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let told = identifiers(text).into_iter().filter_map(|found| {
            let from = found.range.start.saturating_sub(SLOT);
            let start = (from..=found.range.start).find(|at| text.is_char_boundary(*at))?;
            let slot = Gist::of(text.get(start..found.range.start)?);
            Some(Self { kind: found.kind, text: text.get(found.range)?.to_owned(), slot })
        });
        told.collect()
    }

    /// Whether another value stands for the same thing, and is another one.
    pub(super) fn is_one_with(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text != other.text && self.slot.shared(&other.slot) > 0
    }
}
