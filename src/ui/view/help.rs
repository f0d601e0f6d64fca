//! What the pane that has the keys shows, and every key, read from the action table and the reader's own keymap.

use ratatui::layout::{Rect, Size};

use super::canvas::{Canvas, inset, lines_of};
use crate::base::text::width;
use crate::ui::actions::{ACTIONS, ActionRow, Context, Group};
use crate::ui::app::Scroll;
use crate::ui::document::{Block, lay_out};
use crate::ui::keymap::Keymap;
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

/// Where the reader is, and with which keys.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) context: Context,
    pub(crate) keymap: &'a Keymap,
    pub(crate) size: Size,
}

/// The lines that there are.
pub(crate) fn help_lines(place: Place<'_>) -> usize {
    columns(place).iter().map(Vec::len).max().unwrap_or(0)
}

/// Draws it.
pub(crate) fn help(place: Place<'_>, scroll: Scroll, canvas: &mut Canvas<'_>) {
    let area = area(place.size);
    canvas.titled_rule(area, &[Piece::new(Role::Focus, "Help")], None);
    let columns = columns(place);
    let first = scroll.first(help_lines(place), help_page(place.size));
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
fn here(context: Context, cells: usize) -> Vec<Vec<Piece<'static>>> {
    let (title, means) = words::pane(context);
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
fn columns(place: Place<'_>) -> Vec<Vec<Vec<Piece<'static>>>> {
    let sides: &[&[Group]] = if place.size.width < TWO_COLUMNS {
        &[&Group::ALL]
    } else {
        &[&[Group::Move, Group::Jump, Group::Filter, Group::Time], &[Group::Look, Group::Judge, Group::Take, Group::Program]]
    };
    let share = usize::from(place.size.width) / sides.len();
    let column = |(n, groups): (usize, &&[Group])| {
        let here = if n == 0 { here(place.context, share.saturating_sub(4)) } else { Vec::new() };
        let widest = groups.iter().flat_map(|group| rows(place, *group)).map(|row| width(&keys(place, row))).max().unwrap_or(0);
        here.into_iter().chain(groups.iter().flat_map(|group| section(place, *group, widest))).collect()
    };
    sides.iter().enumerate().map(column).collect()
}

fn section(place: Place<'_>, group: Group, cells: usize) -> Vec<Vec<Piece<'static>>> {
    let mut lines = vec![vec![Piece::new(Role::Heading, group.title())]];
    for row in rows(place, group) {
        let keys = format!("{:<cells$}  ", keys(place, row));
        // What does not work where the reader is can be read, and is not offered.
        let (key, help) = if row.contexts.contains(&place.context) { (Role::Focus, Role::Text) } else { (Role::Dim, Role::Dim) };
        lines.push(vec![Piece::new(key, keys), Piece::new(help, row.help)]);
    }
    // A heading alone says nothing.
    if lines.len() == 1 {
        return Vec::new();
    }
    lines.push(Vec::new());
    lines
}

/// What works somewhere on this screen: among the panes of the inspector, or in the list of sessions.
fn rows(place: Place<'_>, group: Group) -> impl Iterator<Item = &'static ActionRow> {
    let screen: &[Context] = if place.context == Context::Picker { &[Context::Picker] } else { &super::PANES };
    ACTIONS.iter().filter(move |row| row.group == group && row.contexts.iter().any(|context| screen.contains(context)))
}

fn keys(place: Place<'_>, row: &ActionRow) -> String {
    let keys: Vec<String> = place.keymap.chords(row.action).iter().map(ToString::to_string).collect();
    keys.join(" ")
}
