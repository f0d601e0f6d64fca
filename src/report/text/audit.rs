//! `owed audit` for people: each boundary, what became of what was owed, and what was lost, worst first. It fits 80 columns.

use super::page::Page;
use super::short;
use crate::base::text::width;
use crate::report::audit::{AuditReport, BoundaryReport, FindingReport};
use crate::report::crossed::CrossedReport;
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
    for boundary in &report.boundaries {
        write(&mut page, boundary);
    }
    page.heading(&report.closing());
    page.finish()
}

fn write(page: &mut Page, boundary: &BoundaryReport<'_>) {
    let line = boundary.spot.line.map(|line| format!(" · line {line}")).unwrap_or_default();
    page.heading(&format!("{} ({}) · {}{line}", boundary.name, boundary.trigger, short(boundary.lane, 24)));
    for line in lines(&boundary.entries.words()) {
        page.line([(Tone::Dim, line.as_str())]);
    }
    if let Some(crossed) = &boundary.crossed {
        unverified(page, crossed);
    }
    if boundary.findings.is_empty() {
        page.line([(Tone::Dim, "  "), (Tone::Dim, boundary.entries.unfound())]);
    }
    for finding in &boundary.findings {
        told(page, finding);
    }
}

/// What the gate let through, with what to look.
fn unverified(page: &mut Page, crossed: &CrossedReport) {
    let how = if crossed.decision == "forced" { "forced past the gate" } else { "let through by the gate" };
    let line = format!("  {how} ({}): unverified, check first", crossed.verdict);
    page.line([(Tone::Barrier, line.as_str())]);
    for entry in &crossed.unverified {
        quote(page, "open", &entry.line_text, Some(entry.line));
        quote(page, "check", entry.check.as_deref().unwrap_or(&entry.discharge), None);
    }
}

/// A list on as few lines as it needs, the later ones set in.
fn lines(list: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in list.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if line.len() + item.trim_end().len() <= LINE => line.push_str(item),
            Some(_) => lines.push(format!("    {item}")),
            None => lines.push(format!("  {item}")),
        }
    }
    lines
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
    match finding.after.as_deref().filter(|after| !after.is_empty()) {
        Some(after) => quote(page, "instead", after, finding.after_line),
        None if finding.fate == Some("missing") => quote(page, "instead", "nothing", None),
        None => {}
    }
    for (classes, consequence) in finding.costs() {
        quote(page, "then", &format!("{classes}: {}", consequence.text), Some(consequence.line));
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
