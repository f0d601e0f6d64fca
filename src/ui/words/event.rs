//! A row of the time line in words: who, what, how it ended, and how much of the context it takes.

use std::borrow::Cow;

use super::{boundary, counted};
use crate::base::ids::{BoundaryIx, EventIx, SpanIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::Class;
use crate::ledger::rows::{CallRow, EndHow, EventKind};
use crate::transcript::BoundaryKind;
use crate::ui::rows::row_of;

/// Tokens as a bar of one cell: each step is twice the one before, from 256 to 32,768. Less is not worth a look.
pub(crate) fn bar(tokens: u32) -> &'static str {
    const BARS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    let doublings = (tokens / 256).checked_ilog2().and_then(|n| usize::try_from(n).ok());
    doublings.and_then(|n| BARS.get(n.min(BARS.len() - 1))).copied().unwrap_or_default()
}

/// Who speaks or acts in an event that is no call.
pub(crate) fn who(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Prompt | EventKind::Interrupted | EventKind::RolledBack => "you",
        EventKind::Task => "parent",
        EventKind::Injected => "runtime",
        EventKind::Rules => "rules",
        EventKind::Assistant => "agent",
        EventKind::Reasoning => "thinks",
        EventKind::Call => "call",
        EventKind::Resolution => "result",
        EventKind::Boundary | EventKind::Masking => "",
        EventKind::Summary => "summary",
        EventKind::Ran => "hook",
        EventKind::Job => "job",
        EventKind::RequestFailed => "request",
        EventKind::TurnEnded | EventKind::SessionEnded | EventKind::Counted => "session",
        EventKind::Unrecognised => "unknown",
    }
}

/// A tool's name as people read it; one of an MCP server without the runtime's prefix: `postgres query`.
pub(crate) fn tool(name: &str) -> Cow<'_, str> {
    match name.strip_prefix("mcp__") {
        Some(name) => Cow::Owned(name.replace("__", " ")),
        None => Cow::Borrowed(name),
    }
}

/// What an event says in one line: paths as they stand in the session's own folder, prose without its marks.
pub(crate) fn label<'l>(lane: &'l LaneSnapshot, event: EventIx, directory: Option<&str>) -> Cow<'l, str> {
    let label = lane.labels.get(event.index()).map_or("", |label| label);
    let Some(row) = lane.events.get(event.index()) else { return Cow::Borrowed(label) };
    match row.kind {
        _ if label.is_empty() => Cow::Borrowed(mark(row.kind)),
        EventKind::Assistant | EventKind::Reasoning => without_links(label.trim_matches(['*', '#', ' '])),
        EventKind::Call => match row.call.and_then(|ix| lane.calls.get(ix.index())) {
            Some(call) if *call.tool == *label => Cow::Borrowed(""),
            _ => here(label, directory),
        },
        _ => Cow::Borrowed(label),
    }
}

/// A text whose links are told by their names: `[PR 41](https://…)` is `PR 41`.
fn without_links(text: &str) -> Cow<'_, str> {
    let (mut told, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("](") {
        let link = before.rsplit_once('[').zip(behind.split_once(')'));
        let Some(((before, name), (_, after))) = link else { break };
        told.extend([before, name]);
        rest = after;
    }
    if told.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(told + rest) }
}

/// What a span says, by its first row.
pub(crate) fn span(lane: &LaneSnapshot, span: SpanIx, directory: Option<&str>) -> String {
    let first: Option<EventIx> = lane.spans.get(span.index()).and_then(|row| row_of(lane, row.first));
    let told = first.and_then(|event| Some((event, lane.events.get(event.index())?)));
    let Some((event, row)) = told else { return String::new() };
    let label = label(lane, event, directory);
    match lane.boundaries.binary_search_by_key(&event, |boundary| boundary.event) {
        Ok(n) => {
            let name = boundary(lane, BoundaryIx::from_index(n));
            let has_summary = lane.boundaries.get(n).is_some_and(|row| row.kind == BoundaryKind::Summary);
            if has_summary { format!("{name}, and its summary") } else { name }
        }
        Err(_) => {
            let call = row.call.and_then(|ix| lane.calls.get(ix.index()));
            format!("{}  {label}", call.map_or_else(|| who(row.kind), |call| &call.tool))
        }
    }
}

/// A text whose paths below a folder are told from there.
pub(crate) fn here<'l>(text: &'l str, directory: Option<&str>) -> Cow<'l, str> {
    match directory
        .map(|folder| format!("{}/", folder.trim_end_matches('/')))
        .filter(|folder| folder.len() > 1 && text.contains(folder))
    {
        Some(folder) => Cow::Owned(text.replace(&folder, "")),
        None => Cow::Borrowed(text),
    }
}

/// What an event without a text of its own says.
pub(crate) fn mark(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Interrupted => "stopped the turn",
        EventKind::RolledBack => "took turns back; the world was not rewound",
        EventKind::RequestFailed => "a request to the model failed",
        EventKind::SessionEnded => "ended",
        EventKind::Reasoning => "(encrypted)",
        _ => "",
    }
}

/// What is worth saying about how a call ended; nothing about a plain success.
pub(crate) fn ending(call: &CallRow) -> String {
    let Some(end) = call.ended() else { return "no result yet".to_owned() };
    match end.how {
        EndHow::Success | EndHow::Returned => String::new(),
        EndHow::Started => "in the background".to_owned(),
        EndHow::Failed(Some(code)) => format!("exit {code}"),
        EndHow::Failed(None) => "failed".to_owned(),
        EndHow::Refused => "refused".to_owned(),
        EndHow::Declined => "you declined".to_owned(),
        EndHow::TimedOut => "timed out".to_owned(),
        EndHow::Interrupted => "interrupted".to_owned(),
        EndHow::Lost => "lost".to_owned(),
        EndHow::Synthetic => "no real result".to_owned(),
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd if call.class == Class::Control => {
            String::new()
        }
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd => "abandoned".to_owned(),
        EndHow::NotRecorded => "result not recorded".to_owned(),
    }
}

/// A sub-agent on the row of the call that launched it, behind a sign that says whether its rows stand below.
pub(crate) fn launched(lane: &LaneSnapshot, sign: &str) -> String {
    let open = match lane.open_calls.len() {
        0 => String::new(),
        n => format!(", {n} open"),
    };
    format!("{sign} {}{open}", counted(lane.events.len(), "event"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_the_sessions_folder() {
        for (text, directory, told) in [
            ("/w/a/src/x.rs", Some("/w/a"), "src/x.rs"),
            ("cp /w/a/x /w/a/y", Some("/w/a/"), "cp x y"),
            ("/w/ab/x", Some("/w/a"), "/w/ab/x"),
            ("/x", Some("/"), "/x"),
            ("/x", None, "/x"),
        ] {
            assert_eq!(here(text, directory), told, "{text}");
        }
        assert_eq!(tool("mcp__postgres__query"), "postgres query");
    }

    #[test]
    fn a_link_is_told_by_its_name() {
        for (text, told) in [
            ("[PR 41](https://x.org/41) is open, see [it](y).", "PR 41 is open, see it."),
            ("[PR 41](https://x.org/4", "[PR 41](https://x.org/4"),
            ("a](b) [c", "a](b) [c"),
            ("xs[0](1) and", "xs0 and"),
            ("no link", "no link"),
        ] {
            assert_eq!(without_links(text), told, "{text}");
        }
    }
}
