//! The items of a message that words may point at: numbered or lettered, at the head of a line or in a sentence.

use std::ops::Range;

use super::mentions::What;
use crate::base::text::prefix;

/// Of an item this much is repeated, in bytes.
const ITEM_BYTES: usize = 400;

/// An item of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item<'t> {
    /// What it is called: `2`, `b`.
    pub(super) label: String,
    /// Its words, with its label.
    pub(super) text: &'t str,
}

/// The items of a text, in their order.
pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let labels = labels(text);
    let ends = labels.iter().skip(1).map(|(_, at)| at.start).chain([text.len()]);
    let parts = labels.iter().zip(ends).map(|((label, at), end)| {
        let part = text.get(at.start..end).unwrap_or("");
        // An item ends with its paragraph.
        let part = part.split_once("\n\n").map_or(part, |(item, _)| item);
        Item { label: label.clone(), text: prefix(part.trim_end().trim_end_matches(['#', '*', '-', '|', ' ', '\n']), ITEM_BYTES) }
    });
    parts.collect()
}

/// The items that are meant. Of two with one label the later: it stands in the newer list.
pub(super) fn find<'i, 't>(items: &'i [Item<'t>], what: &What) -> Vec<&'i Item<'t>> {
    match what {
        What::Labels(labels) => labels.iter().filter_map(|label| items.iter().rfind(|item| item.label == *label)).collect(),
        What::Nth(n) => newest(items).get(*n).into_iter().collect(),
        What::Last => newest(items).last().into_iter().collect(),
        What::Rest => newest(items).iter().collect(),
    }
}

/// The newest list of several: from its first label on.
fn newest<'i, 't>(items: &'i [Item<'t>]) -> &'i [Item<'t>] {
    let start = items.iter().rposition(|item| matches!(item.label.as_str(), "1" | "a")).unwrap_or(0);
    items.get(start..).unwrap_or(&[])
}

/// The labels of a text with their places: `2.`, `2)`, `(2)`, `b)`, `Option B:`, `| 2 |` at the head of a row; and `option 2`, where
/// another option is told beside it.
fn labels(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut choices = 0;
    let mut before = (0, "");
    for (start, word) in words(text) {
        let bare = word.trim_matches(['*', '#', '_', '`', '[', '(']);
        let line = text.get(..start).unwrap_or("").trim_end_matches([' ', '*', '#', '-', '>', '|', '_']);
        let head = line.is_empty() || line.ends_with('\n');
        let rest = text.get(start + word.len()..).unwrap_or("");
        let is_cell = head && rest.starts_with(" |") && text.get(..start).is_some_and(|before| before.ends_with("| "));
        let closed = bare.ends_with(['.', ')', ':', ']']) || bare.is_empty() || is_cell;
        let label = bare.trim_end_matches(['.', ')', ':', ']', '*']).to_ascii_lowercase();
        let is_number = !label.is_empty() && label.len() <= 3 && label.bytes().all(|b| b.is_ascii_digit());
        let is_letter = label.len() == 1 && label.bytes().all(|b| b.is_ascii_alphabetic());
        let noun = super::mentions::is_noun(before.1);
        // In a sentence only a number counts, behind a full stop, a colon or a bracket.
        let in_line = before.1.ends_with(['.', ':', ';', ',', '?', '!', ')']) || word.starts_with('(');
        let is_choice = !closed && (is_number || is_letter) && super::mentions::is_choice(before.1);
        if is_choice || closed && ((is_number && (head || noun || in_line)) || (is_letter && (head || noun))) {
            let from = if noun { before.0 } else { start };
            found.push((label, from..start + word.len(), is_choice));
            choices += usize::from(is_choice);
        }
        before = (start, word);
    }
    found.retain(|(_, _, is_choice)| !is_choice || choices > 1);
    found.into_iter().map(|(label, range, _)| (label, range)).collect()
}

/// The words of a text with their places.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(char::is_whitespace)
        .map(move |word| {
            let start = at;
            // The white space behind it may be wider than one byte.
            let end = start + word.len();
            at = end + text.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            (start, word)
        })
        .filter(|(_, word)| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_all_shapes() {
        for (text, expected) in [
            ("1. lock\n2. queue\n", vec![("1", "1. lock"), ("2", "2. queue")]),
            ("Two ways: 1) lock, 2) queue", vec![("1", "1) lock,"), ("2", "2) queue")]),
            ("A) lock\n\nB) queue\nwith a table", vec![("a", "A) lock"), ("b", "B) queue\nwith a table")]),
            ("**Option A:** lock\n**Option B:** queue", vec![("a", "Option A:** lock"), ("b", "Option B:** queue")]),
            ("- **1.** lock\n- **2.** queue", vec![("1", "1.** lock"), ("2", "2.** queue")]),
            ("Option 1 is a lock, option 2 a queue", vec![("1", "Option 1 is a lock,"), ("2", "option 2 a queue")]),
            ("I took option 2 for it", vec![]),
            ("| # | What |\n|---|---|\n| 1 | lock |\n| 2 | queue |", vec![("1", "1 | lock"), ("2", "2 | queue")]),
            ("It took 3. Then 40 rows. I left.", vec![]),
        ] {
            let found = items(text);
            let found: Vec<_> = found.iter().map(|item| (item.label.as_str(), item.text.trim_start_matches('*'))).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
