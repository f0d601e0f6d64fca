//! `owed audit` for people: each boundary, what became of what was owed, and what was lost, worst first.

use super::page::Page;
use super::{count, short};
use crate::report::audit::{AuditReport, BoundaryReport, FatesReport, FindingReport};
use crate::report::style::{Style, Tone};

/// Cells for a quotation.
const LINE: usize = 90;

/// The whole report.
#[must_use]
pub fn audit(report: &AuditReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if report.boundaries.is_empty() {
        page.line([(Tone::Normal, "no boundary: nothing was compacted in this session")]);
    }
    for boundary in &report.boundaries {
        write(&mut page, boundary);
    }
    page.finish()
}

fn write(page: &mut Page, boundary: &BoundaryReport<'_>) {
    let line = boundary.spot.line.map(|line| format!("line {line}")).unwrap_or_default();
    page.heading(&format!("{} ({}) · {} · {line}", boundary.kind, boundary.trigger, short(boundary.lane, 24)));
    page.line([(Tone::Dim, format!("  {}", fates(&boundary.entries)).as_str())]);
    for finding in &boundary.findings {
        told(page, finding);
    }
}

/// `9 live: 2 verbatim, 3 restated, 1 altered`
fn fates(fates: &FatesReport) -> String {
    let each = [
        (fates.verbatim, "verbatim"),
        (fates.restated, "restated"),
        (fates.altered, "altered"),
        (fates.missing, "missing"),
        (fates.contradicted, "contradicted"),
        (fates.unverifiable, "unverifiable"),
        (fates.unobserved, "unobserved"),
    ];
    let each: Vec<String> = each.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let live = count(fates.live, "live entry", "live entries");
    if each.is_empty() { live } else { format!("{live}: {}", each.join(", ")) }
}

fn told(page: &mut Page, finding: &FindingReport) {
    let tone = match finding.severity {
        "high" => Tone::Barrier,
        "medium" => Tone::Repair,
        _ => Tone::Dim,
    };
    page.line([(tone, format!("  {} {} ({})", tone.glyph(), finding.class, finding.severity).as_str())]);
    let mut quote = |what: &str, text: &str, line: Option<u32>| {
        let line = line.map(|line| format!("  line {line}")).unwrap_or_default();
        page.line([
            (Tone::Dim, format!("      {what:<8} ").as_str()),
            (Tone::Normal, short(text, LINE).as_str()),
            (Tone::Dim, &line),
        ]);
    };
    if let Some(before) = &finding.before {
        quote("before", before, finding.entry.as_ref().and_then(|entry| entry.opened.spot.line));
    }
    if let Some(after) = &finding.after {
        quote("after", after, finding.after_line);
    }
    for consequence in &finding.consequences {
        quote("then", &format!("{}: {}", consequence.class, consequence.text), Some(consequence.line));
    }
}
