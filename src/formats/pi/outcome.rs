//! How a call ended, by the words of its result: an error has no more than its text (`core/tools/bash.ts`, `agent/agent-loop.ts`).

use crate::transcript::Outcome;

/// How the text of a failed result begins, or its last line. The first row that fits counts.
const FAILURES: &[(&str, Outcome<'static>)] = &[
    // A person typed something else meanwhile: the rest of the batch did not begin.
    ("Skipped due to queued user message", Outcome::Refused),
    ("Validation failed for tool", Outcome::Refused),
    ("Tool execution was blocked", Outcome::Refused),
    ("Command aborted", Outcome::Interrupted),
    ("Operation aborted", Outcome::Interrupted),
    ("Command timed out after ", Outcome::TimedOut),
];

/// The outcome of a result that is marked as an error.
pub(super) fn failure(text: &str) -> Outcome<'static> {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let says = |words: &str| text.starts_with(words) || last.starts_with(words);
    if let Some((_, outcome)) = FAILURES.iter().find(|(words, _)| says(words)) {
        return outcome.clone();
    }
    if text.starts_with("Tool ") && last.ends_with(" not found") {
        return Outcome::Refused;
    }
    let exit = last.strip_prefix("Command exited with code ").and_then(|code| code.trim().parse().ok());
    Outcome::Failed { exit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_failure() {
        for (text, expected) in [
            ("make: *** [test] Error 1\n\n\nCommand exited with code 2", Outcome::Failed { exit: Some(2) }),
            ("half\n\n\nCommand aborted", Outcome::Interrupted),
            ("Operation aborted", Outcome::Interrupted),
            ("half\n\n\nCommand timed out after 30 seconds", Outcome::TimedOut),
            ("Skipped due to queued user message.", Outcome::Refused),
            ("Tool edt not found", Outcome::Refused),
            ("Could not find the exact text in src/a.ts.", Outcome::Failed { exit: None }),
            ("", Outcome::Failed { exit: None }),
        ] {
            assert_eq!(failure(text), expected, "{text}");
        }
    }
}
