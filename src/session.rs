//! Floor 6: the pipeline. Files in, published snapshots out; live and whole-file drivers.
//!
//! **Invariants:** one writer owns the ledgers; everybody else holds an `Arc` of a [`Snapshot`]; no channel is unbounded, none
//! drops; while a file is being read no verdict is given on it.

mod analyst;
pub mod audited;
pub mod bodies;
pub mod clock;
pub mod error;
pub mod feed;
pub mod fold;
mod lanes;
#[cfg(test)]
mod laws;
mod live;
mod notes;
mod opening;
mod pace;
mod parcel;
mod reader;
#[cfg(test)]
mod rendered;
pub mod sessions;
mod side;
pub mod snapshot;
#[cfg(test)]
mod testing;
mod translator;
pub mod whole;

pub use audited::{Audited, LaneTexts};
pub use bodies::{Bodies, Body, BodyError};
pub use error::Error;
pub use feed::{Feed, Following, Wake};
pub use fold::Session;
pub use opening::{Options, Side};
pub use sessions::{Glimpse, glimpse, sessions};
pub use snapshot::{Facts, Progress, SessionFile, SideLedger, Snapshot};
pub use whole::{read, read_input, translate};
