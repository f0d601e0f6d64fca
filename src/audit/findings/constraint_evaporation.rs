//! Constraint evaporation: a commitment that is not there at all ("the migration must remain reversible; do not drop columns" became
//! "user wants a database migration": essay 001; 11 of 122 public reports).
//!
//! High for a prohibition that holds on and for what was tagged; medium for other standing rules, orders and prohibitions; low for
//! what was asked once, and for what a long plan forbids along with its steps.

use super::Loss;
use super::confirmation_collapse::is_begun;
use crate::audit::case::{Case, HARDLY, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::audit::values::is_name;
use crate::evidence::{Contrast, Ends, Force, Kept, Words};
use crate::ledger::entry::{Entry, EntryKind, Scope};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_untold() || !owed.entry.kind.is_commitment() || case.is_unobserved() || points(case, owed) {
        return None;
    }
    if owed.is_foreign {
        return names_nothing(case, owed).then(|| Loss::missing(severity(case, owed)));
    }
    if let Some(saying) = contradiction(case, owed) {
        return Some(Loss::contradicted(case, severity(case, owed), saying));
    }
    is_gone(case, owed).then(|| Loss::missing(severity(case, owed)))
}

/// Whether what it is about stands in the sentence before it, and too little in itself ("it serves as the baseline"), or nothing that
/// binds ("that treats a missing file as a match").
fn points(case: &Case<'_>, owed: &Owed) -> bool {
    let is_bare = owed.words.len() <= SHORT || (owed.claim.force != Force::Strong && owed.entry.scope == Scope::OneShot);
    is_bare && owed.words.begin_with_pronoun(case.phrasebook) && !owed.forbids()
}

/// Whether nothing states it any more.
pub(super) fn is_gone(case: &Case<'_>, owed: &Owed) -> bool {
    let ends = owed.ends(case.phrasebook);
    let orders = ends.is_some();
    // Each of its ends may be an entry of its own, which its words say better.
    let is_in_order = |ends: &Ends| {
        let kept = |saying: Saying<'_>| ends.in_words(&saying.sentence.words, case.phrasebook) == Kept::InOrder;
        case.saying_of(&owed.words).any(kept)
    };
    // "The one, and not the other" is told by both of them.
    let contrast = Contrast::of(&owed.words, case.phrasebook);
    let contrasts = |saying: &Saying<'_>| {
        saying.share >= SAID && contrast.as_ref().is_some_and(|contrast| contrast.is_told_in(&saying.sentence.words))
    };
    let is_said = |saying: Saying<'_>| {
        if owed.forbids() && owed.claim.denies && !contrasts(&saying) {
            // Of a short rule one word is much, if it is forbidden.
            let is_short = owed.words.len() <= SHORT && saying.precision >= BESIDE;
            return case.forbids_as(owed, &saying) && (saying.share >= HARDLY || is_short);
        }
        let is_order = || saying.share >= SURE || saying.sentence.words.are_ordered(case.phrasebook);
        saying.share >= HARDLY && (!orders || is_order())
    };
    // Beside a rule its words may say why it holds, which nobody need tell again.
    let is_stated =
        |rule: &Words| rule.len() >= 2 && case.saying_of(rule).any(|saying| case.forbids_as(owed, &saying) && saying.share > SAID);
    let forbidden = || owed.ruling().forbidden(case.phrasebook);
    let is_ruled = || owed.forbids() && (is_stated(owed.ruling()) || forbidden().is_some_and(|rule| is_stated(&rule)));
    !case.said(owed).any(is_said) && !is_ruled() && !ends.as_ref().is_some_and(is_in_order)
}

/// Whether none of the names in it stands anywhere: those are the same in every language.
fn names_nothing(case: &Case<'_>, owed: &Owed) -> bool {
    let mut names = owed.entry.names_at(case.before).filter(|name| is_name(name)).peekable();
    names.peek().is_some() && names.all(|name| !case.standing.names(name))
}

/// So little else may stand beside it.
const BESIDE: f64 = 0.2;

/// A rule about no more things than this is short.
const SHORT: usize = 3;

/// So much of an order says it, whatever orders it.
const SURE: f64 = 0.75;

/// What was to be done is forbidden now.
fn contradiction<'c>(case: &'c Case<'_>, owed: &'c Owed) -> Option<Saying<'c>> {
    if owed.claim.denies {
        return None;
    }
    let turned = |saying: &Saying<'_>| {
        saying.recall >= 0.8
            && saying.precision >= 0.6
            && saying.clause.claim.denies
            && !saying.clause.claim.is_scoped
            && saying.clause.claim.status.is_none()
    };
    let found = case.said(owed).find(turned)?;
    let kept = case.said(owed).any(|saying| saying.share >= SAID && !saying.clause.claim.denies);
    (!kept).then_some(found)
}

fn severity(case: &Case<'_>, owed: &Owed) -> Severity {
    let stands_on = owed.entry.scope == Scope::Standing;
    match owed.entry.kind {
        _ if owed.is_explicit() => Severity::High,
        // "Most callers don't use it" tells of a fault, if anything.
        EntryKind::Prohibition if stands_on && owed.claim.denies && !owed.words.forbid(case.phrasebook) => Severity::Medium,
        EntryKind::Prohibition if stands_on => Severity::High,
        EntryKind::Prohibition if is_of_plan(case, owed) => Severity::Low,
        // Of two deeds in their order both may be done.
        EntryKind::Ordering if !stands_on && is_begun(case, owed) => Severity::Low,
        EntryKind::Prohibition | EntryKind::Ordering => Severity::Medium,
        // What may be done and is not costs little.
        _ if owed.words.permit(case.phrasebook) && !owed.claim.denies => Severity::Low,
        _ if stands_on => Severity::Medium,
        _ => Severity::Low,
    }
}

/// Whether it was lifted out of a long prompt, with which it is over.
fn is_of_plan(case: &Case<'_>, owed: &Owed) -> bool {
    let mut beside = case.known().filter(|entry| entry.opened.event == owed.entry.opened.event);
    beside.any(|entry| &*entry.rule == Entry::OF_LONG_PROMPT)
}
