//! What a report is about: one lane of a session, at one moment, with the judgement on it.

use std::sync::Arc;

use crate::base::ids::{EntryId, EventIx};
use crate::base::time::Stamp;
use crate::compaction::Judgement;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::session::Snapshot;

/// The subject of a `check` or a `plan`.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The session.
    pub snapshot: &'a Snapshot,
    /// The lane asked for: one of the session's.
    pub lane: &'a LaneSnapshot,
    /// The judgement on it. Its `at` is the moment.
    pub judgement: &'a Judgement,
}

/// Which entries a report lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// The live ones.
    Live,
    /// The closed ones too.
    All,
}

impl Subject<'_> {
    /// The entries of the lane at the moment, by order of opening.
    #[must_use]
    pub fn entries(&self, breadth: Breadth) -> Vec<Arc<Entry>> {
        let Some(at) = self.judgement.at else { return Vec::new() };
        match breadth {
            Breadth::Live => self.lane.live_at(at),
            Breadth::All => self.lane.entries_until(at).collect(),
        }
    }

    /// An entry of the lane.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<Arc<Entry>> {
        self.lane.entry(id)
    }

    /// 1-based line of an event in its file.
    #[must_use]
    pub fn line(&self, event: EventIx) -> Option<u32> {
        self.lane.events.get(event.index()).map(|row| row.place.line)
    }

    /// The session's own time at the moment: of the newest record that states one. Never this machine's clock.
    #[must_use]
    pub fn now(&self) -> Option<Stamp> {
        let at = self.judgement.at?;
        self.lane.events.range(0..at.index() + 1).rev().find_map(|row| row.at)
    }
}
