//! Tool calls and how they ended.

use std::borrow::Cow;

/// A tool call as the model wrote it.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The runtime's id: what a resolution names. Untrusted, and not unique in the wild.
    pub id: Cow<'a, str>,
    /// The tool's name. Untrusted text: a malformed call may hold anything here.
    pub tool: Cow<'a, str>,
    /// What it was called with.
    pub input: Input<'a>,
}

/// A call's input, exactly as it stands.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// A JSON value, as text.
    Json(Cow<'a, str>),
    /// Free text (a patch, a script).
    Text(Cow<'a, str>),
}

impl Input<'_> {
    /// The exact text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Json(text) | Self::Text(text) => text,
        }
    }
}

/// What a transcript says of a call's end. Words of an agent's own are translated by its adapter; what follows for the world is
/// decided in `ledger::effects`.
#[derive(Clone, Debug)]
pub struct Resolution<'a> {
    /// The id of the call that it ends.
    pub call: Cow<'a, str>,
    /// How it ended.
    pub outcome: Outcome<'a>,
    /// What the model was given, whole.
    pub text: Cow<'a, str>,
    /// What a human said in it: [`answered`] lines of a question tool, an approval with words, the reason of a rejection.
    pub said: Option<Cow<'a, str>>,
}

/// An answer on one line behind its question, without which "yes" says nothing. A question that is not known is left out.
#[must_use]
pub fn answered(question: &str, answer: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words(question) {
        question if question.is_empty() => words(answer),
        question => format!("{question} → {}", words(answer)),
    }
}

/// How a call ended, by the runtime's own record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// It reports success.
    Success,
    /// It returned, and the record does not say whether what it ran succeeded: a script whose commands' exit codes are not shown, an
    /// output that an export left out.
    Returned,
    /// It reports success of the launch: the work goes on in the background under this handle.
    Started {
        /// The runtime's handle of the job.
        handle: Cow<'a, str>,
    },
    /// It ran and failed.
    Failed {
        /// The exit code, where it was a process.
        exit: Option<i32>,
    },
    /// The runtime did not start it: refused by validation or by a hook, unknown tool, denied by a setting.
    Refused,
    /// The human did not let it run.
    Declined,
    /// It ran out of time while it was running.
    TimedOut,
    /// The human stopped it while it was running.
    Interrupted,
    /// It was killed, or its connection was lost, while it may have been running.
    Lost,
    /// The runtime put a text in place of a result that it does not have ("aborted", "may retry").
    Synthetic,
}

/// The three ends that a call may come to (essay 004).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolutionStatus {
    /// It returned.
    Result,
    /// It failed, was refused or was declined.
    Error,
    /// Nobody will answer any more.
    Abandoned,
}
