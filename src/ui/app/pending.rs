//! The pending-call table: calls without a result, and effects that nobody confirmed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::List;
use crate::base::ids::{CallIx, EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, Weight};
use crate::ledger::rows::CallRow;
use crate::session::{Progress, Snapshot};

/// The table and its cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingState {
    pub(crate) rows: Vec<PendingRow>,
    pub(crate) list: List,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingRow {
    pub(crate) weight: Weight,
    /// The runtime's id of the call.
    pub(crate) id: Arc<str>,
    pub(crate) tool: Arc<str>,
    /// What it does, in one line.
    pub(crate) what: Arc<str>,
    /// The call's event.
    pub(crate) event: EventIx,
    /// Since when it is open: since the call, or since its effect is in doubt.
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
        self.rows = snapshot.lane(lane).filter(|_| complete).map(|lane| rows(lane)).unwrap_or_default();
    }
}

fn rows(lane: &LaneSnapshot) -> Vec<PendingRow> {
    let mut entries: BTreeMap<CallIx, &Entry> = BTreeMap::new();
    let mut pending: BTreeMap<EventIx, PendingRow> = BTreeMap::new();
    for entry in lane.live.iter().filter_map(|id| lane.entry(*id)) {
        let Some(facts) = entry.action.as_ref().filter(|_| matches!(entry.kind, EntryKind::Call | EntryKind::Effect)) else {
            continue;
        };
        let Some(call) = lane.calls.get(facts.call.index()) else { continue };
        entries.insert(facts.call, entry);
        if entry.kind == EntryKind::Effect {
            pending.insert(call.event, row(lane, call, Some(entry)));
        }
    }
    for ix in lane.open_calls.iter() {
        if let Some(call) = lane.calls.get(ix.index()) {
            pending.insert(call.event, row(lane, call, entries.get(ix).copied()));
        }
    }
    pending.into_values().rev().collect()
}

fn row(lane: &LaneSnapshot, call: &CallRow, entry: Option<&Entry>) -> PendingRow {
    let by_class = if matches!(call.class, Class::Read | Class::Check | Class::Control) { Weight::Repair } else { Weight::Barrier };
    let called = lane.events.get(call.event.index()).and_then(|row| row.at);
    let facts = entry.and_then(|e| e.action.as_ref());
    let leans_on = entry.and_then(|e| e.edges.iter().find(|edge| edge.kind == EdgeKind::DependsOnOutput));
    PendingRow {
        weight: entry.map_or(by_class, |e| e.weight),
        id: call.id.clone(),
        tool: call.tool.clone(),
        what: lane.labels.get(call.event.index()).cloned().unwrap_or_default(),
        event: call.event,
        since: entry.filter(|e| e.kind == EntryKind::Effect).map_or(called, |e| e.opened.at),
        effect: call.end.and_then(|end| end.effect),
        tries: facts.map_or(1, |f| f.attempts.max(1)),
        key: call.key.clone().unwrap_or_else(|| call.intent.clone()),
        leans_on: leans_on.map(|edge| match lane.entry(edge.to) {
            Some(other) => format!("{} {}", edge.to, other.line_text),
            None => edge.to.to_string(),
        }),
    }
}
