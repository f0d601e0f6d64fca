//! Texts prepared for many questions: each sentence is read once, and found again by what it is about.

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::hash::Hash64;
use crate::evidence::claim::Status;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::section::Section;
use crate::evidence::sheet::{Clause, Sentence, Sheet};
use crate::evidence::words::Words;
use crate::evidence::{Haystack, core, is_run, normalise, runs};

/// Texts that stand somewhere, in their order.
#[derive(Debug, Default)]
pub struct Page {
    texts: Vec<String>,
    haystack: Haystack,
    /// Where each of the texts ends in the haystack.
    ends: Vec<usize>,
    /// The runs that stand in it: what has another one stands nowhere.
    runs: FxHashSet<Hash64>,
    sentences: Vec<Sentence>,
    clauses: Vec<Clause>,
    /// How many things each clause is about, close together: whoever looks for matches asks that of very many.
    sizes: Vec<u32>,
    /// The clauses that are about something.
    about: FxHashMap<Hash64, Vec<u32>>,
}

/// How well a clause says what a text says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The clause.
    pub clause: usize,
    /// The share of the text that is in the clause, rare words counting more.
    pub recall: f64,
    /// The share of the clause that is in the text.
    pub precision: f64,
    /// How many words both have.
    pub shared: usize,
    /// The share of the text that is in the whole sentence.
    pub share: f64,
}

impl Match {
    /// How good it is: what of the text is there counts most.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.recall + self.precision / 4.0
    }

    /// Whether it is better than another one, or as good and stands before it.
    fn is_better(&self, other: &Self) -> bool {
        self.score().total_cmp(&other.score()).then(other.clause.cmp(&self.clause)).is_gt()
    }
}

impl Page {
    /// Prepares texts.
    #[must_use]
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>, phrasebook: &Phrasebook) -> Self {
        let mut page = Self::default();
        for text in texts {
            page.add(text, phrasebook);
        }
        page
    }

    /// Prepares one more text; its number.
    pub fn add(&mut self, text: &str, phrasebook: &Phrasebook) -> usize {
        self.take(Sheet::new(text, phrasebook))
    }

    /// Adds a text that was prepared; its number.
    pub fn take(&mut self, sheet: Sheet) -> usize {
        let (number, sentences, clauses) = (self.texts.len(), self.sentences.len(), self.clauses.len());
        for (n, clause) in sheet.clauses.into_iter().enumerate() {
            let own = u32::try_from(clauses + n).unwrap_or(u32::MAX);
            for stem in &clause.words.stems {
                self.about.entry(*stem).or_default().push(own);
            }
            self.sizes.push(u32::try_from(clause.words.len()).unwrap_or(u32::MAX));
            self.clauses.push(Clause { sentence: sentences + clause.sentence, ..clause });
        }
        self.sentences.extend(sheet.sentences.into_iter().map(|sentence| {
            let own = clauses + sentence.clauses.start..clauses + sentence.clauses.end;
            Sentence { text: number, clauses: own, ..sentence }
        }));
        let text = self.haystack.add(&sheet.text);
        self.runs.extend(runs(text).map(|run| Hash64::of(run.as_bytes())));
        self.ends.push(self.haystack.len());
        self.texts.push(sheet.text);
        number
    }

    /// The first text in which this one stands word by word.
    #[must_use]
    pub fn holds(&self, text: &str) -> Option<usize> {
        let text = normalise(text);
        let core = core(&text);
        // Where it stands its runs do, but for those in which it begins and ends.
        let mut inner = runs(core).skip(1).peekable();
        while let Some(run) = inner.next() {
            if inner.peek().is_some() && !self.has_run(run) {
                return None;
            }
        }
        self.haystack.place_of_core(core).map(|at| self.text_at(at))
    }

    /// Whether an exact value stands in full in one of the texts.
    #[must_use]
    pub fn names(&self, value: &str) -> bool {
        let value = normalise(value);
        let may_stand = runs(&value).all(|run| self.has_run(run));
        may_stand && (is_run(&value) || self.haystack.place_of_value(&value).is_some())
    }

    fn has_run(&self, run: &str) -> bool {
        self.runs.contains(&Hash64::of(run.as_bytes()))
    }

    /// Whether a value is written in one of the texts, be it as a part of a longer word.
    #[must_use]
    pub fn spells(&self, value: &str) -> bool {
        let finder = memmem::Finder::new(value);
        self.texts.iter().any(|text| finder.find(text.as_bytes()).is_some())
    }

    /// The text at a place of the haystack.
    fn text_at(&self, place: usize) -> usize {
        self.ends.partition_point(|end| *end <= place)
    }

    /// A sentence by its number.
    #[must_use]
    pub fn sentence_at(&self, sentence: usize) -> Option<&Sentence> {
        self.sentences.get(sentence)
    }

    /// All sentences, in their order.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// The sentences of one of the texts.
    #[must_use]
    pub fn sentences_of(&self, text: usize) -> &[Sentence] {
        let from = |text: usize| self.sentences.partition_point(|sentence| sentence.text < text);
        self.sentences.get(from(text)..from(text + 1)).unwrap_or_default()
    }

    /// A clause by its number.
    #[must_use]
    pub fn clause_at(&self, clause: usize) -> Option<&Clause> {
        self.clauses.get(clause)
    }

    /// The clauses of a sentence, in their order.
    #[must_use]
    pub fn clauses_of(&self, sentence: &Sentence) -> &[Clause] {
        self.clauses.get(sentence.clauses.clone()).unwrap_or_default()
    }

    /// The sentence of a clause, by the clause's number.
    #[must_use]
    pub fn sentence_of(&self, clause: usize) -> Option<&Sentence> {
        self.sentence_at(self.clause_at(clause)?.sentence)
    }

    /// All clauses, in their order.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The share of small English words in all its sentences.
    #[must_use]
    pub fn english(&self) -> f64 {
        let told = self.sentences.iter().filter(|sentence| !sentence.is_code);
        let (sum, count) = told.fold((0.0, 0_usize), |(sum, count), sentence| {
            let words = sentence.words.tokens.len();
            (sum + sentence.words.english() * words as f64, count + words)
        });
        if count == 0 { 0.0 } else { sum / count as f64 }
    }

    /// The share of its sentences that are in another language than English, of those that tell.
    #[must_use]
    pub fn abroad(&self) -> f64 {
        let told: Vec<bool> = self.sentences.iter().filter(|at| !at.is_code).filter_map(|at| at.words.are_abroad()).collect();
        told.iter().filter(|is_abroad| **is_abroad).count() as f64 / told.len().max(1) as f64
    }

    /// One of the texts.
    #[must_use]
    pub fn text(&self, number: usize) -> &str {
        self.texts.get(number).map_or("", String::as_str)
    }

    /// The words of a sentence.
    #[must_use]
    pub fn text_of(&self, sentence: &Sentence) -> &str {
        self.texts.get(sentence.text).and_then(|text| text.get(sentence.range.clone())).unwrap_or_default()
    }

    /// The words of a clause.
    #[must_use]
    pub fn text_of_clause(&self, clause: &Clause) -> &str {
        let text = self.sentences.get(clause.sentence).and_then(|sentence| self.texts.get(sentence.text));
        text.and_then(|text| text.get(clause.range.clone())).unwrap_or_default()
    }

    /// What stands before a clause in its sentence; none where it begins it.
    #[must_use]
    pub fn text_before(&self, clause: &Clause) -> Option<&str> {
        let sentence = self.sentences.get(clause.sentence)?;
        let before = self.texts.get(sentence.text)?.get(sentence.range.start..clause.range.start)?;
        (!before.trim().is_empty()).then_some(before)
    }

    /// Whether a clause stands in brackets.
    #[must_use]
    pub fn is_in_brackets(&self, clause: usize) -> bool {
        let Some(clause) = self.clauses.get(clause) else { return false };
        let text = self.sentences.get(clause.sentence).and_then(|sentence| self.texts.get(sentence.text));
        text.and_then(|text| text.get(..clause.range.start)).is_some_and(|before| before.trim_end().ends_with('('))
    }

    /// The status that a clause has: by its own words, else by those of its sentence, else by its heading.
    #[must_use]
    pub fn status_of(&self, clause: &Clause) -> Option<Status> {
        let sentence = self.sentences.get(clause.sentence);
        let told = clause.claim.tells_past.then_some(Status::Done);
        // "Next: post the note (m-17) to the list": what goes on behind a bracket is no claim of its own. That a part was done says
        // nothing of the rest.
        let is_open = |status: &Status| *status != Status::Done;
        let goes_on =
            || self.behind_brackets(clause).and_then(|on| on.claim.status.or(on.claim.tells_past.then_some(Status::Done)));
        let beside = || self.clauses_of(sentence?).iter().find_map(|other| other.claim.status).filter(is_open);
        let answered = clause.is_answered.then_some(Status::Done);
        clause.claim.status.or(told).or_else(beside).or(answered).or_else(goes_on).or(
            match sentence.map(|sentence| sentence.section) {
                Some(Section::Pending) => Some(Status::Pending),
                Some(Section::Done) => Some(Status::Done),
                Some(Section::Unknown) => Some(Status::Unknown),
                _ => None,
            },
        )
    }

    /// What goes on behind the brackets in which a clause ends: "the server (pid 4821) was stopped".
    #[must_use]
    pub fn behind_brackets(&self, clause: &Clause) -> Option<&Clause> {
        let sentence = self.sentences.get(clause.sentence)?;
        let own = sentence.clauses.clone().find(|n| self.clauses.get(*n).is_some_and(|other| other.range == clause.range))?;
        (self.is_in_brackets(own + 1) && sentence.clauses.contains(&(own + 2))).then(|| self.clauses.get(own + 2))?
    }

    /// How much a word tells: one that stands nowhere else tells most.
    fn weight(&self, stem: Hash64) -> f64 {
        weight(self.clauses_about(stem))
    }

    fn clauses_about(&self, stem: Hash64) -> &[u32] {
        self.about.get(&stem).map_or(&[], Vec::as_slice)
    }

    /// The clauses that share words with a text, best first, at most `most`.
    #[must_use]
    pub fn matches(&self, words: &Words, most: usize) -> Vec<Match> {
        let about = words.stems.iter().map(|stem| (stem, self.clauses_about(*stem)));
        let about: Vec<_> = about.map(|(stem, clauses)| (stem, clauses, weight(clauses))).collect();
        let total: f64 = about.iter().map(|(_, _, weight)| weight).sum();
        // Of each clause how much it shares, and how many words; and which clauses share any.
        let mut tallies = vec![(0.0, 0_u32); self.clauses.len()];
        let mut sharing: Vec<u32> = Vec::new();
        for (_, clauses, weight) in &about {
            for clause in *clauses {
                let Some((sum, count)) = tallies.get_mut(*clause as usize) else { continue };
                if *count == 0 {
                    sharing.push(*clause);
                }
                (*sum, *count) = (*sum + weight, *count + 1);
            }
        }
        // Of hundreds that share a word the best are kept, in order.
        let mut matched: Vec<Match> = Vec::with_capacity(most + 1);
        for clause in sharing.into_iter().map(|clause| clause as usize) {
            let (Some((sum, count)), Some(size)) = (tallies.get(clause), self.sizes.get(clause)) else { continue };
            let recall = sum / total;
            let last = matched.last().filter(|_| matched.len() >= most);
            // Most are not among the best even if they say nothing else.
            if last.is_some_and(|last| recall + 1.0 / 4.0 < last.score()) {
                continue;
            }
            let precision = f64::from(*count) / f64::from(*size);
            let found = Match { clause, recall, precision, shared: *count as usize, share: 0.0 };
            if last.is_none_or(|last| found.is_better(last)) {
                matched.insert(matched.partition_point(|known| known.is_better(&found)), found);
                matched.truncate(most);
            }
        }
        for found in &mut matched {
            let Some(sentence) = self.sentence_of(found.clause) else { continue };
            let there = about.iter().filter(|(stem, ..)| sentence.words.stems.binary_search(stem).is_ok());
            found.share = there.map(|(_, _, weight)| weight).sum::<f64>() / total;
        }
        matched
    }

    /// The share of some words that any text is about, each word counting the same: no clause says more of them.
    #[must_use]
    pub fn share_known(&self, words: &Words) -> f64 {
        let known = words.stems.iter().filter(|stem| self.about.contains_key(stem)).count();
        if words.is_empty() { 0.0 } else { known as f64 / words.len() as f64 }
    }

    /// Whether any text is about this thing, apart from one sentence.
    pub(super) fn knows(&self, stem: Hash64, but: Option<usize>) -> bool {
        let is_other = |clause: &u32| self.clauses.get(*clause as usize).is_some_and(|clause| Some(clause.sentence) != but);
        self.about.get(&stem).is_some_and(|clauses| clauses.iter().any(is_other))
    }

    /// The share of a text that stands in a sentence.
    #[must_use]
    pub fn share(&self, words: &Words, sentence: &Sentence) -> f64 {
        let is_there = |stem: &&Hash64| sentence.words.stems.binary_search(stem).is_ok();
        self.sum(words, is_there)
    }

    /// The share of some words that stands in one of the texts, in whichever of its sentences, each word counting the same.
    #[must_use]
    pub fn share_in_text(&self, words: &Words, text: usize) -> f64 {
        let is_of = |clause: &u32| {
            let clause = self.clauses.get(*clause as usize);
            clause.and_then(|clause| self.sentences.get(clause.sentence)).is_some_and(|sentence| sentence.text == text)
        };
        let is_there = |stem: &&Hash64| self.about.get(stem).is_some_and(|clauses| clauses.iter().any(is_of));
        let found = words.stems.iter().filter(is_there).count();
        if words.is_empty() { 0.0 } else { found as f64 / words.len() as f64 }
    }

    /// The share of some words that stands in a sentence and its neighbours of the same text, each word counting the same.
    #[must_use]
    pub fn share_around(&self, words: &Words, sentence: usize) -> f64 {
        let text = self.sentence_at(sentence).map(|own| own.text);
        let around = sentence.saturating_sub(1)..(sentence + 2).min(self.sentences.len());
        let around = self.sentences.get(around).unwrap_or_default().iter();
        let near: Vec<&Sentence> = around.filter(|near| Some(near.text) == text).collect();
        let is_there = |stem: &&Hash64| near.iter().any(|near| near.words.stems.binary_search(stem).is_ok());
        let found = words.stems.iter().filter(is_there).count();
        if words.is_empty() { 0.0 } else { found as f64 / words.len() as f64 }
    }

    /// The share of some words for which something holds, rare words counting more.
    fn sum(&self, words: &Words, is_there: impl Fn(&&Hash64) -> bool) -> f64 {
        let total: f64 = words.stems.iter().map(|stem| self.weight(*stem)).sum();
        let found: f64 = words.stems.iter().filter(is_there).map(|stem| self.weight(*stem)).sum();
        if total > 0.0 { found / total } else { 0.0 }
    }
}

/// How much a word tells that stands in these clauses.
fn weight(clauses: &[u32]) -> f64 {
    1.0 / (1.0 + (1.0 + clauses.len() as f64 / 2.0).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_is_found_in_its_own_text() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let page = Page::new(["Fix src/a.rs.", "", "Never push\nto main: use port 8443."], &phrasebook);
        for (text, held, named, spelled) in [
            ("src/a.rs", Some(0), true, true),
            ("never push to `main`", Some(2), true, false),
            ("8443", Some(2), true, true),
            ("port 844", Some(2), false, true),
            // No text goes on in the next one.
            ("src/a.rs. Never push", None, false, false),
            ("", None, false, true),
        ] {
            assert_eq!((page.holds(text), page.names(text), page.spells(text)), (held, named, spelled), "{text:?}");
        }
    }
}
