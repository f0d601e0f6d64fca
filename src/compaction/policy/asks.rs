//! What summarisers are asked to keep. It words the risk of a summary; it never changes a colour (DESIGN section 6, "Fidelity").

use serde::Deserialize;

use crate::compaction::judgement::Asked;
use crate::compaction::policy::Policy;
use crate::ledger::entry::EntryKind;

/// A class of state that a summariser's prompt may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// What the human wants.
    Goal,
    /// What must or must not be.
    Constraints,
    /// What the human likes.
    Preferences,
    /// What the model promised.
    Promises,
    /// What is not done yet.
    Pending,
    /// What the human said, word by word.
    UserVerbatim,
    /// What comes next.
    Next,
    /// What went wrong.
    Errors,
    /// Exact values.
    Ids,
    /// Files that were read or changed.
    Files,
    /// The todo list.
    Todos,
    /// What was decided.
    Decisions,
    /// What is committed, and what is pushed.
    CommitState,
    /// What the tests said.
    Tests,
    /// The environment.
    Environment,
    /// Whether side effects happened, did not, or may have.
    Statuses,
    /// Which value belongs to what.
    Bindings,
    /// What must hold before something may be done.
    Preconditions,
}

impl Topic {
    /// The word for it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Goal => "the goal",
            Self::Constraints => "constraints",
            Self::Preferences => "preferences",
            Self::Promises => "promises",
            Self::Pending => "what is pending",
            Self::UserVerbatim => "the human's words",
            Self::Next => "what comes next",
            Self::Errors => "errors",
            Self::Ids => "exact values",
            Self::Files => "files",
            Self::Todos => "todos",
            Self::Decisions => "decisions",
            Self::CommitState => "what is committed",
            Self::Tests => "tests",
            Self::Environment => "the environment",
            Self::Statuses => "which effects happened",
            Self::Bindings => "which value belongs to what",
            Self::Preconditions => "preconditions",
        }
    }
}

impl Policy {
    /// Whether its summariser is asked for things of this kind. Of real prompts none asks for unknown side effects, retries, open
    /// transactions or the order of things.
    #[must_use]
    pub fn asks_for(&self, kind: EntryKind) -> Asked {
        let topics: &[Topic] = match kind {
            EntryKind::Call => &[Topic::Pending],
            EntryKind::Effect | EntryKind::Retry | EntryKind::Transaction | EntryKind::Done => &[Topic::Statuses],
            EntryKind::Process | EntryKind::Resource => &[Topic::Environment],
            EntryKind::Unverified => &[Topic::Tests, Topic::CommitState],
            EntryKind::Task => &[Topic::Todos, Topic::Pending, Topic::Next, Topic::Promises],
            EntryKind::Question => &[Topic::Pending],
            EntryKind::Prohibition | EntryKind::Requirement => &[Topic::Constraints, Topic::UserVerbatim],
            EntryKind::Ordering => &[Topic::Preconditions],
            EntryKind::Decision => &[Topic::Decisions],
            EntryKind::Value => &[Topic::Ids],
            EntryKind::Unclassified => &[Topic::UserVerbatim],
            EntryKind::Reference | EntryKind::Binding => &[Topic::Bindings],
        };
        if topics.iter().any(|topic| self.asks.contains(topic)) { Asked::Yes } else { Asked::No }
    }
}
