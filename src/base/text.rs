//! Text from a transcript on its way to a terminal: cleaned, measured, cut.
//!
//! **Invariant:** nothing that [`clean`] returns can move the cursor, change a colour or reorder the line it stands in.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Whether a character may not reach a terminal as it is: control characters, bidi overrides and isolates, zero-width marks
/// that hide text, the tag block, and line or paragraph separators.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}'
            | '\u{061C}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether nothing in a text is unsafe.
#[must_use]
pub fn is_safe(text: &str) -> bool {
    // Nearly all texts are: looked at without a branch for each byte.
    let is_plain = text.bytes().fold(true, |plain, byte| plain & (b' '..=b'~').contains(&byte));
    is_plain || !text.chars().any(is_unsafe)
}

/// A text as others may have it, who may paste it into a terminal: lines and tabs stay, other unsafe characters are a `·`.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_kept = |c: char| matches!(c, '\n' | '\t') || !is_unsafe(c);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    text.replace("\r\n", "\n").chars().map(|c| if is_kept(c) { c } else { '·' }).collect()
}

/// One line of `text` that a terminal shows as it stands: a tab becomes a space, a line break `⏎`, other unsafe characters `·`.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_safe(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\r' => {}
            '\t' => out.push(' '),
            '\n' | '\u{2028}' | '\u{2029}' => out.push('⏎'),
            c if is_unsafe(c) => out.push('·'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Width in terminal cells.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` cut at its end to at most `cells`, with `…` in place of what is left out.
#[must_use]
pub fn cut_end(text: &str, cells: usize) -> Cow<'_, str> {
    // A cell takes at least one byte, so a short text needs no measuring.
    if text.len() <= cells || width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    let mut out = String::new();
    let mut used = 0;
    for g in text.graphemes(true) {
        let w = g.width();
        if used + w > cells - 1 {
            break;
        }
        used += w;
        out.push_str(g);
    }
    out.push('…');
    Cow::Owned(out)
}

/// `text` cut in its middle to at most `cells`: for paths, whose end says most.
#[must_use]
pub fn cut_middle(text: &str, cells: usize) -> Cow<'_, str> {
    if text.len() <= cells || width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 3 {
        return cut_end(text, cells);
    }
    let tail_cells = (cells - 1) * 2 / 3;
    let head_cells = cells - 1 - tail_cells;
    let mut head = String::new();
    let mut used = 0;
    for g in text.graphemes(true) {
        let w = g.width();
        if used + w > head_cells {
            break;
        }
        used += w;
        head.push_str(g);
    }
    let mut tail = Vec::new();
    used = 0;
    for g in text.graphemes(true).rev() {
        let w = g.width();
        if used + w > tail_cells {
            break;
        }
        used += w;
        tail.push(g);
    }
    head.push('…');
    head.extend(tail.into_iter().rev());
    Cow::Owned(head)
}

/// The first `bytes` bytes of `text` or a little less: cut at a character's edge.
#[must_use]
pub fn prefix(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_copied_can_be_pasted() {
        assert_eq!(harmless("a\tb\r\nc \u{1b}]52;c;SEFD\u{7}"), "a\tb\nc ·]52;c;SEFD·");
        assert!(matches!(harmless("grün\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_live_gets_through() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\x1b[31mred\x1b[0m", "a·[31mred·[0m"),
            ("two\nlines\tand\r\nmore", "two⏎lines and⏎more"),
            ("\u{202E}gnp.exe", "·gnp.exe"),
            ("\u{9b}31m", "·31m"),
        ] {
            assert_eq!(clean(text), shown);
        }
    }

    #[test]
    fn cuts_where_a_reader_needs_it() {
        assert_eq!(cut_end("src/legacy/parser_v2.py", 10), "src/legac…");
        assert_eq!(cut_middle("src/legacy/parser_v2.py", 14), "src/l…er_v2.py");
        assert_eq!(cut_end("日本語テキスト", 7), "日本語…");
        assert_eq!(prefix("日本語", 4), "日");
    }

    proptest! {
        #[test]
        fn a_cut_never_exceeds_its_cells(text in "\\PC{0,40}", cells in 0usize..30) {
            prop_assert!(width(&cut_end(&text, cells)) <= cells);
            prop_assert!(width(&cut_middle(&text, cells)) <= cells);
        }
    }
}
