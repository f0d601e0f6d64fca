//! Constraint inflation, first kind: a rule that held while, until or unless something, and stands as if it held always
//! (`incidents`: constraint inflation; essay 002: the condition of the migration was dropped).
//!
//! Medium: what may be done again is not done.

use super::Loss;
use crate::audit::case::{Case, SAID};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::evidence::Words;

/// How much of the condition must be there for it to stand.
const STANDS: f64 = 0.5;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_vague() || !owed.entry.kind.is_commitment() || owed.ends(case.phrasebook).is_some() {
        return None;
    }
    let conditions: Vec<Words> = owed
        .entry
        .preconditions
        .iter()
        .map(|condition| Words::of(condition, case.phrasebook))
        .filter(|words| !words.is_empty())
        .collect();
    if conditions.is_empty() {
        return None;
    }
    let stands = |words: &Words| case.page().sentences().iter().any(|sentence| case.page().share(words, sentence) >= STANDS);
    if conditions.iter().all(stands) {
        return None;
    }
    let rule = owed.words.without(conditions.iter());
    let mut general = None;
    for saying in case.saying_of(&rule).filter(|saying| saying.share >= SAID.max(0.6)) {
        let claim = saying.clause.claim;
        if saying.sentence.clauses.clone().filter_map(|n| case.page().clause_at(n)).any(|clause| clause.claim.is_scoped) {
            return None;
        }
        if claim.denies == owed.claim.denies {
            general = general.or(Some(saying));
        }
    }
    Some(Loss::altered(case, Severity::Medium, general?))
}
