//! Stale directive: a request that was discharged, or lifted, comes back as live (anthropics/claude-code#85138: an old argument was
//! replayed and pushed, in the wrong repository; nine public reports).
//!
//! High where a prohibition that was lifted, or an order to do what leaves the machine, is back; medium otherwise.

use std::sync::Arc;

use crate::audit::Passage;
use crate::audit::case::{Case, Saying};
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::evidence::{Claim, Section, Status, Words};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus};
use crate::ledger::snapshot::Slot;

/// How much of the old request a clause must say, and how little else.
const SURE: (f64, f64) = (0.75, 0.5);

/// So much of what settled by age, and so little else, a clause must say for it to come back.
const MOST: f64 = 0.8;
const ALONE: f64 = 0.6;

/// How much of it a live entry must say, for it to be that one's.
const LIVES_ON: f64 = 0.6;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for entry in closed(case) {
        let words = Words::of(&entry.text, case.phrasebook);
        if words.len() < 2 || words.lift(case.phrasebook) {
            continue;
        }
        let Some(saying) = case.saying_of(&words).find(|saying| comes_back(case, &entry, saying)) else { continue };
        let Some(passage) = case.passage(saying.sentence) else { continue };
        let is_told = found.iter().any(|finding| finding.after.as_deref() == Some(passage.text.as_str()));
        if !is_told && !lives_on(case, &saying.clause.words) {
            found.push(finding(&entry, passage));
        }
    }
    found
}

/// What had ended before the boundary, and stood in words.
fn closed<'c>(case: &'c Case<'_>) -> impl Iterator<Item = Arc<Entry>> + 'c {
    case.lane.entries.iter().filter_map(|slot| match slot {
        Slot::Entry(entry) if may_come_back(entry, case) => Some(Arc::clone(entry)),
        _ => None,
    })
}

fn may_come_back(entry: &Entry, case: &Case<'_>) -> bool {
    use EntryStatus::{Discharged, Revoked, Settled, Superseded};
    let is_request = entry.kind.is_commitment() || matches!(entry.kind, EntryKind::Task | EntryKind::Question);
    let status = entry.status_at(case.before);
    let ended = matches!(status, Some(Discharged | Revoked | Superseded | Settled));
    is_request && ended && !entry.is_whole_text()
}

/// Whether a clause states the old request as one that holds, or is still to do.
fn comes_back(case: &Case<'_>, entry: &Entry, saying: &Saying<'_>) -> bool {
    let is_speech = saying.sentence.words.names_speaker(case.phrasebook)
        || saying.sentence.words.reports(case.phrasebook)
        || case.page().text_of(saying.sentence).contains('"');
    if saying.recall < SURE.0 || saying.precision < SURE.1 || saying.sentence.section == Section::Quotes || is_speech {
        return false;
    }
    // "Device registers as pending" is the name of a test, and says nothing of how far it has come.
    let own = Claim::of_text(&entry.text, case.phrasebook).status;
    let status = case.status(saying.clause).filter(|status| Some(*status) != own);
    let is_pending = saying.sentence.section == Section::Pending && status == Some(Status::Pending);
    match entry.status_at(case.before) {
        // What settled by age may be pending all the same: only a list of what is still to do says that it came back.
        Some(EntryStatus::Settled) => saying.recall >= MOST && status == Some(Status::Pending) && saying.precision >= ALONE,
        Some(EntryStatus::Discharged) => is_pending || (status == Some(Status::Pending) && !saying.clause.claim.tells_past),
        _ => is_pending || is_rule(entry, saying),
    }
}

/// Whether a clause states a rule as one that is in force, with the polarity of the old one.
fn is_rule(entry: &Entry, saying: &Saying<'_>) -> bool {
    let is_lifted = saying.clause.claim.tells_past;
    let denies = entry.kind == EntryKind::Prohibition;
    !is_lifted && saying.clause.claim.denies == denies
}

/// Whether something that is still owed says the same.
fn lives_on(case: &Case<'_>, words: &Words) -> bool {
    case.owed.iter().any(|owed| owed.words.share_of(words) >= LIVES_ON)
}

fn finding(entry: &Arc<Entry>, passage: Passage) -> Finding {
    let severity = match entry.kind {
        EntryKind::Prohibition => Severity::High,
        _ => Severity::Medium,
    };
    let found = Finding::of_passage(FindingClass::StaleDirective, severity, passage);
    Finding { entry: Some(Arc::clone(entry)), before: Some(entry.text.to_string()), ..found }
}
