//! What has changed within a line: the words between what two lines begin with and what they end with.

use std::ops::Range;

/// Lines that share less than this, in percent of the longer one, are other lines and not changed ones.
const ALIKE: usize = 40;

/// The bytes of each line that differ from the other's, whole words; none: the lines have too little in common.
pub(super) fn changed(old: &str, new: &str) -> Option<(Range<usize>, Range<usize>)> {
    let start: usize = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).map(|(c, _)| c.len_utf8()).sum();
    let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
    let ends = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = ends.take_while(|(one, other)| one == other).map(|(c, _)| c.len_utf8()).sum();
    let (start, end) = (word_start(old, start), word_end(old, end));
    let shared = start + end;
    let range = |line: &str| start..line.len().saturating_sub(end).max(start);
    (shared * 100 >= old.len().max(new.len()) * ALIKE && old != new).then(|| (range(old), range(new)))
}

/// Back to where the word begins in which a line goes its own way.
fn word_start(line: &str, start: usize) -> usize {
    let before = line.get(..start).unwrap_or_default();
    before.trim_end_matches(is_part).len()
}

/// Fewer bytes at the end, so that no word is cut there.
fn word_end(line: &str, end: usize) -> usize {
    let after = line.len().checked_sub(end).and_then(|at| line.get(at..)).unwrap_or_default();
    after.trim_start_matches(is_part).len()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_words_are_marked() {
        for (old, new, marked) in [
            ("let a = one(x);", "let a = two(x);", Some(("one", "two"))),
            ("timeout = 30", "timeout = 300", Some(("30", "300"))),
            ("call(a)", "call(a, b)", Some(("a", "a, b"))),
            ("größe: klein", "größe: riesig", Some(("klein", "riesig"))),
            ("same", "same", None),
            ("nothing like it", "wholly other words", None),
        ] {
            let parts = changed(old, new).map(|(one, other)| (&old[one], &new[other]));
            assert_eq!(parts, marked, "{old} / {new}");
        }
    }

    proptest! {
        #[test]
        fn what_is_marked_lies_within_both_lines(old in "[a c_é(]{0,12}", new in "[a c_é(]{0,12}") {
            if let Some((one, other)) = changed(&old, &new) {
                prop_assert!(old.get(one).is_some() && new.get(other).is_some());
            }
        }
    }
}
