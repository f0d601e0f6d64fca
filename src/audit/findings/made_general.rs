//! Constraint inflation, first kind: a rule that held while, until or unless something, and stands as if it held always
//! (`incidents`: constraint inflation; essay 002: the condition of the migration was dropped).
//!
//! Medium: what may be done again is not done.

use super::Loss;
use crate::audit::case::{Case, HARDLY, Saying};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::audit::values::{drift, is_name};
use crate::evidence::{Clause, Sentence};

/// How much of the condition must be there for it to stand.
const STANDS: f64 = 0.5;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_vague() || !owed.is_rule() {
        return None;
    }
    unconditional(case, owed).or_else(|| unbounded(case, owed))
}

/// A rule whose condition is gone.
fn unconditional(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let condition = owed.words.condition(case.phrasebook)?;
    let stands = |sentence: &Sentence| case.page().share(&condition, sentence) >= STANDS;
    if !condition.is_empty() && case.page().sentences().iter().any(stands) {
        return None;
    }
    let rule = owed.words.without(std::iter::once(&condition));
    let mut general = None;
    for saying in case.saying_of(&rule).filter(|saying| saying.share >= RULE) {
        if clauses(case, saying.sentence).any(|clause| clause.claim.is_scoped) {
            return None;
        }
        if saying.clause.claim.denies == owed.claim.denies && saying.clause.claim.status.is_none() {
            general = general.or(Some(saying));
        }
    }
    Some(Loss::altered(case, Severity::Medium, general?))
}

/// A rule about one thing that stands as a rule about everything.
fn unbounded(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.claim.is_general && !owed.claim.denies {
        return None;
    }
    let mut names = owed.entry.names_at(case.before).filter(|name| is_name(name)).peekable();
    names.peek()?;
    if !names.all(|name| case.page().names(name).is_none()) {
        return None;
    }
    let is_general = |saying: &Saying<'_>| {
        let claim = saying.clause.claim;
        let drifted = owed.entry.names_at(case.before).any(|name| drift(name, case.page().text_of(saying.sentence)).is_some());
        !drifted && saying.share >= HARDLY && claim.is_general && claim.denies == owed.claim.denies && claim.status.is_none()
    };
    Some(Loss::altered(case, Severity::Medium, case.said(owed).find(is_general)?))
}

fn clauses<'c>(case: &'c Case<'_>, sentence: &Sentence) -> impl Iterator<Item = &'c Clause> {
    sentence.clauses.clone().filter_map(|n| case.page().clause_at(n))
}

/// How much of the rule without its condition a clause must say.
const RULE: f64 = 0.5;
