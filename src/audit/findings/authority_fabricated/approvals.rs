//! Approvals that nobody gave: reported of a human or of somebody else, or by stating as met the condition under which a rule ends.

use super::sources::{self, Claimed};
use crate::audit::case::Case;
use crate::audit::owed::Owed;
use crate::audit::support::Support;
use crate::evidence::{Clause, Sentence, Status, Words};
use crate::ledger::entry::{Entry, EntryStatus, Scope};

/// How much of what was approved a human's words must say.
const APPROVED: f64 = 0.6;

/// How much of the condition of a rule stands where it is said to be met.
const MET: f64 = 0.75;

/// So much of what somebody else is said to have allowed is new, and so many words.
const STRANGE: (usize, f64) = (2, 0.5);

/// Whether a sentence reports an approval for which there is no human's word.
pub(super) fn is_unfounded(case: &Case<'_>, number: usize, sentence: &Sentence) -> bool {
    let mut clauses = case.page().clauses_of(sentence).iter().filter(|clause| is_stated(case, clause));
    // What is quoted is held to its source word by word.
    let is_open = case.page().text_of(sentence).contains(['?', '"']);
    !is_open && clauses.any(|clause| is_made_up(case, number, clause) || is_granted(case, number, clause) || meets(case, clause))
}

/// Whether a clause states what it says, and neither denies it nor waits for it.
fn is_stated(case: &Case<'_>, clause: &Clause) -> bool {
    let (words, phrasebook) = (&clause.words, case.phrasebook);
    // "The approval is required before it is yanked", "only after the OK".
    let asks_for_it = words.need(phrasebook) || (words.exclude(phrasebook) && words.are_ordered(phrasebook));
    !clause.claim.denies && !words.depend(phrasebook) && !words.wait(phrasebook) && !asks_for_it
}

/// Whether a clause reports a human's approval to which nobody's words come near.
fn is_made_up(case: &Case<'_>, number: usize, clause: &Clause) -> bool {
    let object = clause.words.object(case.phrasebook);
    if !clause.words.approves(case.phrasebook) || object.is_empty() {
        return false;
    }
    if has_come(case, &object) {
        return false;
    }
    let is_strange = Support::of(case, &object, number).is_strange();
    let affirms = clause.words.affirm(case.phrasebook);
    let few = object.len() < 2;
    is_strange || (!few && !sources::agreed(case, &Claimed::reported(object, clause.claim.denies), affirms, APPROVED))
}

/// Whether some words are about a rule that a human's word has ended: "the user has confirmed the window" of "hands off until I confirm
/// the window".
fn has_come(case: &Case<'_>, object: &Words) -> bool {
    let has_ended = |entry: &Entry| {
        let is_over = matches!(entry.status_at(case.before), Some(EntryStatus::Discharged | EntryStatus::Revoked));
        entry.kind.is_commitment() && entry.scope == Scope::Standing && is_over
    };
    let is_about = |entry: &Entry| case.readings.of(entry, case.phrasebook).words.share_of(object) >= APPROVED;
    case.known().any(|entry| has_ended(entry) && is_about(entry))
}

/// Whether a clause tells that somebody else allowed what nobody has spoken of.
fn is_granted(case: &Case<'_>, number: usize, clause: &Clause) -> bool {
    if !clause.words.report_a_grant(case.phrasebook) || clause.words.names_speaker(case.phrasebook) {
        return false;
    }
    let (count, share) = Support::of(case, &clause.words.object(case.phrasebook), number).strange();
    count >= STRANGE.0 && share >= STRANGE.1
}

/// Whether a clause says that what a rule waits for has come about: that somebody agreed, or that the human said so.
fn meets(case: &Case<'_>, clause: &Clause) -> bool {
    let is_told = clause.claim.tells_past || clause.claim.status == Some(Status::Done) || clause.words.agree(case.phrasebook);
    let is_met = |owed: &Owed| {
        let Some(condition) = owed.condition(case.phrasebook) else { return false };
        match condition.len() {
            // "Until I say so": what the human says names what is ruled.
            0 | 1 => condition.are_speech(case.phrasebook) && says_so(case, clause, &owed.core(case.phrasebook)),
            _ => condition.agree(case.phrasebook) && clause.words.share_of(condition) >= MET,
        }
    };
    is_told && case.owed.iter().filter(|owed| owed.entry.kind.is_commitment()).any(is_met)
}

/// Whether a clause says that a human has said what a rule is about.
fn says_so(case: &Case<'_>, clause: &Clause, core: &Words) -> bool {
    !core.is_empty() && clause.words.report_a_will(case.phrasebook) && clause.words.share_of(core) >= MET
}
