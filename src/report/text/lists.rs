//! `owed formats` and `owed sessions` for people.

use std::path::Path;

use super::page::Page;
use super::table::{Cell, Column, Table};
use super::tokens;
use crate::base::time::{Stamp, duration_words};
use crate::report::formats::FormatsReport;
use crate::report::sessions::FoundReport;
use crate::report::style::{Style, Tone};

/// The formats: what `--format` takes, and where sessions lie.
#[must_use]
pub fn formats(report: &FormatsReport, style: Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::new(&[Column::Text(16), Column::Text(16), Column::Text(20), Column::Text(60)]);
    table = table.titled(&["format", "agent", "also called", "sessions"]);
    for format in &report.formats {
        let nowhere = ["wherever it was written to".to_owned()];
        let places = if format.places.is_empty() { &nowhere[..] } else { &format.places };
        for (n, place) in places.iter().enumerate() {
            let once = |text: &str| if n == 0 { text.to_owned() } else { String::new() };
            let aliases = format.aliases.join(", ");
            table.row([
                Cell::new(once(format.id)),
                Cell::new(once(format.title)),
                Cell::new(once(&aliases)),
                Cell::toned(Tone::Dim, place),
            ]);
        }
        for variable in &format.variables {
            let instead = format!("below ${variable} where that is set");
            table.row([Cell::new(""), Cell::new(""), Cell::new(""), Cell::toned(Tone::Dim, instead)]);
        }
    }
    table.write(&mut page);
    page.finish()
}

/// Sessions, live ones first; `all` is how many there are, and `now` this machine's time.
#[must_use]
pub fn sessions(shown: &[FoundReport], all: usize, now: Stamp, style: Style) -> String {
    let mut page = Page::new(style);
    if shown.is_empty() {
        page.line([(Tone::Normal, "no session of a known agent on this machine: `owed formats` says where they are looked for")]);
        page.line([(Tone::Normal, "`owed demo` plays one")]);
        return page.finish();
    }
    let columns =
        [Column::Text(4), Column::Text(12), Column::Text(20), Column::Text(44), Column::Number, Column::Number, Column::Path(64)];
    let mut table = Table::new(&columns).titled(&["", "agent", "project", "title", "last active", "size", "file"]);
    for found in shown {
        let project = found.project.as_deref().map(Path::new).and_then(Path::file_name).map(|name| name.to_string_lossy());
        let ago = Stamp::parse(&found.last_activity).map(|at| format!("{} ago", duration_words(now.millis_since(at))));
        table.row([
            Cell::toned(Tone::Strong, if found.live { "live" } else { "" }),
            Cell::new(found.agent),
            Cell::new(project.unwrap_or_default()),
            Cell::new(found.title.as_deref().unwrap_or_default()),
            Cell::new(ago.unwrap_or_default()),
            Cell::new(bytes(found.bytes)),
            Cell::toned(Tone::Dim, found.path.as_str()),
        ]);
    }
    table.write(&mut page);
    let left = all.saturating_sub(shown.len());
    if left > 0 {
        page.line([(Tone::Dim, format!("  and {left} older ones; --json lists them all").as_str())]);
    }
    page.finish()
}

/// A size in words: `812 B`, `4.1 kB`, `26 MB`.
fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        _ => format!("{}B", tokens(n).replace('k', " k").replace('M', " M")),
    }
}
