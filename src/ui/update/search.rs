//! Searching: for words in the records of the lane, where the cursor goes from place to place, or in the event that is shown whole.

use super::jump::{self, Side};
use crate::base::ids::EventIx;
use crate::ui::app::{App, Pane};
use crate::ui::rows;

/// Looks for words in the lane that is shown; for the last ones again where none were typed.
pub(super) fn start(app: &mut App, words: &str) {
    let words = if words.is_empty() { app.search.words().unwrap_or_default().to_owned() } else { words.to_owned() };
    if words.is_empty() {
        return;
    }
    app.panes.focus(Pane::Timeline);
    app.search.begin(&words, app.snapshot.epoch, app.lane);
}

/// To the next place, round and round.
pub(super) fn turn(app: &mut App, side: Side) {
    let Some(words) = app.search.words().map(str::to_owned) else {
        app.notice = Some("nothing has been searched for: / begins".to_owned());
        return;
    };
    if app.search.found(app.snapshot.epoch, app.lane).is_none() {
        // In another lane the same words are looked for anew.
        return start(app, &words);
    }
    go(app, side);
}

/// Goes on where the worker has come further, and somebody waits.
pub(super) fn go_on(app: &mut App) {
    if app.search.is_awaited() {
        go(app, Side::After);
    }
}

fn go(app: &mut App, side: Side) {
    let Some(lane) = app.lane().cloned() else { return };
    let Some(found) = app.search.found(app.snapshot.epoch, app.lane) else { return };
    let (words, until) = (found.words.to_owned(), found.until);
    let shown = found.events.iter().filter(|event| event.index() < lane.events.len());
    let mut places: Vec<EventIx> = shown.filter_map(|event| rows::row_of(&lane, *event)).collect();
    places.sort_unstable();
    places.dedup();
    let is_over = until >= lane.events.len();
    let here = app.selected();
    let next = match side {
        Side::After => places.iter().position(|place| Some(*place) > here),
        Side::Before => places.iter().rposition(|place| Some(*place) < here),
    };
    // Whoever begins at the end is led to the nearest place above.
    let begins = app.search.is_awaited();
    app.search.wait(next.is_none() && !is_over && side == Side::After);
    let last = places.len().saturating_sub(1);
    let round = match side {
        Side::After if !begins => 0,
        Side::After | Side::Before => last,
    };
    let n = match next {
        Some(n) => n,
        None if !is_over => {
            app.notice = Some(format!("searching for “{words}” …"));
            return;
        }
        None if places.is_empty() => {
            app.notice = Some(format!("“{words}” stands nowhere in this lane"));
            return;
        }
        None => round,
    };
    let Some(place) = places.get(n) else { return };
    jump::to_event(app, *place);
    let more = if is_over { "" } else { " so far" };
    let turned = if next.is_none() && !begins { ", round again" } else { "" };
    app.notice = Some(format!("“{words}” {} of {}{more}{turned}", n + 1, places.len()));
}
