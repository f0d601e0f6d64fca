//! What the compactions of a lane lost, worst first, with the chain from the cause to the cost.

use std::io;

use super::Part;
use super::events::anchor;
use super::writer::Writer;
use crate::audit::{ConsequenceClass, Finding, classes};
use crate::base::ids::EventIx;
use crate::report::audit::FatesReport;
use crate::report::wording;

/// Writes the boundaries of a lane and their findings; nothing for a lane without one.
pub(super) fn write(page: &mut Writer<'_>, part: &Part<'_>) -> io::Result<()> {
    if part.audit.boundaries.is_empty() {
        return Ok(());
    }
    page.tag("<h2>What the compactions lost</h2>\n")?;
    for boundary in &part.audit.boundaries {
        let Some(row) = part.subject.lane.boundaries.get(boundary.boundary.index()) else { continue };
        page.tag(&format!("<h3>{} ", wording::boundary(part.subject.lane, boundary.boundary)))?;
        link(page, part, row.event)?;
        page.tag(&format!("</h3>\n<p class=\"dim\">{}</p>\n", FatesReport::of(boundary).words()))?;
        for finding in &boundary.findings {
            write_finding(page, part, finding, row.event)?;
        }
    }
    Ok(())
}

fn write_finding(page: &mut Writer<'_>, part: &Part<'_>, finding: &Finding, boundary: EventIx) -> io::Result<()> {
    page.tag(&format!("<article><b class=\"{0}\">{0}</b> {1}", finding.severity.word(), finding.class.word()))?;
    page.tag("<p class=\"dim\">")?;
    if let Some(entry) = &finding.entry {
        page.tag("said at ")?;
        link(page, part, entry.opened.event)?;
        page.tag(" → ")?;
    }
    page.tag("lost at ")?;
    link(page, part, boundary)?;
    for cost in finding.costs() {
        let classes: Vec<&str> = classes(cost).into_iter().map(ConsequenceClass::word).collect();
        page.tag(&format!(" → {} at ", classes.join(", ")))?;
        cost.first().map_or(Ok(()), |first| link(page, part, first.event))?;
    }
    page.tag("</p>\n")?;
    let texts = [("before", &finding.before), ("after", &finding.after)];
    for (name, text) in texts {
        if let Some(text) = text {
            page.within(&format!("<p class=\"dim\">{name}</p><pre>"), text, "</pre>\n")?;
        }
    }
    for cost in finding.costs().filter_map(<[_]>::first) {
        page.within("<p class=\"mono\">", &cost.text, "</p>\n")?;
    }
    page.tag("</article>\n")
}

/// A link to an event, by its line.
fn link(page: &mut Writer<'_>, part: &Part<'_>, event: EventIx) -> io::Result<()> {
    let line = part.subject.lane.events.get(event.index()).map_or(0, |row| row.place.line);
    page.tag(&format!("<a href=\"#{}\">line {line}</a>", anchor(part, event)))
}
