//! Constraint inflation, second kind: a rule that nobody gave (`incidents`: constraint inflation, two public reports).
//!
//! Medium: what may be done is not done.

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::audit::support::Support;
use crate::audit::values::is_name;
use crate::base::ids::EventIx;
use crate::evidence::{Claim, Clause, Ends, Force, Kept, Page, Section, Sentence, Status, Words, stands_whole};
use crate::ledger::identifiers::exact_values;
use crate::ledger::rows::EventKind;

/// A rule about less has no words enough that are new.
const LEAST: usize = 2;

/// The share of small words in English text.
const ENGLISH: f64 = 0.18;

/// So much of a text in another language is not held to what was said.
const ABROAD: f64 = 0.25;

/// So much of what a human wants to be asked about a sentence must say to be about it.
const ABOUT: f64 = 0.34;

/// So much of a rule says it again.
const MOST: f64 = 0.6;

/// How much of a rule its source must say.
const SOURCE: f64 = 0.5;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    // Of a summary in another language no word can be held to a human's.
    let english = [case.page().english(), case.humans.page.english()];
    if case.is_unobserved() || case.standing.abroad >= ABROAD || english.into_iter().any(|share| share < ENGLISH) {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for clause in case.page().clauses() {
        let Some(sentence) = case.page().sentence_at(clause.sentence) else { continue };
        if !is_from_summary(case, sentence) || !is_rule(case, sentence, clause) {
            continue;
        }
        // Under which condition it holds is told in many ways: "until the user gives the word".
        let core = clause.words.core(case.phrasebook);
        let is_new = || {
            let support = Support::of(case, &core, clause.sentence);
            let is_wider = || clause.claim.is_general && support.strange().0 > 0 && !is_general_in(case, &core);
            let is_strange = |support: &Support| support.is_strange() || support.is_half_strange();
            // With its condition it may be what somebody said all the same.
            let is_stranger = || is_strange(&support) && is_strange(&Support::of(case, &sentence.words, clause.sentence));
            core.len() >= LEAST && (is_stranger() || is_wider()) && !retells(case, sentence, clause)
        };
        if has_source(case, &core, clause) && !is_new() {
            continue;
        }
        if is_consent(case, sentence, clause) || is_found_out(case, sentence, &core) {
            continue;
        }
        let Some(passage) = case.passage(sentence) else { continue };
        if !found.iter().any(|finding| finding.after.as_deref() == Some(passage.text.as_str())) {
            found.push(Finding::of_passage(FindingClass::ConstraintInflation, Severity::Medium, passage));
        }
    }
    found
}

/// Whether a sentence is the summary's own: what the runtime attaches beside it has other sources.
pub(super) fn is_from_summary(case: &Case<'_>, sentence: &Sentence) -> bool {
    let piece = case.standing.pieces.get(sentence.text);
    piece.is_some_and(|piece| Some(piece.event) == case.row.summary) && !sentence.is_code && !sentence.is_heading
}

/// Whether a clause states a rule: below such a heading, of the human's, or as an order.
fn is_rule(case: &Case<'_>, sentence: &Sentence, clause: &Clause) -> bool {
    let (claim, words) = (clause.claim, &clause.words);
    let rules = words.rule(case.phrasebook);
    let binds = rules || claim.denies || claim.is_general || (claim.force == Force::Strong && words.bind(case.phrasebook));
    // "Must be" tells of a rule as well as of what is to be done, and "must be delivered" of nothing that was.
    let is_order = words.is_order(case.phrasebook);
    let is_pending = claim.status == Some(Status::Pending) && (claim.is_general || claim.force == Force::Strong || is_order);
    let is_of_runtime = || sentence.words.announce(case.phrasebook);
    // "May or may not have been sent" allows nothing.
    if claim.status == Some(Status::Unknown)
        || !binds
        || (claim.status.is_some() && !is_pending && !rules)
        || words.is_empty()
        || is_of_runtime()
    {
        return false;
    }
    // What keeps an effect from happening twice follows from the effect.
    if words.begin_with_pronoun(case.phrasebook) || words.repeat(case.phrasebook) || words.wait(case.phrasebook) {
        return false;
    }
    // "No releases on Fridays", among what was asked for.
    let is_ban = || claim.denies && words.begin_with_no(case.phrasebook) && !claim.tells_past && claim.status.is_none();
    match sentence.section {
        Section::Requests if is_ban() => true,
        Section::Rules => !claim.tells_past || is_order || words.bind(case.phrasebook),
        Section::Plain | Section::Requests | Section::Pending => {
            let is_first = sentence.range.start == clause.range.start;
            is_first && (is_order || rules)
        }
        _ => false,
    }
}

/// Whether a clause says that a human is asked first, in a sentence about what a human wanted to be asked about.
fn is_consent(case: &Case<'_>, sentence: &Sentence, clause: &Clause) -> bool {
    let wants = |owed: &Owed| owed.words.want_consent(case.phrasebook) && case.page().share(&owed.words, sentence) >= ABOUT;
    clause.words.tell_of_consent(case.phrasebook) && case.owed.iter().any(wants)
}

/// Whether the agent had said as much of something that the sentence names: how a thing works is found out, and no rule of anybody's.
fn is_found_out(case: &Case<'_>, sentence: &Sentence, core: &Words) -> bool {
    let names = exact_values(case.page().text_of(sentence));
    if sentence.section != Section::Plain || names.is_empty() {
        return false;
    }
    let is_said = |n: &usize| case.lane.events.get(*n).is_some_and(|row| row.kind == EventKind::Assistant);
    let said = (0..case.row.event.index()).rev().filter(is_said).take(MESSAGES);
    let texts =
        said.map(|n| case.texts.text(EventIx::from_index(n))).filter(|text| names.iter().any(|name| text.contains(name.as_str())));
    let says = |text: String| {
        let page = Page::new([text.as_str()], case.phrasebook);
        let names_it = |told: &Sentence| names.iter().any(|name| page.text_of(told).contains(name.as_str()));
        page.sentences().iter().enumerate().any(|(n, told)| names_it(told) && page.share_around(core, n) >= SOURCE)
    };
    texts.into_iter().any(says)
}

/// Of what the agent said so many messages are read again.
const MESSAGES: usize = 64;

/// Whether a clause says again, in other words, a rule that stands: it has all the exact values of one or most of its words, and denies
/// as that does.
fn retells(case: &Case<'_>, sentence: &Sentence, clause: &Clause) -> bool {
    let text = case.page().text_of(sentence);
    let is_it = |owed: &Owed| {
        let mut names = owed.entry.names_at(case.before).filter(|name| is_name(name)).peekable();
        let is_named = names.peek().is_some() && names.all(|name| stands_whole(text, name));
        let forbids = owed.forbids() || owed.claim.denies;
        let is_said = is_named || sentence.words.share_of(&owed.words) >= MOST;
        let is_alike = forbids == (clause.claim.denies || clause.words.exclude(case.phrasebook));
        let is_ordered = || {
            let ends = Ends::of(&owed.words, case.phrasebook);
            ends.is_some_and(|ends| ends.in_words(&sentence.words, case.phrasebook) == Kept::InOrder)
        };
        owed.is_rule() && is_said && (is_alike || owed.words.bound_as(&clause.words, case.phrasebook) || is_ordered())
    };
    case.owed.iter().any(is_it)
}

/// Whether anybody had said for good what some words rule.
fn is_general_in(case: &Case<'_>, core: &Words) -> bool {
    let says = |page: &Page| {
        let found = page.matches(core, 6).into_iter().filter_map(|found| page.sentence_of(found.clause));
        let is_general = |sentence: &Sentence| page.clauses_of(sentence).iter().any(|clause| clause.claim.is_general);
        found.into_iter().any(|sentence| sentence.words.share_of(core) >= SOURCE && is_general(sentence))
    };
    let stands = |owed: &Owed| owed.is_rule() && owed.words.share_of(core) >= SOURCE;
    [&case.humans.page, &case.humans.others, &case.humans.proposed].into_iter().any(says) || case.owed.iter().any(stands)
}

/// Whether anything that a human said, that stands in the ledger or that an earlier text of the runtime states says as much, and of a
/// rule that forbids, forbids too; or puts a condition, where the rule does.
fn has_source(case: &Case<'_>, core: &Words, rule: &Clause) -> bool {
    let pages = [&case.humans.page, &case.humans.others, &case.humans.proposed];
    // "Has to be done, which it is not yet" forbids nothing.
    let is_rule = || rule.words.rule(case.phrasebook) || rule.words.is_order(case.phrasebook);
    let limits = rule.words.let_only_one(case.phrasebook);
    let denies = limits || (rule.claim.denies && (rule.claim.status.is_none() || is_rule()));
    let forbids = |claim: &Claim| !denies || claim.denies || (claim.is_scoped && rule.claim.is_scoped);
    let is_source = |page: &Page| {
        let found = page.matches(core, 6).into_iter().filter_map(|found| page.clause_at(found.clause));
        found.into_iter().any(|clause| {
            let Some(sentence) = page.sentence_at(clause.sentence) else { return false };
            // "Do not merge it": what that is stands in the sentence before.
            let is_pointed_at = || sentence.words.point(case.phrasebook) && page.share_around(core, clause.sentence) >= MOST;
            let limits = || sentence.words.exclude(case.phrasebook) || sentence.words.bound_as(&rule.words, case.phrasebook);
            let forbids = limits()
                || sentence.words.deny(case.phrasebook)
                || page.clauses_of(sentence).iter().any(|clause| forbids(&clause.claim));
            (sentence.words.share_of(core) >= SOURCE || is_pointed_at()) && forbids
        })
    };
    let is_owed = |owed: &Owed| {
        // What turns a rule that stands around is told of that rule.
        let forbids = owed.is_rule() || owed.forbids() || forbids(&owed.claim) || owed.words.bound_as(&rule.words, case.phrasebook);
        forbids && owed.entry.kind.is_commitment() && owed.words.share_of(core) >= SOURCE
    };
    pages.into_iter().any(is_source) || case.owed.iter().any(is_owed)
}
