//! Binding severed: what a retained thing relies on stands nowhere any more: the key by which the world can tell a repetition, the
//! parts of a half done work that are done (essay 002: the columns, the idempotency key).
//!
//! High: without the key the world takes the second attempt for a new one. Medium for the parts.

use super::Loss;
use crate::audit::case::Case;
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::ledger::entry::EntryKind;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    use EntryKind::{Call, Effect, Retry, Transaction};
    if owed.is_held || !matches!(owed.entry.kind, Call | Effect | Retry | Transaction) {
        return None;
    }
    let key = owed.entry.action.as_ref().and_then(|action| action.key.as_deref());
    let parts: Vec<&str> = owed.entry.progress_at(case.before).collect();
    let gone = |value: &&str| case.page().names(value).is_none() && !case.standing.names_loosely(value);
    let severity = match (key.filter(gone), parts.iter().any(gone)) {
        (Some(_), _) => Severity::High,
        (None, true) => Severity::Medium,
        (None, false) => return None,
    };
    let mention = Mention::of(case, owed);
    Some(Loss::altered(case, severity, mention.first()?))
}
