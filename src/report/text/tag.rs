//! `owed tag` for people.

use super::page::Page;
use super::short;
use super::table::{Cell, Column, Table};
use crate::report::style::{Style, Tone};
use crate::report::tag::{RegionReport, TagReport};

/// Cells for the words of a region.
const WORDS: usize = 90;

/// What a text was read as, part by part.
#[must_use]
pub fn tag(report: &TagReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading("Regions");
    let mut table = Table::new(&[Column::Text(40), Column::Text(8), Column::Text(12), Column::Text(24), Column::Text(WORDS)]);
    for region in &report.regions {
        let tone = if region.scope.is_some() { Tone::Normal } else { Tone::Dim };
        let also: String = region.also.iter().map(|kind| format!(", {kind}")).collect();
        table.row([
            Cell::toned(tone, format!("{}{also}", region.kind)),
            Cell::toned(Tone::Dim, holds(region)),
            Cell::toned(Tone::Dim, region.rule.as_str()),
            Cell::toned(Tone::Dim, region.acts.join(", ")),
            Cell::toned(tone, short(region.text.trim(), WORDS)),
        ]);
    }
    table.write(&mut page);
    if !report.identifiers.is_empty() {
        page.heading("Exact values");
        let mut table = Table::new(&[Column::Text(12), Column::Path(WORDS)]);
        for value in &report.identifiers {
            table.row([Cell::toned(Tone::Dim, value.kind), Cell::new(value.text)]);
        }
        table.write(&mut page);
    }
    page.finish()
}

/// How long a region holds, where that is not once.
fn holds<'r>(region: &RegionReport<'r>) -> &'static str {
    region.scope.filter(|scope| *scope != "one-shot").unwrap_or("")
}
