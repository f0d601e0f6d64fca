//! The last message of a turn: the one that the human answers (DESIGN section 4).
//!
//! Whether a message is the last shows only when its turn is over, so the newest one is kept until then. What is read in it opens at
//! the event that ends the turn, in the span that said it.
//!
//! Where the records leave out how a message ended, a session may stop with one that nothing follows. Such a message *counts for now*
//! as the last of its turn, if it reads like one; the call or the words that show that the turn goes on take back what it opened and
//! what it ended.

use crate::base::ids::TurnIx;
use crate::ledger::delta::Change;
use crate::ledger::entry::{Moment, Pointer};
use crate::ledger::tagging::{Act, Cues, Region, Said, Setting, Source};

/// A message of fewer bytes says little, on the way or at the end.
const SHORTEST: usize = 12;

/// A message of fewer bytes says what the model is about, and seldom what it has done.
const A_REPORT: usize = 80;

/// What a promise waits for that the model does not keep before it is answered.
const OF_THE_READER: &[&str] = &["if you", "let me know", "tell me", "once you", "when you"];

/// The newest text of a turn that goes on.
#[derive(Default)]
pub(super) struct LastWord {
    text: String,
    at: Option<(Moment, Pointer)>,
    /// Whether calls came after it: it tells what is done now.
    went_on: bool,
    /// What it changed, where it counts for now.
    changed: Option<Vec<Change>>,
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
    /// Whether calls came after it: what it announced alone was begun.
    pub(super) went_on: bool,
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
        self.changed = None;
    }

    /// It was read as the last message of its turn, which changed this; but the turn may go on.
    pub(super) fn count_for_now(&mut self, closing: Closing, changed: Vec<Change>) {
        self.text = closing.text;
        self.at = Some((closing.said, closing.pointer));
        self.changed = Some(changed);
    }

    /// The turn goes on: what the newest text has changed, if it counted for now.
    pub(super) fn take_back(&mut self) -> Option<Vec<Change>> {
        self.changed.take()
    }

    /// A call was made.
    pub(super) fn go_on(&mut self) {
        self.went_on = true;
    }

    /// The turn broke off: what was said on the way to the next call is no message that anybody answers.
    pub(super) fn stop(&mut self) {
        if self.went_on {
            self.forget();
        }
    }

    /// The newest text was taken back.
    pub(super) fn forget(&mut self) {
        self.at = None;
        self.text.clear();
        self.changed = None;
    }

    /// Whether the newest text stands in another turn than this: then that turn is over.
    pub(super) fn is_of_turn_before(&self, turn: TurnIx) -> bool {
        self.at.is_some_and(|(at, _)| at.turn < turn)
    }

    /// Takes the text of a turn that is over, once. What it changed when it counted for now stays so.
    pub(super) fn take(&mut self, read: impl FnOnce(&str) -> Vec<Region>) -> Option<Closing> {
        let (said, pointer) = self.at.take()?;
        if self.changed.take().is_some() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        let regions = read(&text);
        Some(Closing { text, said, pointer, regions, went_on: self.went_on })
    }
}

/// Whether a message is as long as reports are, and opens nothing at its end.
pub(super) fn is_report(text: &str) -> bool {
    text.len() >= A_REPORT && !announces(text.trim_end())
}

fn announces(text: &str) -> bool {
    text.ends_with([':', '…', '：']) || text.ends_with("...")
}

/// Whether a message reads like the last of its turn: it announces nothing that the model does next.
pub(super) fn may_be_last(text: &str, cues: &Cues, human: Setting) -> bool {
    let text = text.trim_end();
    if text.len() < SHORTEST || announces(text) {
        return false;
    }
    let line = text.rsplit('\n').next().unwrap_or(text);
    let said = Said { text: line, source: Source::LastOfTurn, before: "", head: "" };
    let waits = || OF_THE_READER.iter().any(|words| line.to_lowercase().contains(words));
    cues.read(&said, human).last().is_none_or(|end| !end.acts.contains(&Act::Promises) || waits())
}
