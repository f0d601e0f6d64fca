//! The exact values of a lane that were given to a tool or named by a human, and where they stood: what a judgement reads.

use std::sync::Arc;

use crate::base::chunks::Chunks;
use crate::base::ids::{EventIx, SpanIx, ValueIx};
use crate::ledger::identifiers::IdentifierKind;
use crate::ledger::snapshot::partition;

/// The values of a lane.
///
/// **Invariant:** everything in it says since when it is known, and is in that order: what was known after event *n* is a prefix.
#[derive(Clone, Debug, Default)]
pub struct ValueRows {
    /// The values, by the event that made them one.
    pub all: Chunks<ValueRow>,
    /// Where they stood, in the order in which it became known.
    pub places: Chunks<ValuePlace>,
    /// The values that were listed together.
    pub sets: Chunks<ValueSet>,
}

impl ValueRows {
    /// What was known after event `at`.
    #[must_use]
    pub(in crate::ledger) fn as_of(&self, at: EventIx) -> Self {
        let known = partition(self.all.len(), |n| self.all.get(n).is_some_and(|row| row.since() <= at));
        let mut all = self.all.first(known);
        for n in 0..known {
            let later = |row: &ValueRow| row.spellings.iter().any(|(since, _)| *since > at);
            if all.get(n).is_some_and(later)
                && let Some(row) = all.get_mut(n)
            {
                row.spellings.retain(|(since, _)| *since <= at);
            }
        }
        Self {
            all,
            places: self.places.first(partition(self.places.len(), |n| self.places.get(n).is_some_and(|place| place.since <= at))),
            sets: self.sets.first(partition(self.sets.len(), |n| self.sets.get(n).is_some_and(|set| set.since <= at))),
        }
    }
}

/// One exact value. Spellings from other folders are one value.
#[derive(Clone, Debug)]
pub struct ValueRow {
    /// What it is.
    pub kind: IdentifierKind,
    /// Its spellings and since when each was known, every one fuller than the one before. Never empty.
    pub spellings: Vec<(EventIx, Arc<str>)>,
    /// The value that is its shortened form: the last name of a path, the first digits of a commit.
    pub short: Option<ValueIx>,
}

/// A value stands in a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuePlace {
    /// The value.
    pub value: ValueIx,
    /// The span.
    pub span: SpanIx,
    /// The event since which it is known: a value has stood in some places before it became one.
    pub since: EventIx,
    /// In what part of the span.
    pub role: ValueRole,
}

/// What a text does with the values in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueRole {
    /// It shows them: a tool's output, what the runtime puts in, a summary.
    Shown,
    /// It says them: a human, or the assistant to its reader.
    Said,
    /// It gives them to a tool.
    Given,
}

/// Values that an input or a human lists together: columns, files.
#[derive(Clone, Debug)]
pub struct ValueSet {
    /// The values, each once, in the order of the list.
    pub members: Arc<[ValueIx]>,
    /// The span.
    pub span: SpanIx,
    /// The event.
    pub since: EventIx,
}

impl ValueRows {
    /// The places that came to be known from event `first` up to event `last`, in that order: all places in the spans that had begun by
    /// `first` or later.
    pub fn places_between(&self, first: EventIx, last: EventIx) -> impl Iterator<Item = &ValuePlace> + '_ {
        let before = |holds: &dyn Fn(EventIx) -> bool| {
            partition(self.places.len(), |n| self.places.get(n).is_some_and(|place| holds(place.since)))
        };
        self.places.range(before(&|since| since < first)..before(&|since| since <= last))
    }
}

impl ValueRow {
    /// Its fullest spelling that was known after event `at`.
    #[must_use]
    pub fn full_at(&self, at: EventIx) -> &str {
        let known = self.spellings.iter().rev().find(|(since, _)| *since <= at);
        known.or(self.spellings.first()).map_or("", |(_, text)| text)
    }

    /// The event that made it a value.
    #[must_use]
    pub fn since(&self) -> EventIx {
        self.spellings.first().map_or(EventIx::default(), |(since, _)| *since)
    }
}
