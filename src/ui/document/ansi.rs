//! What a tool wrote for a terminal: its colours are kept, its escape sequences are read and never passed on.

use vte::{Params, Parser, Perform};

use super::layout::Line;
use crate::base::text;
use crate::ui::piece::Piece;
use crate::ui::theme::{Ink, Role};

/// With what an escape sequence begins.
pub(super) const ESCAPE: char = '\u{1b}';

/// Cells from one tab stop to the next.
const STOP: usize = 4;

/// The lines of a text in the colours that it asks for, each safe to show. A colour lasts over the end of its line; a sequence that
/// has no end does not, so that none swallows more than its own line.
pub(super) fn lines(source: &str) -> Vec<Line> {
    let mut ink = Ink::default();
    source.lines().map(|line| painted(line, &mut ink)).collect()
}

/// A line without its colours, safe to show.
pub(super) fn plain(line: &str) -> String {
    painted(line, &mut Ink::default()).iter().map(|piece| &*piece.text).collect()
}

fn painted(line: &str, ink: &mut Ink) -> Line {
    let mut writer = Writer { ink: *ink, ..Writer::default() };
    Parser::new().advance(&mut writer, line.as_bytes());
    *ink = writer.ink;
    writer.line
}

/// What stands where a terminal would write.
#[derive(Default)]
struct Writer {
    line: Line,
    ink: Ink,
    /// Characters so far.
    column: usize,
    /// Whether a carriage return waits for what comes behind it.
    returned: bool,
}

impl Writer {
    fn put(&mut self, c: char) {
        // A terminal would write over what stands there; a reader wants to see both.
        if std::mem::take(&mut self.returned) && self.column > 0 {
            self.put('⏎');
        }
        let c = if text::is_unsafe(c) { '·' } else { c };
        self.column += 1;
        match self.line.last_mut() {
            Some(last) if last.ink == self.ink => last.text.to_mut().push(c),
            _ => self.line.push(Piece::new(Role::Text, c.to_string()).inked(self.ink)),
        }
    }
}

impl Perform for Writer {
    fn print(&mut self, c: char) {
        self.put(c);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.returned = true,
            b'\t' => (self.column % STOP..STOP).for_each(|_| self.put(' ')),
            _ => self.put('·'),
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _ignore: bool, action: char) {
        if action == 'm' && intermediates.is_empty() {
            self.ink.take(params.iter());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Color;

    use crate::ui::theme::Theme;

    #[test]
    fn what_a_tool_wrote_for_a_terminal_reads_as_text() {
        for (source, shown) in [
            ("\u{1b}[1;31merror\u{1b}[0m: no", "error: no"),
            ("\u{1b}]0;a \\ title\u{7}ok", "ok"),
            ("\u{1b}]8;;https://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(B\u{1b}[mplain", "plain"),
            ("\u{1b}P1$r0m\u{1b}\\after", "after"),
            ("\u{1b}[2J\u{1b}[3;4Hmoved", "moved"),
            ("a\tb\t\tc", "a   b       c"),
            ("broken \u{1b}[31", "broken "),
            ("bell \u{7} and \u{202e}bidi", "bell · and ·bidi"),
            ("\u{9b}31m", "·31m"),
            ("10 %\r50 %\rdone\r", "10 %⏎50 %⏎done"),
        ] {
            assert_eq!(plain(source), shown, "{source:?}");
        }
    }

    #[test]
    fn colours_last_over_lines_and_sequences_without_end_do_not() {
        let theme = Theme::load("terminal", None).unwrap();
        let shown = |source: &str| -> Vec<Vec<(String, Option<Color>)>> {
            let of = |piece: &Piece<'_>| (piece.text.to_string(), theme.ink(piece.ink).fg);
            lines(source).iter().map(|line| line.iter().map(of).collect()).collect()
        };
        let red = Some(Color::Red);
        assert_eq!(
            shown("a \u{1b}[31mred\nstill\u{1b}[0m not"),
            [vec![("a ".to_owned(), None), ("red".to_owned(), red)], vec![("still".to_owned(), red), (" not".to_owned(), None)]]
        );
        assert_eq!(shown("\u{1b}]0;never ended\nseen"), [vec![], vec![("seen".to_owned(), None)]]);
    }

    proptest! {
        #[test]
        fn nothing_live_comes_out(source in "[\\x1b\\x07\\x00-\\x1f\\[\\]0-9;:m a-zé\u{202e}\u{9b}]{0,60}") {
            for line in lines(&source) {
                for piece in line {
                    prop_assert!(!piece.text.chars().any(text::is_unsafe), "{:?}", piece);
                }
            }
        }
    }
}
