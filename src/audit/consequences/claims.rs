//! A claim that no effect supports: the agent tells its human that something was done, and nothing did it.
//!
//! Source: essay 004, "the agent wrote the file"; incident tamaratran/fast-jev-compaction#65 (reports of work that was never done).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::base::ids::EventIx;
use crate::evidence::{Claim, Gist, Status};
use crate::ledger::entry::Entry;
use crate::ledger::rows::CallRow;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let is_claimed = matches!(finding.class, FindingClass::ConfirmationCollapse | FindingClass::AmbiguousOutcomeErasure);
    let Some(entry) = finding.entry.as_ref().filter(|_| is_claimed) else { return Vec::new() };
    // Of an action that is told in other words than its own, those words.
    let about = [Gist::of(&entry.line_text), Gist::of(finding.after.as_deref().unwrap_or_default())];
    let says_done = |sentence: &str| {
        let claim = Claim::of_text(sentence, later.phrasebook);
        !claim.denies && (claim.status == Some(Status::Done) || (claim.status.is_none() && claim.tells_past))
    };
    let is_about =
        |sentence: &Gist| about.iter().any(|about| !about.is_empty() && about.shared(sentence) >= about.len().clamp(1, 2));
    let claims = |sentence: &str| says_done(sentence) && is_about(&Gist::of(sentence));
    let done = done(entry, later);
    let is_open = |event: &EventIx| entry.is_live_at(EventIx(event.0.saturating_sub(1))) && done.is_none_or(|done| *event <= done);
    let told = later.said().filter(is_open).find(|event| later.texts.text(*event).split(['.', '\n', '!', ';']).any(claims));
    told.map(|event| later.at(event, ConsequenceClass::UnsupportedClaim)).into_iter().collect()
}

/// The first call after the boundary that did what an entry is about.
fn done(entry: &Entry, later: &Later<'_>) -> Option<EventIx> {
    let speaks = Speaks::of(&entry.line_text, &entry.identifiers, later.words);
    let does =
        |call: &CallRow| entry.action.as_ref().map_or_else(|| speaks.is_done_by(call, later.shown), |action| call.does(action));
    later.calls().filter(|call| call.went_well()).find(|call| does(call)).map(|call| call.event)
}
