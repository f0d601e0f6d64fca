//! Floor 5: what a compaction that happened has lost, and what that cost later (DESIGN section 8).
//!
//! ```text
//! boundary -> what stands after it                    standing
//!          -> what was owed before it, each one's fate fates
//!          -> findings, one a loss                     findings, one file a class
//!          -> what each cost                           consequences, one file a class
//! summary, carriers -> whether they would lose anything  acceptance
//! ```
//!
//! **Invariants:** one loss is one finding; what was settled and is left out is none; silence is no evidence: of a summary that nobody
//! can read nothing is said.

pub mod acceptance;
mod boundary;
mod case;
pub mod consequence;
mod consequences;
mod deeds;
mod drift;
pub mod fate;
pub mod finding;
mod findings;
mod hearing;
mod humans;
mod labels;
mod lists;
mod mention;
mod owed;
mod readings;
mod replaced;
mod sheets;
mod standing;
mod support;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod texts;
mod uses;
mod values;

use std::sync::Arc;

use crate::audit::boundary::Threads;
use crate::base::ids::{BoundaryIx, EventIx};
use crate::ledger::entry::Entry;
use crate::ledger::{LaneSnapshot, Rulebook};

pub use acceptance::{Acceptance, Next, Proposal, Why, accept};
pub use consequence::{Consequence, ConsequenceClass, Distance, classes};
pub use fate::Fate;
pub use finding::{Finding, FindingClass, Severity};
pub use texts::Texts;

/// What the boundaries of a lane did.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The lane.
    pub lane: Arc<str>,
    /// Its compactions and maskings, by place.
    pub boundaries: Vec<BoundaryAudit>,
}

/// What one boundary did.
#[derive(Clone, Debug)]
pub struct BoundaryAudit {
    /// Which of the lane's.
    pub boundary: BoundaryIx,
    /// Tokens of what was owed.
    pub obligations: Obligations,
    /// The entries that were live and stood in the context just before it, and what became of each, by id.
    pub entries: Vec<Told>,
    /// What was lost, worst first.
    pub findings: Vec<Finding>,
}

/// An entry at a boundary.
#[derive(Clone, Debug)]
pub struct Told {
    /// The entry.
    pub entry: Arc<Entry>,
    /// What became of it.
    pub fate: Fate,
    /// What stands for it afterwards, as nearly as anything does.
    pub stands: Option<Passage>,
}

/// A sentence that stands after a boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The event that holds it.
    pub event: EventIx,
    /// The event's line.
    pub line: u32,
    /// The sentence.
    pub text: String,
}

/// What was owed at a boundary, in estimated tokens of its texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Obligations {
    /// The exact texts of all that was owed.
    pub before: u64,
    /// The least that a carrier of each takes.
    pub floor: u64,
    /// The exact texts of what stands afterwards, word by word or restated.
    pub after: u64,
}

/// Audits every boundary of a lane. What bodies cannot be read any more count as silence.
#[must_use]
pub fn audit(lane: &LaneSnapshot, texts: &dyn Texts, rules: &Rulebook) -> Audit {
    Audit { lane: Arc::clone(&lane.name), boundaries: boundary::all((lane, Threads::Beside), texts, rules) }
}

/// The same on this thread alone: for whoever audits many lanes at once.
#[must_use]
pub fn audit_here(lane: &LaneSnapshot, texts: &dyn Texts, rules: &Rulebook) -> Audit {
    Audit { lane: Arc::clone(&lane.name), boundaries: boundary::all((lane, Threads::Here), texts, rules) }
}

impl Audit {
    /// Every finding, boundary by boundary.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.boundaries.iter().flat_map(|boundary| &boundary.findings)
    }
}

impl BoundaryAudit {
    /// How many entries had this fate.
    #[must_use]
    pub fn count(&self, fate: Fate) -> usize {
        self.entries.iter().filter(|told| told.fate == fate).count()
    }

    /// Whether every entry stands afterwards: without a finding something may still be gone that costs nothing, or undecided.
    #[must_use]
    pub fn kept_all(&self) -> bool {
        self.entries.iter().all(|told| told.fate.is_kept())
    }
}
