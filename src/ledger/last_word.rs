//! The last message of a turn: the one that the human answers (DESIGN section 4).
//!
//! Whether a message is the last shows only when its turn is over, so the newest one is kept until then. What is read in it opens at
//! the event that ends the turn, in the span that said it.

use crate::base::ids::TurnIx;
use crate::ledger::entry::{Moment, Pointer};
use crate::ledger::tagging::Region;

/// The newest text of a turn that goes on.
#[derive(Default)]
pub(super) struct LastWord {
    text: String,
    at: Option<(Moment, Pointer)>,
    /// Whether calls came after it: it tells what is done now.
    went_on: bool,
}

/// The last message of a turn that is over.
pub(super) struct Closing {
    /// Its text.
    pub(super) text: String,
    /// Where it was said.
    pub(super) said: Moment,
    /// The bytes of its record.
    pub(super) pointer: Pointer,
    /// What its words do.
    pub(super) regions: Vec<Region>,
}

impl Closing {
    /// The words of a region.
    pub(super) fn words(&self, region: &Region) -> Option<&str> {
        self.text.get(region.range.clone()).map(str::trim)
    }
}

impl LastWord {
    /// The assistant said something: it is the newest text of its turn.
    pub(super) fn say(&mut self, text: &str, at: Moment, pointer: Pointer) {
        self.text.clear();
        self.text.push_str(text);
        self.at = Some((at, pointer));
        self.went_on = false;
    }

    /// A call was made.
    pub(super) fn go_on(&mut self) {
        self.went_on = true;
    }

    /// The human stopped the turn: what was said on the way to the next call is no message that anybody answers.
    pub(super) fn stop(&mut self) {
        if self.went_on {
            self.forget();
        }
    }

    /// The newest text was taken back.
    pub(super) fn forget(&mut self) {
        self.at = None;
        self.text.clear();
    }

    /// Whether the newest text stands in another turn than this: then that turn is over.
    pub(super) fn is_of_turn_before(&self, turn: TurnIx) -> bool {
        self.at.is_some_and(|(at, _)| at.turn < turn)
    }

    /// Takes the text of a turn that is over, once.
    pub(super) fn take(&mut self, read: impl FnOnce(&str) -> Vec<Region>) -> Option<Closing> {
        let (said, pointer) = self.at.take()?;
        let text = std::mem::take(&mut self.text);
        let regions = read(&text);
        Some(Closing { text, said, pointer, regions })
    }
}
