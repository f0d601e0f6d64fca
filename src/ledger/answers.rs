//! Which tools' results a recording has. Some recorders leave them out: then a call without a result says nothing of what happened.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::ids::{CallIx, SpanIx};
use crate::ledger::rows::{CallRow, EndHow, EventKind};
use crate::ledger::snapshot::LaneSnapshot;

/// A tool of which no call was ever answered, and so many were passed over by a model that went on, has no results on record. Fewer
/// may have been lost one by one.
const PASSED_OVER: u32 = 3;

/// So many events behind a call are looked at for what the model went on with.
const LOOKED_AHEAD: usize = 64;

/// The tools of a lane, by whether any result of theirs is on record.
#[derive(Default)]
pub(super) struct Answers {
    answered: FxHashSet<Arc<str>>,
    passed_over: FxHashMap<Arc<str>, u32>,
}

impl Answers {
    /// A call has a result.
    pub(super) fn came(&mut self, rows: &LaneSnapshot, ix: CallIx) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        if !self.answered.contains(&call.tool) {
            self.answered.insert(Arc::clone(&call.tool));
        }
    }

    /// A call has none, and its turn is over: how it ended.
    pub(super) fn missed(&mut self, rows: &LaneSnapshot, ix: CallIx) -> EndHow {
        let Some(call) = rows.calls.get(ix.index()) else { return EndHow::AbandonedAtTurn };
        if self.answered.contains(&call.tool) || !went_on(rows, call) {
            return EndHow::AbandonedAtTurn;
        }
        let passed_over = self.passed_over.entry(Arc::clone(&call.tool)).or_default();
        *passed_over += 1;
        if *passed_over >= PASSED_OVER { EndHow::NotRecorded } else { EndHow::AbandonedAtTurn }
    }
}

/// Whether the model went on in the turn of a call: it is not asked again before the result is there. Calls alone may have been made
/// together.
fn went_on(rows: &LaneSnapshot, call: &CallRow) -> bool {
    let turn = |span: SpanIx| rows.spans.get(span.index()).map(|span| span.turn);
    let from = call.event.index() + 1;
    let later = rows.events.range(from..rows.events.len().min(from + LOOKED_AHEAD));
    let of_turn = later.take_while(|event| event.span.is_none_or(|span| turn(span) == turn(call.span)));
    of_turn.into_iter().any(|event| matches!(event.kind, EventKind::Assistant | EventKind::Reasoning))
}
