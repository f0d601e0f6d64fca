//! A picker on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::{Listing, Picker};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::view::{Canvas, Mode, key_bar, line_of, too_small, typing};

pub(super) fn draw<L: Listing>(picker: &Picker<L>, buffer: &mut Buffer) {
    let mut canvas = Canvas::new(buffer, &picker.look.theme);
    if too_small(picker.size, &mut canvas) {
        return;
    }
    let screen = Rect::new(0, 0, picker.size.width, picker.size.height);
    head(picker, line_of(screen, 0), &mut canvas);
    canvas.titled_rule(line_of(screen, 1), &[Piece::new(Role::Focus, L::TITLE)], None);
    picker.listing.heading(line_of(screen, 2), &mut canvas);
    let body = body(picker.size);
    if picker.matching.is_empty() {
        empty(picker, body, &mut canvas);
    }
    let first = picker.list.first(picker.matching.len(), picker.page());
    for (n, row) in picker.matching.iter().enumerate().skip(first).take(picker.page()) {
        let line = line_of(body, n - first);
        picker.listing.row(*row, line, picker.now, &mut canvas);
        if n == picker.list.selected {
            canvas.select(line, Some(1), Role::Selected);
        }
    }
    let bar = line_of(screen, usize::from(screen.height) - 1);
    match &picker.filter {
        Some(filter) => typing(filter, "enter open   esc show all", bar, &mut canvas),
        None => key_bar(&picker.look.keymap, picker.context(), Mode::Look, bar, &mut canvas),
    }
}

/// Where the rows stand: below the head, the rule and the names of the columns, above the key bar.
pub(super) fn body(size: Size) -> Rect {
    Rect { x: 0, y: 3, width: size.width, height: size.height.saturating_sub(4) }
}

fn head<L: Listing>(picker: &Picker<L>, line: Rect, canvas: &mut Canvas<'_>) {
    let x = canvas.put(line, 0, Role::Dim, " owed  ");
    let x = canvas.put(line, x, Role::Strong, L::QUESTION);
    canvas.put(line, x + 2, Role::Dim, &picker.listing.sum(picker.matching.len()));
}

fn empty<L: Listing>(picker: &Picker<L>, body: Rect, canvas: &mut Canvas<'_>) {
    let words = if picker.listing.len() == 0 { picker.listing.empty() } else { picker.listing.unmatched() };
    for (n, words) in words.iter().enumerate() {
        canvas.put(line_of(body, n + 1), 3, if n == 0 { Role::Text } else { Role::Dim }, words);
    }
}
