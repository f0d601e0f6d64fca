//! Which events have a row of their own on the time line, and how to walk from row to row.
//!
//! A place on the time line is an event, never a row number: rows are found by walking from it, so that nothing is counted, and
//! nothing moves, when the lane grows. A resolution is told on the row of its call.

mod tree;

pub(crate) use self::tree::{Row, Tree};
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::{EventKind, EventRow};

/// The rows of a lane: all of them, or those that the reader's filters and folds have left.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    lane: &'a LaneSnapshot,
    /// In order; none: all.
    left: Option<&'a [EventIx]>,
}

impl<'a> Rows<'a> {
    /// All rows of a lane.
    pub(crate) fn all(lane: &'a LaneSnapshot) -> Self {
        Self { lane, left: None }
    }

    /// Those that are left of them, in order; none: all are.
    pub(crate) fn left(lane: &'a LaneSnapshot, left: Option<&'a [EventIx]>) -> Self {
        Self { lane, left }
    }

    /// Whether the event has a row of its own.
    pub(crate) fn has(self, event: EventIx) -> bool {
        match self.left {
            Some(left) => left.binary_search(&event).is_ok(),
            None => has_row(self.lane, event),
        }
    }

    /// The first row after `from`.
    pub(crate) fn next(self, from: EventIx) -> Option<EventIx> {
        match self.left {
            Some(left) => left.get(left.partition_point(|event| *event <= from)).copied(),
            None => first_from(self.lane, from.index() + 1),
        }
    }

    /// The last row before `from`.
    pub(crate) fn previous(self, from: EventIx) -> Option<EventIx> {
        match self.left {
            Some(left) => left.get(left.partition_point(|event| *event < from).checked_sub(1)?).copied(),
            None => last_before(self.lane, from.index()),
        }
    }

    /// The first row.
    pub(crate) fn first(self) -> Option<EventIx> {
        match self.left {
            Some(left) => left.first().copied(),
            None => first_from(self.lane, 0),
        }
    }

    /// The last row.
    pub(crate) fn last(self) -> Option<EventIx> {
        match self.left {
            Some(left) => left.last().copied(),
            None => last_before(self.lane, self.lane.events.len()),
        }
    }

    /// The row of the event, or the nearest one.
    pub(crate) fn nearest(self, event: EventIx) -> Option<EventIx> {
        let event = told_by(self.lane, event);
        if self.has(event) { Some(event) } else { self.previous(event).or_else(|| self.next(event)) }
    }

    /// Number of rows among the events from number `from` on.
    pub(crate) fn count_from(self, from: usize) -> usize {
        match self.left {
            Some(left) => left.len() - left.partition_point(|event| event.index() < from),
            None => {
                let newer = self.lane.events.range(from..self.lane.events.len());
                newer.enumerate().filter(|(n, row)| shows(self.lane, from + n, row)).count()
            }
        }
    }
}

/// The row on which an event is told where nothing is filtered: its own, its call's, else the nearest one.
pub(crate) fn row_of(lane: &LaneSnapshot, event: EventIx) -> Option<EventIx> {
    Rows::all(lane).nearest(event)
}

/// Whether the event has a row of its own where nothing is filtered.
pub(crate) fn has_row(lane: &LaneSnapshot, event: EventIx) -> bool {
    lane.events.get(event.index()).is_some_and(|row| shows(lane, event.index(), row))
}

/// The event on whose row another one is told.
fn told_by(lane: &LaneSnapshot, event: EventIx) -> EventIx {
    let call = lane.events.get(event.index()).and_then(|row| match row.kind {
        EventKind::Resolution | EventKind::Ran => lane.calls.get(row.call?.index()).map(|call| call.event),
        _ => None,
    });
    call.unwrap_or(event)
}

/// Whether the event of this number and row has a row of its own.
pub(crate) fn shows(lane: &LaneSnapshot, n: usize, row: &EventRow) -> bool {
    match row.kind {
        EventKind::Resolution | EventKind::Ran => row.call.is_none(),
        // Some models say nothing before they think or act, and that is recorded too.
        EventKind::Reasoning | EventKind::Assistant => lane.labels.get(n).is_some_and(|label| !label.is_empty()),
        EventKind::TurnEnded | EventKind::Counted => false,
        _ => true,
    }
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
