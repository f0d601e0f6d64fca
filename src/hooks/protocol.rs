//! What every agent's hook comes down to: something is about to be compacted, or was; and what is said to that.

use std::path::PathBuf;

use crate::compaction::Verdict;
use crate::hooks::gate::Trigger;

/// What a hook tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A compaction is about to happen.
    Before(Before),
    /// One has happened in this session.
    After {
        /// The session's id.
        session: String,
        /// The sub-agent whose context it was, where that is said.
        lane: Option<String>,
    },
    /// Something that is none of a gate's business.
    Other,
}

/// A compaction that is about to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// The session's id.
    pub session: String,
    /// The sub-agent whose context it is, where that is said.
    pub lane: Option<String>,
    /// Its transcript.
    pub transcript: PathBuf,
    /// Who asked for the compaction.
    pub trigger: Trigger,
    /// The transcript's format, where it is said.
    pub format: Option<String>,
    /// Whose compaction, where it is said.
    pub policy: Option<String>,
}

/// What is said to a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// For standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// One line for standard error.
    pub stderr: Option<String>,
    /// Whether the agent may go on.
    pub then: Then,
}

/// What the agent is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// It goes on.
    #[default]
    GoOn,
    /// It does not compact now, by this verdict.
    Stop(Verdict),
}
