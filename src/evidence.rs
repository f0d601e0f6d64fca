//! Floor 2: is this text here? Used by the fold for holders, and by whoever compares what stood before a boundary with what stands
//! after it.
//!
//! **Invariant:** no model, no guess. A [`Haystack`] finds a text word by word, or not at all; a [`Page`] says how much of it stands in
//! which clause, and what that clause claims (polarity, force, status); whoever asks decides, and may be unsure.

mod claim;
mod consent;
mod contrast;
mod cut;
mod fact;
mod gist;
mod order;
mod page;
mod phrasebook;
mod phrases;
mod ruling;
mod section;
mod sheet;
mod speech;
#[cfg(test)]
mod testing;
mod words;

use std::borrow::Cow;

use memchr::memmem;

pub use claim::{Claim, Force, Status};
pub use contrast::Contrast;
pub use gist::Gist;
pub use order::{Ends, Kept};
pub use page::{Match, Page};
pub use phrasebook::Phrasebook;
pub use section::Section;
pub use sheet::{Clause, Sentence, Sheet};
pub use words::Words;

/// Texts prepared for many questions.
#[derive(Clone, Debug, Default)]
pub struct Haystack {
    /// Their words, a line each.
    words: String,
}

impl Haystack {
    /// Prepares a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { words: normalise(text).into_owned() }
    }

    /// Prepares one more text; its words.
    fn add(&mut self, text: &str) -> &str {
        let from = self.words.len();
        self.words.push_str(&normalise(text));
        self.words.push('\n');
        self.words.get(from..).unwrap_or_default()
    }

    /// Where its words end.
    fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether `text` stands here word by word: white space, case, quotes and list marks aside.
    #[must_use]
    pub fn holds(&self, text: &str) -> bool {
        self.place_of(text).is_some()
    }

    /// Whether an exact value stands here, in its full form and not as a part of a longer word.
    #[must_use]
    pub fn names(&self, value: &str) -> bool {
        self.place_of_value(&normalise(value)).is_some()
    }

    /// Where a text stands first.
    fn place_of(&self, text: &str) -> Option<usize> {
        self.place_of_core(core(&normalise(text)))
    }

    /// Where the core of a text, normalised, stands first.
    fn place_of_core(&self, core: &str) -> Option<usize> {
        memmem::find(self.words.as_bytes(), core.as_bytes()).filter(|_| !core.is_empty())
    }

    /// Where an exact value, normalised, stands first.
    fn place_of_value(&self, needle: &str) -> Option<usize> {
        Exact::new(needle).place_in(&self.words).filter(|_| !needle.trim().is_empty())
    }
}

/// An exact value that is looked for in many texts.
#[derive(Debug)]
pub struct Exact<'v> {
    value: &'v str,
    finder: memmem::Finder<'v>,
}

impl<'v> Exact<'v> {
    /// Prepares a value.
    #[must_use]
    pub fn new(value: &'v str) -> Self {
        Self { value, finder: memmem::Finder::new(value) }
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &'v str {
        self.value
    }

    /// Whether it stands in a text as it is written, and not as a part of a longer word.
    #[must_use]
    pub fn stands_in(&self, text: &str) -> bool {
        self.place_in(text).is_some()
    }

    fn place_in(&self, text: &str) -> Option<usize> {
        let len = self.value.len();
        self.finder.find_iter(text.as_bytes()).find(|at| {
            let before = text.get(..*at).and_then(|s| s.chars().next_back());
            let after = text.get(at + len..).and_then(|s| s.chars().next());
            !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
        })
    }
}

/// Whether a value stands in a text as it is written, and not as a part of a longer word.
#[must_use]
pub fn stands_whole(text: &str, value: &str) -> bool {
    Exact::new(value).stands_in(text)
}

/// The runs of a text: what no exact value begins or ends within. Where a value stands, its own runs do.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_inner(c)).filter(|run| !run.is_empty())
}

/// Whether a value is a run by itself: it stands where its run does.
#[must_use]
pub fn is_run(value: &str) -> bool {
    !value.is_empty() && value.chars().all(is_inner)
}

/// Characters that make a found value a part of a longer one.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// A normalised text without the marks around it.
fn core(text: &str) -> &str {
    text.trim_matches([' ', '.', '-', '*', '"', '\''])
}

/// Lower case, one space for any white space, plain quotes, no emphasis marks.
fn normalise(text: &str) -> Cow<'_, str> {
    // Most exact values are as plain as this.
    if text.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase() && !matches!(byte, b'`' | b'*')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut is_gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            is_gap = !out.is_empty();
        } else if !matches!(c, '`' | '*') {
            if std::mem::take(&mut is_gap) {
                out.push(' ');
            }
            if c.is_ascii() { out.push(c.to_ascii_lowercase()) } else { out.extend(plain(c)) }
        }
    }
    Cow::Owned(out)
}

/// A character in lower case, or the plain form of a quote.
fn plain(c: char) -> impl Iterator<Item = char> {
    let c = match c {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        c => c,
    };
    c.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_words_however_they_are_set() {
        let summary = Haystack::new("6. All user messages:\n   - \u{201C}Do NOT drop\n     `orders` columns.\u{201D}\n");
        assert!(summary.holds("Do not drop orders columns."));
        assert!(!summary.holds("Do drop orders columns."));
        assert!(!summary.holds(""));
    }

    #[test]
    fn a_value_is_not_named_by_a_longer_one() {
        let text = Haystack::new("edited src/legacy/parser_v2.py and pushed");
        assert!(text.names("src/legacy/parser_v2.py"));
        assert!(text.names("parser_v2.py"));
        assert!(!text.names("parser"));
        assert!(!text.names("push"));
    }
}
