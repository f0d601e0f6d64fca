//! Contrast: one thing and not another. "CRC-16, not CCITT" said the other way round has lost its "not" as much as a rule without it.

use std::ops::Range;

use crate::base::hash::Hash64;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::words::{Token, Words, stems};

/// What stands on the two sides of a contrast, each by what it is about.
#[derive(Clone, Debug)]
pub struct Contrast {
    taken: Vec<Hash64>,
    refused: Vec<Hash64>,
}

impl Contrast {
    /// The contrast of a sentence, if it makes one: a "not" behind a comma, and what stands up to the next.
    #[must_use]
    pub fn of(words: &Words, phrasebook: &Phrasebook) -> Option<Self> {
        let not = phrasebook.contrast.find(&words.tokens).find(|not| not.start > 0 && is_behind_a_mark(&words.tokens, not))?;
        let behind = words.tokens.get(not.end..)?;
        let end = (1..behind.len()).find(|n| is_behind_a_mark(behind, &(*n..*n))).unwrap_or(behind.len());
        let (taken, refused) = (stems(words.tokens.get(..not.start)?), stems(behind.get(..end)?));
        (!taken.is_empty() && !refused.is_empty()).then_some(Self { taken, refused })
    }

    /// Whether some words speak of both sides.
    #[must_use]
    pub fn is_told_in(&self, words: &Words) -> bool {
        let tells = |side: &[Hash64], other: &[Hash64]| {
            side.iter().any(|stem| !other.contains(stem) && words.stems.binary_search(stem).is_ok())
        };
        tells(&self.taken, &self.refused) && tells(&self.refused, &self.taken)
    }

    /// Whether another sentence takes what is refused here, and refuses something that is taken here.
    #[must_use]
    pub fn is_turned_in(&self, other: &Self) -> bool {
        let is_in = |stems: &[Hash64], stem: &Hash64| stems.binary_search(stem).is_ok();
        let takes = self.refused.iter().any(|stem| is_in(&other.taken, stem) && !is_in(&self.taken, stem));
        takes && other.refused.iter().all(|stem| is_in(&self.taken, stem) && !is_in(&self.refused, stem))
    }
}

/// Whether a word stands behind more than a blank.
fn is_behind_a_mark(tokens: &[Token], word: &Range<usize>) -> bool {
    let before = word.start.checked_sub(1).and_then(|n| tokens.get(n));
    before.zip(tokens.get(word.start)).is_some_and(|(before, token)| token.is_apart_from(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_what_is_refused_may_not_change_places() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let of = |text: &str| Contrast::of(&Words::of(text, &phrasebook), &phrasebook).unwrap();
        let rule = of("Indent with tabs, not with spaces.");
        assert!(rule.is_turned_in(&of("Spaces are used, not tabs.")));
        assert!(!rule.is_turned_in(&of("Tabs, never spaces.")));
        assert!(Contrast::of(&Words::of("Do not push.", &phrasebook), &phrasebook).is_none());
    }
}
