//! `owed.carrier/1`: the typed records that re-state entries verbatim after a compaction (DESIGN section 7). `ledger::record` reads
//! them back.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::base::ids::{EntryId, EventIx};
use crate::compaction::carrier::{Carrier, can_hold};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Edge, Entry, Pointer};
use crate::ledger::record::CARRIER;
use crate::report::entry::{DischargeReport, EntryReport, Id};
use crate::report::subject::{Breadth, Subject};

/// The carriers of a lane.
#[derive(Clone, Debug, Serialize)]
pub struct CarriersReport {
    /// `owed.carrier/1`.
    pub schema: &'static str,
    /// Entries that the context has lost first, then by order of opening; what was said in the same words once.
    pub carriers: Vec<CarrierReport>,
    /// The entries that no carrier can hold: they must stay where they stand.
    pub left_out: Vec<LeftOutReport>,
}

/// An entry that no carrier can hold: its end could not be told from what is retained plus the carrier.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOutReport {
    /// The entry.
    pub entry: Id,
    /// Its key.
    pub key: String,
    /// For display.
    pub line_text: String,
}

/// Which entries are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All live ones.
    Live,
    /// Those that the policy would sever.
    Severed,
}

/// One carrier.
#[derive(Clone, Debug, Serialize)]
pub struct CarrierReport {
    /// The entry that it holds.
    pub entry: Id,
    /// The lane's name.
    pub lane: String,
    /// Its key.
    pub key: String,
    /// Its kind.
    pub kind: &'static str,
    /// For display.
    #[serde(skip)]
    pub line_text: String,
    /// Further kinds.
    pub also: Vec<&'static str>,
    /// Exact text or exact input; of a long one what in it holds on or forbids, else the beginning; so of what was done.
    pub text: String,
    /// `standing`, `one-shot` or `action`.
    pub scope: &'static str,
    /// `repair` or `barrier`; null where it no longer counts.
    pub colour: Option<&'static str>,
    /// The runtime's id of the call that it is about.
    pub call: Option<String>,
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
    /// Relations to other entries, by key.
    pub edges: Vec<KeyedEdge>,
    /// Where it opened.
    pub place: PlaceReport,
    /// Where the whole of a long text stands.
    pub pointer: Option<PointerReport>,
    /// Estimated tokens of this record.
    pub tokens: u64,
}

/// A relation to another entry, by its key: its id would mean nothing to who reads the carrier back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyedEdge {
    /// `guards`, `before`, ...
    pub r#type: &'static str,
    /// The other entry's key; `call:ID` of a call.
    pub to: String,
}

/// Where an entry opened.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    /// 1-based line of the lane's file.
    pub line: u32,
    /// RFC 3339, UTC.
    pub at: Option<String>,
}

/// The bytes of a record in a transcript.
#[derive(Clone, Debug, Serialize)]
pub struct PointerReport {
    /// The file.
    pub file: Option<String>,
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub len: u32,
}

impl CarriersReport {
    /// The carriers of the subject's lane at its moment.
    #[must_use]
    pub fn of(subject: &Subject<'_>, wanted: Wanted) -> Self {
        let mut report = Self { schema: CARRIER, carriers: Vec::new(), left_out: Vec::new() };
        let Some(at) = subject.judgement.at else { return report };
        let mut said = BTreeSet::new();
        for entry in in_order(subject, wanted) {
            if !can_hold(&entry, at) {
                let (key, line_text) = (entry.key.clone(), entry.line_text.clone());
                report.left_out.push(LeftOutReport { entry: Id(entry.id), key, line_text });
            } else if !entry.kind.is_commitment() || said.insert((entry.key.clone(), Arc::clone(&entry.text))) {
                report.carriers.push(CarrierReport::at(subject, &entry, at));
            }
        }
        report
    }
}

/// The entries that are carried: the lost ones first, then by order of opening.
fn in_order(subject: &Subject<'_>, wanted: Wanted) -> Vec<Arc<Entry>> {
    let mut entries = subject.entries(Breadth::Live);
    if wanted == Wanted::Severed {
        let severed: BTreeSet<_> = subject.judgement.severed.iter().map(|severed| severed.entry).collect();
        entries.retain(|entry| severed.contains(&entry.id));
    }
    entries.sort_by_key(|entry| !subject.judgement.lost.contains(&entry.id));
    entries
}

impl CarrierReport {
    /// The carrier of an entry of the subject's lane, or of a binding of the cut.
    #[must_use]
    pub fn of(subject: &Subject<'_>, id: EntryId) -> Option<Self> {
        let (entry, at) = (subject.entry(id)?, subject.judgement.at?);
        Some(Self::at(subject, &entry, at))
    }

    fn at(subject: &Subject<'_>, entry: &Entry, at: EventIx) -> Self {
        let carrier = Carrier::of(entry, at);
        let told = EntryReport::of(subject.scene(), entry, at);
        Self {
            entry: told.id,
            lane: told.lane,
            key: told.key,
            kind: told.kind,
            line_text: told.line_text,
            also: told.also,
            scope: told.scope,
            colour: told.colour,
            call: call(subject.lane, entry),
            effect: told.effect,
            action: told.action,
            target: told.target,
            idempotency_key: told.idempotency_key,
            attempts: told.attempts,
            progress: entry.progress_at(at).map(str::to_owned).collect(),
            preconditions: told.preconditions,
            discharge: told.discharge,
            edges: entry.edges_at(at).filter_map(|edge| KeyedEdge::of(subject, edge)).collect(),
            place: PlaceReport { line: entry.opened.line, at: entry.opened.at.map(|at| at.to_string()) },
            pointer: carrier.pointer.map(|pointer| PointerReport::of(subject, pointer)),
            tokens: carrier.tokens,
            text: carrier.text.into_owned(),
        }
    }
}

/// The runtime's id of the call that an entry is about.
fn call(lane: &LaneSnapshot, entry: &Entry) -> Option<String> {
    let call = lane.calls.get(entry.action.as_ref()?.call?.index())?;
    Some(call.id.to_string())
}

impl KeyedEdge {
    fn of(subject: &Subject<'_>, edge: Edge) -> Option<Self> {
        Some(Self { r#type: edge.kind.word(), to: subject.entry(edge.to)?.key.clone() })
    }
}

impl PointerReport {
    fn of(subject: &Subject<'_>, pointer: Pointer) -> Self {
        let file = subject.lane.events.get(pointer.event.index()).map(|row| row.place.file);
        let file = file.and_then(|file| subject.snapshot.facts.files.get(file.index()));
        Self { file: file.map(|file| file.path.to_string_lossy().into_owned()), start: pointer.bytes.start, len: pointer.bytes.len }
    }
}
