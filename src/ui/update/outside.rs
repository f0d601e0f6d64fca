//! What leaves the screen: texts for the clipboard, the pager and the editor.

use super::jump;
use crate::ledger::rows::CallRow;
use crate::ui::app::{App, Pane, Tab};
use crate::ui::msg::{Effect, TextKey, Want};
use crate::ui::outside::Visit;
use crate::ui::rows::Row;
use crate::ui::words;

/// Asks for the text of the event under the cursor.
pub(super) fn want(app: &mut App, want: Want) {
    let Some(Row { lane, event }) = under_cursor(app) else { return };
    let end = call(app, Row { lane, event }).and_then(|call| call.end).map(|end| end.event).filter(|end| *end != event);
    app.wants = Some(TextKey { lane, event, end, want });
}

/// Takes the text that was asked for.
pub(super) fn take(app: &mut App, key: TextKey, text: Result<String, String>) -> bool {
    match text {
        Err(why) => app.notice = Some(why),
        Ok(text) if key.want == Want::Page => app.outbox.push(Effect::Visit(Visit::Pager(text))),
        Ok(text) => copy(app, text),
    }
    true
}

/// Where the event under the cursor stands: `path:line`, as editors and compilers write it.
pub(super) fn copy_reference(app: &mut App) {
    if let Some((path, line)) = place(app) {
        copy(app, format!("{}:{line}", path.display()));
    }
}

/// The id of the entry under the cursor; of a row that is none's, its call's.
pub(super) fn copy_id(app: &mut App) {
    let id = under_cursor(app).and_then(|row| call(app, row)).map(|call| call.id.to_string());
    match id.or_else(|| super::entries::under_cursor(app).map(|id| id.to_string())) {
        Some(id) => copy(app, id),
        None => app.notice = Some("neither a call nor an entry stands on this row".to_owned()),
    }
}

/// The record of the event under the cursor, in the editor.
pub(super) fn edit(app: &mut App) {
    if let Some((path, line)) = place(app) {
        app.outbox.push(Effect::Visit(Visit::Editor { path, line }));
    }
}

fn copy(app: &mut App, text: String) {
    let first = crate::base::text::cut_end(text.lines().next().unwrap_or_default(), 48).into_owned();
    app.notice = Some(match text.lines().count() {
        0 | 1 => format!("copied: {first}"),
        lines => format!("copied {}: {first}", words::counted(lines, "line")),
    });
    app.outbox.push(Effect::Copy(crate::base::text::harmless(&text).into_owned()));
}

fn under_cursor(app: &mut App) -> Option<Row> {
    let row = match app.panes.focus {
        Pane::Timeline | Pane::Tab(Tab::Detail) => app.row(),
        _ => jump::under_cursor(app).map(|event| Row { lane: app.lane, event }),
    };
    if row.is_none() {
        app.notice = Some("this row stands for no event".to_owned());
    }
    row
}

/// The call that a row belongs to.
fn call(app: &App, row: Row) -> Option<&CallRow> {
    let lane = app.snapshot.lane(row.lane)?;
    lane.calls.get(lane.events.get(row.event.index())?.call?.index())
}

fn place(app: &mut App) -> Option<(std::path::PathBuf, u32)> {
    let row = under_cursor(app)?;
    let place = app.snapshot.lane(row.lane)?.events.get(row.event.index())?.place;
    let file = app.snapshot.facts.files.get(place.file.index())?;
    if file.path.as_os_str() == "-" {
        app.notice = Some("the session came by standard input: it stands in no file".to_owned());
        return None;
    }
    Some((file.path.clone(), place.line))
}
