//! Negation loss: a prohibition whose "not" is gone, or whose force is ("must" became "may"). "Do not re-run the migration; it already
//! ran once" became "migration ran once" (essay 000).
//!
//! High: what is forbidden is done next.

use super::Loss;
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::evidence::Force;

/// How near to the sentence that says it best another one must come.
const NEAR: f64 = 0.8;

/// How much of the prohibition a clause must say, and how little else, to be what became of it.
const SURE: (f64, f64) = (0.55, 0.5);

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_vague() || !owed.is_rule() {
        return None;
    }
    let mut weak: Option<Saying<'_>> = None;
    let best = case.said(owed).map(|saying| saying.share).fold(0.0, f64::max);
    // What only shares words with it says nothing of it where another sentence says it.
    let is_it = |saying: &Saying<'_>| saying.share >= SAID && saying.share >= best * NEAR && owed.says_what(saying);
    for saying in case.said(owed).filter(is_it) {
        match (!owed.claim.denies || forbids(case, &saying), is_weakened(owed, &saying)) {
            (true, false) => return None,
            (true, true) => weak = weak.or(Some(saying)),
            (false, _) => {}
        }
    }
    if let Some(saying) = weak {
        return Some(Loss::altered(case, Severity::High, saying));
    }
    // Where the rule has no "not", none can be lost.
    let turned = |saying: &Saying<'_>| {
        let is_it = saying.recall >= SURE.0 && saying.precision >= SURE.1;
        is_it && !saying.clause.claim.denies && owed.says_what(saying)
    };
    let saying = case.said(owed).filter(|_| owed.claim.denies).find(turned)?;
    let permits = saying.clause.claim.force == Force::Weak;
    Some(if permits { Loss::contradicted(case, Severity::High, saying) } else { Loss::altered(case, Severity::High, saying) })
}

/// Whether the clause forbids, or another clause of its sentence does: "columns: do not drop".
pub(super) fn forbids(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let claims = saying.sentence.clauses.clone().filter_map(|n| case.page().clause_at(n)).map(|clause| clause.claim);
    saying.clause.claim.denies || (saying.recall < saying.share && claims.into_iter().any(|claim| claim.denies))
}

/// Whether the clause binds less than the entry did.
fn is_weakened(owed: &Owed, saying: &Saying<'_>) -> bool {
    saying.clause.claim.force == Force::Weak && owed.claim.force != Force::Weak
}
