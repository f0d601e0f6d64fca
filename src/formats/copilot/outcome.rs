//! How a call ended: by the flags of its event, and by the line that the shell tools write below the output.
//!
//! A command that failed is a success of its tool: `success` says that there is a result, and the exit code stands in the text.

use crate::formats::outcome::handle;
use crate::transcript::{JobState, Outcome};

/// How a call failed, by the words or the code of its error. The first row that fits counts.
const FAILURES: &[(&str, Outcome<'static>)] = &[
    ("Command not executed", Outcome::Refused),
    ("does not exist", Outcome::Refused),
    ("Invalid arguments", Outcome::Refused),
    ("The user rejected", Outcome::Declined),
    ("user rejected", Outcome::Declined),
    ("User denied", Outcome::Declined),
    ("rejected", Outcome::Declined),
    ("Permission denied by", Outcome::Refused),
    ("denied", Outcome::Refused),
    ("timed out", Outcome::TimedOut),
    ("aborted", Outcome::Interrupted),
    ("cancelled", Outcome::Interrupted),
];

/// The outcome of a call that failed: by its code, else by how its message begins.
pub(super) fn failure(code: &str, message: &str) -> Outcome<'static> {
    let first = message.lines().next().unwrap_or_default();
    let says = |words: &str| code == words || first.contains(words) && first.len() < 200;
    let row = FAILURES.iter().find(|(words, _)| says(words));
    row.map_or(Outcome::Failed { exit: None }, |(_, outcome)| outcome.clone())
}

/// What the last line of a shell tool's result says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shell<'t> {
    /// It ended with this code.
    Exited(i32),
    /// It goes on under this id.
    Runs(&'t str),
    /// The call has stopped it.
    Stopped,
}

/// Reads that line: `<exited with exit code 1>`, `<shellId: 0 completed with exit code 1>`, `<command with id: 7 exited with exit code 0>`,
/// `<command with id: 7 stopped>`, `<command started in background with shellId: 7>`, `<command with shellId: 7 is still running after 30 seconds. ...>`.
pub(super) fn shell(text: &str) -> Option<Shell<'_>> {
    let line = text.trim_end().lines().next_back()?.trim();
    let line = line.strip_prefix('<')?.strip_suffix('>')?;
    if let Some((_, code)) = line.split_once("with exit code ") {
        return code.trim().parse().ok().map(Shell::Exited);
    }
    if line.starts_with("command with") && line.ends_with(" stopped") {
        return Some(Shell::Stopped);
    }
    if !line.contains("started in background") && !line.contains("still running") {
        return None;
    }
    let (_, id) = line.split_once("hellId: ")?;
    Some(handle(id)).filter(|id| !id.is_empty()).map(Shell::Runs)
}

/// What became of a command that ran in the background.
pub(super) fn state(code: i32) -> JobState {
    if code == 0 { JobState::Completed } else { JobState::Failed }
}

/// The handle of the agent that a result says it has started in the background.
pub(super) fn agent(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    let (_, id) = first.split_once("started in background with agent_id: ")?;
    Some(handle(id)).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_how_a_command_ended() {
        for (text, expected) in [
            ("error: x\n<exited with exit code 101>", Some(Shell::Exited(101))),
            ("ok\n<shellId: 0 completed with exit code 0>\n", Some(Shell::Exited(0))),
            ("ok\n<command with id: 7 exited with exit code 1>", Some(Shell::Exited(1))),
            ("<command started in background with shellId: 12>", Some(Shell::Runs("12"))),
            ("x\n<command with shellId: build-1 is still running after 30 seconds. Use read_bash.>", Some(Shell::Runs("build-1"))),
            ("<command with id: 4 stopped>", Some(Shell::Stopped)),
            ("<exited with exit code 1>\nand then more", None),
            ("plain", None),
            ("<html>", None),
            ("", None),
        ] {
            assert_eq!(shell(text), expected, "{text}");
        }
    }

    #[test]
    fn every_spelling_of_a_failure() {
        for (code, message, expected) in [
            ("failure", "No match found", Outcome::Failed { exit: None }),
            ("failure", "Command not executed. The 'Stop-Process' command must specify a process.", Outcome::Refused),
            ("failure", "Tool 'x' does not exist.", Outcome::Refused),
            ("rejected", "The user rejected this tool call. User feedback: no", Outcome::Declined),
            ("denied", "Permission denied", Outcome::Refused),
            ("timeout", "Request timed out", Outcome::TimedOut),
            ("", "", Outcome::Failed { exit: None }),
        ] {
            assert_eq!(failure(code, message), expected, "{message}");
        }
    }
}
