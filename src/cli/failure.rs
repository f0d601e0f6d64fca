//! How a command ends: its exit code, or what went wrong and what to do next.

use std::fmt;
use std::io;

use crate::base::data::DataError;
use crate::base::text::clean;
use crate::compaction::Verdict;
use crate::session;

/// A command's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// It did what it was asked for.
    Done,
    /// It gave this verdict.
    Verdict(Verdict),
    /// Something was lost.
    Found,
    /// A summary was rejected.
    Rejected,
    /// It stops what an agent was about to do, as that agent's hooks say it.
    Blocked,
    /// It failed.
    Failed(Fault),
}

/// Whose fault a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nobody expected it.
    Unexpected,
    /// The command line, or the configuration.
    Usage,
    /// The input cannot be read, or is no transcript.
    Input,
}

impl Exit {
    /// The number that the shell sees.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Done | Self::Verdict(Verdict::Compact) => 0,
            Self::Verdict(Verdict::Repair) => 10,
            Self::Verdict(Verdict::Defer) => 11,
            Self::Verdict(Verdict::Refuse) => 12,
            Self::Verdict(Verdict::Escalate) => 13,
            Self::Verdict(Verdict::Around) => 14,
            Self::Found => 20,
            Self::Rejected => 21,
            Self::Failed(Fault::Unexpected) => 1,
            Self::Failed(Fault::Usage) | Self::Blocked => 2,
            Self::Failed(Fault::Input) => 3,
        }
    }
}

/// A failure, for people: what happened, and what to do next.
#[derive(Debug)]
pub(super) struct Failure {
    /// Whose fault it is.
    pub(super) fault: Fault,
    what: String,
    next: Option<String>,
}

impl Failure {
    pub(super) fn unexpected(what: impl fmt::Display) -> Self {
        Self { fault: Fault::Unexpected, what: what.to_string(), next: None }
    }

    pub(super) fn usage(what: impl fmt::Display) -> Self {
        Self { fault: Fault::Usage, what: what.to_string(), next: None }
    }

    pub(super) fn input(what: impl fmt::Display) -> Self {
        Self { fault: Fault::Input, what: what.to_string(), next: None }
    }

    /// The same, told with a code that stops no agent in its hook.
    pub(super) fn harmless(self) -> Self {
        Self { fault: Fault::Unexpected, ..self }
    }

    /// What went wrong, in a line.
    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// Adds what to do about it.
    pub(super) fn next(self, next: impl fmt::Display) -> Self {
        Self { next: Some(next.to_string()), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A path may hold whatever a terminal obeys.
        write!(f, "owed: {}", clean(&self.what))?;
        match &self.next {
            Some(next) => write!(f, "\n      {}", clean(next)),
            None => Ok(()),
        }
    }
}

impl From<session::Error> for Failure {
    fn from(error: session::Error) -> Self {
        let fault = match error {
            session::Error::Source(_) | session::Error::Unknown { .. } | session::Error::Other { .. } => Fault::Input,
            session::Error::NoSuchFormat { .. } => Fault::Usage,
            session::Error::Spool(_) | session::Error::Thread(_) => Fault::Unexpected,
        };
        let next = error.next();
        Self { fault, what: error.to_string(), next: Some(next) }
    }
}

impl From<io::Error> for Failure {
    /// Of writing: whoever reads names its file.
    fn from(error: io::Error) -> Self {
        Self::unexpected(format!("the output cannot be written: {error}"))
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::usage(error).next("`owed config --default` shows what a settings file may say")
    }
}
