//! What a text is about: the stems of its content words. Two texts are about one thing as far as they share them.

use unicode_segmentation::UnicodeSegmentation;

use crate::base::hash::Hash64;
use crate::base::words::WordSet;

/// The content words of a text, by stem; of text without spaces (Chinese, Japanese), each pair of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gist {
    /// Each once, in order.
    stems: Vec<Hash64>,
}

/// Bytes of a text for each word of content, about.
const BYTES_A_WORD: usize = 8;

/// Words that say nothing of what a text is about.
static EMPTY: WordSet<512> = WordSet::new(&[
    "a", "about", "after", "again", "all", "also", "always", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "but", "by", "can", "could", "did", "do", "does", "doing", "don", "done", "every", "first", "for", "from", "get",
    "go", "going", "had", "has", "have", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "let", "like", "make", "me", "more", "must", "my", "need", "never", "no", "not", "now", "of", "ok", "on", "once", "one",
    "only", "or", "our", "out", "please", "re", "should", "so", "some", "still", "such", "sure", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "thing", "this", "those", "to", "too", "until", "up", "us", "use", "very", "want",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would", "yes", "yet", "you",
    "your",
]);

/// Whether a word in small letters says nothing of what a text is about.
pub(super) fn says_nothing(word: &str) -> bool {
    EMPTY.has(word)
}

impl Gist {
    /// The gist of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let mut stems = Vec::with_capacity(lower.len() / BYTES_A_WORD);
        let mut part = |part: &str| {
            if part.len() > 1 && !EMPTY.has(part) {
                stems.push(Hash64::of(stem(part).as_bytes()));
            }
        };
        // No word holds a space.
        for piece in lower.split_ascii_whitespace() {
            if piece.is_ascii() { ascii_parts(piece, &mut part) } else { parts(piece, &mut part) }
        }
        // Word boundaries of text without spaces fall after each character: pairs tell more.
        let wide: Vec<char> = if text.is_ascii() { Vec::new() } else { text.chars().filter(|c| is_unspaced(*c)).collect() };
        for pair in wide.windows(2) {
            stems.push(Hash64::of(String::from_iter(pair).as_bytes()));
        }
        stems.sort_unstable();
        stems.dedup();
        Self { stems }
    }

    /// Whether it has no content words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// Number of content words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stems.len()
    }

    /// What is left without the content words of another.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self { stems: self.stems.iter().copied().filter(|stem| other.stems.binary_search(stem).is_err()).collect() }
    }

    /// Number of content words that both have.
    #[must_use]
    pub fn shared(&self, other: &Self) -> usize {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        few.stems.iter().filter(|stem| many.stems.binary_search(stem).is_ok()).count()
    }

    /// Whether it has words, and the other has all of them: told at the first that is missing.
    #[must_use]
    pub fn is_all_in(&self, other: &Self) -> bool {
        !self.is_empty() && self.stems.iter().all(|stem| other.stems.binary_search(stem).is_ok())
    }

    /// The share of this gist's words that the other has too, from 0 to 1.
    #[must_use]
    pub fn share_in(&self, other: &Self) -> f64 {
        if self.is_empty() { 0.0 } else { self.shared(other) as f64 / self.len() as f64 }
    }
}

/// Hands out the words of a text; a name is its parts: `migrate.sh` is about migrating.
fn parts(text: &str, each: impl FnMut(&str)) {
    text.unicode_words().flat_map(|word| word.split(['.', '_', '\'', '’', ':'])).for_each(each);
}

/// The same for ASCII, which needs no tables: there words are letters and digits, and numbers hold commas.
fn ascii_parts(text: &str, mut each: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    // Nearly every piece is one word.
    if bytes.iter().all(u8::is_ascii_alphanumeric) {
        return each(text);
    }
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_inner = |(at, c): (usize, char)| {
        c.is_ascii_alphanumeric() || matches!(c, ',' | ';') && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))
    };
    let mut from = 0;
    let ends = text.char_indices().filter(|place| !is_inner(*place)).map(|(at, _)| at).chain(std::iter::once(text.len()));
    ends.filter_map(|end| text.get(std::mem::replace(&mut from, end + 1)..end)).for_each(each);
}

/// Whether a character belongs to a script that puts no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}

/// A word without the endings of English that say nothing of what it is about.
fn stem(word: &str) -> &str {
    // Most words have none of them, and show it by their last letter.
    if !word.ends_with(['s', 'n', 'g', 'd', 'e']) {
        return word;
    }
    for ending in ["ions", "ion", "ing", "ies", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().count() >= 3
        {
            // "pushed" and "push", "dropping" and "drop".
            let mut letters = stem.chars().rev();
            let doubled = letters.next().is_some_and(|last| letters.next() == Some(last) && !matches!(last, 's' | 'l' | 'e'));
            return if doubled && matches!(ending, "ing" | "ed") { stem.get(..stem.len() - 1).unwrap_or(stem) } else { stem };
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_of_ascii_are_what_they_are_in_any_text(text in "([a-c0-9 ,;.:'_()/-]|[\\u{e9}\\u{301}\\u{2192}\\u{4e0d}\\u{200d}]){0,40}") {
            let (mut pieces, mut any) = (Vec::new(), Vec::new());
            for piece in text.split_ascii_whitespace() {
                let note = |part: &str| pieces.extend(Some(part.to_owned()).filter(|part| !part.is_empty()));
                if piece.is_ascii() { ascii_parts(piece, note) } else { parts(piece, note) }
            }
            parts(&text, |part| any.extend(Some(part.to_owned()).filter(|part| !part.is_empty())));
            prop_assert_eq!(pieces, any);
        }
    }

    #[test]
    fn endings_do_not_matter() {
        for (a, b) in [("pushing", "push"), ("dropped columns", "drop column"), ("migrations", "migrate"), ("files", "file")] {
            assert_eq!(Gist::of(a), Gist::of(b), "{a} {b}");
        }
        assert!(Gist::of("do it now, please").is_empty());
    }

    #[test]
    fn texts_about_one_thing_share_their_words() {
        let ban = Gist::of("Do not push to main.");
        assert!(ban.share_in(&Gist::of("ok, you can push to main now")) > 0.9);
        assert!(ban.share_in(&Gist::of("run the tests")) < 0.1);
        assert!(Gist::of("不要删除日志文件").share_in(&Gist::of("现在可以删除日志文件")) > 0.4);
    }
}
