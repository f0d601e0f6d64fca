//! Boundary unannounced: something was replaced, and nothing tells the model so; it then trusts what it reads (essay 000: "the boundary
//! is observable").
//!
//! Medium where nothing at all stands in its place; low where a summary does not say that it is one, and where a result is masked that
//! the turn at work has asked for, or that says what its prompt points to (runtimes that mask leave a placeholder in its place, which no transcript shows).

use crate::audit::Passage;
use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::{Owed, is_word};
use crate::base::ids::{CallIx, TurnIx};
use crate::ledger::rows::{CallRow, EventKind};
use crate::transcript::BoundaryKind;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.row.kind == BoundaryKind::Masking {
        return masked(case);
    }
    if case.is_unobserved() || goes_on(case) {
        return Vec::new();
    }
    let told = case.standing.pieces.iter().enumerate().any(|(n, _)| case.phrasebook.announces(case.page().text(n)));
    if told {
        return Vec::new();
    }
    let severity = if case.standing.pieces.is_empty() { Severity::Medium } else { Severity::Low };
    let line = case.lane.events.get(case.row.event.index()).map_or(0, |row| row.place.line);
    let text =
        case.standing.pieces.first().map_or_else(String::new, |_| case.page().text(0).lines().next().unwrap_or("").to_owned());
    let passage = Passage { event: case.row.event, line, text };
    vec![Finding::of_passage(FindingClass::BoundaryUnannounced, severity, passage)]
}

/// Results of the turn at work that were taken out of the context, or one that says what its prompt names, and nothing tells so.
fn masked(case: &Case<'_>) -> Vec<Finding> {
    let turn = |call: &CallIx| {
        let call = case.lane.calls.get(call.index())?;
        Some((call, case.lane.spans.get(call.span.index())?.turn))
    };
    let now = case.lane.spans_at(case.before).checked_sub(1).and_then(|n| case.lane.spans.get(n)).map(|span| span.turn);
    let told = (0..case.standing.pieces.len()).any(|n| case.phrasebook.announces(case.page().text(n)));
    let needed: Vec<&str> =
        case.owed.iter().filter(|owed| is_asked_in(owed, now)).flat_map(|owed| owed.entry.names_at(case.before)).collect();
    let is_needed = |call: &CallRow| {
        let result = call.end_at(case.before).map(|end| case.texts.text(end.event)).unwrap_or_default();
        needed.iter().any(|name| result.contains(*name))
    };
    let fresh = case.row.masked.iter().filter_map(turn).find(|(call, turn)| Some(*turn) == now || is_needed(call));
    let Some((call, _)) = fresh.filter(|_| !told) else { return Vec::new() };
    let line = case.lane.events.get(case.row.event.index()).map_or(0, |row| row.place.line);
    let passage = Passage { event: case.row.event, line, text: String::new() };
    let finding = Finding::of_passage(FindingClass::BoundaryUnannounced, Severity::Low, passage);
    vec![Finding { before: Some(call.label.to_string()), after: None, ..finding }]
}

/// Whether an entry is asked for by the prompt that the model is at work on.
fn is_asked_in(owed: &Owed, now: Option<TurnIx>) -> bool {
    is_word(&owed.entry) && Some(owed.entry.opened.turn) == now
}

/// Whether nothing has come after the boundary yet: then nobody can say what the model is told.
fn goes_on(case: &Case<'_>) -> bool {
    let later = case.lane.events.range(case.row.event.index() + 1..case.lane.events.len());
    !later
        .into_iter()
        .any(|row| matches!(row.kind, EventKind::Summary | EventKind::Assistant | EventKind::Call | EventKind::Reasoning))
}
