//! Obligation erased: a call, an effect, a retry, something open, unverified work, a task or a question that nothing mentions (essays
//! 000 and 004; in the field lost plans and todos, and background agents that were started twice: anthropics/claude-code#90036).
//!
//! By what it can cost: high for an effect or a call that may not be done twice and for what is half done in the world; medium for
//! tasks and for what runs; low for the rest.

use super::{Loss, changes_something, is_grave};
use crate::audit::case::{Case, HARDLY};
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::ledger::entry::{Entry, EntryKind};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let severity = severity(&owed.entry)?;
    if owed.stands() || case.is_unobserved() || (owed.words.len() < 2 && owed.entry.action.is_none()) {
        return None;
    }
    let hinted = case.said(owed).any(|saying| saying.share >= HARDLY);
    (!hinted && !Mention::of(case, owed).is_there()).then(|| Loss::missing(severity))
}

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
