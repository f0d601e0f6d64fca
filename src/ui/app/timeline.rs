//! The time line's cursor: the row of an event, and the line of the window that it stands on.
//!
//! Because the place is an event and not a number of rows, nothing moves under the reader's eyes when the lane grows.

use super::Motion;
use crate::ui::rows::{Row, Tree};

/// What the time line shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimelineState {
    /// The row under the cursor.
    pub(crate) selected: Option<Row>,
    /// The row of the window that it stands on, from 0.
    pub(crate) row: usize,
    /// Whether the window stays at the end.
    pub(crate) follow: Follow,
    /// The number of the first event that has come since it was settled.
    grown_from: Option<usize>,
}

/// Whether the window stays at the end as the lane grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Follow {
    /// It does.
    #[default]
    End,
    /// The reader is elsewhere; so many rows have come since.
    Held {
        /// Rows.
        unseen: usize,
    },
}

impl TimelineState {
    /// Takes note of a lane that has grown beyond `events` events. Which of them have rows is known when it is settled.
    pub(crate) fn grown(&mut self, events: usize) {
        self.grown_from.get_or_insert(events);
    }

    /// Moves the cursor, and the window only as far as the cursor needs.
    pub(crate) fn go(&mut self, motion: Motion, rows: Tree<'_>, height: usize) {
        let Some(from) = self.selected else { return };
        let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(1);
        let by = match motion {
            Motion::Rows(by) => by,
            Motion::Pages(by) => by.saturating_mul(page),
            Motion::First => {
                (self.selected, self.row) = (rows.first(), 0);
                return self.hold(rows);
            }
            Motion::Last => return self.follow_end(),
        };
        let to = if by < 0 { rows.up(from, by.unsigned_abs()) } else { rows.down(from, by.unsigned_abs()) };
        self.select(to, rows, height);
        if to == from && by < 0 {
            self.hold(rows);
        }
    }

    /// Puts the cursor on a row. The window stays where it is if the row is in it; else the row comes to its upper third.
    pub(crate) fn select(&mut self, to: Row, rows: Tree<'_>, height: usize) {
        let Some(from) = self.selected else {
            self.selected = Some(to);
            return self.hold(rows);
        };
        let below = rows.after(from).take(height).position(|row| row == to);
        let above = rows.before(from).take(height).position(|row| row == to);
        self.row = match (below, above) {
            _ if to == from => self.row,
            (Some(steps), _) => (self.row + steps + 1).min(height.saturating_sub(1)),
            (_, Some(steps)) => self.row.saturating_sub(steps + 1),
            _ => height / 3,
        };
        self.selected = Some(to);
        self.hold(rows);
    }

    /// Scrolls the window under the cursor, and takes the cursor along at its edge.
    pub(crate) fn scroll(&mut self, by: isize, rows: Tree<'_>, height: usize) {
        let Some(mut at) = self.selected else { return };
        let last = height.saturating_sub(1);
        for _ in 0..by.unsigned_abs() {
            if by > 0 {
                let more = rows.after(at).nth(last.saturating_sub(self.row)).is_some();
                match (more, self.row) {
                    (false, _) => break,
                    (true, 0) => at = rows.next(at).unwrap_or(at),
                    (true, row) => self.row = row - 1,
                }
            } else {
                let more = rows.before(at).nth(self.row).is_some();
                match (more, self.row) {
                    (false, _) => break,
                    (true, row) if row >= last => at = rows.previous(at).unwrap_or(at),
                    (true, row) => self.row = row + 1,
                }
            }
        }
        self.selected = Some(at);
        let at_end = rows.after(at).nth(last.saturating_sub(self.row)).is_none();
        match (by > 0, at_end) {
            (true, true) => self.follow_end(),
            _ => self.follow = self.held(),
        }
    }

    pub(crate) fn follow_end(&mut self) {
        self.follow = Follow::End;
    }

    /// Stays here while the lane grows.
    pub(crate) fn stay(&mut self) {
        self.follow = self.held();
    }

    /// Keeps cursor and window inside the lane and inside `height` rows. Rows fill the window while there are enough of them.
    pub(crate) fn settle(&mut self, rows: Tree<'_>, height: usize) {
        let last = height.saturating_sub(1);
        if let (Some(from), Follow::Held { unseen }) = (self.grown_from.take(), &mut self.follow) {
            *unseen += rows.count_from(from);
        }
        match self.follow {
            Follow::End => (self.selected, self.row) = (rows.last(), last),
            Follow::Held { .. } => {
                self.selected = self.selected.and_then(|at| rows.nearest(at)).or_else(|| rows.last());
            }
        }
        let Some(at) = self.selected else { return };
        if height == 0 {
            return;
        }
        self.row = self.row.min(last);
        let below = rows.after(at).take(last - self.row).count();
        let wanted = last - below;
        self.row = rows.before(at).take(wanted).count();
    }

    /// The rows that fill a window of `height` rows.
    pub(crate) fn window(&self, rows: Tree<'_>, height: usize) -> Vec<Row> {
        let Some(at) = self.selected.filter(|_| height > 0) else { return Vec::new() };
        let above = self.row.min(height - 1);
        let mut shown: Vec<Row> = rows.before(at).take(above).collect();
        shown.reverse();
        shown.push(at);
        let left = height - shown.len();
        shown.extend(rows.after(at).take(left));
        shown
    }

    /// Follows again where the cursor has reached the end, else stays.
    fn hold(&mut self, rows: Tree<'_>) {
        let at_end = self.selected.is_some() && self.selected == rows.last();
        self.follow = if at_end { Follow::End } else { self.held() };
    }

    fn held(&self) -> Follow {
        match self.follow {
            Follow::End => Follow::Held { unseen: 0 },
            held @ Follow::Held { .. } => held,
        }
    }
}
