//! The primitives `keep.tail` and `cut`: where the tail begins that a policy keeps.

use std::ops::Range;

use crate::compaction::cut::messages::{Kind, Message, groups, turns};
use crate::compaction::expr::Env;
use crate::compaction::policy::Cut;
use crate::compaction::policy::keep::{CutAt, Direction, Edge, Measure, Otherwise, Tail, Unit};

/// The first message of the tail, after a head of `low` messages; the number of messages where there is no tail.
pub(super) fn start(tail: &Tail, cut: Option<&Cut>, messages: &[Message], low: usize, env: &Env) -> usize {
    let measured = measure(tail, messages, low, env);
    let Some(cut) = cut.filter(|_| measured < messages.len()) else { return measured };
    let moved = moved(cut, messages, measured, low, cut.direction).or_else(|| match cut.otherwise {
        Otherwise::NoTail => None,
        Otherwise::Forward => moved(cut, messages, measured, low, Direction::Forward),
        Otherwise::LastTurn => turns(messages).last().copied(),
    });
    // A tail that reaches everything is none where a turn may be split: nothing would be compacted.
    let reaches_all = tail.split_turn && cut.otherwise == Otherwise::NoTail && moved.is_some_and(|n| n <= low);
    moved.filter(|_| !reaches_all).unwrap_or(messages.len())
}

/// Where the tail begins by its measure alone.
fn measure(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let len = messages.len();
    let start = match tail.by {
        Measure::Tokens if tail.unit == Unit::Turn => by_turns_of_tokens(tail, messages, low, env),
        Measure::Tokens => by_tokens(tail, messages, low, env),
        Measure::Messages if tail.unit == Unit::Group => by_groups(tail, messages, low, env),
        Measure::Messages => len.saturating_sub(count(tail, env)),
        Measure::Turns => {
            let turns = turns(messages);
            turns.len().checked_sub(count(tail, env)).map_or(low, |n| turns.get(n).copied().unwrap_or(len))
        }
        Measure::MessageShare => by_share(tail, messages, low, env),
        Measure::CharacterShare => by_characters(tail, messages, low, env),
    };
    let start = tail.and_tokens.as_ref().and_then(|limit| limit.count(env)).map_or(start, |limit| {
        let head: u64 = size(messages, 0..low);
        start.max(newest_within(messages, low, limit.saturating_sub(head)))
    });
    let within = if tail.within_last_turn { turns(messages).last().map_or(low, |n| n + 1) } else { low };
    start.max(within).min(len)
}

fn count(tail: &Tail, env: &Env) -> usize {
    tail.n.count(env).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
}

fn size(messages: &[Message], range: Range<usize>) -> u64 {
    messages.get(range).unwrap_or_default().iter().map(Message::own_tokens).sum()
}

/// The units that a tail takes or leaves as a whole.
fn units(tail: &Tail, messages: &[Message], low: usize) -> Vec<Range<usize>> {
    let mut units = match tail.unit {
        Unit::Group => groups(messages),
        Unit::Message | Unit::Turn => (0..messages.len()).map(|n| n..n + 1).collect(),
    };
    units.retain(|unit| unit.start >= low);
    units
}

fn by_tokens(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let budget = tail.n.count(env).unwrap_or(u64::MAX);
    let (mut total, mut start) = (0, messages.len());
    for unit in units(tail, messages, low).into_iter().rev() {
        total += size(messages, unit.clone());
        if tail.edge == Edge::Out && total > budget {
            break;
        }
        start = unit.start;
        if tail.edge == Edge::In && total >= budget {
            break;
        }
    }
    start
}

/// Whole turns, newest first; the first that does not fit is split where that is allowed.
fn by_turns_of_tokens(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let budget = tail.n.count(env).unwrap_or(u64::MAX);
    let (mut total, mut end) = (0, messages.len());
    for start in turns(messages).into_iter().rev().filter(|start| *start >= low) {
        let turn = size(messages, start..end);
        if total + turn > budget {
            if tail.split_turn {
                return newest_within(&messages[..end.min(messages.len())], start + 1, budget - total);
            }
            break;
        }
        total += turn;
        end = start;
    }
    end
}

/// The first of the newest messages, from `low` on, that fit into `budget` together.
fn newest_within(messages: &[Message], low: usize, budget: u64) -> usize {
    let mut left = budget;
    let fitting = messages.iter().skip(low).rev().take_while(|message| {
        let after = left.checked_sub(message.own_tokens());
        left = after.unwrap_or(left);
        after.is_some()
    });
    messages.len() - fitting.count()
}

fn by_groups(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let wanted = count(tail, env);
    let (mut taken, mut start) = (0, messages.len());
    for group in groups(messages).into_iter().rev().take_while(|group| group.start >= low) {
        if taken >= wanted {
            break;
        }
        taken += group.len();
        start = group.start;
    }
    start
}

fn by_share(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let body = messages.len().saturating_sub(low);
    let gone = (body as f64 * (1.0 - tail.n.value(env)) + 1e-9).max(0.0) as usize;
    low + if tail.even { gone - gone % 2 } else { gone }
}

/// The first prompt before which the share to compact stands; where there is none, nothing stays if the model spoke last, else what
/// the last prompt began.
fn by_characters(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let goal = size(messages, low..messages.len()) as f64 * (1.0 - tail.n.value(env));
    let (mut before, mut last) = (0, low);
    for (n, message) in messages.iter().enumerate().skip(low) {
        if message.kind == Kind::User {
            if before as f64 >= goal {
                return n;
            }
            last = n;
        }
        before += message.own_tokens();
    }
    let model_spoke = messages.last().is_some_and(|message| message.kind == Kind::Assistant && !message.has_calls());
    if model_spoke { messages.len() } else { last }
}

/// The nearest place from `from` on where the cut may stand, not before `low`.
fn moved(cut: &Cut, messages: &[Message], from: usize, low: usize, direction: Direction) -> Option<usize> {
    let fits = |n: &usize| messages.get(*n).is_some_and(|message| cut.at.iter().any(|at| stands_at(*at, message.kind)));
    if cut.only_first {
        let on_result = messages.get(from).is_some_and(|message| message.kind == Kind::Result);
        return Some(from + usize::from(on_result));
    }
    match direction {
        Direction::Forward => (from.max(low)..messages.len()).find(fits),
        Direction::Back => (low..=from).rev().find(fits),
    }
}

fn stands_at(at: CutAt, kind: Kind) -> bool {
    match at {
        CutAt::Any => true,
        CutAt::User => matches!(kind, Kind::User | Kind::Injected),
        CutAt::Assistant => kind == Kind::Assistant,
        CutAt::Tool => kind == Kind::Result,
        CutAt::Summary => kind == Kind::Summary,
        CutAt::Group => kind != Kind::Result,
    }
}
