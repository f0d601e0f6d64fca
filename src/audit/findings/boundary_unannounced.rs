//! Boundary unannounced: something was replaced, and nothing tells the model so; it then trusts what it reads (essay 000: "the boundary
//! is observable").
//!
//! Medium where nothing at all stands in its place; low where a summary does not say that it is one. Masked results are not told of:
//! every runtime that masks leaves a placeholder in their place, which its transcript does not show.

use crate::audit::Passage;
use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::ledger::rows::EventKind;
use crate::transcript::BoundaryKind;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() || case.row.kind == BoundaryKind::Masking || goes_on(case) {
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

/// Whether nothing has come after the boundary yet: then nobody can say what the model is told.
fn goes_on(case: &Case<'_>) -> bool {
    let later = case.lane.events.range(case.row.event.index() + 1..case.lane.events.len());
    !later
        .into_iter()
        .any(|row| matches!(row.kind, EventKind::Summary | EventKind::Assistant | EventKind::Call | EventKind::Reasoning))
}
