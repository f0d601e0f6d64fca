//! Floor 6: the pipeline. Files in, published snapshots out; live, whole-file and replay drivers.
//!
//! **Invariants:** one writer owns the ledgers; everybody else holds an `Arc` of a [`Snapshot`]; no channel is unbounded, none
//! drops; while a file is being read no verdict is given on it.

pub mod snapshot;

pub use snapshot::{Facts, Progress, Snapshot};
