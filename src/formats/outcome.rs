//! How a call ended, by the words of its result, where a record has no field for it or says less than its text.
//!
//! Only how a text begins counts, and a line that states an exit code: outputs are often files and logs that hold the same words.

use crate::transcript::Outcome;

/// How texts begin that any program may put in the place of a result. The first row that fits counts.
const BEGINNINGS: &[(&str, Outcome<'static>)] = &[
    ("Error: Tool execution was interrupted", Outcome::Interrupted),
    ("Tool execution was interrupted", Outcome::Interrupted),
    ("Interrupted by user", Outcome::Interrupted),
    ("Request was aborted", Outcome::Interrupted),
    ("The user denied this operation", Outcome::Declined),
    ("User rejected", Outcome::Declined),
    ("The user rejected", Outcome::Declined),
    ("Permission denied by user", Outcome::Declined),
    ("Command timed out", Outcome::TimedOut),
    ("Error: Command timed out", Outcome::TimedOut),
    ("Error: timed out", Outcome::TimedOut),
    ("Execution timed out", Outcome::TimedOut),
    ("Tool not found", Outcome::Refused),
    ("Error: Tool ", Outcome::Refused),
    ("Unknown tool", Outcome::Refused),
    ("Invalid tool", Outcome::Refused),
    ("Traceback (most recent call last)", Outcome::Failed { exit: None }),
    ("Error:", Outcome::Failed { exit: None }),
    ("ERROR:", Outcome::Failed { exit: None }),
    ("Error executing", Outcome::Failed { exit: None }),
    ("Error calling", Outcome::Failed { exit: None }),
    ("Error while", Outcome::Failed { exit: None }),
    ("An error occurred", Outcome::Failed { exit: None }),
];

/// What stands before an exit code.
const EXITS: &[&str] = &[
    "Exit code: ",
    "Exit Code: ",
    "Exit code ",
    "Process exited with code ",
    "Command exited with code ",
    "[Command finished with exit code ",
    "<returncode>",
];

/// Lines at either end of a text that may state an exit code.
const LINES: usize = 3;

/// The outcome of a result of which the record itself says that it is an error.
pub(super) fn failure(text: &str) -> Outcome<'static> {
    match by_words(text) {
        None | Some(Outcome::Success) => Outcome::Failed { exit: None },
        Some(outcome) => outcome,
    }
}

/// The outcome of a result that has no field for it.
pub(super) fn inferred(text: &str) -> Outcome<'static> {
    by_words(text).unwrap_or(Outcome::Success)
}

/// What the table says of how a text begins.
pub(super) fn begins(text: &str, table: &[(&str, Outcome<'static>)]) -> Option<Outcome<'static>> {
    let text = text.trim_start();
    table.iter().find(|(words, _)| text.starts_with(words)).map(|(_, outcome)| outcome.clone())
}

fn by_words(text: &str) -> Option<Outcome<'static>> {
    match exit(text) {
        Some(code) => Some(exited(code)),
        None => begins(text, BEGINNINGS),
    }
}

/// The outcome of a process that ended with this code.
pub(super) fn exited(code: i32) -> Outcome<'static> {
    if code == 0 { Outcome::Success } else { Outcome::Failed { exit: Some(code) } }
}

/// The handle with which a text begins: letters, digits, `-` and `_`; empty if it begins with anything else.
pub(super) fn handle(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The exit code that one of the first or last lines of a text states.
pub(super) fn exit(text: &str) -> Option<i32> {
    let first = text.lines().take(LINES);
    let last = text.trim_end().rsplit('\n').take(LINES);
    first.chain(last).find_map(|line| {
        let line = line.trim();
        let rest = EXITS.iter().find_map(|words| line.strip_prefix(words))?;
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_where_a_program_puts_them() {
        use Outcome::{Declined, Failed, Success, TimedOut};
        for (text, outcome) in [
            ("fine", Success),
            ("Exit code: 2\nOutput:\nno", Failed { exit: Some(2) }),
            ("<returncode>0</returncode>\n<output>\nError: quoted", Success),
            ("built\n\nCommand exited with code 101", Failed { exit: Some(101) }),
            ("Traceback (most recent call last):\n  File", Failed { exit: None }),
            ("a log that says\nError: in its middle\nand goes on\nand on\nand on", Success),
            ("Command timed out after 30 seconds", TimedOut),
            ("The user denied this operation.", Declined),
        ] {
            assert_eq!(inferred(text), outcome, "{text}");
        }
        assert_eq!(failure("no such file"), Failed { exit: None });
    }
}
