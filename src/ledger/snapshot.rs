//! What everybody but the writer sees of a lane: rows that never change under their reader.
//!
//! **Invariant:** the state after event *n* is read off a snapshot, never recomputed: rows and entries carry the events at which
//! they changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::chunks::Chunks;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::ledger::anomaly::Anomaly;
use crate::ledger::entry::{Entry, Holder};
use crate::ledger::open_call::call_entry;
use crate::ledger::rows::{BoundaryRow, CallRow, EventKind, EventRow, SpanRow, TurnRow};
use crate::ledger::values::ValueRows;
use crate::transcript::BoundaryKind;

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
    /// All entries ever opened, by id; [`LaneSnapshot::entry`] reads one.
    pub entries: Chunks<Slot>,
    /// The entries that are live at the end.
    pub live: Arc<BTreeSet<EntryId>>,
    /// The calls that are open at the end, each with its exact input, however long.
    pub open_calls: Arc<BTreeMap<CallIx, Arc<str>>>,
    /// What its requests were charged.
    pub usage: Chunks<UsageRow>,
    /// Its exact values, and where they stood.
    pub values: ValueRows,
    /// What was odd in it.
    pub anomalies: Arc<Vec<Anomaly>>,
}

/// One entry as the table holds it.
#[derive(Clone, Debug)]
pub enum Slot {
    /// An entry of its own.
    Entry(Arc<Entry>),
    /// The obligation that a call opens. Nearly every call is answered at once: its entry is made from its row when somebody asks.
    Call(CallIx),
}

impl Slot {
    /// Its own entry, where it has one: a call's is made only when somebody asks.
    #[must_use]
    pub fn own(&self) -> Option<&Arc<Entry>> {
        match self {
            Self::Entry(entry) => Some(entry),
            Self::Call(_) => None,
        }
    }
}

/// What one request was charged, and what that says about the estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsageRow {
    /// The event that carried it.
    pub event: EventIx,
    /// The first event that is not part of the prompt that was charged: its step's first, or the event after a usage record.
    pub from: EventIx,
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
    pub fn entry(&self, id: EntryId) -> Option<Arc<Entry>> {
        match self.entries.get(id.index())? {
            Slot::Entry(entry) => Some(Arc::clone(entry)),
            Slot::Call(call) => Some(Arc::new(call_entry(self, id, *call)?)),
        }
    }

    /// The entries that are live after event `at`, by id.
    #[must_use]
    pub fn live_at(&self, at: EventIx) -> Vec<Arc<Entry>> {
        if self.end().is_none_or(|end| at >= end) {
            return self.live.iter().filter_map(|id| self.entry(*id)).collect();
        }
        let mut live = Vec::new();
        for (n, slot) in self.entries.iter().enumerate() {
            let id = EntryId::from_index(n);
            match slot {
                Slot::Entry(entry) if entry.is_live_at(at) => live.push(Arc::clone(entry)),
                Slot::Call(ix) => match self.calls.get(ix.index()) {
                    Some(call) if call.event <= at && call.end_at(at).is_none() => live.extend(self.entry(id)),
                    _ => {}
                },
                Slot::Entry(_) => {}
            }
        }
        live
    }

    /// All entries that were open at some time up to event `at`, by id.
    pub fn entries_until(&self, at: EventIx) -> impl Iterator<Item = Arc<Entry>> + '_ {
        let all = (0..self.entries.len()).filter_map(|n| self.entry(EntryId::from_index(n)));
        all.filter(move |entry| entry.known() <= at)
    }

    /// How many entries had been opened after event `at`: the first id that was not given yet.
    #[must_use]
    pub fn entries_at(&self, at: EventIx) -> EntryId {
        let opened = |slot: &Slot| match slot {
            Slot::Entry(entry) => Some(entry.opened.event),
            Slot::Call(ix) => self.calls.get(ix.index()).map(|call| call.event),
        };
        let later = self.entries.iter().rev().take_while(|slot| opened(slot).is_some_and(|event| event > at)).count();
        EntryId::from_index(self.entries.len() - later)
    }

    /// The places in the context where an entry stood after event `at`.
    pub fn holders_at<'a>(&'a self, entry: &'a Entry, at: EventIx) -> impl Iterator<Item = Holder> + 'a {
        entry.places_at(at).filter(move |holder| self.spans.get(holder.span.index()).is_some_and(|span| self.in_context(span, at)))
    }

    /// Number of spans that had begun after event `at`.
    #[must_use]
    pub fn spans_at(&self, at: EventIx) -> usize {
        partition(self.spans.len(), |n| self.spans.get(n).is_some_and(|s| s.first <= at))
    }

    /// The turn of event `at`.
    #[must_use]
    pub fn turn_at(&self, at: EventIx) -> TurnIx {
        let begun = partition(self.turns.len(), |n| self.turns.get(n).is_some_and(|turn| turn.first <= at));
        TurnIx::from_index(begun.saturating_sub(1))
    }

    /// The last boundary that replaced the context, at or before event `at`.
    #[must_use]
    pub fn boundary_at(&self, at: EventIx) -> Option<BoundaryIx> {
        let last = self
            .boundaries
            .iter()
            .rposition(|b| b.event <= at && matches!(b.kind, BoundaryKind::Summary | BoundaryKind::Dropped))?;
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
        for row in self.events.range(usage.from.index()..at.index() + 1) {
            let written = matches!(row.kind, EventKind::Assistant | EventKind::Reasoning | EventKind::Call);
            if usage.span.is_some() && row.span == usage.span && written {
                own += u64::from(row.tokens);
            } else {
                later += u64::from(row.tokens);
            }
        }
        let masked = self.masked_between(usage.event, at).map(|row| u64::from(row.tokens)).sum();
        ContextTokens { tokens: usage.input + usage.output.max(scale(own)) + scale(later.saturating_sub(masked)), estimated: false }
    }

    /// The results that maskings took out of the context after event `from`, up to event `at`.
    fn masked_between(&self, from: EventIx, at: EventIx) -> impl Iterator<Item = &EventRow> + '_ {
        let maskings = self.boundaries.iter().rev().skip_while(move |b| b.event > at).take_while(move |b| b.event > from);
        let calls = maskings.filter(|b| b.kind == BoundaryKind::Masking).flat_map(|b| b.masked.iter());
        let ends = calls.filter_map(|call| self.calls.get(call.index())?.end);
        ends.filter_map(|end| self.events.get(end.event.index())).filter(|row| row.kind == EventKind::Resolution)
    }

    /// Estimated tokens of a span's events up to `at`, before calibration.
    fn raw_tokens_at(&self, ix: SpanIx, at: EventIx) -> u32 {
        let Some(span) = self.spans.get(ix.index()) else { return 0 };
        let masked = match span.masked.and_then(|number| self.boundaries.get(number.index())) {
            Some(first) => self
                .masked_between(EventIx(first.event.0.saturating_sub(1)), at)
                .filter(|row| row.span == Some(ix))
                .map(|row| row.tokens)
                .sum(),
            None => 0,
        };
        let tokens: u32 = if span.last <= at {
            span.tokens
        } else {
            self.events.range(span.first.index()..at.index() + 1).filter(|row| row.span == Some(ix)).map(|row| row.tokens).sum()
        };
        tokens.saturating_sub(masked)
    }

    /// Estimated tokens of a span after event `at`, calibrated.
    #[must_use]
    pub fn span_tokens_at(&self, ix: SpanIx, at: EventIx) -> u64 {
        (f64::from(self.raw_tokens_at(ix, at)) * self.calibration_at(at)).round() as u64
    }
}

/// The number of leading elements of a table of `len` for which `holds` is true; it must be true for a prefix.
pub(super) fn partition(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let mid = low + (high - low) / 2;
        if holds(mid) { low = mid + 1 } else { high = mid }
    }
    low
}
