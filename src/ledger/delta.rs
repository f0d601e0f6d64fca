//! What one event changed: the fold's answer to its caller.

use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::ledger::entry::EntryStatus;

/// The changes that one event made, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Delta {
    /// The event's number; none when it was dropped as a replay.
    pub event: Option<EventIx>,
    /// What it changed.
    pub changes: Vec<Change>,
}

/// One change. Exhaustive on purpose: a new kind of change must be handled wherever changes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A span began.
    SpanOpened(SpanIx),
    /// A turn began.
    TurnOpened(TurnIx),
    /// A turn ended.
    TurnEnded(TurnIx),
    /// A call was made.
    CallOpened(CallIx),
    /// A call ended, or was given up.
    CallEnded(CallIx),
    /// An entry came to be.
    EntryOpened(EntryId),
    /// An entry's status changed.
    EntryChanged(EntryId, EntryStatus),
    /// A boundary fell.
    BoundaryFell(BoundaryIx),
    /// The meter was read.
    Charged,
}

impl Delta {
    /// The entries that the event opened.
    pub(super) fn opened(&self) -> impl Iterator<Item = EntryId> + '_ {
        self.changes.iter().filter_map(|change| match change {
            Change::EntryOpened(id) => Some(*id),
            _ => None,
        })
    }

    /// The entries that the event brought back to life.
    pub(super) fn revived(&self) -> impl Iterator<Item = EntryId> + '_ {
        self.changes.iter().filter_map(|change| match change {
            Change::EntryChanged(id, EntryStatus::Live) => Some(*id),
            _ => None,
        })
    }

    pub(super) fn note(&mut self, change: Change) {
        self.changes.push(change);
    }
}
