//! A row of the catalogue of things, and what else its file says. `assets/transactions.toml` explains the fields.

use serde::Deserialize;

use crate::ledger::effects::data::Words;
use crate::ledger::proof::Marks;

/// A row of `[thing]`. The file explains the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super::super) struct ThingRow {
    pub(in super::super::super) kind: ThingKind,
    pub(in super::super::super) what: String,
    #[serde(default)]
    pub(in super::super::super) opens: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) closes: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) aborts: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) clears: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) acts: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) passes: Vec<String>,
    #[serde(default)]
    pub(in super::super::super) when: When,
    #[serde(default)]
    pub(in super::super::super) needs: Marks,
    #[serde(default)]
    pub(in super::super::super) shows: Marks,
    #[serde(default)]
    pub(in super::super::super) unless: Marks,
    #[serde(default)]
    pub(in super::super::super) closed: Marks,
    #[serde(default)]
    pub(super) handle: Words,
    #[serde(default)]
    pub(super) by: Words,
    pub(in super::super::super) told: Option<String>,
    pub(in super::super::super) names: Option<String>,
    pub(in super::super::super) undo: Option<String>,
}

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThingKind {
    /// Half done: it must be brought to an end.
    #[default]
    Transaction,
    /// Up, and to be undone.
    Resource,
    /// Something that runs.
    Process,
    /// Done, and listed only for what undoes it.
    Done,
    /// A commit or a push: work is no more unverified in that sense.
    #[serde(skip)]
    Milestone,
}

impl ThingKind {
    /// The word for it, as in `assets/transactions.toml`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Transaction => "transaction",
            Self::Resource => "resource",
            Self::Process => "process",
            Self::Done => "done",
            Self::Milestone => "milestone",
        }
    }
}

/// With which end of its opener a thing is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super::super) enum When {
    /// When it succeeded.
    #[default]
    Success,
    /// When it failed, half way.
    Failure,
    /// Either, by what its result says.
    Any,
}

/// Words of a human that settle what became of an action (`[said]`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in super::super::super) struct Statements {
    pub(in super::super::super) committed: Vec<String>,
    pub(in super::super::super) not_started: Vec<String>,
    pub(in super::super::super) looked: Vec<String>,
    pub(in super::super::super) doubtful: Vec<String>,
    pub(in super::super::super) open: Vec<String>,
}

/// Which written files count as unverified work (`[unverified]`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in super::super::super) struct UnverifiedFacts {
    pub(in super::super::super) scratch: Vec<String>,
    pub(in super::super::super) unchecked: Vec<String>,
    pub(in super::super::super) failed: Marks,
    pub(in super::super::super) hooked: Marks,
    pub(in super::super::super) harmless: Vec<String>,
    pub(super) commits: Vec<String>,
    pub(super) pushes: Vec<String>,
}
