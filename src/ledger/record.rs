//! Records that say outright what an entry says: the lines of a side ledger, and the carriers that come back in a transcript
//! (`assets/ledger.schema.json`; DESIGN section 4, trust 1, and section 7).
//!
//! Both have one shape, told apart by `schema`. It is closed: a field that nobody knows is a mistake, and is told with its name. A
//! record with a mistake says nothing, and stops nobody.

use std::fmt;

mod carriers;
mod fields;
mod read;
#[cfg(test)]
mod tests;

use crate::base::hash::Hash64;
use crate::base::time::Stamp;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Check, EdgeKind, EntryKind, EntryStatus, Scope, Weight};

pub use carriers::{Carriers, Misread, carriers, read_carriers};
pub use read::{read, read_all};

/// The `schema` of a side ledger's line.
pub const LEDGER: &str = "owed.ledger/1";

/// The `schema` of a carrier.
pub const CARRIER: &str = "owed.carrier/1";

/// One line of a side ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The lane that it is about: `main`, or a sub-agent's id.
    pub lane: String,
    /// Where in the lane it counts from.
    pub anchor: Anchor,
    /// What it says.
    pub says: Says,
}

/// A place in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// After everything on this line of the lane's file, 1-based, and before what stands on later ones.
    Line(u32),
    /// Before the first event that is later than this.
    Time(Stamp),
}

/// What a record says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// An entry is opened, or said again.
    Open(Box<Opening>),
    /// An entry ends.
    Close(Close),
    /// What is known of a call beside its own records.
    Call(Declared),
}

/// An entry as its writer states it; a carrier is one too.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Its key, as it stands.
    pub key: String,
    /// What it is.
    pub kind: EntryKind,
    /// What else it is.
    pub also: Vec<EntryKind>,
    /// Exact text or exact input.
    pub text: String,
    /// Whether `text` is only parts of it: the rest stands where the carrier's pointer says.
    pub is_part: bool,
    /// How long it holds; none where it is not said.
    pub scope: Option<Scope>,
    /// What it does to the spans that it touches; none: by its kind.
    pub colour: Option<Weight>,
    /// The runtime's id of the call that it is about.
    pub call: Option<String>,
    /// What the action did.
    pub effect: Option<EffectStatus>,
    /// Identity of the action.
    pub action: Option<Hash64>,
    /// What it acts on.
    pub target: Option<String>,
    /// By what the world can tell a repetition.
    pub idempotency_key: Option<String>,
    /// Attempts so far, the first included.
    pub attempts: Option<u32>,
    /// Parts that were seen done.
    pub progress: Vec<String>,
    /// What must hold before it may be acted on.
    pub preconditions: Vec<String>,
    /// How it ends.
    pub discharge: Option<Ends>,
    /// Relations to other entries, by key.
    pub edges: Vec<(EdgeKind, String)>,
}

/// How an entry ends, as its writer states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// In words.
    pub text: String,
    /// The check; none: by the entry's kind.
    pub check: Option<Check>,
    /// Identifiers that the check needs.
    pub needs: Vec<String>,
    /// Whether it can be decided from what is retained plus the carrier.
    pub observable: bool,
}

/// The end of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// The entry's key.
    pub key: String,
    /// How it ended.
    pub how: EntryStatus,
    /// Of an effect that had been unknown: what it turned out to be.
    pub effect: Option<EffectStatus>,
}

/// What a runtime knows of a call and its transcript does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The runtime's id of the call.
    pub call: String,
    /// What the call did to the world.
    pub effect: Option<EffectStatus>,
    /// By what the world can tell a repetition.
    pub idempotency_key: Option<String>,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The field at fault, as `discharge.check`; none where it is the record as a whole.
    pub field: Option<String>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Mistake {
    /// A mistake in a field.
    #[must_use]
    pub fn at(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), message: message.into() }
    }

    /// A mistake in the record as a whole.
    #[must_use]
    pub fn whole(message: impl Into<String>) -> Self {
        Self { field: None, message: message.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}
