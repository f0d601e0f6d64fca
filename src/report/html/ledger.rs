//! The ledger of a lane as tables: what is live, what a compaction would sever, and what is closed.

use std::io;

use super::Part;
use super::events::anchor;
use super::writer::Writer;
use crate::base::ids::EventIx;
use crate::report::entry::EntryReport;
use crate::report::plan::PlanReport;

/// Writes the ledger.
pub(super) fn write(page: &mut Writer<'_>, part: &Part<'_>, plan: &PlanReport<'_>) -> io::Result<()> {
    let (live, closed): (Vec<_>, Vec<_>) = plan.check.entries.iter().partition(|entry| entry.colour.is_some());
    page.tag(&format!("<h2>Owed: {}</h2>\n", live.len()))?;
    table(page, part, plan, &live)?;
    if !closed.is_empty() {
        page.tag(&format!("<details><summary>closed: {}</summary>\n", closed.len()))?;
        table(page, part, plan, &closed)?;
        page.tag("</details>\n")?;
    }
    Ok(())
}

fn table(page: &mut Writer<'_>, part: &Part<'_>, plan: &PlanReport<'_>, entries: &[&EntryReport]) -> io::Result<()> {
    if entries.is_empty() {
        return page.tag("<p class=\"dim\">nothing</p>\n");
    }
    page.tag("<table>\n<tr><th>entry</th><th>kind</th><th>status</th><th>what</th><th>it ends when</th><th>now a compaction</th><th>line</th></tr>\n")?;
    for entry in entries {
        let severed = plan.severed.iter().find(|severed| severed.entry == entry.id).map_or("", |severed| severed.how);
        let (id, colour) = (entry.id.0, entry.colour.unwrap_or_default());
        page.tag(&format!("<tr id=\"{}\"><td>{id}</td><td class=\"{colour}\">{}</td>", part.entry(id), entry.kind))?;
        page.tag(&format!("<td>{}", entry.status))?;
        if let Some(effect) = entry.effect {
            page.tag(&format!(", {effect}"))?;
        }
        page.within("</td><td>", &entry.line_text, "</td>")?;
        page.within("<td>", &entry.discharge.text, "</td>")?;
        let (line, event) = (entry.opened.spot.line.unwrap_or_default(), EventIx(entry.opened.event));
        page.tag(&format!("<td>{severed}</td><td class=\"n\"><a href=\"#{}\">{line}</a></td></tr>\n", anchor(part, event)))?;
    }
    page.tag("</table>\n")
}
