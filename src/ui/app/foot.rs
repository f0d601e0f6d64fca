//! What is told below a list of its selected row.

use super::Scroll;

/// How far it is scrolled, and of which row it is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot<T> {
    pub(crate) scroll: Scroll,
    of: Option<T>,
}

impl<T: Copy + PartialEq> Foot<T> {
    /// Begins at the top of what is told of another row.
    pub(crate) fn turn_to(&mut self, row: Option<T>) {
        if self.of != row {
            *self = Self { scroll: Scroll::default(), of: row };
        }
    }
}

impl<T> Default for Foot<T> {
    fn default() -> Self {
        Self { scroll: Scroll::default(), of: None }
    }
}
