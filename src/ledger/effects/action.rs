//! What the catalogue says about one call.

use std::sync::Arc;

use super::class::{Atomicity, Class, Idempotency, Known};
use super::deeds::Aftermath;
use crate::base::hash::Hash64;

/// What the catalogue says about one call. Of a compound command everything but `idempotency`, `known` and `sees` is said of its
/// strongest part.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it may do.
    pub class: Class,
    /// Whether it may be done again, as a whole.
    pub idempotency: Idempotency,
    /// Whether the catalogue knows the tool or program; else the class is a guess.
    pub known: Known,
    /// Identity: tool or program and normalised input.
    pub action: Hash64,
    /// Tool or program, sub-command and script or target, without flags and values.
    pub intent: Arc<str>,
    /// What it acts on.
    pub target: Option<Arc<str>>,
    /// The part of the world that it acts on, as `assets/effects.toml` names it: `file`, `git`, `sql`.
    pub world: Option<Arc<str>>,
    /// An idempotency key that stands in the input.
    pub key: Option<Arc<str>>,
    /// Whether a failure of it leaves the world as it was.
    pub atomicity: Atomicity,
    /// What observes whether it happened: `git status`, a read of its target.
    pub reconcile_with: Option<Arc<str>>,
    /// What it lets its reader see.
    pub sees: Arc<[Sight]>,
    /// What it leaves behind.
    pub aftermath: Arc<Aftermath>,
    /// What a person would say that it does: the path edited, the command, the query. Cleaned, at most 160 bytes.
    pub label: String,
    /// How the class was found, for `owed effects`; empty where nobody asked.
    pub why: Vec<String>,
}

/// Something that a read or a check lets its reader see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The part of the world.
    pub world: Arc<str>,
    /// What of it; none: all of it.
    pub target: Option<Arc<str>>,
}
