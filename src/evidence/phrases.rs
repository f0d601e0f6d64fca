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
        for words in all {
            if let Some(first) = words.first() {
                by_first.entry(*first).or_default().push(words);
            }
        }
        Self { by_first }
    }

    /// Where the phrases stand in a row of words, by place, the longest at each.
    pub(super) fn find<'w>(&'w self, words: &'w [impl Borrow<Hash64>]) -> impl Iterator<Item = Range<usize>> + 'w {
        words.iter().enumerate().filter_map(|(at, first)| {
            let rest = words.get(at..)?;
            let begins =
                |phrase: &[Hash64]| phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(own, word)| own == word.borrow());
            let phrase = self.by_first.get(first.borrow())?.iter().find(|phrase| begins(phrase))?;
            Some(at..at + phrase.len())
        })
    }

    /// Whether one of them stands in a row of words.
    pub(super) fn is_in(&self, words: &[impl Borrow<Hash64>]) -> bool {
        self.find(words).next().is_some()
    }
}
