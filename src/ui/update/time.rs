//! Time: to another moment of the session, step by step or played by the session's own clock.

use super::jump::{self, Side};
use crate::base::ids::EventIx;
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::session::Following;
use crate::ui::app::{App, Pace, Playing};

/// How far one key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Event,
    Span,
    /// To where an entry opened, changed or was lost.
    Change,
}

/// One step through time. Whoever takes steps does not want to be carried on.
pub(super) fn step(app: &mut App, step: Step, side: Side) {
    let Some(lane) = app.time.lane(app.lane).cloned() else { return };
    let Some(end) = lane.end() else {
        app.notice = Some("nothing has happened yet".to_owned());
        return;
    };
    let at = app.time.moment.unwrap_or(end);
    let to = match (step, side) {
        (Step::Event, Side::After) => Some(EventIx(at.0 + 1)).filter(|to| *to <= end),
        (Step::Event, Side::Before) => at.0.checked_sub(1).map(EventIx),
        (Step::Span, Side::After) => lane.spans.get(lane.spans_at(at)).map(|span| span.first),
        (Step::Span, Side::Before) => span_before(&lane, at),
        (Step::Change, Side::After) => lane.change_after(at),
        (Step::Change, Side::Before) => lane.change_before(at),
    };
    match (to, side) {
        (Some(to), _) => go(app, to),
        // Behind the last step there is still the end.
        (None, Side::After) if at < end => go(app, end),
        (None, Side::After) => app.notice = Some("nothing has happened after this".to_owned()),
        (None, Side::Before) if at.0 > 0 && step != Step::Event => go(app, EventIx(0)),
        (None, Side::Before) => app.notice = Some("nothing happened before this: it is the first event".to_owned()),
    }
    pause(app);
}

/// The beginning of the span that was going on, or of the one before.
fn span_before(lane: &LaneSnapshot, at: EventIx) -> Option<EventIx> {
    let begun = lane.spans.range(0..lane.spans_at(at)).rev().map(|span| span.first);
    begun.into_iter().find(|first| *first < at)
}

/// To the moment after an event of the lane.
pub(super) fn go(app: &mut App, to: EventIx) {
    let Some(end) = app.time.lane(app.lane).and_then(|lane| lane.end()) else { return };
    if app.time.moment.is_none() {
        jump::leave_trail(app);
    }
    // Where more may come, the last event is now.
    app.time.moment = Some(to).filter(|to| *to < end || app.following == Following::Ended);
    app.show_moment();
    app.timeline.follow_end();
}

/// To the moment for which a cell stands of the `cells` that stand for all events.
pub(super) fn seek(app: &mut App, cell: usize, cells: usize) {
    let Some(end) = app.time.lane(app.lane).and_then(|lane| lane.end()) else { return };
    let last = cells.saturating_sub(1).max(1);
    go(app, EventIx::from_index(end.index() * cell.min(last) / last));
    pause(app);
}

/// To the moment after an event that was named.
pub(super) fn seek_event(app: &mut App, event: EventIx) {
    go(app, event);
    pause(app);
}

/// Back to now where the event has not happened at the moment that is shown.
pub(super) fn now_if_after(app: &mut App, event: EventIx) {
    if app.time.moment.is_some_and(|moment| moment < event) {
        now(app);
    }
}

/// To the moment after the event of the selected row.
pub(super) fn here(app: &mut App) {
    match jump::under_cursor(app) {
        Some(event) => {
            go(app, event);
            pause(app);
        }
        None => app.notice = Some("this row stands for no event".to_owned()),
    }
}

/// Back to now.
pub(super) fn now(app: &mut App) {
    if app.time.moment.is_none() {
        app.notice = Some("this is now".to_owned());
    }
    app.time.moment = None;
    app.show_moment();
    app.timeline.follow_end();
    pause(app);
}

/// Lets time go on, or holds it. At the end it begins again: at the row under the cursor, or with the first event.
pub(super) fn play(app: &mut App) {
    if let Playing::Running { .. } = app.time.player.state {
        return pause(app);
    }
    let Some(end) = app.time.lane(app.lane).and_then(|lane| lane.end()) else {
        app.notice = Some("there is nothing to play".to_owned());
        return;
    };
    if app.time.moment.is_none_or(|at| at >= end) {
        let row = app.selected().filter(|row| *row < end && app.time.moment.is_none());
        go(app, row.unwrap_or(EventIx(0)));
    }
    run(app, app.clock);
}

/// Plays the session from the last event before a line of its main file, at a speed.
pub(crate) fn replay(app: &mut App, from: u32, speed: f64) {
    let before = app.time.lane(app.lane).map_or(0, |lane| lane.events.iter().take_while(|row| row.place.line < from).count());
    app.time.moment = Some(EventIx::from_index(before.saturating_sub(1)));
    app.time.player.speed = speed;
    app.show_moment();
    run(app, app.clock);
}

/// Slower or faster, from now on.
pub(super) fn turn_speed(app: &mut App, pace: Pace) {
    app.time.player.turn(pace);
    if let Playing::Running { .. } = app.time.player.state {
        run(app, app.clock);
    }
}

/// What is due comes.
pub(super) fn tick(app: &mut App) {
    /// So far the clock may be behind, in milliseconds: what a pause of the whole program left out is not made up for.
    const LATE: i64 = 1_000;
    let Playing::Running { due, .. } = app.time.player.state else { return };
    let Some((lane, mut at)) = app.time.lane(app.lane).cloned().zip(app.time.moment) else { return pause(app) };
    let Some(end) = lane.end() else { return pause(app) };
    let (known, mut due) = (at, due.max(Stamp(app.clock.0.saturating_sub(LATE))));
    let mut cut = None;
    while due <= app.clock && at < end {
        at = EventIx(at.0 + 1);
        let (wait, own) = app.time.player.pause(&lane, at);
        (due, cut) = (Stamp(due.0.saturating_add(wait)), own);
    }
    if at == known {
        return;
    }
    app.time.moment = Some(at);
    app.time.player.state = Playing::Running { due, cut };
    if at >= end {
        reach_end(app);
    }
    app.show_moment();
    if app.lane().is_some() {
        app.timeline.grown(known.index() + 1);
    }
}

/// Everything that there is has been played.
fn reach_end(app: &mut App) {
    app.time.player.state = Playing::Ended;
    if app.following != Following::Ended {
        app.time.moment = None;
        app.notice = Some("played to the end: this is now".to_owned());
    }
}

fn run(app: &mut App, from: Stamp) {
    let Some((lane, at)) = app.time.lane(app.lane).zip(app.time.moment) else { return };
    if lane.end().is_none_or(|end| at >= end) {
        return reach_end(app);
    }
    let (wait, cut) = app.time.player.pause(lane, at);
    app.time.player.state = Playing::Running { due: Stamp(from.0.saturating_add(wait)), cut };
}

fn pause(app: &mut App) {
    if app.time.player.state != Playing::Never {
        app.time.player.state = Playing::Paused;
    }
}
