//! Text from a transcript, on its way into a document: no escape sequences, no tabs, nothing unsafe, and nothing that nobody reads.

use super::{LONGEST, ansi, blobs};
use crate::base::text;

/// The lines of a text, each safe to show; and how many bytes of it were left out.
pub(crate) fn lines(source: &str) -> (Vec<String>, usize) {
    let told = blobs::told(source);
    let (kept, left_out) = kept(&told);
    (kept.lines().map(shown).collect(), left_out)
}

/// As much of a text as is shown, and how many bytes are left out.
pub(super) fn kept(source: &str) -> (&str, usize) {
    let kept = text::prefix(source, LONGEST);
    (kept, source.len() - kept.len())
}

/// A line as it may be shown.
pub(crate) fn shown(line: &str) -> String {
    if line.contains([ansi::ESCAPE, '\t', '\r']) {
        return ansi::plain(line);
    }
    text::clean(line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_text_is_cut_and_its_rest_counted() {
        let (kept, left) = lines(&"x".repeat(LONGEST + 7));
        assert_eq!((kept.len(), left), (1, 7));
    }

    #[test]
    fn a_line_is_safe_whatever_stands_in_it() {
        for (line, seen) in
            [("a\tb", "a   b"), ("bell \u{7}", "bell ·"), ("\u{1b}[1mbold\u{1b}[0m", "bold"), ("carriage\r", "carriage")]
        {
            assert_eq!(shown(line), seen, "{line:?}");
        }
    }
}
