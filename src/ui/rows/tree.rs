//! The rows of a lane with those of its sub-agents: what an opened one did stands below the call that launched it.

use super::Rows;
use crate::base::ids::{EventIx, LaneIx};
use crate::session::Snapshot;
use crate::ui::app::{Nested, Sieve};

/// A row: an event of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) lane: LaneIx,
    pub(crate) event: EventIx,
}

/// The rows of the time line, from top to bottom. While rows are filtered, every sub-agent is closed.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    rows: Rows<'a>,
    shown: LaneIx,
    snapshot: &'a Snapshot,
    nested: Option<&'a Nested>,
}

impl<'a> Tree<'a> {
    /// Of the lane that is shown; none: there is no such lane.
    pub(crate) fn of(snapshot: &'a Snapshot, shown: LaneIx, sieve: &'a Sieve, nested: &'a Nested) -> Option<Self> {
        let rows = sieve.rows(snapshot.lane(shown)?);
        Some(Self { rows, shown, snapshot, nested: Some(nested).filter(|_| !sieve.is_filtered()) })
    }

    /// The first row after `from`.
    pub(crate) fn next(self, from: Row) -> Option<Row> {
        if let Some(first) = self.opened_at(from).and_then(|(lane, rows)| Some(Row { lane, event: rows.first()? })) {
            return Some(first);
        }
        let mut at = from;
        loop {
            match self.rows_of(at.lane)?.next(at.event) {
                Some(event) => return Some(Row { event, ..at }),
                None if at.lane == self.shown => return None,
                None => at = self.nested?.launcher(at.lane)?,
            }
        }
    }

    /// The last row before `from`.
    pub(crate) fn previous(self, from: Row) -> Option<Row> {
        match self.rows_of(from.lane)?.previous(from.event) {
            Some(event) => Some(self.deepest(Row { event, ..from })),
            None if from.lane == self.shown => None,
            None => self.nested?.launcher(from.lane),
        }
    }

    /// The first row.
    pub(crate) fn first(self) -> Option<Row> {
        self.rows.first().map(|event| Row { lane: self.shown, event })
    }

    /// The last row.
    pub(crate) fn last(self) -> Option<Row> {
        self.rows.last().map(|event| self.deepest(Row { lane: self.shown, event }))
    }

    /// The row, or the nearest one: of a lane that is closed, the call that launched it.
    pub(crate) fn nearest(self, row: Row) -> Option<Row> {
        let mut near = row;
        let mut at = row;
        while at.lane != self.shown {
            let launcher = self.nested?.launcher(at.lane)?;
            if !self.nested?.is_open(at.lane) {
                near = launcher;
            }
            at = launcher;
        }
        self.rows_of(near.lane)?.nearest(near.event).map(|event| Row { event, ..near })
    }

    /// Number of rows of the lane that is shown among its events from number `from` on.
    pub(crate) fn count_from(self, from: usize) -> usize {
        self.rows.count_from(from)
    }

    /// The row that stands `steps` rows after `from`, or the last one.
    pub(crate) fn down(self, from: Row, steps: usize) -> Row {
        self.after(from).take(steps).last().unwrap_or(from)
    }

    /// The row that stands `steps` rows before `from`, or the first one.
    pub(crate) fn up(self, from: Row, steps: usize) -> Row {
        self.before(from).take(steps).last().unwrap_or(from)
    }

    /// The rows after `from`, downwards.
    pub(crate) fn after(self, from: Row) -> impl Iterator<Item = Row> + 'a {
        std::iter::successors(self.next(from), move |at| self.next(*at))
    }

    /// The rows before `from`, upwards.
    pub(crate) fn before(self, from: Row) -> impl Iterator<Item = Row> + 'a {
        std::iter::successors(self.previous(from), move |at| self.previous(*at))
    }

    /// The last of the rows that stand below a row, or the row.
    fn deepest(self, row: Row) -> Row {
        let mut at = row;
        while let Some(last) = self.opened_at(at).and_then(|(lane, rows)| Some(Row { lane, event: rows.last()? })) {
            at = last;
        }
        at
    }

    /// The opened lane that a row launched.
    fn opened_at(self, row: Row) -> Option<(LaneIx, Rows<'a>)> {
        let nested = self.nested?;
        let lane = nested.launched(row).filter(|lane| nested.is_open(*lane))?;
        Some((lane, self.rows_of(lane)?))
    }

    fn rows_of(self, lane: LaneIx) -> Option<Rows<'a>> {
        if lane == self.shown { Some(self.rows) } else { self.snapshot.lane(lane).map(|lane| Rows::all(lane)) }
    }
}
