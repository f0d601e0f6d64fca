//! Something that was never done.
//!
//! Source: essay 000, "Confirmation collapse"; incidents "confirmation collapse" and "plan/todo loss".

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Scope};
use crate::ledger::identifiers::exact_values;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let Some(end) = later.end() else { return Vec::new() };
    let is_open = match (&finding.entry, &finding.before) {
        (Some(entry), _) => is_owed(finding, entry) && !was_done(entry, later),
        (None, Some(prompt)) if finding.class == FindingClass::PromptLost => {
            asks(prompt, later) && is_left_undone(prompt, &exact_values(prompt), later)
        }
        _ => false,
    };
    if is_open { vec![later.at(end, ConsequenceClass::NeverPerformed)] } else { Vec::new() }
}

/// Whether a call did what an entry is about, or the ledger has seen it end; also where nobody can see it.
fn was_done(entry: &Entry, later: &Later<'_>) -> bool {
    // What was left behind, or only said to be done, was not done by that.
    let counts = matches!(
        entry.status(),
        EntryStatus::Discharged | EntryStatus::Reconciled | EntryStatus::Revoked | EntryStatus::Superseded
    );
    if counts && entry.closed().is_some_and(|event| event > later.from) {
        return true;
    }
    match (&entry.action, entry.kind) {
        // No call does these; others end them.
        (_, EntryKind::Unverified | EntryKind::Process | EntryKind::Transaction | EntryKind::Resource) => false,
        (Some(action), _) => later.calls().any(|call| call.does(action)),
        (None, _) => !is_left_undone(&entry.text, &entry.identifiers, later),
    }
}

/// Whether a call could show that it does what a text asks for, and none does.
fn is_left_undone(text: &str, names: &[String], later: &Later<'_>) -> bool {
    let speaks = Speaks::of(text, names, later.words);
    speaks.is_visible() && !later.calls().any(|call| speaks.is_done_by(call, later.shown))
}

/// Whether a prompt asks for something to be done, and does not only forbid.
fn asks(prompt: &str, later: &Later<'_>) -> bool {
    let mut own = later.live().iter().filter(|entry| prompt.contains(&*entry.text));
    own.any(|entry| matches!(entry.kind, EntryKind::Requirement | EntryKind::Ordering | EntryKind::Decision))
}

/// Whether a finding is about something that had still to be done.
fn is_owed(finding: &Finding, entry: &Entry) -> bool {
    match finding.class {
        FindingClass::ConfirmationCollapse | FindingClass::PromptLost => true,
        FindingClass::ObligationErased => matches!(
            entry.kind,
            EntryKind::Task
                | EntryKind::Unverified
                | EntryKind::Call
                | EntryKind::Retry
                | EntryKind::Transaction
                | EntryKind::Effect
        ),
        FindingClass::ConstraintEvaporation => {
            !matches!(entry.kind, EntryKind::Prohibition | EntryKind::Value) && entry.scope != Scope::Standing
        }
        _ => false,
    }
}
