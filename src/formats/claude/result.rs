//! A tool's result: how its call ended, what a human said in it, and what it tells of a background job.

use std::borrow::Cow;

use super::line::{Block, Part, ToolUseResult};
use super::outcome;
use super::zone::{job_state, tagged};
use crate::formats::emit::Emit;
use crate::formats::json::{Content, ODD};
use crate::transcript::{JobState, Outcome, Payload, Resolution, answered};

/// The resolution of a `tool_result` block, and the news that it brings.
pub(super) fn result(block: &Block<'_>, told: Option<&ToolUseResult<'_>>, emit: &mut Emit<'_, '_>) {
    let text = text(&block.content);
    let outcome = if block.is_error.0 { outcome::failure(&text) } else { success(&text, told) };
    let said = match outcome {
        Outcome::Declined => reason(&text).map(Cow::Borrowed),
        Outcome::Success => answers(&text, told).map(Cow::Owned),
        _ => None,
    };
    let job = job(&text, told);
    emit.push(Payload::Resolution(Resolution {
        call: Cow::Borrowed(block.tool_use_id.as_str()),
        outcome,
        text: Cow::Borrowed(&text),
        said,
    }));
    if let Content::Parts(parts) = &block.content {
        // Its text stands in the result.
        let odd = parts.iter().filter(|part| part.kind.as_str() == ODD);
        odd.for_each(|_| emit.push(Payload::Unrecognised { name: Cow::Owned(format!("result:{ODD}")), text: Cow::Borrowed("") }));
    }
    if let Some((handle, state)) = job.filter(|(handle, state)| !handle.is_empty() && *state != JobState::Running) {
        // The model reads the news in the result itself.
        emit.push(Payload::Job { handle: Cow::Borrowed(handle), state, text: Cow::Borrowed("") });
    }
}

/// The text of a content, one part a line; what is no text leaves a mark.
pub(super) fn text<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Parts(parts) => match parts.as_slice() {
            [only] => part(only),
            parts => Cow::Owned(parts.iter().map(part).collect::<Vec<_>>().join("\n")),
        },
    }
}

fn part<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
    match (&part.text.0, part.tool_name.filled()) {
        (Some(text), _) => Cow::Borrowed(text),
        (None, Some(tool)) => Cow::Borrowed(tool),
        (None, None) => Cow::Owned(format!("[{}]", part.kind.as_str())),
    }
}

/// The outcome of a result that is not marked as an error: success, also of a launch.
///
/// `interrupted` was never set in 10,000 results; should it be, it is believed.
fn success<'t>(text: &'t str, told: Option<&'t ToolUseResult<'_>>) -> Outcome<'t> {
    let handle = told.and_then(|told| match told.status.as_str() {
        "async_launched" | "teammate_spawned" => told.agent_id.filled(),
        "remote_launched" => told.task_id.filled(),
        _ => told.background_task_id.filled(),
    });
    match handle.or_else(|| outcome::launched(text)) {
        Some(handle) => Outcome::Started { handle: Cow::Borrowed(handle) },
        None if told.is_some_and(|told| told.interrupted.0) => Outcome::Interrupted,
        None => Outcome::Success,
    }
}

/// What the human wrote when they said no.
fn reason(text: &str) -> Option<&str> {
    const NOTE: &str = "\n\nNote: The user's next message";
    // The runtime's own words when the human wants to talk about the questions first.
    const NOT_THEIRS: [&str; 2] =
        ["The user wants to clarify these questions", "The user has indicated they have provided enough answers"];
    let (_, said) = text.split_once("he user said:")?;
    let said = said.split_once(NOTE).map_or(said, |(said, _)| said).trim();
    (!said.is_empty() && !NOT_THEIRS.iter().any(|words| said.starts_with(words))).then_some(said)
}

/// What the human answered to a question tool, and the notes that they added: each a line behind its question.
fn answers(text: &str, told: Option<&ToolUseResult<'_>>) -> Option<String> {
    let mut said: Vec<String> = Vec::new();
    let mut add = |question: &str, words: &str| {
        let line = answered(question, words);
        if !words.trim().is_empty() && !said.contains(&line) {
            said.push(line);
        }
    };
    match told.filter(|told| !told.answers.0.is_empty()) {
        Some(told) => {
            let notes = told.annotations.0.iter().filter_map(|(question, note)| Some((question, note.0.as_ref()?.notes.as_str())));
            let answers = told.answers.0.iter().map(|(question, answer)| (question, answer.as_str()));
            answers.chain(notes).for_each(|(question, words)| add(question, words));
        }
        None => quoted_answers(text).for_each(|(question, answer)| add(question, answer)),
    }
    (!said.is_empty()).then(|| said.join("\n"))
}

/// The answers in the text that the model is given: `... : "question"="answer", "question"="answer". You can now ...`.
fn quoted_answers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    const INTROS: [&str; 2] = ["User has answered your questions: \"", "Your questions have been answered: \""];
    let pairs = INTROS.iter().find_map(|intro| text.strip_prefix(intro)).into_iter();
    let pairs = pairs.map(|pairs| pairs.rsplit_once("\". You can now continue").map_or(pairs, |(pairs, _)| pairs));
    pairs.flat_map(|pairs| pairs.split("\", \"")).filter_map(|pair| pair.split_once("\"=\""))
}

/// The job that a result tells of: asked for its output, or stopped.
fn job<'t>(text: &'t str, told: Option<&'t ToolUseResult<'_>>) -> Option<(&'t str, JobState)> {
    const STOPPED: [&str; 4] = [
        r#"{"message":"Successfully stopped task: "#,
        r#"{"success":true,"message":"Successfully killed shell: "#,
        "Successfully stopped task: ",
        "Successfully killed shell: ",
    ];
    if text.starts_with("<retrieval_status>") {
        return Some((tagged(text, "task_id")?, job_state(tagged(text, "status")?)));
    }
    // `BashOutput` of 1.0.x names its shell only beside the text.
    if let Some(told) = told.filter(|told| told.shell_id.filled().is_some()) {
        return Some((told.shell_id.as_str(), job_state(told.status.as_str())));
    }
    let rest = STOPPED.iter().find_map(|words| text.strip_prefix(words))?;
    let end = rest.find([' ', '"', '\n']).unwrap_or(rest.len());
    Some((rest.get(..end)?, JobState::Killed))
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::testing::events;

    /// The events of a result with this content and this account of the runtime's.
    fn ends(content: &str, is_error: &str, told: &str) -> Vec<String> {
        let block = format!(r#"{{"type":"tool_result","tool_use_id":"t","is_error":{is_error},"content":{content}}}"#);
        events(&[&format!(r#"{{"type":"user","uuid":"u","message":{{"content":[{block}]}},"toolUseResult":{told}}}"#)])
    }

    #[test]
    fn content_is_text_in_many_shapes() {
        for (content, text) in [
            (r#""ok""#, "ok"),
            ("null", ""),
            (r#"[{"type":"text","text":"a"}]"#, "a"),
            (
                r#"[{"type":"text","text":"a"},{"type":"image","source":{}},{"type":"tool_reference","tool_name":"Read"}]"#,
                "a\n[image]\nRead",
            ),
        ] {
            assert_eq!(ends(content, "false", "null"), [format!("Resolution t Success: {text}")]);
        }
    }

    #[test]
    fn the_runtimes_account_may_be_anything() {
        for told in ["null", r#""Error: x""#, r#"[{"type":"text"}]"#, r#"{"stdout":"","interrupted":false}"#, "7"] {
            assert_eq!(ends(r#""ok""#, "null", told), ["Resolution t Success: ok"], "{told}");
        }
        assert_eq!(ends(r#""half""#, "false", r#"{"interrupted":true}"#), ["Resolution t Interrupted: half"]);
    }

    #[test]
    fn a_launch_is_not_done() {
        for (content, told, handle) in [
            (r#""""#, r#"{"backgroundTaskId":"b1","stdout":""}"#, "b1"),
            (r#""Command running in background with ID: b2. Output""#, "null", "b2"),
            (
                r#"[{"type":"text","text":"Async agent launched successfully.\nagentId: a3 (internal)"}]"#,
                r#"{"status":"async_launched","agentId":"a3"}"#,
                "a3",
            ),
            (r#""started""#, r#"{"status":"remote_launched","taskId":"r4"}"#, "r4"),
        ] {
            let events = ends(content, "false", told);
            assert!(
                events.len() == 1 && events[0].starts_with(&format!("Resolution t Started {{ handle: \"{handle}\" }}:")),
                "{events:?}"
            );
        }
        let done = ends(r#""report""#, "false", r#"{"status":"completed","agentId":"a3","content":[]}"#);
        assert_eq!(done, ["Resolution t Success: report"]);
    }

    #[test]
    fn what_the_human_said_inside_a_result() {
        let no = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. ...).";
        for (content, is_error, told, said) in [
            (format!("{no} To tell you how to proceed, the user said:\\nuse main"), true, "null", Some("use main")),
            (format!("{no} To tell you how to proceed, the user said:\\nuse main\\n\\nNote: The user's next message may contain a correction."), true, "null", Some("use main")),
            (format!("{no} To tell you how to proceed, the user said:\\nThe user wants to clarify these questions.\\n Questions asked:"), true, "null", None),
            (format!("{no} STOP what you are doing"), true, "null", None),
            ("Exit code 1\\nthe user said: nothing".to_owned(), true, "null", None),
            (
                r#"User has answered your questions: \"Which DB?\"=\"Postgres\". You can now continue"#.to_owned(),
                false,
                r#"{"questions":[{"question":"Which DB?"}],"answers":{"Which DB?":"Postgres","Port?":" 5433 "},"annotations":{"Which DB?":{"notes":"not the old one"},"Port?":{"notes":"5433"}}}"#,
                Some("Which DB? → Postgres\nPort? → 5433\nWhich DB? → not the old one"),
            ),
            (
                r#"Your questions have been answered: \"A?\"=\"yes\", \"B?\"=\"no, never\". You can now continue with the user's answers in mind."#.to_owned(),
                false,
                "null",
                Some("A? → yes\nB? → no, never"),
            ),
            ("User has approved your plan. You can now start coding.".to_owned(), false, r#"{"plan":"p"}"#, None),
        ] {
            let events = ends(&format!("\"{content}\""), &is_error.to_string(), told);
            let quoted = said.map_or(String::new(), |said| format!(" said {said:?}:"));
            assert!(events.len() == 1 && events[0].contains(&quoted) && events[0].contains(" said ") == said.is_some(), "{events:?} {said:?}");
        }
    }

    #[test]
    fn a_result_may_tell_of_a_job() {
        let output = |status: &str| {
            format!(r#""<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>{status}</status>""#)
        };
        for (content, told, job) in [
            (output("completed"), "null", Some("Job b1 Completed: ")),
            (output("failed"), "null", Some("Job b1 Failed: ")),
            (output("running"), "null", None),
            (
                r#""<status>failed</status>""#.to_owned(),
                r#"{"shellId":"bash_1","status":"failed","exitCode":1}"#,
                Some("Job bash_1 Failed: "),
            ),
            (r#""<status>running</status>""#.to_owned(), r#"{"shellId":"bash_1","status":"running"}"#, None),
            (
                r#""{\"message\":\"Successfully stopped task: b4 (pnpm dev)\",\"task_id\":\"b4\"}""#.to_owned(),
                "{}",
                Some("Job b4 Killed: "),
            ),
            (
                r#""{\"success\":true,\"message\":\"Successfully killed shell: bash_2 (x)\"}""#.to_owned(),
                "{}",
                Some("Job bash_2 Killed: "),
            ),
            (r#""{\"log\":\"Successfully stopped task: b4 (x)\"}""#.to_owned(), "{}", None),
        ] {
            assert_eq!(ends(&content, "false", told).get(1).map(String::as_str), job, "{content}");
        }
    }
}
