//! The entry of a call: an obligation from the moment that the call is made until something answers it.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId};
use crate::ledger::effects::{Class, PlanShape};
use crate::ledger::entry::{
    ActionFacts, Check, Discharge, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Pointer, Scope, Trust, Weight,
};
use crate::ledger::rows::{CallEnd, CallRow};
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::ResolutionStatus;

/// The entry of call `ix`, made from its row.
pub(super) fn call_entry(lane: &LaneSnapshot, id: EntryId, ix: CallIx) -> Option<Entry> {
    let call = lane.calls.get(ix.index())?;
    let row = lane.events.get(call.event.index())?;
    let span = lane.spans.get(call.span.index())?;
    let mut history = vec![(call.event, EntryStatus::Live)];
    history.extend([call.given_up, call.end].into_iter().flatten().map(|end| (end.event, status(end))));
    Some(Entry {
        id,
        kind: EntryKind::Call,
        also: Vec::new(),
        key: format!("call:{}", call.id),
        line_text: call.said(),
        text: Arc::clone(&call.input),
        trust: Trust::Structured,
        vouched: None,
        rule: "call".into(),
        scope: Scope::Action,
        opened: Moment { event: call.event, line: row.place.line, span: call.span, turn: span.turn, at: row.at },
        history,
        action: Some(action_facts(ix, call)),
        identifiers: call.target.iter().map(ToString::to_string).collect(),
        preconditions: Vec::new(),
        progress: Vec::new(),
        discharge: Discharge {
            text: format!("a result, an error or a withdrawal of call {}", call.id),
            check: Check::Resolved,
            needs: vec![call.id.to_string()],
            observable: true,
        },
        edges: call.edges.clone(),
        holders: vec![Holder { span: call.span, form: HolderForm::Verbatim, since: call.event }],
        lost: Vec::new(),
        evidence: vec![call.event],
        weight: vec![(call.event, weight(call))],
        pointer: Some(Pointer { event: call.event, bytes: row.place.bytes }),
        marked: Vec::new(),
        settled: None,
        named: Vec::new(),
    })
}

/// What an entry says about the action of a call.
pub(super) fn action_facts(ix: CallIx, call: &CallRow) -> ActionFacts {
    ActionFacts {
        call: Some(ix),
        first: Some(ix),
        class: call.class,
        effect: call.ended().and_then(|end| end.effect),
        action: call.action,
        intent: Arc::clone(&call.intent),
        target: call.target.clone(),
        key: call.key.clone(),
        idempotency: call.idempotency,
        attempts: 1,
    }
}

/// Where the record of a call stands.
pub(super) fn record_of(lane: &LaneSnapshot, call: &CallRow) -> Option<Pointer> {
    lane.events.get(call.event.index()).map(|row| Pointer { event: call.event, bytes: row.place.bytes })
}

/// The status that an end gives to the entry of its call.
pub(super) fn status(end: CallEnd) -> EntryStatus {
    match end.how.status() {
        ResolutionStatus::Abandoned => EntryStatus::Abandoned,
        ResolutionStatus::Result | ResolutionStatus::Error => EntryStatus::Discharged,
    }
}

/// An open call can still change the world unobserved, unless it only looks (DESIGN section 3), or only keeps the agent's own list.
pub(super) fn weight(call: &CallRow) -> Weight {
    match call.class {
        Class::Read | Class::Check => Weight::Repair,
        Class::Control if call.aftermath.plan.is_some_and(|shape| shape != PlanShape::Approval) => Weight::Repair,
        Class::Control | Class::Execute | Class::Write | Class::Create | Class::External => Weight::Barrier,
    }
}
