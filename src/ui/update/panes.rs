//! How the panes lie: wider, taller, hidden; by keys and by the mouse, and remembered.

use ratatui::layout::Rect;

use crate::ui::app::App;
use crate::ui::layout::Layout;
use crate::ui::msg::Effect;

/// Which edge is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    /// The one between the time line and the tabs.
    Width,
    /// The one above the pending calls.
    Height,
}

/// Percent, and rows, of one key.
const SHARE: isize = 4;
const ROWS: isize = 1;

/// Moves an edge by so many steps.
pub(super) fn resize(app: &mut App, dimension: Dimension, steps: isize) {
    let layout = app.layout();
    let arrangement = &mut app.panes.arrangement;
    match (dimension, layout.timeline.zip(layout.tabs.first()), layout.pending) {
        (Dimension::Width, Some((timeline, _)), _) => {
            let share = usize::from(timeline.width) * 100 / usize::from(app.size.width.max(1));
            arrangement.timeline = percent(share.saturating_add_signed(steps * SHARE));
        }
        (Dimension::Height, _, Some(pending)) => {
            let rows = usize::from(pending.height).saturating_sub(2).saturating_add_signed(steps * ROWS);
            arrangement.pending = u16::try_from(rows.max(1)).ok();
        }
        (Dimension::Width, None, _) => return tell(app, "one pane is shown here: from 120 columns on there are two"),
        (Dimension::Height, _, None) => return tell(app, "the pending calls are not shown here"),
    }
    remember(app);
}

/// Puts an edge where the mouse has taken it.
pub(super) fn drag(app: &mut App, dimension: Dimension, column: u16, row: u16) {
    let Layout { pending, .. } = app.layout();
    match dimension {
        Dimension::Width => {
            app.panes.arrangement.timeline = percent(usize::from(column) * 100 / usize::from(app.size.width.max(1)));
        }
        Dimension::Height => {
            let bottom = pending.map_or(app.size.height, Rect::bottom);
            app.panes.arrangement.pending = Some(bottom.saturating_sub(row + 2).max(1));
        }
    }
}

/// Hides a pane, or shows it again.
pub(super) fn hide(app: &mut App, dimension: Dimension) {
    let arrangement = &mut app.panes.arrangement;
    match dimension {
        Dimension::Width => arrangement.tabs = arrangement.tabs.turned(),
        Dimension::Height => arrangement.calls = arrangement.calls.turned(),
    }
    remember(app);
}

/// Asks for it to be remembered.
pub(super) fn remember(app: &mut App) {
    app.outbox.push(Effect::Remember(app.panes.arrangement));
}

fn percent(share: usize) -> Option<u16> {
    u16::try_from(share.clamp(25, 75)).ok()
}

fn tell(app: &mut App, told: &str) {
    app.notice = Some(told.to_owned());
}
