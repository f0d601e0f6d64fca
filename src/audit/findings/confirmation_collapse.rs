//! Confirmation collapse: open or not started before, "done" after. The summariser reads completion off the plan's shape, and what was
//! owed is never done (essay 000, "What Was Observed"; incidents: tamaratran/fast-jev-compaction#65).
//!
//! High where the action leaves the machine or may not be done twice; medium otherwise.

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::evidence::Status;
use crate::ledger::entry::{EntryKind, EntryStatus};

/// How much of a task a clause must say to have said that it is done.
const SURE: f64 = 0.6;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    match owed.entry.kind {
        EntryKind::Task if owed.entry.status_at(case.before) != Some(EntryStatus::Claimed) => task(case, owed),
        EntryKind::Call if changes_something(&owed.entry) => call(case, owed),
        _ => None,
    }
}

fn task(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.is_held || owed.words.len() < 2 {
        return None;
    }
    let mut done: Option<Saying<'_>> = None;
    for saying in case.said(owed).filter(|saying| saying.share >= SAID) {
        match case.status(saying.clause) {
            Some(Status::Pending | Status::Unknown | Status::Failed) => return None,
            Some(Status::Done) if saying.recall >= SURE => done = done.or(Some(saying)),
            _ => {}
        }
    }
    let severity = if owed.claim.denies { Severity::High } else { Severity::Medium };
    Some(Loss::contradicted(case, severity, done?))
}

fn call(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let mention = Mention::of(case, owed);
    if owed.is_held || mention.tells(Status::Unknown).is_some() || mention.tells(Status::Pending).is_some() {
        return None;
    }
    Some(Loss::contradicted(case, cost(&owed.entry), mention.tells(Status::Done)?))
}
