//! The primitives `keep.head`, `keep.roles` and `keep.pin`: what a policy keeps wherever its cut falls.

use crate::compaction::cut::messages::{Kind, Message, Pending, turns};
use crate::compaction::expr::Env;
use crate::compaction::policy::keep::{Head, HeadKind, HeadSnap, Overflow, Pin, Role, Roles};

/// Where the head ends: the messages before are kept.
pub(super) fn head(head: &Head, messages: &[Message]) -> usize {
    let leading = |kind: HeadKind| match kind {
        HeadKind::System => messages.iter().take_while(|message| message.kind == Kind::System).count(),
        HeadKind::FirstUser => turns(messages).first().map_or(0, |n| n + 1),
    };
    let by_kind = head.kinds.iter().copied().map(leading).max().unwrap_or(0);
    let by_count = head.messages.map_or(0, |n| snapped(head.snap, messages, messages.len().min(n as usize)));
    by_kind.max(by_count)
}

/// The system prompt and rules files, as far as they stand before anybody spoke.
pub(super) fn system(messages: &[Message]) -> Vec<usize> {
    let before = messages.iter().enumerate().take_while(|(_, message)| !matches!(message.kind, Kind::User | Kind::Assistant));
    before.filter(|(_, message)| message.kind == Kind::System).map(|(n, _)| n).collect()
}

/// Moves the end of a head that stands within a pair.
fn snapped(snap: Option<HeadSnap>, messages: &[Message], end: usize) -> usize {
    match snap {
        Some(HeadSnap::Forward) => end + messages.iter().skip(end).take_while(|message| message.kind == Kind::Result).count(),
        Some(HeadSnap::DropTrailingCall) => {
            let call = end.checked_sub(1).filter(|n| messages.get(*n).is_some_and(Message::has_calls));
            call.unwrap_or(end)
        }
        None => end,
    }
}

/// How much stays of a message that is kept for who speaks.
pub(super) enum Share {
    Whole,
    /// So many raw tokens of it.
    Part(u32),
}

/// The messages that are kept for who speaks, newest first: up to the budget, and the first that crosses it as the edge says.
pub(super) fn roles(roles: &Roles, messages: &[Message], env: &Env) -> Vec<(usize, Share)> {
    let speaks = |kind: Kind| match kind {
        Kind::User => roles.kinds.contains(&Role::User),
        Kind::Assistant => roles.kinds.contains(&Role::Assistant),
        _ => false,
    };
    let mut left = roles.budget.as_ref().and_then(|budget| budget.count(env)).unwrap_or(u64::MAX);
    let mut kept = Vec::new();
    for (n, message) in messages.iter().enumerate().rev().filter(|(_, message)| speaks(message.kind)) {
        let size = message.own_tokens();
        if let Some(after) = left.checked_sub(size) {
            left = after;
            kept.push((n, Share::Whole));
            continue;
        }
        if roles.edge != Overflow::Drop && left > 0 {
            let raw = u64::from(message.raw) * left / size.max(1);
            kept.push((n, Share::Part(u32::try_from(raw).unwrap_or(u32::MAX))));
        }
        break;
    }
    kept
}

/// The messages that one pin keeps.
pub(super) fn pin(pin: Pin, messages: &[Message]) -> Vec<usize> {
    let turns = turns(messages);
    match pin {
        Pin::PendingCall => {
            let open = messages.iter().enumerate().filter(|(_, message)| message.pending == Pending::Yes);
            open.map(|(n, _)| n).collect()
        }
        Pin::TrailingCall => {
            let last = messages.len().checked_sub(1);
            last.filter(|n| messages.get(*n).is_some_and(|message| message.pending == Pending::Yes)).into_iter().collect()
        }
        Pin::LastUser => turns.last().copied().into_iter().collect(),
        Pin::LastUserTurn => turns.last().map_or_else(Vec::new, |first| (*first..messages.len()).collect()),
        Pin::TurnFinalAnswers => turns.windows(2).filter_map(|turn| final_answer(messages, turn)).collect(),
    }
}

/// The last message of a turn that is an answer and makes no call.
fn final_answer(messages: &[Message], turn: &[usize]) -> Option<usize> {
    let (&[start, end], all) = (turn, messages) else { return None };
    let answers = |n: &usize| all.get(*n).is_some_and(|message| message.kind == Kind::Assistant && !message.has_calls());
    (start + 1..end).rev().find(answers)
}
