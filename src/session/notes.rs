//! The records of side ledgers on their way to their place in a lane.
//!
//! **Law:** a record counts before the first event that is beyond its anchor, or at the end where none is; after the lane's first event
//! in any case; of several that count from one place the earlier in its file is the first. So it does not matter which of the two files
//! came first, or in what pieces. Where something came too late for that, reading begins again. A record of a time that has not come
//! waits for it: at the end it would stand before each event that follows.

use std::collections::BTreeMap;

use crate::base::ids::FileIx;
use crate::base::time::Stamp;
use crate::ledger::record::{Anchor, Says};

/// Where a record stands: its side ledger, and its first byte there.
pub(super) type Order = (FileIx, u64);

/// Something came after what belongs behind it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfOrder;

/// A record that waits for its place.
#[derive(Clone, Debug)]
pub(super) struct Note {
    /// Its line in its side ledger, from 1.
    pub(super) line: u32,
    pub(super) says: Says,
}

/// What counts now, in order.
pub(super) type Due = Result<Vec<(Order, Note)>, OutOfOrder>;

/// The records of one lane, and how far the lane has come.
#[derive(Debug, Default)]
pub(super) struct Notes {
    by_line: BTreeMap<(u32, Order), Note>,
    by_time: BTreeMap<(Stamp, Order), Note>,
    reached: Reached,
    /// Whether the lane has no event, one, or more.
    events: usize,
    /// What was counted at the end of what was there, and may turn out not to stand at the end.
    ended: Option<Ended>,
    counted: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    line: u32,
    /// The latest time so far: clocks may jump back.
    clock: Option<Stamp>,
}

#[derive(Clone, Copy, Debug)]
struct Ended {
    to: Reached,
    newest: Order,
}

impl Notes {
    /// Takes a record.
    pub(super) fn add(&mut self, order: Order, anchor: Anchor, note: Note) -> Result<(), OutOfOrder> {
        let passed = self.events > 1 && self.reached.is_beyond(anchor);
        match anchor {
            Anchor::Line(line) => _ = self.by_line.insert((line, order), note),
            Anchor::Time(at) => _ = self.by_time.insert((at, order), note),
        }
        if passed { Err(OutOfOrder) } else { Ok(()) }
    }

    /// The next event of the lane stands on this line, and has this time. What counts before it?
    pub(super) fn before(&mut self, line: u32, at: Option<Stamp>) -> Due {
        let now = Reached { line: self.reached.line.max(line), clock: self.reached.clock.max(at) };
        self.reached = now;
        self.events += 1;
        let mut due = Vec::new();
        if self.events > 1 {
            while let Some(first) = self.by_line.first_entry().filter(|first| first.key().0 < now.line) {
                due.push((first.key().1, first.remove()));
            }
            while let Some(first) = self.by_time.first_entry().filter(|first| Some(first.key().0) < now.clock) {
                due.push((first.key().1, first.remove()));
            }
        }
        let due = self.in_order(due);
        match self.ended.take() {
            Some(Ended { to, .. }) if to.line >= now.line || to.clock.is_some_and(|at| Some(at) >= now.clock) => Err(OutOfOrder),
            _ => due,
        }
    }

    /// Everything that is there was read, up to this line of the lane's file, and it is `now`. What counts at the end?
    pub(super) fn at_end(&mut self, lines: u32, now: Stamp) -> Due {
        if self.events == 0 || self.is_empty() {
            return Ok(Vec::new());
        }
        let mut to = self.ended.map_or_else(Reached::default, |ended| ended.to);
        let mut due = Vec::new();
        while let Some(first) = self.by_line.first_entry().filter(|first| first.key().0 <= lines) {
            to.line = to.line.max(first.key().0);
            due.push((first.key().1, first.remove()));
        }
        while let Some(first) = self.by_time.first_entry().filter(|first| first.key().0 <= now) {
            to.clock = to.clock.max(Some(first.key().0));
            due.push((first.key().1, first.remove()));
        }
        let due = self.in_order(due)?;
        if let Some(&(newest, _)) = due.last() {
            self.ended = Some(Ended { to, newest });
        }
        Ok(due)
    }

    /// What still waits, and for what: its line is not there, or its time has not come.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (Order, &Note, &'static str)> {
        let by_line =
            self.by_line.iter().map(|((_, order), note)| (*order, note, "the transcript has not come as far as its place"));
        by_line.chain(self.by_time.iter().map(|((_, order), note)| (*order, note, "its time has not come")))
    }

    /// The lane begins again. What was counted in it cannot be taken back.
    pub(super) fn restart(self) -> Result<Self, OutOfOrder> {
        let Self { by_line, by_time, counted, .. } = self;
        if counted == 0 { Ok(Self { by_line, by_time, ..Self::default() }) } else { Err(OutOfOrder) }
    }

    fn is_empty(&self) -> bool {
        self.by_line.is_empty() && self.by_time.is_empty()
    }

    /// Sorts what counts from one place. What was counted there before must be earlier.
    fn in_order(&mut self, mut due: Vec<(Order, Note)>) -> Due {
        due.sort_unstable_by_key(|(order, _)| *order);
        self.counted += due.len();
        match (due.first(), self.ended) {
            (Some((first, _)), Some(ended)) if *first < ended.newest => Err(OutOfOrder),
            _ => Ok(due),
        }
    }
}

impl Reached {
    fn is_beyond(self, anchor: Anchor) -> bool {
        match anchor {
            Anchor::Line(line) => self.line > line,
            Anchor::Time(at) => self.clock.is_some_and(|clock| clock > at),
        }
    }
}
