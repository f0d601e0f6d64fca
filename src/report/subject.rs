//! What a report is about: one lane of a session, at one moment, with the judgement on it.

use std::sync::Arc;

use serde::Serialize;

use crate::base::ids::{EntryId, EventIx, FileIx};
use crate::base::time::Stamp;
use crate::compaction::{Judgement, Strictness};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryStatus};
use crate::session::Snapshot;
use crate::transcript::Place;

/// The subject of a `check` or a `plan`.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The session.
    pub snapshot: &'a Snapshot,
    /// The lane asked for: one of the session's.
    pub lane: &'a LaneSnapshot,
    /// The judgement on it. Its `at` is the moment.
    pub judgement: &'a Judgement,
    /// Whether it counted settled entries as live.
    pub strictness: Strictness,
}

/// A lane of a session, as reports tell of it.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The session.
    pub snapshot: &'a Snapshot,
    /// One of its lanes.
    pub lane: &'a LaneSnapshot,
    /// Whether settled entries count as live.
    pub strictness: Strictness,
}

/// Which entries a report lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// The live ones.
    Live,
    /// The closed ones too.
    All,
}

/// A line of one of a session's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// 1-based; null where there is no event.
    pub line: Option<u32>,
    /// The file; only where it is not the session's main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Spot {
    /// The line of `place` in a session.
    #[must_use]
    pub fn of(snapshot: &Snapshot, place: Place) -> Self {
        Self { line: Some(place.line), file: file_beside_main(snapshot, place.file) }
    }
}

/// The path of a session's file; none for the main one.
#[must_use]
pub fn file_beside_main(snapshot: &Snapshot, file: FileIx) -> Option<String> {
    let beside = Some(file).filter(|file| *file != FileIx(0))?;
    Some(snapshot.facts.files.get(beside.index())?.path.to_string_lossy().into_owned())
}

impl Scene<'_> {
    /// Whether an entry counted as live after event `at`.
    #[must_use]
    pub fn counts(&self, entry: &Entry, at: EventIx) -> bool {
        let status = entry.status_at(at);
        status.is_some_and(|status| status.is_live() || (status == EntryStatus::Settled && self.strictness == Strictness::Strict))
    }

    /// Where an event of the lane stands.
    #[must_use]
    pub fn spot(&self, event: EventIx) -> Spot {
        self.lane.events.get(event.index()).map(|row| Spot::of(self.snapshot, row.place)).unwrap_or_default()
    }
}

impl<'a> Subject<'a> {
    /// Its lane, without the judgement.
    #[must_use]
    pub fn scene(&self) -> Scene<'a> {
        Scene { snapshot: self.snapshot, lane: self.lane, strictness: self.strictness }
    }

    /// The entries of the lane at the moment, by order of opening, and the bindings of the cut. What is only given is listed with the
    /// live ones where the policy would lose it, or somebody has.
    #[must_use]
    pub fn entries(&self, breadth: Breadth) -> Vec<Arc<Entry>> {
        let mut entries = self.opened(breadth);
        if breadth == Breadth::Live {
            let Judgement { severed, lost, .. } = self.judgement;
            let goes = |id| lost.contains(&id) || severed.iter().any(|severed| severed.entry == id);
            entries.retain(|entry| !entry.is_given() || goes(entry.id));
        }
        entries.extend(self.judgement.bindings.iter().cloned());
        entries
    }

    fn opened(&self, breadth: Breadth) -> Vec<Arc<Entry>> {
        match (self.judgement.at, breadth) {
            (None, _) => Vec::new(),
            (Some(at), Breadth::Live) if self.strictness == Strictness::Normal => self.lane.live_at(at),
            (Some(at), Breadth::Live) => self.lane.entries_until(at).filter(|entry| self.counts(entry, at)).collect(),
            (Some(at), Breadth::All) => self.lane.entries_until(at).collect(),
        }
    }

    /// Whether an entry counted as live after event `at`.
    #[must_use]
    pub fn counts(&self, entry: &Entry, at: EventIx) -> bool {
        self.scene().counts(entry, at)
    }

    /// An entry of the lane, or a binding of the cut.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<Arc<Entry>> {
        self.judgement.entry(self.lane, id)
    }

    /// Where an event of the lane stands.
    #[must_use]
    pub fn spot(&self, event: EventIx) -> Spot {
        self.scene().spot(event)
    }

    /// The session's own time at the moment: of the newest record that states one. Never this machine's clock.
    #[must_use]
    pub fn now(&self) -> Option<Stamp> {
        let at = self.judgement.at?;
        self.lane.events.range(0..at.index() + 1).rev().find_map(|row| row.at)
    }
}
