//! What everybody but the writer sees of a lane: rows that never change under their reader.
//!
//! **Invariant:** the state after event *n* is read off a snapshot, never recomputed: rows and entries carry the events at which
//! they changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::chunks::Chunks;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx};
use crate::ledger::anomaly::Anomaly;
use crate::ledger::entry::Entry;
use crate::ledger::rows::{BoundaryRow, CallEnd, CallRow, EventKind, EventRow, SpanRow, TurnRow};

/// One lane's ledger, frozen. Cloning costs microseconds.
#[derive(Clone, Debug, Default)]
pub struct LaneSnapshot {
    /// Its name: `main`, or the sub-agent's id.
    pub name: Arc<str>,
    /// The lane that launched it.
    pub parent: Option<Arc<str>>,
    /// The model that answers in it.
    pub model: Option<Arc<str>>,
    /// Its events, in the order of its file.
    pub events: Chunks<EventRow>,
    /// One display line an event: cleaned, at most [`crate::ledger::label::LABEL_BYTES`] bytes.
    pub labels: Chunks<Arc<str>>,
    /// Its spans, by first event.
    pub spans: Chunks<SpanRow>,
    /// Its turns.
    pub turns: Chunks<TurnRow>,
    /// Its calls, by event.
    pub calls: Chunks<CallRow>,
    /// Its boundaries.
    pub boundaries: Arc<Vec<BoundaryRow>>,
    /// All entries ever opened, by id.
    pub entries: Chunks<Arc<Entry>>,
    /// The entries that are live at the end.
    pub live: Arc<BTreeSet<EntryId>>,
    /// The calls that are open at the end.
    pub open_calls: Arc<BTreeSet<CallIx>>,
    /// What its requests were charged.
    pub usage: Chunks<UsageRow>,
    /// What was odd in it.
    pub anomalies: Arc<Vec<Anomaly>>,
}

/// What one request was charged, and what that says about the estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsageRow {
    /// The event that carried it: the first of its step, or a usage record of its own.
    pub event: EventIx,
    /// The step that it was charged for.
    pub span: Option<SpanIx>,
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens written; may be a placeholder.
    pub output: u64,
    /// The window, where the record says it.
    pub window: Option<u64>,
    /// Charged tokens for an estimated one, from all requests up to this one.
    pub calibration: f64,
}

/// Tokens of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextTokens {
    /// How many.
    pub tokens: u64,
    /// Whether no usage record stands behind the number.
    pub estimated: bool,
}

impl LaneSnapshot {
    /// The newest event, if there is one.
    #[must_use]
    pub fn end(&self) -> Option<EventIx> {
        self.events.len().checked_sub(1).map(EventIx::from_index)
    }

    /// The entry of this id.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        self.entries.get(id.index())
    }

    /// The entries that are live after event `at`, by id.
    pub fn live_at(&self, at: EventIx) -> Vec<&Arc<Entry>> {
        if self.end().is_none_or(|end| at >= end) {
            return self.live.iter().filter_map(|id| self.entry(*id)).collect();
        }
        self.entries.iter().take_while(|e| e.opened.event <= at).filter(|e| e.is_live_at(at)).collect()
    }

    /// How a call had ended after event `at`; none while it is open.
    #[must_use]
    pub fn end_at(call: &CallRow, at: EventIx) -> Option<CallEnd> {
        call.end.filter(|end| end.event <= at)
    }

    /// Number of spans that had begun after event `at`.
    #[must_use]
    pub fn spans_at(&self, at: EventIx) -> usize {
        partition(self.spans.len(), |n| self.spans.get(n).is_some_and(|s| s.first <= at))
    }

    /// The last boundary that replaced the context, at or before event `at`.
    #[must_use]
    pub fn boundary_at(&self, at: EventIx) -> Option<BoundaryIx> {
        let last = self.boundaries.iter().rposition(|b| b.event <= at && b.kind != crate::transcript::BoundaryKind::Masking)?;
        Some(BoundaryIx::from_index(last))
    }

    /// Whether a span is in the context after event `at`.
    #[must_use]
    pub fn in_context(&self, span: &SpanRow, at: EventIx) -> bool {
        if span.first > at {
            return false;
        }
        match span.left.and_then(|b| self.boundaries.get(b.index())) {
            Some(boundary) => boundary.event > at,
            None => true,
        }
    }

    /// The newest usage row at or before event `at` that no boundary has made stale.
    #[must_use]
    pub fn usage_at(&self, at: EventIx) -> Option<&UsageRow> {
        let n = partition(self.usage.len(), |n| self.usage.get(n).is_some_and(|u| u.event <= at));
        let row = self.usage.get(n.checked_sub(1)?)?;
        let stale = self.boundary_at(at).and_then(|b| self.boundaries.get(b.index())).is_some_and(|b| b.event >= row.event);
        (!stale).then_some(row)
    }

    /// Charged tokens for an estimated one, as known after event `at`; 1 before the first usage record.
    #[must_use]
    pub fn calibration_at(&self, at: EventIx) -> f64 {
        let n = partition(self.usage.len(), |n| self.usage.get(n).is_some_and(|u| u.event <= at));
        n.checked_sub(1).and_then(|n| self.usage.get(n)).map_or(1.0, |u| u.calibration)
    }

    /// Tokens of the context after event `at`: of the newest usage record and of what came after it, else an estimate of all that
    /// is in the context.
    #[must_use]
    pub fn context_tokens_at(&self, at: EventIx) -> ContextTokens {
        let calibration = self.calibration_at(at);
        let scale = |tokens: u64| (tokens as f64 * calibration).round() as u64;
        let Some(usage) = self.usage_at(at) else {
            let n = self.spans_at(at);
            let in_context = self.spans.range(0..n).enumerate().filter(|(_, span)| self.in_context(span, at));
            let sum = in_context.map(|(n, _)| u64::from(self.raw_tokens_at(SpanIx::from_index(n), at))).sum();
            return ContextTokens { tokens: scale(sum), estimated: true };
        };
        let (mut own, mut later) = (0u64, 0u64);
        for (n, row) in self.events.range(usage.event.index()..at.index() + 1).enumerate() {
            let written = matches!(row.kind, EventKind::Assistant | EventKind::Reasoning | EventKind::Call);
            if usage.span.is_some() && row.span == usage.span && written {
                own += u64::from(row.tokens);
            } else if n > 0 {
                later += u64::from(row.tokens);
            }
        }
        ContextTokens { tokens: usage.input + usage.output.max(scale(own)) + scale(later), estimated: false }
    }

    /// Estimated tokens of a span's events up to `at`, before calibration.
    fn raw_tokens_at(&self, ix: SpanIx, at: EventIx) -> u32 {
        let Some(span) = self.spans.get(ix.index()) else { return 0 };
        if span.last <= at {
            return span.tokens;
        }
        self.events.range(span.first.index()..at.index() + 1).filter(|row| row.span == Some(ix)).map(|row| row.tokens).sum()
    }

    /// Estimated tokens of a span after event `at`, calibrated.
    #[must_use]
    pub fn span_tokens_at(&self, ix: SpanIx, at: EventIx) -> u64 {
        (f64::from(self.raw_tokens_at(ix, at)) * self.calibration_at(at)).round() as u64
    }
}

/// The number of leading elements of a table of `len` for which `holds` is true; it must be true for a prefix.
fn partition(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let mid = low + (high - low) / 2;
        if holds(mid) { low = mid + 1 } else { high = mid }
    }
    low
}
