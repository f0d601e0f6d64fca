//! The time line: a row an event, and a rule for every compaction that happened.

use std::borrow::Cow;

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::{minimap, selection_role, title_role};
use crate::base::ids::{BoundaryIx, EventIx};
use crate::base::text::{cut_end, cut_middle, width};
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::rows::{EventKind, EventRow};
use crate::session::{Following, Progress};
use crate::ui::app::{App, CutLine, Follow, MOST_COUNTED, Pane, Whereabouts};
use crate::ui::assess::Assessment;
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// The columns before the label: part in a finding, time, chain, glyph.
const TIE: usize = 0;
const TIME: usize = 1;
const FRESH: usize = 6;
const CHAIN: usize = 7;
const GLYPH: usize = 9;
const WHO: usize = 11;
const TOKENS: usize = 7;

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
        (_, Follow::End) => following(&app.following),
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
        let event = match shown {
            CutLine::Event(event) => event,
            CutLine::Cut(whereabouts) => {
                cut_rule(app, *whereabouts, line, canvas);
                continue;
            }
        };
        let Some(row) = lane.events.get(event.index()) else { continue };
        let mut status = Some(GLYPH);
        match lane.boundaries.binary_search_by_key(event, |b| b.event) {
            Ok(boundary) => {
                boundary_rule(app, lane, BoundaryIx::from_index(boundary), line, canvas);
                status = None;
            }
            Err(_) => {
                let time = row.at.map(|at| at.clock(&app.look.zone)).unwrap_or_default();
                let said = if time == last_time { "" } else { &time };
                event_row(app, lane, *event, row, said, line, canvas);
                last_time = time;
            }
        }
        if app.selected() == Some(*event) {
            canvas.select(line, status, selection_role(app, Pane::Timeline));
        }
    }
    if let Follow::Held { unseen } = app.timeline.follow
        && unseen > 0
    {
        let more = format!("▾ {unseen} more since you scrolled");
        canvas.put(line_of(rows, usize::from(rows.height) - 1), GLYPH, Role::Focus, &more);
    }
    let shown: Vec<EventIx> = app.timeline.window(app.sieve.rows(lane), height);
    minimap::draw(app, &shown, minimap::column(area), canvas);
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

fn event_row(app: &App, lane: &LaneSnapshot, event: EventIx, row: &EventRow, time: &str, line: Rect, canvas: &mut Canvas<'_>) {
    let assessment = app.assessment();
    let view = row.span.and_then(|span| assessment?.span(span));
    let colour = view.filter(|view| view.in_context).map(|view| view.colour);
    let cells = usize::from(line.width);
    let call = row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);

    canvas.put(line, TIME + 5_usize.saturating_sub(width(time)), Role::Dim, time);
    if let Some(sign) = assessment.and_then(|a| chain_sign(a, event)) {
        canvas.put(line, CHAIN, Role::Dim, sign);
    } else if let Some(sign) = pair_sign(app, lane, event) {
        canvas.put(line, CHAIN, Role::Focus, sign);
    }
    if app.recent.is_some_and(|recent| recent.holds(event)) {
        canvas.put(line, FRESH, Role::Focus, "+");
    }
    if let Some(colour) = colour {
        canvas.put(line, GLYPH, colour_role(colour), words::glyph(colour));
    }
    let who_cells = match cells {
        0..60 => 7,
        60..70 => 10,
        _ => 12,
    };
    let who = call.map_or(Cow::Borrowed(words::who(row.kind)), |call| words::tool(&call.tool));
    canvas.put(line, WHO, who_role(row.kind), &cut_end(&who, who_cells));

    let tokens = row.tokens
        + call.and_then(|c| lane.events.get(c.end?.event.index())).filter(|end| end.call == row.call).map_or(0, |end| end.tokens);
    let right = cells.saturating_sub(TOKENS);
    if tokens > 0 {
        let shown = words::tokens(u64::from(tokens));
        let x = right + TOKENS.saturating_sub(width(&shown));
        canvas.put(line, x, Role::Dim, &shown);
        canvas.put(line, right, Role::Dim, words::bar(tokens));
    }
    let launched = || app.launched(event).and_then(|lane| app.snapshot.lane(lane)).map(|lane| words::launched(lane));
    let ending = folded_rows(app, event).or_else(launched).or_else(|| call.map(words::ending)).unwrap_or_default();
    let unsettled = call.is_some_and(|c| c.ended().is_none_or(|end| end.effect == Some(EffectStatus::Unknown)));
    let ending_role = match colour {
        Some(colour) if unsettled => colour_role(colour),
        _ => Role::Dim,
    };
    let label_start = WHO + who_cells + 1;
    let label_end = right.saturating_sub(if ending.is_empty() { 1 } else { width(&ending) + 2 });
    canvas.put(line, (label_end + 1).max(label_start), ending_role, &ending);
    let label = words::label(lane, event, app.snapshot.facts.directory.as_deref());
    let room = label_end.saturating_sub(label_start);
    let label = if looks_like_a_path(&label) { cut_middle(&label, room) } else { cut_end(&label, room) };
    canvas.put(line, label_start, label_role(row.kind), &label);

    if view.is_some_and(|view| !view.in_context) {
        canvas.patch(line, Role::Dim);
    }
    // What was lost long ago is not dimmed with what left the context.
    if let Some(tie) = app.audit.ties(event).first() {
        canvas.put(line, TIE, super::audit::severity(tie.severity).0, words::tie_sign(tie.part));
    }
}

/// A compaction across the time line: its kind, who asked for it, what it did to the size, and what it lost.
fn boundary_rule(app: &App, lane: &LaneSnapshot, ix: BoundaryIx, line: Rect, canvas: &mut Canvas<'_>) {
    let Some(boundary) = lane.boundaries.get(ix.index()) else { return };
    canvas.put(line, 0, Role::Rule, &"─".repeat(usize::from(line.width)));
    let mut said = vec![format!("{} {}", words::boundary(boundary.kind), ix.index() + 1)];
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
    if let Some((role, lost)) = lost_at(app, ix) {
        let x = canvas.put(line, x, Role::Boundary, "· ");
        canvas.put(line, x, role, &format!("{lost} "));
    }
}

/// What a boundary lost: as its audit says, and until there is one as the ledger does, which knows only what stands word by word.
fn lost_at(app: &App, ix: BoundaryIx) -> Option<(Role, String)> {
    let Some(audit) = app.audit.boundary(ix) else {
        let lost = app.assessment()?.lost_at.get(&ix).copied().filter(|lost| *lost > 0)?;
        return Some((Role::Barrier, format!("{lost} lost")));
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

/// What a folded turn hides, on the row that stands for it.
fn folded_rows(app: &App, event: EventIx) -> Option<String> {
    let first = app.turn_of(event).filter(|first| app.sieve.is_folded(*first))?;
    let (hidden, more) = match app.hidden_in(first) {
        MOST_COUNTED.. => (MOST_COUNTED, "+"),
        0 => return None,
        hidden => (hidden, ""),
    };
    Some(format!("▸ {hidden}{more} rows"))
}

/// The line from the selected call to where its result came, where other rows stand between them.
fn pair_sign(app: &App, lane: &LaneSnapshot, event: EventIx) -> Option<&'static str> {
    let selected = app.selected()?;
    let call = lane.calls.get(lane.events.get(selected.index())?.call?.index())?;
    let end = call.end.map_or_else(|| lane.end(), |end| Some(end.event))?;
    if event < call.event || event > end {
        return None;
    }
    let last = app.sieve.rows(lane).next(event).is_none_or(|next| next > end);
    match (event == call.event, last) {
        (true, true) => None,
        (true, false) => Some("╷"),
        (false, true) => Some("╵"),
        (false, false) => Some("┆"),
    }
}

/// The line that joins the attempts of one chain.
fn chain_sign(assessment: &Assessment, event: EventIx) -> Option<&'static str> {
    assessment.chains.iter().find_map(|chain| match (chain.first()?, chain.last()?) {
        (first, last) if event < *first || event > *last => None,
        (first, _) if event == *first => Some("┌"),
        (_, last) if event == *last => Some("└"),
        _ if chain.binary_search(&event).is_ok() => Some("├"),
        _ => Some("│"),
    })
}

/// The role of a colour.
pub(super) fn colour_role(colour: Colour) -> Role {
    match colour {
        Colour::Barrier => Role::Barrier,
        Colour::Repair => Role::Repair,
        Colour::Opportunity => Role::Opportunity,
    }
}

fn who_role(kind: EventKind) -> Role {
    match kind {
        EventKind::Prompt | EventKind::Task => Role::Strong,
        EventKind::Call | EventKind::Assistant => Role::Text,
        _ => Role::Dim,
    }
}

fn label_role(kind: EventKind) -> Role {
    match kind {
        EventKind::Prompt | EventKind::Task => Role::Strong,
        EventKind::Call | EventKind::Assistant | EventKind::Summary | EventKind::Unrecognised => Role::Text,
        _ => Role::Dim,
    }
}

fn looks_like_a_path(label: &str) -> bool {
    label.contains('/') && !label.contains(' ')
}
