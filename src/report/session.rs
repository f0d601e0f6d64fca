//! What a report says of its session: where it lies, who wrote it, and what in it was odd.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::report::subject::{Spot, file_beside_main};
use crate::session::Snapshot;

/// A session in a report.
#[derive(Clone, Debug, Serialize)]
pub struct SessionReport<'a> {
    /// The main file; `-` for standard input.
    pub path: Cow<'a, str>,
    /// The format's id.
    pub format: &'static str,
    /// The agent's version.
    pub agent_version: Option<&'a str>,
    /// The model that answers in the main lane.
    pub model: Option<&'a str>,
    /// The session's own id.
    pub id: Option<&'a str>,
    /// A title, where the transcript gives one.
    pub title: Option<&'a str>,
    /// The working directory.
    pub directory: Option<&'a str>,
    /// The git branch.
    pub branch: Option<&'a str>,
    /// Bytes read of all files.
    pub bytes: u64,
    /// Events of all lanes.
    pub events: usize,
    /// The lanes, the main one first.
    pub lanes: Vec<LaneReport<'a>>,
    /// Boundaries of all lanes.
    pub boundaries: usize,
    /// The side ledgers that are there.
    pub side_ledgers: Vec<SideLedgerReport<'a>>,
    /// Records of types that nobody knows, counted by type.
    pub unrecognised: &'a BTreeMap<String, u64>,
    /// What was odd: lane by lane, then what was odd in the bytes, then what was wrong in the side ledgers.
    pub anomalies: Vec<AnomalyReport<'a>>,
}

/// A lane of a session.
#[derive(Clone, Debug, Serialize)]
pub struct LaneReport<'a> {
    /// `main`, or the sub-agent's id.
    pub id: &'a str,
    /// Its events.
    pub events: usize,
    /// The lane that launched it.
    pub parent: Option<&'a str>,
    /// The model that answers in it.
    pub model: Option<&'a str>,
    /// Its file; only where it is not the session's main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// A file in which the session's runtime writes down what it owes.
#[derive(Clone, Debug, Serialize)]
pub struct SideLedgerReport<'a> {
    /// Where it lies.
    pub path: Cow<'a, str>,
    /// Its records that could be read.
    pub records: u64,
}

/// Something odd.
#[derive(Clone, Debug, Serialize)]
pub struct AnomalyReport<'a> {
    /// `orphan`, `dangling`, `garbage`, ...
    pub kind: String,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
    /// The call that it is about, by the runtime's id.
    pub call: Option<&'a str>,
    /// The lane; null for what was odd in the bytes.
    pub lane: Option<&'a str>,
    /// Of a mistake in a side ledger: the field at fault, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'a str>,
    /// Of a mistake in a side ledger: what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
}

impl<'a> SessionReport<'a> {
    /// The twin of a session's facts.
    #[must_use]
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let facts = &snapshot.facts;
        let lanes = || snapshot.lanes.iter().map(|lane| &**lane);
        let anomalies = lanes().flat_map(|lane| {
            lane.anomalies.iter().filter(|anomaly| anomaly.until.is_none()).map(|anomaly| AnomalyReport {
                kind: anomaly.kind.to_string(),
                spot: spot(snapshot, lane, anomaly.event),
                call: anomaly.call.as_deref(),
                lane: Some(&*lane.name),
                field: None,
                text: None,
            })
        });
        let diagnostics = facts.diagnostics.iter().map(|diagnostic| AnomalyReport {
            kind: diagnostic.kind.to_string(),
            spot: Spot { line: Some(diagnostic.line), file: None },
            call: None,
            lane: None,
            field: None,
            text: None,
        });
        let mistakes = facts.mistakes.iter().map(|mistake| AnomalyReport {
            kind: "side-ledger".to_owned(),
            spot: Spot { line: mistake.line.and_then(|line| u32::try_from(line).ok()), file: Some(mistake.file.clone()) },
            call: None,
            lane: None,
            field: mistake.field.as_deref(),
            text: Some(&mistake.message),
        });
        Self {
            path: facts.path.to_string_lossy(),
            format: facts.agent.0,
            agent_version: facts.version.as_deref(),
            model: lanes().next().and_then(|lane| lane.model.as_deref()),
            id: facts.id.as_deref(),
            title: facts.title.as_deref(),
            directory: facts.directory.as_deref(),
            branch: facts.branch.as_deref(),
            bytes: facts.bytes,
            events: lanes().map(|lane| lane.events.len()).sum(),
            lanes: lanes()
                .map(|lane| LaneReport {
                    id: &lane.name,
                    events: lane.events.len(),
                    parent: lane.parent.as_deref(),
                    model: lane.model.as_deref(),
                    file: lane.events.get(0).and_then(|row| file_beside_main(snapshot, row.place.file)),
                })
                .collect(),
            boundaries: lanes().map(|lane| lane.boundaries.len()).sum(),
            side_ledgers: (facts.side.iter())
                .map(|ledger| SideLedgerReport { path: ledger.path.to_string_lossy(), records: ledger.records })
                .collect(),
            unrecognised: &facts.unrecognised,
            anomalies: anomalies.chain(diagnostics).chain(mistakes).collect(),
        }
    }
}

fn spot(snapshot: &Snapshot, lane: &LaneSnapshot, event: EventIx) -> Spot {
    lane.events.get(event.index()).map(|row| Spot::of(snapshot, row.place)).unwrap_or_default()
}
