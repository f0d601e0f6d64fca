//! A lane as it was: the rows of the newest snapshot, without what later events have added to them or changed in them.
//!
//! **Law:** the lane as of event *n* is the lane that the first *n* + 1 events fold to. What a lane is told outside its events (its
//! name, its parent, its model) stays as it is now; of a call's input longer than [`crate::ledger::rows::INPUT_BYTES`] the beginning.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx};
use crate::ledger::entry::{ActionFacts, EdgeKind, Entry, EntryKind};
use crate::ledger::rows::{BoundaryRow, SpanRow};
use crate::ledger::snapshot::{LaneSnapshot, Slot, partition};

impl LaneSnapshot {
    /// The lane as it was after event `at`. Shares with this one what has not changed since, and costs a look at every entry.
    #[must_use]
    pub fn as_of(&self, at: EventIx) -> Self {
        if self.end().is_none_or(|end| at >= end) {
            return self.clone();
        }
        let boundaries: Vec<BoundaryRow> =
            self.boundaries.iter().take_while(|row| row.event <= at).map(|row| boundary(row, at)).collect();
        let mut then = Self {
            events: self.events.first(at.index() + 1),
            labels: self.labels.first(at.index() + 1),
            spans: self.spans.first(self.spans_at(at)),
            turns: self.turns.first(partition(self.turns.len(), |n| self.turns.get(n).is_some_and(|turn| turn.first <= at))),
            calls: self.calls.first(partition(self.calls.len(), |n| self.calls.get(n).is_some_and(|call| call.event <= at))),
            entries: self.entries.first(partition(self.entries.len(), |n| self.known(n).is_some_and(|known| known <= at))),
            usage: self.usage.first(partition(self.usage.len(), |n| self.usage.get(n).is_some_and(|row| row.event <= at))),
            anomalies: Arc::new(self.anomalies.iter().filter(|anomaly| anomaly.event <= at).cloned().collect()),
            boundaries: Arc::new(boundaries),
            values: self.values.as_of(at),
            ..self.clone()
        };
        then.forget_ends(at);
        then.forget_spans(at);
        then.forget_changes(at);
        then.forget_closings(at);
        then
    }

    /// The last event before `from` at which an entry opened, changed its status, was lost or came back. Calls are told by their
    /// own rows and do not count.
    #[must_use]
    pub fn change_before(&self, from: EventIx) -> Option<EventIx> {
        self.changes().filter(|event| *event < from).max()
    }

    /// The first event after `from` at which an entry opened, changed its status, was lost or came back; none of a call.
    #[must_use]
    pub fn change_after(&self, from: EventIx) -> Option<EventIx> {
        self.changes().filter(|event| *event > from).min()
    }

    fn changes(&self) -> impl Iterator<Item = EventIx> + '_ {
        let own = self.entries.iter().filter_map(Slot::own);
        own.flat_map(|entry| entry.history.iter().map(|(event, _)| *event).chain(entry.lost.iter().map(|(event, _)| *event)))
    }

    /// The event by which the entry in slot `n` is known.
    fn known(&self, n: usize) -> Option<EventIx> {
        match self.entries.get(n)? {
            Slot::Entry(entry) => Some(entry.known()),
            Slot::Call(ix) => self.calls.get(ix.index()).map(|call| call.event),
        }
    }

    /// Turns and anomalies: how they ended is not known yet.
    fn forget_ends(&mut self, at: EventIx) {
        for n in 0..self.turns.len() {
            if self.turns.get(n).is_some_and(|turn| turn.end.is_some_and(|(event, _)| event > at))
                && let Some(turn) = self.turns.get_mut(n)
            {
                turn.end = None;
            }
        }
        for anomaly in Arc::make_mut(&mut self.anomalies) {
            anomaly.until = anomaly.until.filter(|until| *until <= at);
        }
    }

    /// Spans: what came to them later, and by which boundaries they left.
    fn forget_spans(&mut self, at: EventIx) {
        let later = |boundary: Option<BoundaryIx>, known: usize| boundary.is_some_and(|ix| ix.index() >= known);
        let known = self.boundaries.len();
        for n in 0..self.spans.len() {
            let Some(row) = self.spans.get(n) else { continue };
            if row.last <= at && !later(row.left, known) && !later(row.masked, known) {
                continue;
            }
            let then = self.span_then(SpanIx::from_index(n), row, at);
            if let Some(row) = self.spans.get_mut(n) {
                *row = SpanRow {
                    left: then.left.filter(|ix| ix.index() < known),
                    masked: then.masked.filter(|ix| ix.index() < known),
                    ..then
                };
            }
        }
    }

    /// A span with the events alone that it had.
    fn span_then(&self, ix: SpanIx, row: &SpanRow, at: EventIx) -> SpanRow {
        if row.last <= at {
            return row.clone();
        }
        let mut then = SpanRow { last: row.first, events: 0, tokens: 0, ..row.clone() };
        for (n, event) in self.events.range(row.first.index()..at.index() + 1).enumerate().filter(|(_, row)| row.span == Some(ix)) {
            then.last = EventIx::from_index(row.first.index() + n);
            then.events += 1;
            then.tokens = then.tokens.saturating_add(event.tokens);
        }
        then
    }

    /// Entries: what of them was known.
    fn forget_changes(&mut self, at: EventIx) {
        for n in 0..self.entries.len() {
            let Some(Slot::Entry(entry)) = self.entries.get(n) else { continue };
            if !is_newer(entry, at) {
                continue;
            }
            let then = Arc::new(self.entry_then(entry, at));
            if let Some(slot) = self.entries.get_mut(n) {
                *slot = Slot::Entry(then);
            }
        }
    }

    fn entry_then(&self, entry: &Entry, at: EventIx) -> Entry {
        let mut then = entry.clone();
        then.history.retain(|(event, _)| *event <= at);
        then.weight.retain(|(event, _)| *event <= at);
        then.lost.retain(|(event, _)| *event <= at);
        then.progress.retain(|(event, _)| *event <= at);
        then.named.retain(|(event, _)| *event <= at);
        then.evidence.retain(|event| *event <= at);
        then.edges.retain(|edge| edge.since <= at);
        then.holders.retain(|holder| holder.since <= at);
        then.vouched = then.vouched.filter(|vouched| vouched.since <= at);
        then.settled = then.settled.filter(|settled| settled.by <= at);
        let retried = then.edges.iter().filter(|edge| edge.kind == EdgeKind::Retries).map(|edge| edge.to).collect();
        let known = Known { entry, retried, evidence: then.evidence.len(), changes: then.history.len() };
        if let Some(facts) = &mut then.action {
            self.attempts_then(facts, &known);
        }
        then
    }

    /// How often an action had been tried, and which call was the newest attempt. Each attempt but an effect's first has an edge;
    /// each success of what is done has an evidence that no change of its status brought.
    fn attempts_then(&self, facts: &mut ActionFacts, then: &Known<'_>) {
        // A record states them, once.
        if then.entry.is_recorded() {
            return;
        }
        let attempts = match then.entry.kind {
            EntryKind::Effect => 1 + then.retried.len(),
            EntryKind::Retry => then.retried.len(),
            EntryKind::Done => (then.evidence + 1).saturating_sub(then.changes),
            _ => return,
        };
        let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
        if attempts == facts.attempts {
            return;
        }
        facts.attempts = attempts;
        let newest = match then.retried.last().and_then(|id| self.entries.get(id.index())) {
            Some(Slot::Call(ix)) => Some(*ix),
            _ if then.entry.kind == EntryKind::Effect => facts.first,
            _ => None,
        };
        facts.call = newest.or(facts.call);
    }

    /// Calls: how they ended is not known yet. What was open then is live then.
    fn forget_closings(&mut self, at: EventIx) {
        let known = self.boundaries.len();
        for n in 0..self.calls.len() {
            let Some(call) = self.calls.get(n) else { continue };
            let later = |event: Option<EventIx>| event.is_some_and(|event| event > at);
            let is_newer = later(call.end.map(|end| end.event))
                || later(call.given_up.map(|end| end.event))
                || later(call.ran)
                || later(call.declared)
                || later(call.edges.last().map(|edge| edge.since))
                || call.masked.is_some_and(|ix| ix.index() >= known);
            if !is_newer {
                continue;
            }
            let Some(call) = self.calls.get_mut(n) else { continue };
            call.end = call.end.filter(|end| end.event <= at);
            call.given_up = call.given_up.filter(|end| end.event <= at);
            call.ran = call.ran.filter(|ran| *ran <= at);
            if later(call.declared) {
                (call.declared, call.key) = (None, None);
            }
            call.masked = call.masked.filter(|ix| ix.index() < known);
            call.edges.retain(|edge| edge.since <= at);
        }
        let (mut live, mut open) = (BTreeSet::new(), BTreeMap::<CallIx, Arc<str>>::new());
        for (n, slot) in self.entries.iter().enumerate() {
            let is_live = match slot {
                Slot::Entry(entry) => entry.status().is_live(),
                Slot::Call(ix) => match self.calls.get(ix.index()) {
                    Some(call) if call.ended().is_none() => {
                        open.insert(*ix, Arc::clone(&call.input));
                        true
                    }
                    _ => false,
                },
            };
            if is_live {
                live.insert(EntryId::from_index(n));
            }
        }
        (self.live, self.open_calls) = (Arc::new(live), Arc::new(open));
    }
}

/// What was known of an entry's attempts.
struct Known<'a> {
    entry: &'a Entry,
    /// The calls that tried again.
    retried: Vec<EntryId>,
    /// How many events showed it, and how many changes its status had seen.
    evidence: usize,
    changes: usize,
}

/// A boundary whose summary may not have come yet.
fn boundary(row: &BoundaryRow, at: EventIx) -> BoundaryRow {
    match row.summary {
        Some(summary) if summary > at => BoundaryRow { summary: None, opaque: false, ..row.clone() },
        _ => row.clone(),
    }
}

/// Whether an entry carries anything from after event `at`. Everything is appended to it in the order of events.
fn is_newer(entry: &Entry, at: EventIx) -> bool {
    let newest = [
        entry.history.last().map(|(event, _)| *event),
        entry.weight.last().map(|(event, _)| *event),
        entry.lost.last().map(|(event, _)| *event),
        entry.progress.last().map(|(event, _)| *event),
        entry.named.last().map(|(event, _)| *event),
        entry.evidence.iter().max().copied(),
        entry.edges.last().map(|edge| edge.since),
        entry.holders.iter().map(|holder| holder.since).max(),
        entry.settled.map(|settled| settled.by),
        entry.vouched.as_ref().map(|vouched| vouched.since),
    ];
    newest.into_iter().flatten().any(|event| event > at)
}
