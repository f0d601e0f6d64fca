//! Floor 0: ids, byte ranges, session time, cleaned text, hashes, copy-on-write chunks.
//!
//! **Invariant:** nothing here knows what a transcript is, does IO or reads a clock.

pub mod chunks;
pub mod data;
pub mod deferred;
pub mod hash;
pub mod ids;
pub mod range;
pub mod sketch;
pub mod text;
pub mod time;
pub mod words;
