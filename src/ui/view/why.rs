//! Why a span has its colour: the entries that touch it, each with where it opened, what closes it and what to do about it.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::timeline::colour_role;
use crate::base::ids::{BoundaryIx, EntryId, EventIx};
use crate::compaction::judgement::{Colour, Reason, Repair};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::Idempotency;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, EntryStatus};
use crate::session::Progress;
use crate::ui::actions::Action;
use crate::ui::activity::Activity;
use crate::ui::app::{App, Pane, Tab, Why, is_lost, is_restated, why};
use crate::ui::document::{Block, Line, lay_out};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// Cells of the names of an entry's facts.
const NAMES: usize = 11;
/// Cells before an entry's facts.
const INDENT: usize = 2;

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let body = inset(body(area), 1, 1);
    let why = why(app);
    let height = usize::from(body.height);
    let entries = why.entries();
    let chosen = app.why.selected;
    // Only what can be seen is laid out: an entry takes four lines or more.
    let from = chosen.saturating_sub(height / 4);
    let mut lines = Vec::new();
    if from == 0 {
        lines = lay_out(&heading(app, &why), usize::from(body.width), None).lines;
        lines.push(Line::new());
    }
    let mut selected = 0..0;
    let mut starts = Vec::new();
    for (n, id) in entries.iter().enumerate().skip(from) {
        let start = lines.len();
        lines.extend(entry(app, *id, usize::from(body.width)));
        lines.push(Line::new());
        starts.push((start, lines.len()));
        if n == chosen {
            selected = start..lines.len();
        }
        if n >= chosen && lines.len() > selected.start + height {
            break;
        }
    }
    // The window moves only as far as the selected entry needs.
    let first = selected.end.saturating_sub(height).min(selected.start);
    for (line, n) in lines_of(body).zip(first..) {
        let Some(pieces) = lines.get(n) else { break };
        canvas.line(line, 0, pieces);
    }
    // What is not seen whole is said to be there.
    let hidden = starts.iter().filter(|(_, end)| *end > first + height + 1).count() + entries.len() - (from + starts.len());
    if hidden > 0 && height > 0 {
        let last = line_of(body, height - 1);
        canvas.blank(last);
        canvas.line_right(last, &[Piece::new(Role::Dim, format!("▾ {hidden} more"))]);
    }
    if app.panes.focus == Pane::Tab(Tab::Why) && !entries.is_empty() {
        canvas.select(line_of(body, selected.start - first), Some(0), Role::Selected);
    }
}

/// What the span of the selected row is, and what that means for its reader; and where the verdict's own reason stands, if not here.
fn heading(app: &App, why: &Why) -> Vec<Block> {
    let lost_here = why.entries().iter().filter(|id| is_lost(app, **id)).count();
    let (subject, role, what, means): (String, Role, String, String) = match why {
        Why::NotJudged if app.snapshot.progress != Progress::Complete => (
            "this row".to_owned(),
            Role::Dim,
            "not judged yet".to_owned(),
            "A span gets its colour when the whole session has been read: what closes an obligation may still come.".to_owned(),
        ),
        Why::NotJudged => (
            "this row".to_owned(),
            Role::Dim,
            "no span".to_owned(),
            "It belongs to no span, so nothing can be lost with it.".to_owned(),
        ),
        Why::Gone(span, _) if lost_here > 0 => (
            format!("span {span}"),
            Role::Barrier,
            format!("gone from the context, {lost_here} lost with it"),
            "What is listed here still counts, and nothing in the context holds it.".to_owned(),
        ),
        Why::Gone(span, entries) if !entries.is_empty() => (
            format!("span {span}"),
            Role::Repair,
            "gone from the context".to_owned(),
            "What is listed here still counts; it stands in other words since a compaction took it out.".to_owned(),
        ),
        Why::Gone(span, _) => (
            format!("span {span}"),
            Role::Dim,
            "gone from the context".to_owned(),
            "A compaction took it out. The model does not see it: what of it still counts stands in the summary, or is lost."
                .to_owned(),
        ),
        Why::Boundary(boundary, lost) if lost.is_empty() => (
            name(app, *boundary),
            Role::Boundary,
            "all that is still owed stands".to_owned(),
            format!("Nothing of what is owed now was lost here. {}", found(app, *boundary)),
        ),
        Why::Boundary(boundary, lost) => (
            name(app, *boundary),
            Role::Barrier,
            format!("{} still owed, and lost", lost.len()),
            format!("What is listed here still counts, and nothing in the context holds it any more. {}", found(app, *boundary)),
        ),
        Why::Span(span, _) => {
            let colour = app.assessment().and_then(|a| a.span(*span)).map_or(Colour::Opportunity, |view| view.colour);
            let what = format!("{} {}", words::glyph(colour), colour.word());
            (format!("span {span}"), colour_role(colour), what, words::colour(colour).to_owned())
        }
    };
    let head = vec![Piece::new(Role::Dim, subject + "  "), Piece::new(role, what)];
    let mut blocks = vec![Block::Text { line: head, hang: 0 }, Block::text(Role::Dim, means)];
    blocks.extend(elsewhere(app, why).map(|told| Block::text(Role::Dim, told)));
    blocks
}

fn name(app: &App, boundary: BoundaryIx) -> String {
    app.lane().map_or_else(String::new, |lane| words::boundary(lane, boundary))
}

/// How many findings the audit has of a boundary, which tells of what is owed no more as well, and where they are.
fn found(app: &App, boundary: BoundaryIx) -> String {
    let key = app.look.keymap.chords(Action::Audit).first().map(ToString::to_string).unwrap_or_default();
    match app.audit.boundary(boundary).map(|audit| audit.findings.len()) {
        Some(0) => "The audit found nothing.".to_owned(),
        Some(n) => format!("{key} tells all {}, with what has ended since, and what they cost.", words::counted(n, "finding")),
        None => format!("{key} tells what it lost, and what that cost."),
    }
}

/// What the verdict rests on first, where that does not stand here.
fn elsewhere(app: &App, why: &Why) -> Option<String> {
    let assessment = app.assessment()?;
    let first = assessment.told.first().filter(|first| !why.entries().contains(&first.id))?;
    let key = app.look.keymap.chords(Action::FirstReason).first().map(ToString::to_string).unwrap_or_default();
    Some(format!("The verdict rests on {}; {key} goes there.", first.id))
}

/// An entry with all that is known of it, in lines of at most `width` cells.
pub(super) fn entry(app: &App, id: EntryId, width: usize) -> Vec<Line> {
    let Some((lane, entry)) = app.lane().zip(app.entry(id)) else { return Vec::new() };
    let status = lane.end().and_then(|end| entry.status_at(end)).unwrap_or(EntryStatus::Live);
    let (role, sign) = match status.is_live() {
        true => super::weight_sign(super::weight_of(app, &entry)),
        false => (Role::Dim, words::glyph(Colour::Opportunity)),
    };
    let headline = words::headline(lane, &entry, status);
    let head = vec![Piece::new(role, sign), Piece::new(Role::Dim, format!(" {id}  ")), Piece::new(Role::Strong, headline)];
    let line_text = words::what(&entry, app.snapshot.facts.directory.as_deref());
    let text = if entry.kind.is_commitment() { format!("“{line_text}”") } else { line_text.into_owned() };
    let mut blocks = vec![indented(Role::Text, text)];
    blocks.extend(facts(app, lane, &entry).into_iter().map(|(name, value)| {
        let label = format!("{}{name:<NAMES$}", " ".repeat(INDENT));
        Block::Text { line: vec![Piece::new(Role::Dim, label), Piece::new(Role::Text, value)], hang: INDENT + NAMES }
    }));
    let mut lines = vec![head];
    lines.extend(lay_out(&blocks, width, None).lines);
    lines
}

fn indented(role: Role, text: String) -> Block {
    Block::Text { line: vec![Piece::new(role, " ".repeat(INDENT)), Piece::new(role, text)], hang: INDENT }
}

/// What is known of an entry, as names and values.
fn facts(app: &App, lane: &LaneSnapshot, entry: &Entry) -> Vec<(&'static str, String)> {
    let (mut facts, directory) = (Vec::new(), app.snapshot.facts.directory.as_deref());
    let at = entry.opened.at.map(|at| format!(", {}", at.clock(&app.look.zone))).unwrap_or_default();
    let row = lane.events.get(entry.opened.event.index());
    let who = row.map(|row| words::who(row.kind)).filter(|who| *who == "you").map(|who| format!(", {who}")).unwrap_or_default();
    facts.push(("opened at", format!("line {}{at}{who}", entry.opened.line)));
    if let Some(action) = &entry.action {
        let again = match action.idempotency {
            Idempotency::Idempotent => "may be done again",
            Idempotency::NotIdempotent => "not idempotent",
            Idempotency::Unknown => "nobody knows whether it may be done again",
        };
        facts.push(("tries", format!("{}, {again}", action.attempts.max(1))));
        facts.push(("key", words::here(action.key.as_deref().unwrap_or(&action.intent), directory).into_owned()));
    }
    for edge in entry.edges.iter().filter(|edge| edge.kind == EdgeKind::DependsOnOutput) {
        let other = app.entry(edge.to).map(|other| words::what(&other, directory).into_owned()).unwrap_or_default();
        facts.push(("leans on", format!("{} {other}", edge.to)));
    }
    facts.extend(entry.preconditions.iter().map(|condition| ("only if", condition.clone())));
    let reason = app.assessment().and_then(|a| a.judgement.reasons.iter().find(|reason| reason.entry == entry.id));
    let order = reason.map(|reason| order(app, lane, entry, reason)).or_else(|| kept(app, lane, entry));
    match lane.end().and_then(|end| closed(app, lane, entry, end)) {
        Some(closed) => facts.push(("closed at", closed)),
        None => {
            let ends = &lane.end().map_or(&entry.discharge, |end| entry.discharge_at(end)).text;
            // Where what closes it is what is to be done, that is said.
            facts.extend(Some(("closes on", ends.clone())).filter(|(_, ends)| order.as_ref() != Some(ends)));
        }
    }
    facts.extend(order.map(|order| ("do now", order)));
    if let Some(boundary) = lane.end().and_then(|end| entry.lost_at(end)) {
        let name = words::boundary(lane, boundary);
        facts.push(match is_restated(app, entry.id, boundary) {
            true => ("restated", format!("at {name}, in other words")),
            false => ("lost at", format!("{name}: nothing in the context holds it")),
        });
    }
    let trust = lane.end().map_or(entry.trust, |end| entry.trust_at(end));
    facts.push(("rule", format!("{}, {}", entry.rule, words::trust(trust))));
    facts
}

/// Where an entry was closed, if it was.
fn closed(app: &App, lane: &LaneSnapshot, entry: &Entry, end: EventIx) -> Option<String> {
    let &(event, status) = entry.history.iter().rev().find(|(event, _)| *event <= end)?;
    let row = lane.events.get(event.index()).filter(|_| !status.is_live())?;
    let at = row.at.map(|at| format!(", {}", at.clock(&app.look.zone))).unwrap_or_default();
    Some(format!("line {}{at}: {}", row.place.line, status.word()))
}

/// What to do about an effect in doubt that the policy would keep, so that no verdict waits for it.
fn kept(app: &App, lane: &LaneSnapshot, entry: &Entry) -> Option<String> {
    let is_in_doubt = entry.kind == EntryKind::Effect && lane.live.contains(&entry.id);
    let call = entry.action.as_ref().and_then(|action| lane.calls.get(action.call?.index())).filter(|_| is_in_doubt)?;
    let with = call.reconcile_with.as_deref().map(str::to_owned);
    let order = order(app, lane, entry, &Reason { entry: entry.id, repair: Repair::Reconcile, with });
    app.assessment().map(|_| format!("{order}; the policy keeps it, so the verdict does not wait"))
}

fn order(app: &App, lane: &LaneSnapshot, entry: &Entry, reason: &Reason) -> String {
    let order = words::order(reason, entry, Activity::of(lane, app.now));
    words::here(&order, app.snapshot.facts.directory.as_deref()).into_owned()
}
