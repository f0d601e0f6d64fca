//! Exact values, each with the words before it that say what it is a value of.

use std::cell::OnceCell;

use crate::evidence::Gist;
use crate::ledger::identifiers::{IdentifierKind, identifiers};

/// The words before a value that say what it is a value of stand within this many bytes.
const SLOT: usize = 48;

/// A value, and what it is a value of.
pub(super) struct Value<'t> {
    kind: IdentifierKind,
    pub(super) text: &'t str,
    lead: &'t str,
    slot: OnceCell<Gist>,
}

impl<'t> Value<'t> {
    /// The values of a text, by place.
    pub(super) fn all(text: &'t str) -> Vec<Self> {
        let told = identifiers(text).into_iter().filter_map(|found| {
            let from = found.range.start.saturating_sub(SLOT);
            let start = (from..=found.range.start).find(|at| text.is_char_boundary(*at))?;
            let lead = text.get(start..found.range.start)?;
            Some(Self { kind: found.kind, text: text.get(found.range)?, lead, slot: OnceCell::new() })
        });
        told.collect()
    }

    /// Whether another value stands for the same thing, and is another one.
    pub(super) fn is_one_with(&self, other: &Value<'_>) -> bool {
        self.kind == other.kind && self.text != other.text && self.slot().shared(other.slot()) > 0
    }

    fn slot(&self) -> &Gist {
        self.slot.get_or_init(|| Gist::of(self.lead))
    }
}
