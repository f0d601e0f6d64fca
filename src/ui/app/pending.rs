//! The pending-call table: calls without a result, and effects that nobody confirmed.

use std::sync::Arc;

use super::{List, Narrow};
use crate::base::ids::{EntryId, EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, Weight};
use crate::session::{Progress, Snapshot};
use crate::ui::words;

/// The table and its cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingState {
    /// All that is pending.
    pub(crate) rows: Vec<PendingRow>,
    pub(crate) narrow: Narrow,
    /// What of it is left where words narrow it.
    left: Option<Vec<PendingRow>>,
    pub(crate) list: List,
}

/// Whether rows may come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changes {
    Ever,
    Never,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingRow {
    /// Its entry, of kind call or effect.
    pub(crate) entry: EntryId,
    pub(crate) weight: Weight,
    /// The runtime's id of the call.
    pub(crate) id: Arc<str>,
    pub(crate) tool: Arc<str>,
    /// What it does, in one line.
    pub(crate) what: Arc<str>,
    /// The call's event.
    pub(crate) event: EventIx,
    /// When the call was made.
    pub(crate) since: Option<Stamp>,
    /// What is known of its effect; none while it runs.
    pub(crate) effect: Option<EffectStatus>,
    pub(crate) tries: u32,
    /// By what the world, or a retry, knows it again.
    pub(crate) key: Arc<str>,
    /// What it relies on, in words.
    pub(crate) leans_on: Option<String>,
}

impl PendingState {
    /// Reads the table off a lane, worst first. Of a session that is still being read it is empty: what looks open may have its
    /// result further down.
    pub(crate) fn refill(&mut self, snapshot: &Snapshot, lane: LaneIx) {
        let complete = snapshot.progress == Progress::Complete;
        let held = self.selected().map(|row| row.entry);
        self.rows =
            snapshot.lane(lane).filter(|_| complete).map_or_else(Vec::new, |lane| rows(lane, snapshot.facts.directory.as_deref()));
        self.sift(held);
    }

    /// Leaves the rows in which the words stand. The cursor goes to an entry, if that is left.
    fn sift(&mut self, held: Option<EntryId>) {
        let is_left = |row: &&PendingRow| self.narrow.leaves(|| format!("{} {} {} {}", row.id, row.tool, row.what, row.key));
        self.left = self.narrow.is_on().then(|| self.rows.iter().filter(is_left).cloned().collect());
        let place = held.and_then(|id| self.shown().iter().position(|row| row.entry == id));
        self.list.selected = place.unwrap_or(self.list.selected);
    }

    /// Narrows it.
    pub(crate) fn set_narrow(&mut self, narrow: Narrow) {
        let held = self.selected().map(|row| row.entry);
        self.narrow = narrow;
        self.sift(held);
    }

    /// For how many rows there is to be room. Where calls come and go it is two also when nothing is pending, so that the panes stay
    /// where they are.
    pub(crate) fn room(&self, changes: Changes) -> usize {
        match changes {
            Changes::Ever => self.rows.len().max(2),
            Changes::Never => self.rows.len(),
        }
    }

    /// The rows that are shown.
    pub(crate) fn shown(&self) -> &[PendingRow] {
        self.left.as_deref().unwrap_or(&self.rows)
    }

    /// The row under the cursor.
    pub(crate) fn selected(&self) -> Option<&PendingRow> {
        self.shown().get(self.list.selected)
    }
}

fn rows(lane: &LaneSnapshot, directory: Option<&str>) -> Vec<PendingRow> {
    let mut entries: Vec<Arc<Entry>> = lane.live.iter().filter_map(|id| lane.entry(*id)).collect();
    let end = lane.end().unwrap_or_default();
    entries.sort_by_cached_key(|entry| entry.rank_at(end));
    entries.iter().filter_map(|entry| row(lane, entry, directory)).collect()
}

/// Since when an entry is open: of what a call did, since that was made.
pub(crate) fn began(lane: &LaneSnapshot, entry: &Entry) -> Option<Stamp> {
    let call = entry.action.as_ref().and_then(|action| lane.calls.get(action.call?.index()));
    let made = call.map_or(entry.opened.event, |call| call.event);
    lane.events.get(made.index()).and_then(|row| row.at)
}

/// The row of a call or an effect.
fn row(lane: &LaneSnapshot, entry: &Entry, directory: Option<&str>) -> Option<PendingRow> {
    let facts = entry.action.as_ref().filter(|_| matches!(entry.kind, EntryKind::Call | EntryKind::Effect))?;
    let call = lane.calls.get(facts.call?.index())?;
    let leans_on = entry.edges.iter().find(|edge| edge.kind == EdgeKind::DependsOnOutput).map(|edge| match lane.entry(edge.to) {
        Some(other) => format!("{} {}", edge.to, other.line_text),
        None => edge.to.to_string(),
    });
    Some(PendingRow {
        entry: entry.id,
        weight: lane.end().map_or(Weight::Barrier, |end| entry.weight_at(end)),
        id: call.id.clone(),
        tool: words::tool(&call.tool).into(),
        what: words::here(call.what(), directory).into(),
        event: call.event,
        since: began(lane, entry),
        effect: facts.effect,
        tries: facts.attempts.max(1),
        key: words::here(call.key.as_deref().unwrap_or(&call.intent), directory).into(),
        leans_on,
    })
}
