//! How well a row fits what was typed: its letters in their order, the nearer together and the nearer to the beginnings of words the
//! better.

/// How badly `text` fits `typed`, 0 for a text that begins with it; none: it does not fit. Blanks part words that must all fit.
pub(crate) fn misfit(typed: &str, text: &str) -> Option<usize> {
    let text = text.to_lowercase();
    typed.to_lowercase().split_whitespace().map(|word| word_misfit(word, &text)).sum()
}

/// A word that stands in the text as it is fits better than one whose letters are strewn over it.
fn word_misfit(word: &str, text: &str) -> Option<usize> {
    const STREWN: usize = 1_000;
    if let Some(at) = text.find(word) {
        let begins_word = text.get(..at).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        return Some(at.min(100) + if begins_word { 0 } else { 200 });
    }
    let (mut gaps, mut last) = (0, None);
    let mut letters = text.char_indices();
    for letter in word.chars() {
        let (at, _) = letters.find(|(_, c)| *c == letter)?;
        gaps += last.map_or(0, |last: usize| at - last - 1);
        last = Some(at);
    }
    Some(STREWN + gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_fit_comes_first() {
        for (typed, order) in [
            ("led", ["ledger: every entry", "the next ledger", "leave the field", "back"]),
            ("nb", ["nb", "the nb", "next barrier", "b n"]),
            ("fold all", ["fold all turns", "folds: all", "fold a turn, all", "fold"]),
        ] {
            let scores: Vec<Option<usize>> = order.iter().map(|text| misfit(typed, text)).collect();
            let fitting: Vec<usize> = scores.iter().flatten().copied().collect();
            assert!(fitting.is_sorted(), "{typed}: {scores:?}");
            assert_eq!(scores.last(), Some(&None), "{typed}: {scores:?}");
        }
    }

    #[test]
    fn nothing_typed_fits_everything() {
        assert_eq!((misfit("", "anything"), misfit("  ", "x")), (Some(0), Some(0)));
    }
}
