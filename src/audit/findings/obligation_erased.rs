//! Obligation erased: a call, an effect, a retry, something open, unverified work, a task or a question that nothing mentions (essays
//! 000 and 004; in the field lost plans and todos, and background agents that were started twice: anthropics/claude-code#90036).
//!
//! By what it can cost: high for an effect or a call that may not be done twice and for what is half done in the world; medium for
//! tasks and for what runs; low for the rest.

use super::{Loss, changes_something, is_grave};
use crate::audit::case::{Case, HARDLY, Saying};
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::{Owed, is_word};
use crate::evidence::Status;
use crate::ledger::entry::{Entry, EntryKind};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let severity = severity(&owed.entry)?;
    if owed.stands() || case.is_unobserved() || (owed.words.len() < 2 && owed.entry.action.is_none()) {
        return None;
    }
    let is_there = match owed.entry.kind {
        EntryKind::Question => case.said(owed).any(|saying| saying.share >= HARDLY && is_asked(case, &saying)),
        _ if is_word(&owed.entry) => {
            let is_said = || case.said(owed).any(|saying| saying.share >= HARDLY) || is_told_beside(case, owed);
            is_said() || Mention::of(case, owed).is_there() || is_told_of_work(case, owed)
        }
        _ => Mention::of(case, owed).is_there(),
    };
    (!is_there).then(|| Loss::missing(severity))
}

/// Whether a sentence that says something else better says most of this too: an order names both of the plan items that it orders.
fn is_told_beside(case: &Case<'_>, owed: &Owed) -> bool {
    case.saying_of(&owed.words).any(|saying| saying.sentence.words.share_of(&owed.words) >= MOST && saying.shared >= 2)
}

/// So much of a task is the task, whatever else the sentence says.
const MOST: f64 = 0.6;

/// Whether what says of some work that it is not checked, or not committed, is told by what is told of that work.
fn is_told_of_work(case: &Case<'_>, owed: &Owed) -> bool {
    let is_it = |work: &&Owed| {
        work.entry.kind == EntryKind::Unverified
            && work.entry.opened.turn <= owed.entry.opened.turn
            && Mention::of(case, work).is_there()
    };
    owed.words.speak_of_a_check(case.phrasebook) && case.owed.iter().any(|work| is_it(&work))
}

/// Whether a sentence speaks of a question, and not only of what it is about; or says nearly all of it.
fn is_asked(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let text = case.page().text_of(saying.sentence);
    let is_open = || matches!(case.status(saying.clause), Some(Status::Pending | Status::Unknown));
    saying.share >= SURE || text.contains('?') || saying.sentence.words.are_speech(case.phrasebook) || is_open()
}

/// So much of a question is the question.
const SURE: f64 = 0.75;

fn severity(entry: &Entry) -> Option<Severity> {
    Some(match entry.kind {
        // What only looked can look again.
        EntryKind::Call | EntryKind::Effect if !changes_something(entry) => return None,
        EntryKind::Call | EntryKind::Effect if is_grave(entry) => Severity::High,
        EntryKind::Transaction => Severity::High,
        EntryKind::Call | EntryKind::Effect | EntryKind::Task | EntryKind::Process => Severity::Medium,
        EntryKind::Retry | EntryKind::Resource | EntryKind::Unverified | EntryKind::Question => Severity::Low,
        _ => return None,
    })
}
