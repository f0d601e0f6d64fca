//! The pending-call table.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::{selection_role, title_role};
use crate::base::text::{cut_end, cut_middle, width};
use crate::session::Progress;
use crate::ui::app::{App, Pane, PendingRow};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// Where the rows stand: below the title and the heading.
pub(super) fn rows(area: Rect) -> Rect {
    inset(body(body(area)), 0, 2)
}

/// The rows that fit.
pub(crate) fn pending_page(layout: &Layout) -> usize {
    layout.pending.map_or(0, |area| usize::from(rows(area).height))
}

/// One column: its heading, its cells, what it shows.
struct Column {
    heading: &'static str,
    cells: usize,
    show: fn(&PendingRow, &App) -> String,
    /// The least width of the table at which it is there.
    from: usize,
}

const COLUMNS: [Column; 6] = [
    Column { heading: "call", cells: 13, show: |row, _| row.id.to_string(), from: 150 },
    Column {
        heading: "open",
        cells: 9,
        show: |row, app| words::since(row.since, app.grown()).unwrap_or_else(|| "-".into()),
        from: 0,
    },
    Column { heading: "effect", cells: 12, show: |row, _| words::effect(row.effect).to_owned(), from: 0 },
    Column { heading: "tries", cells: 6, show: |row, _| row.tries.to_string(), from: 70 },
    Column { heading: "key", cells: 24, show: |row, _| row.key.to_string(), from: 96 },
    Column { heading: "leans on", cells: 24, show: |row, _| row.leans_on.clone().unwrap_or_else(|| "-".into()), from: 110 },
];

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = app.pending.shown();
    let count = vec![Piece::new(Role::Dim, words::pending(&app.pending.rows))];
    let mut titles = vec![Piece::new(title_role(app, Pane::Pending), "Pending")];
    titles.extend(super::narrow_chip(app, Pane::Pending).into_iter().flatten());
    let is_known = app.snapshot.progress == Progress::Complete;
    canvas.titled_rule(area, &titles, is_known.then_some(&*count));
    let body = inset(body(area), 0, 2);
    if super::unmatched(app, Pane::Pending, body, canvas) {
        return;
    }
    if rows.is_empty() {
        let why = match app.snapshot.progress {
            Progress::Reading { .. } => "What is open shows when all of the session has been read.",
            Progress::Complete => "Nothing is pending: no call waits for its result, and no effect is in doubt.",
        };
        canvas.put(line_of(body, 0), 2, Role::Dim, why);
        return;
    }
    let cells = usize::from(body.width);
    let columns: Vec<&Column> = COLUMNS.iter().filter(|column| column.from <= cells).collect();
    let fixed: usize = columns.iter().map(|column| column.cells + 1).sum();
    let what = cells.saturating_sub(fixed + 4);
    heading(&columns, what, line_of(body, 0), canvas);
    let page = usize::from(body.height).saturating_sub(1);
    let first = app.pending.list.first(rows.len(), page);
    for (n, row) in rows.iter().enumerate().skip(first).take(page) {
        let line = line_of(body, n - first + 1);
        table_row(app, row, &columns, what, line, canvas);
        if app.panes.focus == Pane::Pending && n == app.pending.list.selected {
            canvas.select(line, Some(1), selection_role(app, Pane::Pending));
        }
    }
}

fn heading(columns: &[&Column], what: usize, line: Rect, canvas: &mut Canvas<'_>) {
    let (before, after) = sides(columns);
    let mut x = 3;
    for column in before {
        canvas.put(line, x, Role::Dim, column.heading);
        x += column.cells + 1;
    }
    canvas.put(line, x, Role::Dim, "what");
    x += what + 1;
    for column in after {
        canvas.put(line, x, Role::Dim, column.heading);
        x += column.cells + 1;
    }
}

/// Cells for the name of a tool, where something stands behind it.
const TOOL: usize = 14;

fn table_row(app: &App, row: &PendingRow, columns: &[&Column], what: usize, line: Rect, canvas: &mut Canvas<'_>) {
    let (before, after) = sides(columns);
    let (role, sign) = super::weight_sign(row.weight);
    canvas.put(line, 1, role, sign);
    let mut x = 3;
    for column in before {
        canvas.put(line, x, Role::Dim, &cut_middle(&(column.show)(row, app), column.cells));
        x += column.cells + 1;
    }
    // Of a call that says no more, the name may have the room.
    let tool_room = if row.what.is_empty() { what } else { what.min(TOOL) };
    let after_tool = canvas.put(line, x, Role::Strong, &cut_end(&row.tool, tool_room));
    let room = (x + what).saturating_sub(after_tool + 1);
    canvas.put(line, after_tool + 1, Role::Text, &cut_end(&row.what, room));
    x += what + 1;
    for column in after {
        let shown = (column.show)(row, app);
        let cut = if width(&shown) > column.cells { cut_middle(&shown, column.cells).into_owned() } else { shown };
        let role = if column.heading == "effect" && row.effect.is_some() { role } else { Role::Text };
        canvas.put(line, x, role, &cut);
        x += column.cells + 1;
    }
}

/// The columns before and after the one that takes what is left.
fn sides<'c>(columns: &[&'c Column]) -> (Vec<&'c Column>, Vec<&'c Column>) {
    columns.iter().copied().partition(|column| column.heading == "call")
}
