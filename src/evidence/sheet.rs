//! One text prepared: cut into sentences and clauses, each with its words and what it claims.

use std::ops::Range;

use crate::evidence::claim::Claim;
use crate::evidence::cut::{Cut, clauses, cut};
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::section::{Section, section};
use crate::evidence::words::{Token, Words};

/// A text prepared by itself: read once, it can stand on several pages.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(super) text: String,
    pub(super) sentences: Vec<Sentence>,
    /// Each with the number of its sentence on this sheet.
    pub(super) clauses: Vec<Clause>,
}

impl Sheet {
    /// Reads a text.
    #[must_use]
    pub fn new(text: &str, phrasebook: &Phrasebook) -> Self {
        let mut sheet = Self { text: text.to_owned(), sentences: Vec::new(), clauses: Vec::new() };
        let mut heading = None;
        let (mut own, mut below) = (Section::Plain, Section::Plain);
        for mut cut in cut(text) {
            if cut.heading != heading {
                let read = |at: &Option<Range<usize>>| {
                    at.clone().and_then(|at| text.get(at)).map_or(Section::Plain, |heading| section(heading, phrasebook))
                };
                heading.clone_from(&cut.heading);
                own = read(&heading);
                // A head that says nothing leaves what the one above it says.
                below = if own == Section::Plain { read(&cut.above) } else { own };
            }
            if own == Section::Plain {
                cut.range.start = cut.lead;
            }
            sheet.sentence(text, cut, below, phrasebook);
        }
        sheet
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn sentence(&mut self, text: &str, cut: Cut, section: Section, phrasebook: &Phrasebook) {
        let (sentence, first) = (self.sentences.len(), self.clauses.len());
        let words = words_at(text, &cut.range, phrasebook);
        if !cut.is_code {
            self.clauses.extend(clauses(text, &cut.range).into_iter().map(|range| {
                let words = words.within(&range);
                let claim = Claim::of(text.get(range.clone()).unwrap_or_default(), &words.tokens, phrasebook);
                Clause { sentence, range, words, claim, is_answered: false }
            }));
            self.answer(text, first, phrasebook);
        }
        self.sentences.push(Sentence {
            text: 0,
            range: cut.range,
            section,
            is_heading: cut.is_heading,
            is_code: cut.is_code,
            is_numbered: cut.is_numbered,
            words,
            clauses: first..self.clauses.len(),
        });
    }
}

impl Sheet {
    /// Notes of which of the last clauses, from `first` on, the one behind it says that it is done: "PNG chart: done", "Banner - built".
    fn answer(&mut self, text: &str, first: usize, phrasebook: &Phrasebook) {
        for n in first..self.clauses.len() {
            let (Some(label), Some(answer)) = (self.clauses.get(n), self.clauses.get(n + 1)) else { return };
            let mark = text.get(label.range.end..answer.range.start).unwrap_or_default().trim();
            let is_mark = [":", "-", "–", "—", "→", "=>"].contains(&mark);
            let is_label = label.claim.status.is_none() && !label.claim.tells_past;
            let is_answered = is_mark && is_label && answer.words.begin_as_done(&answer.claim, phrasebook);
            if let Some(label) = self.clauses.get_mut(n) {
                label.is_answered = is_answered;
            }
        }
    }
}

/// A sentence of one of the texts.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its sentence.
    pub sentence: usize,
    /// Its bytes.
    pub range: Range<usize>,
    /// Its words.
    pub words: Words,
    /// What it claims.
    pub claim: Claim,
    /// Whether it is a label, and what stands behind it says that it is done: "PNG chart: done".
    pub is_answered: bool,
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
    fn a_clause_has_the_words_of_its_sentence() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let text = "Don't push (it's the users' branch), but run a -> b; \u{4e0d}\u{8981}\u{5220}\u{9664}, however, cannot fail.";
        let sheet = Sheet::new(text, &phrasebook);
        assert!(sheet.clauses.len() > 3);
        for clause in &sheet.clauses {
            let own = words_at(text, &clause.range, &phrasebook);
            assert_eq!(clause.words.stems, own.stems, "{}", &text[clause.range.clone()]);
            let places = |words: &Words| words.tokens.iter().map(|token| (token.word, token.range.clone())).collect::<Vec<_>>();
            assert_eq!(places(&clause.words), places(&own), "{}", &text[clause.range.clone()]);
        }
    }
}
