//! Orders that nobody gave: "the user asked to ..".

use super::sources::{self, Claimed};
use crate::audit::case::Case;
use crate::audit::support::Support;
use crate::evidence::{Clause, Contrast, Sentence, Words};

/// The least that an order is about, to be looked for.
const LEAST: usize = 2;

/// So much of an order that was given is told in its own words,
const REPORTED: f64 = 0.5;

/// with hardly a word that is new.
const NEW: f64 = 0.2;

/// So much of it is told where two of five words are new.
const HALF: (f64, f64) = (0.67, 0.4);

/// With so many new words it is no retelling at all.
const STRANGE: f64 = 0.6;

/// Whether a sentence reports an order for which there is no human's word.
pub(super) fn is_unfounded(case: &Case<'_>, number: usize, sentence: &Sentence) -> bool {
    let text = case.page().text_of(sentence);
    // What is quoted is held to its source word by word.
    let is_open = sentence.words.wait(case.phrasebook) || text.contains(['?', '"', '\u{201C}']) || text.ends_with(':');
    let reports = |clause: &&Clause| clause.words.report_a_will(case.phrasebook);
    let Some(clause) = case.page().clauses_of(sentence).iter().find(reports).filter(|_| !is_open) else { return false };
    // "The user's wish: .." has it in the next clause, and ".., as the user asked" in those before.
    let own = clause.words.object(case.phrasebook);
    let stands_alone = case.page().text_before(clause).is_none_or(|before| before.trim_end().ends_with(';'));
    let is_whole = stands_alone && own.len() >= LEAST;
    let object = if is_whole { own } else { sentence.words.object(case.phrasebook) };
    // "Wants it looked at again later": what it is about stands elsewhere.
    if object.len() < LEAST
        || (object.len() <= LEAST && clause.words.point(case.phrasebook))
        || sources::is_chosen(case, &Claimed::reported(object.clone(), clause.claim.denies))
    {
        return false;
    }
    let (count, share) = Support::of(case, &object, number).strange();
    // "It was dropped, as the user had asked" tells of a deed, in words of its own.
    if clause.words.refer_to_a_will(case.phrasebook) {
        return count >= LEAST && share >= STRANGE && !Support::is_known(case, &object);
    }
    let said = sources::most(case, &object);
    let is_new = match count {
        0 => false,
        1 => said <= REPORTED && share >= NEW,
        _ => said <= REPORTED && share >= NEW || said <= HALF.0 && share >= HALF.1 || share >= STRANGE,
    };
    let denies = clause.claim.denies || (!is_whole && case.page().clauses_of(sentence).iter().any(|clause| clause.claim.denies));
    is_new || (!sentence.words.lift(case.phrasebook) && is_turned(case, clause, (object, denies)))
}

/// Whether an order forbids what a human asked for, or the other way round; one thing and not another is told in many ways.
fn is_turned(case: &Case<'_>, clause: &Clause, (object, denies): (Words, bool)) -> bool {
    // "Which does not exist yet" says how far it has come.
    let is_plain = !clause.words.exclude(case.phrasebook)
        && clause.claim.status.is_none()
        && Contrast::of(&clause.words, case.phrasebook).is_none();
    is_plain && sources::is_turned(case, &Claimed::reported(object, denies), REPORTED)
}
