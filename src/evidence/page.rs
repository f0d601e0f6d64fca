//! Texts prepared for many questions: each sentence is read once, and found again by what it is about.

use std::ops::Range;

use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::evidence::Haystack;
use crate::evidence::claim::{Claim, Status};
use crate::evidence::cut::{Cut, clauses, cut};
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::section::{Section, section};
use crate::evidence::words::{Token, Words};

/// Texts that stand somewhere, in their order.
#[derive(Debug, Default)]
pub struct Page {
    texts: Vec<String>,
    haystack: Haystack,
    /// Where each of the texts ends in the haystack.
    ends: Vec<usize>,
    sentences: Vec<Sentence>,
    clauses: Vec<Clause>,
    /// The clauses that are about something.
    about: FxHashMap<Hash64, Vec<u32>>,
}

/// A sentence of one of the texts.
#[derive(Debug)]
pub struct Sentence {
    /// Which text.
    pub text: usize,
    /// Its bytes.
    pub range: Range<usize>,
    /// What its heading says.
    pub section: Section,
    /// Whether it is a heading itself.
    pub is_heading: bool,
    /// Whether it is code.
    pub is_code: bool,
    /// Whether it is an item of a numbered list.
    pub is_numbered: bool,
    /// Its words.
    pub words: Words,
    /// Its clauses, by number.
    pub clauses: Range<usize>,
}

/// A clause of a sentence.
#[derive(Debug)]
pub struct Clause {
    /// Its sentence.
    pub sentence: usize,
    /// Its bytes.
    pub range: Range<usize>,
    /// Its words.
    pub words: Words,
    /// What it claims.
    pub claim: Claim,
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
}

impl Match {
    /// How good it is: what of the text is there counts most.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.recall + self.precision / 4.0
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
        let number = self.texts.len();
        let (mut heading, mut below) = (None, Section::Plain);
        for cut in cut(text) {
            if cut.heading != heading {
                heading.clone_from(&cut.heading);
                below = heading.clone().and_then(|at| text.get(at)).map_or(Section::Plain, |heading| section(heading, phrasebook));
            }
            self.sentence(text, number, cut, below, phrasebook);
        }
        self.ends.push(self.haystack.add(text));
        self.texts.push(text.to_owned());
        number
    }

    fn sentence(&mut self, text: &str, number: usize, cut: Cut, section: Section, phrasebook: &Phrasebook) {
        let sentence = self.sentences.len();
        let first = self.clauses.len();
        let words = words_at(text, &cut.range, phrasebook);
        if !cut.is_code {
            for range in clauses(text, &cut.range) {
                self.clause(text, sentence, (range.clone(), words.within(&range)), phrasebook);
            }
        }
        self.sentences.push(Sentence {
            text: number,
            range: cut.range,
            section,
            is_heading: cut.is_heading,
            is_code: cut.is_code,
            is_numbered: cut.is_numbered,
            words,
            clauses: first..self.clauses.len(),
        });
    }

    fn clause(&mut self, text: &str, sentence: usize, (range, words): (Range<usize>, Words), phrasebook: &Phrasebook) {
        let claim = Claim::of(text.get(range.clone()).unwrap_or_default(), &words.tokens, phrasebook);
        let number = u32::try_from(self.clauses.len()).unwrap_or(u32::MAX);
        for stem in &words.stems {
            self.about.entry(*stem).or_default().push(number);
        }
        self.clauses.push(Clause { sentence, range, words, claim });
    }

    /// The first text in which this one stands word by word.
    #[must_use]
    pub fn holds(&self, text: &str) -> Option<usize> {
        self.haystack.place_of(text).map(|at| self.text_at(at))
    }

    /// The first text in which an exact value stands in full.
    #[must_use]
    pub fn names(&self, value: &str) -> Option<usize> {
        self.haystack.place_of_value(value).map(|at| self.text_at(at))
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

    /// Whether a clause stands in brackets.
    #[must_use]
    pub fn is_in_brackets(&self, clause: usize) -> bool {
        let Some(clause) = self.clauses.get(clause) else { return false };
        let text = self.sentences.get(clause.sentence).and_then(|sentence| self.texts.get(sentence.text));
        text.and_then(|text| text.get(..clause.range.start)).is_some_and(|before| before.trim_end().ends_with('('))
    }

    /// The status that a clause has: by its own words, else by its heading.
    #[must_use]
    pub fn status_of(&self, clause: &Clause) -> Option<Status> {
        let section = self.sentences.get(clause.sentence).map(|sentence| sentence.section);
        let told = clause.claim.tells_past.then_some(Status::Done);
        clause.claim.status.or(told).or(match section {
            Some(Section::Pending) => Some(Status::Pending),
            Some(Section::Done) => Some(Status::Done),
            Some(Section::Unknown) => Some(Status::Unknown),
            _ => None,
        })
    }

    /// How much a word tells: one that stands nowhere else tells most.
    fn weight(&self, stem: Hash64) -> f64 {
        let clauses = self.about.get(&stem).map_or(0, Vec::len);
        1.0 / (1.0 + (1.0 + clauses as f64 / 2.0).ln())
    }

    /// The clauses that share words with a text, best first, at most `most`.
    #[must_use]
    pub fn matches(&self, words: &Words, most: usize) -> Vec<Match> {
        let total: f64 = words.stems.iter().map(|stem| self.weight(*stem)).sum();
        let mut sums: FxHashMap<u32, (f64, u32)> = FxHashMap::default();
        for stem in &words.stems {
            let weight = self.weight(*stem);
            for clause in self.about.get(stem).into_iter().flatten() {
                let sum = sums.entry(*clause).or_default();
                *sum = (sum.0 + weight, sum.1 + 1);
            }
        }
        let matched = sums.into_iter().filter_map(|(clause, (sum, shared))| {
            let own = self.clauses.get(clause as usize)?.words.len();
            Some(Match {
                clause: clause as usize,
                recall: sum / total,
                precision: f64::from(shared) / own as f64,
                shared: shared as usize,
            })
        });
        let mut matched: Vec<Match> = matched.collect();
        matched.sort_by(|one, other| other.score().total_cmp(&one.score()).then(one.clause.cmp(&other.clause)));
        matched.truncate(most);
        matched
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

/// The words of a part of a text, with their places in the whole.
fn words_at(text: &str, range: &Range<usize>, phrasebook: &Phrasebook) -> Words {
    let mut words = Words::of(text.get(range.clone()).unwrap_or_default(), phrasebook);
    for Token { range: at, .. } in &mut words.tokens {
        *at = range.start + at.start..range.start + at.end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_is_found_in_its_own_text() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let page = Page::new(["Fix src/a.rs.", "", "Never push\nto main: use port 8443."], &phrasebook);
        for (text, held, named, spelled) in [
            ("src/a.rs", Some(0), Some(0), true),
            ("never push to `main`", Some(2), Some(2), false),
            ("port 844", Some(2), None, true),
            // No text goes on in the next one.
            ("src/a.rs. Never push", None, None, false),
            ("", None, None, true),
        ] {
            assert_eq!((page.holds(text), page.names(text), page.spells(text)), (held, named, spelled), "{text:?}");
        }
    }

    #[test]
    fn a_clause_has_the_words_of_its_sentence() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let text = "Don't push (it's the users' branch), but run a -> b; \u{4e0d}\u{8981}\u{5220}\u{9664}, however, cannot fail.";
        let page = Page::new([text], &phrasebook);
        assert!(page.clauses().len() > 3);
        for clause in page.clauses() {
            let own = words_at(text, &clause.range, &phrasebook);
            assert_eq!(clause.words.stems, own.stems, "{}", page.text_of_clause(clause));
            let places = |words: &Words| words.tokens.iter().map(|token| (token.word, token.range.clone())).collect::<Vec<_>>();
            assert_eq!(places(&clause.words), places(&own), "{}", page.text_of_clause(clause));
        }
    }
}
