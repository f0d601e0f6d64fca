//! Something that was never done, and the claim that it was.
//!
//! Source: essay 000, "Confirmation collapse"; incidents "confirmation collapse" and "plan/todo loss".

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::ledger::entry::{Entry, EntryKind, Scope};
use crate::ledger::rows::CallRow;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let (Some(entry), Some(end)) = (finding.entry.as_ref().filter(|entry| is_owed(finding, entry)), later.end()) else {
        return Vec::new();
    };
    let speaks = Speaks::of(&entry.text, &entry.identifiers, later.words);
    let does = |call: &CallRow| match &entry.action {
        Some(action) => call.action == action.action || (call.intent == action.intent && call.target == action.target),
        None => speaks.is_done_by(call),
    };
    // What no call does but others end: the ledger has seen whether it ended.
    let is_ended_only =
        matches!(entry.kind, EntryKind::Unverified | EntryKind::Process | EntryKind::Transaction | EntryKind::Resource);
    let is_visible = is_ended_only || entry.action.is_some() || speaks.is_visible();
    let was_ended = entry.closed().is_some_and(|event| event > later.from);
    if !is_visible || was_ended || (!is_ended_only && later.calls().any(does)) {
        return Vec::new();
    }
    vec![later.at(end, ConsequenceClass::NeverPerformed)]
}

/// Whether a finding is about something that had still to be done.
fn is_owed(finding: &Finding, entry: &Entry) -> bool {
    match finding.class {
        FindingClass::ConfirmationCollapse | FindingClass::PromptLost => true,
        FindingClass::ObligationErased => {
            matches!(
                entry.kind,
                EntryKind::Task
                    | EntryKind::Unverified
                    | EntryKind::Call
                    | EntryKind::Retry
                    | EntryKind::Transaction
                    | EntryKind::Effect
            )
        }
        FindingClass::ConstraintEvaporation => {
            entry.kind != EntryKind::Prohibition
                && !matches!(entry.scope, Scope::Standing)
                && !matches!(entry.kind, EntryKind::Value)
        }
        _ => false,
    }
}
