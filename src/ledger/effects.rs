//! What a call may do to the world, what it is, and what it did (DESIGN section 2).
//!
//! Class, idempotency and target come from data, `assets/effects.toml`; a shell command is parsed with a real grammar first.

use std::sync::Arc;

use crate::base::data::{DataError, DataFile};
use crate::base::hash::Hash64;
use crate::transcript::{Agent, Call};

/// What a call may do to the world. Ordered by strength: in a compound command the strongest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}

/// Whether doing the whole action again, in the state that it left, does no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idempotency {
    /// The catalogue knows that it does no harm.
    Idempotent,
    /// The catalogue knows that it does harm.
    NotIdempotent,
    /// Nobody knows.
    Unknown,
}

/// What a call did to the world: copied from records, never inferred from prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectStatus {
    /// It happened.
    Committed,
    /// It did not begin.
    NotStarted,
    /// It may have happened, whole or in part. Never read as failed.
    Unknown,
}

impl EffectStatus {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::NotStarted => "not_started",
            Self::Unknown => "unknown",
        }
    }
}

/// What the catalogue says about one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it may do.
    pub class: Class,
    /// Whether it may be done again.
    pub idempotency: Idempotency,
    /// Whether the catalogue knows the tool or program; else the class is a guess.
    pub known: Known,
    /// Identity: tool or program and normalised input.
    pub action: Hash64,
    /// Tool or program, sub-command and script or target, without flags and values.
    pub intent: Arc<str>,
    /// What it acts on.
    pub target: Option<Arc<str>>,
    /// An idempotency key that stands in the input.
    pub key: Option<Arc<str>>,
    /// Whether a failure of it leaves the world as it was.
    pub atomicity: Atomicity,
    /// What observes whether it happened: `git status`, a read of its target.
    pub reconcile_with: Option<Arc<str>>,
    /// What a person would say that it does: the path edited, the command, the query.
    pub label: String,
    /// How the class was found, for `owed effects`.
    pub why: Vec<String>,
}

/// Whether the catalogue knows a tool or program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// A failure may leave a part of it done.
    Partial,
}

/// What tools and programs do, as data.
#[derive(Debug)]
pub struct Catalogue {}

impl Catalogue {
    /// The built-in catalogue with the user's overlay merged over it, by key.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let _ = overlay;
        Ok(Self {})
    }
}

/// Stand-in until the catalogue lands.
#[derive(Debug)]
pub struct Classifier {
    catalogue: Arc<Catalogue>,
}

impl Classifier {
    /// A classifier over a catalogue.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        Self { catalogue }
    }

    /// Stand-in.
    pub fn classify(&mut self, _agent: Agent, call: &Call<'_>) -> Action {
        let _ = &self.catalogue;
        let class = match call.tool.as_ref() {
            "Read" | "Grep" | "Glob" => Class::Read,
            "Write" | "Edit" => Class::Write,
            _ => Class::Execute,
        };
        Action {
            class,
            idempotency: Idempotency::Unknown,
            known: Known::Inferred,
            action: Hash64::of_parts([call.tool.as_bytes(), call.input.as_str().as_bytes()]),
            intent: Arc::from(call.tool.as_ref()),
            target: None,
            key: None,
            atomicity: Atomicity::Partial,
            reconcile_with: None,
            label: crate::base::text::prefix(call.input.as_str(), 80).to_owned(),
            why: Vec::new(),
        }
    }
}

impl Classifier {
    /// Stand-in.
    #[must_use]
    pub fn observes(&self, by: &super::rows::CallRow, of: &super::rows::CallRow) -> bool {
        by.class == Class::Read && by.target.is_some() && by.target == of.target
    }
}

/// Stand-in.
#[must_use]
pub fn effect_of(class: Class, _atomicity: Atomicity, how: super::rows::EndHow, _text: &str) -> Option<EffectStatus> {
    use super::rows::EndHow;
    class.has_effect().then_some(match how {
        EndHow::Success | EndHow::Started => EffectStatus::Committed,
        EndHow::Refused | EndHow::Declined => EffectStatus::NotStarted,
        _ => EffectStatus::Unknown,
    })
}
