//! From entry to entry, and to the events that they cite.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::audit;
use super::dry_run;
use super::jump::{self, Side};
use crate::base::ids::{EntryId, EventIx};
use crate::ledger::entry::Entry;
use crate::ledger::graph::{self, Graph, Node};
use crate::ui::app::{App, Pane, Tab, why};
use crate::ui::words;

/// What of the ledger's list a key turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Breadth,
    Kind,
    Status,
    Sort,
}

/// Sorts or filters the ledger's list another way.
pub(super) fn turn(app: &mut App, what: Turn, steps: isize) {
    match what {
        Turn::Breadth => app.ledger.turn_breadth(),
        Turn::Kind => app.ledger.turn_kind(steps),
        Turn::Status => app.ledger.turn_status(steps),
        Turn::Sort => app.ledger.turn_sort(steps),
    }
}

/// The graph of the entry under the cursor.
pub(super) fn graph(app: &mut App) {
    match under_cursor(app) {
        Some(id) => look_at(app, id),
        None => app.notice = Some("no entry stands on this row: e lists them all".to_owned()),
    }
}

/// The whole event with which the entry under the ledger's cursor opened.
pub(super) fn open(app: &mut App) {
    match jump::under_cursor(app) {
        Some(event) => to_detail(app, event),
        None => app.notice = Some("no entry to open".to_owned()),
    }
}

/// One step over the graph: an entry comes to its middle, an event is shown whole, and so is what the middle opened with.
pub(super) fn walk(app: &mut App) {
    match app.graph.node() {
        Some(Node::Entry(id)) if app.graph.centre != Some(id) => look_at(app, id),
        Some(node) => {
            if let Some(event) = event_of(app, node) {
                to_detail(app, event);
            }
        }
        None => app.notice = Some("not every neighbour is shown: n and u turn through all of them".to_owned()),
    }
}

/// The next event that shows the entry under the cursor.
pub(super) fn evidence(app: &mut App, side: Side) {
    let Some(entry) = entry_under_cursor(app) else { return none(app) };
    let mut events: Vec<EventIx> = entry.evidence.clone();
    events.extend(entry.history.iter().map(|(event, _)| *event));
    turn_through(app, &entry, events, side, "evidence");
}

/// The next thing that came of the entry under the cursor: where it opened, or the event that did it.
pub(super) fn dependent(app: &mut App, side: Side) {
    let (Some(entry), Some(lane)) = (entry_under_cursor(app), app.lane().cloned()) else { return none(app) };
    let at = lane.end().unwrap_or_default();
    let around = Graph::of(&lane, app.bindings()).around(&lane, Node::Entry(entry.id), at);
    let effects = around.into_iter().filter(|(on, _)| *on == graph::Side::Effect);
    let across = effects.map(|(_, link)| if link.from == Node::Entry(entry.id) { Node::Entry(link.to) } else { link.from });
    let events = across.filter_map(|node| event_of(app, node)).collect();
    turn_through(app, &entry, events, side, "effect");
}

/// Where a node stands: its event, or that with which its entry opened.
pub(super) fn event_of(app: &App, node: Node) -> Option<EventIx> {
    match node {
        Node::Event(event) => Some(event),
        Node::Entry(id) => app.glance(id).map(|glance| glance.opened),
    }
}

/// Puts the time line's cursor on the next of some events, round and round, and says which one it is. The keys stay where they are.
fn turn_through(app: &mut App, entry: &Entry, events: Vec<EventIx>, side: Side, what: &str) {
    let Some(lane) = app.lane().cloned() else { return };
    let rows: BTreeSet<EventIx> = events.into_iter().filter_map(|event| crate::ui::rows::row_of(&lane, event)).collect();
    let rows: Vec<EventIx> = rows.into_iter().collect();
    let Some(at) = app.selected() else { return };
    let next = match side {
        Side::After => rows.iter().position(|event| *event > at).unwrap_or(0),
        Side::Before => rows.iter().rposition(|event| *event < at).unwrap_or(rows.len().saturating_sub(1)),
    };
    let Some(event) = rows.get(next).copied() else {
        app.notice = Some(format!("{}: nothing has come of it yet", entry.id));
        return;
    };
    jump::to_event(app, event);
    let line = lane.events.get(event.index()).map_or(0, |row| row.place.line);
    app.notice = Some(format!(
        "{} {}: {what} {} of {}, line {line}",
        entry.id,
        words::kind_of(&lane, entry.kind, entry.opened.event),
        next + 1,
        rows.len()
    ));
}

fn look_at(app: &mut App, id: EntryId) {
    jump::leave_trail(app);
    app.graph.centre = Some(id);
    app.panes.focus(Pane::Tab(Tab::Graph));
}

fn to_detail(app: &mut App, event: EventIx) {
    jump::leave_trail(app);
    jump::to_event(app, event);
    app.panes.focus(Pane::Tab(Tab::Detail));
}

fn none(app: &mut App) {
    app.notice = Some("no entry stands on this row".to_owned());
}

fn entry_under_cursor(app: &App) -> Option<Arc<Entry>> {
    app.entry(under_cursor(app)?)
}

/// The entry that the selected row stands for.
pub(super) fn under_cursor(app: &App) -> Option<EntryId> {
    match app.panes.focus {
        Pane::Timeline | Pane::Tab(Tab::Detail) => of_event(app, app.selected()?),
        Pane::Tab(Tab::Why) => why(app).entries().get(app.why.selected).copied(),
        Pane::Tab(Tab::DryRun) => dry_run::entry(app),
        Pane::Tab(Tab::Ledger) => app.ledger.selected(),
        Pane::Tab(Tab::Audit) => audit::entry(app),
        Pane::Tab(Tab::Change) => app.change.selected().map(|entry| entry.id),
        Pane::Tab(Tab::Graph) => match app.graph.node() {
            Some(Node::Entry(id)) => Some(id),
            _ => app.graph.centre,
        },
        Pane::Pending => app.pending.selected().map(|row| row.entry),
    }
}

/// The entry that an event stands for: the weightiest that touches its span and opened with it, else its call's own.
fn of_event(app: &App, event: EventIx) -> Option<EntryId> {
    let lane = app.lane()?;
    let row = lane.events.get(event.index())?;
    let reasons = row.span.and_then(|span| app.assessment()?.span(span)).map(|view| view.reasons).unwrap_or_default();
    let own = row.call.and_then(|call| lane.calls.get(call.index()));
    let here = |id: &EntryId| {
        app.glance(*id).is_some_and(|glance| {
            glance.opened == event || own.is_some_and(|call| call.ended().is_some_and(|end| end.event == glance.opened))
        })
    };
    reasons.iter().copied().find(here).or(own.map(|call| call.entry)).or_else(|| reasons.first().copied())
}
