//! One line an event, for lists: what a person would say, not the JSON.

use crate::base::text::{clean, prefix};
use crate::transcript::{BoundaryKind, Event, JobState, Mark, Outcome, Payload, Trigger};

/// The longest label, in bytes.
pub const LABEL_BYTES: usize = 160;

/// The line of an event that is no call; a call's comes from the catalogue.
pub(super) fn label(event: &Event<'_>) -> String {
    match &event.payload {
        Payload::User { text, .. } | Payload::Assistant { text } | Payload::Summary { text, opaque: false } => first_line(text),
        Payload::Job { text, state, .. } => job(text, *state),
        Payload::Reasoning { text } if text.is_empty() => "(encrypted reasoning)".to_owned(),
        Payload::Reasoning { text } => first_line(text),
        Payload::Summary { opaque: true, .. } => "(encrypted summary)".to_owned(),
        Payload::Call(call) => first_line(call.input.as_str()),
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
            format!("{what}{by}")
        }
        Payload::Ran { tool, .. } => format!("{} ran (hook)", clean(prefix(tool, LABEL_BYTES / 2))),
        Payload::Mark(mark) => marked(*mark),
        Payload::Unrecognised { name, text } => {
            let line = first_line(text);
            let name = clean(prefix(name, LABEL_BYTES / 2));
            if line.is_empty() { name.into_owned() } else { format!("{name}: {line}") }
        }
    }
}

/// What became of a job, as its notice sums it up where it has markup.
fn job(text: &str, state: JobState) -> String {
    let summary = text.split_once("<summary>").and_then(|(_, rest)| Some(rest.split_once("</summary>")?.0));
    match first_line(summary.unwrap_or(text)) {
        line if line.is_empty() => match state {
            JobState::Running => "still running".to_owned(),
            JobState::Completed => "completed".to_owned(),
            JobState::Failed => "failed".to_owned(),
            JobState::Killed => "stopped".to_owned(),
        },
        line => line,
    }
}

fn resolved(outcome: &Outcome<'_>, text: &str) -> String {
    // Outputs are most of a transcript: counted by bytes, not by characters.
    let lines = memchr::memchr_iter(b'\n', text.trim_end().as_bytes()).count() + 1;
    let first = first_line(text);
    match outcome {
        Outcome::Success | Outcome::Returned if lines > 1 => format!("{lines} lines: {first}"),
        Outcome::Success | Outcome::Returned => first,
        Outcome::Started { handle } => format!("started in the background as {}", clean(prefix(handle, 60))),
        Outcome::Failed { exit: Some(code) } => format!("exit {code}: {}", after_exit_line(text)),
        Outcome::Failed { exit: None } => format!("error: {first}"),
        Outcome::Refused => format!("refused: {first}"),
        Outcome::Declined => "declined by you".to_owned(),
        Outcome::TimedOut => format!("timed out: {first}"),
        Outcome::Interrupted => "interrupted while running".to_owned(),
        Outcome::Lost => format!("lost: {first}"),
        Outcome::Synthetic => format!("no result: {first}"),
    }
}

/// The first line that says more than the exit code does.
fn after_exit_line(text: &str) -> String {
    let rest = text.trim_start().split_once('\n').filter(|(first, _)| first.to_ascii_lowercase().contains("exit code"));
    first_line(rest.map_or(text, |(_, rest)| rest))
}

fn marked(mark: Mark) -> String {
    match mark {
        Mark::TurnEnded => "turn ended".to_owned(),
        Mark::Interrupted => "interrupted by you".to_owned(),
        Mark::SessionEnded => "session ended".to_owned(),
        Mark::RequestFailed => "a request to the model failed".to_owned(),
        Mark::RolledBack { turns } => format!("{turns} turns taken back"),
        Mark::Counted => String::new(),
    }
}

/// The first line of a text that has something on it, cleaned, at most [`LABEL_BYTES`] bytes.
#[must_use]
pub fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    prefix(&clean(prefix(line, LABEL_BYTES)), LABEL_BYTES).to_owned()
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
