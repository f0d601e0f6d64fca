//! The context as a runtime sees it: messages. An assistant's text, reasoning and calls are one; each result is one of its own.

use std::ops::Range;

use crate::base::ids::CallIx;
use crate::compaction::context::{Context, Part};
use crate::compaction::policy::Load;
use crate::ledger::rows::{CallRow, EventKind, EventRow, SpanKind};
use crate::ledger::tokens::{bytes_of, of_bytes};
use crate::transcript::BoundaryKind;

/// Runtimes count so many bytes as a token.
const BYTES_A_TOKEN: u32 = 4;

/// That is about three quarters of what a request is charged for them.
const RUNTIME_SHARE: (u32, u32) = (3, 4);

/// One message.
#[derive(Clone, Copy, Debug)]
pub(in crate::compaction) struct Message {
    /// The span that it belongs to, by its place in the context.
    pub(in crate::compaction) part: usize,
    pub(in crate::compaction) kind: Kind,
    /// Estimated tokens, before calibration.
    pub(in crate::compaction) raw: u32,
    /// Its size as the runtime estimates it, in tokens.
    pub(super) own: u64,
    /// Estimated tokens, before calibration: those of its reasoning.
    pub(in crate::compaction) thinking: u32,
    /// Those of what its calls were given.
    pub(in crate::compaction) given: u32,
    /// Records that it is made of.
    pub(in crate::compaction) events: u32,
    /// Those that are texts, for a reader.
    pub(in crate::compaction) texts: u32,
    /// The call that it answers, or the first that it makes.
    pub(in crate::compaction) call: Option<CallIx>,
    /// Whether a call that it makes has no result.
    pub(in crate::compaction) pending: Pending,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compaction) enum Kind {
    System,
    Injected,
    User,
    Assistant,
    Result,
    Summary,
}

/// Whether a call of a message is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compaction) enum Pending {
    No,
    Yes,
}

impl Message {
    /// A message of one record.
    fn of(part: usize, kind: Kind, raw: u32) -> Self {
        let texts = u32::from(matches!(kind, Kind::User | Kind::Assistant));
        Self { part, kind, raw, own: own(raw), thinking: 0, given: 0, events: 1, texts, call: None, pending: Pending::No }
    }

    /// Its size as the runtime estimates it.
    pub(in crate::compaction) fn own_tokens(&self) -> u64 {
        self.own
    }

    /// The same message, of which only `raw` tokens are left.
    pub(super) fn shrunk(self, raw: u32) -> Self {
        Self { raw, own: self.own * u64::from(raw) / u64::from(self.raw.max(1)), ..self }
    }

    /// Whether it makes calls.
    pub(super) fn has_calls(&self) -> bool {
        self.kind == Kind::Assistant && self.call.is_some()
    }
}

/// What a runtime estimates of an event that we count as `raw` tokens.
pub(super) fn own_of(kind: EventKind, raw: u32) -> u64 {
    u64::from(bytes_of(kind, raw).div_ceil(BYTES_A_TOKEN))
}

/// What a runtime estimates, about, where we count `raw` tokens.
fn own(raw: u32) -> u64 {
    let (share, of) = RUNTIME_SHARE;
    u64::from(raw) * u64::from(share) / u64::from(of)
}

/// The other way round: what we count for an event that a runtime estimates at `own` tokens.
pub(super) fn raw_of(kind: EventKind, own: u32) -> u32 {
    of_bytes(kind, own.saturating_mul(BYTES_A_TOKEN))
}

/// How much they are.
pub(in crate::compaction) fn load(messages: &[Message]) -> Load {
    Load {
        messages: messages.len(),
        events: messages.iter().map(|message| message.events as usize).sum(),
        tokens: messages.iter().map(Message::own_tokens).sum(),
    }
}

/// One message for each span: enough for a policy that never parts one.
pub(in crate::compaction) fn by_span(context: &Context<'_>) -> Vec<Message> {
    let message = |(n, part): (usize, &Part)| {
        let kind = match part.kind {
            SpanKind::Prompt => Kind::User,
            SpanKind::Step => Kind::Assistant,
            SpanKind::Injected => Kind::Injected,
            SpanKind::System => context.lane.events.get(part.first.index()).map_or(Kind::System, |row| kind_of(row.kind)),
        };
        Message::of(n, kind, part.raw)
    };
    context.parts.iter().enumerate().map(message).collect()
}

/// The messages of the context, in order.
pub(in crate::compaction) fn by_event(context: &Context<'_>) -> Vec<Message> {
    let Some(at) = context.at else { return Vec::new() };
    // Where the message stands that a span's own text goes to.
    let mut opened: Vec<Option<usize>> = vec![None; context.parts.len()];
    // The calls with their messages, and which have a result here: only of the others is it asked how they ended.
    let (mut calls, mut answered) = (Vec::new(), vec![false; context.lane.calls.len()]);
    let mut messages: Vec<Message> = Vec::new();
    let Some(first) = context.parts.first() else { return messages };
    // Hardly a session has maskings, and without them no call has to be looked up.
    let any_masked = context.lane.boundaries.iter().any(|boundary| boundary.kind == BoundaryKind::Masking);
    for row in context.lane.events.range(first.first.index()..at.index() + 1) {
        let Some(part) = row.span.and_then(|span| context.part_of(span)) else { continue };
        let Some(slot) = opened.get_mut(part) else { continue };
        if row.kind == EventKind::Resolution {
            let raw = if any_masked { seen(context, row) } else { row.tokens };
            let own = own_of(row.kind, raw);
            messages.push(Message { call: row.call, own, ..Message::of(part, Kind::Result, raw) });
            if let Some(answered) = row.call.and_then(|call| answered.get_mut(call.index())) {
                *answered = true;
            }
            continue;
        }
        let n = *slot.get_or_insert_with(|| {
            messages.push(Message { events: 0, texts: 0, ..Message::of(part, kind_of(row.kind), 0) });
            messages.len() - 1
        });
        if let Some(message) = messages.get_mut(n) {
            message.take(row);
        }
        calls.extend(row.call.filter(|_| row.kind == EventKind::Call).map(|call| (n, call)));
    }
    for (n, call) in calls {
        let is_answered = answered.get(call.index()).copied().unwrap_or_default();
        let is_open = || context.lane.calls.get(call.index()).is_some_and(|call| call.end_at(at).is_none());
        if let Some(message) = messages.get_mut(n).filter(|_| !is_answered && is_open()) {
            message.pending = Pending::Yes;
        }
    }
    messages
}

impl Message {
    /// Adds a record of its span.
    fn take(&mut self, row: &EventRow) {
        self.raw = self.raw.saturating_add(row.tokens);
        self.own = self.own.saturating_add(own_of(row.kind, row.tokens));
        self.events += 1;
        self.call = self.call.or(row.call);
        match row.kind {
            EventKind::Reasoning => self.thinking = self.thinking.saturating_add(row.tokens),
            EventKind::Prompt | EventKind::Task | EventKind::Assistant => self.texts += 1,
            EventKind::Call => self.given = self.given.saturating_add(row.tokens),
            _ => {}
        }
    }
}

fn call_of<'c>(context: &Context<'c>, row: &EventRow) -> Option<&'c CallRow> {
    context.lane.calls.get(row.call?.index())
}

/// Estimated tokens of a result that the model still sees, where some are masked.
fn seen(context: &Context<'_>, row: &EventRow) -> u32 {
    let masked = call_of(context, row).and_then(|call| context.lane.boundaries.get(call.masked?.index()));
    if masked.is_some_and(|masking| Some(masking.event) <= context.at) { 0 } else { row.tokens }
}

fn kind_of(event: EventKind) -> Kind {
    match event {
        EventKind::Prompt | EventKind::Task => Kind::User,
        EventKind::Assistant | EventKind::Reasoning | EventKind::Call => Kind::Assistant,
        EventKind::Resolution => Kind::Result,
        EventKind::Summary | EventKind::Boundary => Kind::Summary,
        EventKind::Rules => Kind::System,
        _ => Kind::Injected,
    }
}

/// Where the turns begin: at each prompt.
pub(super) fn turns(messages: &[Message]) -> Vec<usize> {
    messages.iter().enumerate().filter(|(_, message)| message.kind == Kind::User).map(|(n, _)| n).collect()
}

/// What stays together for a runtime that thinks in groups: a message with calls and the results right after it, or any other message.
pub(super) fn groups(messages: &[Message]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (n, message) in messages.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if message.kind == Kind::Result && messages.get(group.start).is_some_and(Message::has_calls) => {
                group.end = n + 1;
            }
            _ => groups.push(n..n + 1),
        }
    }
    groups
}
