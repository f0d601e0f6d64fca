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
    if owed.is_held {
        return None;
    }
    match owed.entry.kind {
        Task if owed.entry.status_at(case.before) != Some(EntryStatus::Claimed) => {
            Some(Loss::contradicted(case, Severity::Medium, told_done(case, owed)?))
        }
        Call if changes_something(&owed.entry) => action(case, owed, cost(&owed.entry)),
        Process | Resource | Transaction => action(case, owed, Severity::Medium).filter(|_| is_told_ended(case, owed)),
        Unverified => action(case, owed, Severity::Low).filter(|_| is_told_checked(case, owed)),
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
    let is_told = |saying: &Saying<'_>| {
        let is_speech =
            saying.sentence.section == Section::Quotes || case.page().text_of(saying.sentence).contains(['"', '\u{201C}']);
        saying.share >= SAID && !is_speech
    };
    for saying in case.said(owed).filter(is_told) {
        let clauses = saying.sentence.clauses.clone().filter_map(|n| case.page().clause_at(n));
        let is_open = |status| matches!(status, Some(Status::Pending | Status::Unknown | Status::Failed));
        if is_open(case.status(saying.clause)) || clauses.into_iter().any(|clause| is_open(clause.claim.status)) {
            return None;
        }
        let is_done = saying.clause.claim.status == Some(Status::Done)
            || (saying.clause.claim.status.is_none() && saying.sentence.words.tell_done(&owed.words, case.phrasebook))
            || (saying.sentence.section == Section::Done && case.status(saying.clause) == Some(Status::Done));
        if is_done && saying.share >= SURE {
            done = done.or(Some(saying));
        }
    }
    done
}

fn action(case: &Case<'_>, owed: &Owed, severity: Severity) -> Option<Loss> {
    let mention = Mention::of(case, owed);
    let is_open = [Status::Unknown, Status::Pending, Status::Failed].into_iter().any(|status| mention.tells(status).is_some());
    let done = mention.tells(Status::Done).filter(|_| !is_open)?;
    Some(Loss::contradicted(case, severity, done))
}

/// Whether a sentence about unchecked work says that it was checked, and not only that it was written.
fn is_told_checked(case: &Case<'_>, owed: &Owed) -> bool {
    let mention = Mention::of(case, owed);
    mention.sentences().any(|sentence| sentence.words.tell_a_check(case.phrasebook))
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
    let touches = |call: &CallRow| {
        let is_named = |name: &&str| call.input.contains(*name) || call.label.contains(*name);
        changes(call, case) && (names.is_empty() || names.iter().any(is_named))
    };
    let opened = owed.entry.opened.event;
    case.lane.calls.iter().rev().take_while(|call| call.event > opened).any(|call| call.event <= case.before && touches(call))
}

fn changes(call: &CallRow, case: &Case<'_>) -> bool {
    let effect = call.end_at(case.before).and_then(|end| end.effect);
    !matches!(call.class, Class::Read | Class::Check | Class::Control) && effect != Some(EffectStatus::NotStarted)
}
