//! How many turns are left before the context is full, and how long they last, at the pace of the last ones.

use crate::base::ids::EventIx;
use crate::report::subject::Subject;

/// The turns whose growth is averaged: enough to even out one long answer, few enough to follow a change of pace.
const TURNS: usize = 5;

/// What is left before the policy's trigger, or the window where it has none, is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Turns.
    pub turns: u64,
    /// Milliseconds, the pauses between turns among them; none where the records do not say when they were written.
    pub millis: Option<i64>,
}

/// Turns until the context is full; none where there is no growth to go by.
#[must_use]
pub fn full_in_turns(subject: &Subject<'_>) -> Option<u64> {
    forecast(subject).map(|left| left.turns)
}

/// What is left; none where there is no growth to go by.
#[must_use]
pub fn forecast(subject: &Subject<'_>) -> Option<Forecast> {
    let (lane, at) = (subject.lane, subject.judgement.at?);
    let since = lane.boundary_at(at).and_then(|boundary| lane.boundaries.get(boundary.index())).map(|boundary| boundary.event);
    // A turn's size is known where the next one begins.
    let starts = lane.turns.iter().map(|turn| turn.first).filter(|first| *first <= at && since.is_none_or(|since| *first > since));
    let starts: Vec<EventIx> = starts.rev().take(TURNS + 1).collect();
    let (last, first) = (starts.first()?, starts.last()?);
    let tokens_before = |event: &EventIx| event.0.checked_sub(1).map_or(0, |n| lane.context_tokens_at(EventIx(n)).tokens);
    let turns = u64::try_from(starts.len()).ok()?.checked_sub(1)?;
    let grown = tokens_before(last).checked_sub(tokens_before(first)).filter(|grown| grown * turns > 0)?;
    let context = &subject.judgement.context;
    let left = context.trigger.unwrap_or(context.window).saturating_sub(context.tokens);
    let time = |event: &EventIx| lane.events.get(event.index()).and_then(|row| row.at);
    let took = time(last).zip(time(first)).map(|(last, first)| last.millis_since(first).max(0));
    let millis = took.and_then(|took| i64::try_from(i128::from(took) * i128::from(left) / i128::from(grown)).ok());
    Some(Forecast { turns: (left * turns).div_ceil(grown), millis })
}
