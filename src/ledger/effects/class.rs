//! What a call may do: its class, whether it may be done again, whether a failure of it can be partial.

use serde::Deserialize;

/// What a call may do to the world. Ordered by strength: in a compound command the strongest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Plan, todo, agent-internal.
    Control,
    /// Looks, and changes nothing.
    Read,
    /// Build, test, lint: repeatable, nothing to reconcile.
    Check,
    /// Decided by a command that nobody knows.
    Execute,
    /// Idempotent by its target.
    Write,
    /// Not idempotent: append, insert, new id.
    Create,
    /// Leaves this machine.
    External,
}

impl Class {
    /// The word for it, as in `assets/effects.toml` and the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Read => "read",
            Self::Check => "check",
            Self::Execute => "execute",
            Self::Write => "write",
            Self::Create => "create",
            Self::External => "external",
        }
    }

    /// Whether a call of this class can change the world at all.
    #[must_use]
    pub fn has_effect(self) -> bool {
        matches!(self, Self::Execute | Self::Write | Self::Create | Self::External)
    }

    /// What is known about doing it again, where the catalogue says no more than the class.
    pub(super) fn usual_idempotency(self) -> Idempotency {
        match self {
            Self::Control | Self::Read | Self::Check | Self::Write => Idempotency::Idempotent,
            Self::Create => Idempotency::NotIdempotent,
            Self::Execute | Self::External => Idempotency::Unknown,
        }
    }
}

/// Whether doing the whole action again, in the state that it left, does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Idempotency {
    /// The catalogue knows that it does no harm.
    #[serde(rename = "safe")]
    Idempotent,
    /// Nobody knows.
    #[serde(rename = "unknown")]
    Unknown,
    /// The catalogue knows that it does harm.
    #[serde(rename = "harm")]
    NotIdempotent,
}

impl Idempotency {
    /// The words for it in an explanation.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Idempotent => "idempotent",
            Self::Unknown => "nobody knows whether it is idempotent",
            Self::NotIdempotent => "not idempotent",
        }
    }
}

/// Whether the catalogue knows a tool or program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Known {
    /// It is listed.
    Listed,
    /// It is not: the class is inferred.
    Inferred,
}

/// Whether a failed operation may have run in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomicity {
    /// A failure leaves the world as it was.
    Atomic,
    /// It acts on one thing: what it says of that when it fails is about all that it does.
    One,
    /// A failure may leave a part of it done.
    Partial,
    /// Several commands, each of which runs only if the one before it succeeded: a text that shows that an early one failed proves that
    /// the strongest did not begin.
    Chain,
    /// Several commands: a failure may be any one's of them, so its text proves nothing about the others.
    Several,
}
