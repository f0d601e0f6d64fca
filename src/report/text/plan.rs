//! `owed plan` for people: what the policy would do, run by run of spans; what that severs; what to do instead.

use super::page::Page;
use super::table::{Cell, Column, Table};
use super::{count, header, tokens};
use crate::report::plan::PlanReport;
use crate::report::span::SpanReport;
use crate::report::style::{Style, Tone};

/// The whole report.
#[must_use]
pub fn plan(report: &PlanReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    header::write(&mut page, &report.check);
    dry_run(&mut page, report);
    severed(&mut page, report);
    beside(&mut page, report);
    page.finish()
}

/// Neighbouring spans that share action and colour are one row.
fn dry_run(page: &mut Page, report: &PlanReport<'_>) {
    let verdict = &report.check.verdict;
    page.heading(&format!("What {} would do now", verdict.policy));
    let spans: Vec<&SpanReport> = report.check.spans.iter().filter(|span| span.in_context).collect();
    let columns = [Column::Text(1), Column::Text(16), Column::Text(10), Column::Number, Column::Text(24), Column::Text(48)];
    let mut table = Table::new(&columns).titled(&["", "spans", "", "tokens", "lines", "holds"]);
    for group in
        spans.chunk_by(|a, b| a.action == b.action && a.colour == b.colour && (a.span < verdict.cut) == (b.span < verdict.cut))
    {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let tone = Tone::of_colour(first.colour.unwrap_or_default());
        let mut reasons: Vec<_> = group.iter().flat_map(|span| &span.reasons).map(|id| id.0).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let lines = group.iter().flat_map(|span| &span.lines);
        let (from, to) = (lines.clone().map(|range| range.0).min(), lines.map(|range| range.1).max());
        table.row([
            Cell::toned(tone, tone.glyph()),
            Cell::new(run(first.span, last.span)),
            Cell::new(first.action.unwrap_or_default()),
            Cell::new(tokens(group.iter().map(|span| span.tokens).sum())),
            Cell::toned(Tone::Dim, from.zip(to).map(|(from, to)| run(from, to)).unwrap_or_default()),
            Cell::toned(Tone::Dim, reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        ]);
    }
    table.write(page);
    let t = &verdict.tokens;
    let outcome = format!(
        "  {} -> ~{} tokens: ~{} reclaimed safely, ~{} at a risk",
        tokens(t.before),
        tokens(t.after),
        tokens(t.reclaimed_safely),
        tokens(t.at_risk)
    );
    page.line([(Tone::Normal, outcome.as_str())]);
    for unknown in &verdict.unknown {
        let line = format!("  cannot be known: {}", unknown.text);
        page.line([(Tone::Dim, line.as_str())]);
    }
}

fn severed(page: &mut Page, report: &PlanReport<'_>) {
    let torn = &report.check.verdict.torn;
    if report.severed.is_empty() && torn.is_empty() {
        return;
    }
    page.heading("What that severs");
    let columns = [Column::Text(1), Column::Number, Column::Text(12), Column::Text(60), Column::Text(40), Column::Text(12)];
    let mut table = Table::new(&columns);
    for severed in &report.severed {
        let Some(entry) = header::entry(&report.check, severed.entry) else { continue };
        let tone = entry.colour.map_or(Tone::Dim, Tone::of_colour);
        let asked = if severed.asked { "asked to be kept" } else { "nobody asks to keep it" };
        table.row([
            Cell::toned(tone, tone.glyph()),
            Cell::new(entry.id.0.to_string()),
            Cell::toned(tone, entry.kind),
            Cell::new(entry.line_text.as_str()),
            Cell::new(format!("{}; {asked}", severed.how)),
            Cell::toned(Tone::Dim, format!("span {}", severed.span)),
        ]);
    }
    table.write(page);
    if !torn.is_empty() {
        let line = format!("  spans {} are torn: a call is parted from its resolution", runs(torn));
        page.line([(Tone::Barrier, line.as_str())]);
    }
}

fn beside(page: &mut Page, report: &PlanReport<'_>) {
    let plan = &report.plan;
    page.heading(&format!("Instead, with the same budget: {}", plan.verdict));
    let mut table = Table::new(&[Column::Text(16), Column::Text(110)]);
    let mut line = |name: &str, what: String| {
        if !what.is_empty() {
            table.row([Cell::toned(Tone::Dim, name), Cell::new(what)]);
        }
    };
    line("keep spans", runs(&plan.keep));
    line("summarise spans", runs(&plan.summarise));
    line("carry", plan.carriers.iter().map(|carrier| carrier.entry.0.to_string()).collect::<Vec<_>>().join(" "));
    line("name", plan.live_identifiers.join(" "));
    line(
        "tokens",
        format!(
            "{} -> ~{}, {} (~{})",
            tokens(plan.tokens.before),
            tokens(plan.tokens.after),
            count(plan.carriers.len(), "carrier", "carriers"),
            tokens(plan.tokens.carriers)
        ),
    );
    table.write(page);
}

/// `0-3 7 9-12`
fn runs(spans: &[u32]) -> String {
    let runs = spans.chunk_by(|a, b| a + 1 == *b).filter_map(|group| Some(run(*group.first()?, *group.last()?)));
    runs.collect::<Vec<_>>().join(" ")
}

fn run(from: u32, to: u32) -> String {
    if from == to { from.to_string() } else { format!("{from}-{to}") }
}
