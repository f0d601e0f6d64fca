//! Floor 3: the fold. Events in, an event-sourced ledger out.
//!
//! **Invariants:** the fold cannot fail; it has no clock, no randomness and no order that depends on hashing; folding events one at
//! a time, in any chunking, gives the same ledger as folding them at once; a prefix never knows the future.

pub mod anomaly;
pub mod effects;
pub mod entry;
pub mod lane;
mod open_call;
pub mod rows;
pub mod snapshot;

pub use lane::Lane;
pub use snapshot::LaneSnapshot;
