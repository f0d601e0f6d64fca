//! The app on the screen. Nothing here can change the app, and nothing here is done for a row that is not seen.

mod audit;
mod canvas;
mod change;
mod detail;
mod dry_run;
mod finding;
mod foot;
mod gauge;
mod graph;
mod header;
mod help;
mod keybar;
mod ledger;
mod minimap;
mod palette;
mod pending;
mod scrollbar;
mod sums;
mod survey;
mod timeline;
mod versus;
mod why;

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

pub(crate) use self::audit::audit_page;
pub(crate) use self::canvas::{Canvas, inset, line_of, lines_of};
pub(crate) use self::change::change_page;
pub(crate) use self::detail::{detail_page, detail_width, region_at};
pub(crate) use self::dry_run::{dry_run_page, dry_run_rows};
pub(crate) use self::graph::graph_page;
pub(crate) use self::help::{Place as HelpPlace, help, help_lines, help_page};
pub(crate) use self::keybar::{Mode, keys as key_bar, typing};
pub(crate) use self::ledger::ledger_page;
pub(crate) use self::minimap::minimap_at;
pub(crate) use self::palette::{palette_page, palette_rows};
pub(crate) use self::pending::pending_page;
pub(crate) use self::scrollbar::scrollbar;
pub(crate) use self::survey::survey_page;
pub(crate) use self::timeline::{timeline_page, track};
pub(crate) use self::versus::versus_page;
use super::actions::{Action, Context};
use super::app::{App, Help, Pane, Tab};
use super::layout::{Layout, SMALLEST, body};
use super::piece::Piece;
use super::theme::Role;
use super::words;
use crate::base::text::{clean, cut_end};
use crate::compaction::judgement::{Colour, Verdict};
use crate::ledger::entry::{Entry, Weight};

/// Cells of the words that narrow a list, where it says so.
const CHIP: usize = 24;

/// Where the inspector's keys work: what its help lists.
const PANES: [Context; 11] = [
    Context::Timeline,
    Context::Why,
    Context::Detail,
    Context::DryRun,
    Context::Versus,
    Context::Policies,
    Context::Ledger,
    Context::Graph,
    Context::Audit,
    Context::Change,
    Context::Pending,
];

/// Draws the inspector.
pub(crate) fn view(app: &App, buffer: &mut Buffer) {
    let layout = app.layout();
    let mut canvas = Canvas::new(buffer, &app.look.theme);
    if too_small(app.size, &mut canvas) {
        return;
    }
    header::draw(app, layout.header, &mut canvas);
    if let Help::Open(scroll) = app.help {
        help(help_place(app), scroll, &mut canvas);
    } else {
        panes(app, &layout, &mut canvas);
    }
    palette::draw(app, &mut canvas);
    keybar::draw(app, layout.bar, &mut canvas);
}

/// What the help is of.
pub(crate) fn help_place(app: &App) -> HelpPlace<'_> {
    HelpPlace { context: app.place(), keymap: &app.look.keymap, size: app.size }
}

fn panes(app: &App, layout: &Layout, canvas: &mut Canvas<'_>) {
    if let Some(area) = layout.timeline {
        timeline::draw(app, area, canvas);
    }
    for (tab, whole) in &layout.tabs {
        tab_strip(app, layout.strip(*tab), *tab, *whole, canvas);
        let area = &layout.tab(*tab).unwrap_or(*whole);
        if let Some([words, count]) = narrow_chip(app, Pane::Tab(*tab)) {
            canvas.line(inset(line_of(*area, 0), 1, 1), 0, &[words, Piece::new(Role::Text, "  "), count]);
        }
        match tab {
            Tab::Why => why::draw(app, *area, canvas),
            Tab::Detail => detail::draw(app, *area, canvas),
            Tab::DryRun => dry_run::draw(app, *area, canvas),
            Tab::Ledger => ledger::draw(app, *area, canvas),
            Tab::Graph => graph::draw(app, *area, canvas),
            Tab::Audit => audit::draw(app, *area, canvas),
            Tab::Change => change::draw(app, *area, canvas),
        }
    }
    if let Some(area) = layout.pending {
        pending::draw(app, area, canvas);
    }
    let tabs = layout.tabs.iter().map(|(tab, _)| Pane::Tab(*tab));
    for pane in tabs.chain(layout.pending.map(|_| Pane::Pending)) {
        mark_narrowed(app, pane, canvas);
        mark_cut(app, pane, canvas);
    }
}

/// Says of a list that does not fit that it goes on, and where, in the last column, a blank one behind its rows.
fn mark_cut(app: &App, pane: Pane, canvas: &mut Canvas<'_>) {
    let Some((rows, (list, len))) = rows_of(app, pane).zip(app.list(pane)) else { return };
    let behind = Rect { x: rows.right() + 1, width: 1, ..rows };
    scrollbar(behind, list.first(len, usize::from(rows.height)), len, canvas);
}

/// Marks the words that narrow the list of a pane, in its rows.
fn mark_narrowed(app: &App, pane: Pane, canvas: &mut Canvas<'_>) {
    let narrow = app.narrow(pane).filter(|narrow| narrow.is_on() && !app.is_narrowed_to_nothing(pane));
    let Some((rows, narrow)) = rows_of(app, pane).zip(narrow) else { return };
    for line in lines_of(rows) {
        for word in narrow.words() {
            canvas.mark(line, word, Role::Marked);
        }
    }
}

/// A rule with the titles of the tabs that share a place; the one in front stands out, and more so where it has the keys.
fn tab_strip(app: &App, strip: &[Tab], front: Tab, area: Rect, canvas: &mut Canvas<'_>) {
    let has_keys = app.panes.focus == Pane::Tab(front);
    canvas.titled_rule(area, &[Piece::new(if has_keys { Role::Focus } else { Role::Rule }, "")], None);
    for (tab, cells) in titles(strip, area) {
        let role = match tab == front {
            true if has_keys => Role::Focus,
            true => Role::Strong,
            false => Role::Dim,
        };
        canvas.put(area, cells.start, role, &format!(" {} ", tab.title()));
    }
}

/// By which words the list of a pane is narrowed, and how many rows they leave: `[/codex]  3 of 41`.
fn narrow_chip(app: &App, pane: Pane) -> Option<[Piece<'static>; 2]> {
    let (narrow, (left, all)) = app.narrow(pane).zip(app.narrowed(pane))?;
    let words = Piece::new(Role::Focus, format!("[/{}]", cut_end(&clean(narrow.typed()), CHIP)));
    Some([words, Piece::new(Role::Dim, format!("{left} of {all}"))])
}

/// Says so where words leave nothing of a list, and returns whether it did.
fn unmatched(app: &App, pane: Pane, area: Rect, canvas: &mut Canvas<'_>) -> bool {
    let is_empty = app.is_narrowed_to_nothing(pane);
    if let Some(words) = without_match(app, pane).filter(|_| is_empty) {
        canvas.put(line_of(area, 0), 0, Role::Text, &words);
    }
    is_empty
}

/// What is said where words narrow a list to nothing; none where no words do.
fn without_match(app: &App, pane: Pane) -> Option<String> {
    let narrow = app.narrow(pane).filter(|narrow| narrow.is_on())?;
    let key = app.look.keymap.chords(Action::Leave).first().map(ToString::to_string).unwrap_or_default();
    Some(format!("No row holds “{}”; {key} shows all of them.", narrow.typed()))
}

/// Where the titles of some tabs stand in the rule above their place, each between two blanks; a piece of the rule parts them where
/// there is room.
fn titles(strip: &[Tab], area: Rect) -> Vec<(Tab, Range<usize>)> {
    let cells: usize = strip.iter().map(|tab| tab.title().len() + 2).sum();
    let gap = usize::from(1 + cells + strip.len() <= usize::from(area.width));
    let place = |x: &mut usize, tab: &Tab| {
        let start = *x;
        *x += tab.title().len() + 2 + gap;
        Some((*tab, start..*x - gap))
    };
    strip.iter().scan(1, place).collect()
}

/// Where the rows of a pane stand, one line each; none: it has no rows to select.
pub(crate) fn rows_of(app: &App, pane: Pane) -> Option<Rect> {
    let layout = app.layout();
    match pane {
        Pane::Timeline => layout.timeline.map(body),
        Pane::Pending => layout.pending.map(pending::rows),
        Pane::Tab(tab) => {
            let area = layout.tab(tab)?;
            match tab {
                Tab::DryRun => Some(dry_run_rows(area, app.panes.face)),
                Tab::Ledger => Some(ledger::rows(app, area)),
                Tab::Graph => Some(graph::rows(app, area)),
                Tab::Audit => Some(audit::rows(app, area)),
                Tab::Change => Some(change::rows(area)),
                Tab::Why | Tab::Detail => None,
            }
        }
    }
}

/// The tab whose title is under a cell.
pub(crate) fn tab_at(layout: &Layout, column: u16, row: u16) -> Option<Tab> {
    let (front, area) = layout.tabs.iter().find(|(_, area)| area.y == row && area.contains((column, row).into()))?;
    let x = usize::from(column - area.x);
    titles(layout.strip(*front), *area).into_iter().find(|(_, cells)| cells.contains(&x)).map(|(tab, _)| tab)
}

/// How far a verdict lets a compaction go, as the colours of spans say it.
fn verdict_colour(verdict: Verdict) -> Colour {
    match verdict {
        Verdict::Compact => Colour::Opportunity,
        Verdict::Repair | Verdict::Around => Colour::Repair,
        Verdict::Defer | Verdict::Refuse | Verdict::Escalate => Colour::Barrier,
    }
}

/// The role of a verdict in a table.
pub(crate) fn verdict_role(verdict: Verdict) -> Role {
    timeline::colour_role(verdict_colour(verdict))
}

/// The sign of a verdict on a tab.
pub(crate) fn verdict_sign(verdict: Verdict) -> &'static str {
    words::glyph(verdict_colour(verdict))
}

/// The role and the sign of an entry's weight.
fn weight_sign(weight: Weight) -> (Role, &'static str) {
    match weight {
        Weight::Barrier => (Role::Barrier, words::glyph(Colour::Barrier)),
        Weight::Repair => (Role::Repair, words::glyph(Colour::Repair)),
    }
}

/// The weight that an entry has now.
fn weight_of(app: &App, entry: &Entry) -> Weight {
    app.lane().and_then(|lane| lane.end()).map_or(Weight::Repair, |end| entry.weight_at(end))
}

/// The lines of what is told of the selected row below the list that has the keys, and how many of them fit.
pub(crate) fn foot_extent(app: &App) -> (usize, usize) {
    match app.place() {
        Context::Ledger => ledger::foot_extent(app),
        Context::Graph => graph::foot_extent(app),
        _ => audit::foot_extent(app),
    }
}

/// The role of a pane's title.
fn title_role(app: &App, pane: Pane) -> Role {
    if app.panes.focus == pane { Role::Focus } else { Role::Strong }
}

/// The role of a selected row.
fn selection_role(app: &App, pane: Pane) -> Role {
    if app.panes.focus == pane { Role::Selected } else { Role::Marked }
}

/// Says so politely where there is no room for anything else, and returns whether it did.
pub(crate) fn too_small(size: Size, canvas: &mut Canvas<'_>) -> bool {
    if size.width >= SMALLEST.width && size.height >= SMALLEST.height {
        return false;
    }
    let words = format!("owed needs {}x{} cells; here are {}x{}", SMALLEST.width, SMALLEST.height, size.width, size.height);
    let area = Rect::new(0, size.height / 2, size.width, 1);
    let x = usize::from(area.width).saturating_sub(words.len()) / 2;
    canvas.put(area, x, Role::Text, &words);
    true
}
