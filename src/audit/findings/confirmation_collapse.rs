//! Confirmation collapse: open or not started before, "done" after. The summariser reads completion off the plan's shape, and what was
//! owed is never done (essay 000, "What Was Observed"; incidents: tamaratran/fast-jev-compaction#65).
//!
//! High where the action leaves the machine or may not be done twice; low for work that is only not checked; medium otherwise.

use std::sync::Arc;

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::deeds;
use crate::audit::finding::Severity;
use crate::audit::mention::{self, Mention, is_proper};
use crate::audit::owed::Owed;
use crate::base::text::prefix;
use crate::evidence::{Clause, Contrast, Force, Kept, Phrasebook, Section, Status, Words};
use crate::ledger::Milestone;
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Scope};
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
            let done = told_done(case, owed).filter(|_| !deeds::was_done(case, owed))?;
            Some(Loss::contradicted(case, Severity::Medium, done))
        }
        Call if changes_something(&owed.entry) => action(case, owed, cost(&owed.entry)),
        Process | Resource | Transaction => action(case, owed, Severity::Medium).filter(|_| is_told_ended(case, owed)),
        Unverified => {
            let milestone = Milestone::of(&owed.entry)?;
            // What is not recorded is lost with the folder, and what was not checked shows itself.
            let severity = if milestone == Milestone::Check { Severity::Low } else { Severity::Medium };
            Some(Loss::contradicted(case, severity, told_verified(case, owed, milestone)?))
        }
        kind if kind.is_commitment() && is_to_do(owed) && asks(owed, case.phrasebook) => {
            let ends = owed.ends(case.phrasebook);
            let turned = |done: &Saying<'_>| {
                ends.as_ref().is_some_and(|ends| ends.in_words(&done.sentence.words, case.phrasebook) == Kept::Turned)
            };
            let done = told_done(case, owed).filter(|done| !turned(done) && !is_begun(case, owed))?;
            Some(Loss::contradicted(case, Severity::Medium, done))
        }
        _ => None,
    }
}

/// Whether an entry is over when it was done: what was asked for once, and two deeds in their order.
fn is_to_do(owed: &Owed) -> bool {
    let orders = owed.entry.kind == EntryKind::Ordering && !owed.claim.is_general && !owed.claim.denies;
    owed.entry.scope == Scope::OneShot || orders
}

/// Whether an entry asks for something, and does not tell of it, nor of what was decided.
fn asks(owed: &Owed, phrasebook: &Phrasebook) -> bool {
    let tells = owed.entry.kind == EntryKind::Decision && owed.words.reports(phrasebook);
    let is_weak = owed.claim.force == Force::Weak && owed.claim.status.is_none();
    let permits = (is_weak || owed.words.permit(phrasebook)) && !owed.words.begin_as_order();
    !tells && !permits && (owed.words.begin_as_order() || !owed.claim.tells_past || owed.claim.status == Some(Status::Pending))
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
    for saying in case.said(owed).filter(is_told).filter(|saying| !restates(case, owed, saying)) {
        // "Find out why it failed" says nothing of how far that has come, nor does what repeats it.
        let is_own =
            |status: Option<Status>| status == owed.claim.status && matches!(status, Some(Status::Unknown | Status::Failed));
        let is_open =
            |status: Option<Status>| matches!(status, Some(Status::Pending | Status::Unknown | Status::Failed)) && !is_own(status);
        // "The service is deployed; now free the node": the rest is still an order.
        let orders_on = |clause: &Clause| clause.range.start > saying.sentence.range.start && clause.words.order_on(&owed.words);
        let is_left = |n: usize| {
            case.page().clause_at(n).is_some_and(|clause| {
                let status = clause.claim.status;
                is_open(status) || (status.is_none() && !case.page().is_in_brackets(n) && orders_on(clause))
            })
        };
        // "The list is in reports": said of what was to be made, that is a claim too, whatever its heading says.
        let is_placed =
            saying.clause.claim.status.is_none() && saying.precision >= SURE && saying.sentence.words.place(case.phrasebook);
        if (is_open(case.status(saying.clause)) && !is_placed) || saying.sentence.clauses.clone().any(is_left) {
            // What another one says of itself leaves this one as it is.
            open = open.max(if case.other(owed, &saying).is_some() { 0.0 } else { saying.share });
            continue;
        }
        let is_done = saying.clause.claim.status == Some(Status::Done)
            || saying.clause.is_answered
            || (saying.clause.claim.status.is_none() && saying.clause.words.tell_of(&owed.words, case.phrasebook))
            || ((saying.clause.claim.status.is_none() || is_own(saying.clause.claim.status))
                && saying.sentence.words.tell_done(&owed.words, case.phrasebook))
            || (saying.sentence.section == Section::Done && case.status(saying.clause) == Some(Status::Done));
        let asks = saying.sentence.words.ask(&owed.words, case.phrasebook);
        let says_only_that = saying.clause.claim.tells_past && !saying.clause.claim.denies && !asks && saying.precision >= SURE;
        // Of a short item the rest is its label: "Tarball: done".
        let is_short = is_done && saying.precision >= ALL && saying.recall >= SAID;
        // What is put in brackets belongs to what stands before it; and where each clause tells of a deed, the sentence tells of all.
        let is_whole = saying.sentence.clauses.clone().any(|clause| case.page().is_in_brackets(clause))
            || case.page().clauses_of(saying.sentence).iter().all(|clause| is_deed(clause) || clause.words.place(case.phrasebook));
        let recall = if is_whole { saying.share } else { saying.recall };
        let is_told = (is_done || says_only_that || is_placed) && recall >= SURE || is_short;
        if is_told && done.is_none_or(|done| saying.share > done.share) {
            done = Some(saying);
        }
    }
    // What says better that it is open is to be believed.
    done.filter(|done| done.share > open)
}

/// Whether a sentence rules what an entry does, and tells of nothing done: that the one has to be there before the other, or both sides
/// of a contrast.
fn restates(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let words = &saying.sentence.words;
    let clauses = || case.page().clauses_of(saying.sentence).iter();
    // "Once the rate has stayed low: first scale it back" orders what it orders.
    let tells = || clauses().any(is_deed) && !clauses().any(|clause| clause.words.begin_as_order());
    let rules = words.bind(case.phrasebook) || words.need(case.phrasebook) || words.exclude(case.phrasebook) || !tells();
    let contrast = |words: &Words| Contrast::of(words, case.phrasebook);
    let contrasts = || contrast(&owed.words).zip(contrast(words)).is_some_and(|(own, other)| !own.is_turned_in(&other));
    // "The reader is addressed as X, not Y" is how it is to be.
    let bars = || owed.claim.denies && saying.clause.claim.denies && saying.clause.claim.status.is_none();
    (rules && case.gates_as(owed, saying)) || contrasts() || (bars() && saying.sentence.section != Section::Done)
}

/// Whether a clause tells of something done.
fn is_deed(clause: &Clause) -> bool {
    clause.claim.status == Some(Status::Done) || (clause.claim.status.is_none() && clause.claim.tells_past && !clause.claim.denies)
}

fn action(case: &Case<'_>, owed: &Owed, severity: Severity) -> Option<Loss> {
    let mention = Mention::of(case, owed);
    let open = [Status::Unknown, Status::Pending, Status::Failed];
    let names = mention::names(owed, case.before);
    // What runs is known by what it does, and what it was given has more done to it.
    let is_known = |done: &Saying<'_>| {
        owed.entry.kind != EntryKind::Process
            || mention::does(case, owed, done.sentence)
            || mention::names_it_alone(case, owed, names, done)
    };
    let is_it = |done: &Saying<'_>| is_known(done) && !mention::names_another(case, owed, names, done);
    let mut told = mention.telling(Status::Done).filter(|done| done.recall > 0.0);
    // A job is told of in many sentences; of a call, the first that says it was done decides.
    let done = if owed.entry.kind == EntryKind::Process { told.find(is_it)? } else { told.next().filter(is_it)? };
    // What names more of it is about it rather.
    let open = open.into_iter().filter_map(|status| mention.tells_apart(status, (case, owed), |_| true));
    // What a call of no result is told as twice, done and failed, is no clear "done".
    let is_call = owed.entry.kind == EntryKind::Call;
    if open.into_iter().any(|saying| is_call || saying.shared >= done.shared) {
        return None;
    }
    Some(Loss::contradicted(case, severity, done))
}

/// The sentence about unverified work that says that what it waits for has come, and not only that it was written, where none says that
/// it has not: of what is not pushed that it was tested says nothing.
fn told_verified<'c>(case: &'c Case<'_>, owed: &'c Owed, milestone: Milestone) -> Option<Saying<'c>> {
    let mut done = None;
    let tells = |words: &Words| match milestone {
        Milestone::Check => words.tell_a_check(case.phrasebook),
        Milestone::Commit => words.tell_a_commit(case.phrasebook),
        Milestone::Push => words.tell_a_push(case.phrasebook),
    };
    for saying in Mention::of(case, owed).sayings().filter(|saying| tells(&saying.sentence.words)) {
        // "Written last, and neither built nor committed".
        let denies = |clause: &Clause| clause.claim.denies && tells(&clause.words);
        if case.page().clauses_of(saying.sentence).iter().any(denies) {
            return None;
        }
        // "CHANGELOG.md: entry committed": the file is the label.
        let is_told = || case.page().clauses_of(saying.sentence).iter().any(|clause| is_deed(clause) && tells(&clause.words));
        match case.status(saying.clause) {
            Some(Status::Done) => done = done.or(Some(saying)),
            Some(_) => return None,
            None if is_told() => done = done.or(Some(saying)),
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
    let is_stopped = |clause: &Clause| clause.words.tell_an_end(case.phrasebook) && case.status(clause) == Some(Status::Done);
    let mut clauses = mention.clauses();
    clauses.any(|clause| {
        clause.claim.status == Some(Status::Done) || is_over(clause) || is_stopped(clause) || is_over_behind(case, clause)
    })
}

/// Whether what goes on behind the brackets of a clause says that it is over: "the server (pid 4821) has been stopped".
fn is_over_behind(case: &Case<'_>, clause: &Clause) -> bool {
    case.page().behind_brackets(clause).is_some_and(|on| on.claim.status == Some(Status::Done))
}

/// Whether anything was done since that may be what was asked for: where it names something, what touched that; else whatever changes
/// the world, and of two deeds in their order as much as two. To edit a file sends nothing.
pub(super) fn is_begun(case: &Case<'_>, owed: &Owed) -> bool {
    let names: Vec<&str> = owed.entry.names_at(case.before).filter(|name| crate::audit::values::is_name(name)).collect();
    let is_named = |call: &CallRow, name: &str| call.input.contains(name) || call.label.contains(name);
    let (opened, leaves) = (owed.entry.opened.event, owed.words.send(case.phrasebook));
    let since = || {
        let calls = case.lane.calls.iter().rev().take_while(|call| call.event > opened);
        let may_be = |call: &&CallRow| changes(call, case) && !(leaves && call.class == Class::Write);
        calls.filter(|call| call.event <= case.before).filter(may_be)
    };
    let deeds = if owed.ends(case.phrasebook).is_some() { 2 } else { 1 };
    let may_be = |call: &&CallRow| match use_of(case, owed, call) {
        Use::Own => true,
        Use::Another => false,
        // Of two deeds in their order something has to tell, or have been edited; and what came back, or what the agent said of it,
        // speaks of what was asked for.
        Use::Unknown => {
            let is_told = || deeds::known(case, call).all(case, call).share_of(&owed.words) >= TOLD;
            (deeds == 1 || call.class == Class::Write) && is_told()
        }
    };
    let done: usize = since().filter(may_be).map(deeds_of).take(deeds).sum();
    // Where it names several things, all of them; what is written like a word ("TestFlight") a command may call otherwise.
    let mut exact = names.iter().filter(|name| is_proper(name));
    // A host is named by who looks at it afterwards; a file must have been written.
    let looks = || {
        let later = case.lane.calls.iter().rev().take_while(|call| call.event > opened);
        later.filter(|call| call.event <= case.before && call.end_at(case.before).is_some_and(|end| end.how == EndHow::Success))
    };
    let is_seen = |name: &str| !name.contains('/') && looks().any(|call| is_named(call, name));
    done >= deeds && exact.all(|name| since().any(|call| is_named(call, name)) || is_seen(name))
}

/// So much of what was asked for must be spoken of beside a call whose own words say nothing of it.
const TOLD: f64 = 0.3;

/// What a call was made for, as far as its words tell.
enum Use {
    /// What was asked for.
    Own,
    /// Something else that was asked for in the same breath, or later.
    Another,
    /// Nobody can say.
    Unknown,
}

fn use_of(case: &Case<'_>, owed: &Owed, call: &CallRow) -> Use {
    let words = case.readings.words_of(call, || words_of(call, case.phrasebook));
    let is_beside = |other: &&Arc<Entry>| {
        let is_word = other.kind.is_commitment() && !other.is_of_last_message();
        is_word && other.opened.event >= owed.entry.opened.event && other.id != owed.entry.id
    };
    let is_about = |asked: &Words| words.share_of(asked) > 0.0;
    let mut others = case.known().filter(is_beside);
    match () {
        () if is_about(&owed.words) => Use::Own,
        () if others.any(|other| is_about(&case.readings.of(other, case.phrasebook).words)) => Use::Another,
        () => Use::Unknown,
    }
}

/// What a call is about, as far as its words tell.
fn words_of(call: &CallRow, phrasebook: &Phrasebook) -> Words {
    let text = format!("{} {}", parted(prefix(&call.label, LOOKED_AT)), parted(prefix(&call.input, LOOKED_AT)));
    Words::of_action(&text, phrasebook)
}

/// Of a call so many bytes say what it is about.
const LOOKED_AT: usize = 300;

/// A text whose names are parted: `promoBanner` is about a banner.
fn parted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut is_small = false;
    for c in text.chars() {
        if is_small && c.is_uppercase() {
            out.push(' ');
        }
        is_small = c.is_lowercase();
        out.push(c);
    }
    out
}

/// How many things a call may have done: one line may run several commands.
fn deeds_of(call: &CallRow) -> usize {
    if ["\n", "&&", ";"].iter().any(|mark| call.label.contains(mark)) { 2 } else { 1 }
}

fn changes(call: &CallRow, case: &Case<'_>) -> bool {
    let end = call.end_at(case.before);
    let has_failed = end.is_some_and(|end| end.effect == Some(EffectStatus::NotStarted) || matches!(end.how, EndHow::Failed(_)));
    !matches!(call.class, Class::Read | Class::Check | Class::Control) && !has_failed
}
