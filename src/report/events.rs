//! `owed.event/1`: the normalised events, one object a line, lane by lane in the order of each lane's file.

use serde::Serialize;

use crate::base::ids::{CallIx, EventIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::rows::{BoundaryRow, CallRow, EndHow, EventKind};
use crate::report::subject::Spot;
use crate::session::Snapshot;

/// One event.
#[derive(Clone, Debug, Serialize)]
pub struct EventReport<'a> {
    /// `owed.event/1`.
    pub schema: &'static str,
    /// Its number in the lane, from 0.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
    /// Its record's bytes in that file: the first, and how many.
    pub bytes: (u64, u32),
    /// The lane's name.
    pub lane: &'a str,
    /// RFC 3339, UTC; null where the record states no time.
    pub at: Option<String>,
    /// `prompt`, `assistant`, `call`, `resolution`, `boundary`, ...
    pub kind: &'static str,
    /// The span; null for a mark.
    pub span: Option<u32>,
    /// The turn.
    pub turn: Option<u32>,
    /// One line for display, cut.
    pub label: &'a str,
    /// Estimated tokens in the context, before calibration.
    pub tokens: u32,
    /// The call that it makes, ends or proves.
    pub call: Option<CallReport<'a>>,
    /// How the call ended: of a resolution, and of whatever made a call abandoned.
    pub end: Option<EndReport>,
    /// The boundary that it is.
    pub boundary: Option<BoundaryReport>,
}

/// The call of an event.
#[derive(Clone, Debug, Serialize)]
pub struct CallReport<'a> {
    /// The runtime's id.
    pub id: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// What it may do: `read`, `write`, `external`, ...
    pub class: &'static str,
    /// What retries share.
    pub intent: &'a str,
    /// What it acts on.
    pub target: Option<&'a str>,
}

/// How a call ended.
#[derive(Clone, Debug, Serialize)]
pub struct EndReport {
    /// `success`, `failed`, `timed-out`, `abandoned`, ...
    pub outcome: &'static str,
    /// The exit code of a process that failed.
    pub exit: Option<i32>,
    /// `committed`, `not_started` or `unknown`; null where its class has no effect.
    pub effect: Option<&'static str>,
}

/// A boundary's own words.
#[derive(Clone, Debug, Serialize)]
pub struct BoundaryReport {
    /// `summary`, `dropped` or `masking`.
    pub kind: &'static str,
    /// `auto`, `manual` or `unknown`.
    pub trigger: &'static str,
    /// Tokens before.
    pub tokens_before: Option<u64>,
    /// Tokens after.
    pub tokens_after: Option<u64>,
}

impl<'a> EventReport<'a> {
    /// The twin of event `ix` of a lane of the session; none past the end.
    #[must_use]
    pub fn of(snapshot: &Snapshot, lane: &'a LaneSnapshot, ix: EventIx) -> Option<Self> {
        let row = lane.events.get(ix.index())?;
        let call = row.call.and_then(|CallIx(n)| lane.calls.get(n as usize));
        let turn = row.span.and_then(|span| lane.spans.get(span.index())).map(|span| span.turn.0);
        Some(Self {
            schema: "owed.event/1",
            event: ix.0,
            spot: Spot::of(snapshot, row.place),
            bytes: (row.place.bytes.start, row.place.bytes.len),
            lane: &lane.name,
            at: row.at.map(|at| at.to_string()),
            kind: row.kind.word(),
            span: row.span.map(|span| span.0),
            turn,
            label: lane.labels.get(ix.index()).map_or("", |label| label),
            tokens: row.tokens,
            call: call.map(CallReport::of),
            end: call.filter(|_| row.kind == EventKind::Resolution).and_then(|call| EndReport::of(call, ix)),
            boundary: boundary_at(lane, row.kind, ix),
        })
    }
}

impl<'a> CallReport<'a> {
    fn of(call: &'a CallRow) -> Self {
        Self { id: &call.id, tool: &call.tool, class: call.class.word(), intent: &call.intent, target: call.target.as_deref() }
    }
}

impl EndReport {
    /// How `call` ended at event `ix`; none for a resolution that does not count, as a second one.
    fn of(call: &CallRow, ix: EventIx) -> Option<Self> {
        let end = call.end.filter(|end| end.event == ix)?;
        let exit = match end.how {
            EndHow::Failed(exit) => exit,
            _ => None,
        };
        Some(Self { outcome: end.how.word(), exit, effect: end.effect.map(EffectStatus::word) })
    }
}

fn boundary_at(lane: &LaneSnapshot, kind: EventKind, ix: EventIx) -> Option<BoundaryReport> {
    if !matches!(kind, EventKind::Boundary | EventKind::Masking) {
        return None;
    }
    let nth = lane.boundaries.binary_search_by_key(&ix, |boundary| boundary.event).ok()?;
    let BoundaryRow { kind, trigger, before, after, .. } = lane.boundaries.get(nth)?;
    Some(BoundaryReport { kind: kind.word(), trigger: trigger.word(), tokens_before: *before, tokens_after: *after })
}
