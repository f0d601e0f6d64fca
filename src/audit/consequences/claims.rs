//! A claim that no effect supports: the agent tells its human that something was done, and nothing did it.
//!
//! Source: essay 004, "the agent wrote the file"; incident tamaratran/fast-jev-compaction#65 (reports of work that was never done).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::base::ids::EventIx;
use crate::evidence::Gist;
use crate::ledger::entry::Entry;
use crate::ledger::rows::{CallRow, EndHow};

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let is_claimed = matches!(finding.class, FindingClass::ConfirmationCollapse | FindingClass::AmbiguousOutcomeErasure);
    let Some(entry) = finding.entry.as_ref().filter(|_| is_claimed) else { return Vec::new() };
    let about = Gist::of(&entry.line_text);
    let claims = |sentence: &str| later.words.claims(sentence) && about.shared(&Gist::of(sentence)) >= about.len().clamp(1, 2);
    let unsupported = |(event, text): &(EventIx, String)| {
        entry.is_live_at(EventIx(event.0.saturating_sub(1)))
            && !was_done(entry, *event, later)
            && text.to_lowercase().split(['.', '\n', '!', ';']).any(claims)
    };
    let told = later.said().find(unsupported);
    told.map(|(event, _)| later.at(event, ConsequenceClass::UnsupportedClaim)).into_iter().collect()
}

/// Whether a call after the boundary and before event `until` did what an entry is about.
fn was_done(entry: &Entry, until: EventIx, later: &Later<'_>) -> bool {
    let speaks = Speaks::of(&entry.line_text, &entry.identifiers, later.words);
    let does = |call: &CallRow| match &entry.action {
        Some(action) => call.action == action.action || (call.intent == action.intent && call.target == action.target),
        None => speaks.is_done_by(call),
    };
    let went_well = |call: &&CallRow| call.ended().is_some_and(|end| matches!(end.how, EndHow::Success | EndHow::Returned));
    later.calls().take_while(|call| call.event < until).filter(went_well).any(does)
}
