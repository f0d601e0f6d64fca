//! The spans of a lane, each with its events and what they say.

use std::io;

use super::Part;
use super::writer::Writer;
use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::ledger::rows::{EventKind, EventRow};
use crate::report::entry::Id;
use crate::report::plan::PlanReport;
use crate::report::span::SpanReport;

/// Of an event's text this much is written, in bytes; the rest stands in the transcript.
const TEXT_BYTES: usize = 6 * 1024;

/// Writes the spans, and the boundaries between them.
pub(super) fn write(page: &mut Writer<'_>, part: &Part<'_>, plan: &PlanReport<'_>) -> io::Result<()> {
    let spans = &plan.check.spans;
    page.tag(&format!("<h2>Spans: {}</h2>\n", spans.len()))?;
    let mut boundaries = part.subject.lane.boundaries.iter().peekable();
    for span in spans {
        let first = span.events.first().map_or(0, |(first, _)| *first);
        while let Some(row) = boundaries.next_if(|row| row.event.0 <= first) {
            page.tag(&format!(
                "<p class=\"boundary dim\" id=\"{}\">{} by {}</p>\n",
                anchor(part, row.event),
                row.kind.word(),
                row.trigger.word()
            ))?;
        }
        write_span(page, part, plan, span)?;
    }
    Ok(())
}

fn write_span(page: &mut Writer<'_>, part: &Part<'_>, plan: &PlanReport<'_>, span: &SpanReport) -> io::Result<()> {
    let colour = span.colour.unwrap_or("out");
    page.tag(&format!("<details class=\"span {colour}\" data-of=\"{colour}\"><summary>"))?;
    let events = || span.events.iter().flat_map(|(first, last)| *first..=*last).map(EventIx);
    let label = events().find_map(|event| part.subject.lane.labels.get(event.index()).filter(|label| !label.is_empty()));
    page.text(label.map_or(span.kind, |label| label))?;
    page.tag(&format!(" <span class=\"dim\">turn {} · {} · {} tokens", span.turn, span.kind, span.tokens))?;
    if let Some(action) = span.action {
        page.tag(&format!(" · {action}"))?;
    }
    for Id(id) in &span.reasons {
        let entry = plan.check.entries.iter().find(|entry| entry.id == Id(*id));
        page.tag(&format!(" · <a href=\"#{}\">{id}</a> {}", part.entry(*id), entry.map_or("", |entry| entry.kind)))?;
    }
    page.tag("</span></summary>\n")?;
    for event in events() {
        if let Some(row) = part.subject.lane.events.get(event.index()) {
            write_event(page, part, event, row)?;
        }
    }
    page.tag("</details>\n")
}

fn write_event(page: &mut Writer<'_>, part: &Part<'_>, event: EventIx, row: &EventRow) -> io::Result<()> {
    // A boundary stands between the spans.
    let id = if matches!(row.kind, EventKind::Boundary | EventKind::Masking) { String::new() } else { anchor(part, event) };
    page.tag(&format!("<div id=\"{id}\"><span class=\"dim\">line {} · {}", row.place.line, row.kind.word()))?;
    if let Some(at) = row.at {
        page.tag(&format!(" · {at}"))?;
    }
    page.tag("</span>")?;
    let text = part.texts.text(event);
    let shown = prefix(&text, TEXT_BYTES);
    if !shown.trim().is_empty() {
        page.within("<pre>", shown, "")?;
        if shown.len() < text.len() {
            page.tag(&format!("\n… {} bytes more in the transcript", text.len() - shown.len()))?;
        }
        page.tag("</pre>")?;
    }
    page.tag("</div>\n")
}

/// The id of an event on the page.
pub(super) fn anchor(part: &Part<'_>, event: EventIx) -> String {
    format!("l{}-{}", part.number, event.0)
}
