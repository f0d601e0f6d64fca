//! Committed-value loss: a confirmed value is gone or different; it is derived again, and comes out otherwise (essay 001; in the field
//! anthropics/claude-code#88753, the wrong database).
//!
//! High where another value stands in its place or it was tagged; medium where it is gone, low with what was asked once. Of what was settled nothing has to be said;
//! but what is said must be true: low where another value stands, medium where something was done with it.

use std::cell::OnceCell;
use std::sync::Arc;

use super::Loss;
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::audit::replaced::Replaced;
use crate::audit::values::{self, is_name, numbers};
use crate::ledger::entry::EntryKind;
use crate::ledger::entry::{Entry, EntryStatus, Scope};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() || !owed.entry.kind.is_commitment() || case.is_unobserved() {
        return None;
    }
    if let Some(replaced) = Replaced::of(case, owed) {
        return Some(Loss::altered(case, Severity::Medium, replaced.saying));
    }
    if owed.is_foreign {
        return None;
    }
    let states_a_value = owed.entry.kind == EntryKind::Value || owed.entry.also.contains(&EntryKind::Value);
    let is_rule = owed.is_rule();
    let counts = |value: &&str| states_a_value || is_rule || !is_name(value);
    let named = owed.entry.names_at(case.before).filter(counts).map(str::to_owned);
    let values: Vec<String> = named.chain(numbers(&owed.entry.text)).collect();
    let gone = |value: &&String| !case.standing.names(value) && !case.standing.has_words(value);
    let gone: Vec<&String> = values.iter().filter(gone).collect();
    if gone.is_empty() {
        return None;
    }
    let saying = case.said(owed).find(|saying| saying.share >= SAID && case.states(owed, saying));
    match saying {
        Some(saying) => {
            let other = !numbers(case.page().text_of(saying.sentence)).is_empty();
            let severity = if other && states_a_value { Severity::High } else { Severity::Medium };
            Some(Loss::altered(case, severity, saying))
        }
        // Of what was to be done with it more is gone than the value.
        None => (states_a_value && !owed.forbids() && (owed.entry.kind == EntryKind::Value || !owed.words.begin_as_order()))
            .then(|| Loss::missing(severity(owed))),
    }
}

/// What it can cost that a value is gone.
fn severity(owed: &Owed) -> Severity {
    let is_once = owed.entry.scope == Scope::OneShot && owed.entry.kind != EntryKind::Value;
    match owed.is_explicit() {
        true => Severity::High,
        // With what was asked once its numbers are over.
        false if is_once => Severity::Low,
        false => Severity::Medium,
    }
}

/// So many settled entries are looked at, the newest.
const SETTLED: usize = 256;

/// A longer one is not one value.
const LONG: usize = 300;

/// The values of what had been settled that stand otherwise now, by a value that nobody had named before.
pub(super) fn settled(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let news = News::of(case);
    let mut newest: Vec<&Arc<Entry>> = case.known().rev().filter(|entry| is_settled(entry, case)).take(SETTLED).collect();
    newest.reverse();
    newest.into_iter().filter_map(|entry| settled_otherwise(case, entry, &news)).collect()
}

fn is_settled(entry: &Entry, case: &Case<'_>) -> bool {
    let is_settled = entry.kind.is_commitment() && entry.status_at(case.before) == Some(EntryStatus::Settled);
    is_settled && entry.text.len() <= LONG && !entry.is_whole_text()
}

fn settled_otherwise(case: &Case<'_>, entry: &Arc<Entry>, news: &News<'_>) -> Option<Finding> {
    // What counts something stands in many places that are not about it.
    let is_gone = |value: &str| values::counted(value, &entry.text) != value || !case.page().names(value);
    let reading = case.readings.of(entry, case.phrasebook);
    if !reading.values(entry, case.phrasebook).own.iter().any(|value| is_gone(value)) {
        return None;
    }
    let replaced = Replaced::of_settled(case, entry, &|saying| news.are_in(saying))?;
    if !is_new(case, replaced.new, &replaced.saying) || case.page().holds(&entry.text).is_some() {
        return None;
    }
    let severity = if case.is_acted_on(replaced.new) { Severity::Medium } else { Severity::Low };
    let loss = Loss { severity, fate: Fate::Altered, after: case.passage(replaced.saying.sentence) };
    Some(Finding::of_loss(FindingClass::CommittedValueLoss, loss, entry))
}

/// The sentences that have a value which nobody had named before. Many entries are said best by the same ones.
struct News<'c> {
    case: &'c Case<'c>,
    sentences: Vec<OnceCell<bool>>,
}

impl<'c> News<'c> {
    fn of(case: &'c Case<'c>) -> Self {
        Self { case, sentences: vec![OnceCell::new(); case.page().sentences().len()] }
    }

    /// Whether they are in the sentence of a saying.
    fn are_in(&self, saying: &Saying<'_>) -> bool {
        let text = self.case.page().text_of(saying.sentence);
        let are_there = || values::possible(text).any(|value| is_new(self.case, value, saying));
        self.sentences.get(saying.clause.sentence).is_some_and(|known| *known.get_or_init(are_there))
    }
}

/// Whether nobody had named a value of a sentence before, neither alone nor with what it counts or what it is called by.
fn is_new(case: &Case<'_>, value: &str, saying: &Saying<'_>) -> bool {
    let text = case.page().text_of(saying.sentence);
    let (told, labelled) = (values::counted(value, text), values::labelled(value, text));
    let is_said = |value: &str| case.humans.page.names(value) || case.humans.others.names(value);
    let is_known = is_said(told) || (labelled != value && is_said(labelled));
    !(is_known || told == value && case.was_given(told))
}
