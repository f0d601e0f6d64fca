//! The time line's rows, and the sub-agents among them.

use std::sync::Arc;

use super::jump;
use crate::base::ids::LaneIx;
use crate::ui::app::{App, TimelineState};
use crate::ui::rows::{Row, Tree};
use crate::ui::view;

/// Does something with the cursor, which needs to know the rows and how many of them fit.
pub(super) fn with_rows(app: &mut App, act: impl FnOnce(&mut TimelineState, Tree<'_>, usize)) {
    let page = view::timeline_page(app, &app.layout());
    let snapshot = Arc::clone(&app.snapshot);
    if let Some(rows) = Tree::of(&snapshot, app.lane, &app.sieve, &app.nested) {
        act(&mut app.timeline, rows, page);
    }
}

/// Opens the sub-agent that the call of the selected row launched, below it; goes into the lane of one that is open.
pub(super) fn open(app: &mut App) {
    let Some(row) = app.row() else { return };
    match app.launched(row).map(|(lane, _)| lane) {
        Some(_) if app.sieve.is_filtered() => {
            app.notice = Some("filters show the rows of one lane: 0 takes them away, l goes to the sub-agent".to_owned());
        }
        Some(lane) if !app.nested.is_open(lane) => app.nested.open(lane),
        Some(lane) => enter_lane(app, lane),
        None if row.lane != app.lane => enter(app),
        None => app.notice = Some("this turn is not folded, and this row launched no sub-agent".to_owned()),
    }
}

/// Closes the sub-agent of a row, or the one that its call launched, and puts the cursor on that call; whether there was one.
pub(super) fn close(app: &mut App, row: Row) -> bool {
    let launched = app.nested.launched(row).filter(|lane| app.nested.is_open(*lane));
    let Some(lane) = launched.or(Some(row.lane).filter(|lane| *lane != app.lane)) else { return false };
    let Some(call) = app.nested.launcher(lane) else { return false };
    // The cursor goes first: from a row that is gone nobody can tell how far it has to go.
    with_rows(app, |timeline, rows, page| timeline.select(call, rows, page));
    app.nested.close(lane);
    true
}

/// Goes to the selected row in the lane of its own sub-agent.
pub(super) fn enter(app: &mut App) {
    let Some(row) = app.row() else { return };
    enter_lane(app, row.lane);
    super::settle(app);
    with_rows(app, |timeline, rows, page| timeline.select(row, rows, page));
}

fn enter_lane(app: &mut App, lane: LaneIx) {
    jump::leave_trail(app);
    jump::enter_lane(app, lane);
    app.timeline = TimelineState::default();
    app.notice = Some("the lane of this sub-agent; backspace goes back".to_owned());
}
