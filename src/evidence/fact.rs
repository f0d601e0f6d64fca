//! What only tells how something is, behind a mark: it rules nothing, and need not be told again.

use std::ops::Range;

use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::words::{Token, Words};

impl Words {
    /// What they say, without what stands at the end and only tells how something is: "labels stay in English, the firmware has no other
    /// language".
    #[must_use]
    pub fn without_fact(&self, phrasebook: &Phrasebook) -> Self {
        match fact(&self.tokens, phrasebook) {
            Some(fact) if fact.end == self.tokens.len() => {
                Self::of_tokens(self.tokens.get(..fact.start).unwrap_or_default().to_vec())
            }
            _ => self.clone(),
        }
    }
}

/// Whether a "not" only says behind a mark how something is: "drop the table, nobody uses it any more". What may not be is a rule.
pub(super) fn is_of_fact(words: &[Token], not: &Range<usize>, phrasebook: &Phrasebook) -> bool {
    // "That file is off limits" is a ban all the same.
    let is_small = words.get(not.clone()).is_some_and(|not| {
        phrasebook.denial.is_in(not) || phrasebook.nothing.is_in(not) || not.iter().any(|word| phrasebook.is_subject(word.word))
    });
    is_small && fact(words, phrasebook).is_some_and(|fact| fact.contains(&not.start))
}

/// The part behind a mark that only says how something is, where what stands before it says something and denies nothing.
fn fact(words: &[Token], phrasebook: &Phrasebook) -> Option<Range<usize>> {
    const THINGS: usize = 2;
    let marks = (1..words.len()).filter(|n| is_token_apart_from(words, n - 1, *n)).chain([words.len()]);
    let marks: Vec<usize> = marks.collect();
    let is_fact = |start: usize, end: usize| {
        let (Some(lead), Some(own)) = (words.get(..start), words.get(start..end)) else { return false };
        let is_subject = own.first().is_some_and(|word| phrasebook.is_subject(word.word));
        // "It is", "the firmware has"; of "it must" something is ruled.
        let tells = own.iter().take(SUBJECT).any(|word| phrasebook.tells(word.word));
        let rules = phrasebook.binds.is_in(own) || phrasebook.lets.is_in(own) || phrasebook.softens.is_in(own);
        let says = lead.iter().filter(|word| word.stem.is_some()).count() >= THINGS;
        is_subject && tells && !rules && says && !phrasebook.negation.is_in(lead)
    };
    marks.windows(2).find_map(|pair| match pair {
        [start, end] if is_fact(*start, *end) => Some(*start..*end),
        _ => None,
    })
}

/// A subject and its verb stand within so many words.
const SUBJECT: usize = 4;

fn is_token_apart_from(words: &[Token], before: usize, n: usize) -> bool {
    words.get(before).zip(words.get(n)).is_some_and(|(before, token)| token.is_apart_from(before))
}
