//! Which events have a row of their own on the time line, and how to walk from row to row.
//!
//! A place on the time line is an event, never a row number: rows are found by walking from it, so that nothing is counted, and
//! nothing moves, when the lane grows. A resolution is told on the row of its call.

use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::{EventKind, EventRow};

/// Whether the event has a row of its own.
pub(crate) fn has_row(lane: &LaneSnapshot, ix: EventIx) -> bool {
    lane.events.get(ix.index()).is_some_and(|row| shows(lane, ix.index(), row))
}

fn shows(lane: &LaneSnapshot, n: usize, row: &EventRow) -> bool {
    match row.kind {
        EventKind::Resolution | EventKind::Ran => row.call.is_none(),
        // Some models say nothing before they think or act, and that is recorded too.
        EventKind::Reasoning | EventKind::Assistant => lane.labels.get(n).is_some_and(|label| !label.is_empty()),
        EventKind::TurnEnded | EventKind::Counted => false,
        _ => true,
    }
}

/// The first row after `from`.
pub(crate) fn next(lane: &LaneSnapshot, from: EventIx) -> Option<EventIx> {
    first_from(lane, from.index() + 1)
}

/// The last row before `from`.
pub(crate) fn previous(lane: &LaneSnapshot, from: EventIx) -> Option<EventIx> {
    last_before(lane, from.index())
}

/// The lane's first row.
pub(crate) fn first(lane: &LaneSnapshot) -> Option<EventIx> {
    first_from(lane, 0)
}

/// The lane's last row.
pub(crate) fn last(lane: &LaneSnapshot) -> Option<EventIx> {
    last_before(lane, lane.events.len())
}

/// The row on which an event is told: its own, its call's, else the nearest one.
pub(crate) fn row_of(lane: &LaneSnapshot, event: EventIx) -> Option<EventIx> {
    let told_by = lane.events.get(event.index()).and_then(|row| match row.kind {
        EventKind::Resolution | EventKind::Ran => lane.calls.get(row.call?.index()).map(|call| call.event),
        _ => None,
    });
    let event = told_by.unwrap_or(event);
    if has_row(lane, event) { Some(event) } else { previous(lane, event).or_else(|| next(lane, event)) }
}

/// Number of rows among the events from number `from` on.
pub(crate) fn count_from(lane: &LaneSnapshot, from: usize) -> usize {
    lane.events.range(from..lane.events.len()).enumerate().filter(|(n, row)| shows(lane, from + n, row)).count()
}

/// The row that stands `steps` rows after `from`, or the last one.
pub(crate) fn down(lane: &LaneSnapshot, from: EventIx, steps: usize) -> EventIx {
    rows_after(lane, from).take(steps).last().unwrap_or(from)
}

/// The row that stands `steps` rows before `from`, or the first one.
pub(crate) fn up(lane: &LaneSnapshot, from: EventIx, steps: usize) -> EventIx {
    rows_before(lane, from).take(steps).last().unwrap_or(from)
}

/// The rows after `from`, downwards.
pub(crate) fn rows_after(lane: &LaneSnapshot, from: EventIx) -> impl Iterator<Item = EventIx> + '_ {
    std::iter::successors(next(lane, from), |at| next(lane, *at))
}

/// The rows before `from`, upwards.
pub(crate) fn rows_before(lane: &LaneSnapshot, from: EventIx) -> impl Iterator<Item = EventIx> + '_ {
    std::iter::successors(previous(lane, from), |at| previous(lane, *at))
}

fn first_from(lane: &LaneSnapshot, start: usize) -> Option<EventIx> {
    let rows = lane.events.range(start..lane.events.len());
    rows.enumerate().find(|(n, row)| shows(lane, start + n, row)).map(|(n, _)| EventIx::from_index(start + n))
}

fn last_before(lane: &LaneSnapshot, end: usize) -> Option<EventIx> {
    let end = end.min(lane.events.len());
    let rows = lane.events.range(0..end).rev();
    rows.enumerate().find(|(n, row)| shows(lane, end - 1 - n, row)).map(|(n, _)| EventIx::from_index(end - 1 - n))
}
