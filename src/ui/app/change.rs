//! What has changed in the ledger between two moments, or what differs between the live ledgers of two sessions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::narrow::{Narrow, entry_words};
use super::{App, List, Sight};
use crate::base::ids::{EntryId, EventIx};
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::{Glance, LaneSnapshot};
use crate::session::Snapshot;

/// What the ledger that is shown is held against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Base {
    /// As it was before the newest prompt.
    #[default]
    Prompt,
    /// As it was before the newest compaction.
    Boundary,
    /// As it was at the moment that the reader has marked.
    Mark,
    /// The live ledger of another session.
    Session,
}

/// A row of the list.
#[derive(Clone, Debug)]
pub(crate) enum ChangeRow {
    /// What the next rows have in common, and how many there are.
    Heading(Kind, usize),
    Entry(Kind, Arc<Entry>),
}

/// How an entry has changed; in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Nothing in the context holds it any more.
    Lost,
    Opened,
    Closed,
    /// Its status or weight is another one.
    Turned,
    /// It opened and closed in between.
    CameAndWent,
    /// Only the session that is shown has it.
    OnlyHere,
    /// Only the other session has it.
    OnlyThere,
}

/// The list, and what it was made of.
#[derive(Debug, Default)]
pub(crate) struct ChangeState {
    pub(crate) base: Base,
    /// The event after which the ledger was marked.
    pub(crate) mark: Option<EventIx>,
    /// Another session and its name.
    pub(crate) other: Option<(String, Arc<Snapshot>)>,
    pub(crate) rows: Vec<ChangeRow>,
    /// How many entries have changed, whatever of them is shown.
    pub(crate) all: usize,
    pub(crate) narrow: Narrow,
    pub(crate) list: List,
    made: Option<(Sight, Base, Option<EventIx>, Narrow)>,
}

impl ChangeState {
    /// Makes the list again if what it was made of has changed. The earlier of both moments is the one before.
    pub(crate) fn refresh(&mut self, sight: Sight, lane: &LaneSnapshot, newest: &LaneSnapshot) {
        let made = Some((sight, self.base, self.mark, self.narrow.clone()));
        if self.made == made {
            return;
        }
        self.made = made;
        let there = self.other.as_ref().and_then(|(_, other)| other.lanes.first());
        let found = match (self.base, there) {
            (Base::Session, Some(there)) => beside(lane, there),
            _ => match (self.since(lane), lane.end()) {
                (Some(since), Some(end)) => between(newest, since.min(end), since.max(end)),
                _ => Vec::new(),
            },
        };
        let held = self.selected().map(|entry| entry.id);
        self.all = found.len();
        let left = found.into_iter().filter(|(_, entry)| self.narrow.leaves(|| entry_words(lane, entry)));
        self.rows = with_headings(left.collect());
        let is_held = |row: &ChangeRow| matches!(row, ChangeRow::Entry(_, entry) if Some(entry.id) == held);
        let place = self.rows.iter().position(is_held);
        // A heading says nothing more when it is looked at.
        let first = || self.rows.iter().position(|row| matches!(row, ChangeRow::Entry(..))).filter(|_| self.list.selected == 0);
        self.list.selected = place.or_else(first).unwrap_or(self.list.selected);
    }

    /// How many entries are shown.
    pub(crate) fn entries(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row, ChangeRow::Entry(..))).count()
    }

    /// The event after which it is held against; none: before the first.
    pub(crate) fn since(&self, lane: &LaneSnapshot) -> Option<EventIx> {
        let before = |event: EventIx| Some(EventIx(event.0.saturating_sub(1)));
        match self.base {
            Base::Mark => self.mark,
            Base::Boundary => lane.boundaries.last().and_then(|boundary| before(boundary.event)),
            Base::Prompt | Base::Session => lane.turns.last().and_then(|turn| before(turn.first)),
        }
    }

    /// Turns to the next thing to hold it against that there is.
    pub(crate) fn turn_base(&mut self, lane: &LaneSnapshot, steps: isize) {
        let mut bases = vec![Base::Prompt];
        bases.extend((!lane.boundaries.is_empty()).then_some(Base::Boundary));
        bases.extend(self.mark.map(|_| Base::Mark));
        bases.extend(self.other.as_ref().map(|_| Base::Session));
        let at = bases.iter().position(|base| *base == self.base).unwrap_or(0);
        let count = isize::try_from(bases.len()).unwrap_or(1);
        let next = usize::try_from((isize::try_from(at).unwrap_or(0) + steps).rem_euclid(count)).unwrap_or(0);
        self.base = bases.get(next).copied().unwrap_or_default();
    }

    /// The entry of the selected row.
    pub(crate) fn selected(&self) -> Option<&Arc<Entry>> {
        match self.rows.get(self.list.selected)? {
            ChangeRow::Entry(Kind::OnlyThere, _) | ChangeRow::Heading(..) => None,
            ChangeRow::Entry(_, entry) => Some(entry),
        }
    }
}

/// What has changed between two moments of a lane.
fn between(lane: &LaneSnapshot, before: EventIx, after: EventIx) -> Vec<(Kind, Arc<Entry>)> {
    let kind = |id: EntryId| {
        let now = lane.glance(id, after)?;
        let then = lane.glance(id, before);
        let was_live = then.as_ref().is_some_and(|then| then.status.is_live());
        match (&then, was_live, now.status.is_live()) {
            (_, _, true) if now.lost && !then.as_ref().is_some_and(|then| then.lost) => Some(Kind::Lost),
            (None, _, true) | (Some(_), false, true) => Some(Kind::Opened),
            (_, true, false) => Some(Kind::Closed),
            (None, false, false) => Some(Kind::CameAndWent),
            (Some(then), _, _) => turned(then, &now).then_some(Kind::Turned),
        }
    };
    // Every answered call came and went: those are counted elsewhere, and would hide what matters.
    let is_told = |kind: Kind, entry: &Entry| kind != Kind::CameAndWent || entry.kind != EntryKind::Call;
    let all = (0..lane.entries.len()).map(EntryId::from_index).filter_map(|id| Some((id, kind(id)?)));
    all.filter_map(|(id, kind)| Some((kind, lane.entry(id).filter(|entry| is_told(kind, entry))?))).collect()
}

fn turned(then: &Glance, now: &Glance) -> bool {
    (then.status, then.weight) != (now.status, now.weight)
}

/// What only one of two live ledgers has: an entry is the same where its key is.
fn beside(here: &LaneSnapshot, there: &LaneSnapshot) -> Vec<(Kind, Arc<Entry>)> {
    let live = |lane: &LaneSnapshot| -> BTreeMap<String, Arc<Entry>> {
        let entries = lane.live.iter().filter_map(|id| lane.entry(*id));
        entries.map(|entry| (entry.key.clone(), entry)).collect()
    };
    let (here, there) = (live(here), live(there));
    let only = |one: &BTreeMap<String, Arc<Entry>>, other: &BTreeMap<String, Arc<Entry>>, kind| {
        let own = one.iter().filter(|(key, _)| !other.contains_key(*key));
        own.map(|(_, entry)| (kind, Arc::clone(entry))).collect::<Vec<_>>()
    };
    [only(&here, &there, Kind::OnlyHere), only(&there, &here, Kind::OnlyThere)].concat()
}

fn with_headings(mut found: Vec<(Kind, Arc<Entry>)>) -> Vec<ChangeRow> {
    found.sort_by_key(|(kind, entry)| (*kind, entry.id));
    let mut rows = Vec::new();
    for group in found.chunk_by(|(one, _), (other, _)| one == other) {
        rows.extend(group.first().map(|(kind, _)| ChangeRow::Heading(*kind, group.len())));
        rows.extend(group.iter().map(|(kind, entry)| ChangeRow::Entry(*kind, Arc::clone(entry))));
    }
    rows
}

impl App {
    /// What the ledger is held against, in words.
    pub(crate) fn base_words(&self) -> String {
        let lane = self.lane();
        let line = lane.and_then(|lane| {
            let event = self.change.since(lane)?;
            self.time.lane(self.lane)?.events.get(event.index()).map(|row| row.place.line)
        });
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        match self.change.base {
            Base::Prompt => format!("since the newest prompt{line}"),
            Base::Boundary => format!("since the newest compaction{line}"),
            Base::Mark => format!("since your mark{line}"),
            Base::Session => format!("beside {}", self.change.other.as_ref().map_or("", |(name, _)| name)),
        }
    }
}
