//! The primitives `keep.tail`, `keep.ends` and `cut`: where the tail begins that a policy keeps.

use std::ops::Range;

use crate::compaction::cut::messages::{Kind, Message, groups, turns};
use crate::compaction::expr::{Env, Expr};
use crate::compaction::policy::Cut;
use crate::compaction::policy::keep::{CutAt, Direction, Edge, Ends, IfAll, Measure, Otherwise, Tail, Unit};

/// The first message of the tail, after a head of `low` messages; the number of messages where there is no tail.
pub(super) fn start(tail: &Tail, cut: Option<&Cut>, messages: &[Message], low: usize, env: &Env) -> usize {
    let start = match tail.step.zip(tail.until.as_ref()) {
        Some((step, until)) => by_steps(tail, step, until, cut, messages, low, env),
        None => placed(cut, messages, measure(tail, messages, low, env), low),
    };
    if tail.if_all == IfAll::NoTail && start <= low { messages.len() } else { start }
}

/// What stays of both ends: the messages before the first place, and from the second on.
pub(super) fn ends(ends: &Ends, messages: &[Message], env: &Env) -> (usize, usize) {
    let mut over = size(messages, 0..messages.len()).saturating_sub(ends.tokens.count(env).unwrap_or(u64::MAX));
    let (mut before, mut after) = (messages.len() / 2, messages.len() / 2);
    while over > 0 && (before > 0 || after < messages.len()) {
        // The middle of what is left stands right before the gap, or right behind it.
        let middle = (before + messages.len() - after) / 2;
        let gone = if middle < before { before - 1 } else { after };
        over = over.saturating_sub(size(messages, gone..gone + 1));
        (before, after) = (before.min(gone), after.max(gone + 1));
    }
    (before, after)
}

/// Moves a measured start to where the cut may stand.
fn placed(cut: Option<&Cut>, messages: &[Message], measured: usize, low: usize) -> usize {
    let Some(cut) = cut.filter(|_| measured < messages.len()) else { return measured };
    let moved = moved(cut, messages, measured, low, cut.direction).or_else(|| match cut.otherwise {
        Otherwise::NoTail => None,
        Otherwise::Forward => moved(cut, messages, measured, low, Direction::Forward),
        Otherwise::LastTurn => turns(messages).last().copied(),
        Otherwise::All => Some(low),
    });
    moved.unwrap_or(messages.len())
}

/// Where the tail begins by its measure alone.
fn measure(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let start = match tail.by {
        Measure::MessageShare => by_share(tail, messages, low, env),
        Measure::CharacterShare => by_characters(tail, messages, low, env),
        Measure::Tokens | Measure::Messages | Measure::Events | Measure::Groups | Measure::Turns => {
            by_units(tail, messages, low, env)
        }
    };
    let start = limit(tail.and_tokens.as_ref(), env).map_or(start, |limit| {
        let head: u64 = size(messages, 0..low);
        start.max(newest_within(messages, low, limit.saturating_sub(head)))
    });
    let within = if tail.within_last_turn { turns(messages).last().map_or(low, |n| n + 1) } else { low };
    start.max(within).min(messages.len())
}

fn limit(limit: Option<&Expr>, env: &Env) -> Option<u64> {
    limit.and_then(|limit| limit.count(env))
}

fn size(messages: &[Message], range: Range<usize>) -> u64 {
    messages.get(range).unwrap_or_default().iter().map(Message::own_tokens).sum()
}

/// The units that a tail takes or leaves as a whole.
fn units(tail: &Tail, messages: &[Message], low: usize) -> Vec<Range<usize>> {
    let mut units = match (tail.by, tail.unit) {
        (Measure::Turns, _) | (_, Unit::Turn) => {
            let turns = turns(messages);
            let ends = turns.iter().skip(1).copied().chain([messages.len()]);
            turns.iter().zip(ends).map(|(start, end)| *start..end).collect()
        }
        (Measure::Groups, _) | (_, Unit::Group) => groups(messages),
        _ => (0..messages.len()).map(|n| n..n + 1).collect(),
    };
    units.retain(|unit| unit.start >= low);
    units
}

/// What a unit counts of a tail's measure.
fn weight(by: Measure, unit: &[Message]) -> u64 {
    match by {
        Measure::Tokens => unit.iter().map(Message::own_tokens).sum(),
        Measure::Messages => unit.len() as u64,
        Measure::Events => unit.iter().map(|message| u64::from(message.events)).sum(),
        Measure::Groups | Measure::Turns | Measure::MessageShare | Measure::CharacterShare => 1,
    }
}

/// Unit by unit from the end, up to the measure, with the unit that crosses it or without.
fn by_units(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let (wanted, most) = (tail.n.count(env).unwrap_or(u64::MAX), limit(tail.most_tokens.as_ref(), env).unwrap_or(u64::MAX));
    let (mut total, mut tokens, mut texts, mut start) = (0, 0, 0, messages.len());
    for unit in units(tail, messages, low).into_iter().rev() {
        let of = messages.get(unit.clone()).unwrap_or_default();
        tokens += size(messages, unit.clone());
        let reached = total + weight(tail.by, of);
        if tokens > most || (tail.edge == Edge::Out && reached > wanted) {
            let newest = messages.get(..unit.end).filter(|_| tail.split_turn);
            return newest.map_or(start, |newest| newest_within(newest, unit.start + 1, wanted.saturating_sub(total)));
        }
        total = reached;
        texts += of.iter().filter(|message| message.texts > 0).count();
        start = unit.start;
        if tail.edge == Edge::In && total >= wanted && texts >= tail.least_texts as usize {
            return start;
        }
    }
    // Everything fits.
    low
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

fn by_share(tail: &Tail, messages: &[Message], low: usize, env: &Env) -> usize {
    let body = messages.len().saturating_sub(low);
    let gone = (body as f64 * (1.0 - tail.n.value(env)) + 1e-9).max(0.0) as usize;
    low + if tail.even { gone - gone % 2 } else { gone }
}

/// A smaller and smaller share, cut where it may be, until the context after it is small enough.
fn by_steps(tail: &Tail, step: f64, until: &Expr, cut: Option<&Cut>, messages: &[Message], low: usize, env: &Env) -> usize {
    const MOST_STEPS: i32 = 100;
    let (until, head) = (until.count(env).unwrap_or(0), size(messages, 0..low));
    let shares = (0..MOST_STEPS).map(|n| tail.n.value(env) - f64::from(n) * step).take_while(|share| *share > 1e-9);
    let mut starts = shares.filter_map(|share| {
        let measured = (messages.len() as f64 * (1.0 - share)).round().max(0.0) as usize;
        match cut {
            Some(cut) => moved(cut, messages, measured, low.max(1), cut.direction),
            None => Some(measured),
        }
    });
    let fits = |start: &usize| head + size(messages, *start..messages.len()) < until;
    starts.find(fits).unwrap_or(messages.len())
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
    let fits = |n: &usize| messages.get(*n).is_some_and(|message| cut.at.iter().any(|at| stands_at(*at, message)));
    if cut.only_first {
        let on_result = messages.get(from).is_some_and(|message| message.kind == Kind::Result);
        return Some(from + usize::from(on_result));
    }
    match direction {
        Direction::Forward => (from.max(low)..messages.len()).find(fits),
        Direction::Back => (low..=from).rev().find(fits),
    }
}

fn stands_at(at: CutAt, message: &Message) -> bool {
    match at {
        CutAt::Any => true,
        CutAt::User => matches!(message.kind, Kind::User | Kind::Injected),
        CutAt::Assistant => message.kind == Kind::Assistant,
        CutAt::Answer => message.kind == Kind::Assistant && !message.has_calls(),
        CutAt::Tool => message.kind == Kind::Result,
        CutAt::Summary => message.kind == Kind::Summary,
        CutAt::Group => message.kind != Kind::Result,
    }
}
