//! Floor 3: from an agent's records to the vocabulary. One file (or folder) an agent, and one line in [`registry`].
//!
//! **Invariant:** adapters pair nothing, judge nothing, do no IO and keep no more state than a line needs from the lines before it
//! (which lane, which step). The same record, given to a fresh adapter, yields the same events: bodies are read again that way.

pub mod adapter;
pub mod claude;
pub mod detect;
pub mod json;
pub mod registry;

pub use adapter::{Adapter, Format};
