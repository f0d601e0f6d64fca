//! `CARRIER`: the typed record that re-states an entry verbatim after a compaction (DESIGN section 7). `ledger::record` reads it back.

use serde::Serialize;

use crate::base::ids::EntryId;
use crate::compaction::carrier::Carrier;
use crate::report::entry::{DischargeReport, EdgeReport, EntryReport, Id};
use crate::report::subject::Subject;

/// One carrier.
#[derive(Clone, Debug, Serialize)]
pub struct CarrierReport {
    /// The entry that it holds.
    pub entry: Id,
    /// Its key.
    pub key: String,
    /// Its kind.
    pub kind: &'static str,
    /// Exact text or exact input; of a long one the beginning.
    pub text: String,
    /// `standing`, `one-shot` or `action`.
    pub scope: &'static str,
    /// `committed`, `not_started` or `unknown`.
    pub effect: Option<&'static str>,
    /// Identity of the action.
    pub action: Option<String>,
    /// What it acts on.
    pub target: Option<String>,
    /// A key that stands in the input.
    pub idempotency_key: Option<String>,
    /// Attempts so far.
    pub attempts: Option<u32>,
    /// Parts seen done.
    pub progress: Vec<String>,
    /// What must hold before it may be acted on.
    pub preconditions: Vec<String>,
    /// How it ends.
    pub discharge: DischargeReport,
    /// Relations to other entries.
    pub edges: Vec<EdgeReport>,
    /// Where it opened.
    pub place: PlaceReport,
    /// Where the rest of a long text stands.
    pub pointer: Option<PointerReport>,
    /// Estimated tokens of this record.
    pub tokens: u64,
}

/// Where an entry opened.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    /// 1-based line of the lane's file.
    pub line: u32,
    /// RFC 3339, UTC.
    pub at: Option<String>,
}

/// The bytes of a record in the lane's file.
#[derive(Clone, Debug, Serialize)]
pub struct PointerReport {
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub len: u32,
}

impl CarrierReport {
    /// The carrier of an entry of the subject's lane.
    #[must_use]
    pub fn of(subject: &Subject<'_>, id: EntryId) -> Option<Self> {
        let (entry, at) = (subject.entry(id)?, subject.judgement.at?);
        let carrier = Carrier::of(&entry, at);
        let EntryReport {
            id,
            kind,
            key,
            scope,
            effect,
            action,
            target,
            idempotency_key,
            attempts,
            preconditions,
            discharge,
            edges,
            ..
        } = EntryReport::of(subject, &entry, at);
        Some(Self {
            entry: id,
            key,
            kind,
            text: carrier.text.to_owned(),
            scope,
            effect,
            action,
            target,
            idempotency_key,
            attempts,
            progress: entry.progress_at(at).map(str::to_owned).collect(),
            preconditions,
            discharge,
            edges,
            place: PlaceReport { line: entry.opened.line, at: entry.opened.at.map(|at| at.to_string()) },
            pointer: carrier.pointer.map(|pointer| PointerReport { start: pointer.bytes.start, len: pointer.bytes.len }),
            tokens: carrier.tokens,
        })
    }
}
