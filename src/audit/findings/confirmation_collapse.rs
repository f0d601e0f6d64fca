//! Confirmation collapse: open or not started before, "done" after. The summariser reads completion off the plan's shape, and what was
//! owed is never done (essay 000, "What Was Observed"; incidents: tamaratran/fast-jev-compaction#65).
//!
//! High where the action leaves the machine or may not be done twice; low for work that is only not checked; medium otherwise.

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::evidence::{Clause, Section, Status};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{EntryKind, EntryStatus, Scope};
use crate::ledger::rows::{CallRow, EndHow};

/// How much of a task a clause must say to have said that it is done.
const SURE: f64 = 0.6;

/// And nothing else.
const ALL: f64 = 0.99;

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
        kind if kind.is_commitment() && owed.entry.scope == Scope::OneShot && asks(owed) && !is_begun(case, owed) => {
            Some(Loss::contradicted(case, Severity::Medium, told_done(case, owed)?))
        }
        _ => None,
    }
}

/// Whether an entry asks for something, and does not tell of it.
fn asks(owed: &Owed) -> bool {
    owed.words.begin_as_order() || !owed.claim.tells_past
}

/// The clause that says that something asked for or promised is done, where none says otherwise.
fn told_done<'c>(case: &'c Case<'_>, owed: &'c Owed) -> Option<Saying<'c>> {
    if owed.is_vague() {
        return None;
    }
    let mut done: Option<Saying<'_>> = None;
    let mut open = 0.0_f64;
    let is_told = |saying: &Saying<'_>| {
        let is_marked = case.page().text_of(saying.sentence).contains(['"', '\u{201C}']);
        let is_quoted = is_marked && saying.sentence.words.reports(case.phrasebook);
        saying.share >= SAID && saying.sentence.section != Section::Quotes && !is_quoted
    };
    for saying in case.said(owed).filter(is_told) {
        // "Find out why it failed" says nothing of how far that has come, nor does what repeats it.
        let is_own =
            |status: Option<Status>| status == owed.claim.status && matches!(status, Some(Status::Unknown | Status::Failed));
        let is_open =
            |status: Option<Status>| matches!(status, Some(Status::Pending | Status::Unknown | Status::Failed)) && !is_own(status);
        // "The service is deployed; now free the node": the rest is still an order.
        let orders_on = |clause: &Clause| clause.range.start > saying.sentence.range.start && clause.words.order_on(&owed.words);
        let is_left = |clause: &Clause| is_open(clause.claim.status) || (clause.claim.status.is_none() && orders_on(clause));
        if is_open(case.status(saying.clause)) || case.page().clauses_of(saying.sentence).iter().any(is_left) {
            // What another one says of itself leaves this one as it is.
            open = open.max(if case.other(owed, &saying).is_some() { 0.0 } else { saying.share });
            continue;
        }
        let is_done = saying.clause.claim.status == Some(Status::Done)
            || ((saying.clause.claim.status.is_none() || is_own(saying.clause.claim.status))
                && saying.sentence.words.tell_done(&owed.words, case.phrasebook))
            || (saying.sentence.section == Section::Done && case.status(saying.clause) == Some(Status::Done));
        let asks = saying.sentence.words.ask(&owed.words, case.phrasebook);
        let says_only_that = saying.clause.claim.tells_past && !saying.clause.claim.denies && !asks && saying.precision >= SURE;
        // "The list is in reports": said of what was to be made, that is a claim too.
        let is_placed =
            saying.clause.claim.status.is_none() && saying.precision >= SURE && saying.sentence.words.place(case.phrasebook);
        // Of a short item the rest is its label: "Tarball: done".
        let is_short = is_done && saying.precision >= ALL && saying.recall >= SAID;
        let is_told = (is_done || says_only_that || is_placed) && saying.recall >= SURE || is_short;
        if is_told && done.is_none_or(|done| saying.share > done.share) {
            done = Some(saying);
        }
    }
    // What says better that it is open is to be believed.
    done.filter(|done| done.share > open)
}

fn action(case: &Case<'_>, owed: &Owed, severity: Severity) -> Option<Loss> {
    let mention = Mention::of(case, owed);
    let open = [Status::Unknown, Status::Pending, Status::Failed];
    let done = mention.tells_apart(Status::Done, (case, owed), |_| false)?;
    // What names more of it is about it rather.
    let open = open.into_iter().filter_map(|status| mention.tells_apart(status, (case, owed), |_| true));
    if open.into_iter().any(|saying| saying.shared >= done.shared) {
        return None;
    }
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
    // A rebase that was begun is open, and "was rebased" says that it is over.
    let is_over = |clause: &Clause| owed.entry.kind == EntryKind::Transaction && clause.claim.tells_past && !clause.claim.denies;
    mention.clauses().any(|clause| clause.claim.status == Some(Status::Done) || is_over(clause))
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
    let end = call.end_at(case.before);
    let has_failed = end.is_some_and(|end| end.effect == Some(EffectStatus::NotStarted) || matches!(end.how, EndHow::Failed(_)));
    !matches!(call.class, Class::Read | Class::Check | Class::Control) && !has_failed
}
