//! Effects of one kind, of which one sentence may tell: the replies to the comments of one review, the mails to the members of a list.

use crate::ledger::entry::{Entry, EntryKind};

/// Whether two effects are of one kind, so that one sentence would have told of both.
pub(super) fn is_one_list(entry: &Entry, other: &Entry) -> bool {
    entry.kind == EntryKind::Done && other.kind == EntryKind::Done && folder(entry).is_some() && folder(entry) == folder(other)
}

/// What they have in common: what was done, up to the first number of what it was done to.
fn folder(entry: &Entry) -> Option<&str> {
    let intent = &entry.action.as_ref()?.intent;
    intent.split(|c: char| c.is_ascii_digit()).next()
}
