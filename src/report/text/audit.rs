//! `owed audit` for people: each boundary, what became of what was owed, and what was lost, worst first. It fits 80 columns.

use super::page::Page;
use super::short;
use crate::base::text::width;
use crate::report::audit::{AuditReport, BoundaryReport, FindingReport};
use crate::report::style::{Style, Tone};

/// Cells of a line.
const LINE: usize = 80;

/// The whole report.
#[must_use]
pub fn audit(report: &AuditReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    if report.boundaries.is_empty() {
        page.line([(Tone::Normal, "no boundary: nothing was compacted in this session")]);
        return page.finish();
    }
    for (n, boundary) in report.boundaries.iter().enumerate() {
        write(&mut page, n + 1, boundary);
    }
    page.heading(&report.closing());
    page.finish()
}

fn write(page: &mut Page, number: usize, boundary: &BoundaryReport<'_>) {
    let line = boundary.spot.line.map(|line| format!(" · line {line}")).unwrap_or_default();
    page.heading(&format!("{number}  {} ({}) · {}{line}", boundary.kind, boundary.trigger, short(boundary.lane, 24)));
    page.line([(Tone::Dim, format!("  {}", boundary.entries.words()).as_str())]);
    if boundary.findings.is_empty() {
        page.line([(Tone::Dim, "  nothing was lost")]);
    }
    for finding in &boundary.findings {
        told(page, finding);
    }
}

fn told(page: &mut Page, finding: &FindingReport) {
    let tone = match finding.severity {
        "high" => Tone::Barrier,
        "medium" => Tone::Repair,
        _ => Tone::Dim,
    };
    page.line([(tone, format!("  {} {} ({})", tone.glyph(), finding.class, finding.severity).as_str())]);
    if let Some(before) = &finding.before {
        quote(page, "before", before, finding.entry.as_ref().and_then(|entry| entry.opened.spot.line));
    }
    match &finding.after {
        Some(after) => quote(page, "instead", after, finding.after_line),
        None if finding.fate == Some("missing") => quote(page, "instead", "nothing", None),
        None => {}
    }
    for consequence in &finding.consequences {
        quote(page, "then", &format!("{}: {}", consequence.class, consequence.text), Some(consequence.line));
        page.line([(Tone::Dim, format!("{:15}{}", "", consequence.distance.words()).as_str())]);
    }
}

/// `      before   Never push to main.  line 31`
fn quote(page: &mut Page, what: &str, text: &str, line: Option<u32>) {
    let what = format!("      {what:<8} ");
    let line = line.map(|line| format!("  line {line}")).unwrap_or_default();
    let room = LINE.saturating_sub(width(&what) + width(&line));
    page.line([(Tone::Dim, what.as_str()), (Tone::Normal, short(text, room).as_str()), (Tone::Dim, &line)]);
}
