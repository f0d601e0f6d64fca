//! What somebody may have meant who has misspelt a name.

/// The nearest of some names, if one is near enough that it may have been meant.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.into_iter().map(|name| (distance(word, name), name));
    let (distance, name) = near.min_by_key(|(distance, _)| *distance)?;
    (distance * 3 <= word.chars().count().max(3)).then_some(name)
}

/// The name that an error of TOML's may have expected instead of the unknown one that it complains of.
pub(super) fn expected(message: &str) -> Option<&str> {
    let (unknown, names) = message.split_once(", expected ")?;
    if !unknown.starts_with("unknown ") {
        return None;
    }
    nearest(quoted(unknown).next()?, quoted(names))
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// How many letters must be put in, left out, changed, or swapped with their neighbour (the restricted Damerau-Levenshtein distance).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (n, letter) in one.iter().enumerate() {
        let mut row = vec![n + 1];
        for (m, against) in other.iter().enumerate() {
            let at = |row: &[usize], m: usize| row.get(m).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, m) + usize::from(letter != against)).min(at(&last, m + 1) + 1).min(at(&row, m) + 1);
            let swapped = n > 0 && m > 0 && one.get(n - 1) == Some(against) && other.get(m - 1) == Some(letter);
            if swapped {
                least = least.min(at(&before, m - 1) + 1);
            }
            row.push(least);
        }
        (before, last) = (last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_known_and_another_word_is_not() {
        let names = ["theme", "mouse", "alert", "policy"];
        for (word, meant) in
            [("tehme", Some("theme")), ("mose", Some("mouse")), ("polcy", Some("policy")), ("colour", None), ("x", None)]
        {
            assert_eq!(nearest(word, names), meant, "{word}");
        }
    }

    #[test]
    fn an_error_of_tomls_is_understood() {
        for (message, meant) in [
            ("unknown field `colour`, expected one of `color`, `check`", Some("color")),
            ("unknown field `themes`, expected `theme` or `mouse`", Some("theme")),
            ("unknown variant `of`, expected `off` or `osc9`", Some("off")),
            ("invalid type: integer `1`, expected a boolean", None),
            ("missing field `class`", None),
        ] {
            assert_eq!(expected(message), meant, "{message}");
        }
    }
}
