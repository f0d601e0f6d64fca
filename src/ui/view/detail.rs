//! The selected event, whole.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;
use crate::ui::app::{App, Tab};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::update::document_key;
use crate::ui::words;

/// Lines above the document: what the event is, and a gap.
const HEAD: u16 = 2;

/// Where the document stands.
fn text_area(area: Rect) -> Rect {
    let inner = inset(body(area), 1, 2);
    Rect { y: inner.y + inner.height.min(HEAD), height: inner.height.saturating_sub(HEAD), ..inner }
}

/// The lines that fit.
pub(crate) fn detail_page(layout: &Layout) -> usize {
    layout.tab(Tab::Detail).map_or(0, |area| usize::from(text_area(area).height))
}

/// The cells of a line; none while the pane is not shown.
pub(crate) fn detail_width(layout: &Layout) -> Option<u16> {
    layout.tab(Tab::Detail).map(|area| text_area(area).width)
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let (Some(lane), Some(_)) = (app.lane(), app.selected()) else {
        canvas.put(line_of(inset(body(area), 1, 1), 0), 0, Role::Dim, "Select an event on the time line to read it here.");
        return;
    };
    canvas.line(line_of(inset(body(area), 1, 1), 0), 0, &head(app, lane));
    let area = text_area(area);
    let Some(document) = document_key(app).and_then(|key| app.detail.document(&key)) else {
        // Until the worker answers, what the time line knows.
        let label = app.selected().and_then(|event| lane.labels.get(event.index())).map_or("", |label| label);
        canvas.put(line_of(area, 0), 0, Role::Text, label);
        return;
    };
    if document.lines.is_empty() {
        canvas.put(line_of(area, 0), 0, Role::Dim, "This event has no text.");
    }
    let page = usize::from(area.height);
    let first = app.detail.scroll.first(document.lines.len(), page);
    for (line, pieces) in lines_of(area).zip(document.lines.iter().skip(first)) {
        canvas.line(line, 0, pieces);
    }
    if document.lines.len() > page && page > 0 {
        scrollbar(area, first, document.lines.len(), canvas);
    }
}

/// What the event is, where it stands, and how much of the context it takes.
fn head(app: &App, lane: &LaneSnapshot) -> Vec<Piece<'static>> {
    let Some(row) = app.selected().and_then(|event| lane.events.get(event.index())) else { return Vec::new() };
    let call = row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);
    let who = call.map_or_else(|| words::who(row.kind).to_owned(), |call| words::tool(&call.tool).into_owned());
    let mut said: Vec<String> = row.at.map(|at| at.clock(&app.look.zone)).into_iter().collect();
    said.push(format!("line {}", row.place.line));
    if let Some((span, view)) = row.span.and_then(|span| Some((span, lane.spans.get(span.index())?))) {
        said.push(format!("turn {}, span {span}", view.turn));
    }
    if row.tokens > 0 {
        said.push(format!("~{} tok", words::tokens(u64::from(row.tokens))));
    }
    vec![Piece::new(Role::Strong, who), Piece::new(Role::Dim, format!("  {}", said.join(" · ")))]
}

fn scrollbar(area: Rect, first: usize, len: usize, canvas: &mut Canvas<'_>) {
    let page = usize::from(area.height);
    let column = Rect { x: area.right() + 1, width: 1, ..area };
    for (n, cell) in lines_of(column).enumerate() {
        let (from, to) = (n * len / page, (n + 1) * len / page);
        let seen = from < first + page && to > first;
        canvas.put(cell, 0, if seen { Role::Dim } else { Role::Rule }, if seen { "┃" } else { "│" });
    }
}
