//! The graph around one entry, drawn with lines: causes above it, what came of it below.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::{selection_role, why};
use crate::base::ids::{EntryId, EventIx};
use crate::base::text::width;
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::ledger::graph::Node;
use crate::session::Progress;
use crate::ui::app::{App, GraphLine, Pane, Rail, Tab};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// Lines for the entry in the middle, with the rule above it; where there is room for twice as many others.
const FOOT: u16 = 9;

/// Where the lines stand, and where the entry under the cursor stands in full.
fn areas(area: Rect) -> (Rect, Option<Rect>) {
    let inner = inset(body(area), 1, 1);
    if inner.height < 3 * FOOT {
        return (inner, None);
    }
    let lines = Rect { height: inner.height - FOOT, ..inner };
    (lines, Some(Rect { y: lines.bottom(), height: FOOT, ..area }))
}

/// Where the lines stand.
pub(super) fn rows(area: Rect) -> Rect {
    areas(area).0
}

/// The lines that fit.
pub(crate) fn graph_page(layout: &Layout) -> usize {
    layout.tab(Tab::Graph).map_or(0, |area| usize::from(rows(area).height))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let (lines, foot) = areas(area);
    let Some(lane) = app.lane() else { return };
    if app.graph.lines.is_empty() {
        let said = match app.snapshot.progress {
            Progress::Reading { .. } => ["The graph shows when all of the session has been read.", ""],
            Progress::Complete => {
                ["No entry has been chosen.", "r on any row shows what its entry comes from, and what came of it."]
            }
        };
        for (n, (role, words)) in [Role::Text, Role::Dim].into_iter().zip(said).enumerate() {
            canvas.put(line_of(lines, n), 0, role, words);
        }
        return;
    }
    let page = usize::from(lines.height);
    let first = app.graph.list.first(app.graph.lines.len(), page);
    for (line, (n, shown)) in lines_of(lines).zip(app.graph.lines.iter().enumerate().skip(first)) {
        let status = draw_line(app, lane, shown, line, canvas);
        if n == app.graph.list.selected {
            canvas.select(line, status, selection_role(app, Pane::Tab(Tab::Graph)));
        }
    }
    if let [GraphLine::Centre(_)] = app.graph.lines.as_slice() {
        canvas.put(line_of(lines, 1), 2, Role::Dim, "Nothing else in the ledger belongs to it.");
    }
    let id = match app.graph.node() {
        Some(Node::Entry(id)) => Some(id),
        _ => None,
    };
    if let Some((foot, id)) = foot.zip(id) {
        canvas.titled_rule(foot, &[Piece::new(Role::Dim, id.to_string())], None);
        let inner = inset(body(foot), 1, 1);
        for (line, pieces) in lines_of(inner).zip(&why::entry(app, id, usize::from(inner.width))) {
            canvas.line(line, 0, pieces);
        }
    }
}

/// Draws a line; the cell of its status.
fn draw_line(app: &App, lane: &LaneSnapshot, shown: &GraphLine, line: Rect, canvas: &mut Canvas<'_>) -> Option<usize> {
    match shown {
        GraphLine::Centre(id) => Some(entry(app, *id, 0, line, canvas)),
        GraphLine::More { rails, count } => {
            let x = draw_rails(rails, line, canvas);
            canvas.put(line, x, Role::Dim, &format!("… {count} more"));
            None
        }
        GraphLine::Node { rails, relation, part, node, since } => {
            let x = draw_rails(rails, line, canvas);
            let x = canvas.put(line, x, Role::Dim, words::relation(*relation, *part)) + 1;
            match node {
                Node::Entry(id) => Some(entry(app, *id, x, line, canvas)),
                Node::Event(event) => {
                    cited(app, lane, *event, *since, x, line, canvas);
                    None
                }
            }
        }
    }
}

fn draw_rails(rails: &[Rail], line: Rect, canvas: &mut Canvas<'_>) -> usize {
    rails.iter().fold(0, |x, rail| {
        let drawn = match rail {
            Rail::Blank => "   ",
            Rail::Pass => "│  ",
            Rail::Branch => "├─ ",
            Rail::LastBelow => "└─ ",
            Rail::LastAbove => "┌─ ",
        };
        canvas.put(line, x, Role::Rule, drawn)
    })
}

/// An entry from cell `x` on; the cell of its status.
fn entry(app: &App, id: EntryId, x: usize, line: Rect, canvas: &mut Canvas<'_>) -> usize {
    let (Some(lane), Some(entry), Some(glance)) = (app.lane(), app.entry(id), app.glance(id)) else { return x };
    let kind = words::kind_of(lane, glance.kind, glance.opened);
    let live = glance.status.is_live();
    let (role, sign) = match live {
        true => super::weight_sign(glance.weight),
        false => (Role::Dim, words::glyph(Colour::Opportunity)),
    };
    canvas.put(line, x, role, sign);
    let after = canvas.put(line, x + 2, Role::Dim, &id.to_string());
    let after = canvas.put(line, after + 1, if live { Role::Strong } else { Role::Dim }, kind);
    let (role, standing) = match (glance.lost, live) {
        (true, _) => (Role::Barrier, "lost"),
        (false, true) => (Role::Dim, ""),
        (false, false) => (Role::Dim, glance.status.word()),
    };
    let after = if standing.is_empty() { after } else { canvas.put(line, after + 1, role, standing) };
    let text = words::what(&entry, app.snapshot.facts.directory.as_deref());
    canvas.put(line, after + 2, if live { Role::Text } else { Role::Dim }, &text);
    x
}

/// An event that is no entry: where it stands, who speaks, what it says.
fn cited(app: &App, lane: &LaneSnapshot, event: EventIx, since: EventIx, x: usize, line: Rect, canvas: &mut Canvas<'_>) {
    let Some(row) = lane.events.get(event.index()) else { return };
    let place = lane.events.get(since.index()).map_or(row.place, |row| row.place);
    let x = canvas.put(line, x, Role::Dim, &format!("line {}", place.line));
    let boundary = lane.boundaries.binary_search_by_key(&event, |boundary| boundary.event).ok();
    let who = match boundary {
        Some(n) => format!("compaction {}", n + 1),
        None => words::who(row.kind).to_owned(),
    };
    let x = canvas.put(line, x + 1, Role::Strong, &who);
    let label = words::label(lane, event, app.snapshot.facts.directory.as_deref());
    if width(&label) > 0 && boundary.is_none() {
        canvas.put(line, x + 1, Role::Dim, &label);
    }
}
