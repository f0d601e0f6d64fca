//! Filters and folds of the time line.

use super::jump::{self, Side};
use crate::base::ids::EventIx;
use crate::ledger::rows::EventKind;
use crate::ui::app::{App, Chip, TimelineState};
use crate::ui::words;

/// Lists the rows again that filters and folds leave, if anything has changed.
pub(super) fn refresh(app: &mut App) {
    let Some(lane) = app.lane().cloned() else { return };
    let (sight, complete) = (app.sight(), app.assessment().is_some());
    let found = app.search.found(app.snapshot.epoch, app.lane).map_or(&[][..], |found| found.events);
    app.sieve.refresh(sight, &lane, app.judged.answer().filter(|_| complete), found);
}

/// Puts a filter in, or takes it out.
pub(super) fn turn(app: &mut App, chip: Chip) {
    if chip == Chip::Matches && app.search.words().is_none() {
        app.notice = Some("nothing has been searched for: / begins".to_owned());
        return;
    }
    app.sieve.turn(chip);
    refresh(app);
    app.notice = None;
}

/// Only calls of the tool of the selected row.
pub(super) fn turn_tool(app: &mut App) {
    let tool = app.lane().zip(app.selected()).and_then(|(lane, event)| {
        let row = lane.events.get(event.index()).filter(|row| row.kind == EventKind::Call)?;
        Some(lane.calls.get(row.call?.index())?.tool.clone())
    });
    let put = app.sieve.chips().find(|chip| matches!(chip, Chip::Tool(_))).cloned();
    match (put, tool) {
        (Some(chip), _) => turn(app, chip),
        (None, Some(tool)) => turn(app, Chip::Tool(tool)),
        (None, None) => app.notice = Some("this row is no call: its tool cannot be filtered by".to_owned()),
    }
}

/// Shows everything again.
pub(super) fn clear(app: &mut App) {
    app.notice = (!app.sieve.is_filtered()).then(|| "nothing is filtered".to_owned());
    app.sieve.clear();
    refresh(app);
}

/// Folds the turn of the selected row, or the one before if it is folded.
pub(super) fn fold(app: &mut App) {
    let Some(mut first) = app.selected().and_then(|event| app.turn_of(event)) else { return };
    if app.sieve.is_folded(first) {
        let Some(before) = first.0.checked_sub(1).and_then(|n| app.turn_of(EventIx(n))) else { return };
        first = before;
    }
    app.sieve.fold(first);
    refresh(app);
    stand(app, first);
}

/// Unfolds the turn of the selected row; of a call that launched a sub-agent, goes into its lane.
pub(super) fn unfold(app: &mut App) {
    let Some(event) = app.selected() else { return };
    let Some(first) = app.turn_of(event) else { return };
    if !app.sieve.is_folded(first) {
        match app.launched(event) {
            Some(lane) => {
                jump::leave_trail(app);
                jump::enter_lane(app, lane);
                app.timeline = TimelineState::default();
                app.notice = Some("the sub-agent that this call launched; backspace goes back".to_owned());
            }
            None => app.notice = Some("this turn is not folded, and this row launched no sub-agent".to_owned()),
        }
        return;
    }
    app.sieve.unfold(first);
    refresh(app);
}

/// Folds all turns, or unfolds them.
pub(super) fn turn_all(app: &mut App) {
    let Some(lane) = app.lane().cloned() else { return };
    app.sieve.turn_all(&lane);
    refresh(app);
    if let Some(first) = app.selected().and_then(|event| app.turn_of(event)) {
        stand(app, first);
    }
}

/// To the next prompt, over the turn that lies between.
pub(super) fn prompt(app: &mut App, side: Side) {
    let Some((lane, at)) = app.lane().cloned().zip(app.selected()) else { return };
    let prompts = lane.turns.iter().map(|turn| turn.first);
    let to = match side {
        Side::After => prompts.into_iter().find(|first| *first > at),
        Side::Before => prompts.rev().find(|first| *first < at),
    };
    match to {
        Some(to) => jump::to_event(app, to),
        None => app.notice = Some("no other prompt".to_owned()),
    }
}

/// Takes away whatever hides a row: nobody is led to one row and put on another.
pub(super) fn reveal(app: &mut App, row: EventIx) {
    let Some(lane) = app.lane().cloned() else { return };
    if app.sieve.rows(&lane).has(row) {
        return;
    }
    if let Some(first) = app.turn_of(row) {
        app.sieve.unfold(first);
        refresh(app);
    }
    if !app.sieve.rows(&lane).has(row) && app.sieve.is_filtered() {
        let lifted: Vec<String> = app.sieve.chips().map(words::chip).collect();
        app.sieve.clear();
        refresh(app);
        app.notice = Some(format!("shown again with all rows: it was hidden by the filter {}", lifted.join(", ")));
    }
}

/// Puts the cursor on the row that stands for a turn.
fn stand(app: &mut App, first: EventIx) {
    let Some(lane) = app.lane().cloned() else { return };
    let page = crate::ui::view::timeline_page(app, &app.layout());
    if let Some(row) = app.sieve.rows(&lane).nearest(first) {
        app.timeline.select(row, app.sieve.rows(&lane), page);
    }
}
