//! Floor 3: from an agent's records to the vocabulary. One file (or folder) an agent, and one line in [`registry`].
//!
//! **Invariant:** adapters pair nothing, judge nothing, do no IO and keep no more state than a line needs from the lines before it
//! (which lane, which step). What a record yields in its file is the beginning of what it yields to a fresh adapter: bodies are read
//! again that way.

pub mod adapter;
pub mod amp;
pub mod api;
pub mod atif;
pub mod autogen;
mod branch;
mod chat;
pub mod claude;
pub mod cline;
pub mod codex;
pub mod copilot;
pub mod crush;
pub mod detect;
mod editors;
mod emit;
pub mod gemini;
mod google;
pub mod goose;
pub mod inspect;
pub mod json;
pub mod langchain;
pub mod managed;
pub mod mini_swe_agent;
pub mod native;
pub mod opencode;
pub mod openhands;
mod outcome;
pub mod pi;
pub mod qwen;
pub mod registry;
pub mod responses;
mod rows;
pub mod spans;
pub mod swe_agent;
mod template;
#[cfg(test)]
mod testing;
mod told;

pub use adapter::{Adapter, Format};
