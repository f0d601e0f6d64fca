//! The primitive `mask`: which messages lose their body.

use crate::compaction::cut::messages::{Kind, Message, groups, turns};
use crate::compaction::expr::Env;
use crate::compaction::policy::Mask;
use crate::compaction::policy::mask::MaskOn;
use crate::ledger::LaneSnapshot;

/// The messages of which one of `masks` takes the body.
pub(super) fn masked(masks: &[Mask], messages: &[Message], env: &Env, lane: &LaneSnapshot) -> Vec<usize> {
    let mut masked = Vec::new();
    for mask in masks.iter().filter(|mask| !mask.off) {
        let taken = taken(mask, messages, env, lane);
        let gain: u64 = taken.iter().filter_map(|n| messages.get(*n)).map(Message::own_tokens).sum();
        if mask.min_gain.as_ref().and_then(|least| least.count(env)).is_none_or(|least| gain >= least) {
            masked.extend(taken);
        }
    }
    masked
}

/// The messages that one masking would take, whatever is gained.
fn taken(mask: &Mask, messages: &[Message], env: &Env, lane: &LaneSnapshot) -> Vec<usize> {
    let limit = limit(mask, messages);
    let results: Vec<usize> = (messages.iter().enumerate().take(limit))
        .filter(|(_, message)| message.kind == Kind::Result && tool_fits(mask, message, lane))
        .map(|(n, _)| n)
        .collect();
    if let Some(budget) = mask.protect_tokens.as_ref().and_then(|spared| spared.count(env)) {
        let mut sum = 0;
        let beyond = |n: &usize| {
            sum += messages.get(*n).map_or(0, Message::own_tokens);
            sum > budget
        };
        return results.into_iter().rev().filter(beyond).collect();
    }
    let spared = mask.keep_n.as_ref().and_then(|n| n.count(env)).map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    match mask.on {
        MaskOn::ToolResult => {
            let end = results.len().saturating_sub(spared);
            results.get(mask.keep_first as usize..end).map(<[usize]>::to_vec).unwrap_or_default()
        }
        MaskOn::ToolGroup => {
            let mut groups = groups(messages);
            groups.retain(|group| group.end <= limit && messages.get(group.start).is_some_and(Message::has_calls));
            let end = groups.len().saturating_sub(spared);
            groups.into_iter().take(end).flatten().collect()
        }
    }
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
    let tool = message.call.and_then(|call| lane.calls.get(call.index())).map_or("", |call| &*call.tool);
    let named = |tools: &[String]| tools.iter().any(|name| name == tool);
    (mask.only.is_empty() || named(&mask.only)) && !named(&mask.exclude)
}
