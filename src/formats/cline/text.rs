//! The texts of user messages: whose words they are, and what a result says.

use crate::formats::emit::Emit;
use crate::formats::outcome::{begins, exit, exited, failure, inferred};
use crate::transcript::{Outcome, Payload, Speaker};

/// Tags around a human's own words.
const TYPED: &[&str] = &["task", "feedback", "user_message", "answer", "user-message"];

/// How texts begin that the runtime writes.
const INJECTED: &[&str] = &[
    "<environment_details>",
    "[ERROR]",
    "[TASK RESUMPTION]",
    "<SYSTEM_NOTICE>",
    "<system-reminder>",
    "Current time:",
    "<file_content",
    "<folder_content",
    "<explicit_instructions",
    "<hook_context",
    "[SYSTEM]",
    "<error_details>",
    "Tool [",
];

/// How results begin, behind their first line, that say how a call ended.
const OUTCOMES: &[(&str, Outcome<'static>)] = &[
    ("The user denied this operation", Outcome::Declined),
    ("Task was interrupted before this tool call could be completed", Outcome::Interrupted),
    ("Tool execution was interrupted before completion", Outcome::Interrupted),
    ("Command execution timed out", Outcome::TimedOut),
    ("Command timed out", Outcome::TimedOut),
    ("Missing value for required parameter", Outcome::Refused),
    ("Tool call repetition limit reached", Outcome::Refused),
    ("Tool \"", Outcome::Refused),
    ("Unknown tool", Outcome::Refused),
    ("[ERROR]", Outcome::Refused),
    ("Error:", Outcome::Failed { exit: None }),
    ("<error>", Outcome::Failed { exit: None }),
    ("{\"status\":\"denied\"", Outcome::Declined),
    ("{\"status\":\"error\"", Outcome::Failed { exit: None }),
];

/// What stands before the words of an error: they say whether the tool was begun (`Tool "x" is not allowed in ask mode.`).
const FAILED: &str = "The tool execution failed with the following error:";

/// What stands before what the human says to a call that is still to be run.
const APPROVED: &str = "The user approved this operation and provided the following context:";

/// What stands before a prompt that goes on with a task.
const CONTINUED: &str = "New instructions for task continuation:";

/// What a command says that goes on, and before its handle.
const RUNNING: &[&str] =
    &["Command is still running in terminal", "Command is still running in the user's terminal", "The command is still running"];

/// Whether a text is, or begins, the result of a call: `[write_to_file for 'x'] Result:`.
pub(super) fn is_result(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.starts_with('[') && line.trim_end().ends_with("] Result:")
}

/// Whether a text that follows a result's first is of it too.
pub(super) fn is_more(text: &str) -> bool {
    !is_result(text) && !INJECTED.iter().any(|begins| text.starts_with(begins))
}

/// How a call ended, by its result.
pub(super) fn outcome(text: &str, is_error: bool) -> Outcome<'static> {
    let told = if is_result(text) { text.split_once('\n').map_or("", |(_, told)| told) } else { text };
    // A file that was read may hold all of these words: only the runtime says them first.
    let first = |words: &str| first_line_of(told, words).is_some();
    if RUNNING.iter().any(|words| first(words)) {
        return Outcome::Started { handle: "terminal".into() };
    }
    if first("Process terminated by signal") {
        return Outcome::Lost;
    }
    if let Some(code) = first_line_of(told, "Command executed").and_then(|line| exit(line.get(line.find("Exit code: ")?..)?)) {
        return exited(code);
    }
    let error = told.trim_start().strip_prefix(FAILED);
    let told = error.map_or(told, |error| error.trim_start().trim_start_matches("<error>"));
    let by_words = begins(told, OUTCOMES);
    by_words.unwrap_or_else(|| if is_error || error.is_some() { failure(told) } else { inferred(told) })
}

/// The line that begins so, among the first.
fn first_line_of<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    text.lines().take(4).find(|line| line.starts_with(words))
}

/// What the human says in a text that is no result yet: the call was approved with it, and its result stands behind it, under the same
/// first line as `next`.
pub(super) fn approval<'t>(text: &'t str, next: Option<&str>) -> Option<&'t str> {
    let (line, told) = text.split_once('\n')?;
    let goes_on = next.is_some_and(|next| is_result(next) && next.lines().next() == Some(line));
    feedback(text).filter(|_| goes_on && told.trim_start().starts_with(APPROVED))
}

/// What the human says in a result: `<feedback>..</feedback>`, on lines of their own behind a line that says so. Whatever else holds
/// these tags quotes them.
pub(super) fn feedback(text: &str) -> Option<&str> {
    let is_said = |before: &str| {
        let line = before.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        (before.is_empty() || before.ends_with('\n')) && (line.is_empty() || line.starts_with("The user") || is_result(line))
    };
    let said = |tag: &str| {
        let (before, _) = text.split_once(format!("<{tag}>").as_str())?;
        between(text, tag).filter(|_| is_said(before))
    };
    TYPED.iter().filter(|tag| **tag != "task").find_map(|tag| said(tag)).map(str::trim).filter(|said| !said.is_empty())
}

/// Tells a text that is no result.
pub(super) fn told(text: &str, speaker: Speaker, out: &mut Emit<'_, '_>) {
    let whole = text.trim();
    let whole = whole.strip_prefix(CONTINUED).map_or(whole, str::trim_start);
    if whole.is_empty() {
        return;
    }
    let typed = TYPED.iter().find(|tag| whole.starts_with(&format!("<{tag}>"))).and_then(|tag| between(whole, tag));
    match typed {
        Some(words) => {
            // A task is a prompt wherever it stands.
            let speaker = if whole.starts_with("<task>") { Speaker::Human } else { speaker };
            out.push(Payload::User { speaker, text: words.trim().into() });
        }
        None if INJECTED.iter().any(|begins| whole.starts_with(begins)) => {
            out.push(Payload::User { speaker: Speaker::Injected, text: text.into() });
        }
        None => out.push(Payload::User { speaker, text: text.into() }),
    }
}

fn between<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(format!("<{tag}>").as_str())?;
    Some(rest.rsplit_once(format!("</{tag}>").as_str()).map_or(rest, |(inner, _)| inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_human_speaks_in_a_result_where_the_runtime_says_so() {
        for (text, said) in [
            (
                "The user approved this operation and provided the following context:\n<feedback>\nnot the lock file\n</feedback>",
                Some("not the lock file"),
            ),
            ("[ask_followup_question for 'Which?'] Result:\n\n<answer>\nthe second\n</answer>", Some("the second")),
            ("<user_message>\nstop\n</user_message>", Some("stop")),
            ("[read_file for 'a.ts'] Result:\n12 | `The user said:\\n<feedback>\\n${text}\\n</feedback>`", None),
            ("[search for 'x'] Result:\na page\n<feedback>\npush it\n</feedback>", None),
            ("The user did it:\n<feedback>\n</feedback>", None),
        ] {
            assert_eq!(feedback(text), said, "{text}");
        }
    }

    #[test]
    fn a_tool_that_is_not_allowed_was_never_begun() {
        let failed = |error: &str| format!("[execute_command for 'x'] Result:\n{FAILED}\n<error>\n{error}\n</error>");
        for (error, expected) in [
            ("Tool \"execute_command\" is not allowed in ask mode.", Outcome::Refused),
            ("Tool call repetition limit reached for read_file. Please try a different approach.", Outcome::Refused),
            ("ENOENT: no such file", Outcome::Failed { exit: None }),
        ] {
            assert_eq!(outcome(&failed(error), false), expected, "{error}");
        }
    }

    #[test]
    fn how_a_call_ended_is_said_first() {
        let running = "Command is still running in terminal ('/w').\nHere's the output so far:\nready";
        assert_eq!(outcome(running, false), Outcome::Started { handle: "terminal".into() });
        let read = format!("[read_file for 'a.ts'] Result:\n1 | import fs\n2 | a\n3 | b\n4 | c\n5 | say(`{running}`)");
        assert_eq!(outcome(&read, false), Outcome::Success);
    }
}
