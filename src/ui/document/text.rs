//! Text from a transcript, on its way into a document: no escape sequences, no tabs, nothing unsafe.

use std::borrow::Cow;

use super::LONGEST;
use crate::base::text;

/// The lines of a text, each safe to show; and how many bytes of it were left out.
pub(crate) fn lines(source: &str) -> (Vec<String>, usize) {
    let kept = text::prefix(source, LONGEST);
    (kept.lines().map(shown).collect(), source.len() - kept.len())
}

/// A line as it may be shown.
pub(crate) fn shown(line: &str) -> String {
    text::clean(&expand_tabs(&without_escapes(line))).into_owned()
}

/// A line without the terminal's escape sequences: what a tool coloured for a terminal reads as plain text.
fn without_escapes(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            plain.push(c);
            continue;
        }
        match rest.next() {
            // A control sequence ends with its final letter, an operating system command with a bell or a string terminator.
            Some('[') => {
                let _final = rest.find(|c| ('\u{40}'..='\u{7e}').contains(c));
            }
            Some(']') => {
                let _bell = rest.find(|c| matches!(c, '\u{7}' | '\\'));
            }
            _ => {}
        }
    }
    Cow::Owned(plain)
}

fn expand_tabs(line: &str) -> Cow<'_, str> {
    const STOP: usize = 4;
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut wide = String::with_capacity(line.len() + 16);
    let mut column = 0;
    for c in line.chars() {
        let cells = if c == '\t' { STOP - column % STOP } else { 1 };
        match c {
            '\t' => wide.extend(std::iter::repeat_n(' ', cells)),
            c => wide.push(c),
        }
        column += cells;
    }
    Cow::Owned(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_wrote_for_a_terminal_reads_as_text() {
        for (source, shown) in [
            ("\u{1b}[1;31merror\u{1b}[0m: no", "error: no"),
            ("\u{1b}]0;title\u{7}ok", "ok"),
            ("a\tb\t\tc", "a   b       c"),
            ("broken \u{1b}[31", "broken "),
            ("bell \u{7} and \u{202e}bidi", "bell · and ·bidi"),
            ("carriage\r", "carriage"),
        ] {
            assert_eq!(lines(source).0, [shown], "{source:?}");
        }
    }

    #[test]
    fn a_huge_text_is_cut_and_its_rest_counted() {
        let (kept, left) = lines(&"x".repeat(LONGEST + 7));
        assert_eq!((kept.len(), left), (1, 7));
    }
}
