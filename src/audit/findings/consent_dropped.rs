//! Ordering flattening, second kind: somebody wanted to be asked first, and a plan stands without that ("ask me before you publish it"
//! became "next: publish it"). Essay 000: the confirmation is the first thing that a summary takes for granted; in the field
//! anomalyco/opencode#14923, a push that nobody had allowed.
//!
//! Medium; high where it was tagged.

use super::Loss;
use crate::audit::case::{Case, SAID};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::evidence::{Sentence, Status};

/// How much of what is to be done a sentence must say to be about it.
pub(super) const ABOUT: f64 = 0.3;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let is_asked = owed.entry.kind.is_commitment() && owed.words.want_consent(case.phrasebook);
    if owed.stands() || owed.is_vague() || !is_asked || case.is_unobserved() {
        return None;
    }
    let reading = case.readings.of(&owed.entry, case.phrasebook);
    let deed = reading.asked(&owed.entry, case.phrasebook);
    let tells = |sentence: &Sentence| {
        let is_about = deed.is_empty() || case.page().share(deed, sentence) >= ABOUT;
        is_about && sentence.words.tell_of_consent(case.phrasebook)
    };
    if deed.is_empty() || case.page().sentences().iter().any(tells) {
        return None;
    }
    let is_planned = |status: Option<Status>| !matches!(status, Some(Status::Done | Status::Failed | Status::Unknown));
    let planned = case.saying_of(deed).find(|saying| saying.share >= SAID && is_planned(saying.clause.claim.status))?;
    // What stays forbidden is not done.
    let severity = if owed.is_explicit() { Severity::High } else { Severity::Medium };
    (!planned.clause.claim.denies).then(|| Loss::altered(case, severity, planned))
}
