//! `owed audit --markdown`: an incident report that can be pasted. What happened, per loss the chain from cause to cost, what stood and
//! what stands, and the records themselves.
//!
//! **Law:** nothing in a transcript can break the Markdown. Its words stand in code spans and fences alone, each on one line and between
//! more backticks than stand together inside.

use std::fmt::Write as _;

use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::report::audit::{AuditReport, BoundaryReport, FindingReport};
use crate::report::text::short;

/// Cells of a quotation.
const QUOTE: usize = 400;

/// Bytes of a record that are shown.
const RECORD: usize = 600;

/// Reads the record of an event of a lane again; none where it cannot be read any more.
pub type Records<'a> = &'a dyn Fn(&str, EventIx) -> Option<String>;

/// The report.
#[must_use]
pub fn incident(report: &AuditReport<'_>, records: Records<'_>) -> String {
    let mut page = String::from("# What compaction lost\n\n");
    let session = &report.session;
    line(&mut page, &format!("- Session: {}", code(&session.path)));
    let version = session.agent_version.map(|version| format!(" {}", code(version))).unwrap_or_default();
    let model = session.model.map(|model| format!(", model {}", code(model))).unwrap_or_default();
    line(&mut page, &format!("- Agent: {}{version}{model}", session.format));
    if let Some(directory) = session.directory {
        line(&mut page, &format!("- Directory: {}", code(directory)));
    }
    line(&mut page, &format!("- Outcome: {}", report.closing()));
    for (n, boundary) in report.boundaries.iter().enumerate() {
        write(&mut page, n + 1, boundary, records);
    }
    page
}

fn write(page: &mut String, number: usize, boundary: &BoundaryReport<'_>, records: Records<'_>) {
    let at = boundary.at.as_deref().map(|at| format!(", {at}")).unwrap_or_default();
    let place = place(boundary.spot.line);
    line(page, &format!("\n## Boundary {number}: {} ({}){at}{place}\n", boundary.kind, boundary.trigger));
    line(page, &format!("Lane {}. {}.", code(boundary.lane), boundary.entries.words()));
    if let Some(crossed) = &boundary.crossed {
        let how = if crossed.decision == "forced" { "Forced past the gate" } else { "Let through by the gate" };
        line(page, &format!("\n{how} ({}). Unverified, to be checked first:\n", crossed.verdict));
        for entry in &crossed.unverified {
            let check = code(entry.check.as_deref().unwrap_or(&entry.discharge));
            line(page, &format!("- {}{}: {check}", code(&entry.line_text), self::place(Some(entry.line))));
        }
    }
    if boundary.findings.is_empty() {
        line(page, "\nNothing was lost.");
    }
    for (n, finding) in boundary.findings.iter().enumerate() {
        line(page, &format!("\n### {number}.{} {} ({})\n", n + 1, finding.class, finding.severity));
        line(page, &format!("**{}**\n", chain(number, boundary, finding)));
        told(page, finding);
        raw(page, boundary, finding, records);
    }
}

/// `asked at line 31 -> lost at boundary 2 (line 400) -> prohibited-action at line 431`
fn chain(number: usize, boundary: &BoundaryReport<'_>, finding: &FindingReport) -> String {
    let mut links = Vec::new();
    if let Some(entry) = &finding.entry {
        let verb = match entry.kind {
            "done" => "done",
            "call" | "effect" | "retry" | "transaction" | "process" | "resource" | "unverified" => "begun",
            _ => "asked",
        };
        links.push(format!("{verb}{}", entry.opened.spot.line.map(|line| format!(" at line {line}")).unwrap_or_default()));
    }
    let verb = match (finding.class, finding.fate) {
        ("authority-fabricated" | "constraint-inflation", None) => "made up",
        ("stale-directive", _) => "back",
        ("boundary-unannounced", _) => "not told",
        (_, Some("altered" | "contradicted")) => "changed",
        _ => "lost",
    };
    let line = boundary.spot.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    links.push(format!("{verb} at boundary {number}{line}"));
    links.extend(finding.costs().map(|(classes, cost)| format!("{classes} at line {}", cost.line)));
    links.join(" -> ")
}

fn told(page: &mut String, finding: &FindingReport) {
    if let Some(before) = &finding.before {
        let at = finding.entry.as_ref().and_then(|entry| entry.opened.spot.line);
        line(page, &format!("- before{}: {}", place(at), code(before)));
    }
    match finding.after.as_deref().filter(|after| !after.is_empty()) {
        Some(after) => line(page, &format!("- after{}: {}", place(finding.after_line), code(after))),
        None if finding.fate == Some("missing") => line(page, "- after: nothing"),
        None => {}
    }
    for (classes, cost) in finding.costs() {
        line(page, &format!("- {classes}{}, {}: {}", place(Some(cost.line)), cost.distance.words(), code(&cost.text)));
    }
}

/// The records of cause, boundary and costs, each once.
fn raw(page: &mut String, boundary: &BoundaryReport<'_>, finding: &FindingReport, records: Records<'_>) {
    let cause = finding.entry.as_ref().map(|entry| ("Cause", entry.opened.event));
    let costs = finding.consequences.iter().map(|cost| ("Consequence", cost.event));
    let mut shown: Vec<u32> = Vec::new();
    for (what, event) in cause.into_iter().chain([("Boundary", boundary.event)]).chain(costs) {
        if shown.contains(&event) {
            continue;
        }
        shown.push(event);
        if let Some(record) = records(boundary.lane, EventIx(event)) {
            let text = short(prefix(&record, RECORD), RECORD);
            let mark = fence(&text, 3);
            let bytes = if record.len() > RECORD { format!(", {RECORD} of {} bytes", record.len()) } else { String::new() };
            line(page, &format!("\n{what}, event {event}{bytes}:\n\n{mark}json\n{text}\n{mark}"));
        }
    }
}

fn place(line: Option<u32>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

/// Words from a transcript in a code span.
fn code(text: &str) -> String {
    let text = short(text, QUOTE);
    if text.is_empty() {
        return "(nothing)".to_owned();
    }
    let mark = fence(&text, 1);
    // A blank at both ends is taken off again, and keeps a backtick there from joining the mark.
    if text.starts_with('`') || text.ends_with('`') { format!("{mark} {text} {mark}") } else { format!("{mark}{text}{mark}") }
}

/// Backticks, more than stand together anywhere in a text.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

fn line(page: &mut String, text: &str) {
    // Writing to memory does not fail.
    _ = writeln!(page, "{text}");
}

#[cfg(test)]
mod tests {
    use super::{code, fence};

    #[test]
    fn nothing_gets_out_of_a_code_span_or_a_fence() {
        for (text, expected) in [
            ("plain", "`plain`"),
            ("a `b` c", "``a `b` c``"),
            ("``` fenced\n# heading", "```` ``` fenced⏎# heading ````"),
            ("<script>|*_", "`<script>|*_`"),
            ("  ", "(nothing)"),
        ] {
            assert_eq!(code(text), expected);
        }
        assert_eq!(fence("````x```", 3), "`````");
    }
}
