//! How well a row fits what was typed: its letters in their order, the nearer together and the nearer to the beginnings of words the
//! better.

/// How badly `text` fits `typed`, 0 for a text that begins with it; none: it does not fit. Blanks part words that must all fit.
pub(crate) fn misfit(typed: &str, text: &str) -> Option<usize> {
    let text = text.to_lowercase();
    typed.to_lowercase().split_whitespace().map(|word| word_misfit(word, &text)).sum()
}

/// The same of a name and what it means: each word must fit one of them, and the name counts more. In what it means a word must stand
/// as it is: letters are strewn over any sentence.
pub(crate) fn misfit_of(typed: &str, name: &str, means: &str) -> Option<usize> {
    const MEANT: usize = 300;
    let (name, means) = (name.to_lowercase(), means.to_lowercase());
    let word = |word: &str| {
        let meant = standing(word, &means).map(|misfit| misfit + MEANT);
        word_misfit(word, &name).into_iter().chain(meant).min()
    };
    typed.to_lowercase().split_whitespace().map(word).sum()
}

/// A word that stands in the text as it is fits better than one whose letters are strewn over it.
fn word_misfit(word: &str, text: &str) -> Option<usize> {
    const STREWN: usize = 1_000;
    if let Some(misfit) = standing(word, text) {
        return Some(misfit);
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

/// How badly a word fits that stands in the text: the further from its beginning the worse, and worse within another word.
fn standing(word: &str, text: &str) -> Option<usize> {
    let begins_word = |at: &usize| text.get(..*at).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
    let places = || text.match_indices(word).map(|(at, _)| at);
    let within = || places().next().map(|at| at.min(100) + 200);
    places().find(begins_word).map(|at| at.min(100)).or_else(within)
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
    fn what_it_is_called_counts_more_than_what_it_means() {
        let rows = [
            ("ledger", "every entry of the ledger"),
            ("all-entries", "all entries, or the live ones only"),
            ("changes", "what has changed in the ledger since a moment"),
            ("previous-lane", "previous lane"),
        ];
        let order = |typed: &str| -> Vec<&str> {
            let fits = rows.iter().filter_map(|(name, means)| Some((misfit_of(typed, name, means)?, *name)));
            let mut fits: Vec<(usize, &str)> = fits.collect();
            fits.sort_unstable();
            fits.into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!(order("ledger"), ["ledger", "changes"]);
        assert_eq!(order("since ledger"), ["changes"], "each word for itself");
        assert_eq!(order("entr"), ["all-entries", "ledger"]);
        assert_eq!(order("vln"), ["previous-lane"], "letters in their order, of a name");
        assert!(order("mask").is_empty(), "no letters strewn over a sentence");
    }

    #[test]
    fn nothing_typed_fits_everything() {
        assert_eq!((misfit("", "anything"), misfit("  ", "x")), (Some(0), Some(0)));
    }
}
