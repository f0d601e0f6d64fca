//! Constraint inflation, first kind: a rule that held while, until or unless something, or for one thing, and stands as if it held always
//! and for everything (`incidents`: constraint inflation; essay 002: the condition of the migration was dropped).
//!
//! Medium: what may be done again is not done.

use super::Loss;
use crate::audit::case::{Case, HARDLY, SAID, Saying};
use crate::audit::drift::drift;
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::audit::values::{is_name, replaced};
use crate::evidence::{Clause, Section, Sentence, Status, Words};

/// How much of the condition must be there for it to stand.
const STANDS: f64 = 0.5;

/// And where it stands by itself.
const APART: f64 = 0.8;

/// How much of the rule without its condition a clause must say.
const RULE: f64 = 0.5;

/// The least that a rule must be about, to be known without its condition.
const LEAST: usize = 2;

/// So much of what is ruled is gone from a rule that is about something wider.
const LOST: f64 = 0.25;

/// And so much from one that says nothing else.
const BARE: f64 = 0.4;
const ALL: f64 = 0.99;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_untold() || !owed.is_rule() {
        return None;
    }
    unconditional(case, owed).or_else(|| unbounded(case, owed))
}

/// A rule whose condition is gone: no sentence that states it has one.
fn unconditional(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    // "While that runs" says only when it was said.
    let condition = owed.ruling().condition(case.phrasebook).filter(|condition| !condition.begin_with_pronoun(case.phrasebook))?;
    let rule = owed.core(case.phrasebook);
    if rule.len() < LEAST {
        return None;
    }
    let mut general = None;
    // "Rollout plan: 2 %, 10 %." and, elsewhere, "after each step hold until the user has looked".
    let holds_apart =
        |other: &Saying<'_>| other.share >= APART && other.shared >= LEAST && scoped(case, other.sentence) && !is_cut(other);
    if case.saying_of(&condition).any(|other| holds_apart(&other)) {
        return None;
    }
    let says = |saying: &Saying<'_>| saying.share >= RULE && saying.sentence.words.share_of(&rule) > RULE;
    for saying in case.saying_of(&rule).filter(|saying| says(saying) && !is_cut(saying)) {
        if is_conditional(case, &saying, &condition) {
            return None;
        }
        if states(owed, saying.clause) {
            general = general.or(Some(saying));
        }
    }
    Some(Loss::altered(case, Severity::Medium, general?))
}

/// Whether it stands among what the human said, of which a list may have the beginnings alone.
fn is_cut(saying: &Saying<'_>) -> bool {
    saying.sentence.section == Section::Quotes
}

/// Whether the sentence of a clause, its heading's first item or the sentence before it holds a condition, or this one.
fn is_conditional(case: &Case<'_>, saying: &Saying<'_>, condition: &Words) -> bool {
    let is_it = |sentence: &Sentence| !condition.is_empty() && case.page().share(condition, sentence) >= STANDS;
    let before = saying.clause.sentence.checked_sub(1).and_then(|n| case.page().sentence_at(n));
    let leads = |sentence: &Sentence| sentence.text == saying.sentence.text && is_it(sentence) && scoped(case, sentence);
    scoped(case, saying.sentence) || is_it(saying.sentence) || before.is_some_and(leads)
}

fn scoped(case: &Case<'_>, sentence: &Sentence) -> bool {
    let narrows = |clause: &Clause| clause.claim.is_scoped || clause.words.put_off(case.phrasebook);
    case.page().clauses_of(sentence).iter().any(narrows)
}

/// A rule about one thing that stands as a rule about everything.
fn unbounded(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let core = owed.core(case.phrasebook);
    let mut wider = None;
    for saying in case.said(owed).filter(|saying| saying.share >= HARDLY && !is_cut(saying)) {
        match (states(owed, saying.clause), is_wider(case, owed, &core, &saying)) {
            (true, true) => wider = wider.or(Some(saying)),
            (true, false) if saying.share >= SAID => return None,
            _ => {}
        }
    }
    Some(Loss::altered(case, Severity::Medium, wider?))
}

/// Whether a clause speaks of more than the rule: of any thing, without the names of the rule's own or without what tells it from others.
fn is_wider(case: &Case<'_>, owed: &Owed, core: &Words, saying: &Saying<'_>) -> bool {
    let words = &saying.sentence.words;
    let text = case.page().text_of(saying.sentence);
    let mut names = owed.entry.names_at(case.before).filter(|name| is_name(name)).peekable();
    let is_named = names.peek().is_some();
    let is_there = |name: &str| text.contains(name) || drift(name, text).is_some();
    let names_one = names.any(is_there) || replaced(&owed.entry.text, text).is_some();
    // "No restart of both" speaks of no more than "never restart both".
    let begins_with_no = words.begin_with_no(case.phrasebook) || words.begin_with_no_behind_label(case.phrasebook);
    let is_no = usize::from(owed.claim.denies && begins_with_no);
    let is_wide = words.width(case.phrasebook) > owed.words.width(case.phrasebook) + is_no;
    let is_general = saying.clause.claim.is_general;
    // What is said besides the ban tells it from no other: "never reset them, last time people rioted".
    let own = core.forbidden(case.phrasebook);
    let lost = 1.0 - words.share_of(own.as_ref().unwrap_or(core));
    match is_named {
        true => !names_one && (is_wide || (is_general && owed.claim.denies)),
        false => is_wide && lost >= LOST || saying.precision >= ALL && lost >= BARE,
    }
}

/// Whether a clause states a rule of the same polarity.
fn states(owed: &Owed, clause: &Clause) -> bool {
    clause.claim.denies == owed.claim.denies && matches!(clause.claim.status, None | Some(Status::Pending))
}
