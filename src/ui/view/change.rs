//! What has changed in the ledger: since the newest prompt, the newest compaction or a mark; or beside another session.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::selection_role;
use crate::base::text::{cut_end, width};
use crate::ledger::entry::EntryStatus;
use crate::session::Progress;
use crate::ui::app::{App, ChangeKind, ChangeRow, Pane, Tab};
use crate::ui::layout::{Layout, body};
use crate::ui::theme::Role;
use crate::ui::words;

/// Cells of an entry's id and of its kind.
const ID: usize = 6;
const KIND: usize = 14;

/// Where the rows stand: below the line that says against what.
pub(super) fn rows(area: Rect) -> Rect {
    inset(body(body(area)), 1, 2)
}

/// The rows that fit.
pub(crate) fn change_page(layout: &Layout) -> usize {
    layout.tab(Tab::Change).map_or(0, |area| usize::from(rows(area).height))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let head = line_of(inset(body(area), 1, 2), 0);
    if app.snapshot.progress != Progress::Complete {
        canvas.put(head, 0, Role::Dim, "What has changed is told when the whole session has been read.");
        return;
    }
    canvas.put(head, 0, Role::Strong, &app.base_words());
    let rows = rows(area);
    let (all, list) = (&app.change.rows, app.change.list);
    if all.is_empty() {
        canvas.put(
            line_of(rows, 1),
            0,
            Role::Dim,
            "Nothing has changed: what was owed then is owed now. n holds it against another moment,",
        );
        canvas.put(line_of(rows, 2), 0, Role::Dim, "and M marks the one that is shown.");
    }
    let first = list.first(all.len(), usize::from(rows.height));
    for (line, (n, row)) in lines_of(rows).zip(all.iter().enumerate().skip(first)) {
        draw_row(app, row, line, canvas);
        if n == list.selected {
            let status = matches!(row, ChangeRow::Entry(..)).then_some(0);
            canvas.select(line, status, selection_role(app, Pane::Tab(Tab::Change)));
        }
    }
}

fn draw_row(app: &App, row: &ChangeRow, line: Rect, canvas: &mut Canvas<'_>) {
    let (kind, entry) = match row {
        ChangeRow::Heading(kind, count) => {
            let x = canvas.put(line, 0, Role::Heading, words::changed(*kind));
            canvas.put(line, x + 1, Role::Dim, &count.to_string());
            return;
        }
        ChangeRow::Entry(kind, entry) => (*kind, entry),
    };
    let (role, sign) = sign(kind);
    canvas.put(line, 0, role, sign);
    // The ids of another session mean nothing here.
    if kind != ChangeKind::OnlyThere {
        canvas.put(line, 2, Role::Dim, &entry.id.to_string());
    }
    let named = app.lane().map_or(entry.kind.word(), |lane| match kind {
        ChangeKind::OnlyThere => words::kind(entry.kind),
        _ => words::kind_of(lane, entry.kind, entry.opened.event),
    });
    canvas.put(line, 2 + ID, Role::Text, &cut_end(named, KIND - 1));
    let status = app.lane().and_then(|lane| entry.status_at(lane.end()?)).filter(|status| !status.is_live());
    let end = status.filter(|_| kind != ChangeKind::OnlyThere).map(EntryStatus::word).unwrap_or_default();
    let right = usize::from(line.width).saturating_sub(width(end));
    canvas.put(line, right, Role::Dim, end);
    let x = 2 + ID + KIND;
    let text = words::what(entry, app.snapshot.facts.directory.as_deref());
    canvas.put(line, x, Role::Strong, &cut_end(&text, right.saturating_sub(x + 1)));
}

fn sign(kind: ChangeKind) -> (Role, &'static str) {
    match kind {
        ChangeKind::Lost => (Role::Barrier, "■"),
        ChangeKind::Opened | ChangeKind::OnlyHere => (Role::Added, "+"),
        ChangeKind::Closed | ChangeKind::OnlyThere => (Role::Removed, "-"),
        ChangeKind::Turned | ChangeKind::CameAndWent => (Role::Dim, "~"),
    }
}
