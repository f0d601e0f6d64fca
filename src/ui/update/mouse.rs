//! The mouse: the wheel scrolls the pane under it, a click selects; on the rule of the time line it goes to a moment. The line of the
//! cut is dragged.

use std::cmp::Ordering;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::act::go_in;
use super::time;
use crate::base::ids::SpanIx;
use crate::ui::app::{App, CutLine, DryRunRow, Face, Help, Motion, Pane, Tab, cut, dry_run};
use crate::ui::layout::body;
use crate::ui::view::{dry_run_rows, timeline_page, track};

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
        (MouseEventKind::Drag(MouseButton::Left), Some((pane, last))) => return drag(app, pane, last, event.row),
        (MouseEventKind::Up(MouseButton::Left), Some(_)) => {
            app.dragged = None;
            return true;
        }
        _ => {}
    }
    let Some((pane, area)) = app.layout().pane_at(event.column, event.row).filter(|_| app.help == Help::Closed) else {
        return false;
    };
    match event.kind {
        MouseEventKind::ScrollDown => wheel(app, pane, NOTCH),
        MouseEventKind::ScrollUp => wheel(app, pane, -NOTCH),
        MouseEventKind::Down(MouseButton::Left) => press(app, pane, area, event),
        _ => return false,
    }
    true
}

/// Takes hold of the cut, goes to a moment, or selects a row.
fn press(app: &mut App, pane: Pane, area: Rect, event: MouseEvent) {
    app.dragged = (under(app, pane, event.row) == Some(Under::Cut)).then_some((pane, event.row));
    app.panes.focus(pane);
    if app.dragged.is_some() {
        return;
    }
    if pane == Pane::Timeline && track(area).contains((event.column, event.row).into()) {
        return time::seek(app, usize::from(event.column - track(area).x), usize::from(track(area).width));
    }
    match (pane, rows(app, pane)) {
        (Pane::Timeline, Some(rows)) => {
            let Some((lane, row)) = app.lane().cloned().zip(event.row.checked_sub(rows.y)) else { return };
            let page = timeline_page(app, &app.layout());
            let lines = app.timeline_lines(&lane, page);
            if let Some(CutLine::Event(event)) = lines.get(usize::from(row)) {
                app.timeline.select(*event, &lane, page);
            }
        }
        (Pane::Tab(Tab::DryRun), Some(rows)) => {
            let Some(row) = event.row.checked_sub(rows.y).filter(|row| *row < rows.height) else { return };
            select(app, usize::from(row), usize::from(rows.height));
        }
        _ => {}
    }
}

/// Selects a row of the dry run.
fn select(app: &mut App, row: usize, page: usize) {
    let (list, len) = match app.panes.face {
        Face::Policy => {
            let len = app.assessment().map_or(0, dry_run::count);
            (&mut app.dry_run, len)
        }
        Face::Versus => (&mut app.versus.list, app.versus.rows.len()),
        Face::All => {
            let len = app.survey.len();
            (&mut app.survey.list, len)
        }
    };
    let row = list.first(len, page) + row;
    if row < len {
        list.selected = row;
    }
}

/// Moves the cut over the span to which the pointer has come, in the direction in which it moves; at an edge the pane scrolls.
fn drag(app: &mut App, pane: Pane, last: u16, row: u16) -> bool {
    let Some(rows) = rows(app, pane).filter(|rows| rows.height > 0) else { return false };
    let (top, bottom) = (rows.y, rows.bottom() - 1);
    let way = match row {
        _ if row <= top => Ordering::Less,
        _ if row >= bottom => Ordering::Greater,
        _ => row.cmp(&last),
    };
    let row = row.clamp(top, bottom);
    app.dragged = Some((pane, row));
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

/// The rows of a pane that shows the cut.
fn rows(app: &App, pane: Pane) -> Option<Rect> {
    let layout = app.layout();
    match pane {
        Pane::Timeline => layout.timeline.map(body),
        Pane::Tab(Tab::DryRun) => layout.tab(Tab::DryRun).map(|area| dry_run_rows(area, app.panes.face)),
        Pane::Tab(_) | Pane::Pending => None,
    }
}

fn under(app: &App, pane: Pane, row: u16) -> Option<Under> {
    let rows = rows(app, pane)?;
    let n = usize::from(row.checked_sub(rows.y)?);
    let (lane, assessment) = (app.lane()?, app.assessment()?);
    match pane {
        Pane::Timeline => {
            let lines = app.timeline_lines(lane, timeline_page(app, &app.layout()));
            let cut = lines.iter().position(|line| matches!(line, CutLine::Cut(_)))?;
            match lines.get(n)? {
                CutLine::Cut(_) => Some(Under::Cut),
                CutLine::Event(event) => {
                    let span = lane.events.get(event.index())?.span?;
                    Some(if n < cut { Under::Above(span) } else { Under::Below(span) })
                }
            }
        }
        Pane::Tab(Tab::DryRun) if app.panes.face == Face::Policy => {
            let n = app.dry_run.first(dry_run::count(assessment), usize::from(rows.height)) + n;
            match dry_run::row(assessment, n)? {
                DryRunRow::Cut => Some(Under::Cut),
                DryRunRow::Span(span) if n < dry_run::cut_row(assessment) => Some(Under::Above(span)),
                DryRunRow::Span(span) => Some(Under::Below(span)),
                DryRunRow::SeveredHeading | DryRunRow::SpansHeading | DryRunRow::Severed(_) => None,
            }
        }
        _ => None,
    }
}

fn wheel(app: &mut App, pane: Pane, by: isize) {
    let page = timeline_page(app, &app.layout());
    match (pane, app.lane().cloned()) {
        (Pane::Timeline, Some(lane)) => app.timeline.scroll(by, &lane, page),
        _ => go_in(app, pane, Motion::Rows(by)),
    }
}
