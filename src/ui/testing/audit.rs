//! An audit for tests, as plain as can be: what stands for nothing is lost, and every later attempt at an effect is what that cost.

use std::sync::Arc;

use crate::audit::{
    Audit, BoundaryAudit, Consequence, ConsequenceClass, Distance, Fate, Finding, FindingClass, Obligations, Passage, Severity,
    Told,
};
use crate::base::ids::{BoundaryIx, EventIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::BoundaryRow;

/// Audits every boundary: a prohibition has lost its "not" and cost something later, all else stands; what cannot be read is
/// unobserved.
pub(super) fn simple(lane: &LaneSnapshot) -> Audit {
    let boundaries = lane.boundaries.iter().enumerate().map(|(n, row)| one(lane, BoundaryIx::from_index(n), row));
    Audit { lane: Arc::clone(&lane.name), boundaries: boundaries.collect() }
}

fn one(lane: &LaneSnapshot, boundary: BoundaryIx, row: &BoundaryRow) -> BoundaryAudit {
    let live = lane.live_at(EventIx(row.event.0 - 1));
    let line = |event: EventIx| lane.events.get(event.index()).unwrap().place.line;
    let stands = row.summary.map(|event| Passage { event, line: line(event), text: "Columns were reviewed.".to_owned() });
    let fate = |entry: &Entry| match entry.kind {
        _ if row.opaque => Fate::Unobserved,
        EntryKind::Prohibition => Fate::Altered,
        _ => Fate::Verbatim,
    };
    let entries: Vec<Told> = live.into_iter().map(|entry| Told { fate: fate(&entry), stands: stands.clone(), entry }).collect();
    let hurt = entries.iter().filter(|told| told.fate == Fate::Altered);
    let mut findings: Vec<Finding> = hurt.map(|told| lost(lane, row, &told.entry, stands.as_ref())).collect();
    if let Some(passage) = stands.filter(|_| !findings.is_empty()) {
        findings.push(made_up(passage));
    }
    BoundaryAudit { boundary, obligations: Obligations { before: 9, floor: 4, after: 0 }, entries, findings }
}

fn lost(lane: &LaneSnapshot, row: &BoundaryRow, entry: &Arc<Entry>, stands: Option<&Passage>) -> Finding {
    let attempts = lane.calls.iter().filter(|call| call.event > row.event && call.class.has_effect());
    let cost = |event: EventIx| Consequence {
        class: ConsequenceClass::ProhibitedAction,
        event,
        line: lane.events.get(event.index()).unwrap().place.line,
        text: "./migrate.sh orders --apply".to_owned(),
        distance: Distance { events: event.0 - row.event.0, turns: 1, minutes: Some(2) },
    };
    Finding {
        class: FindingClass::NegationLoss,
        severity: Severity::High,
        entry: Some(Arc::clone(entry)),
        fate: Some(Fate::Altered),
        before: Some(entry.text.to_string()),
        after: stands.map(|passage| passage.text.clone()),
        after_event: stands.map(|passage| passage.event),
        after_line: stands.map(|passage| passage.line),
        consequences: attempts.map(|call| cost(call.event)).take(2).collect(),
    }
}

fn made_up(passage: Passage) -> Finding {
    Finding {
        class: FindingClass::AuthorityFabricated,
        severity: Severity::Medium,
        entry: None,
        fate: None,
        before: None,
        after: Some(passage.text),
        after_event: Some(passage.event),
        after_line: Some(passage.line),
        consequences: Vec::new(),
    }
}
