//! Authority fabricated: an approval, an answer or an order that no human prompt contains (anthropics/claude-code#20920, two invented
//! yes-answers; #46602, an invented instruction that was carried out; anomalyco/opencode#14923, an approval read off "next steps").
//! As Hermes does it (#64595): what a summary quotes or reports of a human is held to the human's own words.
//!
//! High: what it allows is done next. Medium for what a human is only reported to have asked, and for a question that a plan answers.

mod answers;
mod approvals;
mod orders;
mod quotations;
mod sources;

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::findings::constraint_inflation::is_from_summary;
use crate::evidence::{Section, Sentence};
use crate::ledger::rows::EventKind;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() || begins_earlier(case) {
        return Vec::new();
    }
    let all = case.page().sentences().iter().enumerate();
    let own: Vec<(usize, &Sentence)> = all.filter(|(_, sentence)| is_from_summary(case, sentence)).collect();
    let mut made_up = quotations::made_up(case, &own.iter().map(|(_, sentence)| *sentence).collect::<Vec<_>>());
    for (n, sentence) in own.into_iter().filter(|(_, sentence)| sentence.section != Section::Quotes) {
        let severity = match () {
            () if approvals::is_unfounded(case, n, sentence) => Severity::High,
            () if orders::is_unfounded(case, n, sentence) => Severity::Medium,
            () => continue,
        };
        made_up.push((sentence, severity));
    }
    made_up.sort_by_key(|(sentence, _)| (sentence.text, sentence.range.start));
    made_up.dedup_by_key(|(sentence, _)| sentence.range.start);
    let finding = |(sentence, severity): (&Sentence, Severity)| {
        Some(Finding::of_passage(FindingClass::AuthorityFabricated, severity, case.passage(sentence)?))
    };
    let mut found: Vec<Finding> = made_up.into_iter().filter_map(finding).collect();
    for answer in answers::find(case) {
        let is_told = |other: &&mut Finding| other.after == answer.after;
        // The question says more than the sentence alone.
        match found.iter_mut().find(is_told) {
            Some(other) => *other = Finding { severity: other.severity.max(answer.severity), ..answer },
            None => found.push(answer),
        }
    }
    found
}

/// Whether the session began before its transcript does: the runtime's marks stand before the first prompt, or the model's words do.
fn begins_earlier(case: &Case<'_>) -> bool {
    let first = case.lane.events.iter().map(|row| row.kind).find(|kind| !matches!(kind, EventKind::Injected | EventKind::Rules));
    !matches!(first, Some(EventKind::Prompt | EventKind::Task | EventKind::Summary | EventKind::Counted) | None)
}
