//! The graph around one entry, drawn with lines: causes above it, what came of it below.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::foot::{self, Areas};
use super::selection_role;
use crate::base::ids::{BoundaryIx, EntryId, EventIx};
use crate::base::text::width;
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::ledger::graph::Node;
use crate::session::Progress;
use crate::ui::app::{App, GraphLine, Pane, Rail, Tab};
use crate::ui::layout::{Layout, body};
use crate::ui::theme::Role;
use crate::ui::words;

/// Where the lines stand, and where the entry under the cursor stands in full.
fn areas(app: &App, area: Rect) -> Areas {
    foot::areas(inset(body(area), 1, 2), area, app.graph.lines.len())
}

/// Where the lines stand.
pub(super) fn rows(app: &App, area: Rect) -> Rect {
    areas(app, area).rows
}

/// The lines that fit.
pub(crate) fn graph_page(app: &App, layout: &Layout) -> usize {
    layout.tab(Tab::Graph).map_or(0, |area| usize::from(rows(app, area).height))
}

/// The entry under the cursor.
fn selected(app: &App) -> Option<EntryId> {
    match app.graph.node()? {
        Node::Entry(id) => Some(id),
        _ => None,
    }
}

/// The lines of what is told of the selected entry, and how many of them fit.
pub(super) fn foot_extent(app: &App) -> (usize, usize) {
    let foot = app.layout().tab(Tab::Graph).and_then(|area| areas(app, area).foot);
    foot.zip(selected(app)).map_or((0, 0), |(foot, id)| foot::extent(app, id, foot))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Areas { rows: lines, foot } = areas(app, area);
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
    if let Some((foot, id)) = foot.zip(selected(app)) {
        foot::draw(app, id, app.graph.foot.scroll, foot, canvas);
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
        Some(n) => words::boundary(lane, BoundaryIx::from_index(n)),
        None => words::who(row.kind).to_owned(),
    };
    let x = canvas.put(line, x + 1, Role::Strong, &who);
    let label = words::label(lane, event, app.snapshot.facts.directory.as_deref());
    if width(&label) > 0 && boundary.is_none() {
        canvas.put(line, x + 1, Role::Dim, &label);
    }
}
