//! Completion erasure: a committed effect that may not be repeated is gone, or listed as still to do; so it is done twice
//! (openclaw/openclaw#126707: the same message again in the same turn; 16 of 122 public reports). Essay 000 covers it only by its
//! clause "not idempotent".
//!
//! High where it is listed as still to do; medium where nothing mentions it.

use super::Loss;
use crate::audit::case::Case;
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::evidence::Status;
use crate::ledger::entry::EntryKind;

/// How much of what was done a pending item must say.
const SURE: f64 = 0.5;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.entry.kind != EntryKind::Done || owed.is_held {
        return None;
    }
    let mention = Mention::of(case, owed);
    if mention.tells(Status::Done).is_some() {
        return None;
    }
    if let Some(saying) = mention.tells(Status::Pending).filter(|saying| saying.recall >= SURE) {
        return Some(Loss::contradicted(case, Severity::High, saying));
    }
    (!mention.is_there() && !case.is_unobserved()).then(|| Loss::missing(Severity::Medium))
}
