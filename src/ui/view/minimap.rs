//! The column beside the time line: where the window is in the whole lane, where barriers stand, where compactions fell.

use ratatui::layout::Rect;

use super::canvas::{Canvas, lines_of};
use crate::base::ids::EventIx;
use crate::ui::app::App;
use crate::ui::rows;
use crate::ui::theme::Role;

/// Draws it in a column. `shown` are the events of the window.
pub(crate) fn draw(app: &App, shown: &[EventIx], column: Rect, canvas: &mut Canvas<'_>) {
    let (Some(lane), Some(first), Some(last)) = (app.lane(), shown.first(), shown.last()) else { return };
    let (events, height) = (lane.events.len(), usize::from(column.height));
    if rows::previous(lane, *first).is_none() && rows::next(lane, *last).is_none() {
        return lines_of(column).for_each(|cell| {
            canvas.put(cell, 0, Role::Rule, "│");
        });
    }
    let barriers = app.assessment().map_or(&[][..], |a| &a.barriers);
    for (n, cell) in lines_of(column).enumerate() {
        let (from, to) = (EventIx::from_index(n * events / height), EventIx::from_index((n + 1) * events / height));
        // Of a lane that is shorter than the column, several cells stand for one event; it is marked in the first of them.
        let holds = |events: &[EventIx]| events.get(events.partition_point(|event| *event < from)).is_some_and(|event| *event < to);
        let boundary = lane.boundaries.partition_point(|b| b.event < from);
        let in_window = from <= *last && to > *first;
        let (role, sign) = match in_window {
            _ if holds(barriers) => (Role::Barrier, "▪"),
            _ if lane.boundaries.get(boundary).is_some_and(|b| b.event < to) => (Role::Boundary, "─"),
            true => (Role::Dim, "┃"),
            false => (Role::Rule, "│"),
        };
        canvas.put(cell, 0, role, sign);
    }
}
