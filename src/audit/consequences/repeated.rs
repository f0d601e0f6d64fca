//! The same action again, and work that was done again.
//!
//! Source: essay 000, "Ambiguous-outcome erasure" and "Negation loss"; essay 004, a tool call emitted twice; incidents "completion
//! erasure" (openclaw#126707, claude-code#90036).

use std::cell::OnceCell;
use std::sync::Arc;

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::consequences::unverified::looks_at;
use crate::audit::finding::{Finding, FindingClass};
use crate::audit::lists::is_one_list;
use crate::evidence::Words;
use crate::ledger::effects::Idempotency;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::CallRow;

/// More repetitions of one thing say nothing new.
const TOLD: usize = 3;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let Some(entry) = finding.entry.as_ref().filter(|entry| entry.action.is_some() || was_done(finding.class, entry.kind)) else {
        return Vec::new();
    };
    let speaks = OnceCell::new();
    let speaks = || speaks.get_or_init(|| Speaks::of(&entry.text, &entry.identifiers, later.words));
    let again =
        |call: &&CallRow| is_again(finding, entry, call, later, &speaks) && !later.is_ordered(call) && !later.reports_news(call);
    // Who looks first knows whether it is a repetition.
    let is_doubted = matches!(finding.class, FindingClass::AmbiguousOutcomeErasure | FindingClass::ObligationErased);
    let looked = |call: &&CallRow| is_doubted && entry.action.as_ref().is_some_and(|action| looks_at(call, action, later));
    let blind = || later.calls().take_while(|call| !looked(call)).filter(|call| call.class.has_effect());
    let told = blind().filter(again).take(TOLD);
    let again: Vec<Consequence> = told.map(|call| later.at(call.event, class(call))).collect();
    if !again.is_empty() || finding.class != FindingClass::StaleDirective || !lifts(entry, later) {
        return again;
    }
    // What is no longer needed is done for nothing.
    let in_vain = |call: &&CallRow| speaks().is_done_by(call, later.shown) && !later.is_ordered(call);
    blind().filter(in_vain).take(TOLD).map(|call| later.at(call.event, ConsequenceClass::WorkRedone)).collect()
}

/// Whether an entry takes something back.
fn lifts(entry: &Entry, later: &Later<'_>) -> bool {
    Words::of(&entry.text, later.phrasebook).lift(later.phrasebook)
}

fn class(call: &CallRow) -> ConsequenceClass {
    match call.idempotency {
        Idempotency::Idempotent => ConsequenceClass::WorkRedone,
        Idempotency::Unknown | Idempotency::NotIdempotent => ConsequenceClass::RepeatedAction,
    }
}

/// Whether a call does again what was lost; `speaks` is what its words speak of.
fn is_again<'s>(finding: &Finding, entry: &Entry, call: &CallRow, later: &Later<'_>, speaks: &dyn Fn() -> &'s Speaks<'s>) -> bool {
    if finding.class == FindingClass::StaleDirective && is_of_turn(entry, call, later) {
        return true;
    }
    if entry.action.is_some() {
        return later.does(call, entry) || (finding.class == FindingClass::CompletionErasure && is_of_its_list(entry, call, later));
    }
    later.was_done_alike(call) && speaks().is_done_by(call, later.shown)
}

/// Whether the words of an entry that was lost tell of something done before.
fn was_done(class: FindingClass, kind: EntryKind) -> bool {
    match class {
        FindingClass::CompletionErasure | FindingClass::StaleDirective => true,
        // "It already ran once": the words forbid what was done before.
        FindingClass::NegationLoss | FindingClass::ConstraintEvaporation => kind == EntryKind::Prohibition,
        _ => false,
    }
}

/// Whether a call does again what was done in the turn that had asked for it.
fn is_of_turn(entry: &Entry, call: &CallRow, later: &Later<'_>) -> bool {
    later.repeated_by(call).any(|earlier| later.turn(earlier.event) == entry.opened.turn)
}

/// Whether a call does again what another effect of the same list had done.
fn is_of_its_list(entry: &Entry, call: &CallRow, later: &Later<'_>) -> bool {
    let does = |other: &Arc<Entry>| is_one_list(entry, other) && other.action.as_ref().is_some_and(|action| call.does(action));
    later.live().iter().any(does)
}
