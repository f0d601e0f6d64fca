//! Prompt lost: a human prompt that nobody had begun to answer when the boundary fell, and that stands in neither half (four public
//! reports: messages typed while the context was being compacted).
//!
//! High: somebody has spoken, and nobody has heard.

use crate::audit::case::{Case, HARDLY};
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::base::ids::EventIx;
use crate::evidence::Words;
use crate::ledger::rows::EventKind;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    unanswered(case).into_iter().filter_map(|event| lost(case, event)).collect()
}

/// The prompts just before the boundary behind which the model did not speak any more.
pub(super) fn unanswered(case: &Case<'_>) -> Vec<EventIx> {
    let mut prompts: Vec<EventIx> = Vec::new();
    for n in (0..case.row.event.index()).rev() {
        let Some(row) = case.lane.events.get(n) else { break };
        match row.kind {
            EventKind::Prompt => prompts.push(EventIx::from_index(n)),
            EventKind::Assistant | EventKind::Reasoning | EventKind::Call | EventKind::Resolution => break,
            EventKind::Boundary | EventKind::Summary => break,
            _ => {}
        }
    }
    prompts.reverse();
    prompts
}

fn lost(case: &Case<'_>, event: EventIx) -> Option<Finding> {
    let row = case.lane.events.get(event.index())?;
    let is_kept = row
        .span
        .and_then(|span| case.lane.spans.get(span.index()))
        .is_some_and(|span| case.lane.in_context(span, case.standing.until));
    let text = case.texts.text(event);
    let words = Words::of(&text, case.phrasebook);
    let comes_again = || {
        let later = case.row.event.index() + 1..=case.standing.until.index();
        later.map(EventIx::from_index).any(|later| {
            let is_prompt = case.lane.events.get(later.index()).is_some_and(|row| row.kind == EventKind::Prompt);
            is_prompt && case.texts.text(later).trim() == text.trim()
        })
    };
    if is_kept || words.len() < 2 || case.page().holds(&text).is_some() || comes_again() {
        return None;
    }
    let best = case.saying_of(&words).map(|saying| saying.share).fold(0.0, f64::max);
    (best < HARDLY).then(|| Finding {
        class: FindingClass::PromptLost,
        severity: Severity::High,
        entry: None,
        fate: None,
        before: Some(text),
        after: None,
        after_event: None,
        after_line: None,
        consequences: Vec::new(),
    })
}
