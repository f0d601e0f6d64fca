//! Where views draw: text by role, clipped to an area, and cleaned on its way to the terminal.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::base::text;
use crate::ui::piece::{Piece, width};
use crate::ui::theme::{Ink, Role, Signs, Theme};

/// A screen and the theme that it is drawn with.
pub(crate) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        let area = buffer.area;
        buffer.set_style(area, theme.style(Role::Text));
        Self { buffer, theme }
    }

    /// Puts text on the first line of `area`, `x` cells in; returns the cell after it. What does not fit is cut with `…`.
    pub(crate) fn put(&mut self, area: Rect, x: usize, role: Role, text: &str) -> usize {
        let area = area.intersection(self.buffer.area);
        let room = usize::from(area.width).saturating_sub(x);
        if area.height == 0 || room == 0 {
            return x;
        }
        let cleaned = text::clean(text);
        let shown = text::cut_end(&cleaned, room);
        let shown = match self.theme.signs() {
            Signs::Unicode => shown,
            Signs::Ascii => in_ascii(shown),
        };
        let column = area.x.saturating_add(u16::try_from(x).unwrap_or(u16::MAX));
        // What stood there before, a rule perhaps, leaves nothing of its style.
        let style = Style::reset().patch(self.theme.style(Role::Text)).patch(self.theme.style(role));
        self.buffer.set_stringn(column, area.y, &shown, room, style);
        x + text::width(&shown)
    }

    /// Puts pieces one after the other.
    pub(crate) fn line(&mut self, area: Rect, x: usize, pieces: &[Piece<'_>]) -> usize {
        pieces.iter().fold(x, |x, piece| {
            let after = self.put(area, x, piece.role, &piece.text);
            if piece.ink != Ink::default() {
                let cells = self.cells(area, x..after);
                self.buffer.set_style(cells, self.theme.ink(piece.ink));
            }
            if let Some(mark) = piece.mark {
                self.patch_cells(area, x..after, mark.role);
            }
            after
        })
    }

    /// Lays a role over some cells of a line that has been drawn.
    pub(crate) fn patch_cells(&mut self, line: Rect, cells: Range<usize>, role: Role) {
        let cells = self.cells(line, cells);
        self.patch(cells, role);
    }

    /// Some cells of a line, as far as they are on the screen.
    fn cells(&self, line: Rect, cells: Range<usize>) -> Rect {
        let cell = |n: usize| u16::try_from(n).unwrap_or(u16::MAX).min(line.width);
        let (left, right) = (cell(cells.start), cell(cells.end));
        Rect { x: line.x + left, width: right.saturating_sub(left), ..line }.intersection(self.buffer.area)
    }

    /// Puts pieces so that they end at the right edge of `area`.
    pub(crate) fn line_right(&mut self, area: Rect, pieces: &[Piece<'_>]) {
        let x = usize::from(area.width).saturating_sub(width(pieces));
        self.line(area, x, pieces);
    }

    /// Wipes an area, so that what is drawn there next lies over what stood there.
    pub(crate) fn blank(&mut self, area: Rect) {
        for line in lines_of(area) {
            self.put(line, 0, Role::Text, &" ".repeat(usize::from(line.width)));
        }
    }

    /// Lays a role over what has been drawn.
    pub(crate) fn patch(&mut self, area: Rect, role: Role) {
        let area = area.intersection(self.buffer.area);
        self.buffer.set_style(area, self.theme.style(role));
    }

    /// Lays a role over each place of a line where words stand that has been drawn, in any case unless they have a capital letter.
    /// Whether there is one.
    pub(crate) fn mark(&mut self, line: Rect, words: &str, role: Role) -> bool {
        let line = line.intersection(self.buffer.area);
        let any_case = !words.chars().any(char::is_uppercase);
        let folded = |text: &str| if any_case { text.to_lowercase() } else { text.to_owned() };
        let (mut text, mut cells, mut x) = (String::new(), Vec::new(), line.left());
        while let Some(cell) = self.buffer.cell((x, line.y)).filter(|_| x < line.right() && line.height > 0) {
            // Behind a wide sign stands a cell that is not seen.
            let wide = u16::try_from(text::width(cell.symbol())).unwrap_or(1).max(1);
            cells.push((text.len(), Rect { x, width: wide, ..line }));
            text.push_str(&folded(cell.symbol()));
            x += wide;
        }
        let wanted = folded(words);
        let found: Vec<Range<usize>> = match wanted.is_empty() {
            true => Vec::new(),
            false => text.match_indices(&wanted).map(|(at, found)| at..at + found.len()).collect(),
        };
        for (_, cell) in cells.into_iter().filter(|(at, _)| found.iter().any(|found| found.contains(at))) {
            self.patch(cell, role);
        }
        !found.is_empty()
    }

    /// Marks a row as selected: one even bar, whatever it was drawn with. The cell `keep` cells in, its status, stays as it is.
    pub(crate) fn select(&mut self, row: Rect, keep: Option<usize>, role: Role) {
        let row = row.intersection(self.buffer.area);
        let style = self.theme.style(role);
        for (n, x) in (row.left()..row.right()).enumerate() {
            let Some(cell) = self.buffer.cell_mut((x, row.y)).filter(|_| row.height > 0) else { continue };
            if keep == Some(n) && cell.symbol() != " " {
                continue;
            }
            let bold = cell.modifier & Modifier::BOLD;
            cell.set_style(Style::reset().patch(self.theme.style(Role::Text)).add_modifier(bold).patch(style));
        }
    }

    /// A rule over the first line of `area`, with titles in it, and perhaps words at its right end. A title that has the keys
    /// makes the rule a heavy one.
    pub(crate) fn titled_rule(&mut self, area: Rect, titles: &[Piece<'_>], right: Option<&[Piece<'_>]>) {
        let cells = usize::from(area.width);
        let line = if titles.iter().any(|title| title.role == Role::Focus) { "━" } else { "─" };
        self.put(area, 0, Role::Rule, &line.repeat(cells));
        let mut x = 1;
        for title in titles {
            x = self.put(area, x, Role::Rule, " ");
            x = self.put(area, x, title.role, &title.text);
            x = self.put(area, x, Role::Rule, " ");
            x = self.put(area, x, Role::Rule, line);
        }
        if let Some(right) = right.filter(|right| x + width(right) + 4 < cells) {
            let start = cells - width(right) - 3;
            let after = self.put(area, start, Role::Rule, " ");
            let after = self.line(area, after, right);
            self.put(area, after, Role::Rule, " ");
        }
    }
}

/// Lines and signs that take one cell, and what stands for each of them in ASCII.
const IN_ASCII: [(&str, char); 14] = [
    ("─━┄═▁▂", '-'),
    ("│┃▏▕┆┇║", '|'),
    ("┌┐└┘├┤┬┴┼┏┓┗┛", '+'),
    ("█▉▊▋▌▍▎■▪╵╷╹╻", '#'),
    ("▲", '!'),
    ("●✔✓", '*'),
    ("○◇", 'o'),
    ("▾→▸›", '>'),
    ("◂‹", '<'),
    ("▴", '^'),
    ("×", 'x'),
    ("◆", 'O'),
    ("·…“”⏎", '.'),
    ("▃▄▅▆▇", '='),
];

fn in_ascii(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() {
        return text;
    }
    let sign = |c: char| IN_ASCII.iter().find(|(signs, _)| signs.contains(c)).map_or(c, |(_, ascii)| *ascii);
    Cow::Owned(text.chars().map(sign).collect())
}

/// The line `n` of an area.
pub(crate) fn line_of(area: Rect, n: usize) -> Rect {
    let below = u16::try_from(n).unwrap_or(u16::MAX);
    let height = u16::from(below < area.height);
    Rect { y: area.y.saturating_add(below.min(area.height)), height, ..area }
}

/// The lines of an area.
pub(crate) fn lines_of(area: Rect) -> impl Iterator<Item = Rect> {
    (0..usize::from(area.height)).map(move |n| line_of(area, n))
}

/// An area without its first `left` and its last `right` columns.
pub(crate) fn inset(area: Rect, left: u16, right: u16) -> Rect {
    let left = left.min(area.width);
    Rect { x: area.x + left, width: (area.width - left).saturating_sub(right), ..area }
}
