//! Every key, read from the action table and the reader's own keymap.

use ratatui::layout::{Rect, Size};

use super::canvas::{Canvas, inset, lines_of};
use crate::base::text::width;
use crate::ui::actions::{ACTIONS, ActionRow, Group};
use crate::ui::app::{App, Scroll};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

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
    canvas.titled_rule(area, &[Piece::new(Role::Focus, "All keys")], None);
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

/// The help in as many columns as there is room for.
fn columns(app: &App) -> Vec<Vec<Vec<Piece<'static>>>> {
    let sides: &[&[Group]] = if app.size.width < TWO_COLUMNS {
        &[&Group::ALL]
    } else {
        &[&[Group::Move, Group::Jump, Group::Time], &[Group::Look, Group::Judge, Group::Program]]
    };
    let column = |groups: &&[Group]| {
        let widest = groups.iter().flat_map(|group| rows(*group)).map(|row| width(&keys(app, row))).max().unwrap_or(0);
        groups.iter().flat_map(|group| section(app, *group, widest)).collect()
    };
    sides.iter().map(column).collect()
}

fn section(app: &App, group: Group, cells: usize) -> Vec<Vec<Piece<'static>>> {
    let mut lines = vec![vec![Piece::new(Role::Heading, group.title())]];
    for row in rows(group) {
        let keys = format!("{:<cells$}  ", keys(app, row));
        lines.push(vec![Piece::new(Role::Focus, keys), Piece::new(Role::Text, row.help)]);
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
