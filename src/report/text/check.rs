//! `owed check` for people: the answer first, then why, what is pending, what else is live, and what was odd.

use std::collections::BTreeMap;

use super::page::Page;
use super::table::{Cell, Column, Table};
use super::{count, header, short};
use crate::base::time::duration_words;
use crate::report::check::CheckReport;
use crate::report::entry::EntryReport;
use crate::report::style::{Style, Tone};
use crate::report::wording;

/// Entries of the colour repair shown under one heading. Barriers are never left out.
const SHOWN: usize = 20;
/// Cells for a line of text.
const LINE: usize = 68;

/// The whole report.
#[must_use]
pub fn check(report: &CheckReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    header::write(&mut page, report);
    why(&mut page, report);
    pending(&mut page, report);
    also_live(&mut page, report);
    closed(&mut page, report);
    odd(&mut page, report);
    foot(&mut page, report);
    page.finish()
}

fn why(page: &mut Page, report: &CheckReport<'_>) {
    let reasons: Vec<_> =
        report.verdict.reasons.iter().filter_map(|reason| Some((reason, header::entry(report, reason.entry)?))).collect();
    if reasons.is_empty() {
        return;
    }
    page.heading("Why");
    let mut table =
        Table::new(&[Column::Text(1), Column::Number, Column::Text(12), Column::Text(LINE), Column::Text(36), Column::Text(12)]);
    let (mut shown, mut left) = (0, 0);
    for (reason, entry) in reasons {
        if entry.colour == Some("repair") {
            shown += 1;
            if shown > SHOWN {
                left += 1;
                continue;
            }
        }
        let [glyph, id, kind, text, line] = named(entry);
        table.row([glyph, id, kind, text, Cell::new(reason.told.as_str()), line]);
    }
    table.write(page);
    more(page, left);
    waits(page, report);
    cannot(page, report);
}

/// What would have helped and the runtime cannot do.
fn cannot(page: &mut Page, report: &CheckReport<'_>) {
    let words = |cannot: &&'static str| match *cannot {
        "pin-spans" => Some("keep single spans verbatim"),
        "compact-older" => Some("compact an older range only"),
        _ => None,
    };
    let what: Vec<&str> = report.verdict.cannot.iter().filter_map(words).collect();
    if !what.is_empty() {
        let line = format!("  it would help, and {} cannot: {}", report.verdict.policy, what.join(", "));
        page.line([(Tone::Dim, line.as_str())]);
    }
}

/// What can be done about a call where nobody is left to wait.
fn waits(page: &mut Page, report: &CheckReport<'_>) {
    if report.verdict.reasons.iter().any(|reason| reason.repair == "wait") {
        let line = "  where the agent has stopped no result comes: look whether it happened (reconcile), or say that it was given up (abandon)";
        page.line([(Tone::Dim, line)]);
    }
}

/// The cells by which an entry is known: glyph, id, kind, text, line.
fn named(entry: &EntryReport) -> [Cell; 5] {
    let tone = entry.colour.map_or(Tone::Dim, Tone::of_colour);
    [
        Cell::toned(tone, tone.glyph()),
        Cell::new(entry.id.0.to_string()),
        Cell::toned(tone, entry.kind),
        Cell::new(entry.line_text.as_str()),
        Cell::toned(Tone::Dim, entry.opened.spot.line.map(|line| format!("line {line}")).unwrap_or_default()),
    ]
}

fn pending(page: &mut Page, report: &CheckReport<'_>) {
    if report.pending.is_empty() {
        return;
    }
    page.heading("Pending");
    let columns = [
        Column::Text(1),
        Column::Text(16),
        Column::Text(44),
        Column::Number,
        Column::Text(8),
        Column::Number,
        Column::Path(28),
        Column::Text(12),
    ];
    let mut table = Table::new(&columns).titled(&["", "call", "what", "open", "effect", "tries", "key", "leans on"]);
    for row in &report.pending {
        let tone = Tone::of_colour(row.colour);
        table.row([
            Cell::toned(tone, tone.glyph()),
            Cell::new(row.call),
            Cell::new(wording::call(row.tool, row.what)),
            Cell::new(row.open_ms.map(duration_words).unwrap_or_else(|| "-".to_owned())),
            Cell::new(row.effect.unwrap_or("-")),
            Cell::new(row.attempts.to_string()),
            Cell::new(row.idempotency_key.unwrap_or(row.intent)),
            Cell::new(if row.leans_on.is_empty() { "-".to_owned() } else { ids(row) }),
        ]);
    }
    table.write(page);
}

fn ids(row: &crate::report::pending::PendingReport<'_>) -> String {
    row.leans_on.iter().map(|id| id.0.to_string()).collect::<Vec<_>>().join(" ")
}

/// Live entries that stand in nobody's way, kind by kind.
fn also_live(page: &mut Page, report: &CheckReport<'_>) {
    let reason = |entry: &EntryReport| report.verdict.reasons.iter().any(|reason| reason.entry == entry.id);
    let live = report.entries.iter().filter(|entry| entry.colour.is_some() && !reason(entry));
    group(page, "Also live", live);
}

/// With `--all`: what is no longer owed, and how it ended.
fn closed(page: &mut Page, report: &CheckReport<'_>) {
    group(page, "Closed", report.entries.iter().filter(|entry| entry.colour.is_none()));
}

fn group<'r>(page: &mut Page, title: &str, entries: impl Iterator<Item = &'r EntryReport>) {
    let mut kinds: BTreeMap<&str, Vec<&EntryReport>> = BTreeMap::new();
    for entry in entries {
        kinds.entry(entry.kind).or_default().push(entry);
    }
    if kinds.is_empty() {
        return;
    }
    page.heading(title);
    let mut table =
        Table::new(&[Column::Text(1), Column::Number, Column::Text(12), Column::Text(LINE), Column::Text(12), Column::Text(12)]);
    let mut left = 0;
    for entries in kinds.values() {
        left += entries.len().saturating_sub(SHOWN);
        for entry in entries.iter().take(SHOWN) {
            let [glyph, id, kind, text, line] = named(entry);
            let status = if entry.status == "live" { "" } else { entry.status };
            table.row([glyph, id, kind, text, Cell::new(status), line]);
        }
    }
    table.write(page);
    more(page, left);
}

fn more(page: &mut Page, left: usize) {
    if left > 0 {
        page.line([(Tone::Dim, format!("  and {left} more; --json lists them all").as_str())]);
    }
}

/// What did not fit: one line a kind.
fn odd(page: &mut Page, report: &CheckReport<'_>) {
    let mut kinds: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let (told, counted): (Vec<_>, Vec<_>) = report.session.anomalies.iter().partition(|anomaly| anomaly.text.is_some());
    for anomaly in counted {
        kinds.entry(&anomaly.kind).or_default().extend(anomaly.spot.line);
    }
    if kinds.is_empty() && told.is_empty() && report.session.unrecognised.is_empty() {
        return;
    }
    page.heading("Odd");
    let mut table = Table::new(&[Column::Number, Column::Text(24), Column::Text(LINE)]);
    for (kind, lines) in kinds {
        let first: Vec<String> = lines.iter().take(6).map(u32::to_string).collect();
        let dots = if lines.len() > first.len() { ", …" } else { "" };
        let at = format!("line {}{dots}", first.join(", "));
        table.row([Cell::new(lines.len().to_string()), Cell::new(kind), Cell::toned(Tone::Dim, at)]);
    }
    for (name, n) in report.session.unrecognised {
        table.row([Cell::new(n.to_string()), Cell::new("unknown record"), Cell::toned(Tone::Dim, short(name, LINE))]);
    }
    for anomaly in told.iter().take(SHOWN) {
        let line = anomaly.spot.line.map_or_else(String::new, |line| format!("line {line}: "));
        let field = anomaly.field.map_or_else(String::new, |field| format!("{field}: "));
        let what = format!("{line}{field}{}", anomaly.text.unwrap_or_default());
        table.row([Cell::new("1"), Cell::new(&*anomaly.kind), Cell::toned(Tone::Dim, short(&what, LINE))]);
    }
    table.write(page);
    more(page, told.len().saturating_sub(SHOWN));
}

/// What stands behind all this.
fn foot(page: &mut Page, report: &CheckReport<'_>) {
    let session = &report.session;
    let guarantee = &report.guarantee;
    let percent = |share: Option<f64>| share.map(|share| (share * 100.0).round());
    let mut parts = vec![count(session.events, "event", "events")];
    if session.lanes.len() > 1 {
        parts.push(count(session.lanes.len(), "lane", "lanes"));
    }
    if session.boundaries > 0 {
        parts.push(count(session.boundaries, "boundary", "boundaries"));
    }
    parts.push(match percent(guarantee.inferred).filter(|inferred| *inferred > 0.0) {
        Some(inferred) => format!("{} ({inferred} %)", guarantee.text),
        None => guarantee.text.to_owned(),
    });
    page.line([]);
    page.line([(Tone::Dim, parts.join(" · ").as_str())]);
}
