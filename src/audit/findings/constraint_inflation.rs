//! Constraint inflation, second kind: a rule that nobody gave (`incidents`: constraint inflation, two public reports).
//!
//! Medium: what may be done is not done.

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::audit::support::Support;
use crate::evidence::{Clause, Force, Page, Section, Sentence, Status, Words};

/// The least that a rule must be about, to be looked for.
const LEAST: usize = 2;

/// The share of small words in English text.
const ENGLISH: f64 = 0.18;

/// So much of a text in another language is not held to what was said.
const ABROAD: f64 = 0.25;

/// So much of a rule that denies says that it is one that was given, in other words.
const GIVEN: f64 = 0.25;

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
        let support = Support::of(case, &core, clause.sentence);
        if has_source(case, &core) && !support.is_strange() && !support.is_half_strange() {
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
    let claim = clause.claim;
    let binds = claim.denies || claim.is_general || (claim.force == Force::Strong && clause.words.bind(case.phrasebook));
    // "Must be" tells of a rule as well as of what is to be done.
    let is_pending = claim.status == Some(Status::Pending) && (claim.is_general || claim.denies || claim.force == Force::Strong);
    let is_of_runtime = || case.phrasebook.announces(case.page().text_of(sentence));
    if !binds || (claim.status.is_some() && !is_pending) || clause.words.len() < LEAST || is_of_runtime() {
        return false;
    }
    if clause.words.begin_with_pronoun(case.phrasebook) {
        return false;
    }
    match sentence.section {
        Section::Rules => !claim.tells_past || clause.words.is_order(case.phrasebook) || clause.words.bind(case.phrasebook),
        Section::Plain | Section::Requests | Section::Pending => {
            let is_first = sentence.range.start == clause.range.start;
            let is_wide = claim.is_general || claim.denies || clause.words.exclude(case.phrasebook);
            let rules = is_wide && clause.words.bind(case.phrasebook);
            is_first && (clause.words.is_order(case.phrasebook) || rules)
        }
        _ => false,
    }
}

/// Whether anything that a human said, that stands in the ledger or that an earlier text of the runtime states says as much.
fn has_source(case: &Case<'_>, words: &Words) -> bool {
    let pages = [&case.humans.page, &case.humans.others];
    let is_source = |page: &Page| {
        let found = page.matches(words, 6).into_iter().filter_map(|found| page.sentence_of(found.clause));
        found.into_iter().any(|sentence| sentence.words.share_of(words) >= SOURCE)
    };
    let is_given = |owed: &Owed| owed.forbids() && owed.words.share_of(words) >= GIVEN;
    pages.into_iter().any(is_source)
        || case.owed.iter().any(is_given)
        || case.owed.iter().any(|owed| owed.words.share_of(words) >= SOURCE)
}
