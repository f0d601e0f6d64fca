//! Confirmation collapse: open or not started before, "done" after. The summariser reads completion off the plan's shape, and what was
//! owed is never done (essay 000, "What Was Observed"; incidents: tamaratran/fast-jev-compaction#65).
//!
//! High where the action leaves the machine or may not be done twice; low for work that is only not checked; medium otherwise.

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::evidence::{Section, Status};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{EntryKind, EntryStatus, Scope};
use crate::ledger::rows::CallRow;

/// How much of a task a clause must say to have said that it is done.
const SURE: f64 = 0.6;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    use EntryKind::{Call, Process, Resource, Task, Transaction, Unverified};
    match owed.entry.kind {
        kind if owed.is_held && !kind.is_commitment() && kind != Unverified => None,
        Task if owed.entry.status_at(case.before) != Some(EntryStatus::Claimed) => {
            Some(Loss::contradicted(case, Severity::Medium, told_done(case, owed)?))
        }
        Call if changes_something(&owed.entry) => action(case, owed, cost(&owed.entry)),
        Process | Resource | Transaction => action(case, owed, Severity::Medium).filter(|_| is_told_ended(case, owed)),
        Unverified => Some(Loss::contradicted(case, Severity::Low, told_checked(case, owed)?)),
        kind if kind.is_commitment() && owed.entry.scope == Scope::OneShot && !owed.claim.tells_past && !is_begun(case, owed) => {
            Some(Loss::contradicted(case, Severity::Medium, told_done(case, owed)?))
        }
        _ => None,
    }
}

/// The clause that says that something asked for or promised is done, where none says otherwise.
fn told_done<'c>(case: &'c Case<'_>, owed: &'c Owed) -> Option<Saying<'c>> {
    if owed.is_vague() {
        return None;
    }
    let mut done: Option<Saying<'_>> = None;
    let mut open = 0.0_f64;
    let is_told = |saying: &Saying<'_>| {
        let is_speech =
            saying.sentence.section == Section::Quotes || case.page().text_of(saying.sentence).contains(['"', '\u{201C}']);
        saying.share >= SAID && !is_speech
    };
    for saying in case.said(owed).filter(is_told) {
        let clauses = saying.sentence.clauses.clone().filter_map(|n| case.page().clause_at(n));
        let is_open = |status| matches!(status, Some(Status::Pending | Status::Unknown | Status::Failed));
        if is_open(case.status(saying.clause)) || clauses.into_iter().any(|clause| is_open(clause.claim.status)) {
            open = open.max(saying.share);
            continue;
        }
        let is_done = saying.clause.claim.status == Some(Status::Done)
            || (saying.clause.claim.status.is_none() && saying.sentence.words.tell_done(&owed.words, case.phrasebook))
            || (saying.sentence.section == Section::Done && case.status(saying.clause) == Some(Status::Done));
        let asks = saying.sentence.words.ask(&owed.words, case.phrasebook);
        let says_only_that = saying.clause.claim.tells_past && !saying.clause.claim.denies && !asks && saying.precision >= SURE;
        if (is_done || says_only_that) && saying.recall >= SURE && done.is_none_or(|done| saying.share > done.share) {
            done = Some(saying);
        }
    }
    // What says better that it is open is to be believed.
    done.filter(|done| done.share > open)
}

fn action(case: &Case<'_>, owed: &Owed, severity: Severity) -> Option<Loss> {
    let mention = Mention::of(case, owed);
    let is_open = [Status::Unknown, Status::Pending, Status::Failed].into_iter().any(|status| mention.tells(status).is_some());
    let done = mention.tells(Status::Done).filter(|_| !is_open)?;
    Some(Loss::contradicted(case, severity, done))
}

/// The sentence about unchecked work that says that it was checked, and not only that it was written, where none says that it was not.
fn told_checked<'c>(case: &'c Case<'_>, owed: &'c Owed) -> Option<Saying<'c>> {
    let mut done = None;
    let of_checks = |saying: &Saying<'_>| saying.sentence.words.tell_a_check(case.phrasebook);
    for saying in Mention::of(case, owed).sayings().filter(of_checks) {
        match case.status(saying.clause) {
            Some(Status::Done) => done = done.or(Some(saying)),
            Some(_) => return None,
            None => {}
        }
    }
    done
}

/// Whether a clause says of what runs that it has ended: that it was started is no end.
fn is_told_ended(case: &Case<'_>, owed: &Owed) -> bool {
    let mention = Mention::of(case, owed);
    mention.clauses().any(|clause| clause.claim.status == Some(Status::Done))
}

/// Whether anything was done since that may be what was asked for: where it names something, what touched that; else whatever changes
/// the world.
fn is_begun(case: &Case<'_>, owed: &Owed) -> bool {
    let names: Vec<&str> = owed.entry.names_at(case.before).filter(|name| crate::audit::values::is_name(name)).collect();
    let is_named = |call: &CallRow, name: &str| call.input.contains(name) || call.label.contains(name);
    let opened = owed.entry.opened.event;
    let since = || {
        let calls = case.lane.calls.iter().rev().take_while(|call| call.event > opened);
        calls.filter(|call| call.event <= case.before && changes(call, case))
    };
    // Where it names several things, all of them.
    since().next().is_some() && names.iter().all(|name| since().any(|call| is_named(call, name)))
}

fn changes(call: &CallRow, case: &Case<'_>) -> bool {
    let effect = call.end_at(case.before).and_then(|end| end.effect);
    !matches!(call.class, Class::Read | Class::Check | Class::Control) && effect != Some(EffectStatus::NotStarted)
}
