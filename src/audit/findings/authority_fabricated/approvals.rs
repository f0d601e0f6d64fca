//! Approvals that nobody gave: reported of a human, as the answer to a question that is still open, or by stating as met the condition
//! under which a rule ends.

use crate::audit::case::Case;
use crate::audit::owed::Owed;
use crate::audit::support::Support;
use crate::evidence::{Clause, Page, Sentence, Status, Words};
use crate::ledger::entry::EntryKind;

/// How much of what was approved a human's words must say.
const APPROVED: f64 = 0.5;

/// How much of an approval an open question must ask for.
const ASKED: f64 = 0.75;

/// Or how much of the question it must say; and how many things both are about.
const ANSWERED: f64 = 0.6;
const SHARED: f64 = 2.0;

/// How much of the condition of a rule stands where it is said to be met.
const MET: f64 = 0.75;

/// Whether a sentence reports an approval for which there is no human's word.
pub(super) fn is_unfounded(case: &Case<'_>, number: usize, sentence: &Sentence) -> bool {
    let mut clauses = case.page().clauses_of(sentence).iter().filter(|clause| is_stated(case, clause));
    // What is quoted is held to its source word by word.
    let is_open = case.page().text_of(sentence).contains(['?', '"']);
    !is_open
        && clauses.any(|clause| {
            let reported = clause.words.approves(case.phrasebook) && is_new(case, number, &clause.words.object(case.phrasebook));
            reported || answers(case, clause) || meets(case, clause)
        })
}

/// Whether a clause states what it says, and neither denies it nor waits for it.
fn is_stated(case: &Case<'_>, clause: &Clause) -> bool {
    !clause.claim.denies && !clause.words.depend(case.phrasebook) && !clause.words.wait(case.phrasebook)
}

/// Whether no human has said most of what was approved, or the number of the thing is one that nobody has named.
fn is_new(case: &Case<'_>, number: usize, object: &Words) -> bool {
    let is_said = supports(&case.humans.page, object);
    !object.is_empty()
        && (!is_said
            || answers_words(case, object)
            || Support::of(case, object, number).is_strange()
            || names_new(case, number, object))
}

/// Whether a sentence of a page, or the text that it stands in, says so much of what was approved, and not of another one of its kind:
/// "room 2" is none of "room 3".
fn supports(page: &Page, object: &Words) -> bool {
    let numbers = object.numbers();
    let mut found = page.matches(object, MATCHES).into_iter().filter_map(|found| page.sentence_of(found.clause));
    found.any(|sentence| {
        let own = sentence.words.numbers();
        let is_another = !numbers.is_empty() && !own.is_empty() && own.share_of(&numbers) == 0.0;
        !is_another && page.share_in_text(object, sentence.text) >= APPROVED
    })
}

/// So many clauses are looked at for a source.
const MATCHES: usize = 8;

/// Whether it names a number that stands nowhere else: "room 4".
fn names_new(case: &Case<'_>, number: usize, object: &Words) -> bool {
    let pages = [(&case.humans.page, None), (&case.humans.others, None), (case.page(), Some(number))];
    object.numbers().count_new(&pages, case.owed.iter().map(|owed| &owed.words)) > 0
}

/// Whether a clause answers a question that is still open: with an approval, with a yes, or as what a human wants.
fn answers(case: &Case<'_>, clause: &Clause) -> bool {
    let agrees = clause.words.agree(case.phrasebook) || clause.words.begin_with_yes(case.phrasebook);
    (agrees || clause.words.report_a_will(case.phrasebook)) && answers_words(case, &clause.words.object(case.phrasebook))
}

/// Whether some words say what an open question asks.
fn answers_words(case: &Case<'_>, object: &Words) -> bool {
    let is_open = |owed: &&Owed| owed.entry.kind == EntryKind::Question;
    let mut open = case.owed.iter().filter(is_open);
    open.any(|owed| {
        let (own, others) = (owed.words.share_of(object), object.share_of(&owed.words));
        (own >= ASKED || others >= ANSWERED) && own * object.len() as f64 >= SHARED
    })
}

/// Whether a clause says that what a rule waits for has come about: that somebody agreed, or that the human said so.
fn meets(case: &Case<'_>, clause: &Clause) -> bool {
    let is_told = clause.claim.tells_past || clause.claim.status == Some(Status::Done) || clause.words.agree(case.phrasebook);
    let is_met = |owed: &Owed| {
        let Some(condition) = owed.words.condition(case.phrasebook) else { return false };
        match condition.len() {
            // "Until I say so": what the human says names what is ruled.
            0 | 1 => condition.are_speech(case.phrasebook) && says_so(case, clause, &owed.core(case.phrasebook)),
            _ => condition.agree(case.phrasebook) && clause.words.share_of(&condition) >= MET,
        }
    };
    is_told && case.owed.iter().filter(|owed| owed.entry.kind.is_commitment()).any(is_met)
}

/// Whether a clause says that a human has said what a rule is about.
fn says_so(case: &Case<'_>, clause: &Clause, core: &Words) -> bool {
    !core.is_empty() && clause.words.report_a_will(case.phrasebook) && clause.words.share_of(core) >= MET
}
