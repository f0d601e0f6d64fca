//! The classes of finding, one file each. Of an entry the first class that applies is its one finding: the most specific stands first.

mod ambiguous_outcome;
mod authority_fabricated;
mod binding_severed;
mod boundary_unannounced;
mod commits_severed;
mod committed_value;
mod completion_erasure;
mod confirmation_collapse;
mod consent_dropped;
mod constraint_evaporation;
mod constraint_inflation;
mod identifier_drift;
mod listed_again;
mod made_general;
mod negation_loss;
mod obligation_erased;
mod ordering_flattening;
mod pairing_severed;
mod path_lost;
mod prompt_lost;
mod reference_severed;
mod stale_directive;
mod unseen_milestone;

use std::sync::Arc;

pub(super) use binding_severed::{is_in_vain, shortened};

use crate::audit::Passage;
use crate::audit::case::{Case, Saying};
use crate::audit::deeds;
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::ledger::effects::{Class, Idempotency};
use crate::ledger::entry::{EdgeKind, Entry};

/// What one class finds of an entry.
pub(super) struct Loss {
    /// What it can cost.
    pub(super) severity: Severity,
    /// What became of the entry.
    pub(super) fate: Fate,
    /// What stands instead.
    pub(super) after: Option<Passage>,
}

/// A class that looks at one entry.
type OfEntry = fn(&Case<'_>, &Owed) -> Option<Loss>;

/// A class that looks at the whole boundary.
type OfBoundary = fn(&Case<'_>) -> Vec<Finding>;

/// The classes that look at entries, the most specific first.
const OF_ENTRIES: &[(FindingClass, OfEntry)] = &[
    (FindingClass::ConfirmationCollapse, confirmation_collapse::find),
    (FindingClass::AmbiguousOutcomeErasure, ambiguous_outcome::find),
    (FindingClass::PairingSevered, pairing_severed::find),
    (FindingClass::CompletionErasure, completion_erasure::find),
    (FindingClass::NegationLoss, negation_loss::of_prohibition),
    (FindingClass::OrderingFlattening, consent_dropped::find),
    (FindingClass::OrderingFlattening, ordering_flattening::find),
    (FindingClass::NegationLoss, negation_loss::find),
    (FindingClass::ConstraintInflation, made_general::find),
    (FindingClass::IdentifierDrift, identifier_drift::find),
    (FindingClass::CommittedValueLoss, committed_value::find),
    (FindingClass::ObligationErased, obligation_erased::find),
    (FindingClass::BindingSevered, binding_severed::find),
    (FindingClass::ConstraintEvaporation, constraint_evaporation::find),
];

/// The classes that look at boundaries.
const OF_BOUNDARIES: &[OfBoundary] = &[
    pairing_severed::orphans,
    binding_severed::values,
    committed_value::settled,
    completion_erasure::lumped,
    listed_again::find,
    reference_severed::find,
    commits_severed::find,
    path_lost::find,
    prompt_lost::find,
    stale_directive::find,
    constraint_inflation::find,
    authority_fabricated::find,
    unseen_milestone::find,
    boundary_unannounced::find,
];

/// The one loss of an entry, if it has one.
pub(super) fn of_entry(case: &Case<'_>, owed: &Owed) -> Option<(FindingClass, Loss)> {
    if is_spent(case, owed) {
        return None;
    }
    OF_ENTRIES.iter().find_map(|(class, find)| Some((*class, find(case, owed)?)))
}

/// Whether an entry allowed what needs no leave any more: one deed that was done since, or what only an earlier word had forbidden.
fn is_spent(case: &Case<'_>, owed: &Owed) -> bool {
    let lifts = || owed.entry.edges_at(case.before).any(|edge| edge.kind == EdgeKind::Revokes);
    // "That and nothing else" is about one thing.
    let is_one = || !owed.claim.is_general || owed.words.exclude(case.phrasebook);
    let once = || owed.words.agree(case.phrasebook) && is_one() && deeds::was_used(case, owed);
    let allows = owed.words.permit(case.phrasebook) && !owed.claim.denies;
    owed.entry.kind.is_commitment() && ((allows && lifts()) || once())
}

/// What a boundary as a whole lost or made up.
pub(super) fn of_boundary(case: &Case<'_>) -> Vec<Finding> {
    OF_BOUNDARIES.iter().flat_map(|find| find(case)).collect()
}

/// What a masking hid.
pub(super) fn of_masking(case: &Case<'_>) -> Vec<Finding> {
    boundary_unannounced::find(case)
}

/// What a summary makes up: rules, approvals and orders that nobody gave.
pub(super) fn inventions(case: &Case<'_>) -> Vec<Finding> {
    [constraint_inflation::find, authority_fabricated::find].iter().flat_map(|find| find(case)).collect()
}

/// What a summary states as live and has ended.
pub(super) fn directives(case: &Case<'_>) -> Vec<Finding> {
    stale_directive::find(case)
}

impl Finding {
    /// The finding of an entry's loss.
    pub(super) fn of_loss(class: FindingClass, loss: Loss, entry: &Arc<Entry>) -> Self {
        let found = Self::new(class, loss.severity, loss.after);
        Self { entry: Some(Arc::clone(entry)), fate: Some(loss.fate), before: Some(told(entry)), ..found }
    }

    /// The finding of something that stands after a boundary and should not.
    pub(super) fn of_passage(class: FindingClass, severity: Severity, passage: Passage) -> Self {
        Self::new(class, severity, Some(passage))
    }

    /// A finding of which no more is known than what stands.
    fn new(class: FindingClass, severity: Severity, after: Option<Passage>) -> Self {
        Self {
            class,
            severity,
            entry: None,
            fate: None,
            before: None,
            after_event: after.as_ref().map(|passage| passage.event),
            after_line: after.as_ref().map(|passage| passage.line),
            after: after.map(|passage| passage.text),
            consequences: Vec::new(),
        }
    }
}

/// What an entry said: its words, or one line of its action.
fn told(entry: &Entry) -> String {
    if crate::audit::owed::is_word(entry) { entry.text.to_string() } else { entry.line_text.clone() }
}

impl Loss {
    /// Something stands for the entry, and not what it said.
    fn altered(case: &Case<'_>, severity: Severity, saying: Saying<'_>) -> Self {
        Self { severity, fate: Fate::Altered, after: case.passage(saying.sentence) }
    }

    /// The opposite stands.
    fn contradicted(case: &Case<'_>, severity: Severity, saying: Saying<'_>) -> Self {
        Self { fate: Fate::Contradicted, ..Self::altered(case, severity, saying) }
    }

    /// Nothing stands.
    fn missing(severity: Severity) -> Self {
        Self { severity, fate: Fate::Missing, after: None }
    }
}

/// Whether doing the action of an entry once too often, or never, can do harm that stays.
fn is_grave(entry: &Entry) -> bool {
    entry.action.as_ref().is_some_and(|action| {
        let may_be_repeated = action.class == Class::Create && action.idempotency == Idempotency::Idempotent;
        (matches!(action.class, Class::External | Class::Create) && !may_be_repeated)
            || action.idempotency == Idempotency::NotIdempotent
    })
}

/// Whether an action may change the world, so that it matters what came of it.
fn changes_something(entry: &Entry) -> bool {
    !entry.action.as_ref().is_some_and(|action| matches!(action.class, Class::Read | Class::Check | Class::Control))
}

/// What a loss of an action can cost.
fn cost(entry: &Entry) -> Severity {
    if is_grave(entry) { Severity::High } else { Severity::Medium }
}
