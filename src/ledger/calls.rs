//! Pairing: every call and its one terminal resolution, by id only, in file order (DESIGN section 2).

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, EventIx, SpanIx};
use crate::base::text::prefix;
use crate::ledger::anomaly::{Anomaly, AnomalyKind};
use crate::ledger::book;
use crate::ledger::delta::{Change, Delta};
use crate::ledger::effects::{Action, EffectStatus};
use crate::ledger::entry::EntryStatus;
use crate::ledger::rows::{CallEnd, CallRow, EndHow, INPUT_BYTES};
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::transcript::ResolutionStatus;

/// The pending-call table, and what is remembered to find anomalies.
#[derive(Default)]
pub(super) struct Calls {
    by_id: FxHashMap<Hash64, OfId>,
    /// Resolutions that stand before their call.
    early: FxHashMap<Hash64, Early>,
}

/// The calls of one id. Ids are not unique in the wild: a resolution closes the oldest open one.
#[derive(Default)]
struct OfId {
    open: VecDeque<CallIx>,
    newest: Option<CallIx>,
}

struct Early {
    how: EndHow,
    effect_text: String,
    anomaly: usize,
}

/// What a resolution ended.
pub(super) enum Ended {
    /// This call, now.
    Call(CallIx),
    /// This call had an end already: the first stands.
    Already(CallIx),
    /// Nothing: no call of this id stands before it.
    Orphan,
}

impl Calls {
    /// Adds a call that event `ix` makes. Returns how an earlier resolution has ended it already, with that resolution's first bytes.
    pub(super) fn open(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        made: Made<'_>,
    ) -> (CallIx, Option<(EndHow, String)>) {
        let ix = CallIx::from_index(rows.calls.len());
        let entry = EntryId::from_index(rows.entries.len());
        let action = made.action;
        let input: Arc<str> = Arc::from(made.input);
        let kept = if input.len() <= INPUT_BYTES { Arc::clone(&input) } else { Arc::from(prefix(&input, INPUT_BYTES)) };
        rows.calls.push(CallRow {
            id: Arc::from(made.id),
            tool: made.tool,
            event: made.event,
            span: made.span,
            entry,
            end: None,
            given_up: None,
            input: kept,
            class: action.class,
            idempotency: action.idempotency,
            action: action.action,
            intent: Arc::clone(&action.intent),
            target: action.target.clone(),
            world: action.world.clone(),
            sees: Arc::clone(&action.sees),
            key: action.key.clone(),
            declared: None,
            ghost: made.origin == Origin::Hook,
            ran: (made.origin == Origin::Hook).then_some(made.event),
            label: Arc::from(action.label.as_str()),
            known: action.known,
            atomicity: action.atomicity,
            aftermath: Arc::clone(&action.aftermath),
            reconcile_with: action.reconcile_with.clone(),
            masked: None,
            edges: Vec::new(),
        });
        rows.entries.push(Slot::Call(ix));
        Arc::make_mut(&mut rows.live).insert(entry);
        Arc::make_mut(&mut rows.open_calls).insert(ix, input);
        delta.note(Change::CallOpened(ix));
        delta.note(Change::EntryOpened(entry));
        let key = Hash64::of(made.id.as_bytes());
        let of_id = self.by_id.entry(key).or_default();
        of_id.newest = Some(ix);
        if let Some(early) = self.early.remove(&key) {
            if let Some(anomaly) = Arc::make_mut(&mut rows.anomalies).get_mut(early.anomaly) {
                anomaly.until = Some(made.event);
            }
            return (ix, Some((early.how, early.effect_text)));
        }
        of_id.open.push_back(ix);
        (ix, None)
    }

    /// Finds the call that a resolution at event `ix` ends.
    pub(super) fn resolve(&mut self, rows: &mut LaneSnapshot, id: &str, at: At, how: EndHow, text: &str) -> Ended {
        let key = Hash64::of(id.as_bytes());
        let Some(of_id) = self.by_id.get_mut(&key) else {
            let anomaly = note(rows, AnomalyKind::Orphan, at, Some(id));
            let effect_text = prefix(text, 400).to_owned();
            self.early.insert(key, Early { how, effect_text, anomaly });
            return Ended::Orphan;
        };
        if let Some(ix) = of_id.open.pop_front() {
            return Ended::Call(ix);
        }
        let Some(ix) = of_id.newest else { return Ended::Orphan };
        match rows.calls.get(ix.index()) {
            Some(call) if call.end.is_none() => {
                note(rows, AnomalyKind::Late, at, Some(id));
                Ended::Call(ix)
            }
            _ => {
                note(rows, AnomalyKind::SecondResolution, at, Some(id));
                Ended::Already(ix)
            }
        }
    }

    /// The newest call of an id, ended or not.
    pub(super) fn newest(&self, id: &str) -> Option<CallIx> {
        self.by_id.get(&Hash64::of(id.as_bytes()))?.newest
    }

    /// Takes a call out of the table of those that wait: nothing will answer it.
    pub(super) fn give_up(&mut self, rows: &LaneSnapshot, ix: CallIx) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        if let Some(of_id) = self.by_id.get_mut(&Hash64::of(call.id.as_bytes())) {
            of_id.open.retain(|open| *open != ix);
        }
    }
}

/// A call about to be added.
pub(super) struct Made<'a> {
    pub(super) id: &'a str,
    pub(super) tool: Arc<str>,
    pub(super) input: &'a str,
    pub(super) action: &'a Action,
    pub(super) event: EventIx,
    pub(super) span: SpanIx,
    pub(super) origin: Origin,
}

/// Where a call is known from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Its own record.
    Record,
    /// A hook's line alone.
    Hook,
}

/// An event and its line.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) event: EventIx,
    pub(super) line: u32,
}

/// Writes the end of a call into its row and closes its obligation. Returns the exact input, which nobody owns any more.
pub(super) fn end(
    rows: &mut LaneSnapshot,
    delta: &mut Delta,
    ix: CallIx,
    at: EventIx,
    how: EndHow,
    effect: Option<EffectStatus>,
) -> Option<Arc<str>> {
    let call = rows.calls.get_mut(ix.index())?;
    let end = CallEnd { event: at, how, effect };
    match how {
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd | EndHow::NotRecorded => {
            call.given_up = Some(end);
        }
        _ => call.end = Some(end),
    }
    let entry = call.entry;
    let input = Arc::make_mut(&mut rows.open_calls).remove(&ix);
    let status = match how.status() {
        ResolutionStatus::Abandoned => EntryStatus::Abandoned,
        ResolutionStatus::Result | ResolutionStatus::Error => EntryStatus::Discharged,
    };
    book::note_status(rows, delta, entry, status);
    delta.note(Change::CallEnded(ix));
    input
}

/// Adds an anomaly; returns its place in the list.
pub(super) fn note(rows: &mut LaneSnapshot, kind: AnomalyKind, at: At, call: Option<&str>) -> usize {
    let anomalies = Arc::make_mut(&mut rows.anomalies);
    anomalies.push(Anomaly { kind, event: at.event, line: at.line, call: call.map(Arc::from), until: None });
    anomalies.len() - 1
}
