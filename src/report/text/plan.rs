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
    for run in
        spans.chunk_by(|a, b| a.action == b.action && a.colour == b.colour && (a.span < verdict.cut) == (b.span < verdict.cut))
    {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let tone = Tone::of_colour(first.colour.unwrap_or_default());
        let mut reasons: Vec<_> = run.iter().flat_map(|span| &span.reasons).map(|id| id.0).collect();
        reasons.sort_unstable();
        reasons.dedup();
        let lines = run.iter().flat_map(|span| &span.lines);
        let (from, to) = (lines.clone().map(|range| range.0).min(), lines.map(|range| range.1).max());
        table.row([
            Cell::toned(tone, tone.glyph()),
            Cell::new(if first.span == last.span { first.span.to_string() } else { format!("{}-{}", first.span, last.span) }),
            Cell::new(first.action.unwrap_or_default()),
            Cell::new(tokens(run.iter().map(|span| span.tokens).sum())),
            Cell::toned(Tone::Dim, from.zip(to).map(|(from, to)| format!("lines {from}-{to}")).unwrap_or_default()),
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
}

fn severed(page: &mut Page, report: &PlanReport<'_>) {
    if report.severed.is_empty() {
        return;
    }
    page.heading("What that severs");
    let mut table =
        Table::new(&[Column::Text(1), Column::Number, Column::Text(12), Column::Text(60), Column::Text(16), Column::Text(12)]);
    for severed in &report.severed {
        let Some(entry) = header::entry(&report.check, severed.entry) else { continue };
        let tone = entry.colour.map_or(Tone::Dim, Tone::of_colour);
        table.row([
            Cell::toned(tone, tone.glyph()),
            Cell::new(entry.id.0.to_string()),
            Cell::toned(tone, entry.kind),
            Cell::new(entry.line_text.as_str()),
            Cell::new(severed.how),
            Cell::toned(Tone::Dim, format!("span {}", severed.span)),
        ]);
    }
    table.write(page);
}

fn beside(page: &mut Page, report: &PlanReport<'_>) {
    let plan = &report.plan;
    page.heading("Instead, with the same budget");
    let mut table = Table::new(&[Column::Text(10), Column::Text(110)]);
    let mut line = |name: &str, what: String| {
        if !what.is_empty() {
            table.row([Cell::toned(Tone::Dim, name), Cell::new(what)]);
        }
    };
    line("keep", ranges(&plan.keep));
    line("summarise", ranges(&plan.summarise));
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

/// `spans 0-3 7 9-12`
fn ranges(spans: &[u32]) -> String {
    let runs = spans.chunk_by(|a, b| a + 1 == *b);
    let shown = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (a, b) if a == b => Some(a.to_string()),
        (a, b) => Some(format!("{a}-{b}")),
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { String::new() } else { format!("spans {}", shown.join(" ")) }
}
