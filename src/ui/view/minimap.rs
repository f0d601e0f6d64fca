//! The column beside the time line: the whole lane in one view. Each cell stands for its share of the events and shows the worst of
//! them; beside it the line that ends the pane shows where the window is. A click goes there.

use ratatui::layout::Rect;

use super::audit;
use super::canvas::{Canvas, lines_of};
use crate::audit::Severity;
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ui::app::{App, Pane};
use crate::ui::layout::body;
use crate::ui::theme::Role;

/// Cells of the column: the lane, and the window.
const CELLS: u16 = 2;

/// Where it stands: at the right edge of the time line.
pub(super) fn column(area: Rect) -> Rect {
    let body = body(area);
    Rect { x: body.right().saturating_sub(CELLS), width: CELLS, ..body }
}

/// Draws it. `shown` are the events of the window.
pub(super) fn draw(app: &App, shown: &[EventIx], column: Rect, canvas: &mut Canvas<'_>) {
    let (Some(lane), Some(first), Some(last)) = (app.lane(), shown.first(), shown.last()) else { return };
    let (height, rows) = (usize::from(column.height), app.sieve.rows(lane));
    let is_whole = rows.previous(*first).is_none() && rows.next(*last).is_none();
    if is_whole && app.sieve.left().is_none() {
        // Each row is its own sign.
        return lines_of(column).for_each(|cell| {
            canvas.put(cell, 1, Role::Rule, "│");
        });
    }
    for (n, cell) in lines_of(column).enumerate() {
        let (from, to) = share(lane, n, height);
        // Where several cells stand for one event, each shows it.
        let in_window = from <= *last && to.max(EventIx(from.0 + 1)) > *first;
        canvas.put(cell, 1, if in_window { Role::Text } else { Role::Rule }, if in_window { "┃" } else { "│" });
        // Of a lane that is shorter than the column, an event is marked in the first of its cells.
        let (role, sign) = worst(app, lane, (from, to));
        canvas.put(cell, 0, role, sign);
    }
}

/// The row that a click into the column leads to.
pub(crate) fn minimap_at(app: &App, x: u16, y: u16) -> Option<EventIx> {
    let area = app.layout().timeline.filter(|_| app.layout().pane_at(x, y).is_some_and(|(pane, _)| pane == Pane::Timeline))?;
    let column = column(area);
    if !column.contains((x, y).into()) {
        return None;
    }
    let lane = app.lane()?;
    let (from, to) = share(lane, usize::from(y - column.y), usize::from(column.height));
    // What the cell shows is what the click is after.
    let barrier = app.assessment().and_then(|known| first_of(&known.barriers, (from, to)));
    let finding = app.audit.ties_in(from, to).next().map(|(event, _)| event);
    let boundary = lane.boundaries.iter().map(|boundary| boundary.event).find(|event| *event >= from && *event < to);
    let repair = app.assessment().and_then(|known| first_of(&known.repairs, (from, to)));
    barrier.or(finding).or(boundary).or(repair).or(app.sieve.rows(lane).nearest(from))
}

/// The events for which a cell stands.
fn share(lane: &LaneSnapshot, n: usize, height: usize) -> (EventIx, EventIx) {
    let (events, height) = (lane.events.len(), height.max(1));
    (EventIx::from_index(n * events / height), EventIx::from_index((n + 1) * events / height))
}

fn worst(app: &App, lane: &LaneSnapshot, (from, to): (EventIx, EventIx)) -> (Role, &'static str) {
    let assessment = app.assessment();
    let boundary = lane.boundaries.partition_point(|b| b.event < from);
    let has_boundary = lane.boundaries.get(boundary).is_some_and(|b| b.event < to);
    let finding = app.audit.ties_in(from, to).map(|(_, severity)| severity).max();
    match finding {
        _ if assessment.is_some_and(|known| first_of(&known.barriers, (from, to)).is_some()) => (Role::Barrier, "■"),
        Some(severity @ (Severity::High | Severity::Medium)) => (audit::severity(severity).0, "◆"),
        _ if has_boundary => (Role::Boundary, "═"),
        _ if assessment.is_some_and(|known| first_of(&known.repairs, (from, to)).is_some()) => (Role::Repair, "▲"),
        _ => (Role::Rule, " "),
    }
}

/// The first of some events that lies in a range.
fn first_of(events: &[EventIx], (from, to): (EventIx, EventIx)) -> Option<EventIx> {
    events.get(events.partition_point(|event| *event < from)).copied().filter(|event| *event < to)
}
