//! One row of the time line: when, who, what, how it ended, and what it takes of the context.

use std::borrow::Cow;

use ratatui::layout::Rect;

use super::{GLYPH, Place, TIE, colour_role};
use crate::base::ids::EventIx;
use crate::base::text::{cut_end, cut_middle, width};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::rows::EventKind;
use crate::ui::app::{App, MOST_COUNTED};
use crate::ui::assess::Assessment;
use crate::ui::rows::{Row, Rows};
use crate::ui::theme::Role;
use crate::ui::view::audit;
use crate::ui::view::canvas::Canvas;
use crate::ui::words;

/// The columns before the label, beside those of the part in a finding and the glyph: time, mark of what is new, chain, who.
const TIME: usize = 1;
pub(super) const FRESH: usize = 7;
const CHAIN: usize = 8;
const WHO: usize = 11;
/// Cells for the tokens.
const TOKENS: usize = 6;
/// Cells before and behind what a row says.
pub(super) const AROUND: (u16, u16) = (WHO as u16, TOKENS as u16);
/// Cells by which the rows of a sub-agent stand further in than the call that launched it.
const DEEPER: usize = 2;

/// Draws it. `time` is empty where it is that of the row above.
pub(super) fn draw(app: &App, place: &Place<'_>, time: &str, line: Rect, canvas: &mut Canvas<'_>) {
    let (lane, event) = (place.lane, place.row.event);
    let Some(row) = lane.events.get(event.index()) else { return };
    // What a sub-agent did is judged in its own lane.
    let view = row.span.filter(|_| place.depth == 0).and_then(|span| app.assessment()?.span(span));
    let colour = view.filter(|view| view.in_context).map(|view| view.colour);
    let cells = usize::from(line.width);
    let call = row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);

    canvas.put(line, TIME + 5_usize.saturating_sub(width(time)), Role::Dim, time);
    if place.depth == 0 {
        lines(app, lane, event, line, canvas);
    } else {
        branch(app, place, line, canvas);
    }
    if let Some(colour) = colour {
        canvas.put(line, GLYPH, colour_role(colour), words::glyph(colour));
    }
    let who_start = WHO + place.further_in();
    let who_cells = match cells {
        0..60 => 7,
        60..70 => 10,
        _ => 12,
    };
    let who = call.map_or(Cow::Borrowed(words::who(row.kind)), |call| words::tool(&call.tool));
    let label = words::label(lane, event, app.snapshot.facts.directory.as_deref());

    let tokens = row.tokens
        + call.and_then(|c| lane.events.get(c.end?.event.index())).filter(|end| end.call == row.call).map_or(0, |end| end.tokens);
    let right = cells.saturating_sub(TOKENS);
    if tokens > 0 {
        let shown = words::tokens(u64::from(tokens));
        let x = right + TOKENS.saturating_sub(width(&shown));
        canvas.put(line, x, Role::Dim, &shown);
        canvas.put(line, right, Role::Dim, words::bar(tokens));
    }
    let folded = || folded_rows(app, event).filter(|_| place.depth == 0);
    let ending = folded().or_else(|| launched(app, place.row)).or_else(|| call.map(words::ending)).unwrap_or_default();
    let unsettled = call.is_some_and(|c| c.ended().is_none_or(|end| end.effect == Some(EffectStatus::Unknown)));
    let ending_role = match colour {
        Some(colour) if unsettled => colour_role(colour),
        None if unsettled && place.depth > 0 => Role::Strong,
        _ => Role::Dim,
    };
    let label_start = who_start + who_cells + 1;
    let label_end = right.saturating_sub(if ending.is_empty() { 1 } else { width(&ending) + 2 });
    canvas.put(line, (label_end + 1).max(label_start), ending_role, &ending);
    // Of a call that says no more, the name may have the room.
    let who_room = if label.is_empty() { label_end.saturating_sub(who_start).max(who_cells) } else { who_cells };
    canvas.put(line, who_start, who_role(row.kind), &cut_end(&who, who_room));
    let room = label_end.saturating_sub(label_start);
    let label = if looks_like_a_path(&label) { cut_middle(&label, room) } else { cut_end(&label, room) };
    canvas.put(line, label_start, label_role(row.kind), &label);

    if view.is_some_and(|view| !view.in_context) {
        canvas.patch(line, Role::Dim);
    }
    // What was lost long ago is not dimmed with what left the context.
    if let Some(tie) = app.audit.ties(event).first().filter(|_| place.depth == 0) {
        canvas.put(line, TIE, audit::severity(tie.severity).0, words::tie_sign(tie.part));
    }
}

/// The lines that join a row of the lane that is shown to others, and whether it is new.
fn lines(app: &App, lane: &LaneSnapshot, event: EventIx, line: Rect, canvas: &mut Canvas<'_>) {
    if let Some(sign) = app.assessment().and_then(|a| chain_sign(a, event)) {
        canvas.put(line, CHAIN, Role::Dim, sign);
    } else if let Some(sign) = pair_sign(app, lane, event) {
        canvas.put(line, CHAIN, Role::Focus, sign);
    }
    if app.recent.is_some_and(|recent| recent.holds(event)) {
        canvas.put(line, FRESH, Role::Focus, "+");
    }
}

/// The branch on which a sub-agent's row hangs below the call that launched it.
fn branch(app: &App, place: &Place<'_>, line: Rect, canvas: &mut Canvas<'_>) {
    // Lines of the lane that is shown go on beside it.
    let goes_on = |chain: &Vec<EventIx>| {
        let (first, last) = chain.first().zip(chain.last())?;
        app.in_lane(place.row).filter(|event| (first..last).contains(&event))
    };
    if app.assessment().is_some_and(|assessment| assessment.chains.iter().any(|chain| goes_on(chain).is_some())) {
        canvas.put(line, CHAIN, Role::Dim, "│");
    }
    for n in 1..place.depth {
        canvas.put(line, WHO + (n - 1) * DEEPER, Role::Rule, "│");
    }
    let is_last = Rows::all(place.lane).next(place.row.event).is_none();
    canvas.put(line, WHO + place.further_in() - DEEPER, Role::Rule, if is_last { "└" } else { "│" });
}

/// The sub-agent that the call of a row launched.
fn launched(app: &App, row: Row) -> Option<String> {
    let (ix, lane) = app.launched(row)?;
    let sign = if app.nested.is_open(ix) && !app.sieve.is_filtered() { "▾" } else { "▸" };
    Some(words::launched(lane, sign))
}

impl Place<'_> {
    /// Cells by which it stands further in.
    fn further_in(&self) -> usize {
        self.depth * DEEPER
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
