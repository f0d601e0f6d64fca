//! Completion erasure: a committed effect that may not be repeated is gone, or listed as still to do; so it is done twice
//! (openclaw/openclaw#126707: the same message again in the same turn; 16 of 122 public reports). Essay 000 covers it only by its
//! clause "not idempotent".
//!
//! High where it is listed as still to do, and where many are told in a lump and one of them was done again: "all were answered" keeps
//! nobody from answering. Medium where nothing mentions it; low for a lump that cost nothing.

use super::Loss;
use crate::audit::case::{Case, Saying};
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::findings::identifier_drift;
use crate::audit::lists::is_one_list;
use crate::audit::mention::{self, Mention, names};
use crate::audit::owed::{Owed, is_word};
use crate::evidence::{Section, Status};
use crate::ledger::entry::EntryKind;

/// How much of what was done a pending item must say.
const SURE: f64 = 0.5;

/// So much of what was put in says what was done, and so much of a sentence must be from there where it shows no id.
const MOST: f64 = 0.6;
const OWN: f64 = 0.42;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.entry.kind != EntryKind::Done || owed.is_held {
        return None;
    }
    let mention = Mention::of(case, owed);
    // That another action was done says nothing of this one.
    let names = names(owed, case.before);
    let is_apart = |other: &Owed| !is_word(&other.entry) || names.iter().any(|name| other.entry.text.contains(name.as_str()));
    let told = mention.tells_apart(Status::Done, (case, owed), is_apart);
    // "Comment on issues briefly" below "Preferences" is how somebody wants it each time, and orders none.
    let is_rule = |saying: &Saying<'_>| saying.sentence.section == Section::Rules;
    let orders = |saying: &Saying<'_>| {
        let may_order = !matches!(saying.sentence.section, Section::Requests | Section::Quotes);
        let is_first = saying.clause.range.start == saying.sentence.range.start;
        let is_plain = !case.page().clauses_of(saying.sentence).iter().any(|clause| clause.claim.status.is_some());
        may_order
            && is_first
            && is_plain
            && saying.recall >= SURE
            && saying.clause.claim.status.is_none()
            && saying.clause.words.command(case.phrasebook)
    };
    let is_it = |saying: &Saying<'_>| {
        let is_known = mention::does(case, owed, saying.sentence) || mention::names_it_alone(case, owed, names, saying);
        is_known && !mention::names_another(case, owed, names, saying) && !mention::suits_another(case, owed, saying.sentence)
    };
    let is_shown = |saying: &Saying<'_>| {
        let text = case.page().text_of(saying.sentence);
        let is_of_result = |name: &&String| name.contains("://") && !owed.entry.text.contains(name.as_str());
        mention::shows_proof(case, owed, text) || names.iter().filter(is_of_result).any(|name| text.contains(name.as_str()))
    };
    let is_pending = |saying: &Saying<'_>| saying.recall >= SURE && is_it(saying) && !is_shown(saying);
    let pending = mention.telling(Status::Pending).find(is_pending);
    // "After the rollback the errors fell" says less of it than "next: roll orders-api back to revision 187".
    // "The user asked to create it" tells of what was.
    let is_better = |pending: Saying<'_>, told: Saying<'_>| {
        pending.shared > told.shared && !pending.sentence.words.report_a_will(case.phrasebook)
    };
    if told.is_some_and(|told| !pending.is_some_and(|pending| is_better(pending, told))) {
        return None;
    }
    let described = || {
        let is_pending = |saying: &Saying<'_>| case.status(saying.clause) == Some(Status::Pending);
        let mut found = mention::described(case, owed).filter(|_| !mention.is_there() && mention::is_nameless(case, owed));
        found.find(is_pending)
    };
    let orders = |saying: &Saying<'_>| orders(saying) && !mention::suits_another(case, owed, saying.sentence);
    let again = pending.or_else(|| mention.sayings().find(orders)).or_else(described).filter(|saying| !is_rule(saying));
    if let Some(saying) = again {
        return Some(Loss::contradicted(case, severity(case, owed, Severity::High), saying));
    }
    // What shows no id is told in the words of its input, if at all.
    let is_told = |saying: Saying<'_>| {
        let (share, status) = (saying.sentence.words.share_of(&owed.input), case.status(saying.clause));
        let is_most = share >= MOST && status != Some(Status::Pending);
        let is_some = status == Some(Status::Done) && (share >= SURE || owed.input.share_of(&saying.sentence.words) >= OWN);
        !is_rule(&saying) && (is_most || (is_some && mention::is_nameless(case, owed)))
    };
    let is_described = || mention::described(case, owed).any(is_told);
    // Who gives its number knows that it is there, whatever the heading.
    let is_gone = mention.sayings().all(|saying| is_rule(&saying) && !is_shown(&saying))
        && !case.is_unobserved()
        && !is_described()
        && identifier_drift::told_otherwise(case, owed).is_none();
    is_gone.then(|| Loss::missing(severity(case, owed, Severity::Medium)))
}

/// What a loss can cost: what was written to a file of this machine, the file shows.
fn severity(case: &Case<'_>, owed: &Owed, most: Severity) -> Severity {
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()));
    if call.is_some_and(|call| call.world.as_deref() == Some(FILES)) { Severity::Low } else { most }
}

/// The part of the world that files are.
pub(super) const FILES: &str = "file";

/// So many effects of one kind are a list.
const LIST: usize = 3;

/// The lists of effects that are told of together, by nothing by which one of them could be known.
pub(super) fn lumped(case: &Case<'_>) -> Vec<Finding> {
    let done: Vec<&Owed> = case.owed.iter().filter(|owed| owed.entry.kind == EntryKind::Done && !owed.is_held).collect();
    if done.len() < LIST || case.is_unobserved() {
        return Vec::new();
    }
    let mut lists: Vec<Vec<&Owed>> = Vec::new();
    for owed in done {
        match lists.iter_mut().find(|list| list.first().is_some_and(|first| is_one_list(&first.entry, &owed.entry))) {
            Some(list) => list.push(owed),
            None => lists.push(vec![owed]),
        }
    }
    lists.iter().filter(|list| list.len() >= LIST).filter_map(|list| lump(case, list)).collect()
}

fn lump(case: &Case<'_>, list: &[&Owed]) -> Option<Finding> {
    let names: Vec<&[String]> = list.iter().map(|owed| mention::names(owed, case.before)).collect();
    let is_own = |name: &&String| mention::is_proper(name) && names.iter().filter(|names| names.contains(name)).count() == 1;
    let is_known = |names: &&[String]| {
        let mut own = names.iter().filter(is_own).peekable();
        own.peek().is_none() || own.any(|name| case.page().names(name))
    };
    let unknown: Vec<&Owed> = list.iter().zip(&names).filter(|(_, names)| !is_known(names)).map(|(owed, _)| *owed).collect();
    let told = unknown.iter().find_map(|owed| Mention::of(case, owed).tells(Status::Done));
    let (first, told) = (unknown.first().filter(|_| unknown.len() >= LIST)?, told?);
    let is_again =
        |owed: &&&Owed| owed.entry.action.as_ref().is_some_and(|action| case.calls_after().any(|call| call.does(action)));
    let again = unknown.iter().find(is_again);
    let severity = if again.is_some() { Severity::High } else { Severity::Low };
    let loss = Loss { severity, fate: Fate::Altered, after: case.passage(told.sentence) };
    Some(Finding::of_loss(FindingClass::CompletionErasure, loss, &again.unwrap_or(first).entry))
}
