//! Binding severed, second kind: words that point at something are kept, and what they point at is not. The order "address L2, L3 and
//! L4" is quoted word by word, and nothing says any more what L2 is; so it is made up, and pushed. Of the losses that were read off real
//! boundaries by hand these were the commonest of weight: the words survive, what they point at does not.
//!
//! Medium where somebody who is owed something uses the words, or uses them later; high where they were given another meaning; low for
//! one thing alone that is quoted as it was said.

use std::borrow::Cow;
use std::sync::Arc;

use crate::audit::Passage;
use crate::audit::case::{Case, HARDLY, SAID};
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::labels::{beside, definitions, labels, unescaped};
use crate::audit::owed::Owed;
use crate::audit::values;
use crate::base::ids::EventIx;
use crate::evidence::{Sentence, Words, stands_whole};
use crate::ledger::effects::Class;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind};
use crate::ledger::rows::{CallRow, EventKind};

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = case.owed.iter().filter_map(|owed| offered(case, owed)).collect();
    found.extend(labelled(case));
    found
}

/// The items of a list that the words of something owed point at ("take option 2", "skip 5 and do the rest"), and that nothing says.
fn offered(case: &Case<'_>, owed: &Owed) -> Option<Finding> {
    // Where the words are gone as well, that is the loss.
    let is_said = || owed.stands() || owed.is_untold() || case.said(owed).any(|saying| saying.share >= SAID);
    if !owed.entry.kind.is_commitment() || !is_said() {
        return None;
    }
    let uses = owed.entry.edges_at(case.before).filter(|edge| edge.kind == EdgeKind::Uses);
    let meant = uses.filter_map(|edge| case.owed.iter().find(|other| other.entry.id == edge.to && !other.is_held));
    let references = meant.filter(|other| other.entry.kind == EntryKind::Reference);
    let all: Vec<&str> = references.flat_map(|reference| items(&reference.entry)).collect();
    let gone: Vec<&str> = all.iter().copied().filter(|item| !is_told(case, item)).collect();
    let passage = || case.said(owed).find_map(|saying| case.passage(saying.sentence));
    let severity = if all.len() == 1 && owed.stands() { Severity::Low } else { Severity::Medium };
    (!gone.is_empty()).then(|| finding(Some(&owed.entry), gone.join("\n"), passage(), severity))
}

/// The items that a reference means.
fn items(reference: &Entry) -> impl Iterator<Item = &str> {
    reference.text.split_once(" \u{2192} ").map_or("", |(_, items)| items).lines()
}

/// Whether a sentence says what an item is, by its number or without; or it says too little to be found.
fn is_told(case: &Case<'_>, item: &str) -> bool {
    let own = item.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (label, own) = own.split_once([' ', '|']).unwrap_or(("", own));
    let label = label.trim_end_matches(|c: char| !c.is_alphanumeric());
    // By the numbers of its comments nobody would tell it again.
    let (whole, values) = (Words::of(own, case.phrasebook), values::own(own).map(|value| Words::of(value, case.phrasebook)));
    let rest = whole.without(values.collect::<Vec<_>>().iter());
    let numbers = whole.numbers();
    let words = if rest.len() < 2 { whole } else { rest };
    let says = |sentence: &Sentence| {
        let share = case.page().share(&words, sentence);
        let has_numbers = || numbers.len() >= NUMBERS && sentence.words.share_of(&numbers) >= 1.0;
        share >= HARDLY || (share > 0.0 && is_numbered(case.page().text_of(sentence), label)) || has_numbers()
    };
    words.len() < 2 || case.page().sentences().iter().any(says)
}

/// So many numbers of an item say which it is.
const NUMBERS: usize = 2;

/// Whether a text speaks of the item of this number.
fn is_numbered(text: &str, label: &str) -> bool {
    text.contains(&format!("#{label}")) && stands_whole(text, label)
}

/// A label that is used, with what it was given for.
struct Severed {
    label: String,
    /// Each with the label.
    given: Vec<String>,
    /// Who used it before.
    user: Option<Arc<Entry>>,
    severity: Severity,
}

/// The labels that the summary uses, and nothing that stands says what they were given for: those of one user together.
fn labelled(case: &Case<'_>) -> Vec<Finding> {
    let mut found: Vec<(Option<Arc<Entry>>, Vec<Severed>)> = Vec::new();
    for severed in named(case).into_iter().filter_map(|label| severed(case, label)) {
        let user = severed.user.clone();
        let is_one = |(other, _): &&mut (Option<Arc<Entry>>, Vec<Severed>)| {
            other.as_ref().map(|entry| entry.id) == user.as_ref().map(|entry| entry.id)
        };
        match found.iter_mut().find(is_one) {
            Some((_, group)) => group.push(severed),
            None => found.push((user, vec![severed])),
        }
    }
    let finding = |(user, group): (Option<Arc<Entry>>, Vec<Severed>)| {
        let given = group.iter().filter_map(|one| one.given.first().cloned()).collect::<Vec<_>>().join("\n");
        let severity = group.iter().map(|one| one.severity).max().unwrap_or(Severity::Medium);
        let passage = group.first().and_then(|one| uses(case, &one.label));
        finding(user.as_ref(), given, passage, severity)
    };
    found.into_iter().map(finding).collect()
}

/// The labels that the summary uses, each once.
fn named<'c>(case: &'c Case<'_>) -> Vec<&'c str> {
    let mut named: Vec<&str> = Vec::new();
    for text in summaries(case) {
        named.extend(labels(text).filter_map(|place| text.get(place)));
    }
    named.sort_unstable();
    named.dedup();
    named
}

/// What the runtime wrote in the place of what went.
fn summaries<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c str> {
    let own = case.standing.pieces.iter().enumerate().filter(|(_, piece)| Some(piece.event) == case.row.summary);
    own.map(|(n, _)| case.page().text(n))
}

/// What a label was given for, where somebody needs it and nothing that stands says it.
fn severed(case: &Case<'_>, label: &str) -> Option<Severed> {
    let owed = case.owed.iter().find(|owed| is_human(&owed.entry) && has(&owed.entry.text, label));
    let later: Vec<&CallRow> =
        acts(case).filter(|call| call.input.contains(label) && has(&unescaped(&call.input), label)).collect();
    if owed.is_none() && later.is_empty() && !is_asked_about(case, label) {
        return None;
    }
    let given = given(case, label);
    let own: Vec<Words> = given.iter().map(|given| case.words_beside(given, label)).collect();
    let is_given = |text: &str| {
        let words = Words::of(text, case.phrasebook);
        own.iter().any(|own| words.share_of(own) > 0.0)
    };
    let says_it = |text: &str| beside(text, label, case.phrasebook).into_iter().any(is_given);
    let mut pages = (0..case.standing.pieces.len()).map(|n| case.page().text(n));
    if given.is_empty() || pages.any(says_it) || case.kept().any(|text| text.contains(label) && says_it(&text)) {
        return None;
    }
    let is_made_up = |call: &&CallRow| {
        let input = unescaped(&call.input);
        let told = definitions(&input, case.phrasebook);
        told.iter().any(|told| told.label == label && !is_given(told.says))
    };
    let severity = if later.iter().any(is_made_up) { Severity::High } else { Severity::Medium };
    let user = owed.map(|owed| Arc::clone(&owed.entry)).or_else(|| user(case, label));
    let given = given.iter().map(|says| format!("{label}: {says}")).collect();
    Some(Severed { label: label.to_owned(), given, user, severity })
}

/// Whether a text has a label.
fn has(text: &str, label: &str) -> bool {
    text.contains(label) && labels(text).any(|place| text.get(place) == Some(label))
}

/// Whether a human said it, and meant something to be done.
fn is_human(entry: &Entry) -> bool {
    entry.kind.is_commitment() && !entry.is_of_last_message()
}

/// What leaves the machine or is recorded for others, up to the next compaction.
fn acts<'c>(case: &'c Case<'_>) -> impl Iterator<Item = &'c CallRow> {
    let until = next(case);
    let later = case.lane.calls.iter().filter(move |call| call.event > case.row.event && until.is_none_or(|end| call.event < end));
    later.filter(|call| call.class == Class::External || call.aftermath.commits())
}

fn next(case: &Case<'_>) -> Option<EventIx> {
    case.lane.boundaries.iter().filter(|row| row.summary.is_some()).map(|row| row.event).find(|event| *event > case.row.event)
}

/// Whether a human uses a label in the first words after the boundary.
fn is_asked_about(case: &Case<'_>, label: &str) -> bool {
    let end = next(case).map_or(case.lane.events.len(), EventIx::index);
    let later = case.row.event.index() + 1..end;
    let prompts = later.filter(|n| case.lane.events.get(*n).is_some_and(|row| row.kind == EventKind::Prompt));
    prompts.filter_map(|n| case.lane.labels.get(n)).any(|line| has(line, label))
}

/// The newest words of a human before the boundary that use a label, whether they are still owed or not.
fn user(case: &Case<'_>, label: &str) -> Option<Arc<Entry>> {
    let entries = case.known().filter(|entry| is_human(entry) && has(&entry.text, label));
    entries.max_by_key(|entry| entry.known()).map(Arc::clone)
}

/// The most messages that are read again for what a label was given for.
const MESSAGES: usize = 64;

/// What a label was given for before the boundary: in what was planned, written or sent; else in what was said.
fn given(case: &Case<'_>, label: &str) -> Vec<String> {
    let planned = case.known().map(|entry| Cow::Borrowed(&*entry.text));
    let sent = case.calls_before().filter(|call| call.input.contains(label));
    let sent = sent.map(|call| unescaped(&call.input));
    let found: Vec<String> = planned.chain(sent).flat_map(|text| given_in(case, &text, label)).collect();
    if !found.is_empty() {
        return found;
    }
    let said = (0..case.row.event.index()).rev().filter(|n| {
        let kind = case.lane.events.get(*n).map(|row| row.kind);
        matches!(kind, Some(EventKind::Assistant | EventKind::Summary | EventKind::Prompt))
    });
    let said = said.take(MESSAGES).map(|n| case.texts.text(EventIx::from_index(n)));
    said.map(|text| given_in(case, &text, label)).find(|found| !found.is_empty()).unwrap_or_default()
}

fn given_in(case: &Case<'_>, text: &str, label: &str) -> Vec<String> {
    if !text.contains(label) {
        return Vec::new();
    }
    definitions(text, case.phrasebook).iter().filter(|one| one.label == label).map(|one| one.says.to_owned()).collect()
}

/// The first sentence of the summary that uses a label.
fn uses(case: &Case<'_>, label: &str) -> Option<Passage> {
    case.first_passage(|text| has(text, label))
}

fn finding(user: Option<&Arc<Entry>>, before: String, after: Option<Passage>, severity: Severity) -> Finding {
    let found = Finding::new(FindingClass::BindingSevered, severity, after);
    Finding { entry: user.map(Arc::clone), fate: user.map(|_| Fate::Missing), before: Some(before), ..found }
}
