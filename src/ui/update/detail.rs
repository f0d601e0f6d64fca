//! The event that is shown whole: its form, its regions, and what is looked for in it.

use std::sync::Arc;

use super::jump::Side;
use crate::ui::app::{App, DetailFace, LONG_LINE, Pane, Tab, Wrap};
use crate::ui::document::{Document, NARROWEST};
use crate::ui::view;

/// Cells of one step sideways.
const SIDEWAYS: usize = 8;

fn document(app: &App) -> Option<Arc<Document>> {
    super::document_key(app).and_then(|key| app.detail.document(&key)).cloned()
}

/// Read, or as it stands in the file.
pub(super) fn turn_record(app: &mut App) {
    app.detail.form.face = match app.detail.form.face {
        DetailFace::Read => DetailFace::Record,
        DetailFace::Record => DetailFace::Read,
    };
    (app.detail.scroll, app.detail.region) = Default::default();
    app.panes.focus(Pane::Tab(Tab::Detail));
}

/// Lines that go on in the next one, or long ones.
pub(super) fn turn_wrap(app: &mut App) {
    app.detail.wrap = match app.detail.wrap {
        Wrap::Wrapped => Wrap::Long { left: 0 },
        Wrap::Long { .. } => Wrap::Wrapped,
    };
}

/// Whether lines of so many cells are wide enough for a change in two columns, and not so long that nobody sees both.
pub(super) fn has_room(width: u16) -> bool {
    (NARROWEST..LONG_LINE).contains(&width)
}

/// Changes in two columns, or in one.
pub(super) fn turn_columns(app: &mut App) {
    let width = view::detail_width(app, &app.layout()).unwrap_or(0);
    app.notice = match app.detail.wrap {
        Wrap::Long { .. } => Some("lines are long here: W wraps them, and two columns have room".to_owned()),
        Wrap::Wrapped if !has_room(width) => {
            Some(format!("two columns need {NARROWEST} cells, here are {width}: z gives this pane the whole screen"))
        }
        Wrap::Wrapped => {
            app.panes.arrangement.changes = app.panes.arrangement.changes.turned();
            super::panes::remember(app);
            None
        }
    };
}

/// To one side, where lines are long.
pub(super) fn shift(app: &mut App, side: Side) {
    match &mut app.detail.wrap {
        Wrap::Long { left } => {
            *left = match side {
                Side::Before => left.saturating_sub(SIDEWAYS),
                Side::After => (*left + SIDEWAYS).min(usize::from(LONG_LINE)),
            };
        }
        Wrap::Wrapped => app.notice = Some("lines are wrapped here: W shows them long".to_owned()),
    }
}

/// One level of JSON more, or less.
pub(super) fn level(app: &mut App, side: Side) {
    let levels = &mut app.detail.form.levels;
    *levels = match side {
        Side::Before => levels.saturating_sub(1),
        Side::After => levels.saturating_add(1),
    };
}

/// To the next place of what is looked for in the event, where something is; else to its next region. Round and round.
pub(super) fn next(app: &mut App, side: Side) {
    match app.detail.wanted.clone() {
        Some(words) => place(app, &words, side),
        None => region(app, side),
    }
}

/// Looks for words in the event.
pub(super) fn find(app: &mut App, words: &str) {
    app.detail.wanted = Some(words.to_lowercase()).filter(|words| !words.is_empty());
    if app.detail.wanted.is_some() {
        next(app, Side::After);
    }
}

fn place(app: &mut App, words: &str, side: Side) {
    let Some(document) = document(app) else { return };
    let lines: Vec<usize> = document.places(words).collect();
    let page = view::detail_page(app, &app.layout());
    let here = app.detail.place.unwrap_or_else(|| app.detail.scroll.first(document.lines.len(), page).saturating_sub(1));
    let next = match side {
        Side::After => lines.iter().position(|line| *line > here || app.detail.place.is_none() && *line == here).unwrap_or(0),
        Side::Before => lines.iter().rposition(|line| *line < here).unwrap_or(lines.len().saturating_sub(1)),
    };
    let Some(line) = lines.get(next) else {
        app.notice = Some(format!("“{words}” does not stand in this event"));
        return;
    };
    app.detail.place = Some(*line);
    app.detail.scroll.show(*line, document.lines.len(), page);
    app.notice = Some(format!("“{words}” in line {} of {}, {} of {}", line + 1, document.lines.len(), next + 1, lines.len()));
}

fn region(app: &mut App, side: Side) {
    let page = view::detail_page(app, &app.layout());
    let Some(document) = document(app) else { return };
    let Some(last) = document.tags.len().checked_sub(1) else {
        app.notice = Some("no region: these words commit nobody to anything".to_owned());
        return;
    };
    let next = match (app.detail.region, side) {
        (None, Side::After) => 0,
        (Some(at), Side::After) => {
            if at < last {
                at + 1
            } else {
                0
            }
        }
        (None | Some(0), Side::Before) => last,
        (Some(at), Side::Before) => at - 1,
    };
    app.detail.region = Some(next);
    if let Some(tag) = document.tags.get(next) {
        app.detail.scroll.show(tag.line, document.lines.len(), page);
    }
}
