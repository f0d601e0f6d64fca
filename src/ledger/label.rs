//! One line an event, for lists: what a person would say, not the JSON.

use std::borrow::Cow;

use crate::base::text::{clean, prefix};
use crate::transcript::{BoundaryKind, Event, JobState, Mark, Outcome, Payload, Trigger};

/// The longest label, in bytes.
pub const LABEL_BYTES: usize = 160;

/// The line of an event that is no call; a call's comes from the catalogue.
pub(super) fn label<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    match &event.payload {
        Payload::User { text, .. } | Payload::Assistant { text } | Payload::Summary { text, opaque: false } => line(text),
        Payload::Job { text, state, .. } => job(text, *state),
        Payload::Reasoning { text } if text.is_empty() => "(encrypted reasoning)".into(),
        Payload::Reasoning { text } => line(text),
        Payload::Summary { opaque: true, .. } => "(encrypted summary)".into(),
        Payload::Call(call) => line(call.input.as_str()),
        Payload::Resolution(resolution) => resolved(&resolution.outcome, &resolution.text),
        Payload::Boundary(boundary) => {
            let what = match boundary.kind {
                BoundaryKind::Summary => "compaction",
                BoundaryKind::Dropped => "context dropped",
                BoundaryKind::Masking => "results masked",
                BoundaryKind::Rewound => "turns taken back",
            };
            let by = match boundary.trigger {
                Trigger::Auto => " · auto",
                Trigger::Manual => " · manual",
                Trigger::Unknown => "",
            };
            format!("{what}{by}").into()
        }
        Payload::Ran { tool, .. } => [&*clean(prefix(tool, LABEL_BYTES / 2)), " ran (hook)"].concat().into(),
        Payload::Mark(mark) => marked(*mark),
        Payload::Unrecognised { name, text } => {
            let line = line(text);
            let name = clean(prefix(name, LABEL_BYTES / 2));
            if line.is_empty() { name } else { format!("{name}: {line}").into() }
        }
    }
}

/// What became of a job, as its notice sums it up where it has markup.
fn job(text: &str, state: JobState) -> Cow<'_, str> {
    let summary = text.split_once("<summary>").and_then(|(_, rest)| Some(rest.split_once("</summary>")?.0));
    match line(summary.unwrap_or(text)) {
        line if line.is_empty() => match state {
            JobState::Running => "still running".into(),
            JobState::Completed => "completed".into(),
            JobState::Failed => "failed".into(),
            JobState::Killed => "stopped".into(),
        },
        line => line,
    }
}

fn resolved<'t>(outcome: &Outcome<'_>, text: &'t str) -> Cow<'t, str> {
    // Outputs are most of a transcript: counted by bytes, not by characters.
    let lines = memchr::memchr_iter(b'\n', text.trim_end().as_bytes()).count() + 1;
    let first = line(text);
    match outcome {
        Outcome::Success | Outcome::Returned if lines > 1 => [&lines.to_string(), " lines: ", &first].concat().into(),
        Outcome::Success | Outcome::Returned => first,
        Outcome::Started { handle } => format!("started in the background as {}", clean(prefix(handle, 60))).into(),
        Outcome::Failed { exit: Some(code) } => format!("exit {code}: {}", after_exit_line(text)).into(),
        Outcome::Failed { exit: None } => format!("error: {first}").into(),
        Outcome::Refused => format!("refused: {first}").into(),
        Outcome::Declined => "declined by you".into(),
        Outcome::TimedOut => format!("timed out: {first}").into(),
        Outcome::Interrupted => "interrupted while running".into(),
        Outcome::Lost => format!("lost: {first}").into(),
        Outcome::Synthetic => format!("no result: {first}").into(),
    }
}

/// The first line that says more than the exit code does.
fn after_exit_line(text: &str) -> Cow<'_, str> {
    let rest = text.trim_start().split_once('\n').filter(|(first, _)| first.to_ascii_lowercase().contains("exit code"));
    line(rest.map_or(text, |(_, rest)| rest))
}

fn marked(mark: Mark) -> Cow<'static, str> {
    match mark {
        Mark::TurnEnded => "turn ended".into(),
        Mark::Interrupted => "interrupted by you".into(),
        Mark::SessionEnded => "session ended".into(),
        Mark::RequestFailed => "a request to the model failed".into(),
        Mark::RolledBack { turns } => format!("{turns} turns taken back").into(),
        Mark::Counted => "".into(),
    }
}

/// The first line of a text that has something on it, cleaned, at most [`LABEL_BYTES`] bytes.
#[must_use]
pub fn first_line(text: &str) -> String {
    line(text).into_owned()
}

fn line(text: &str) -> Cow<'_, str> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    match clean(prefix(line, LABEL_BYTES)) {
        Cow::Owned(line) => prefix(&line, LABEL_BYTES).to_owned().into(),
        line => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_told_by_what_became_of_it() {
        let notice =
            "<task-notification>\n<task-id>b3</task-id>\n<summary>Background command completed (exit code 0)</summary>\n</x>";
        for (text, state, line) in [
            (notice, JobState::Completed, "Background command completed (exit code 0)"),
            ("two tests failed\nand more", JobState::Failed, "two tests failed"),
            ("", JobState::Killed, "stopped"),
        ] {
            assert_eq!(job(text, state), line);
        }
    }
}
