//! What stands after a boundary, before the model first speaks: the summary, what was kept, and what the runtime put in.

use crate::audit::texts::Texts;
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::{BoundaryRow, EventKind, EventRow};

/// What stands after a boundary.
pub(super) struct Standing {
    /// The last event before the model first speaks.
    pub(super) until: EventIx,
    /// Its texts, the summary first.
    pub(super) pieces: Vec<Piece>,
}

/// One text that stands.
pub(super) struct Piece {
    /// The event that holds it.
    pub(super) event: EventIx,
    /// Its line.
    pub(super) line: u32,
    /// The words.
    pub(super) text: String,
}

impl Standing {
    /// Reads what stands after the boundary.
    pub(super) fn after(boundary: &BoundaryRow, lane: &LaneSnapshot, texts: &dyn Texts) -> Self {
        let later = || lane.events.range(boundary.event.index() + 1..lane.events.len()).enumerate();
        let silent = later().take_while(|(_, row)| !speaks(row)).count();
        let until = EventIx::from_index(boundary.event.index() + silent);
        let told = later().take(silent).filter(|(_, row)| is_told(row.kind));
        let mut events: Vec<EventIx> = told.map(|(n, _)| EventIx::from_index(boundary.event.index() + 1 + n)).collect();
        events.sort_by_key(|event| Some(*event) != boundary.summary);
        let pieces = events.into_iter().filter_map(|event| {
            let line = lane.events.get(event.index())?.place.line;
            Some(Piece { event, line, text: texts.text(event) })
        });
        Self { until, pieces: pieces.collect() }
    }
}

/// Whether the model speaks in an event.
fn speaks(row: &EventRow) -> bool {
    matches!(row.kind, EventKind::Assistant | EventKind::Reasoning | EventKind::Call | EventKind::Boundary)
}

/// Whether the model is told something by an event of the runtime's.
fn is_told(kind: EventKind) -> bool {
    matches!(kind, EventKind::Summary | EventKind::Injected | EventKind::Rules | EventKind::Job | EventKind::Unrecognised)
}
