//! The time line: a row an event, and a rule for every compaction that happened.

mod row;

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::{minimap, selection_role, title_role};
use crate::base::ids::{BoundaryIx, EventIx};
use crate::base::text::{cut_end, width};
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::session::{Following, Progress};
use crate::ui::app::{App, CutLine, Follow, Pane, Whereabouts};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::rows::Row;
use crate::ui::theme::Role;
use crate::ui::words;

/// The columns of a row's part in a finding, and of its status.
const TIE: usize = 0;
const GLYPH: usize = 9;
/// The sign of a row that holds what was searched for, and does not show it.
const FOUND: &str = "/";

/// A row, its lane, and under how many calls of other lanes it stands.
struct Place<'a> {
    lane: &'a LaneSnapshot,
    row: Row,
    depth: usize,
}

/// The rows that fit.
pub(crate) fn timeline_page(app: &App, layout: &Layout) -> usize {
    let taken = unseen_rows(app.timeline.follow) + usize::from(app.shown_cut().is_some());
    layout.timeline.map_or(0, |area| usize::from(body(area).height).saturating_sub(taken))
}

/// The last line tells what has come since the reader scrolled away.
fn unseen_rows(follow: Follow) -> usize {
    usize::from(matches!(follow, Follow::Held { unseen } if unseen > 0))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(lane) = app.lane() else { return };
    let note = match (app.snapshot.progress, app.timeline.follow) {
        (Progress::Reading { .. }, _) => "being read".to_owned(),
        (_, Follow::End) if lane.events.is_empty() => String::new(),
        // The rule shows where in time this is, and line one says it.
        (_, Follow::End) if app.time.moment.is_some() => String::new(),
        (_, Follow::End) => match app.sieve.left().filter(|_| app.sieve.is_filtered()) {
            Some(left) => format!("{} left, {}", words::counted(left.len(), "row"), following(&app.following)),
            None => following(&app.following),
        },
        (_, Follow::Held { .. }) if app.row().is_some_and(|row| row.lane != app.lane) => within(app),
        (_, Follow::Held { .. }) => {
            let at = app.selected().map_or(0, |event| event.index() + 1);
            match app.sieve.left().zip(app.selected()) {
                Some((left, selected)) => {
                    format!("row {} of {}", left.partition_point(|event| *event <= selected), left.len())
                }
                None => format!("event {at} of {}", lane.events.len()),
            }
        }
    };
    let note = cut_end(&note, usize::from(area.width).saturating_sub(20));
    let note = (!note.is_empty()).then(|| vec![Piece::new(Role::Dim, note)]);
    let mut titles = vec![Piece::new(title_role(app, Pane::Timeline), "Timeline")];
    titles.extend(app.sieve.chips().map(|chip| Piece::new(Role::Focus, format!("[{}]", words::chip(chip)))));
    canvas.titled_rule(area, &titles, note.as_deref());

    scrubber(app, area, canvas);

    let body = body(area);
    if lane.events.is_empty() {
        canvas.put(line_of(body, 1), 2, Role::Text, "This session has no events yet.");
        canvas.put(line_of(body, 2), 2, Role::Dim, "It is being followed: the first one appears here as it is written.");
        return;
    }
    let height = timeline_page(app, &app.layout());
    let shown = app.timeline_lines(lane, height);
    if shown.is_empty() {
        canvas.put(line_of(body, 1), 2, Role::Text, "No row passes these filters.");
        canvas.put(line_of(body, 2), 2, Role::Dim, "Each narrows what the others leave; 0 takes them all away.");
        return;
    }
    let rows = inset(body, 0, 3);
    let mut last_time = String::new();
    for (n, shown) in shown.iter().enumerate() {
        let line = line_of(rows, n);
        let row = match shown {
            CutLine::Event(row) => *row,
            CutLine::Cut(whereabouts) => {
                cut_rule(app, *whereabouts, line, canvas);
                continue;
            }
        };
        let Some(lane) = app.snapshot.lane(row.lane) else { continue };
        let place = Place { lane, row, depth: app.nested.path(row, app.lane).len().saturating_sub(1) };
        let mut status = Some(GLYPH);
        match lane.boundaries.binary_search_by_key(&row.event, |b| b.event) {
            Ok(boundary) => {
                boundary_rule(app, &place, BoundaryIx::from_index(boundary), line, canvas);
                status = None;
            }
            Err(_) => {
                let at = lane.events.get(row.event.index()).and_then(|row| row.at);
                let time = at.map(|at| at.clock(&app.look.zone)).unwrap_or_default();
                row::draw(app, &place, if time == last_time { "" } else { &time }, line, canvas);
                last_time = time;
            }
        }
        let is_selected = app.row() == Some(row);
        if is_selected {
            canvas.select(line, status, selection_role(app, Pane::Timeline));
        }
        found(app, row, is_selected, line, canvas);
    }
    if let Follow::Held { unseen } = app.timeline.follow
        && unseen > 0
    {
        let more = format!("▾ {unseen} more since you scrolled");
        canvas.put(line_of(rows, usize::from(rows.height) - 1), GLYPH, Role::Focus, &more);
    }
    let events = |line: &CutLine| match line {
        CutLine::Event(row) => app.in_lane(*row),
        CutLine::Cut(_) => None,
    };
    let shown: Vec<EventIx> = shown.iter().filter_map(events).collect();
    minimap::draw(app, &shown, minimap::column(area), canvas);
}

/// Marks the words that were searched for where they are seen; where a row holds them and does not show them, it has a sign.
fn found(app: &App, row: Row, is_selected: bool, line: Rect, canvas: &mut Canvas<'_>) {
    let found = app.search.found(app.snapshot.epoch, app.lane).filter(|_| row.lane == app.lane);
    let Some((found, lane)) = found.zip(app.lane()) else { return };
    let call = lane.events.get(row.event.index()).and_then(|row| lane.calls.get(row.call?.index()));
    if !found.is_in(row.event, call) {
        return;
    }
    let role = if is_selected && app.panes.focus == Pane::Timeline { Role::Marked } else { Role::Selected };
    if !canvas.mark(inset(line, row::AROUND.0, row::AROUND.1), found.words, role) {
        canvas.put(line, row::FRESH, Role::Focus, FOUND);
    }
}

/// Where in its lane a row of a sub-agent stands.
fn within(app: &App) -> String {
    app.looked_at().map_or_else(String::new, |(lane, row)| {
        format!("sub-agent {}, event {} of {}", cut_end(&lane.name, 16), row.event.index() + 1, lane.events.len())
    })
}

/// Of the rule above the rows, the part that stands for the whole time of the lane.
pub(crate) fn track(area: Rect) -> Rect {
    Rect { height: area.height.min(1), ..inset(area, 12, 2) }
}

/// In the past, the rule shows how far the lane has come.
fn scrubber(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some((at, lane)) = app.time.moment.zip(app.time.lane(app.lane)) else { return };
    let track = track(area);
    let (cells, last) = (usize::from(track.width), lane.events.len().saturating_sub(1).max(1));
    let here = at.index() * cells.saturating_sub(1) / last;
    canvas.put(track, 0, Role::Focus, &"━".repeat(here));
    let after = canvas.put(track, here, Role::Focus, "◆");
    canvas.put(track, after, Role::Rule, &"─".repeat(cells.saturating_sub(after)));
}

/// How the session is followed, in words.
fn following(following: &Following) -> String {
    match following {
        Following::Announced => "following".to_owned(),
        Following::Polled { why } => format!("following by looking: {why}"),
        Following::Ended => "the end".to_owned(),
        Following::Lost { why } => format!("lost: {why}"),
    }
}

/// A compaction across the time line: its kind, who asked for it, what it did to the size, and what it lost.
fn boundary_rule(app: &App, place: &Place<'_>, ix: BoundaryIx, line: Rect, canvas: &mut Canvas<'_>) {
    let Some(boundary) = place.lane.boundaries.get(ix.index()) else { return };
    canvas.put(line, 0, Role::Rule, &"─".repeat(usize::from(line.width)));
    let mut said = vec![words::boundary(place.lane, ix)];
    said.extend(Some(words::trigger(boundary.trigger).to_owned()).filter(|trigger| !trigger.is_empty()));
    said.extend(match (boundary.before, boundary.after) {
        (Some(before), Some(after)) => Some(format!("{} → {}", words::tokens(before), words::tokens(after))),
        (Some(before), None) => Some(words::tokens(before)),
        _ => None,
    });
    if !boundary.masked.is_empty() {
        said.push(words::counted(boundary.masked.len(), "result"));
    }
    let x = canvas.put(line, 2, Role::Boundary, &format!(" {} ", said.join(" · ")));
    if let Some((role, lost)) = lost_at(app, ix).filter(|_| place.depth == 0) {
        let x = canvas.put(line, x, Role::Boundary, "· ");
        canvas.put(line, x, role, &format!("{lost} "));
    }
}

/// What a boundary lost: as its audit says, and until there is one as the ledger does, which knows only what stands word by word.
fn lost_at(app: &App, ix: BoundaryIx) -> Option<(Role, String)> {
    let Some(audit) = app.audit.boundary(ix) else {
        let lost = app.assessment()?.lost_at.get(&ix).copied().filter(|lost| *lost > 0)?;
        return Some((Role::Barrier, format!("{lost} still owed, and lost")));
    };
    let worst = audit.findings.first()?;
    Some((super::audit::severity(worst.severity).0, words::counted(audit.findings.len(), "finding")))
}

/// The cut across the time line: where it is, and what it does.
fn cut_rule(app: &App, whereabouts: Whereabouts, line: Rect, canvas: &mut Canvas<'_>) {
    let Some(assessment) = app.shown_cut() else { return };
    let (tokens, cells) = (assessment.judgement.tokens, usize::from(line.width));
    canvas.put(line, 0, Role::Boundary, &"┄".repeat(cells));
    let by = if assessment.ticket.question.cut.is_some() { "cut by hand" } else { "cut" };
    let name = match whereabouts {
        Whereabouts::Here => by.to_owned(),
        Whereabouts::Above => format!("▴ {by}"),
        Whereabouts::Below => format!("▾ {by}"),
    };
    let mut x = canvas.put(line, 2, Role::Boundary, &format!(" {name} "));
    let severed = assessment.judgement.severed.len();
    let said = [
        Some((Role::Text, format!("{} → {}", words::tokens(tokens.before), words::tokens(tokens.after)))),
        (tokens.at_risk > 0).then(|| (Role::Repair, format!("{} at risk", words::tokens(tokens.at_risk)))),
        (severed > 0).then(|| (Role::Text, format!("{severed} severed"))),
        Some((super::verdict_role(assessment.judgement.verdict), assessment.judgement.verdict.word().to_owned())),
    ];
    for (role, said) in said.into_iter().flatten() {
        if x + width(&said) + 3 > cells {
            break;
        }
        x = canvas.put(line, x, Role::Boundary, "· ");
        x = canvas.put(line, x, role, &format!("{said} "));
    }
}

/// The role of a colour.
pub(super) fn colour_role(colour: Colour) -> Role {
    match colour {
        Colour::Barrier => Role::Barrier,
        Colour::Repair => Role::Repair,
        Colour::Opportunity => Role::Opportunity,
    }
}
