//! Filters and folds of the time line.

use super::jump::{self, Side};
use super::timeline;
use crate::base::ids::EventIx;
use crate::ledger::rows::EventKind;
use crate::ui::app::{App, Chip};
use crate::ui::rows::Row;
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

/// Only rows like the selected one: calls of its tool, or events of its kind.
pub(super) fn turn_like(app: &mut App) {
    let put = app.sieve.chips().find(|chip| chip.is_of_row()).cloned();
    let like = app.lane().zip(app.selected()).and_then(|(lane, event)| {
        let row = lane.events.get(event.index())?;
        let call = row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);
        Some(call.map_or(Chip::Kind(row.kind), |call| Chip::Tool(call.tool.clone())))
    });
    if let Some(chip) = put.or(like) {
        turn(app, chip);
    }
}

/// Shows everything again.
pub(super) fn clear(app: &mut App) {
    app.notice = (!app.sieve.is_filtered()).then(|| "nothing is filtered".to_owned());
    app.sieve.clear();
    refresh(app);
}

/// Closes the sub-agent of the selected row; else folds its turn, or the one before if it is folded.
pub(super) fn fold(app: &mut App) {
    let Some((row, mut first)) = app.row().zip(app.selected().and_then(|event| app.turn_of(event))) else { return };
    if timeline::close(app, row) {
        return;
    }
    if app.sieve.is_folded(first) {
        let Some(before) = first.0.checked_sub(1).and_then(|n| app.turn_of(EventIx(n))) else { return };
        first = before;
    }
    app.sieve.fold(first);
    refresh(app);
    stand(app, first);
}

/// Unfolds the turn of the selected row; opens the sub-agent that its call launched, and goes into the lane of one that is open.
pub(super) fn unfold(app: &mut App) {
    let Some(event) = app.selected() else { return };
    let Some(first) = app.turn_of(event) else { return };
    if !app.sieve.is_folded(first) {
        return timeline::open(app);
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
    let row = Row { lane: app.lane, event: first };
    timeline::with_rows(app, |timeline, rows, page| {
        if let Some(row) = rows.nearest(row) {
            timeline.select(row, rows, page);
        }
    });
}
