//! What Gemini CLI and Qwen Code share: parts of messages as Google's API has them, and the words with which their tools end.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::{Content, Element, Flag, Maybe, Number, Text};
use super::outcome::handle;
use crate::transcript::{Outcome, Usage};

/// A part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    pub(super) thought: Flag,
    pub(super) function_call: Maybe<FunctionCall<'a>>,
    pub(super) function_response: Maybe<FunctionResponse<'a>>,
    pub(super) inline_data: Maybe<Nothing>,
    pub(super) file_data: Maybe<Nothing>,
}

/// An object of which only matters that it is there.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Nothing {}

/// A call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) args: Option<&'a RawValue>,
}

/// A result.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionResponse<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) response: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    /// A list of parts may hold plain strings.
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}

/// Token counts under the names of the API.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct UsageMetadata {
    prompt_token_count: Number,
    candidates_token_count: Number,
    thoughts_token_count: Number,
}

impl UsageMetadata {
    /// What the request was charged.
    pub(super) fn usage(&self) -> Option<Usage> {
        charged(self.prompt_token_count, self.candidates_token_count, self.thoughts_token_count)
    }
}

/// The prompt, cached or not, and what was written, thoughts included. None where nothing was counted.
pub(super) fn charged(input: Number, output: Number, thoughts: Number) -> Option<Usage> {
    let usage = Usage { input: input.or_zero(), output: output.or_zero().saturating_add(thoughts.or_zero()), window: None };
    (usage.input > 0).then_some(usage)
}

/// The parts of a content.
pub(super) fn parts<'c, 'a>(content: &'c Content<'a, Part<'a>>) -> (&'c str, &'c [Part<'a>]) {
    match content {
        Content::Absent => ("", &[]),
        Content::Text(text) => (text, &[]),
        Content::Parts(parts) => ("", parts),
    }
}

impl<'a> Part<'a> {
    /// What the part says; what is no text leaves a mark.
    pub(super) fn says(&self) -> Cow<'_, str> {
        match (&self.function_response.0, self.text.filled()) {
            (Some(response), _) => response.text(),
            (None, Some(text)) => Cow::Borrowed(text),
            (None, None) if self.inline_data.0.is_some() => Cow::Borrowed("[image]"),
            (None, None) if self.file_data.0.is_some() => Cow::Borrowed("[file]"),
            (None, None) => Cow::Borrowed(""),
        }
    }
}

impl FunctionResponse<'_> {
    /// What the model was given: the output, or the error; of other tools the whole response.
    pub(super) fn text(&self) -> Cow<'_, str> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Response<'a> {
            #[serde(borrow)]
            output: Text<'a>,
            error: Text<'a>,
        }
        let Some(raw) = self.response else { return Cow::Borrowed("") };
        match serde_json::from_str::<Response<'_>>(raw.get()) {
            Ok(Response { output: Text(Some(text)), .. } | Response { error: Text(Some(text)), .. }) => text,
            _ => Cow::Borrowed(raw.get()),
        }
    }
}

/// The text of a result: what its parts say, one below the other.
pub(super) fn joined<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    match parts(content) {
        (text, []) => Cow::Borrowed(text),
        (_, [only]) => only.says(),
        (_, parts) => {
            let said = parts.iter().map(Part::says).filter(|text| !text.is_empty());
            Cow::Owned(said.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Whether a text stands in for what was compressed.
pub(super) fn is_snapshot(text: &str) -> bool {
    text.trim_start().starts_with("<state_snapshot")
}

/// The tool that runs commands.
pub(super) const SHELL: &str = "run_shell_command";

/// How a call ended: by the status that its runtime gave it, and by the words of its result where a status says too little. None while
/// it has not ended.
pub(super) fn outcome<'t>(status: &str, tool: &str, text: &'t str) -> Option<Outcome<'t>> {
    Some(match status {
        "success" | "completed" if tool == SHELL => shell(text),
        "success" | "completed" => Outcome::Success,
        "cancelled" | "canceled" if declined(text) => Outcome::Declined,
        "cancelled" | "canceled" => Outcome::Interrupted,
        "error" | "failed" if REFUSALS.iter().any(|words| text.contains(words)) => Outcome::Refused,
        "error" | "failed" if declined(text) => Outcome::Declined,
        "error" | "failed" => match shell(text) {
            Outcome::Success => Outcome::Failed { exit: None },
            outcome => outcome,
        },
        _ => return None,
    })
}

/// How a result begins whose tool did not begin: words of the scheduler's own.
const REFUSALS: &[&str] = &[
    "not found in registry",
    "params must have",
    "params/",
    "Invalid parameters",
    "Tool execution denied by policy",
    "requires user confirmation",
    "could not be loaded",
];

fn declined(text: &str) -> bool {
    ["User denied execution", "User did not allow tool call", "User rejected"].iter().any(|words| text.contains(words))
}

/// How a command ended, by what its tool writes around the output (`tools/shell.ts`). A command that failed is a success of the tool.
fn shell(text: &str) -> Outcome<'_> {
    const TIMED_OUT: [&str; 2] = ["Command was automatically cancelled because it exceeded the timeout", "Command timed out after"];
    let first = text.lines().next().unwrap_or_default();
    if TIMED_OUT.iter().any(|words| first.starts_with(words)) {
        return Outcome::TimedOut;
    }
    if first.starts_with("Command was cancelled by user before it could complete") {
        return Outcome::Interrupted;
    }
    for words in
        ["Command is running in background. PID: ", "Background command started. PID: ", "Command moved to background (PID: "]
    {
        if let Some(rest) = first.strip_prefix(words) {
            return Outcome::Started { handle: handle(rest).into() };
        }
    }
    // The tool's own lines stand below the output. A program may print the same words further up.
    let below = || text.lines().rev().take(8);
    let said = |words: &str| below().find_map(|line| line.strip_prefix(words)).map(str::trim);
    match (said("Exit Code: ").and_then(|code| code.parse().ok()), said("Signal: ")) {
        (Some(0), _) | (None, None | Some("(none)" | "0")) => Outcome::Success,
        (_, Some(signal)) if signal != "(none)" && signal != "0" => Outcome::Lost,
        (Some(code), _) => Outcome::Failed { exit: Some(code) },
        (None, Some(_)) => Outcome::Lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_end() {
        let failed = |exit| Some(Outcome::Failed { exit });
        for (status, tool, text, expected) in [
            ("success", "read_file", "Exit Code: 1", Some(Outcome::Success)),
            ("success", SHELL, "ok", Some(Outcome::Success)),
            ("success", SHELL, "Output: x\nExit Code: 0\nProcess Group PGID: 77", Some(Outcome::Success)),
            ("success", SHELL, "Output: make: *** Error 1\nExit Code: 2\nProcess Group PGID: 77", failed(Some(2))),
            (
                "success",
                SHELL,
                "Command: x\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)",
                Some(Outcome::Success),
            ),
            ("success", SHELL, "Output: x\nSignal: SIGKILL", Some(Outcome::Lost)),
            (
                "success",
                SHELL,
                "Command is running in background. PID: 4242. Output is in x",
                Some(Outcome::Started { handle: "4242".into() }),
            ),
            (
                "success",
                SHELL,
                "Command was automatically cancelled because it exceeded the timeout of 5 minutes without output.",
                Some(Outcome::TimedOut),
            ),
            ("success", SHELL, "Command was cancelled by user before it could complete.\nOutput: x", Some(Outcome::Interrupted)),
            ("error", "edit", "Failed to edit, 0 occurrences found", failed(None)),
            ("error", "edt", "Tool \"edt\" not found in registry.", Some(Outcome::Refused)),
            ("error", SHELL, "Output: x\nExit Code: 3", failed(Some(3))),
            ("cancelled", SHELL, "[Operation Cancelled] Reason: User denied execution.", Some(Outcome::Declined)),
            ("cancelled", SHELL, "[Operation Cancelled] Reason: User cancelled tool execution.", Some(Outcome::Interrupted)),
            ("executing", SHELL, "", None),
            ("awaiting_approval", SHELL, "", None),
        ] {
            assert_eq!(outcome(status, tool, text), expected, "{status} {text}");
        }
    }

    #[test]
    fn a_result_is_read_whatever_it_holds() {
        let response = |json: &str| {
            let part: Part<'_> = serde_json::from_str(json).unwrap();
            part.says().into_owned()
        };
        assert_eq!(response(r#"{"functionResponse":{"id":"c","response":{"output":"done"}}}"#), "done");
        assert_eq!(response(r#"{"functionResponse":{"id":"c","response":{"error":"no"}}}"#), "no");
        assert_eq!(
            response(r#"{"functionResponse":{"id":"c","response":{"content":[{"text":"x"}]}}}"#),
            r#"{"content":[{"text":"x"}]}"#
        );
        assert_eq!(response(r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#), "[image]");
    }
}
