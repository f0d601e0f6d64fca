//! The two lines that answer: which agent this is and how full it is; the verdict and its first reason, in words.

use std::path::Path;

use super::page::Page;
use super::{count, short, tokens};
use crate::base::time::duration_words;
use crate::report::check::CheckReport;
use crate::report::entry::{EntryReport, Id};
use crate::report::style::Tone;
use crate::report::wording;

/// Open entries told in the second line; the rest is counted.
const TOLD: usize = 2;
/// Turns that a pace of a few turns lets one foresee.
const FORESEEN: u64 = 99;
/// Cells for each.
const TOLD_CELLS: usize = 44;

/// Writes both lines.
pub(super) fn write(page: &mut Page, report: &CheckReport<'_>) {
    let verdict = report.verdict.verdict;
    let (who, full) = (who(report), fullness(report));
    page.line([
        (Tone::Strong, "owed"),
        (Tone::Normal, "  "),
        (Tone::Normal, who.as_str()),
        (Tone::Normal, "   "),
        (Tone::Normal, full.as_str()),
    ]);
    let (word, sentence, aside) = (verdict.to_uppercase(), sentence(report), aside(report));
    let tone = Tone::of_verdict(verdict);
    page.line([
        (tone, word.as_str()),
        (Tone::Normal, "  "),
        (Tone::Normal, sentence.as_str()),
        (Tone::Normal, "   "),
        (Tone::Dim, aside.as_str()),
    ]);
}

/// The verdict and its first reasons, in one line: `REFUSE 2 open: Bash ./migrate.sh (effect unknown, 3 min)`.
#[must_use]
pub fn verdict_line(report: &CheckReport<'_>) -> String {
    format!("{} {}", report.verdict.verdict.to_uppercase(), sentence(report))
}

/// `orders-migration · claude-code 2.1.60 · opus-4-6 · main`
fn who(report: &CheckReport<'_>) -> String {
    let session = &report.session;
    let lane = session.lanes.iter().find(|lane| lane.id == report.lane);
    let agent = match session.agent_version {
        Some(version) => format!("{} {}", session.format, short(version, 24)),
        None => session.format.to_owned(),
    };
    let model = lane.and_then(|lane| lane.model).or(session.model).map(|model| short(model, 32));
    let mut who = vec![name(report), agent];
    who.extend(model);
    who.push(short(report.lane, 24));
    if lane.is_some_and(|lane| report.at.event.is_some_and(|at| (at as usize) + 1 < lane.events)) {
        who.push(format!("after event {}, line {}", number(report.at.event), number(report.at.spot.line)));
    }
    who.join(" · ")
}

/// What people would call the session: its title, its folder, its file.
fn name(report: &CheckReport<'_>) -> String {
    let session = &report.session;
    let last = |path: &str| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = session.title.map(str::to_owned).or_else(|| last(session.directory?)).or_else(|| last(&session.path));
    short(name.as_deref().filter(|name| *name != "-").unwrap_or("standard input"), 40)
}

fn number(n: Option<u32>) -> String {
    n.map_or_else(|| "?".to_owned(), |n| n.to_string())
}

/// `142k of 200k tokens, 71 % · compacts at 167k, in ~6 turns`
fn fullness(report: &CheckReport<'_>) -> String {
    let context = &report.context;
    let about = if context.estimated { "~" } else { "" };
    let assumed = if context.window_assumed { " (assumed)" } else { "" };
    let percent = (context.tokens * 100).checked_div(context.window).map(|n| format!(", {n} %")).unwrap_or_default();
    let turns = context.full_in_turns.filter(|n| *n <= FORESEEN).map(|n| format!("in ~{}", count(n as usize, "turn", "turns")));
    let trigger = match (context.pressure, context.trigger) {
        ("critical", _) => Some("compaction is forced now".to_owned()),
        ("due", _) => Some("compaction is due".to_owned()),
        (_, Some(trigger)) => {
            Some([Some(format!("compacts at {}", tokens(trigger))), turns].into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
        (_, None) => turns.map(|turns| format!("full {turns}")),
    };
    let now = format!("{about}{} of {}{assumed} tokens{percent}", tokens(context.tokens), tokens(context.window));
    [Some(now), trigger].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The verdict's reason, as one would say it.
fn sentence(report: &CheckReport<'_>) -> String {
    let verdict = &report.verdict;
    let reasons = || verdict.reasons.iter().filter_map(|reason| entry(report, reason.entry)).collect::<Vec<_>>();
    let open = || verdict.in_the_way.iter().filter_map(|id| entry(report, *id)).collect::<Vec<_>>();
    match verdict.verdict {
        "compact" => verdict.opening.clone(),
        "repair" => format!("{}{}", verdict.opening, told(report, &reasons())),
        _ => format!("{}{}", verdict.opening, told(report, &open())),
    }
}

/// `Bash ./migrate.sh (effect unknown, 3 min) · Write config.yaml (no result, 41 s) · 2 more`
fn told(report: &CheckReport<'_>, entries: &[&EntryReport]) -> String {
    let mut told: Vec<String> = entries.iter().take(TOLD).map(|entry| in_words(report, entry)).collect();
    let more = entries.len().saturating_sub(TOLD);
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told.join(" · ")
}

/// What is open, how, and for how long.
fn in_words(report: &CheckReport<'_>, entry: &EntryReport) -> String {
    let state = match entry.kind {
        "call" => "no result",
        "effect" => "effect unknown",
        kind => kind,
    };
    match report.pending.iter().find(|row| row.entry == entry.id) {
        Some(row) => {
            let since = row.open_ms.map(|millis| format!(", {}", duration_words(millis))).unwrap_or_default();
            format!("{} ({state}{since})", short(&wording::call(row.tool, row.what), TOLD_CELLS))
        }
        None => format!("{} ({state})", short(&entry.line_text, TOLD_CELLS)),
    }
}

/// `policy claude-code · 9 live · 4 to carry (310 tok)`
fn aside(report: &CheckReport<'_>) -> String {
    let live = report.entries.iter().filter(|entry| entry.colour.is_some()).count();
    let carry = report.verdict.reasons.iter().filter(|reason| reason.repair == "carry").count();
    let mut aside = vec![format!("policy {}", report.verdict.policy), format!("{live} live")];
    if carry > 0 {
        aside.push(format!("{carry} to carry ({} tok)", tokens(report.verdict.tokens.carriers)));
    }
    aside.join(" · ")
}

/// An entry of the report.
pub(super) fn entry<'r>(report: &'r CheckReport<'_>, id: Id) -> Option<&'r EntryReport> {
    report.entries.iter().find(|entry| entry.id == id)
}
