//! How far a scan has come: one line on standard error, where that is a terminal.

use std::io::Write as _;

use crate::cli::io::Io;

/// Erases the line that the cursor stands on.
const ERASE: &str = "\r\u{1b}[2K";

/// The line.
pub(super) struct Progress {
    total: usize,
    /// Where nobody sees it, nothing is written.
    is_seen: bool,
    /// Thousandths of the whole that were shown last.
    shown: Option<usize>,
}

impl Progress {
    /// Of so many files.
    pub(super) fn new(total: usize, io: &Io) -> Self {
        Self { total, is_seen: io.terminal.stderr && total > 1, shown: None }
    }

    /// Shows that so many are done, if it has moved on since.
    pub(super) fn show(&mut self, done: usize, io: &mut Io) {
        let part = done * 1_000 / self.total.max(1);
        if self.is_seen && self.shown != Some(part) {
            self.shown = Some(part);
            write!(io.stderr, "{ERASE}scanned {done} of {}", self.total).ok();
            io.stderr.flush().ok();
        }
    }

    /// Takes the line away, so that something else can be written.
    pub(super) fn clear(&mut self, io: &mut Io) {
        if self.shown.take().is_some() {
            write!(io.stderr, "{ERASE}").ok();
        }
    }
}
