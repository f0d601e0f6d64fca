//! How a call ended, by the words of its result.
//!
//! The tables are what 730 real sessions of versions 1.0.69 to 2.1.170 hold, and what the runtime's later versions say.

use crate::formats::outcome::handle;
use crate::transcript::Outcome;

/// How the text of a failed result begins. The first row that fits counts; the same words may stand behind `Error: ` or below an
/// exit code.
const FAILURES: &[(&str, Outcome<'static>)] = &[
    // A parallel call failed, and this one may have been killed in mid run.
    ("<tool_use_error>Sibling tool call errored", Outcome::Lost),
    ("<tool_use_error>Cancelled: parallel tool call", Outcome::Lost),
    ("Sibling tool call errored", Outcome::Lost),
    ("Cancelled: parallel tool call", Outcome::Lost),
    // Validation: not read yet, no such string, no such tool, wrong input.
    ("<tool_use_error>", Outcome::Refused),
    ("InputValidationError", Outcome::Refused),
    // Permission, by the human.
    ("The user doesn't want to proceed with this tool use", Outcome::Declined),
    ("User rejected tool use", Outcome::Declined),
    ("User declined to answer questions", Outcome::Declined),
    ("The agent proposed a plan that was rejected by the user", Outcome::Declined),
    ("Permission for this tool use was denied", Outcome::Declined),
    ("Interrupted by user", Outcome::Declined),
    // Permission, by a setting or because nobody could be asked.
    ("Permission to use ", Outcome::Refused),
    ("Permission for this action has been denied", Outcome::Refused),
    ("Claude requested permissions to ", Outcome::Refused),
    ("This command requires approval", Outcome::Refused),
    // A hook that blocks before the call.
    ("PreToolUse:", Outcome::Refused),
    ("Hook PreToolUse:", Outcome::Refused),
    ("Execution stopped by PreToolUse hook", Outcome::Refused),
    // The human pressed escape while it ran.
    ("[Request interrupted by user", Outcome::Interrupted),
    ("The user doesn't want to take this action right now", Outcome::Interrupted),
    ("<error>Command was aborted before completion", Outcome::Interrupted),
    ("Request was aborted", Outcome::Interrupted),
    // Time.
    ("Command timed out after", Outcome::TimedOut),
    ("Ripgrep search timed out after", Outcome::TimedOut),
    ("MCP error -32001", Outcome::TimedOut),
    // The other side went away.
    ("MCP error -32000", Outcome::Lost),
    ("Connection closed", Outcome::Lost),
    // What the runtime sends in place of a result that it lost.
    ("[Tool result missing due to internal error]", Outcome::Synthetic),
];

/// How the text of a launch begins, and the words before the job's handle.
const LAUNCHES: &[(&str, &str)] = &[
    ("Command running in background", "with ID: "),
    ("Command was manually backgrounded", "with ID: "),
    ("Command exceeded", "with ID: "),
    ("Command did not complete within", "ID: "),
    ("Command moved to the background", "with ID: "),
    ("Async agent launched", "agentId: "),
    ("Monitor started", "task "),
];

/// The outcome of a result that is marked as an error.
pub(super) fn failure(text: &str) -> Outcome<'static> {
    let text = text.trim_start();
    let text = text.strip_prefix("Error: ").unwrap_or(text);
    let (exit, told) = match exit_code(text) {
        Some((code, rest)) => (Some(code), rest),
        None => (None, text),
    };
    let row = FAILURES.iter().find(|(words, _)| told.starts_with(words));
    row.map_or(Outcome::Failed { exit }, |(_, outcome)| outcome.clone())
}

/// The handle of the job that a result says it has launched.
pub(super) fn launched(text: &str) -> Option<&str> {
    let (words, before) = LAUNCHES.iter().find(|(words, _)| text.starts_with(words))?;
    let (_, rest) = text.get(words.len()..)?.split_once(before)?;
    Some(handle(rest)).filter(|handle| !handle.is_empty())
}

/// `Exit code 137`, and what stands on the lines below it.
fn exit_code(text: &str) -> Option<(i32, &str)> {
    let rest = text.strip_prefix("Exit code ")?;
    let (code, below) = rest.split_once('\n').unwrap_or((rest, ""));
    Some((code.trim().parse().ok()?, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_its_outcome() {
        use Outcome::{Declined, Failed, Interrupted, Lost, Refused, Synthetic, TimedOut};
        for (text, outcome) in [
            ("Exit code 1\nerror: no such branch", Failed { exit: Some(1) }),
            ("Exit code 128", Failed { exit: Some(128) }),
            ("Error: Exit code 2\nfatal", Failed { exit: Some(2) }),
            ("Exit code 124", Failed { exit: Some(124) }),
            ("Exit code unknown", Failed { exit: None }),
            ("ls: cannot access 'types/': No such file or directory", Failed { exit: None }),
            ("", Failed { exit: None }),
            ("<tool_use_error>File has not been read yet. Read it first.</tool_use_error>", Refused),
            ("<tool_use_error>Error: No such tool available: Task\" >", Refused),
            ("Permission to use Bash has been auto-denied (prompts unavailable).", Refused),
            ("Claude requested permissions to write to /a/b.ts, but you haven't granted it yet.", Refused),
            ("PreToolUse:Bash hook error: [check.sh]: not on main", Refused),
            ("The user doesn't want to proceed with this tool use. The tool use was rejected (eg. ...).", Declined),
            ("Interrupted by user", Declined),
            ("The user doesn't want to take this action right now. STOP what you are doing", Interrupted),
            ("[Request interrupted by user for tool use]\nStep 3 of 9", Interrupted),
            ("Exit code 137\n[Request interrupted by user for tool use]\n=== RUN", Interrupted),
            ("Command timed out after 2m 0.0s\n 12 passed", TimedOut),
            ("Exit code 143\nCommand timed out after 25s", TimedOut),
            ("Ripgrep search timed out after 20 seconds. Try a narrower path.", TimedOut),
            ("<tool_use_error>Sibling tool call errored</tool_use_error>", Lost),
            ("Cancelled: parallel tool call Bash(make) errored", Lost),
            ("MCP error -32000: Connection closed", Lost),
            ("MCP error -32602: Invalid arguments", Failed { exit: None }),
            ("[Tool result missing due to internal error]", Synthetic),
        ] {
            assert_eq!(failure(text), outcome, "{text}");
        }
    }

    #[test]
    fn a_launch_names_its_job() {
        for (text, handle) in [
            ("Command running in background with ID: b5e11f4. Output is being written to: /tmp/b5e11f4.output", Some("b5e11f4")),
            ("Command running in background with ID: bash_1", Some("bash_1")),
            ("Command was manually backgrounded by user with ID: b1. Output", Some("b1")),
            ("Command did not complete within its 120s timeout and was moved to the background (ID: bx9). Output", Some("bx9")),
            ("Async agent launched successfully.\nagentId: ae34a71 (internal ID)", Some("ae34a71")),
            ("Monitor started (task b7, timeout 300000ms)", Some("b7")),
            ("Command running in background with ID: ", None),
            ("The command is running in background with ID: b1", None),
        ] {
            assert_eq!(launched(text), handle, "{text}");
        }
    }
}
