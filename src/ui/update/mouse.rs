//! The mouse: the wheel scrolls the pane under it, a click selects; on the rule of the time line it goes to a moment.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::act::go_in;
use super::time;
use crate::ui::app::{App, Help, Motion, Pane};
use crate::ui::layout::body;
use crate::ui::view::track;

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// Takes one event; whether anything changed.
pub(super) fn mouse(app: &mut App, event: MouseEvent) -> bool {
    let Some((pane, area)) = app.layout().pane_at(event.column, event.row).filter(|_| app.help == Help::Closed) else {
        return false;
    };
    match event.kind {
        MouseEventKind::ScrollDown => wheel(app, pane, NOTCH),
        MouseEventKind::ScrollUp => wheel(app, pane, -NOTCH),
        MouseEventKind::Down(MouseButton::Left) => {
            app.panes.focus(pane);
            if pane == Pane::Timeline && track(area).contains((event.column, event.row).into()) {
                time::seek(app, usize::from(event.column - track(area).x), usize::from(track(area).width));
                return true;
            }
            let row = event.row.checked_sub(body(area).y).map(usize::from);
            if let (Pane::Timeline, Some(row), Some(lane)) = (pane, row, app.lane().cloned()) {
                let height = usize::from(body(area).height);
                let target = app.timeline.window(&lane, height).get(row).copied();
                target.into_iter().for_each(|event| app.timeline.select(event, &lane, height));
            }
        }
        _ => return false,
    }
    true
}

fn wheel(app: &mut App, pane: Pane, by: isize) {
    let height = app.layout().timeline.map_or(0, |area| usize::from(body(area).height));
    match (pane, app.lane().cloned()) {
        (Pane::Timeline, Some(lane)) => app.timeline.scroll(by, &lane, height),
        _ => go_in(app, pane, Motion::Rows(by)),
    }
}
