//! The entry under a list's cursor in full, below the list.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, lines_of};
use super::why;
use crate::base::ids::EntryId;
use crate::ui::actions::Action;
use crate::ui::app::{App, Scroll};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// Lines for the entry, with the rule above it, at the least; where there is room for twice as many rows.
const LEAST: u16 = 9;

/// The rows of a list, and below them the selected one in full.
pub(super) struct Areas {
    pub(super) rows: Rect,
    pub(super) foot: Option<Rect>,
}

/// Parts `all` of a pane that lies in `area`: what the list does not need is for the entry.
pub(super) fn areas(all: Rect, area: Rect, rows: usize) -> Areas {
    if all.height < 3 * LEAST {
        return Areas { rows: all, foot: None };
    }
    let needed = u16::try_from(rows).unwrap_or(u16::MAX);
    let rows = Rect { height: needed.clamp(LEAST, all.height - LEAST), ..all };
    Areas { rows, foot: Some(Rect { y: rows.bottom(), height: all.height - rows.height, ..area }) }
}

/// The lines of an entry, and how many of them fit.
pub(super) fn extent(app: &App, id: EntryId, foot: Rect) -> (usize, usize) {
    let inner = inset(body(foot), 1, 1);
    (why::entry(app, id, usize::from(inner.width)).len(), usize::from(inner.height))
}

pub(super) fn draw(app: &App, id: EntryId, scroll: Scroll, foot: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(foot), 1, 1);
    let lines = why::entry(app, id, usize::from(inner.width));
    let extent = (lines.len(), usize::from(inner.height));
    let more = more(app, extent);
    canvas.titled_rule(foot, &[Piece::new(Role::Dim, id.to_string())], more.as_ref().map(<[_; 1]>::as_slice));
    for (line, pieces) in lines_of(inner).zip(lines.iter().skip(scroll.first(extent.0, extent.1))) {
        canvas.line(line, 0, pieces);
    }
}

/// The key that scrolls what is told below a list, and how many lines that is; none where all of it is seen.
pub(super) fn more(app: &App, (lines, page): (usize, usize)) -> Option<[Piece<'static>; 1]> {
    let key = app.look.keymap.chords(Action::FootDown).first().map(ToString::to_string).unwrap_or_default();
    (lines > page).then(|| [Piece::new(Role::Dim, format!("{key} scrolls, {lines} lines"))])
}
