//! Sets of words that are known when the program is built: a look-up costs one pass over the word.

/// A set of words in `N` places, at least twice as many as there are words: a power of two.
#[derive(Debug)]
pub struct WordSet<const N: usize> {
    /// Each word at the place of its number or behind it; empty where there is none.
    places: [&'static str; N],
    /// Bytes of the longest word.
    longest: usize,
}

impl<const N: usize> WordSet<N> {
    /// The set of these words; what is too many for it does not compile.
    #[must_use]
    pub const fn new(words: &[&'static str]) -> Self {
        assert!(N.is_power_of_two() && words.len() * 2 <= N, "a set of words has twice as many places as words, a power of two");
        let (mut places, mut longest, mut n) = ([""; N], 0, 0);
        while n < words.len() {
            let word = words[n];
            let mut at = number(word) % N;
            while !places[at].is_empty() {
                at = (at + 1) % N;
            }
            places[at] = word;
            if word.len() > longest {
                longest = word.len();
            }
            n += 1;
        }
        Self { places, longest }
    }

    /// Whether a word is in the set.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.find(word, |known| known == word)
    }

    /// Whether a word is in the set, in whatever case.
    #[must_use]
    pub fn has_any_case(&self, word: &str) -> bool {
        self.find(word, |known| known.eq_ignore_ascii_case(word))
    }

    fn find(&self, word: &str, is_it: impl Fn(&str) -> bool) -> bool {
        if word.is_empty() || word.len() > self.longest {
            return false;
        }
        let from = number(word) % N;
        let (before, behind) = self.places.split_at(from);
        behind.iter().chain(before).take_while(|known| !known.is_empty()).any(|known| is_it(known))
    }
}

/// The number of a word, the same in any case (FNV-1a).
const fn number(word: &str) -> usize {
    let bytes = word.as_bytes();
    let (mut number, mut n) = (0x811c_9dc5_u32, 0);
    while n < bytes.len() {
        number = (number ^ bytes[n].to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
        n += 1;
    }
    (number ^ (number >> 15)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_its_words_and_no_others() {
        const WORDS: &[&str] = &["src", "lib", "GitHub", "node_modules", "a"];
        static SET: WordSet<16> = WordSet::new(WORDS);
        for word in WORDS {
            assert!(SET.has(word) && SET.has_any_case(&word.to_uppercase()), "{word}");
        }
        for word in ["", "sr", "srcs", "github", "node-modules", "b", "é", &"a".repeat(500)] {
            assert!(!SET.has(word), "{word}");
        }
        assert!(SET.has_any_case("github") && !SET.has_any_case("git"));
    }
}
