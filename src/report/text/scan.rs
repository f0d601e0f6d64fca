//! `owed scan` for people: worst first.

use super::count;
use super::page::Page;
use super::table::{Cell, Column, Table};
use crate::report::scan::ScanReport;
use crate::report::style::{Style, Tone};

/// What a scan came to beside its rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rest {
    /// Sessions that the filters left out.
    pub left_out: usize,
    /// Files in folders that are no transcripts.
    pub passed_over: usize,
}

/// Sessions, worst first, and what else there was.
#[must_use]
pub fn scan(rows: &[ScanReport], rest: Rest, style: Style) -> String {
    let mut page = Page::new(style);
    let columns = [
        Column::Number,
        Column::Text(9),
        Column::Number,
        Column::Number,
        Column::Number,
        Column::Text(56),
        Column::Text(12),
        Column::Text(10),
        Column::Path(64),
    ];
    let titles = ["score", "verdict", "live", "boundaries", "odd", "lost", "agent", "last", "file"];
    let mut table = Table::new(&columns).titled(&titles);
    for row in rows {
        let tone = if row.score >= 100 { Tone::Strong } else { Tone::Normal };
        table.row([
            Cell::toned(tone, row.score.to_string()),
            Cell::new(row.verdict.unwrap_or_default()),
            Cell::new(row.live.values().sum::<usize>().to_string()),
            Cell::new(shown(row.boundaries)),
            Cell::new(shown(row.anomalies)),
            Cell::toned(tone, row.lost()),
            Cell::new(row.format),
            Cell::toned(Tone::Dim, row.ended.as_deref().and_then(|at| at.get(..10)).unwrap_or_default()),
            Cell::toned(Tone::Dim, row.path.as_str()),
        ]);
    }
    table.write(&mut page);
    let lossy = rows.iter().filter(|row| row.is_lossy()).count();
    let mut sum = format!("  {} of {} sessions lost something", lossy, rows.len());
    if rest.left_out > 0 {
        sum += &format!("; {} left out by the filters", count(rest.left_out, "session", "sessions"));
    }
    if rest.passed_over > 0 {
        sum += &format!("; {} passed over: no transcript", count(rest.passed_over, "file", "files"));
    }
    page.line([(Tone::Dim, sum.as_str())]);
    page.finish()
}

/// A count; nothing where there is none.
fn shown(n: usize) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}
