//! Spans and turns: which events form one unit of eligibility (DESIGN section 1).
//!
//! A step is an assistant message, its calls and their resolutions; its events need not be contiguous. A human prompt opens a turn.

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{EventIx, SpanIx, TurnIx};
use crate::ledger::delta::{Change, Delta};
use crate::ledger::rows::{SpanKind, SpanRow, TurnEnd, TurnRow};
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::{Event, Mark, Payload, Place, Speaker};

/// Where the next event belongs.
#[derive(Default)]
pub(super) struct Spans {
    steps: FxHashMap<Hash64, SpanIx>,
    /// The newest span that an event of its own record, or of its own message, may still join.
    newest: Option<(SpanIx, Place)>,
}

/// What decides the span of an event.
pub(super) enum Home {
    /// The span of its call.
    Call(SpanIx),
    /// Its own payload.
    Payload,
}

impl Spans {
    /// The span of the event that will have number `next`; opened if need be. None for what carries no text.
    pub(super) fn place(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        event: &Event<'_>,
        next: EventIx,
        home: &Home,
    ) -> Option<SpanIx> {
        // What comes after a boundary is in the context, also where its message or its call is not any more.
        let still_here = |rows: &LaneSnapshot, span: SpanIx| rows.spans.get(span.index()).is_some_and(|row| row.left.is_none());
        if let Home::Call(span) = home
            && still_here(rows, *span)
        {
            return Some(*span);
        }
        let kind = match &event.payload {
            Payload::User { speaker: Speaker::Human | Speaker::Steering | Speaker::Parent, .. } => SpanKind::Prompt,
            Payload::User { speaker: Speaker::Injected, .. } | Payload::Job { .. } => SpanKind::Injected,
            Payload::Assistant { .. } | Payload::Reasoning { .. } | Payload::Call(_) => SpanKind::Step,
            Payload::User { speaker: Speaker::Rules, .. }
            | Payload::Resolution(_)
            | Payload::Boundary(_)
            | Payload::Summary { .. } => SpanKind::System,
            Payload::Unrecognised { text, .. } if !text.is_empty() => SpanKind::System,
            Payload::Unrecognised { .. } | Payload::Ran { .. } | Payload::Mark(_) => return None,
        };
        if kind == SpanKind::Step
            && let Some(step) = &event.step
        {
            let key = Hash64::of(step.as_bytes());
            if let Some(&span) = self.steps.get(&key)
                && still_here(rows, span)
            {
                return Some(span);
            }
            let span = self.open(rows, delta, kind, next, event.place);
            self.steps.insert(key, span);
            return Some(span);
        }
        if let Some((span, place)) = self.newest
            && still_here(rows, span)
            && joins(rows, span, kind, &event.payload, same_record(place, event.place))
        {
            return Some(span);
        }
        // What a human says in the middle of a turn belongs to it.
        if kind == SpanKind::Prompt && !matches!(event.payload, Payload::User { speaker: Speaker::Steering, .. }) {
            open_turn(rows, delta, next);
        }
        Some(self.open(rows, delta, kind, next, event.place))
    }

    fn open(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, kind: SpanKind, next: EventIx, place: Place) -> SpanIx {
        let ix = SpanIx::from_index(rows.spans.len());
        if rows.turns.is_empty() {
            rows.turns.push(TurnRow { first: next, span: ix, end: None });
        }
        let turn = TurnIx::from_index(rows.turns.len() - 1);
        rows.spans.push(SpanRow { kind, turn, first: next, last: next, events: 0, tokens: 0, left: None, masked: None });
        self.newest = Some((ix, place));
        delta.note(Change::SpanOpened(ix));
        ix
    }
}

/// Opens the turn of the prompt that is the next event, in the next span. Turn 0 is what stands before it: it is there even when
/// nothing does.
fn open_turn(rows: &mut LaneSnapshot, delta: &mut Delta, next: EventIx) {
    let row = TurnRow { first: next, span: SpanIx::from_index(rows.spans.len()), end: None };
    if rows.turns.is_empty() {
        rows.turns.push(row);
    }
    let turn = TurnIx::from_index(rows.turns.push(row));
    delta.note(Change::TurnOpened(turn));
}

/// Whether an event goes on with the newest span: parts of one record do, and so does a summary after its boundary.
fn joins(rows: &LaneSnapshot, span: SpanIx, kind: SpanKind, payload: &Payload<'_>, one_record: bool) -> bool {
    let Some(row) = rows.spans.get(span.index()) else { return false };
    let after_boundary = matches!(payload, Payload::Summary { .. })
        && rows.boundaries.last().is_some_and(|b| b.event == row.first && b.summary.is_none());
    let goes_on = kind == SpanKind::Step && row.kind == SpanKind::Step && row.last.index() + 1 == rows.events.len();
    row.kind == kind && (one_record || after_boundary || goes_on)
}

fn same_record(a: Place, b: Place) -> bool {
    (a.file, a.bytes) == (b.file, b.bytes)
}

/// Adds an event to its span.
pub(super) fn count(rows: &mut LaneSnapshot, span: SpanIx, event: EventIx, tokens: u32) {
    if let Some(row) = rows.spans.get_mut(span.index()) {
        row.last = row.last.max(event);
        row.events += 1;
        row.tokens = row.tokens.saturating_add(tokens);
    }
}

/// Ends the newest turn, if the mark says that it ended and it is still open.
pub(super) fn end_turn(rows: &mut LaneSnapshot, delta: &mut Delta, event: EventIx, mark: Mark) -> bool {
    let how = match mark {
        Mark::TurnEnded | Mark::SessionEnded => TurnEnd::Normal,
        Mark::Interrupted => TurnEnd::Interrupted,
        Mark::RequestFailed | Mark::RolledBack { .. } | Mark::Counted => return false,
    };
    let Some(newest) = rows.turns.len().checked_sub(1) else { return false };
    if let Some(turn) = rows.turns.get_mut(newest)
        && turn.end.is_none()
    {
        turn.end = Some((event, how));
        delta.note(Change::TurnEnded(TurnIx::from_index(newest)));
    }
    true
}
