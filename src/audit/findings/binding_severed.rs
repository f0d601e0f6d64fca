//! Binding severed, first kind: an exact value that something relies on stands nowhere any more: the key by which the world can tell a
//! repetition, the parts of a half done work that are done (essay 002: the columns, the idempotency key), the full form of what is kept
//! for short, and of what nobody knows whether it happened, what exactly it was.
//!
//! High for the key: without it the world takes the second attempt for a new one. Medium for the parts, for what was attempted, and for
//! what the kept context uses; low for what is only named, or used by something owed.

use super::{Loss, changes_something};
use crate::audit::Passage;
use crate::audit::case::Case;
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::mention::{Mention, names};
use crate::audit::owed::Owed;
use crate::audit::values::own;
use crate::compaction::severed_by;
use crate::evidence::{Status, stands_whole};
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, Weight};
use crate::ledger::rows::CallRow;
use crate::ledger::values::ends;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    use EntryKind::{Call, Effect, Retry, Transaction};
    if owed.is_held || !matches!(owed.entry.kind, Call | Effect | Retry | Transaction) {
        return None;
    }
    let key = owed.entry.action.as_ref().and_then(|action| action.key.as_deref());
    let parts: Vec<&str> = owed.entry.progress_at(case.before).collect();
    let gone = |value: &&str| !case.standing.names(value);
    let severity = match (key.filter(gone), parts.iter().any(gone) || is_only_named(case, owed)) {
        (Some(_), _) => Severity::High,
        (None, true) => Severity::Medium,
        (None, false) => return None,
    };
    let mention = Mention::of(case, owed);
    Some(Loss::altered(case, severity, mention.first()?))
}

/// Whether nobody knows whether it happened, nothing says that, and of the values that it was to set none stands: it can neither be
/// looked for nor done again as it was.
fn is_only_named(case: &Case<'_>, owed: &Owed) -> bool {
    let effect = owed.entry.action.as_ref().and_then(|action| action.effect);
    // A plain exit of something local that may be done again is left at that.
    let is_open = owed.entry.kind == EntryKind::Effect && owed.entry.weight_at(case.before) != Weight::Repair;
    if !is_open || effect != Some(EffectStatus::Unknown) || !changes_something(&owed.entry) {
        return false;
    }
    let names = names(owed, case.before);
    let mut own = own(&owed.entry.text).filter(|value| !names.iter().any(|name| name == value)).peekable();
    let is_told = || Mention::of(case, owed).tells(Status::Unknown).is_some();
    own.peek().is_some() && own.all(|value| !case.page().names(value)) && !is_told()
}

/// The values of which only the shortened form, or a part, is left.
pub(super) fn values(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let bindings = severed_by(case.lane, case.row, &|value| case.page().names(value));
    let found = bindings.iter().filter_map(|binding| {
        let loss = Loss { severity: severity(case, binding)?, fate: Fate::Missing, after: named(case, binding) };
        Some(Finding::of_loss(FindingClass::BindingSevered, loss, binding))
    });
    found.collect()
}

/// What it can cost; none where nothing relies on it, and nobody looked for it in vain.
fn severity(case: &Case<'_>, binding: &Entry) -> Option<Severity> {
    let is_kept = binding.evidence.len() > 1;
    let is_used = binding.edges.iter().any(|edge| matches!(edge.kind, EdgeKind::Shortens | EdgeKind::Uses));
    match (is_kept, is_used) {
        (true, _) => Some(Severity::Medium),
        (false, true) => Some(Severity::Low),
        (false, false) => is_missed(case, binding).then_some(Severity::Low),
    }
}

/// Whether a call after the boundary named the value for short, and failed.
fn is_missed(case: &Case<'_>, binding: &Entry) -> bool {
    shortened(binding).is_some_and(|(short, full)| case.calls_after().any(|call| is_in_vain(call, short, full)))
}

/// Whether a call names a value for short, not in any fuller form, and failed.
pub(in crate::audit) fn is_in_vain(call: &CallRow, short: &str, full: &str) -> bool {
    let fuller = ends(full).next().unwrap_or(full);
    let is_failed = call.ended().is_some_and(|end| end.how.is_in_vain());
    is_failed && !call.input.contains(fuller) && (stands_whole(&call.input, short) || is_begun(&call.input, full))
}

/// A commit or an id is called by no fewer digits.
const DIGITS: usize = 5;

/// Whether a text has a word with which a commit or an id begins.
fn is_begun(text: &str, full: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= DIGITS && word.len() < full.len());
    words.any(|word| full.starts_with(word) && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The short form of a value and the full one.
pub(in crate::audit) fn shortened(binding: &Entry) -> Option<(&str, &str)> {
    binding.line_text.split_once(" is ").filter(|_| &*binding.rule == "shortened")
}

/// Where it is named for short.
fn named(case: &Case<'_>, binding: &Entry) -> Option<Passage> {
    let (short, _) = shortened(binding)?;
    case.first_passage(|text| stands_whole(text, short))
}
