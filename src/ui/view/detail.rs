//! The selected event, whole.

use std::borrow::Cow;
use std::sync::Arc;

use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::scrollbar;
use crate::base::text::{cut_end, width};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;
use crate::ui::actions::Action;
use crate::ui::app::{App, DetailFace, Tab, Tie, Wrap};
use crate::ui::document::{Block, Document, Tag, lay_out};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::{Mark, Piece};
use crate::ui::rows::Row;
use crate::ui::theme::Role;
use crate::ui::update::document_key;
use crate::ui::words;

/// Lines above the document: what the event is, and a gap.
const HEAD: u16 = 2;
/// Lines below a document that has regions: a gap, their kinds, and what is told of one.
const FOOT: u16 = 4;
/// So many findings that an event is part of are told.
const MOST_TIES: usize = 3;
/// Cells before the text: the letter of a region that begins here, and a gap.
const MARGIN: u16 = 2;

/// Where the document stands, and below it what is told of its regions.
fn areas(app: &App, area: Rect, tags: &[Tag]) -> (Rect, Option<Rect>) {
    let head = HEAD + u16::try_from(ties(app).len()).unwrap_or(0);
    let inner = inset(body(area), MARGIN, 2);
    let text = Rect { y: inner.y + inner.height.min(head), height: inner.height.saturating_sub(head), ..inner };
    if tags.is_empty() || text.height < 2 * FOOT {
        return (text, None);
    }
    let text = Rect { height: text.height - FOOT, ..text };
    (text, Some(Rect { y: text.bottom() + 1, height: FOOT - 1, ..text }))
}

/// What the event has to do with findings, the worst first.
fn ties(app: &App) -> &[Tie] {
    let own = app.row().filter(|row| row.lane == app.lane);
    let ties = own.map_or(&[][..], |row| app.audit.ties(row.event));
    ties.get(..MOST_TIES).unwrap_or(ties)
}

/// The document that is shown.
fn document(app: &App) -> Option<&Arc<Document>> {
    document_key(app).and_then(|key| app.detail.document(&key))
}

/// The lines that fit.
pub(crate) fn detail_page(app: &App, layout: &Layout) -> usize {
    let tags = document(app).map_or(&[][..], |document| &document.tags);
    layout.tab(Tab::Detail).map_or(0, |area| usize::from(areas(app, area, tags).0.height))
}

/// The region under a cell, by its place among those of the document.
pub(crate) fn region_at(app: &App, x: u16, y: u16) -> Option<usize> {
    let (area, document) = (app.layout().tab(Tab::Detail)?, document(app)?);
    let (text, _) = areas(app, area, &document.tags);
    if !text.contains((x, y).into()) {
        return None;
    }
    let first = app.detail.scroll.first(document.lines.len(), usize::from(text.height));
    let line = document.lines.get(first + usize::from(y - text.y))?;
    let cell = usize::from(x - text.x) + left(app);
    let mut end = 0;
    let under = line.iter().find(|piece| {
        end += piece.width();
        cell < end
    });
    let region = under?.mark?.region;
    document.tags.iter().position(|tag| tag.region == region)
}

/// The cells of a line; none while the pane is not shown.
pub(crate) fn detail_width(app: &App, layout: &Layout) -> Option<u16> {
    layout.tab(Tab::Detail).map(|area| areas(app, area, &[]).0.width)
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let head_line = line_of(inset(body(area), MARGIN, 1), 0);
    let Some((lane, row)) = app.looked_at() else {
        canvas.put(head_line, 0, Role::Dim, "Select an event on the time line to read it here.");
        return;
    };
    canvas.line(head_line, 0, &head(app, lane, row));
    for (n, tie) in ties(app).iter().enumerate() {
        canvas.put(
            line_of(inset(body(area), MARGIN, 1), n + 1),
            0,
            super::audit::severity(tie.severity).0,
            &words::tie(lane, *tie),
        );
    }
    let Some(document) = document(app) else {
        // Until the worker answers, what the time line knows.
        let label = lane.labels.get(row.event.index()).map_or("", |label| label);
        canvas.put(line_of(areas(app, area, &[]).0, 0), 0, Role::Text, label);
        return;
    };
    let (text, foot) = areas(app, area, &document.tags);
    if document.lines.is_empty() {
        canvas.put(line_of(text, 0), 0, Role::Dim, "This event has no text.");
    }
    let page = usize::from(text.height);
    let first = app.detail.scroll.first(document.lines.len(), page);
    let margin = Rect { x: area.x, ..text };
    let chosen = app.detail.region.and_then(|n| document.tags.get(n)).map(|tag| tag.region);
    for (n, (line, pieces)) in lines_of(text).zip(document.lines.iter().skip(first)).enumerate() {
        draw_pieces(app, pieces, chosen, line, canvas);
        let at = document.tags.partition_point(|tag| tag.line < first + n);
        let here = document.tags.iter().enumerate().skip(at).take_while(|(_, tag)| tag.line == first + n);
        // Of several that begin in one line, the one that is told about, else the first.
        if let Some((n, tag)) = here.min_by_key(|(n, _)| app.detail.region != Some(*n)) {
            let role = if app.detail.region == Some(n) { Role::Focus } else { Role::Dim };
            canvas.put(Rect { y: line.y, height: 1, ..margin }, 0, role, tag.letter);
        }
    }
    scrollbar(Rect { x: text.right() + 1, width: 1, ..text }, first, document.lines.len(), canvas);
    if let Some(foot) = foot {
        legend(&document.tags, line_of(foot, 0), canvas);
        let below = Rect { y: foot.y + 1, height: foot.height - 1, ..foot };
        told(app, &document.tags, below, canvas);
    }
}

/// The kinds of region that there are, each with its letter, as it is underlined, and how often.
fn legend(tags: &[Tag], line: Rect, canvas: &mut Canvas<'_>) {
    let mut kinds: Vec<(&Tag, usize)> = Vec::new();
    for tag in tags {
        match kinds.iter_mut().find(|(kind, _)| kind.name == tag.name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((tag, 1)),
        }
    }
    let mut x = 0;
    for (tag, count) in kinds {
        let mark = Some(Mark { region: 0, role: tag.role });
        x = canvas.put(line, x, Role::Dim, &format!("{} ", tag.letter));
        x = canvas.line(line, x, &[Piece::new(Role::Text, tag.name).marked(mark)]);
        x = canvas.put(line, x, Role::Dim, &format!(" {count}   "));
    }
}

/// What is known of the region that was turned to, its rule among that.
fn told(app: &App, tags: &[Tag], area: Rect, canvas: &mut Canvas<'_>) {
    let line = match app.detail.region.and_then(|n| Some((n, tags.get(n)?))) {
        Some((n, tag)) => vec![
            Piece::new(Role::Strong, format!("{} {} of {}", tag.name, n + 1, tags.len())),
            Piece::new(Role::Text, format!("  {}", tag.told)),
        ],
        None => {
            let key = app.look.keymap.chords(Action::NextRegion).first().map(ToString::to_string).unwrap_or_default();
            vec![Piece::new(Role::Dim, format!("{key}, or the mouse over one, tells which rule tagged it"))]
        }
    };
    let told = lay_out(&[Block::Text { line, hang: 2 }], usize::from(area.width), None);
    for (line, pieces) in lines_of(area).zip(&told.lines) {
        canvas.line(line, 0, pieces);
    }
}

/// Draws a line of a document; the region that was turned to stands out.
fn draw_pieces(app: &App, pieces: &[Piece<'_>], chosen: Option<u16>, line: Rect, canvas: &mut Canvas<'_>) {
    let pieces = shifted(pieces, left(app));
    let mut x = 0;
    for piece in &*pieces {
        let after = canvas.line(line, x, std::slice::from_ref(piece));
        if piece.mark.is_some_and(|mark| Some(mark.region) == chosen) {
            canvas.patch_cells(line, x..after, Role::Selected);
        }
        x = after;
    }
    let Some(words) = &app.detail.wanted else { return };
    let text: String = pieces.iter().map(|piece| &*piece.text).collect();
    for (at, found) in text.to_lowercase().match_indices(words.as_str()) {
        // Where small letters are longer than their capitals, nothing is marked rather than something else.
        if let Some(before) = text.get(..at) {
            let start = width(before);
            canvas.patch_cells(line, start..start + width(found), Role::Selected);
        }
    }
}

/// The cells of each line that lie to the left of the pane.
fn left(app: &App) -> usize {
    match app.detail.wrap {
        Wrap::Wrapped => 0,
        Wrap::Long { left } => left,
    }
}

/// A line without the cells to the left of the pane.
fn shifted<'p>(pieces: &'p [Piece<'p>], mut left: usize) -> Cow<'p, [Piece<'p>]> {
    if left == 0 {
        return Cow::Borrowed(pieces);
    }
    let mut rest = Vec::new();
    for piece in pieces {
        let mut text = &*piece.text;
        while left > 0
            && let Some(cluster) = text.graphemes(true).next()
        {
            left = left.saturating_sub(width(cluster));
            text = text.get(cluster.len()..).unwrap_or_default();
        }
        if !text.is_empty() {
            rest.push(piece.part(text));
        }
    }
    Cow::Owned(rest)
}

/// What the event is, where it stands, and how much of the context it takes.
fn head(app: &App, lane: &LaneSnapshot, at: Row) -> Vec<Piece<'static>> {
    let Some(row) = lane.events.get(at.event.index()) else { return Vec::new() };
    let call = row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);
    let who = call.map_or_else(|| words::who(row.kind).to_owned(), |call| words::tool(&call.tool).into_owned());
    let mut said: Vec<String> = row.at.map(|at| at.clock(&app.look.zone)).into_iter().collect();
    said.extend((at.lane != app.lane).then(|| format!("in {}", cut_end(&lane.name, 16))));
    said.push(format!("line {}", row.place.line));
    if row.tokens > 0 {
        said.push(format!("~{} tok", words::tokens(u64::from(row.tokens))));
    }
    if let Some((span, view)) = row.span.and_then(|span| Some((span, lane.spans.get(span.index())?))) {
        said.push(format!("turn {}, span {span}", view.turn));
    }
    if app.detail.form.face == DetailFace::Record {
        said.push("as it stands in the file".to_owned());
    }
    vec![Piece::new(Role::Strong, who), Piece::new(Role::Dim, format!("  {}", said.join(" · ")))]
}
