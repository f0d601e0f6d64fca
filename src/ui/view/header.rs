//! The two lines that answer the question: what the agent is doing and how full it is; the verdict and its first reasons.

use ratatui::layout::Rect;

use super::canvas::{Canvas, line_of};
use super::gauge::{gauge, percent, read};
use crate::base::text::{self, cut_end};
use crate::base::time::duration_words;
use crate::compaction::judgement::{Colour, Verdict};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::session::Progress;
use crate::ui::activity::Activity;
use crate::ui::app::{App, LONGEST_PAUSE, Playing};
use crate::ui::assess::Assessment;
use crate::ui::piece::{Piece, width};
use crate::ui::theme::Role;
use crate::ui::words;

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(lane) = app.lane() else { return };
    first_line(app, lane, line_of(area, 0), canvas);
    second_line(app, lane, line_of(area, 1), canvas);
}

/// Who it is, what it is doing, how full it is: as much of it as fits.
fn first_line(app: &App, lane: &LaneSnapshot, area: Rect, canvas: &mut Canvas<'_>) {
    let cells = usize::from(area.width);
    let fits = |level: &u8| width(&identity(app, lane, *level)) + width(&fill(app, lane, *level)) + 2 <= cells;
    let level = (0..=6).rev().find(fits).unwrap_or(0);
    let right = fill(app, lane, level);
    let left = Rect { width: u16::try_from(cells.saturating_sub(width(&right) + 1)).unwrap_or(u16::MAX), ..area };
    // A name of which nothing would be left is left out.
    if left.width >= 10 {
        canvas.line(left, 0, &identity(app, lane, level));
    }
    canvas.line_right(area, &right);
}

/// The left part; a higher level says more.
fn identity(app: &App, lane: &LaneSnapshot, level: u8) -> Vec<Piece<'static>> {
    let facts = &app.snapshot.facts;
    let path = facts.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let directory = facts.directory.as_deref().and_then(|d| d.rsplit(['/', '\\']).find(|part| !part.is_empty())).map(str::to_owned);
    let name = directory.or(path).unwrap_or_default();
    let mut pieces = vec![
        Piece::new(Role::Dim, format!(" {}  ", app.look.name)),
        Piece::new(Role::Strong, cut_end(&name, if level < 2 { 18 } else { 32 }).into_owned()),
    ];
    if level < 2 {
        return pieces;
    }
    let mut said = vec![match facts.version.as_deref().filter(|_| level >= 4) {
        Some(version) => format!("{} {version}", facts.agent.0),
        None => facts.agent.0.to_owned(),
    }];
    if let Some(model) = lane.model.as_deref().filter(|_| level >= 3) {
        said.push(words::model(model).to_owned());
    }
    let lanes = app.snapshot.lanes.len();
    match lanes {
        0 | 1 if level >= 5 => said.push(lane.name.to_string()),
        0 | 1 => {}
        _ => said.push(format!("{} ({} of {lanes})", cut_end(&lane.name, 16), app.lane.index() + 1)),
    }
    pieces.extend([Piece::new(Role::Text, "  "), Piece::new(Role::Dim, said.join(" · "))]);
    pieces
}

/// The right part; a higher level says more.
fn fill(app: &App, lane: &LaneSnapshot, level: u8) -> Vec<Piece<'static>> {
    let mut pieces = moment(app, level);
    match app.snapshot.progress {
        Progress::Reading { done, total } => {
            pieces.extend([Piece::new(Role::Text, format!("reading {} %", read(done, total))), Piece::new(Role::Text, " ")]);
            return pieces;
        }
        Progress::Complete => {
            let activity = Activity::of(lane, app.now);
            let (role, sign) = if activity.is_live() { (Role::Text, "● ") } else { (Role::Dim, "○ ") };
            pieces.extend([Piece::new(role, sign), Piece::new(Role::Text, activity.words())]);
        }
    }
    let Some(assessment) = app.assessment() else { return pieces };
    let context = &assessment.judgement.context;
    let estimated = if context.estimated { "~" } else { "" };
    let assumed = if context.window_assumed { "?" } else { "" };
    let full = format!("{estimated}{}/{}{assumed} ", words::tokens(context.tokens), words::tokens(context.window));
    let short = format!("{estimated}{} ", words::tokens(context.tokens));
    pieces.push(Piece::new(Role::Text, if level >= 1 { "     " } else { "  " }));
    pieces.push(Piece::new(Role::Text, if level >= 2 { full } else { short }));
    let cells = match level {
        0 => 8,
        1..=3 => 12,
        _ => 22,
    };
    let earlier: Vec<u64> = lane.boundaries.iter().rev().take(32).filter_map(|boundary| boundary.before).collect();
    pieces.extend(gauge(context, &earlier, cells));
    pieces.push(Piece::new(Role::Strong, format!("{:>3} % ", percent(context.tokens, context.window))));
    if let Some(left) = assessment.left.filter(|left| level >= 5 && left.turns < 100) {
        let turns = match (left.turns, level) {
            (0, _) => "full this turn".to_owned(),
            (turns, 5) => format!("full in ~{turns}"),
            (1, _) => "full in ~1 turn".to_owned(),
            (turns, _) => format!("full in ~{turns} turns"),
        };
        let time = left
            .millis
            .filter(|_| level >= 6 && left.turns > 0)
            .map(|millis| format!(", {}", duration_words(millis)))
            .unwrap_or_default();
        pieces.push(Piece::new(Role::Dim, format!(" {turns}{time} ")));
    }
    pieces
}

/// Which moment is shown, and how time goes on from there; nothing about now.
fn moment(app: &App, level: u8) -> Vec<Piece<'static>> {
    let Some((at, lane)) = app.time.moment.zip(app.time.lane(app.lane)) else { return Vec::new() };
    let player = app.time.player;
    let (sign, going) = match player.state {
        Playing::Never => ("◂", "then".to_owned()),
        Playing::Paused => ("◂", "paused".to_owned()),
        Playing::Running { .. } => ("▸", format!("{}x", player.speed)),
        Playing::Ended => ("▪", "the end".to_owned()),
    };
    let (number, events) = (at.index() + 1, lane.events.len());
    let mut said = match level {
        0 => format!("{sign} {going} {number}/{events}"),
        _ => format!("{sign} {going}, event {number} of {events}"),
    };
    if let Some(row) = lane.events.get(at.index()).filter(|_| level >= 3) {
        said += &format!(", line {}", row.place.line);
    }
    if let Playing::Running { cut: Some(own), .. } = player.state {
        said += &match level {
            0 | 1 => format!(", {} cut", duration_words(own)),
            _ => format!(", {} of pause cut to {}", duration_words(own), duration_words(LONGEST_PAUSE)),
        };
    }
    vec![Piece::new(Role::Focus, said), Piece::new(Role::Text, if level >= 1 { "     " } else { "  " })]
}

/// The verdict with its first reasons; policy and counts at the right, where there is room.
fn second_line(app: &App, lane: &LaneSnapshot, area: Rect, canvas: &mut Canvas<'_>) {
    match (app.snapshot.progress, app.assessment()) {
        (Progress::Reading { .. }, _) => {
            canvas.put(area, 1, Role::Dim, "no verdict before all of it has been read: what closes an obligation may still come");
        }
        (Progress::Complete, _) if lane.events.is_empty() => {
            canvas.put(area, 1, Role::Dim, "nothing has happened yet, so nothing is owed");
        }
        (Progress::Complete, None) if app.judged.has_failed() => {
            canvas.put(area, 1, Role::Strong, "no verdict: judging this failed, which is a defect of owed; p tries another policy");
        }
        (Progress::Complete, None) => {
            canvas.put(area, 1, Role::Dim, "judging …");
        }
        (Progress::Complete, Some(assessment)) => judged(app, lane, assessment, area, canvas),
    }
}

fn judged(app: &App, lane: &LaneSnapshot, assessment: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let judgement = &assessment.judgement;
    let role = match super::verdict_colour(judgement.verdict) {
        Colour::Opportunity => Role::VerdictGo,
        Colour::Repair => Role::VerdictFirst,
        Colour::Barrier => Role::VerdictStop,
    };
    let x = canvas.put(area, 0, role, &format!(" {} ", judgement.verdict.word().to_uppercase())) + 1;
    let cells = usize::from(area.width);

    // The first two reasons come before everything at the right, and rather both in short than one in full.
    // Whoever has chosen a policy is told whose verdict this is.
    let by = app.judged.question.policy.as_ref().map(|_| format!("by {}, ", judgement.policy)).unwrap_or_default();
    let opening = by + &words::verdict(judgement, lane.owed().count(), assessment.open);
    let told = |longest: usize| assessment.told.iter().map(|entry| reason(app, lane, entry, longest)).collect::<Vec<String>>();
    let first_two =
        |reasons: &[String]| x + text::width(&opening) + reasons.iter().take(2).map(|r| text::width(r) + 3).sum::<usize>();
    let reasons = [44, 36, 28, 20].into_iter().map(told).find(|reasons| first_two(reasons) <= cells).unwrap_or_else(|| told(44));
    let right = aside(lane, assessment).into_iter().find(|right| first_two(&reasons) + text::width(right) <= cells);
    let right: Vec<Piece<'_>> = right.into_iter().map(|right| Piece::new(Role::Dim, right)).collect();
    canvas.line_right(area, &right);

    let room = cells.saturating_sub(width(&right) + 1);
    let left = Rect { width: u16::try_from(room).unwrap_or(u16::MAX), ..area };
    let mut x = x;
    if let Some(turned) = app.turned {
        x = canvas.put(left, x, Role::Focus, &format!("(was {}) ", turned.from.word()));
    }
    x = canvas.put(left, x, Role::Strong, &opening);
    let all = if judgement.verdict == Verdict::Repair { judgement.reasons.len() } else { assessment.open };
    let mut shown = 0;
    for reason in &reasons {
        let separator = if shown == 0 { "" } else { " · " };
        // How many more there are has its place too.
        let rest = if shown + 1 < all { MORE } else { 0 };
        if shown > 0 && x + text::width(separator) + text::width(reason) + rest > room {
            break;
        }
        x = canvas.put(left, x, Role::Dim, separator);
        x = canvas.put(left, x, Role::Text, reason);
        shown += 1;
    }
    if (1..all).contains(&shown) && x + MORE <= room {
        canvas.put(left, x, Role::Dim, &format!(" · +{}", all - shown));
    }
}

/// Cells of how many reasons are not told.
const MORE: usize = 6;

/// What stands at the right, from the longest to the shortest.
fn aside(lane: &LaneSnapshot, assessment: &Assessment) -> [String; 4] {
    let judgement = &assessment.judgement;
    let live = format!("{} live", lane.owed().count());
    let (counts, cost) = match assessment.carry {
        0 => (live.clone(), String::new()),
        carry => (format!("{live} · {carry} to carry"), format!(" ({} tok)", words::tokens(judgement.tokens.carriers))),
    };
    let policy = &judgement.policy;
    [format!("policy {policy} · {counts}{cost} "), format!("{policy} · {counts} "), format!("{counts} "), format!("{live} ")]
}

/// What stands in the way, in at most `longest` cells, how, and for how long: `Bash ./migrate.sh (effect unknown, 3 min)`.
fn reason(app: &App, lane: &LaneSnapshot, entry: &Entry, longest: usize) -> String {
    let pending = app.pending.rows.iter().find(|row| row.entry == entry.id);
    let age = pending.and_then(|row| words::since(row.since, app.grown())).map(|age| format!(", {age}")).unwrap_or_default();
    let text = match pending {
        Some(row) => words::call(&row.tool, &row.what),
        None => words::what(entry, app.snapshot.facts.directory.as_deref()).into_owned(),
    };
    format!("{} ({}{age})", cut_end(&text::clean(&text), longest), words::state(lane, entry))
}
