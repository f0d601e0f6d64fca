//! The command palette: what fits what is typed, above the line in which it is typed.

use ratatui::layout::{Rect, Size};

use super::canvas::{Canvas, inset, lines_of};
use crate::base::text::{cut_end, width};
use crate::ui::app::{App, Asks, Offer};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// At most so many rows.
const ROWS: u16 = 14;
/// Cells of a command's name, where there is room.
const NAMES: usize = 26;

/// Above the last line.
fn area(size: Size) -> Rect {
    let height = (ROWS + 1).min(size.height.saturating_sub(4));
    Rect { x: 0, y: size.height.saturating_sub(1 + height), width: size.width, height }
}

/// Where the rows stand.
pub(crate) fn palette_rows(size: Size) -> Rect {
    body(area(size))
}

/// The rows that fit.
pub(crate) fn palette_page(size: Size) -> usize {
    usize::from(palette_rows(size).height)
}

pub(super) fn draw(app: &App, canvas: &mut Canvas<'_>) {
    let Some(prompt) = app.prompt.as_ref().filter(|prompt| prompt.asks == Asks::Command) else { return };
    let area = area(app.size);
    canvas.blank(area);
    let count = [Piece::new(Role::Dim, words::counted(prompt.offers.len(), "command"))];
    canvas.titled_rule(area, &[Piece::new(Role::Focus, "Commands")], Some(&count));
    let rows = palette_rows(app.size);
    let first = prompt.list.first(prompt.offers.len(), usize::from(rows.height));
    if prompt.offers.is_empty() {
        canvas.put(rows, 2, Role::Dim, "Nothing fits. A line goes by its number, a moment by its time: 120, 9:41.");
    }
    for (line, (n, offer)) in lines_of(rows).zip(prompt.offers.iter().enumerate().skip(first)) {
        row(offer, line, canvas);
        if n == prompt.list.selected {
            canvas.select(line, None, Role::Selected);
        }
    }
}

fn row(offer: &Offer, line: Rect, canvas: &mut Canvas<'_>) {
    let key = width(&offer.key);
    canvas.line_right(inset(line, 0, 1), &[Piece::new(Role::Focus, offer.key.clone())]);
    let room = usize::from(line.width).saturating_sub(key + 3);
    let x = canvas.put(line, 2, Role::Strong, &cut_end(&offer.name, NAMES.min(room)));
    let x = x.max(2 + NAMES) + 1;
    canvas.put(line, x, Role::Dim, &cut_end(&offer.means, room.saturating_sub(x)));
}
