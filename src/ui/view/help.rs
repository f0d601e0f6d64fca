//! What the pane that has the keys shows, and every key, read from the action table and the reader's own keymap.

use ratatui::layout::{Rect, Size};

use super::canvas::{Canvas, inset, lines_of};
use crate::base::text::width;
use crate::ui::actions::{ACTIONS, Action, ActionRow, Context, Group};
use crate::ui::app::Scroll;
use crate::ui::document::{Block, lay_out};
use crate::ui::keymap::Keymap;
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// A line of it.
type Line = Vec<Piece<'static>>;

/// So many keys are told first.
const FIRST: usize = 8;
/// Cells of the keys at the least, so that the lines of one section stand below those of another.
const KEYS: usize = 10;
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
    let columns = columns(place);
    let (lines, page) = (help_lines(place), help_page(place.size));
    let first = scroll.first(lines, page);
    let key = place.keymap.chords(Action::PageDown).first().map(ToString::to_string).unwrap_or_default();
    let more = format!("{key}: more, line {} of {lines}", first + 1);
    let more = (lines > page).then(|| [Piece::new(Role::Dim, more)]);
    canvas.titled_rule(area, &[Piece::new(Role::Focus, "Help")], more.as_ref().map(<[_; 1]>::as_slice));
    let share = area.width / u16::try_from(columns.len().max(1)).unwrap_or(1);
    for (n, column) in columns.iter().enumerate() {
        let x = share * u16::try_from(n).unwrap_or(0);
        let body = inset(body(Rect { x, width: share, ..area }), 2, 1);
        for (line, pieces) in lines_of(body).zip(column.iter().skip(first)) {
            canvas.line(line, 0, pieces);
        }
    }
}

/// What the pane that has the keys shows, the keys to begin with, its signs, and the keys that are its own.
fn here(place: Place<'_>, cells: usize) -> Vec<Line> {
    let (title, means) = words::pane(place.context);
    let (signs, said): (Vec<&'static str>, Vec<&'static str>) = means.iter().partition(|means| means.contains("  "));
    let heading = Block::text(Role::Heading, title);
    let said = said.into_iter().map(|said| Block::text(Role::Text, said));
    let mut lines = lay_out(&std::iter::once(heading).chain(said).collect::<Vec<_>>(), cells, None).lines;
    lines.push(Line::new());
    lines.extend(section(place, cells, "Keys to begin with", first(place)));
    let parted = |means: &&'static str| means.split_once("  ");
    let widest = signs.iter().filter_map(parted).map(|(sign, _)| width(sign)).max().unwrap_or(0) + 2;
    let sign = |means: &'static str| {
        let (sign, means) = parted(&means)?;
        let line = vec![Piece::new(Role::Strong, format!("{sign:<widest$}")), Piece::new(Role::Dim, means.to_owned())];
        Some(Block::Text { line, hang: widest })
    };
    if !signs.is_empty() {
        let signs = std::iter::once(Block::text(Role::Heading, "Signs")).chain(signs.into_iter().filter_map(sign));
        lines.extend(lay_out(&signs.collect::<Vec<_>>(), cells, None).lines);
        lines.push(Line::new());
    }
    lines.extend(section(place, cells, "Keys of this pane", own(place)));
    lines
}

/// The help in as many columns as there is room for: what is of this pane first, then what works here, then what works in others.
fn columns(place: Place<'_>) -> Vec<Vec<Line>> {
    let sides: &[&[Group]] = if place.size.width < TWO_COLUMNS {
        &[&Group::ALL]
    } else {
        &[&[Group::Move, Group::Jump, Group::Filter, Group::Time], &[Group::Look, Group::Judge, Group::Take, Group::Program]]
    };
    let cells = (usize::from(place.size.width) / sides.len()).saturating_sub(4);
    let column = |(n, groups): (usize, &&[Group])| {
        let here = if n == 0 { here(place, cells) } else { Vec::new() };
        let elsewhere = groups.iter().flat_map(|group| rows(place, *group).filter(|row| !works(place, row))).collect();
        let groups = groups.iter().flat_map(|group| section(place, cells, group.title(), shared(place, *group)));
        here.into_iter().chain(groups).chain(section(place, cells, "In other panes", elsewhere)).collect()
    };
    sides.iter().enumerate().map(column).collect()
}

/// Some actions under a heading; what does not work where the reader is can be read, and is not offered. A heading alone says nothing.
fn section(place: Place<'_>, cells: usize, title: &'static str, rows: Vec<&'static ActionRow>) -> Vec<Line> {
    if rows.is_empty() {
        return Vec::new();
    }
    let widest = rows.iter().map(|row| width(&keys(place, row))).max().unwrap_or(0).max(KEYS) + 2;
    let row = |row: &ActionRow| {
        let keys = format!("{:<widest$}", keys(place, row));
        let (key, help) = if works(place, row) { (Role::Focus, Role::Text) } else { (Role::Dim, Role::Dim) };
        Block::Text { line: vec![Piece::new(key, keys), Piece::new(help, row.help)], hang: widest }
    };
    let heading = std::iter::once(Block::text(Role::Heading, title));
    let blocks: Vec<Block> = heading.chain(rows.into_iter().map(row)).collect();
    let mut lines = lay_out(&blocks, cells, None).lines;
    lines.push(Line::new());
    lines
}

fn works(place: Place<'_>, row: &ActionRow) -> bool {
    row.contexts.contains(&place.context)
}

/// What works in this pane and in many others, and matters most: what stands first in the key bar.
fn first(place: Place<'_>) -> Vec<&'static ActionRow> {
    let matters = |row: &&ActionRow| !row.is_special() && !row.bar.is_empty() && works(place, row) && row.group != Group::Time;
    ACTIONS.iter().filter(matters).take(FIRST).collect()
}

/// What works in this pane and in few others.
fn own(place: Place<'_>) -> Vec<&'static ActionRow> {
    let rows = Group::ALL.into_iter().flat_map(|group| rows(place, group));
    rows.filter(|row| row.is_special() && works(place, row)).collect()
}

/// What of a group works in this pane and in many others, and has not been told as one of the first.
fn shared(place: Place<'_>, group: Group) -> Vec<&'static ActionRow> {
    let first = first(place);
    let is_first = |row: &ActionRow| first.iter().any(|first| first.action == row.action);
    rows(place, group).filter(|row| !row.is_special() && works(place, row) && !is_first(row)).collect()
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
