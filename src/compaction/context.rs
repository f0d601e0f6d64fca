//! The context of a lane at one moment, span by span, with what each takes.

use std::collections::BTreeMap;

use crate::base::ids::{EventIx, SpanIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::{SpanKind, SpanRow};
use crate::transcript::BoundaryKind;

/// What the model would be sent after one event.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) lane: &'a LaneSnapshot,
    /// The moment; none in a lane without events.
    pub(super) at: Option<EventIx>,
    /// Number of spans that had begun, in the context or not.
    pub(super) begun: usize,
    /// The spans of the context, in order.
    pub(super) parts: Vec<Part>,
    /// Tokens of it all: more than of its spans, since the system prompt and the tools' descriptions stand in none.
    pub(super) tokens: u64,
    /// Whether no usage record stands behind that number.
    pub(super) estimated: bool,
    /// Where in `parts` the spans begin that stand after the last boundary: from there on none is missing.
    whole_from: usize,
}

/// A span of the context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) span: SpanIx,
    pub(super) kind: SpanKind,
    /// Its first event.
    pub(super) first: EventIx,
    /// Estimated tokens, before calibration.
    pub(super) raw: u32,
    /// Tokens that it takes: `raw`, put right by what the requests were charged.
    pub(super) tokens: u32,
}

impl<'a> Context<'a> {
    /// The context of `lane` after event `at`, or at its end.
    pub(super) fn of(lane: &'a LaneSnapshot, at: Option<EventIx>) -> Self {
        let Some(at) = lane.end().map(|end| at.map_or(end, |at| at.min(end))) else {
            let parts = Vec::new();
            return Self { lane, at: None, begun: 0, parts, tokens: 0, estimated: true, whole_from: 0 };
        };
        let begun = lane.spans_at(at);
        let (mut parts, whole_from) = parts(lane, at, begun);
        let counted = lane.context_tokens_at(at);
        calibrate(&mut parts, lane.calibration_at(at), counted.tokens);
        Self { lane, at: Some(at), begun, parts, tokens: counted.tokens, estimated: counted.estimated, whole_from }
    }

    /// Where a span stands in `parts`, if it is in the context.
    pub(super) fn part_of(&self, span: SpanIx) -> Option<usize> {
        let whole = self.parts.get(self.whole_from).map(|first| first.span);
        if let Some(first) = whole.filter(|first| span >= *first) {
            let n = self.whole_from + (span.index() - first.index());
            return (n < self.parts.len()).then_some(n);
        }
        self.parts.get(..self.whole_from)?.binary_search_by_key(&span, |part| part.span).ok()
    }
}

/// Sets what each span takes, at most `all` together. In fixed point: this is done for every span of every publication.
fn calibrate(parts: &mut [Part], calibration: f64, all: u64) {
    const ONE: u64 = 1 << 16;
    let raw: u64 = parts.iter().map(|part| u64::from(part.raw)).sum();
    let factor = (calibration.min(all as f64 / raw.max(1) as f64) * ONE as f64) as u64;
    let mut left = all;
    for part in parts {
        let tokens = left.min((u64::from(part.raw) * factor + ONE / 2) / ONE);
        part.tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        left -= u64::from(part.tokens);
    }
}

/// The spans of the context, and where among them those begin that stand after the last boundary.
fn parts(lane: &LaneSnapshot, at: EventIx, begun: usize) -> (Vec<Part>, usize) {
    let boundary = lane.boundaries.iter().rev().find(|row| row.event <= at && row.kind != BoundaryKind::Masking);
    let (kept, from) = boundary.map_or((&[][..], 0), |row| (&*row.kept, row.spans_before.index()));
    let masked = masked(lane, at);
    let mut parts = Vec::with_capacity(kept.len() + begun.saturating_sub(from));
    let mut growing = BTreeMap::new();
    let mut push = |parts: &mut Vec<Part>, span: SpanIx, row: &SpanRow| {
        if row.last > at {
            growing.insert(span, (parts.len(), 0u32));
        }
        let gone = if row.masked.is_some() { masked.get(&span).copied().unwrap_or(0) } else { 0 };
        parts.push(Part { span, kind: row.kind, first: row.first, raw: row.tokens.saturating_sub(gone), tokens: 0 });
    };
    for span in kept.iter().filter(|span| span.index() < from) {
        if let Some(row) = lane.spans.get(span.index()).filter(|row| lane.in_context(row, at)) {
            push(&mut parts, *span, row);
        }
    }
    let whole_from = parts.len();
    lane.spans.range(from..begun).enumerate().for_each(|(n, row)| push(&mut parts, SpanIx::from_index(from + n), row));
    measure_growing(lane, at, &mut parts, growing, &masked);
    (parts, whole_from)
}

/// Puts right the spans that had not all their events yet: `growing` has their place in `parts`, and a sum to fill.
fn measure_growing(
    lane: &LaneSnapshot,
    at: EventIx,
    parts: &mut [Part],
    mut growing: BTreeMap<SpanIx, (usize, u32)>,
    masked: &BTreeMap<SpanIx, u32>,
) {
    let Some(first) = growing.values().filter_map(|(n, _)| parts.get(*n)).map(|part| part.first).min() else { return };
    for row in lane.events.range(first.index()..at.index() + 1) {
        if let Some((_, sum)) = row.span.and_then(|span| growing.get_mut(&span)) {
            *sum = sum.saturating_add(row.tokens);
        }
    }
    for (span, (n, sum)) in growing {
        if let Some(part) = parts.get_mut(n) {
            part.raw = sum.saturating_sub(masked.get(&span).copied().unwrap_or(0));
        }
    }
}

/// Estimated tokens of the results that maskings took out of each span.
fn masked(lane: &LaneSnapshot, at: EventIx) -> BTreeMap<SpanIx, u32> {
    let mut masked = BTreeMap::new();
    let maskings = lane.boundaries.iter().filter(|row| row.event <= at && row.kind == BoundaryKind::Masking);
    for call in maskings.flat_map(|row| row.masked.iter()).filter_map(|ix| lane.calls.get(ix.index())) {
        let result = call.end.and_then(|end| lane.events.get(end.event.index()));
        if let Some(row) = result.filter(|row| row.call.is_some()) {
            *masked.entry(row.span.unwrap_or(call.span)).or_insert(0u32) += row.tokens;
        }
    }
    masked
}
