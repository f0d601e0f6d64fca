//! What a statement about a human's will rests on: as much of it as anybody said before the boundary, and what is new in it.

use crate::audit::case::Case;
use crate::evidence::{Page, Words};

/// What stands behind a statement.
pub(super) struct Support<'c> {
    case: &'c Case<'c>,
    words: &'c Words,
    /// How many of its words nobody had used, and that share of all.
    strange: (usize, f64),
}

/// So much of a statement is told in its own words.
const TOLD: f64 = 0.5;

/// So many new words, and so large a share of them, no retelling has.
const STRANGE: (usize, f64) = (2, 0.4);

/// Half of a rule is what it is about.
const HALF: f64 = 0.5;

/// And so large a share never.
const STRANGER: f64 = 0.6;

impl<'c> Support<'c> {
    /// Looks for what some words of the summary say, leaving out their own sentence.
    pub(super) fn of(case: &'c Case<'c>, words: &'c Words, sentence: usize) -> Self {
        let pages = [&case.humans.page, &case.humans.others, &case.humans.proposed];
        let known = pages.map(|page| (page, None)).into_iter().chain([(case.page(), Some(sentence))]);
        let known: Vec<(&Page, Option<usize>)> = known.collect();
        let all = case.owed.iter().map(|owed| &*owed.words);
        let strange = words.count_new(&known, all);
        Self { case, words, strange: (strange, strange as f64 / words.len().max(1) as f64) }
    }

    /// Whether somebody spoke of half of what some words are about, wherever.
    pub(super) fn is_known(case: &Case<'_>, words: &Words) -> bool {
        let pages = [&case.humans.page, &case.humans.others, &case.humans.proposed];
        pages.into_iter().any(|page| page.share_known(words) >= TOLD)
    }

    /// The most of it that one sentence says. Most statements are known to be new, or not, without it.
    fn said(&self) -> f64 {
        let pages = [&self.case.humans.page, &self.case.humans.others, &self.case.humans.proposed];
        let said = pages.into_iter().map(|page| most(page, self.words)).fold(0.0, f64::max);
        let owed = self.case.owed.iter().map(|owed| owed.words.share_of(self.words)).fold(0.0, f64::max);
        said.max(owed)
    }

    /// Whether it speaks of what nobody had spoken of.
    pub(super) fn is_strange(&self) -> bool {
        let (count, share) = self.strange;
        count >= STRANGE.0 && (share >= STRANGER || (share >= STRANGE.1 && self.said() < TOLD))
    }

    /// How many of its words are new, and that share of all.
    pub(super) fn strange(&self) -> (usize, f64) {
        self.strange
    }

    /// Whether half of it is new.
    pub(super) fn is_half_strange(&self) -> bool {
        self.strange.1 >= HALF && self.said() <= HALF
    }
}

/// The most that one sentence of a page says of some words.
fn most(page: &Page, words: &Words) -> f64 {
    let found = page.matches(words, 8).into_iter().filter_map(|found| page.sentence_of(found.clause));
    found.map(|sentence| sentence.words.share_of(words)).fold(0.0, f64::max)
}
