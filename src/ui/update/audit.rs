//! From finding to finding, and along the chain of one: cause, boundary, what stands instead, what it cost.

use super::jump::{self, Side};
use crate::base::ids::{EntryId, EventIx};
use crate::ui::app::{App, Pane, Tab};
use crate::ui::words;

/// The audit, with the keys.
pub(crate) fn show(app: &mut App) {
    jump::leave_trail(app);
    app.panes.focus(Pane::Tab(Tab::Audit));
}

/// Puts the time line's cursor on the next link of the chain, round and round, and says what it is. The keys stay where they are.
pub(super) fn turn_link(app: &mut App, side: Side) {
    let chain = app.chain();
    let count = chain.len();
    let next = match (app.audit.link, side) {
        (None, Side::After) => 0,
        (Some(at), Side::After) => (at + 1) % count.max(1),
        (None | Some(0), Side::Before) => count.saturating_sub(1),
        (Some(at), Side::Before) => at - 1,
    };
    let link = chain.get(next).zip(app.lane());
    let Some((event, said)) = link.map(|(link, lane)| (link.event, words::station(lane, link))) else {
        app.notice = Some("no finding stands on this row".to_owned());
        return;
    };
    jump::to_event(app, event);
    app.audit.link = Some(next);
    app.notice = Some(format!("{said}, {} of {count} in its chain", next + 1));
}

/// The event of the link that the reader was led to last, at first of the chain's first.
pub(super) fn event(app: &App) -> Option<EventIx> {
    app.chain().get(app.audit.link.unwrap_or(0)).map(|link| link.event)
}

/// The entry of the selected finding.
pub(super) fn entry(app: &App) -> Option<EntryId> {
    let (_, finding) = app.audit.finding_at(app.audit.selected()?)?;
    finding.entry.as_ref().map(|entry| entry.id)
}
