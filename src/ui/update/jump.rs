//! Jumps to what matters, and the way back.

use crate::base::ids::{BoundaryIx, EventIx, LaneIx};
use crate::ui::actions::Action;
use crate::ui::app::{App, Pane, Spot, Tab, why};
use crate::ui::rows::{self, Row};
use crate::ui::update::timeline;
use crate::ui::words;

/// So many steps back are remembered.
const LONGEST_TRAIL: usize = 100;

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The next span that must stay verbatim.
pub(super) fn barrier(app: &mut App, side: Side) {
    let Some(events) = app.assessment().map(|assessment| assessment.barriers.clone()) else {
        app.notice = Some("nothing is judged yet".to_owned());
        return;
    };
    among(app, side, events, "barrier", "no barrier: nothing here can still change unobserved");
}

/// The next open call or effect in doubt.
pub(super) fn open_call(app: &mut App, side: Side) {
    let events = app.pending.rows.iter().map(|row| row.event).collect();
    among(app, side, events, "open call", "nothing is open: no call without a result, no effect in doubt");
}

/// The next compaction that happened.
pub(super) fn boundary(app: &mut App, side: Side) {
    let events = app.lane().map(|lane| lane.boundaries.iter().map(|b| b.event).collect()).unwrap_or_default();
    among(app, side, events, "compaction", "no compaction in this session: * shows what each policy would drop now");
    // Where its row is all that is seen of it, what it lost is said.
    if app.layout().tab(Tab::Why).is_none()
        && let Some(told) = lost_here(app)
    {
        app.notice = Some(app.notice.take().map_or_else(|| told.clone(), |round| format!("{round}: {told}")));
    }
}

/// What the compaction under the time line's cursor has lost, and the key that tells it.
fn lost_here(app: &App) -> Option<String> {
    let (lane, event) = (app.lane()?, app.selected()?);
    let at = lane.boundaries.binary_search_by_key(&event, |boundary| boundary.event).ok()?;
    let ix = BoundaryIx::from_index(at);
    let key = app.look.keymap.chords(Action::Audit).first().map(ToString::to_string).unwrap_or_default();
    let audit = app.audit.boundary(ix)?;
    let lost = match audit.findings.len() {
        0 if audit.kept_all() => "nothing was lost".to_owned(),
        0 => "no finding".to_owned(),
        n => format!("{}, {key} tells them", words::counted(n, "finding")),
    };
    Some(format!("{}, {lost}", words::boundary(lane, ix)))
}

/// To the first reason of the verdict, with its explanation in front.
pub(super) fn first_reason(app: &mut App) {
    let reason = app.assessment().and_then(|a| a.judgement.reasons.first()).map(|reason| reason.entry);
    let Some((entry, event)) = reason.and_then(|id| Some((id, app.entry(id)?.opened.event))) else {
        app.notice = Some("the verdict has no reason to show: nothing stands in the way".to_owned());
        return;
    };
    to_event(app, event);
    app.panes.focus(Pane::Tab(Tab::Why));
    app.why.selected = why(app).entries().iter().position(|id| *id == entry).unwrap_or(0);
}

/// Puts the time line's cursor on an event, and remembers where it came from.
pub(super) fn to_event(app: &mut App, event: EventIx) {
    let Some(lane) = app.lane().cloned() else { return };
    let Some(row) = rows::row_of(&lane, event) else { return };
    let to = Row { lane: app.lane, event: row };
    if app.row() == Some(to) {
        return;
    }
    leave_trail(app);
    super::sieve::reveal(app, row);
    timeline::with_rows(app, |timeline, rows, page| timeline.select(to, rows, page));
}

/// The event that the selected row of the pane in focus stands for.
pub(super) fn under_cursor(app: &App) -> Option<EventIx> {
    match app.panes.focus {
        Pane::Timeline | Pane::Tab(Tab::Detail) => app.selected(),
        Pane::Tab(Tab::Why) => {
            let entry = why(app).entries().get(app.why.selected).and_then(|id| app.entry(*id));
            entry.map(|entry| entry.opened.event).or(app.selected())
        }
        Pane::Tab(Tab::DryRun) => super::dry_run::event(app),
        Pane::Tab(Tab::Ledger) => app.ledger.rows.get(app.ledger.list.selected).map(|row| row.opened),
        Pane::Tab(Tab::Audit) => super::audit::event(app),
        Pane::Tab(Tab::Change) => app.change.selected().map(|entry| entry.opened.event),
        Pane::Tab(Tab::Graph) => super::entries::event_of(app, app.graph.node()?),
        Pane::Pending => app.pending.selected().map(|row| row.event),
    }
}

/// Remembers this place.
pub(super) fn leave_trail(app: &mut App) {
    let spot = app.spot();
    if app.trail.last() == Some(&spot) {
        return;
    }
    if app.trail.len() >= LONGEST_TRAIL {
        app.trail.remove(0);
    }
    app.trail.push(spot);
}

/// Back the way the reader came.
pub(super) fn back(app: &mut App) {
    match app.trail.pop() {
        Some(Spot { lane, moment, timeline, panes, entry, centre }) => {
            enter_lane(app, lane);
            app.time.moment = moment;
            app.show_moment();
            (app.timeline, app.panes, app.graph.centre) = (timeline, panes, centre);
            app.ledger.list.selected = app.ledger.rows.iter().position(|row| Some(row.id) == entry).unwrap_or(0);
        }
        None => app.notice = Some("this is where you started".to_owned()),
    }
}

/// Shows another lane.
pub(super) fn enter_lane(app: &mut App, lane: LaneIx) {
    if app.lane != lane {
        app.time.moment = app.moment_in(lane);
        app.lane = lane;
        app.judged.question.cut = None;
        app.sieve.forget();
        app.change.mark = None;
        app.show_moment();
    }
}

/// To the nearest of some events on one side of the cursor, round the end of the session if need be, or says that there is none.
fn among(app: &mut App, side: Side, mut events: Vec<EventIx>, what: &str, none: &str) {
    events.sort_unstable();
    let Some(at) = app.selected() else { return };
    let (near, far, round) = match side {
        Side::After => (events.iter().find(|event| **event > at), events.first(), "first"),
        Side::Before => (events.iter().rev().find(|event| **event < at), events.last(), "last"),
    };
    let Some(event) = near.or(far) else {
        app.notice = Some(none.to_owned());
        return;
    };
    if *event == at {
        app.notice = Some(format!("no other {what}"));
        return;
    }
    if near.is_none() {
        app.notice = Some(format!("round the end, to the {round} {what}"));
    }
    to_event(app, *event);
    if app.layout().timeline.is_none() {
        app.panes.focus(Pane::Timeline);
    }
}
