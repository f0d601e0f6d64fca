//! Phrases: sequences of whole words, found in a row of words.

use std::borrow::Borrow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::evidence::words::parts;

/// A list of phrases, by their first word.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    by_first: FxHashMap<Hash64, Vec<Box<[Hash64]>>>,
    /// A bit of each first word: most words begin no phrase of the list, and that is known without a look-up.
    firsts: [u64; 16],
    /// How many words the longest has.
    longest: usize,
}

/// Whether one of some places in a row of words lies within another, or is the same.
pub(super) fn is_within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Phrases {
    /// The phrases of a list.
    pub(super) fn new(phrases: &[String]) -> Self {
        let mut by_first: FxHashMap<Hash64, Vec<Box<[Hash64]>>> = FxHashMap::default();
        let mut all: Vec<Box<[Hash64]>> = phrases.iter().map(|phrase| parts(phrase).map(|part| part.hash()).collect()).collect();
        // The longest of those that begin alike is the one that is meant.
        all.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        let mut firsts = [0; 16];
        let longest = all.first().map_or(0, |phrase| phrase.len());
        for words in all {
            if let Some(first) = words.first() {
                let (block, bit) = place(*first);
                if let Some(block) = firsts.get_mut(block) {
                    *block |= bit;
                }
                by_first.entry(*first).or_default().push(words);
            }
        }
        Self { by_first, firsts, longest }
    }

    /// Where the phrases stand in a row of words, by place, the longest at each.
    pub(super) fn find<'w>(&'w self, words: &'w [impl Borrow<Hash64>]) -> impl Iterator<Item = Range<usize>> + 'w {
        let begin = words.iter().enumerate().filter(|(_, word)| self.may_begin_with(*(*word).borrow()));
        begin.filter_map(|(at, first)| {
            let rest = words.get(at..)?;
            let begins =
                |phrase: &[Hash64]| phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(own, word)| own == word.borrow());
            let phrase = self.by_first.get(first.borrow())?.iter().find(|phrase| begins(phrase))?;
            Some(at..at + phrase.len())
        })
    }

    /// How many words the longest of them has.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    fn may_begin_with(&self, word: Hash64) -> bool {
        let (block, bit) = place(word);
        self.firsts.get(block).is_some_and(|block| block & bit != 0)
    }

    /// Whether one of them stands in a row of words.
    pub(super) fn is_in(&self, words: &[impl Borrow<Hash64>]) -> bool {
        self.find(words).next().is_some()
    }
}

/// The bit of a word: its block, and its mask there.
fn place(word: Hash64) -> (usize, u64) {
    ((word.0 >> 6) as usize % 16, 1 << (word.0 % 64))
}
