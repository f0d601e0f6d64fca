//! Stale directive: a request that was discharged, or lifted, comes back as live (anthropics/claude-code#85138: an old argument was
//! replayed and pushed, in the wrong repository; nine public reports).
//!
//! High where a prohibition that was lifted, or an order to do what leaves the machine, is back; medium otherwise.

mod lifted;

use std::sync::Arc;

use crate::audit::Passage;
use crate::audit::case::{Case, Saying};
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::{Owed, is_word};
use crate::audit::readings::Reading;
use crate::base::ids::{EntryId, EventIx};
use crate::evidence::{Clause, Section, Status, Words, stands_whole};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus};

/// How much of the old request a clause must say, and how little else.
const SURE: (f64, f64) = (0.75, 0.5);

/// The same where it has all of the exact values.
const NAMED: (f64, f64) = (0.6, 0.34);

/// So much of what settled by age, and so little else, a clause must say for it to come back.
const MOST: f64 = 0.75;
const ALONE: f64 = 0.6;

/// How much of what was to be done, beside what it names.
const DEED: f64 = 0.5;

/// How much of it a live entry must say, for it to be that one's.
const LIVES_ON: f64 = 0.6;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for entry in closed(case) {
        let reading = case.readings.of(entry, case.phrasebook);
        if reading.words.len() < 2 {
            continue;
        }
        let saying = match reading.lifts {
            true => lifted::comes_back(case, &reading.words),
            false if case.page().share_known(&reading.words) < NAMED.0 => None,
            false => case.saying_of(&reading.words).find(|saying| comes_back(case, entry, &reading, saying)),
        };
        let Some((saying, passage)) = saying.and_then(|saying| Some((saying, case.passage(saying.sentence)?))) else { continue };
        let is_told = found.iter().any(|finding| finding.after.as_deref() == Some(passage.text.as_str()));
        if !is_told && !lives_on(case, &saying, Some(entry.id).filter(|_| reading.lifts)) {
            found.push(finding(entry, passage));
        }
    }
    found
}

/// What had ended before the boundary, and stood in words; and what lifts, as long as it stands. How something ended in the messages that
/// stay, those tell themselves.
fn closed<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c Arc<Entry>> {
    let tail = EventIx(case.tail().0.saturating_sub(1));
    case.known().filter(move |entry| may_come_back(entry, tail, case))
}

fn may_come_back(entry: &Entry, at: EventIx, case: &Case<'_>) -> bool {
    use EntryStatus::{Discharged, Revoked, Settled, Superseded};
    let is_request = entry.kind.is_commitment() || matches!(entry.kind, EntryKind::Task | EntryKind::Question);
    let has_ended = |at| matches!(entry.status_at(at), Some(Discharged | Revoked | Superseded | Settled));
    let ended = has_ended(at) && has_ended(case.before);
    let lifts = || entry.kind.is_commitment() && case.readings.of(entry, case.phrasebook).lifts;
    // "How could we do it?" asks for words.
    let only_asks =
        || entry.text.trim_end().ends_with('?') && case.readings.of(entry, case.phrasebook).words.inquire(case.phrasebook);
    is_request && !entry.is_whole_text() && (ended || lifts()) && !only_asks()
}

/// Whether a clause states the old request as one that holds, or is still to do.
fn comes_back(case: &Case<'_>, entry: &Entry, reading: &Reading, saying: &Saying<'_>) -> bool {
    let precision = saying.precision.max(reading.words.share_of(&saying.sentence.words));
    let share = saying.share.max(saying.sentence.words.share_of(&reading.words));
    if share < NAMED.0 || precision < NAMED.1 {
        return false;
    }
    let sure = if names_all(case, entry, saying) { NAMED } else { SURE };
    // That it names the same things is not enough.
    let says_what = reading.deed.is_empty() || saying.sentence.words.share_of(&reading.deed) >= DEED;
    if !says_what || share < sure.0 || precision < sure.1 || (is_told(case, saying) && !is_wanted(case, entry, saying)) {
        return false;
    }
    // "Device registers as pending" is the name of a test, and says nothing of how far it has come.
    let status = case.status(saying.clause).filter(|status| Some(*status) != reading.claim.status);
    let is_pending = saying.sentence.section == Section::Pending && status == Some(Status::Pending);
    match entry.status_at(case.before) {
        // What settled by age may be pending all the same: only what orders it again, or lists it as still to do, brings it back.
        Some(EntryStatus::Settled) => {
            let is_ordered = || saying.sentence.section != Section::Requests && orders(case, &reading.words, saying);
            // "Its readings are to be ignored" tells how it should be, and of no deed that is left.
            let is_deed = entry.kind != EntryKind::Prohibition && reading.words.begin_as_order();
            let is_rest =
                is_deed || saying.sentence.section == Section::Pending || saying.sentence.words.tell_of_rest(case.phrasebook);
            let is_open = (status == Some(Status::Pending) && is_rest) || is_ordered() || is_left(case, saying);
            let says_it = sure == NAMED || (share >= MOST && precision >= ALONE);
            // What is under way need not have come back, and what holds in general was never to be done.
            let goes_on = saying.sentence.words.go_on(case.phrasebook);
            let holds_on = reading.claim.is_general && saying.clause.claim.is_general;
            says_it && is_open && !goes_on && !holds_on && !tells_done(case, saying) && !is_left_open(case, entry)
        }
        Some(EntryStatus::Discharged) => {
            let is_open = || !saying.clause.claim.tells_past || saying.sentence.words.begin_as_pending(case.phrasebook);
            let is_ban = entry.kind == EntryKind::Prohibition || entry.also.contains(&EntryKind::Prohibition);
            is_pending || (status == Some(Status::Pending) && is_open()) || (is_ban && is_rule(case, entry, saying))
        }
        _ => is_pending || is_rule(case, entry, saying),
    }
}

/// Whether a sentence has all of the exact values that an entry names, and it names some.
fn names_all(case: &Case<'_>, entry: &Entry, saying: &Saying<'_>) -> bool {
    let text = case.page().text_of(saying.sentence);
    let mut names = entry.names_at(case.before).peekable();
    names.peek().is_some() && names.all(|name| stands_whole(text, name))
}

/// Whether a sentence says that a human wants it now, and is no list of what was asked for at some time.
fn is_wanted(case: &Case<'_>, entry: &Entry, saying: &Saying<'_>) -> bool {
    let is_revoked = entry.status_at(case.before) == Some(EntryStatus::Revoked);
    let is_list = matches!(saying.sentence.section, Section::Requests | Section::Quotes);
    let wants = saying.sentence.words.want(case.phrasebook);
    wants && (is_revoked || (!is_list && !tells_done(case, saying)))
}

/// Whether the rest of a sentence says of what it is about that it is still to do: "this is pending".
fn is_left(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let says_so =
        |clause: &Clause| clause.claim.status == Some(Status::Pending) && clause.words.begin_with_pronoun(case.phrasebook);
    case.page().clauses_of(saying.sentence).iter().any(says_so)
}

/// Whether a clause of a sentence tells that something was done.
fn tells_done(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let is_done =
        |clause: &Clause| clause.claim.status == Some(Status::Done) || (clause.claim.tells_past && clause.claim.status.is_none());
    case.page().clauses_of(saying.sentence).iter().any(is_done)
}

/// Whether a sentence tells what was said at some time, and asks for nothing.
fn is_told(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let words = &saying.sentence.words;
    let is_marked = case.page().text_of(saying.sentence).contains('"');
    saying.sentence.section == Section::Quotes
        || is_marked
        || words.reports(case.phrasebook)
        || words.names_speaker(case.phrasebook)
}

/// Whether a clause orders what some words order: it begins with their verb, and tells of nothing done.
fn orders(case: &Case<'_>, words: &Words, saying: &Saying<'_>) -> bool {
    let is_told = |clause: &Clause| clause.claim.tells_past || clause.claim.status.is_some();
    !case.page().clauses_of(saying.sentence).iter().any(is_told)
        && saying.clause.words.begin_like(words)
        && !is_gerund(case.page().text_of_clause(saying.clause))
        && saying.clause.words.ask(words, case.phrasebook)
}

/// Whether a clause begins with a form that names what is done and orders nothing: "installing the driver".
fn is_gerund(clause: &str) -> bool {
    clause.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).is_some_and(|word| word.ends_with("ing"))
}

/// Whether something that was begun for it is still open: then it may well be still to do.
fn is_left_open(case: &Case<'_>, entry: &Entry) -> bool {
    let is_of_turn = |other: &Entry| other.opened.turn == entry.opened.turn;
    case.owed.iter().any(|owed| !is_word(&owed.entry) && owed.entry.kind != EntryKind::Done && is_of_turn(&owed.entry))
}

/// Whether a clause states a rule as one that is in force, with the polarity of the old one.
fn is_rule(case: &Case<'_>, entry: &Entry, saying: &Saying<'_>) -> bool {
    // "Nothing goes out until it was signed" lifts nothing.
    let claim = saying.clause.claim;
    let is_lifted = claim.tells_past && !(claim.denies && claim.is_scoped);
    let forbids = entry.kind == EntryKind::Prohibition || entry.also.contains(&EntryKind::Prohibition);
    !is_lifted && denies(case, saying) == forbids
}

/// Whether a clause denies, or what goes on with it does: "keep the names; they must not be translated".
fn denies(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let goes_on = |clause: &Clause| clause.claim.denies && clause.words.begin_with_pronoun(case.phrasebook);
    saying.clause.claim.denies || case.page().clauses_of(saying.sentence).iter().any(goes_on)
}

/// Whether something that is still owed says the same, other than what lifts it; and not the contrary.
fn lives_on(case: &Case<'_>, saying: &Saying<'_>, lifts: Option<EntryId>) -> bool {
    let denies = denies(case, saying);
    let says = |owed: &Owed| {
        let is_contrary = owed.entry.kind.is_commitment() && denies && !(owed.claim.denies || owed.forbids());
        !is_contrary && owed.words.share_of(&saying.clause.words) >= LIVES_ON
    };
    case.owed.iter().any(|owed| Some(owed.entry.id) != lifts && says(owed))
}

fn finding(entry: &Arc<Entry>, passage: Passage) -> Finding {
    let severity = match entry.kind {
        EntryKind::Prohibition => Severity::High,
        _ => Severity::Medium,
    };
    let found = Finding::of_passage(FindingClass::StaleDirective, severity, passage);
    Finding { entry: Some(Arc::clone(entry)), before: Some(entry.text.to_string()), ..found }
}
