//! The mouse: the wheel scrolls the pane under it, a click selects a row, or a tab by its title; on the rule of the time line it goes to
//! a moment. The line of the cut is dragged. A region is told of while the pointer is over it.

use std::cmp::Ordering;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::act::{self, go_in};
use super::panes::{self, Dimension};
use super::{jump, time, timeline};
use crate::base::ids::SpanIx;
use crate::ui::app::{App, CutLine, Dragged, DryRunRow, Face, Help, Motion, Pane, Tab, cut};
use crate::ui::view::{minimap_at, region_at, rows_of, tab_at, timeline_page, track};

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// What lies under the pointer, in a pane that shows the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Under {
    Cut,
    /// A row of a span above the cut's line.
    Above(SpanIx),
    /// A row of a span below it.
    Below(SpanIx),
}

/// Takes one event; whether anything changed.
pub(super) fn mouse(app: &mut App, event: MouseEvent) -> bool {
    match (event.kind, app.dragged) {
        (MouseEventKind::Drag(MouseButton::Left), Some(Dragged::Cut(pane, last))) => return drag(app, pane, last, event.row),
        (MouseEventKind::Drag(MouseButton::Left), Some(Dragged::Side)) => {
            panes::drag(app, Dimension::Width, event.column, event.row);
            return true;
        }
        (MouseEventKind::Drag(MouseButton::Left), Some(Dragged::Foot)) => {
            panes::drag(app, Dimension::Height, event.column, event.row);
            return true;
        }
        (MouseEventKind::Up(MouseButton::Left), Some(held)) => {
            app.dragged = None;
            if !matches!(held, Dragged::Cut(..)) {
                panes::remember(app);
            }
            return true;
        }
        _ => {}
    }
    if app.help != Help::Closed {
        return turned(event).map(|by| act::go(app, Motion::Rows(by))).is_some();
    }
    let Some((pane, area)) = app.layout().pane_at(event.column, event.row) else {
        return false;
    };
    match event.kind {
        MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => wheel(app, pane, turned(event).unwrap_or_default()),
        MouseEventKind::Down(MouseButton::Left) => press(app, pane, area, event),
        MouseEventKind::Moved => return hover(app, event),
        _ => return false,
    }
    true
}

/// By how many rows a notch of the wheel moves; none: it was not the wheel.
pub(super) fn turned(event: MouseEvent) -> Option<isize> {
    match event.kind {
        MouseEventKind::ScrollDown => Some(NOTCH),
        MouseEventKind::ScrollUp => Some(-NOTCH),
        _ => None,
    }
}

/// Takes hold of the cut, goes to a moment, turns to a tab, or selects a row.
fn press(app: &mut App, pane: Pane, area: Rect, event: MouseEvent) {
    app.dragged = held(app, pane, area, event);
    if let Some(tab) = tab_at(&app.layout(), event.column, event.row) {
        return app.panes.focus(Pane::Tab(tab));
    }
    app.panes.focus(pane);
    if app.dragged.is_some() {
        return;
    }
    if let Some(event) = minimap_at(app, event.column, event.row) {
        return jump::to_event(app, event);
    }
    if pane == Pane::Timeline && track(area).contains((event.column, event.row).into()) {
        return time::seek(app, usize::from(event.column - track(area).x), usize::from(track(area).width));
    }
    let Some(rows) = rows_of(app, pane) else { return };
    let Some(row) = event.row.checked_sub(rows.y).filter(|row| *row < rows.height) else { return };
    if pane == Pane::Timeline {
        let Some(lane) = app.lane().cloned() else { return };
        let page = timeline_page(app, &app.layout());
        let lines = app.timeline_lines(&lane, page);
        if let Some(CutLine::Event(row)) = lines.get(usize::from(row)) {
            timeline::with_rows(app, |timeline, rows, page| timeline.select(*row, rows, page));
        }
    } else if let Some((list, len)) = app.list(pane) {
        let row = list.first(len, usize::from(rows.height)) + usize::from(row);
        // As if the keys had gone there, with all that follows from it.
        if row < len {
            go_in(app, pane, Motion::Rows(row.cast_signed() - list.selected.cast_signed()));
        }
    }
}

/// Tells of the region under the pointer.
fn hover(app: &mut App, event: MouseEvent) -> bool {
    let region = region_at(app, event.column, event.row).filter(|region| app.detail.region != Some(*region));
    if region.is_some() {
        app.detail.region = region;
    }
    region.is_some()
}

/// What the pointer takes hold of.
fn held(app: &App, pane: Pane, area: Rect, event: MouseEvent) -> Option<Dragged> {
    if under(app, pane, event.row) == Some(Under::Cut) {
        return Some(Dragged::Cut(pane, event.row));
    }
    let layout = app.layout();
    match pane {
        Pane::Pending if event.row == area.y && layout.timeline.is_some_and(|timeline| timeline.y < area.y) => Some(Dragged::Foot),
        Pane::Tab(_) if layout.timeline.is_some_and(|timeline| timeline.right() == event.column) => Some(Dragged::Side),
        _ => None,
    }
}

/// Moves the cut over the span to which the pointer has come, in the direction in which it moves; at an edge the pane scrolls.
fn drag(app: &mut App, pane: Pane, last: u16, row: u16) -> bool {
    let Some(rows) = rows_of(app, pane).filter(|rows| rows.height > 0) else { return false };
    let (top, bottom) = (rows.y, rows.bottom() - 1);
    let way = match row {
        _ if row <= top => Ordering::Less,
        _ if row >= bottom => Ordering::Greater,
        _ => row.cmp(&last),
    };
    let row = row.clamp(top, bottom);
    app.dragged = Some(Dragged::Cut(pane, row));
    if row == top || row == bottom {
        wheel(app, pane, if way == Ordering::Less { -1 } else { 1 });
    }
    let Some(assessment) = app.assessment() else { return false };
    let to = match (under(app, pane, row), way) {
        (Some(Under::Below(span)), Ordering::Greater) => Some(cut::after(assessment, span)),
        (Some(Under::Above(span)), Ordering::Less) => Some(cut::before(assessment, span)),
        _ => None,
    };
    if to.is_some() {
        app.judged.question.cut = to;
    }
    true
}

fn under(app: &App, pane: Pane, row: u16) -> Option<Under> {
    let rows = rows_of(app, pane)?;
    let n = usize::from(row.checked_sub(rows.y)?);
    let (lane, assessment) = (app.lane()?, app.assessment()?);
    match pane {
        Pane::Timeline => {
            let lines = app.timeline_lines(lane, timeline_page(app, &app.layout()));
            let cut = lines.iter().position(|line| matches!(line, CutLine::Cut(_)))?;
            match lines.get(n)? {
                CutLine::Cut(_) => Some(Under::Cut),
                CutLine::Event(row) => {
                    let span = lane.events.get(app.in_lane(*row)?.index())?.span?;
                    Some(if n < cut { Under::Above(span) } else { Under::Below(span) })
                }
            }
        }
        Pane::Tab(Tab::DryRun) if app.panes.face == Face::Policy => {
            let n = app.dry_run.list.first(app.dry_run.rows.len(), usize::from(rows.height)) + n;
            match *app.dry_run.rows.get(n)? {
                DryRunRow::Cut => Some(Under::Cut),
                DryRunRow::Span(span) if span < assessment.judgement.cut => Some(Under::Above(span)),
                DryRunRow::Span(span) => Some(Under::Below(span)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn wheel(app: &mut App, pane: Pane, by: isize) {
    match pane {
        Pane::Timeline => timeline::with_rows(app, |timeline, rows, page| timeline.scroll(by, rows, page)),
        _ => go_in(app, pane, Motion::Rows(by)),
    }
}
