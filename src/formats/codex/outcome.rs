//! How a call ended, by the text of its output.
//!
//! A rollout holds no flag for it (`success` is not serialised), so the words with which Codex itself opens an output decide, and
//! only those: what stands below the header is the program's own, and may say anything.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Maybe, Text};
use crate::transcript::{JobState, Outcome};

/// How an output's text is compared with a row of [`WORDS`].
#[derive(Clone, Copy)]
enum Match {
    /// The text is these words.
    Is,
    /// The text begins with them.
    Begins,
    /// Its first line ends with them.
    FirstLineEnds,
    /// Its first line has them in it.
    FirstLineHas,
}
use Match::{Begins, FirstLineEnds, FirstLineHas, Is};

/// What Codex says instead of an output, or before it. The first row that matches decides.
static WORDS: &[(Match, &str, Outcome<'static>)] = &[
    // The human stopped it. "aborted" alone is what Codex sends in place of an output that it does not have.
    (Is, "aborted", Outcome::Synthetic),
    (Is, "aborted by user", Outcome::Interrupted),
    (Begins, "aborted by user after ", Outcome::Interrupted),
    (Begins, "command aborted by user", Outcome::Interrupted),
    // It was not started: by a setting, by the human, by a check.
    (FirstLineEnds, "rejected by user approval settings", Outcome::Refused),
    (Begins, "exec command rejected by user", Outcome::Declined),
    (Begins, "patch rejected by user", Outcome::Declined),
    (Begins, "tool call rejected by user", Outcome::Declined),
    (Begins, "rejected by user", Outcome::Declined),
    (Begins, "user rejected MCP tool call", Outcome::Declined),
    (Begins, "user cancelled MCP tool call", Outcome::Declined),
    (Begins, "patch rejected: ", Outcome::Refused),
    (Begins, "unsupported call: ", Outcome::Refused),
    (Begins, "unsupported custom tool call", Outcome::Refused),
    (Begins, "failed to parse function arguments: ", Outcome::Refused),
    (Begins, "failed to parse arguments", Outcome::Refused),
    (Begins, "apply_patch verification failed: ", Outcome::Refused),
    (Begins, "error: Failed to find expected lines", Outcome::Refused),
    (Begins, "error: Failed to find context", Outcome::Refused),
    (Begins, "error: invalid hunk", Outcome::Refused),
    (Begins, "error: invalid patch", Outcome::Refused),
    (Begins, "write_stdin failed: ", Outcome::Refused),
    (Begins, "collab spawn failed", Outcome::Refused),
    // A command that the sandbox denied may have done a part; one that could not be created did not begin.
    (FirstLineHas, "Sandbox(Denied", Outcome::Failed { exit: None }),
    (Begins, "exec_command failed", Outcome::Refused),
    (Begins, "failed in sandbox", Outcome::Failed { exit: None }),
    (Begins, "execution error: ", Outcome::Failed { exit: None }),
    (Begins, "error: command timed out after ", Outcome::TimedOut),
    (Begins, TIMED_OUT, Outcome::TimedOut),
    // An export left the output out.
    (Is, "Function output removed", Outcome::Returned),
];

const TIMED_OUT: &str = "command timed out after ";

/// How a call ended whose output is `text`, as far as the text alone says it. Free text is a success.
pub(super) fn outcome(text: &str) -> Outcome<'static> {
    let first = text.lines().next().unwrap_or_default();
    let told = WORDS.iter().find(|(how, words, _)| match how {
        Is => text.trim_end() == *words,
        Begins => text.starts_with(words),
        FirstLineEnds => first.ends_with(words),
        FirstLineHas => first.contains(words),
    });
    if let Some((.., outcome)) = told {
        return outcome.clone();
    }
    if let Some(process) = process(text) {
        return match process.state {
            State::Runs(handle) => Outcome::Started { handle: handle.into() },
            State::Exited(code) => exited(code, below_header(text)),
            // That a script completed says nothing about the commands it ran.
            State::Script(JobState::Completed) => Outcome::Returned,
            State::Script(JobState::Killed) => Outcome::Lost,
            State::Script(_) => Outcome::Failed { exit: None },
        };
    }
    let mut header = header(text);
    match header.next().map(|line| (line, header.next())) {
        Some((first, _)) if let Some(code) = number(first, "Exit code: ") => exited(code, below_header(text)),
        Some((first, Some("aborted by user"))) if first.starts_with("Wall time: ") => Outcome::Interrupted,
        _ => enveloped(text).unwrap_or(Outcome::Success),
    }
}

fn exited(code: i32, body: &str) -> Outcome<'static> {
    match code {
        _ if body.starts_with(TIMED_OUT) => Outcome::TimedOut,
        0 => Outcome::Success,
        code => Outcome::Failed { exit: Some(code) },
    }
}

/// What a header says of a process or a script that may have gone on in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process<'t> {
    state: State,
    /// The line that says it.
    pub(super) line: &'t str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Runs(String),
    Exited(i32),
    Script(JobState),
}

impl Process<'_> {
    /// What became of it.
    pub(super) fn job(&self) -> JobState {
        match self.state {
            State::Runs(_) => JobState::Running,
            State::Exited(0) => JobState::Completed,
            State::Exited(_) => JobState::Failed,
            State::Script(state) => state,
        }
    }

    /// Its handle, which is only told while it runs.
    pub(super) fn handle(&self) -> Option<&str> {
        match &self.state {
            State::Runs(handle) => Some(handle),
            State::Exited(_) | State::Script(_) => None,
        }
    }
}

/// Reads the header of a command that may run in the background, or of a script.
pub(super) fn process(text: &str) -> Option<Process<'_>> {
    let first = text.lines().next()?;
    let script = match first {
        "Script completed" => Some(State::Script(JobState::Completed)),
        "Script failed" => Some(State::Script(JobState::Failed)),
        "Script terminated" => Some(State::Script(JobState::Killed)),
        _ => first.strip_prefix("Script running with cell ID ").map(|cell| State::Runs(format!("cell:{}", cell.trim()))),
    };
    if let Some(state) = script {
        return Some(Process { state, line: first });
    }
    header(text).find_map(|line| {
        let runs = || line.strip_prefix("Process running with session ID ").map(|id| State::Runs(format!("proc:{}", id.trim())));
        let state = number(line, "Process exited with code ").map(State::Exited).or_else(runs)?;
        Some(Process { state, line })
    })
}

/// The lines that Codex wrote above an output; none where the output is free text.
fn header(text: &str) -> impl Iterator<Item = &str> {
    const FIRST: &[&str] = &["Chunk ID: ", "Wall time: ", "Exit code: ", "Process exited ", "Process running "];
    /// The longest header has six lines.
    const LONGEST: usize = 8;
    let headed = FIRST.iter().any(|words| text.starts_with(words));
    text.lines().take(if headed { LONGEST } else { 0 }).take_while(|line| *line != "Output:")
}

fn below_header(text: &str) -> &str {
    text.split_once("\nOutput:\n").map_or("", |(_, body)| body)
}

fn number(line: &str, words: &str) -> Option<i32> {
    line.strip_prefix(words)?.trim().parse().ok()
}

/// The outputs of shell tools up to 0.10x, and of `apply_patch` up to 0.104: a JSON object in the text.
fn enveloped(text: &str) -> Option<Outcome<'static>> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Envelope<'a> {
        #[serde(borrow)]
        output: Text<'a>,
        metadata: Maybe<Metadata<'a>>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Metadata<'a> {
        #[serde(borrow)]
        exit_code: Option<&'a RawValue>,
    }
    if !text.starts_with("{\"output\":") {
        return None;
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    let code = envelope.metadata.0?.exit_code?.get().parse().ok()?;
    Some(exited(code, envelope.output.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(exit: i32) -> Outcome<'static> {
        Outcome::Failed { exit: Some(exit) }
    }

    fn started(handle: &'static str) -> Outcome<'static> {
        Outcome::Started { handle: handle.into() }
    }

    #[test]
    fn every_spelling_of_an_end() {
        for (text, expected) in [
            ("aborted", Outcome::Synthetic),
            ("aborted by user after 11.2s", Outcome::Interrupted),
            ("Wall time: 11.2 seconds\naborted by user", Outcome::Interrupted),
            ("command aborted by user", Outcome::Interrupted),
            ("exec command rejected by user", Outcome::Declined),
            ("patch rejected by user", Outcome::Declined),
            ("patch rejected: empty patch", Outcome::Refused),
            ("patch rejected: writing outside of the project; rejected by user approval settings", Outcome::Refused),
            ("unsupported call: frobnicate", Outcome::Refused),
            ("failed to parse function arguments: missing field `cmd`", Outcome::Refused),
            ("apply_patch verification failed: Failed to find expected lines in /w/a.rs:\nfoo", Outcome::Refused),
            ("error: Failed to find expected lines in a.rs:\nfoo", Outcome::Refused),
            ("write_stdin failed: Unknown process id 9", Outcome::Refused),
            ("exec_command failed for `x`: CreateProcess { message: \"No such file\" }", Outcome::Refused),
            (
                "exec_command failed: CreateProcess { message: \"Codex(Sandbox(Denied { output: 1 }))\" }",
                Outcome::Failed { exit: None },
            ),
            ("execution error: Io(Os { code: 20, kind: NotADirectory })", Outcome::Failed { exit: None }),
            ("error: command timed out after 10000 ms", Outcome::TimedOut),
            (
                "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\napplied 3",
                Outcome::TimedOut,
            ),
            ("Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 900\nOutput:\nok", Outcome::Success),
            ("Exit code: 2\nWall time: 3.9 seconds\nOutput:\nmake: *** [test] Error 1", failed(2)),
            (
                "Chunk ID: a1\nWall time: 0.0521 seconds\nProcess exited with code 0\nOriginal token count: 10\nOutput:\nx",
                Outcome::Success,
            ),
            ("Chunk ID: a1\nWall time: 0.0521 seconds\nProcess exited with code -1\nOutput:\nx", failed(-1)),
            ("Wall time: 1.0012 seconds\nProcess running with session ID 4242\nOutput:\nready", started("proc:4242")),
            (r#"{"output":"ok\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#, Outcome::Success),
            (r#"{"output":"no","metadata":{"exit_code":1,"duration_seconds":0.1}}"#, failed(1)),
            (r#"{"output":"command timed out after 9 milliseconds\n","metadata":{"exit_code":124}}"#, Outcome::TimedOut),
            ("Script completed\nWall time 5.1 seconds\nOutput:\n", Outcome::Returned),
            ("Script failed\nWall time 5.1 seconds\nOutput:\nScript error:", Outcome::Failed { exit: None }),
            ("Script terminated\nWall time 5.1 seconds\nOutput:\n", Outcome::Lost),
            ("Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n", started("cell:7")),
            ("Function output removed", Outcome::Returned),
            ("Plan updated", Outcome::Success),
            ("", Outcome::Success),
        ] {
            assert_eq!(outcome(text), expected, "{text}");
        }
    }

    #[test]
    fn what_a_program_prints_decides_nothing() {
        let words = "exec command rejected by user\nProcess exited with code 1\nProcess running with session ID 3\nExit code: 9";
        for (text, expected) in [
            (format!("Exit code: 0\nWall time: 0 seconds\nOutput:\n{words}"), Outcome::Success),
            (format!("Chunk ID: a\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\n{words}"), Outcome::Success),
            (format!("a.rs:1: {words}"), Outcome::Success),
            ("aborted the merge".to_owned(), Outcome::Success),
            ("Scripted".to_owned(), Outcome::Success),
            (r#"{"output":"x"}"#.to_owned(), Outcome::Success),
        ] {
            assert_eq!(outcome(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_header_tells_what_became_of_a_process() {
        let told =
            |text| process(text).map(|process| (process.job(), process.handle().map(str::to_owned), process.line.to_owned()));
        assert_eq!(
            told("Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 3\nOutput:\n"),
            Some((JobState::Failed, None, "Process exited with code 3".into()))
        );
        assert_eq!(
            told("Script running with cell ID 7\nWall time 1.0 seconds\nOutput:\n"),
            Some((JobState::Running, Some("cell:7".into()), "Script running with cell ID 7".into()))
        );
        assert_eq!(told("Script terminated\n"), Some((JobState::Killed, None, "Script terminated".into())));
        assert_eq!(told("Process explorer\nProcess exited with code 3"), None);
    }
}
