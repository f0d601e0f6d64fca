//! Completion erasure, third kind: what a call was seen to do is listed as still to do, though nobody holds it for what must not be done
//! twice ("the migration still has to be applied"; 16 of 122 public reports).
//!
//! High where doing it twice does harm that stays; medium otherwise.

use super::cost;
use crate::audit::case::{Case, Saying};
use crate::audit::deeds;
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass};
use crate::audit::findings::Loss;
use crate::audit::findings::completion_erasure::FILES;
use crate::audit::findings::constraint_inflation::is_from_summary;
use crate::audit::owed::{Owed, is_word};
use crate::evidence::{Clause, Section, Sentence, Status, stands_whole};
use crate::ledger::entry::{EntryKind, Scope};
use crate::ledger::identifiers::exact_values;
use crate::ledger::rows::CallRow;

/// So much of what is listed must be known of the action.
const MOST: f64 = 0.75;

/// Of less nobody can say which action is meant.
const LEAST: usize = 2;

/// Actions before this many more are no longer looked through.
const LOOKED_AT: usize = 200;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for (number, clause) in case.page().clauses().iter().enumerate() {
        let Some(sentence) = case.page().sentence_at(clause.sentence) else { continue };
        if !is_from_summary(case, sentence) || !is_listed(case, sentence, clause) {
            continue;
        }
        let saying = Saying { number, clause, sentence, recall: 1.0, precision: 1.0, share: 1.0, shared: LEAST };
        let Some(entry) = done_by(case, &saying).and_then(|call| case.lane.entry(call.entry)) else { continue };
        let Some(passage) = case.passage(sentence) else { continue };
        if !found.iter().any(|finding| finding.after.as_deref() == Some(passage.text.as_str())) {
            let loss = Loss { severity: cost(&entry), fate: Fate::Contradicted, after: Some(passage) };
            found.push(Finding::of_loss(FindingClass::CompletionErasure, loss, &entry));
        }
    }
    found
}

/// Whether a clause lists something as still to do, at once and for sure: what waits for something else may be the second of two.
fn is_listed(case: &Case<'_>, sentence: &Sentence, clause: &Clause) -> bool {
    let may_list = !matches!(sentence.section, Section::Rules | Section::Requests | Section::Quotes | Section::Unknown);
    let clauses = case.page().clauses_of(sentence);
    let is_plain = |clause: &Clause| {
        !clause.words.depend(case.phrasebook)
            && !matches!(clause.claim.status, Some(Status::Done | Status::Unknown | Status::Failed))
    };
    // "It is to be used" may be a rule as well, and below "Pending" stands much that was done for what is.
    let is_left = sentence.section != Section::Pending && sentence.words.tell_of_rest(case.phrasebook);
    may_list
        && is_left
        && case.status(clause) == Some(Status::Pending)
        && !sentence.words.repeat(case.phrasebook)
        && !sentence.words.tell_success(case.phrasebook)
        && clauses.iter().all(is_plain)
        && !sentence.words.doubt(case.phrasebook)
        && !sentence.words.speak_of_a_check(case.phrasebook)
        && !case.page().text_of(sentence).contains('?')
}

/// The call that did what is listed, if nothing that is owed asks for it since.
fn done_by<'c>(case: &'c Case<'_>, saying: &Saying<'_>) -> Option<&'c CallRow> {
    let told = saying.sentence.words.without_status(case.phrasebook);
    let names = exact_values(case.page().text_of(saying.sentence));
    // Without a name it may be another thing of that kind.
    if told.len() < LEAST || names.is_empty() {
        return None;
    }
    let shows_all = |call: &CallRow| {
        let shown = call.end_at(case.before).map(|end| case.texts.text(end.event)).unwrap_or_default();
        names.iter().all(|name| stands_whole(&call.input, name) || stands_whole(&shown, name))
    };
    let calls: Vec<&CallRow> = case.calls_before().collect();
    // What is written into a file shows in the file, and may speak of anything.
    let is_deed = |call: &&CallRow| call.world.as_deref() != Some(FILES) && deeds::has_changed(case, call);
    let newest = calls.into_iter().rev().filter(is_deed).take(LOOKED_AT);
    // The call whose own words say most of it; of two alike the newest.
    let says = |call: &'c CallRow| {
        let known = deeds::known(case, call);
        let own = known.own.share_of(&told);
        (own > 0.0 && shows_all(call) && known.all(case, call).share_of(&told) >= MOST).then_some((own, call))
    };
    let best = newest.filter_map(says).reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, call)| call).filter(|call| !is_owed(case, saying, call))
}

/// Whether a sentence is about what is owed all the same: an action that is open, or what was asked for, or planned, since the call.
fn is_owed(case: &Case<'_>, saying: &Saying<'_>, call: &CallRow) -> bool {
    const ABOUT: f64 = 0.6;
    let says =
        |owed: &Owed| saying.sentence.words.share_of(&owed.words) >= ABOUT || owed.words.share_of(&saying.clause.words) >= ABOUT;
    case.owed.iter().any(|owed| {
        let is_own = owed.entry.action.as_ref().is_some_and(|action| action.action == call.action || action.intent == call.intent);
        let is_later = owed.entry.opened.event > call.event || owed.entry.scope == Scope::Standing;
        let is_open = match owed.entry.kind {
            EntryKind::Task => !deeds::was_done(case, owed),
            _ => is_word(&owed.entry) && is_later,
        };
        is_own || (is_open && !owed.entry.is_whole_text() && says(owed))
    })
}

#[cfg(test)]
mod tests {
    use crate::audit::testing::audited;

    #[test]
    fn what_a_call_did_is_not_left_to_do() {
        for (summary, expected) in [
            ("0058_keys still has to be run on the staging database.", true),
            ("Next step: apply 0058_keys on staging.", true),
            ("0058_keys was applied on staging.", false),
            ("0058_keys is to be kept on staging.", false),
            ("Next step: apply 0059_seats on production.", false),
            ("0058_keys was applied on staging, so it need not be run again.", false),
        ] {
            let script = format!(
                "prompt Run the migration on the staging database.\nstep m1\ncall r Bash {{\"command\":\"npm run migrate:up -- --env staging\"}}\n\
                 result r ok applied 0058_keys (212 ms)\nstep m2\nsay 0058_keys is applied on the staging database.\nturn-ended\n\
                 prompt Thanks.\nstep m3\nsay Fine.\nturn-ended\nboundary\nsummary This is a summary.\\n\\n{summary}\nstep m4\nsay ok"
            );
            let found = audited(&script).findings().any(|finding| finding.class.word() == "completion-erasure");
            assert_eq!(found, expected, "{summary}");
        }
    }
}
