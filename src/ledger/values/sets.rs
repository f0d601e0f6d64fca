//! Values that are listed together: `(status, total_cents, placed_at)`, "parser.rs, lexer.rs and tokens.rs".
//!
//! A list that comes back with one member less is a loss that nothing else shows (essay "compaction as a barrier"). Files that a
//! command is given are no list that somebody chose, and words with a hump are code.

use crate::ledger::identifiers::{Identifier, IdentifierKind as Kind};

/// The most members of a list that is looked at.
const MOST: usize = 40;

/// Whose text it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// A human's.
    Human,
    /// The input of a call.
    Call,
}

/// The lists of a text whose values are `found`: of each the words, in order, each with its kind.
pub(super) fn sets<'t>(text: &'t str, found: &[Identifier], by: By) -> Vec<Vec<(&'t str, Kind)>> {
    let mut sets: Vec<Vec<(&str, Kind)>> = Vec::new();
    let mut end: Option<(usize, Sort)> = None;
    let mut open: Vec<(&str, Kind)> = Vec::new();
    let close = |open: &mut Vec<(&'t str, Kind)>, sets: &mut Vec<Vec<(&'t str, Kind)>>| {
        let set = std::mem::take(open);
        if (2..=MOST).contains(&set.len()) {
            sets.push(set);
        }
    };
    for identifier in found {
        let word = text.get(identifier.range.clone()).unwrap_or("");
        let Some(sort) = sort(identifier.kind, word).filter(|sort| *sort != Sort::Files || by == By::Human) else {
            close(&mut open, &mut sets);
            end = None;
            continue;
        };
        let between = end.filter(|(_, last)| *last == sort).and_then(|(end, _)| text.get(end..identifier.range.start));
        match between.and_then(|gap| words_between(gap, sort)) {
            Some(words) => open.extend(words.into_iter().map(|word| (word, Kind::Symbol))),
            None => {
                if let Some((end, last)) = end {
                    open.extend(words_behind(text.get(end..).unwrap_or(""), last).map(|word| (word, Kind::Symbol)));
                }
                close(&mut open, &mut sets);
                open.extend(words_before(text.get(..identifier.range.start).unwrap_or(""), sort));
            }
        }
        open.push((word, identifier.kind));
        end = Some((identifier.range.end, sort));
    }
    if let Some((end, last)) = end {
        open.extend(words_behind(text.get(end..).unwrap_or(""), last).map(|word| (word, Kind::Symbol)));
    }
    close(&mut open, &mut sets);
    for set in &mut sets {
        let mut seen = Vec::new();
        set.retain(|(word, _)| !seen.contains(word) && (seen.push(*word), true).1);
    }
    sets.retain(|set| set.len() > 1);
    sets
}

/// What a list is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Files,
    Names,
    Ids,
}

fn sort(kind: Kind, word: &str) -> Option<Sort> {
    match kind {
        Kind::Path | Kind::File => Some(Sort::Files),
        Kind::Symbol | Kind::Name if word.contains(['_', '-']) => Some(Sort::Names),
        Kind::Id | Kind::Sha | Kind::Ticket => Some(Sort::Ids),
        _ => None,
    }
}

/// The plain words of a list between two of its values; none where no list goes on there. In a list of names a column may be called
/// `status`.
fn words_between(gap: &str, sort: Sort) -> Option<Vec<&str>> {
    if gap.len() > 120 {
        return None;
    }
    let mut parts = gap.split(',').map(bare);
    let first = parts.next()?;
    let is_and = |part: &str| matches!(part, "and" | "or" | "&");
    if !gap.contains(',') {
        return (is_and(first)).then(Vec::new);
    }
    let mut words = Vec::new();
    let last = parts.next_back()?;
    for part in parts {
        words.push(is_plain(part).then_some(part)?);
    }
    let ends = first.is_empty() && (last.is_empty() || is_and(last));
    (ends && (words.is_empty() || sort == Sort::Names)).then_some(words)
}

/// The plain words of a list before its first value.
fn words_before(text: &str, sort: Sort) -> impl Iterator<Item = (&str, Kind)> {
    let tail = tail(text, 120);
    let inner = tail.rfind(['(', '[', '{', ':']).and_then(|at| tail.get(at + 1..)).filter(|_| sort == Sort::Names);
    let words: Option<Vec<&str>> = inner.and_then(|inner| {
        let (list, rest) = inner.rsplit_once(',')?;
        let all = list.split(',').map(|part| Some(bare(part)).filter(|part| is_plain(part)));
        bare(rest).is_empty().then(|| all.collect::<Option<Vec<_>>>())?
    });
    words.unwrap_or_default().into_iter().map(|word| (word, Kind::Symbol))
}

/// The plain words of a list behind its last value.
fn words_behind(text: &str, sort: Sort) -> impl Iterator<Item = &str> {
    let head = crate::base::text::prefix(text, 120);
    let inner = head.find([')', ']', '}']).and_then(|at| head.get(..at)).filter(|_| sort == Sort::Names);
    let words: Option<Vec<&str>> = inner.and_then(|inner| {
        let mut parts = inner.split(',').map(bare);
        parts.next().filter(|first| first.is_empty())?;
        parts.map(|part| is_plain(part).then_some(part)).collect()
    });
    words.unwrap_or_default().into_iter()
}

/// A part of a list without its quotes.
fn bare(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\'))
}

fn is_plain(word: &str) -> bool {
    (2..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The last `bytes` of a text, or a few less.
fn tail(text: &str, bytes: usize) -> &str {
    let from = text.len().saturating_sub(bytes);
    (from..=text.len()).find_map(|at| text.get(at..)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::identifiers::identifiers;

    fn lists(text: &str) -> Vec<Vec<&str>> {
        sets(text, &identifiers(text), By::Human).into_iter().map(|set| set.into_iter().map(|(word, _)| word).collect()).collect()
    }

    #[test]
    fn what_is_listed_together_is_a_set() {
        for (text, want) in [
            ("Rewrite (status, total_cents, placed_at, id) of orders.", vec![vec!["status", "total_cents", "placed_at", "id"]]),
            ("fix parser.rs, lexer.rs and tokens.rs, please", vec![vec!["parser.rs", "lexer.rs", "tokens.rs"]]),
            ("const { isOpen, onClose } = useDialog()", vec![]),
            (r#"{"columns":["user_id","status","created_at"]}"#, vec![vec!["user_id", "status", "created_at"]]),
            ("`batch_id` and `batch_no` are new", vec![vec!["batch_id", "batch_no"]]),
            ("see src/a.rs. Then run user_id through it, and push.", vec![]),
            ("src/a.rs uses src/b.rs", vec![]),
        ] {
            assert_eq!(lists(text), want, "{text}");
        }
        let files = "src/a.rs,src/b.rs";
        assert_eq!((sets(files, &identifiers(files), By::Human).len(), sets(files, &identifiers(files), By::Call).len()), (1, 0));
    }
}
