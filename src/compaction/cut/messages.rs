//! The context as a runtime sees it: messages. An assistant's text, reasoning and calls are one; each result is one of its own.

use std::ops::Range;

use crate::base::ids::CallIx;
use crate::compaction::context::{Context, Part};
use crate::ledger::rows::{EventKind, EventRow, SpanKind};

/// Runtimes count a quarter of the bytes as tokens: about three quarters of what a request is charged for them.
const RUNTIME_SHARE: (u32, u32) = (3, 4);

/// One message.
#[derive(Clone, Copy, Debug)]
pub(in crate::compaction) struct Message {
    /// The span that it belongs to, by its place in the context.
    pub(in crate::compaction) part: usize,
    pub(in crate::compaction) kind: Kind,
    /// Estimated tokens, before calibration.
    pub(in crate::compaction) raw: u32,
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
    /// Its size as the runtime estimates it.
    pub(in crate::compaction) fn own_tokens(&self) -> u64 {
        let (share, of) = RUNTIME_SHARE;
        u64::from(self.raw) * u64::from(share) / u64::from(of)
    }

    /// Whether it makes calls.
    pub(super) fn has_calls(&self) -> bool {
        self.kind == Kind::Assistant && self.call.is_some()
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
        Message { part: n, kind, raw: part.raw, call: None, pending: Pending::No }
    };
    context.parts.iter().enumerate().map(message).collect()
}

/// The messages of the context, in order.
pub(in crate::compaction) fn by_event(context: &Context<'_>) -> Vec<Message> {
    let Some(at) = context.at else { return Vec::new() };
    // Where the message stands that a span's own text goes to.
    let mut opened: Vec<Option<usize>> = vec![None; context.parts.len()];
    let mut messages: Vec<Message> = Vec::new();
    let Some(first) = context.parts.first() else { return messages };
    for row in context.lane.events.range(first.first.index()..at.index() + 1) {
        let Some(part) = row.span.and_then(|span| context.part_of(span)) else { continue };
        let Some(slot) = opened.get_mut(part) else { continue };
        if row.kind == EventKind::Resolution {
            messages.push(Message { part, kind: Kind::Result, raw: seen(context, row), call: row.call, pending: Pending::No });
            continue;
        }
        let pending = match row.call.and_then(|call| context.lane.calls.get(call.index())) {
            Some(call) if row.kind == EventKind::Call && call.end_at(at).is_none() => Pending::Yes,
            _ => Pending::No,
        };
        match slot.and_then(|n| messages.get_mut(n)) {
            Some(message) => {
                message.raw = message.raw.saturating_add(row.tokens);
                message.call = message.call.or(row.call);
                if pending == Pending::Yes {
                    message.pending = pending;
                }
            }
            None => {
                *slot = Some(messages.len());
                messages.push(Message { part, kind: kind_of(row.kind), raw: row.tokens, call: row.call, pending });
            }
        }
    }
    messages
}

/// Estimated tokens of a result that the model still sees.
fn seen(context: &Context<'_>, row: &EventRow) -> u32 {
    let masked = row.call.and_then(|call| context.lane.calls.get(call.index())?.masked);
    let gone =
        masked.and_then(|ix| context.lane.boundaries.get(ix.index())).is_some_and(|masking| Some(masking.event) <= context.at);
    if gone { 0 } else { row.tokens }
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
