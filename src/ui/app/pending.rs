//! The pending-call table: calls without a result, and effects that nobody confirmed.

use std::cmp::Reverse;
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
    /// Reads the table off a lane, newest first. Of a session that is still being read it is empty: what looks open may have its
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
    let entries = lane.live.iter().filter_map(|id| lane.entry(*id));
    let mut rows: Vec<PendingRow> = entries.filter_map(|entry| row(lane, &entry, directory)).collect();
    rows.sort_by_key(|row| Reverse(row.event));
    rows
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
        what: words::here(&call.label, directory).into(),
        event: call.event,
        since: lane.events.get(call.event.index()).and_then(|row| row.at),
        effect: facts.effect,
        tries: facts.attempts.max(1),
        key: words::here(call.key.as_deref().unwrap_or(&call.intent), directory).into(),
        leans_on,
    })
}
