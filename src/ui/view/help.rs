//! What the pane that has the keys shows, and every key, read from the action table and the reader's own keymap.

use ratatui::layout::{Rect, Size};

use super::canvas::{Canvas, inset, lines_of};
use crate::base::text::width;
use crate::ui::actions::{ACTIONS, ActionRow, Group};
use crate::ui::app::{App, Scroll};
use crate::ui::document::{Block, lay_out};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// From so many columns the help has two.
const TWO_COLUMNS: u16 = 120;

fn area(size: Size) -> Rect {
    Rect::new(0, 2, size.width, size.height.saturating_sub(3))
}

/// The lines that fit.
pub(crate) fn help_page(size: Size) -> usize {
    usize::from(body(area(size)).height)
}

/// The lines that there are.
pub(crate) fn help_lines(app: &App) -> usize {
    columns(app).iter().map(Vec::len).max().unwrap_or(0)
}

pub(super) fn draw(app: &App, scroll: Scroll, canvas: &mut Canvas<'_>) {
    let area = area(app.size);
    canvas.titled_rule(area, &[Piece::new(Role::Focus, "Help")], None);
    let columns = columns(app);
    let first = scroll.first(help_lines(app), help_page(app.size));
    let share = area.width / u16::try_from(columns.len().max(1)).unwrap_or(1);
    for (n, column) in columns.iter().enumerate() {
        let x = share * u16::try_from(n).unwrap_or(0);
        let body = inset(body(Rect { x, width: share, ..area }), 2, 1);
        for (line, pieces) in lines_of(body).zip(column.iter().skip(first)) {
            canvas.line(line, 0, pieces);
        }
    }
}

/// What the pane that has the keys shows, with its signs, and the keys that work nowhere else.
fn here(app: &App, cells: usize) -> Vec<Vec<Piece<'static>>> {
    let place = app.place();
    let (title, means) = words::pane(place);
    let mut blocks = vec![Block::text(Role::Heading, title)];
    blocks.extend(means.iter().map(|means| match means.split_once("  ") {
        Some((sign, means)) => {
            let line = vec![Piece::new(Role::Strong, format!("{sign:<3}")), Piece::owned(Role::Dim, means)];
            Block::Text { line, hang: 3 }
        }
        None => Block::text(Role::Text, *means),
    }));
    let mut lines = lay_out(&blocks, cells, None).lines;
    lines.push(Vec::new());
    lines
}

/// The help in as many columns as there is room for.
fn columns(app: &App) -> Vec<Vec<Vec<Piece<'static>>>> {
    let sides: &[&[Group]] = if app.size.width < TWO_COLUMNS {
        &[&Group::ALL]
    } else {
        &[&[Group::Move, Group::Jump, Group::Filter, Group::Time], &[Group::Look, Group::Judge, Group::Take, Group::Program]]
    };
    let share = usize::from(app.size.width) / sides.len();
    let column = |(n, groups): (usize, &&[Group])| {
        let here = if n == 0 { here(app, share.saturating_sub(4)) } else { Vec::new() };
        let widest = groups.iter().flat_map(|group| rows(*group)).map(|row| width(&keys(app, row))).max().unwrap_or(0);
        here.into_iter().chain(groups.iter().flat_map(|group| section(app, *group, widest))).collect()
    };
    sides.iter().enumerate().map(column).collect()
}

fn section(app: &App, group: Group, cells: usize) -> Vec<Vec<Piece<'static>>> {
    let mut lines = vec![vec![Piece::new(Role::Heading, group.title())]];
    for row in rows(group) {
        let keys = format!("{:<cells$}  ", keys(app, row));
        // What does not work where the reader is can be read, and is not offered.
        let (key, help) = if row.contexts.contains(&app.place()) { (Role::Focus, Role::Text) } else { (Role::Dim, Role::Dim) };
        lines.push(vec![Piece::new(key, keys), Piece::new(help, row.help)]);
    }
    lines.push(Vec::new());
    lines
}

fn rows(group: Group) -> impl Iterator<Item = &'static ActionRow> {
    ACTIONS.iter().filter(move |row| row.group == group && row.contexts.iter().any(|context| super::PANES.contains(context)))
}

fn keys(app: &App, row: &ActionRow) -> String {
    let keys: Vec<String> = app.look.keymap.chords(row.action).iter().map(ToString::to_string).collect();
    keys.join(" ")
}
