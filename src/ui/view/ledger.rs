//! The ledger: one line an entry, with what it is sorted and filtered by above, and the selected one in full below.

use std::fmt::Display;

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::foot::{self, Areas};
use super::selection_role;
use crate::base::text::{cut_end, width};
use crate::compaction::carrier::Carrier;
use crate::compaction::judgement::Colour;
use crate::ledger::Glance;
use crate::ledger::entry::EntryStatus;
use crate::report::Breadth;
use crate::session::Progress;
use crate::ui::app::{App, Pane, Tab, began};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::{self, Piece};
use crate::ui::theme::Role;
use crate::ui::words;

/// Lines above the rows: kinds, statuses, the heading.
const HEAD: u16 = 3;
fn areas(app: &App, area: Rect) -> Areas {
    let inner = inset(body(area), 1, 2);
    let head = HEAD.min(inner.height);
    foot::areas(Rect { y: inner.y + head, height: inner.height - head, ..inner }, area, app.ledger.rows.len())
}

/// Where the rows stand.
pub(super) fn rows(app: &App, area: Rect) -> Rect {
    areas(app, area).rows
}

/// The rows that fit.
pub(crate) fn ledger_page(app: &App, layout: &Layout) -> usize {
    layout.tab(Tab::Ledger).map_or(0, |area| usize::from(rows(app, area).height))
}

/// The lines of what is told of the selected entry, and how many of them fit.
pub(super) fn foot_extent(app: &App) -> (usize, usize) {
    let foot = app.layout().tab(Tab::Ledger).and_then(|area| areas(app, area).foot);
    foot.zip(app.ledger.selected()).map_or((0, 0), |(foot, id)| foot::extent(app, id, foot))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(area), 1, 2);
    if let Some(words) = nothing(app) {
        for (n, (role, words)) in [Role::Text, Role::Dim].into_iter().zip(words).enumerate() {
            canvas.put(line_of(inner, n), 0, role, &words);
        }
        return;
    }
    chips(app, inner, canvas);
    let Areas { rows, foot } = areas(app, area);
    let columns = Columns::of(app, usize::from(rows.width));
    columns.heading(line_of(inner, 2), canvas);
    if app.ledger.rows.is_empty() {
        canvas.put(line_of(rows, 0), 0, Role::Dim, &unmatched(app));
    }
    let page = usize::from(rows.height);
    let first = app.ledger.list.first(app.ledger.rows.len(), page);
    for (line, (n, row)) in lines_of(rows).zip(app.ledger.rows.iter().enumerate().skip(first)) {
        entry_row(app, row, &columns, line, canvas);
        if n == app.ledger.list.selected {
            canvas.select(line, Some(0), selection_role(app, Pane::Tab(Tab::Ledger)));
        }
    }
    let selected = app.ledger.selected();
    if let Some((foot, id)) = foot.zip(selected) {
        foot::draw(app, id, app.ledger.foot.scroll, foot, canvas);
    }
}

/// What is said where there is no list to show.
fn nothing(app: &App) -> Option<[String; 2]> {
    let said = match app.snapshot.progress {
        Progress::Reading { .. } => {
            ["The ledger shows when all of the session has been read.", "What closes an entry may still come."]
        }
        Progress::Complete if app.ledger.chips.all == 0 => [
            "Nothing stands in the ledger yet.",
            "A call opens an entry until its result is there; so does what you ask for, until it is done or lifted.",
        ],
        Progress::Complete => return None,
    };
    Some(said.map(str::to_owned))
}

/// What is said where no entry passes the filters, or holds the words that narrow the list.
fn unmatched(app: &App) -> String {
    if let Some(words) = super::without_match(app, Pane::Tab(Tab::Ledger)) {
        return words;
    }
    let keys = |action| app.look.keymap.chords(action).first().map(ToString::to_string).unwrap_or_default();
    let closed = app.ledger.chips.closed;
    match (app.ledger.asked.breadth, app.ledger.asked.kind, app.ledger.asked.status) {
        (Breadth::Live, None, None) => {
            let key = keys(crate::ui::actions::Action::Breadth);
            format!("Nothing is owed any more: {key} shows the {closed} that are closed.")
        }
        _ => "No entry passes the filters above.".to_owned(),
    }
}

/// What there is to filter by: of kinds and of statuses each with its count, the one that is asked for in brackets.
fn chips(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let (asked, chips) = (app.ledger.asked, &app.ledger.chips);
    let kinds = chips.kinds.iter().map(|(kind, count)| (words::kind(*kind), *count, asked.kind == Some(*kind)));
    chip_line("kind", kinds.collect(), None, line_of(area, 0), canvas);
    let statuses = chips.statuses.iter().map(|(status, count)| (status.word(), *count, asked.status == Some(*status)));
    let breadth = match asked.breadth {
        Breadth::Live => format!("live of {} · {}", chips.all, asked.sort.words()),
        Breadth::All => format!("all · {}", asked.sort.words()),
    };
    chip_line("status", statuses.collect(), Some(&breadth), line_of(area, 1), canvas);
}

fn chip_line(name: &str, chips: Vec<(&str, usize, bool)>, right: Option<&str>, line: Rect, canvas: &mut Canvas<'_>) {
    let right: Vec<Piece<'_>> = right.into_iter().map(|right| Piece::new(Role::Dim, right)).collect();
    canvas.line_right(line, &right);
    let room = usize::from(line.width).saturating_sub(piece::width(&right) + 1);
    let mut x = canvas.put(line, 0, Role::Dim, &format!("{name:<7}"));
    let total = chips.iter().map(|(_, count, _)| count).sum();
    let any = ("any", total, chips.iter().all(|(_, _, asked)| !asked));
    // The one that is asked for is seen in any case: those that stand before it give way.
    let cells = |(name, count, _): &(&str, usize, bool)| width(name) + width(&count.to_string()) + 4;
    let chosen = chips.iter().position(|(_, _, asked)| *asked).unwrap_or(0);
    let mut shown: Vec<&(&str, usize, bool)> = std::iter::once(&any).chain(&chips).collect();
    while shown.len() > 2
        && chosen > 0
        && shown.iter().take_while(|chip| !chip.2).map(|chip| cells(chip)).sum::<usize>() + x + 20 > room
    {
        shown.remove(1);
        if shown.get(1).is_some_and(|chip| chip.2) {
            break;
        }
    }
    for chip in shown {
        if x + cells(chip) > room {
            canvas.put(line, x, Role::Dim, "…");
            break;
        }
        let (name, count, asked) = chip;
        let (role, open, close) = if *asked { (Role::Focus, "[", "]") } else { (Role::Dim, " ", " ") };
        x = canvas.put(line, x, role, &format!("{open}{name} {count}{close} "));
    }
}

/// Which columns there are, and where each begins.
struct Columns {
    kind: usize,
    status: Option<usize>,
    age: Option<usize>,
    tokens: Option<usize>,
    text: usize,
}

const ID: usize = 2;
const ID_CELLS: usize = 6;
const KIND_CELLS: usize = 12;
const STATUS_CELLS: usize = 10;
const LOST_CELLS: usize = 6;
const AGE_CELLS: usize = 7;
const TOKENS_CELLS: usize = 6;

impl Columns {
    /// The status gives way where every entry is plainly live; the tokens and then the age where the text would get too little.
    fn of(app: &App, cells: usize) -> Self {
        let plain = app.ledger.rows.iter().all(|row| row.status == EntryStatus::Live && !row.lost);
        let mut x = ID + ID_CELLS;
        let mut column = |cells: usize, there: bool| {
            let start = x;
            x += if there { cells + 1 } else { 0 };
            there.then_some(start)
        };
        let kind = column(KIND_CELLS, true).unwrap_or_default();
        let all_live = app.ledger.rows.iter().all(|row| row.status == EntryStatus::Live);
        // Where all are live, that some are lost is all that there is to say.
        let status = column(if all_live { LOST_CELLS } else { STATUS_CELLS }, !plain);
        let age = column(AGE_CELLS, cells >= if plain { 46 } else { 60 });
        let tokens = column(TOKENS_CELLS, cells >= 66);
        Self { kind, status, age, tokens, text: x }
    }

    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>) {
        canvas.put(line, ID, Role::Dim, "id");
        canvas.put(line, self.kind, Role::Dim, "kind");
        canvas.put(line, self.text, Role::Dim, "what");
        if let Some(x) = self.status {
            canvas.put(line, x, Role::Dim, "status");
        }
        right(line, self.age, AGE_CELLS, "age", canvas);
        right(line, self.tokens, TOKENS_CELLS, "tokens", canvas);
    }
}

fn right(line: Rect, x: Option<usize>, cells: usize, text: impl Display, canvas: &mut Canvas<'_>) {
    if let Some(x) = x {
        canvas.put(line, x, Role::Dim, &format!("{text:>cells$}"));
    }
}

fn entry_row(app: &App, row: &Glance, columns: &Columns, line: Rect, canvas: &mut Canvas<'_>) {
    let (Some(entry), Some((lane, at))) = (app.entry(row.id), app.lane().and_then(|lane| Some((lane, lane.end()?)))) else {
        return;
    };
    let kind = words::kind_of(lane, row.kind, row.opened);
    let live = row.status.is_live();
    let (role, sign) = match live {
        true => super::weight_sign(row.weight),
        false => (Role::Dim, words::glyph(Colour::Opportunity)),
    };
    canvas.put(line, 0, role, sign);
    canvas.put(line, ID, Role::Dim, &row.id.to_string());
    canvas.put(line, columns.kind, if live { Role::Strong } else { Role::Dim }, &cut_end(kind, KIND_CELLS));
    if let Some(x) = columns.status {
        let (role, word) = match row.lost {
            true => (Role::Barrier, "lost"),
            false => (Role::Dim, row.status.word()),
        };
        canvas.put(line, x, role, word);
    }
    let age = words::since_briefly(began(lane, &entry), app.grown()).unwrap_or_else(|| "-".to_owned());
    right(line, columns.age, AGE_CELLS, cut_end(&age, AGE_CELLS), canvas);
    right(line, columns.tokens, TOKENS_CELLS, words::tokens(Carrier::of(&entry, at).tokens), canvas);
    let text = words::what(&entry, app.snapshot.facts.directory.as_deref());
    canvas.put(line, columns.text, if live { Role::Text } else { Role::Dim }, &text);
}
