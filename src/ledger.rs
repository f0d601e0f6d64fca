//! Floor 3: the fold. Events in, an event-sourced ledger out.
//!
//! **Invariants:** the fold cannot fail; it has no clock, no randomness and no order that depends on hashing; folding events one at
//! a time, in any chunking, gives the same ledger as folding them at once; a prefix never knows the future.

mod about;
pub mod anomaly;
mod answers;
mod book;
mod calls;
mod commitments;
mod context;
pub mod delta;
mod done;
pub mod effects;
pub mod entry;
mod explicit;
mod folds;
pub mod glance;
pub mod graph;
pub mod gravity;
pub mod identifiers;
pub mod label;
pub mod lane;
mod last_word;
mod lifetimes;
mod open_call;
mod open_things;
mod parts;
mod past;
mod plans;
pub mod prepared;
mod processes;
mod promises;
mod proof;
mod questions;
pub mod record;
mod references;
mod replays;
mod retries;
pub mod rows;
pub mod rulebook;
mod segments;
pub mod snapshot;
mod spans;
pub mod tagging;
mod tasks;
mod testimony;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod tokens;
mod unknowns;
mod unverified;
pub mod values;
mod world;

pub(crate) use commitments::key as commitment_key;
pub use delta::{Change, Delta};
pub use glance::Glance;
pub use graph::Graph;
pub use gravity::Gravity;
pub use lane::Lane;
pub use prepared::{Meaning, Prepared, Preparer};
pub use proof::of_commit as commit_in;
pub use rulebook::{Overlays, Rulebook};
pub use snapshot::LaneSnapshot;
pub use unverified::Milestone;
pub use values::Spellings;
