//! Answers that nobody gave: a question that is still open, and stands as if it had been answered: as agreed to, as what a human wants,
//! or as the next step.

use super::sources::{self, Claimed};
use crate::audit::case::{Case, Saying};
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::findings::Loss;
use crate::audit::findings::constraint_inflation::is_from_summary;
use crate::audit::owed::Owed;
use crate::evidence::{Section, Status};
use crate::ledger::entry::EntryKind;

/// How much of a question a sentence must say to be about it: of the whole, or nearly all of what the sentence itself says.
const ASKED: f64 = 0.6;
const ALONE: (f64, f64) = (0.75, 2.0);

/// How much of a question a human's own words must say, for it not to be one any more.
const ANSWERED: f64 = 0.75;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let questions = case.owed.iter().filter(|owed| owed.entry.kind == EntryKind::Question && !owed.is_held);
    questions.filter_map(|owed| answered(case, owed)).collect()
}

fn answered(case: &Case<'_>, owed: &Owed) -> Option<Finding> {
    if owed.is_vague() {
        return None;
    }
    let sayings = || case.saying_of(&owed.words).filter(|saying| is_about(case, owed, saying));
    if sayings().any(|saying| is_open(case, &saying)) {
        return None;
    }
    let (saying, severity) = sayings().find_map(|saying| Some((saying, answer(case, &saying)?)))?;
    let claimed = Claimed::reported((*owed.words).clone(), false);
    if sources::say(case, &claimed, ANSWERED) && sources::agreed(case, &claimed, false, ANSWERED) {
        return None;
    }
    let loss = Loss { severity, fate: Fate::Contradicted, after: case.passage(saying.sentence) };
    Some(Finding::of_loss(FindingClass::AuthorityFabricated, loss, &owed.entry))
}

fn is_about(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let object = saying.sentence.words.object(case.phrasebook);
    let own = owed.words.share_of(&object);
    is_from_summary(case, saying.sentence)
        && (saying.sentence.words.share_of(&owed.words) >= ASKED || (own >= ALONE.0 && own * object.len() as f64 >= ALONE.1))
}

/// Whether a sentence leaves the question open.
fn is_open(case: &Case<'_>, saying: &Saying<'_>) -> bool {
    let words = &saying.sentence.words;
    let is_asked = case.page().text_of(saying.sentence).contains('?');
    is_asked || words.wait(case.phrasebook) || words.doubt(case.phrasebook)
}

/// What a sentence that is about the question makes of it, if it answers it.
fn answer(case: &Case<'_>, saying: &Saying<'_>) -> Option<Severity> {
    let words = &saying.sentence.words;
    if saying.sentence.section == Section::Quotes || saying.clause.claim.denies {
        return None;
    }
    let agrees = words.agree(case.phrasebook) || words.begin_with_yes(case.phrasebook);
    let is_wanted = words.report_a_will(case.phrasebook);
    let is_next = saying.clause.words.begin_as_order()
        || saying.clause.claim.status == Some(Status::Pending)
        || saying.sentence.section == Section::Pending;
    match (agrees || is_wanted, is_next) {
        (true, _) => Some(Severity::High),
        (false, true) => Some(Severity::Medium),
        (false, false) => None,
    }
}
