//! A boundary's case: what was owed before it, what stands after it, and what any human had said, prepared for every class of finding.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::audit::Passage;
use crate::audit::humans::Humans;
use crate::audit::owed::Owed;
use crate::audit::readings::Readings;
use crate::audit::standing::Standing;
use crate::audit::texts::Texts;
use crate::base::ids::{EntryId, EventIx, SpanIx};
use crate::evidence::{Clause, Ends, Kept, Match, Page, Phrasebook, Sentence, Status, Words};
use crate::ledger::effects::Wordings;
use crate::ledger::entry::Entry;
use crate::ledger::rows::{BoundaryRow, CallRow, EventKind, EventRow, SpanKind, SpanRow};
use crate::ledger::snapshot::Slot;
use crate::ledger::{LaneSnapshot, Rulebook};

/// Everything that a class of finding may look at.
pub(super) struct Case<'a> {
    pub(super) lane: &'a LaneSnapshot,
    pub(super) row: &'a BoundaryRow,
    pub(super) texts: &'a dyn Texts,
    pub(super) phrasebook: &'a Phrasebook,
    pub(super) wordings: &'a Wordings,
    /// The last event before the boundary.
    pub(super) before: EventIx,
    pub(super) standing: Standing,
    pub(super) humans: &'a Humans,
    pub(super) readings: &'a Readings,
    /// The entries that were live and stood, by id.
    pub(super) owed: Vec<Owed>,
    /// How many calls were made before the boundary.
    earlier: usize,
    /// The number of the first that was made after it.
    later: usize,
    /// Of each clause, the entry that it says best.
    owners: FxHashMap<usize, (EntryId, f64)>,
}

/// How many clauses are looked at for an entry.
const CANDIDATES: usize = 12;

/// The share of an entry that must stand in a sentence, so that the sentence says it.
pub(super) const SAID: f64 = 0.5;

/// Below this share nothing says it.
pub(super) const HARDLY: f64 = 0.34;

/// How much of an entry a clause must say that says another one better.
const IN_PASSING: f64 = 0.75;

impl<'a> Case<'a> {
    /// Prepares the case of a boundary.
    pub(super) fn new(
        (lane, row, standing): (&'a LaneSnapshot, &'a BoundaryRow, Standing),
        texts: &'a dyn Texts,
        rules: &'a Rulebook,
        (entries, humans, readings): (Vec<Arc<Entry>>, &'a Humans, &'a Readings),
    ) -> Self {
        let before = EventIx(row.event.0.saturating_sub(1));
        let (phrasebook, wordings) = (&*rules.phrasebook, &*rules.wordings);
        let owed = |entry| Owed::new(entry, (lane, row), &standing, (phrasebook, readings));
        let owed: Vec<Owed> = entries.into_iter().map(owed).collect();
        let earlier = lane.calls.iter().take_while(|call| call.event < row.event).count();
        let later = lane.calls.len() - lane.calls.iter().rev().take_while(|call| call.event > row.event).count();
        let owners = FxHashMap::default();
        let mut case =
            Self { lane, row, texts, phrasebook, wordings, before, standing, humans, readings, owed, earlier, later, owners };
        case.own();
        case
    }

    /// What stands after the boundary.
    pub(super) fn page(&self) -> &Page {
        &self.standing.page
    }

    /// The entries that were known before the boundary, calls aside.
    pub(super) fn known(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.lane.entries.iter().filter_map(Slot::own).filter(|entry| entry.known() <= self.before)
    }

    /// The calls that were made before the boundary, in order.
    pub(super) fn calls_before(&self) -> impl Iterator<Item = &'a CallRow> {
        self.lane.calls.range(0..self.earlier)
    }

    /// Those that were made after it, the newest first.
    pub(super) fn calls_after(&self) -> impl Iterator<Item = &'a CallRow> {
        self.lane.calls.range(self.later..self.lane.calls.len()).rev()
    }

    /// Whether a call that was made before the boundary gives a value.
    pub(super) fn was_given(&self, value: &str) -> bool {
        self.readings.uses(self.lane).is_in_first(value, self.lane, self.earlier)
    }

    /// Whether one that was made after it, and may change the world, does.
    pub(super) fn is_acted_on(&self, value: &str) -> bool {
        self.readings.uses(self.lane).is_acted_on(value, self.lane, self.later)
    }

    /// The newest messages before the boundary, as far as they stay without a gap, by their first event: the summary speaks of what was
    /// there when they began, and they tell what came of it since.
    pub(super) fn tail(&self) -> EventIx {
        let is_message = |span: &&SpanRow| matches!(span.kind, SpanKind::Prompt | SpanKind::Step) && span.first < self.row.event;
        let spans = (0..self.row.spans_before.index()).rev().map(SpanIx::from_index);
        let rows = spans.filter_map(|ix| Some((ix, self.lane.spans.get(ix.index())?))).filter(|(_, span)| is_message(span));
        let stay = rows.take_while(|(ix, _)| self.row.kept.contains(ix));
        stay.last().map_or(self.row.event, |(_, span)| span.first)
    }

    /// What was said in the messages that stay, the newest first.
    pub(super) fn kept(&self) -> impl Iterator<Item = String> + '_ {
        let is_said = |row: &EventRow| matches!(row.kind, EventKind::Prompt | EventKind::Assistant);
        let is_kept = move |row: &EventRow| is_said(row) && row.span.is_some_and(|span| self.row.kept.contains(&span));
        let events = (0..self.row.event.index()).rev().filter(move |n| self.lane.events.get(*n).is_some_and(is_kept));
        events.map(|n| self.texts.text(EventIx::from_index(n)))
    }

    /// Whether nobody can say what stands: then silence is no loss.
    pub(super) fn is_unobserved(&self) -> bool {
        self.row.opaque
    }

    /// Finds out which clause says which entry best.
    fn own(&mut self) {
        for owed in &mut self.owed {
            owed.matches = self.standing.page.matches(&owed.words, CANDIDATES);
        }
        for owed in &self.owed {
            for found in &owed.matches {
                let score = found.score();
                let owner = self.owners.entry(found.clause).or_insert((owed.entry.id, score));
                if score > owner.1 {
                    *owner = (owed.entry.id, score);
                }
            }
        }
    }

    /// The clauses that may speak of an entry, best first: not those that speak of another one and only share its words.
    pub(super) fn said<'c>(&'c self, owed: &'c Owed) -> impl Iterator<Item = Saying<'c>> + 'c {
        owed.matches.iter().filter(|found| self.is_about(owed, found)).filter_map(|found| self.saying(found))
    }

    fn is_about(&self, owed: &Owed, found: &Match) -> bool {
        let owner = self.owners.get(&found.clause);
        found.recall >= IN_PASSING || owner.is_none_or(|(id, best)| *id == owed.entry.id || found.score() + 0.1 >= *best)
    }

    fn saying(&self, found: &Match) -> Option<Saying<'_>> {
        let clause = self.page().clause_at(found.clause)?;
        let sentence = self.page().sentence_at(clause.sentence)?;
        Some(Saying {
            number: found.clause,
            clause,
            sentence,
            recall: found.recall,
            precision: found.precision,
            share: found.share.max(found.recall),
            shared: found.shared,
        })
    }

    /// The clauses that say what some words say, best first.
    pub(super) fn saying_of(&self, words: &Words) -> impl Iterator<Item = Saying<'_>> {
        self.page().matches(words, CANDIDATES).into_iter().filter_map(|found| self.saying(&found))
    }

    /// The other entry that a clause says better than this one.
    pub(super) fn other(&self, owed: &Owed, saying: &Saying<'_>) -> Option<&Owed> {
        let (id, _) = self.owners.get(&saying.number).filter(|(id, _)| *id != owed.entry.id)?;
        self.owed.iter().find(|other| other.entry.id == *id)
    }

    /// The entry that a clause says best.
    pub(super) fn owner(&self, saying: &Saying<'_>) -> Option<&Owed> {
        let (id, _) = self.owners.get(&saying.number)?;
        self.owed.iter().find(|owed| owed.entry.id == *id)
    }

    /// Whether a clause that shares words with an entry says another one better.
    pub(super) fn is_of_another(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        match owed.matches.iter().find(|found| found.clause == saying.number) {
            Some(found) => !self.is_about(owed, found),
            None => self.owners.get(&saying.number).is_some_and(|(id, _)| *id != owed.entry.id),
        }
    }

    /// Whether the clause forbids, or another clause of its sentence does: "columns: do not drop".
    pub(super) fn forbids(&self, saying: &Saying<'_>) -> bool {
        let mut clauses = self.page().clauses_of(saying.sentence).iter();
        saying.clause.claim.denies || (saying.recall < saying.share && clauses.any(|clause| clause.claim.denies))
    }

    /// Whether a clause states an entry, as far as it forbids: of a ban the sentence forbids too.
    pub(super) fn states(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        !(owed.forbids() && owed.claim.denies) || self.forbids_as(owed, saying)
    }

    /// Whether a clause forbids what an entry forbids, or lets it be done under a condition alone, as the entry does.
    pub(super) fn forbids_as(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        let keeps = || owed.words.are_kept_by(&saying.sentence.words, self.phrasebook);
        self.forbids(saying) || self.limits_as(owed, saying) || self.bounds_as(owed, saying) || keeps()
    }

    /// Whether a sentence sets the bound that an entry sets: "72 characters at most" is "a maximum of 72 characters".
    fn bounds_as(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        owed.words.bound_as(&saying.sentence.words, self.phrasebook)
    }

    /// Whether a sentence lets be done under a condition alone what an entry forbids under one: "nothing that is not signed" is "only
    /// after it was signed".
    pub(super) fn limits_as(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        let is_conditional = owed.claim.is_scoped || owed.words.deny_twice(self.phrasebook);
        is_conditional && (saying.sentence.words.limit(self.phrasebook) || self.gates_as(owed, saying))
    }

    /// Whether a sentence makes what an entry forbids wait for what the entry does: "not before Ewa has answered" is "has to wait until
    /// Ewa has answered", and "nothing without my go" is "each needs the user's go first".
    pub(super) fn gates_as(&self, owed: &Owed, saying: &Saying<'_>) -> bool {
        let (own, words) = (&owed.words, &saying.sentence.words);
        let is_in_order = || {
            let ends = Ends::of(own, self.phrasebook);
            ends.is_some_and(|ends| ends.in_words(words, self.phrasebook) == Kept::InOrder)
        };
        let is_asked = || {
            let is_told = own.want_consent(self.phrasebook) && words.tell_of_consent(self.phrasebook);
            is_told && (words.need(self.phrasebook) || words.are_ordered(self.phrasebook) || words.put_off(self.phrasebook))
        };
        let is_void = words.lift(self.phrasebook) || words.wish(self.phrasebook) || words.free(self.phrasebook);
        !is_void && (is_in_order() || is_asked())
    }

    /// The status that a clause has, by its words or its heading.
    pub(super) fn status(&self, clause: &Clause) -> Option<Status> {
        self.page().status_of(clause)
    }

    /// The first sentence of which something holds.
    pub(super) fn first_passage(&self, holds: impl Fn(&str) -> bool) -> Option<Passage> {
        let mut sentences = self.page().sentences().iter();
        self.passage(sentences.find(|sentence| holds(self.page().text_of(sentence)))?)
    }

    /// What a text is about, besides what a name in it is.
    pub(super) fn words_beside(&self, text: &str, name: &str) -> Words {
        let name = Words::of(name, self.phrasebook);
        Words::of(text, self.phrasebook).without(std::iter::once(&name))
    }

    /// Where a sentence stands.
    pub(super) fn passage(&self, sentence: &Sentence) -> Option<Passage> {
        let piece = self.standing.pieces.get(sentence.text)?;
        let text = self.page().text_of(sentence).to_owned();
        Some(Passage { event: piece.event, line: piece.line, text })
    }
}

/// A clause that says something of an entry.
#[derive(Clone, Copy)]
pub(super) struct Saying<'c> {
    /// The clause's number.
    pub(super) number: usize,
    pub(super) clause: &'c Clause,
    pub(super) sentence: &'c Sentence,
    /// The share of the entry that stands in the clause.
    pub(super) recall: f64,
    /// The share of the clause that stands in the entry.
    pub(super) precision: f64,
    /// The share of the entry that stands in the whole sentence.
    pub(super) share: f64,
    /// How many words both have.
    pub(super) shared: usize,
}
