//! `owed audit --summary` for people: accepted or rejected, each key with its line, and what to do next.

use super::page::Page;
use super::short;
use crate::report::accept::{AcceptReport, WhyReport};
use crate::report::style::{Style, Tone};

/// Cells of a line.
const LINE: usize = 80;

/// The whole report.
#[must_use]
pub fn accept(report: &AcceptReport, style: Style) -> String {
    let mut page = Page::new(style);
    let at = report.at.as_ref().and_then(|at| at.spot.line).map(|line| format!(" at line {line}")).unwrap_or_default();
    let of = format!("  {}{at}", short(&report.lane, 24));
    let finish = |mut page: Page| {
        mistakes(&mut page, report);
        page.finish()
    };
    if report.accepted {
        page.line([(Tone::Opportunity, "ACCEPTED"), (Tone::Dim, &of)]);
        page.line([(Tone::Normal, "every entry that the context still owes is held word by word, or by a carrier")]);
        return finish(page);
    }
    let lists = [(report.missing.len(), "missing"), (report.altered.len(), "altered"), (report.added.len(), "added")];
    let counts: Vec<String> = lists.iter().filter(|(n, _)| *n > 0).map(|(n, list)| format!("{n} {list}")).collect();
    page.line([(Tone::Barrier, "REJECTED"), (Tone::Normal, &format!("  {}", counts.join(", "))), (Tone::Dim, &of)]);
    for list in ["missing", "altered", "added"] {
        let rows: Vec<&WhyReport> = report.why.iter().filter(|row| row.list == list).collect();
        if !rows.is_empty() {
            page.heading(title(list));
            rows.into_iter().for_each(|row| told(&mut page, row));
        }
    }
    page.heading("Next");
    page.line([(Tone::Normal, format!("  {}", advice(report)).as_str())]);
    finish(page)
}

/// The carriers that hold nothing.
fn mistakes(page: &mut Page, report: &AcceptReport) {
    if !report.mistakes.is_empty() {
        page.heading("Carriers with a mistake in them: they hold nothing");
    }
    for mistake in &report.mistakes {
        let field = mistake.field.as_deref().map(|field| format!("{field}: ")).unwrap_or_default();
        let line = format!("  {}, line {}: {field}{}", mistake.file, mistake.line, mistake.message);
        page.line([(Tone::Repair, short(&line, LINE).as_str())]);
    }
}

fn title(list: &str) -> &'static str {
    match list {
        "missing" => "Missing: held by nothing",
        "altered" => "Altered: said otherwise",
        _ => "Added: stated, and given by nobody",
    }
}

fn told(page: &mut Page, row: &WhyReport) {
    let tone = if row.list == "missing" { Tone::Repair } else { Tone::Barrier };
    let line = row.opened.as_ref().and_then(|spot| spot.line).or(row.says_line.filter(|_| row.list == "added"));
    let line = line.map(|line| format!("  line {line}")).unwrap_or_default();
    let text = short(&row.line_text, LINE - 4 - line.len());
    page.line([(tone, format!("  {} ", tone.glyph()).as_str()), (Tone::Normal, &text), (Tone::Dim, &line)]);
    page.line([(Tone::Dim, format!("    {}", short(&row.key, LINE - 4)).as_str())]);
    let says = row.says.as_deref().filter(|_| row.list != "added").map(|says| {
        let line = row.says_line.map(|line| format!(" (summary, line {line})")).unwrap_or_default();
        let room = LINE.saturating_sub(8 + row.words().len() + line.len());
        format!(": \u{201C}{}\u{201D}{line}", short(says, room))
    });
    page.line([(Tone::Dim, format!("    {}{}", row.words(), says.unwrap_or_default()).as_str())]);
}

fn advice(report: &AcceptReport) -> String {
    let open = report.missing.len() + report.altered.len();
    match report.next {
        Some("write-carriers") => {
            format!("write-carriers: `owed carry PATH --format json` writes {}", if open == 1 { "it" } else { "them" })
        }
        Some("stricter-cut") => "stricter-cut: keep the spans that hold these, and summarise what is before".to_owned(),
        _ if !report.added.is_empty() => "surface: nobody gave what was added; take it out, or ask who did".to_owned(),
        _ => "surface: neither carriers nor a cut will do; somebody must decide".to_owned(),
    }
}
