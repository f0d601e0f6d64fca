//! A picker on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::{Listing, Picker};
use crate::base::text::{clean, cut_end};
use crate::ui::app::Help;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::view::{Canvas, Mode, help, key_bar, line_of, scrollbar, too_small, typing};

pub(super) fn draw<L: Listing>(picker: &Picker<L>, buffer: &mut Buffer) {
    let mut canvas = Canvas::new(buffer, &picker.look.theme);
    if too_small(picker.size, &mut canvas) {
        return;
    }
    let screen = Rect::new(0, 0, picker.size.width, picker.size.height);
    head(picker, line_of(screen, 0), &mut canvas);
    let bar = line_of(screen, usize::from(screen.height) - 1);
    if let Help::Open(scroll) = picker.help {
        help(picker.place(), scroll, &mut canvas);
        return key_bar(&picker.look.keymap, picker.context(), (Mode::Look, picker.behind), bar, &mut canvas);
    }
    canvas.titled_rule(line_of(screen, 1), &[Piece::new(Role::Focus, L::TITLE)], None);
    picker.listing.heading(Rect { width: body::<L>(picker.size).width, ..line_of(screen, 2) }, &mut canvas);
    let body = body::<L>(picker.size);
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
    let behind = Rect { x: body.right().saturating_sub(1), width: 1, ..body };
    scrollbar(behind, first, picker.matching.len(), &mut canvas);
    if let (Some(area), Some(row)) = (preview::<L>(picker.size), picker.matching.get(picker.list.selected)) {
        picker.listing.preview(*row, area, picker.now, &mut canvas);
    }
    match (&picker.notice, &picker.filter) {
        (Some(notice), _) => {
            canvas.put(bar, 1, Role::Strong, &cut_end(&clean(notice), usize::from(bar.width).saturating_sub(2)));
        }
        (None, Some(filter)) => typing("/", filter, "enter open   esc show all", bar, &mut canvas),
        (None, None) => key_bar(&picker.look.keymap, picker.context(), (Mode::Look, picker.behind), bar, &mut canvas),
    }
}

/// From so many columns, or lines, there is room for a preview.
const BESIDE: u16 = 120;
const BELOW: u16 = 22;
/// Lines of a preview below the list.
const LINES: u16 = 9;

/// Where the rows stand: below the head, the rule and the names of the columns, above the key bar.
pub(super) fn body<L: Listing>(size: Size) -> Rect {
    let whole = Rect { x: 0, y: 3, width: size.width, height: size.height.saturating_sub(4) };
    match preview::<L>(size) {
        Some(area) if area.x > 0 => Rect { width: area.x, ..whole },
        Some(area) => Rect { height: area.y.saturating_sub(whole.y), ..whole },
        None => whole,
    }
}

/// Where the preview stands: beside the list, else below it, else nowhere.
fn preview<L: Listing>(size: Size) -> Option<Rect> {
    if !L::PREVIEWS {
        return None;
    }
    let (x, bottom) = (size.width * 3 / 5, size.height.saturating_sub(1));
    match (size.width >= BESIDE, size.height >= BELOW) {
        (true, _) => Some(Rect { x, y: 1, width: size.width - x, height: bottom.saturating_sub(1) }),
        (false, true) => Some(Rect { x: 0, y: bottom - LINES, width: size.width, height: LINES }),
        (false, false) => None,
    }
}

fn head<L: Listing>(picker: &Picker<L>, line: Rect, canvas: &mut Canvas<'_>) {
    let x = canvas.put(line, 0, Role::Dim, " owed  ");
    let x = canvas.put(line, x, Role::Strong, L::QUESTION);
    canvas.put(line, x + 2, Role::Dim, &picker.listing.sum(picker.matching.len(), picker.now));
}

fn empty<L: Listing>(picker: &Picker<L>, body: Rect, canvas: &mut Canvas<'_>) {
    let words = if picker.listing.len() == 0 { picker.listing.empty() } else { picker.listing.unmatched() };
    for (n, words) in words.iter().enumerate() {
        canvas.put(line_of(body, n + 1), 3, if n == 0 { Role::Text } else { Role::Dim }, words);
    }
}
