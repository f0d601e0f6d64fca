//! The primitive `mask`: which messages lose their body, and what is left of them.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::compaction::cut::messages::{Kind, Message, groups, load, own_of, raw_of, turns};
use crate::compaction::expr::{Env, Expr};
use crate::compaction::policy::Mask;
use crate::compaction::policy::mask::{MaskHow, MaskOn};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::Class;
use crate::ledger::rows::CallRow;
use crate::ledger::rows::EventKind;

/// Messages after their masking.
pub(super) struct Masked<'m> {
    pub(super) messages: Cow<'m, [Message]>,
    /// Whether anything else is to be done.
    pub(super) then: Then,
}

/// Whether a masking was enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    Stop,
}

/// The messages as `masks` leave them, one after the other; those that are `spared` stay as they are.
pub(super) fn masked<'m>(
    masks: &[Mask],
    messages: &'m [Message],
    env: &Env,
    lane: &LaneSnapshot,
    spared: impl Fn(&Message) -> bool,
) -> Masked<'m> {
    let mut messages = Cow::Borrowed(messages);
    for mask in masks.iter().filter(|mask| !mask.off) {
        let taken = taken(mask, &messages, env, lane);
        let left = |n: usize| messages.get(n).filter(|message| !spared(message)).map(|message| (n, without_body(mask, *message)));
        let after: Vec<(usize, Message)> = taken.into_iter().flatten().filter_map(left).collect();
        let gain: u64 = after.iter().filter_map(|(n, left)| Some(messages.get(*n)?.own_tokens() - left.own_tokens())).sum();
        if count(mask.min_gain.as_ref(), env).is_some_and(|least| gain < least) {
            continue;
        }
        for (n, left) in after {
            if let Some(message) = messages.to_mut().get_mut(n) {
                *message = left;
            }
        }
        if count(mask.enough.as_ref(), env).is_some_and(|enough| load(&messages).tokens <= enough) {
            return Masked { messages, then: Then::Stop };
        }
    }
    Masked { messages, then: Then::GoOn }
}

/// The runs of messages that one masking would take, whatever is gained.
fn taken(mask: &Mask, messages: &[Message], env: &Env, lane: &LaneSnapshot) -> Vec<Range<usize>> {
    let (limit, over) = (limit(mask, messages), count(mask.over.as_ref(), env));
    let fits = |unit: &Range<usize>| {
        let Some(message) = messages.get(unit.start).filter(|_| unit.end <= limit) else { return false };
        let body = body(mask.on, message);
        body.is_some_and(|body| over.is_none_or(|over| body > over)) && tool_fits(mask, message, lane)
    };
    let units: Vec<Range<usize>> = match mask.on {
        MaskOn::ToolGroup => groups(messages).into_iter().filter(fits).collect(),
        MaskOn::Reads => {
            repeated_reads(messages, lane, count(mask.keep_n.as_ref(), env).unwrap_or(1)).into_iter().filter(fits).collect()
        }
        MaskOn::ToolResult | MaskOn::ToolArgs | MaskOn::Thinking => (0..messages.len()).map(|n| n..n + 1).filter(fits).collect(),
    };
    let of_each = mask.on == MaskOn::Reads;
    let spared = count(mask.keep_n.as_ref().filter(|_| !of_each), env).map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let kept = spared.max(within(count(mask.protect_tokens.as_ref(), env).unwrap_or(0), &units, messages));
    let end = units.len().saturating_sub(kept);
    units.get(mask.keep_first as usize..end).map(<[_]>::to_vec).unwrap_or_default()
}

/// How many of the newest units come to no more than `budget` tokens together.
fn within(budget: u64, units: &[Range<usize>], messages: &[Message]) -> usize {
    let mut sum = 0;
    let fits = |unit: &&Range<usize>| {
        sum += messages.get((*unit).clone()).unwrap_or_default().iter().map(Message::own_tokens).sum::<u64>();
        sum <= budget
    };
    units.iter().rev().take_while(fits).count()
}

/// What a masking takes of a message, as the runtime estimates it, in tokens; none where there is nothing of its kind.
fn body(on: MaskOn, message: &Message) -> Option<u64> {
    match on {
        MaskOn::ToolResult | MaskOn::Reads => (message.kind == Kind::Result).then(|| message.own_tokens()),
        MaskOn::ToolGroup => message.has_calls().then(|| message.own_tokens()),
        MaskOn::ToolArgs => message.has_calls().then(|| own_of(EventKind::Call, message.given)),
        MaskOn::Thinking => (message.thinking > 0).then(|| own_of(EventKind::Reasoning, message.thinking)),
    }
}

/// What is left of a message when a masking has taken its body.
fn without_body(mask: &Mask, message: Message) -> Message {
    let leaves = raw_of(
        match mask.on {
            MaskOn::Thinking => EventKind::Reasoning,
            MaskOn::ToolArgs => EventKind::Call,
            MaskOn::ToolResult | MaskOn::Reads | MaskOn::ToolGroup => EventKind::Resolution,
        },
        mask.leaves,
    );
    let (raw, thinking, given) = (message.raw, message.thinking, message.given);
    match mask.on {
        MaskOn::Thinking => {
            let left = thinking.min(leaves);
            Message { thinking: left, ..message.shrunk(raw - thinking + left) }
        }
        MaskOn::ToolArgs => {
            let left = given.min(leaves);
            Message { given: left, ..message.shrunk(raw - given + left) }
        }
        // What the model says beside its calls is no part of them.
        MaskOn::ToolGroup if mask.how == MaskHow::Delete && message.kind != Kind::Result => {
            Message { given: 0, ..message.shrunk(raw - given) }
        }
        MaskOn::ToolGroup if message.kind != Kind::Result => Message { thinking: 0, given: 0, ..message.shrunk(0) },
        MaskOn::ToolResult | MaskOn::Reads | MaskOn::ToolGroup => message.shrunk(raw.min(leaves)),
    }
}

/// The results that show a file which `kept` later results show too.
fn repeated_reads(messages: &[Message], lane: &LaneSnapshot, kept: u64) -> Vec<Range<usize>> {
    let mut seen: FxHashMap<&str, u64> = FxHashMap::default();
    let mut repeated: Vec<Range<usize>> = Vec::new();
    for (n, message) in messages.iter().enumerate().rev().filter(|(_, message)| message.kind == Kind::Result) {
        let read = call_of(message, lane).filter(|call| call.class == Class::Read && call.world.as_deref() == Some("file"));
        let Some(file) = read.and_then(|call| call.target.as_deref()) else { continue };
        let later = seen.entry(file).or_default();
        if *later >= kept {
            repeated.push(n..n + 1);
        }
        *later += 1;
    }
    repeated.reverse();
    repeated
}

/// Where the messages begin that are spared for being new.
fn limit(mask: &Mask, messages: &[Message]) -> usize {
    let limit = messages.len().saturating_sub(mask.skip_last as usize);
    let Some(spared) = mask.protect_turns else { return limit };
    let turns = turns(messages);
    let first = turns.len().checked_sub(spared as usize).map_or(Some(0), |n| turns.get(n).copied());
    limit.min(first.unwrap_or(limit))
}

fn tool_fits(mask: &Mask, message: &Message, lane: &LaneSnapshot) -> bool {
    if mask.only.is_empty() && mask.exclude.is_empty() {
        return true;
    }
    let tool = call_of(message, lane).map_or("", |call| &*call.tool);
    let named = |tools: &[String]| tools.iter().any(|name| name == tool);
    (mask.only.is_empty() || named(&mask.only)) && !named(&mask.exclude)
}

fn call_of<'l>(message: &Message, lane: &'l LaneSnapshot) -> Option<&'l CallRow> {
    lane.calls.get(message.call?.index())
}

fn count(expr: Option<&Expr>, env: &Env) -> Option<u64> {
    expr.and_then(|expr| expr.count(env))
}
