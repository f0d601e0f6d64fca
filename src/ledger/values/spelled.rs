//! What an event's own text spells, whatever came before it: the part of the fold of values that needs no ledger, and may be done
//! ahead of it on another thread.

use super::scan;
use super::spelling::{cut, family, numbers, port};
use crate::base::hash::Hash64;
use crate::base::text::prefix;
use crate::ledger::identifiers::{Identifier, find};
use crate::ledger::rows::INPUT_BYTES;
use crate::transcript::{Payload, Speaker};

/// What the texts of some events spell, in their order, in two buffers.
#[derive(Debug, Default)]
pub struct Spellings {
    exact: Vec<Identifier>,
    words: Vec<Word>,
    /// Where each event's end, in the one and in the other.
    ends: Vec<(usize, usize)>,
}

/// What the text of an event spells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelled<'s> {
    /// The exact values in what is said, and in the beginning of what a call is given; none of what is shown.
    pub(super) exact: &'s [Identifier],
    /// The words that may be spellings of values, in order.
    pub(super) words: &'s [Word],
}

/// A word of a text, as it is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Where it begins.
    pub(super) start: u32,
    /// Its bytes: few, or it would be data.
    length: u8,
    pub(super) spelling: Spelling,
}

/// What a word spells, by the numbers under which it is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    part: Part,
    /// Its own number; 0 of what is not noted as seen.
    pub(super) own: u32,
    /// The number of its family.
    pub(super) family: u32,
}

/// Which part of a word is a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The port that it ends with.
    Port,
    /// It itself, cut.
    All,
}

/// Words of which it is remembered what they spell.
const RECENT: usize = 4096;

/// Tells what words spell. A session names the same things again and again: those of a while ago are looked up.
#[derive(Debug, Default)]
pub struct Speller {
    /// Each at the place of its number; no room is taken before the first.
    recent: Vec<Recent>,
}

/// A word by its number, and what it spells.
#[derive(Clone, Copy, Debug)]
struct Recent {
    word: Hash64,
    spells: Spells,
}

/// All that a word spells, by the numbers under which that is looked up, in few bytes; 0 of what it does not spell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spells {
    /// The family of the port that it ends with.
    port: u32,
    /// Of the word itself, as in its spelling.
    own: u32,
    /// The word's family.
    family: u32,
}

impl Spells {
    /// Hands out each spelling.
    pub(super) fn each(self, mut to: impl FnMut(Spelling)) {
        if self.port != 0 {
            to(Spelling { part: Part::Port, own: 0, family: self.port });
        }
        if self.family != 0 {
            to(Spelling { part: Part::All, own: self.own, family: self.family });
        }
    }
}

impl Speller {
    fn spell(&mut self, word: &str) -> Spells {
        if self.recent.is_empty() {
            // No word at all spells nothing.
            self.recent.resize(RECENT, Recent { word: Hash64::of(b""), spells: Spells::default() });
        }
        let number = Hash64::of(word.as_bytes());
        let Some(recent) = self.recent.get_mut(number.0 as usize % RECENT) else { return spell(word) };
        if recent.word != number {
            *recent = Recent { word: number, spells: spell(word) };
        }
        recent.spells
    }
}

impl Spellings {
    /// Adds what the text of an event spells.
    pub fn add(&mut self, payload: &Payload<'_>, speller: &mut Speller) {
        let text = match payload {
            Payload::User { speaker: Speaker::Human | Speaker::Steering | Speaker::Parent, text } | Payload::Assistant { text } => {
                find(text, &mut self.exact);
                &**text
            }
            Payload::Call(call) => {
                find(prefix(call.input.as_str(), INPUT_BYTES), &mut self.exact);
                call.input.as_str()
            }
            Payload::Resolution(resolution) => &*resolution.text,
            Payload::User { text, .. }
            | Payload::Summary { text, .. }
            | Payload::Reasoning { text }
            | Payload::Job { text, .. }
            | Payload::Unrecognised { text, .. } => &**text,
            Payload::Boundary(_) | Payload::Ran { .. } | Payload::Mark(_) => "",
        };
        let words = &mut self.words;
        scan::words(text, |at, word| {
            if let (Ok(start), Ok(length)) = (u32::try_from(at), u8::try_from(word.len())) {
                speller.spell(word).each(|spelling| words.push(Word { start, length, spelling }));
            }
        });
        self.ends.push((self.exact.len(), self.words.len()));
    }

    /// What each event's text spells.
    pub fn iter(&self) -> impl Iterator<Item = Spelled<'_>> {
        let mut from = (0, 0);
        self.ends.iter().map(move |end| {
            let (exact, words) = std::mem::replace(&mut from, *end);
            Spelled {
                exact: self.exact.get(exact..end.0).unwrap_or_default(),
                words: self.words.get(words..end.1).unwrap_or_default(),
            }
        })
    }

    /// Whether no event was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Forgets the events, and keeps the buffers.
    pub fn clear(&mut self) {
        self.exact.clear();
        self.words.clear();
        self.ends.clear();
    }
}

impl Word {
    /// The word as it stands in its text.
    pub(super) fn of<'t>(&self, text: &'t str) -> &'t str {
        let start = self.start as usize;
        text.get(start..start + usize::from(self.length)).unwrap_or_default()
    }
}

impl Spelling {
    /// Its text, in the word that spells it.
    pub(super) fn of<'t>(&self, word: &'t str) -> &'t str {
        match self.part {
            Part::Port => port(word).unwrap_or_default(),
            Part::All => cut(word),
        }
    }
}

/// What a word spells.
pub(super) fn spell(word: &str) -> Spells {
    let port = port(word).map_or(0, family);
    let text = cut(word);
    if text.len() < 3 || is_data(text) {
        return Spells { port, ..Spells::default() };
    }
    let (own, family) = numbers(text);
    Spells { port, own: if is_number(text) { 0 } else { own }, family }
}

/// Whether a word is a number, a date or a time: too many of them are the same and mean something else.
fn is_number(word: &str) -> bool {
    word.len() < 9 && !word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Whether a long word is encoded data: no name of a file or a thing has capitals and digits all over, and no mark but a slash.
fn is_data(word: &str) -> bool {
    word.len() >= 40
        && !word.contains(['.', '_', '-', ':'])
        && word.bytes().filter(u8::is_ascii_uppercase).count() >= 4
        && word.bytes().filter(u8::is_ascii_digit).count() >= 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_a_word_spells_does_not_depend_on_those_before(words in prop::collection::vec("[a-c./:0-9]{0,6}", 0..200)) {
            let mut speller = Speller::default();
            for word in &words {
                prop_assert_eq!(speller.spell(word), spell(word), "{}", word);
            }
        }
    }
}
