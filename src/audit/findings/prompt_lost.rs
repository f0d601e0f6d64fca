//! Prompt lost: the newest prompt, or one that nobody had begun to answer when the boundary fell, and nothing of it stands in either half
//! (four public reports: messages typed while the context was being compacted).
//!
//! High: somebody has spoken, and nobody has heard.

use crate::audit::case::{Case, SAID, Saying};
use crate::audit::drift::drift;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::base::ids::EventIx;
use crate::evidence::Words;
use crate::ledger::identifiers::exact_values;
use crate::ledger::rows::EventKind;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    newest(case).into_iter().filter_map(|event| lost(case, event)).collect()
}

/// The prompts that the model was at work on, or had not begun to answer, when the boundary fell: up to the newest that it answered,
/// unless it was done with that.
fn newest(case: &Case<'_>) -> Vec<EventIx> {
    let mut prompts: Vec<EventIx> = Vec::new();
    let mut is_answered = false;
    for n in (0..case.row.event.index()).rev() {
        match case.lane.events.get(n).map(|row| row.kind) {
            Some(EventKind::Prompt) => {
                prompts.push(EventIx::from_index(n));
                if is_answered {
                    break;
                }
            }
            // The model's last words are its answer, in transcripts that do not say when a turn ends too.
            Some(EventKind::Assistant) if prompts.is_empty() && !is_answered => break,
            Some(EventKind::Assistant | EventKind::Reasoning | EventKind::Call | EventKind::Resolution) => {
                if !prompts.is_empty() {
                    break;
                }
                is_answered = true;
            }
            // Its turn was over: what it asked for was done, or is owed by what it opened.
            Some(EventKind::TurnEnded) if prompts.is_empty() => break,
            Some(EventKind::Boundary | EventKind::Summary) | None => break,
            Some(_) => {}
        }
    }
    prompts.reverse();
    prompts
}

fn lost(case: &Case<'_>, event: EventIx) -> Option<Finding> {
    let row = case.lane.events.get(event.index())?;
    let is_kept = row
        .span
        .and_then(|span| case.lane.spans.get(span.index()))
        .is_some_and(|span| case.lane.in_context(span, case.standing.until));
    if is_kept {
        return None;
    }
    let text = case.texts.text(event);
    let words = Words::of(&text, case.phrasebook);
    let comes_again = || {
        let later = case.row.event.index() + 1..=case.standing.until.index();
        later.map(EventIx::from_index).any(|later| {
            let is_prompt = case.lane.events.get(later.index()).is_some_and(|row| row.kind == EventKind::Prompt);
            is_prompt && case.texts.text(later).trim() == text.trim()
        })
    };
    if words.len() < 2 || case.page().holds(&text).is_some() || comes_again() {
        return None;
    }
    let mut own = case.owed.iter().filter(|owed| owed.entry.opened.event == event).peekable();
    // A rule that is gone is told as that.
    let is_rule = own.peek().is_some() && own.all(Owed::is_rule);
    if is_rule || words.is_foreign_to(case.standing.abroad) || says_something(case, (event, &text)) {
        return None;
    }
    Some(Finding { before: Some(text), ..Finding::new(FindingClass::PromptLost, Severity::High, None) })
}

/// So much of a sentence is the sentence, whosever it is.
const SURE: f64 = 0.75;

/// Whether anything that stands says one of the sentences of a prompt, also with a value that drifted: that is a loss of its own.
fn says_something(case: &Case<'_>, (event, text): (EventIx, &str)) -> bool {
    let values = exact_values(text);
    let named: Vec<Words> = values.iter().map(|value| Words::of(value, case.phrasebook)).collect();
    let has_drifted = |saying: &Saying<'_>| values.iter().any(|value| drift(value, case.page().text_of(saying.sentence)).is_some());
    // What says an entry of another prompt says little of this one.
    let is_own =
        |saying: &Saying<'_>| saying.share >= SURE || case.owner(saying).is_none_or(|owner| owner.entry.opened.event == event);
    let is_said = |words: &Words| case.saying_of(words).any(|saying| saying.share >= SAID && is_own(&saying));
    let is_drifted = |words: &Words| case.saying_of(words).any(|saying| saying.share >= SAID && has_drifted(&saying));
    let own = case.humans.sentences_of(event).iter();
    let sentences = own.filter(|sentence| !sentence.is_code && sentence.words.len() >= 2);
    sentences.map(|sentence| &sentence.words).any(|words| is_said(words) || is_drifted(&words.without(named.iter())))
}

#[cfg(test)]
mod tests {
    use crate::audit::FindingClass;
    use crate::audit::testing::audited;

    #[test]
    fn only_a_prompt_that_the_model_was_not_done_with_can_be_lost() {
        for (work, is_lost) in [
            ("step m1\ncall r Read {\"file_path\":\"a.md\"}\nresult r ok text", true),
            ("", true),
            ("step m1\nsay The section is gone.\nturn-ended", false),
        ] {
            let script =
                format!("prompt Remove the section on common patterns.\n{work}\nboundary\nsummary The harbour has a lamp.");
            let audit = audited(&script);
            let found = audit.findings().any(|finding| finding.class == FindingClass::PromptLost);
            assert_eq!(found, is_lost, "{work}");
        }
    }
}
