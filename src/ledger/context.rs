//! The context: what the model would be sent now, and what a boundary does to it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::evidence::Haystack;
use crate::ledger::book;
use crate::ledger::calls::Calls;
use crate::ledger::delta::{Change, Delta};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Holder, HolderForm};
use crate::ledger::replays::Replays;
use crate::ledger::rows::{BoundaryRow, SpanKind};
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::transcript::{Boundary, BoundaryKind, Kept, Trigger};

/// What stands in the context, and what a boundary may name in it.
#[derive(Default)]
pub(super) struct Context {
    /// The spans of the context, by number.
    spans: Vec<SpanIx>,
    /// The newest prompt of each text.
    prompts: FxHashMap<Hash64, SpanIx>,
}

impl Context {
    /// Adds a new span.
    pub(super) fn enter(&mut self, span: SpanIx) {
        self.spans.push(span);
    }

    /// Remembers the text of a prompt, by which a boundary may name it as kept.
    pub(super) fn prompt(&mut self, span: SpanIx, text: &str) {
        self.prompts.insert(Hash64::of(text.trim().as_bytes()), span);
    }

    /// Folds a boundary that stands at event `ix`, in the system span `own`.
    pub(super) fn boundary(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        boundary: &Boundary<'_>,
        (ix, own): (EventIx, SpanIx),
        (calls, replays): (&Calls, &Replays),
    ) {
        let number = BoundaryIx::from_index(rows.boundaries.len());
        let before = rows.context_tokens_at(EventIx(ix.0.saturating_sub(1))).tokens;
        let mut row = BoundaryRow {
            event: ix,
            kind: boundary.kind,
            trigger: boundary.trigger,
            before: boundary.tokens_before.or(Some(before).filter(|tokens| *tokens > 0)),
            after: boundary.tokens_after,
            summary: None,
            opaque: false,
            kept: Arc::default(),
            spans_before: own,
            masked: Arc::default(),
        };
        if boundary.kind == BoundaryKind::Masking {
            // The record counts only what could be masked; the context is larger.
            let saved = boundary.tokens_before.zip(boundary.tokens_after).map(|(before, after)| before.saturating_sub(after));
            row.before = Some(before);
            row.after = saved.map(|saved| before.saturating_sub(saved));
            row.masked = mask(rows, boundary, number, calls).into();
        } else {
            let kept = self.kept(rows, &boundary.kept, replays);
            self.leave(rows, number, |span| span != own && !kept.contains(&span));
            row.kept = kept.into();
        }
        Arc::make_mut(&mut rows.boundaries).push(row);
        delta.note(Change::BoundaryFell(number));
        lose(rows, number, ix);
    }

    /// Takes the newest turns back: what they said goes, what they did stays (DESIGN section 2).
    /// Returns the first turn that is gone.
    pub(super) fn rewind(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, turns: u32, ix: EventIx) -> Option<TurnIx> {
        let number = BoundaryIx::from_index(rows.boundaries.len());
        let first_gone = TurnIx(u32::try_from(rows.turns.len()).unwrap_or(u32::MAX).saturating_sub(turns).max(1));
        let (first_span, first_event) = rows.turns.get(first_gone.index()).map(|turn| (turn.span, turn.first))?;
        self.leave(rows, number, |span| span >= first_span);
        Arc::make_mut(&mut rows.boundaries).push(BoundaryRow {
            event: ix,
            kind: BoundaryKind::Rewound,
            trigger: Trigger::Manual,
            before: None,
            after: None,
            summary: None,
            opaque: false,
            kept: self.spans.clone().into(),
            spans_before: SpanIx::from_index(rows.spans.len()),
            masked: Arc::default(),
        });
        delta.note(Change::BoundaryFell(number));
        let gone: Vec<_> =
            rows.live_entries().filter(|entry| is_word(entry) && entry.opened.turn >= first_gone).map(|entry| entry.id).collect();
        for id in gone {
            book::set_status(rows, delta, id, ix, EntryStatus::Abandoned);
        }
        for id in undone(rows, first_event) {
            book::set_status(rows, delta, id, ix, EntryStatus::Live);
        }
        Some(first_gone)
    }

    /// Marks the spans that leave by a boundary, and forgets them.
    fn leave(&mut self, rows: &mut LaneSnapshot, number: BoundaryIx, goes: impl Fn(SpanIx) -> bool) {
        self.spans.retain(|&ix| {
            if !goes(ix) {
                return true;
            }
            if let Some(span) = rows.spans.get_mut(ix.index()) {
                span.left = Some(number);
            }
            false
        });
    }

    /// The spans that a boundary keeps, by number.
    pub(super) fn kept(&self, rows: &LaneSnapshot, kept: &Kept<'_>, replays: &Replays) -> Vec<SpanIx> {
        let mut spans: Vec<SpanIx> = match kept {
            Kept::Nothing => Vec::new(),
            Kept::Records(ids) => ids.iter().filter_map(|id| rows.events.get(replays.first_event(id)?.index())?.span).collect(),
            Kept::Texts(texts) => {
                texts.iter().filter_map(|text| self.prompts.get(&Hash64::of(text.trim().as_bytes())).copied()).collect()
            }
            Kept::Prompts { tokens } => {
                let mut left = *tokens;
                let prompts = self.spans.iter().rev().filter(|span| rows.span_kind(**span) == Some(SpanKind::Prompt));
                // The first that does not fit is cut, and every older one is gone.
                prompts
                    .map_while(|span| {
                        left = left.checked_sub(u64::from(rows.spans.get(span.index())?.tokens))?;
                        Some(*span)
                    })
                    .collect()
            }
        };
        spans.sort_unstable();
        spans.dedup();
        spans.retain(|span| self.spans.binary_search(span).is_ok());
        spans
    }

    /// Folds the summary of the newest boundary: what it holds word by word is not lost.
    pub(super) fn summary(&mut self, rows: &mut LaneSnapshot, text: &str, opaque: bool, ix: EventIx, span: SpanIx) {
        let Some(number) = rows.boundaries.len().checked_sub(1).map(BoundaryIx::from_index) else { return };
        let newest = Arc::make_mut(&mut rows.boundaries).last_mut();
        let Some(row) = newest.filter(|b| b.summary.is_none() && b.kind == BoundaryKind::Summary) else { return };
        row.summary = Some(ix);
        row.opaque = opaque;
        let haystack = Haystack::new(text);
        let lost: Vec<_> =
            rows.live_entries().filter(|e| e.lost_at(ix) == Some(number)).map(|e| (e.id, form_in(e, &haystack))).collect();
        for (id, form) in lost {
            book::edit(rows, id, |entry| {
                if let Some(form) = form {
                    entry.holders.push(Holder { span, form, since: ix });
                }
                // What nobody can read may hold it: that is unobserved, not lost.
                if form.is_some() || opaque {
                    entry.lost.push((ix, None));
                }
            });
        }
    }
}

/// Whether an entry is about what was said, and not about what was done: a rewind takes it back.
fn is_word(entry: &Entry) -> bool {
    entry.kind.is_commitment() || matches!(entry.kind, EntryKind::Question | EntryKind::Task | EntryKind::Reference)
}

/// The entries that were closed by what is taken back: from event `first` on.
fn undone(rows: &LaneSnapshot, first: EventIx) -> Vec<EntryId> {
    let entries = rows.entries.iter().filter_map(Slot::own);
    let before = |entry: &Entry| first.0.checked_sub(1).and_then(|last| entry.status_at(EventIx(last)));
    let was_live = |entry: &Entry| before(entry).is_some_and(|then| then.is_live() && then != entry.status());
    entries.filter(|entry| is_word(entry) && entry.status() != EntryStatus::Live && was_live(entry)).map(|entry| entry.id).collect()
}

/// In what form an entry stands in a summary, if it does. An action whose outcome is open is held by no sentence.
fn form_in(entry: &Entry, summary: &Haystack) -> Option<HolderForm> {
    if is_word(entry) {
        return summary.holds(&entry.text).then_some(HolderForm::Verbatim);
    }
    let named = entry.identifiers.iter().any(|value| value.len() >= 4 && summary.names(value));
    (entry.kind == EntryKind::Done && named).then_some(HolderForm::Restated)
}

/// Notes the boundary at every live entry that nothing in the context holds any more.
fn lose(rows: &mut LaneSnapshot, number: BoundaryIx, ix: EventIx) {
    let held = |rows: &LaneSnapshot, span: SpanIx| rows.spans.get(span.index()).is_some_and(|row| row.left.is_none());
    let lost: Vec<_> = rows
        .live_entries()
        .filter(|entry| entry.lost_at(ix).is_none() && !entry.touches_at(ix).any(|span| held(rows, span)))
        .map(|entry| entry.id)
        .collect();
    for id in lost {
        book::edit(rows, id, |entry| entry.lost.push((ix, Some(number))));
    }
}

/// Marks the calls whose results were masked: those that have one, and had it still.
fn mask(rows: &mut LaneSnapshot, boundary: &Boundary<'_>, number: BoundaryIx, calls: &Calls) -> Vec<CallIx> {
    let named = boundary.masked.iter().filter_map(|id| calls.newest(id));
    let mut masked = Vec::new();
    for call in named {
        let Some(row) = rows.calls.get_mut(call.index()) else { continue };
        if row.end.is_none() || row.masked.is_some() {
            continue;
        }
        row.masked = Some(number);
        let span = row.span;
        masked.push(call);
        if let Some(span) = rows.spans.get_mut(span.index()) {
            span.masked.get_or_insert(number);
        }
    }
    masked
}

impl LaneSnapshot {
    /// The live entries that are entries of their own: all but those of open calls.
    pub(super) fn live_entries(&self) -> impl Iterator<Item = &Arc<Entry>> + '_ {
        self.live.iter().filter_map(|id| match self.entries.get(id.index()) {
            Some(Slot::Entry(entry)) => Some(entry),
            Some(Slot::Call(_)) | None => None,
        })
    }

    /// The kind of a span.
    pub(super) fn span_kind(&self, span: SpanIx) -> Option<SpanKind> {
        self.spans.get(span.index()).map(|row| row.kind)
    }
}
