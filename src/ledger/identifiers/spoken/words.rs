//! A text cut into words as a reader sees them.

use std::ops::Range;

/// A word, without the marks around it.
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) lower: String,
    pub(super) range: Range<usize>,
    /// Marks that open before it: `"`, `(`.
    pub(super) opens: &'t str,
    /// Marks behind it.
    pub(super) closes: &'t str,
    /// Whether a clause ends behind it.
    pub(super) ends_clause: bool,
}

/// Of a longer text no more is looked at: it is a paste.
const MOST: usize = 32 << 10;

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let text = crate::base::text::prefix(text, MOST);
    let mut found: Vec<Word<'_>> = Vec::new();
    let mut at = 0;
    for raw in text.split(char::is_whitespace) {
        let start = at;
        at += raw.len() + text.get(at + raw.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let Some(first) = raw.find(char::is_alphanumeric) else {
            // A dash or a mark by itself.
            if let Some(last) = found.last_mut() {
                last.ends_clause |= !raw.is_empty() && !matches!(raw, "&" | "+" | "=" | ">=" | "<=" | "~>" | "==");
            }
            continue;
        };
        let end = raw
            .rfind(char::is_alphanumeric)
            .map_or(first, |last| last + raw.get(last..).and_then(|c| c.chars().next()).map_or(0, char::len_utf8));
        let (Some(core), Some(opens), Some(closes)) = (raw.get(first..end), raw.get(..first), raw.get(end..)) else { continue };
        if opens.contains(['(', '[', '-', '—'])
            && let Some(last) = found.last_mut()
        {
            last.ends_clause |= opens.contains(['(', '[', '—']);
        }
        let broken = text.get(start + raw.len()..at).is_some_and(|space| space == "\n");
        found.push(Word {
            text: core,
            lower: core.to_lowercase(),
            range: start + first..start + end,
            opens,
            closes,
            ends_clause: broken
                || closes.contains([',', '.', ';', ':', '!', '?', ')', ']', '，', '。', '；', '：', '！', '？', '、', '—']),
        });
    }
    if let Some(last) = found.last_mut() {
        last.ends_clause = true;
    }
    found
}

/// Whether a word is a number of at most `digits` digits.
pub(super) fn is_number(word: &str, digits: usize) -> bool {
    !word.is_empty() && word.len() <= digits && word.bytes().all(|byte| byte.is_ascii_digit())
}
