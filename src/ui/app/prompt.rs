//! What the reader types at the foot of the screen: words to find, or a command.

use super::{List, Offer};

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prompt {
    pub(crate) asks: Asks,
    pub(crate) typed: String,
    /// Of a command: what fits, and the row that enter takes.
    pub(crate) offers: Vec<Offer>,
    pub(crate) list: List,
}

/// What it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Words to find in the records of the lane.
    Words,
    /// Words by which the rows of the list that has the keys are narrowed.
    Rows,
    /// Words to find in the event that is shown whole.
    WordsWithin,
    /// A command of the palette.
    Command,
}

impl Prompt {
    pub(crate) fn new(asks: Asks) -> Self {
        Self { asks, typed: String::new(), offers: Vec::new(), list: List::default() }
    }
}
