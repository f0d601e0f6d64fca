//! mini-SWE-agent: a trajectory (`*.traj.json`) of either version, or its bare messages.
//!
//! Version 1 has no ids: a message with one block of shell is a call, and the next message its result. Later ones have tool calls.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Chat, Message, Part, ToolCall, Usage, call, ended, result_text, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, List, Maybe, Text, each_record};
use crate::formats::outcome::{begins, exit, exited, inferred};
use crate::transcript::{Agent, Call, Container, Document, Fact, Input, LaneKey, Mark, Outcome, Payload, Record, Sink, Speaker};

const MINI: Agent = Agent("mini-swe-agent");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: MINI,
    aliases: &["mini"],
    title: "mini-SWE-agent",
    containers: &[Container::Document(Document { header: &["trajectory_format", "info"], lists: &["messages"] })],
    recognises,
    open: |opening| Box::new(Mini { lane: opening.lane.clone(), ..Mini::default() }),
    whereabouts: &[],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let format = record.get("trajectory_format").and_then(Value::as_str).is_some_and(|format| format.starts_with("mini-swe-agent"));
    let version = record.get("info").is_some_and(|info| info.get("mini_version").is_some()) && record.contains_key("messages");
    let content = record.get("content").and_then(Value::as_str).unwrap_or_default();
    let bare = record.contains_key("role") && (content.starts_with("<returncode>") || content.contains("```mswea_bash_command"));
    if format || version || bare { Recognised::Yes } else { Recognised::No }
}

/// How results begin that say how a command ended without an exit code.
const WORDS: &[(&str, Outcome<'static>)] = &[
    ("Command not executed", Outcome::Declined),
    ("Interrupted by user", Outcome::Interrupted),
    ("The last command <command>", Outcome::TimedOut),
    ("Timed out", Outcome::TimedOut),
];

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    info: Maybe<Info<'a>>,
    role: Text<'a>,
    messages: Content<'a, Turn<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Info<'a> {
    #[serde(borrow)]
    mini_version: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Turn<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    content: Content<'a, Part<'a>>,
    tool_calls: List<Maybe<ToolCall<'a>>>,
    tool_call_id: Text<'a>,
    /// A result of a model of the Responses API.
    call_id: Text<'a>,
    output: Text<'a>,
    extra: Maybe<Extra<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Turn<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { content: Content::Text(text), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Extra<'a> {
    returncode: Option<i32>,
    #[serde(borrow)]
    exception_info: Text<'a>,
    response: Maybe<Response>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Response {
    usage: Maybe<Usage>,
}

struct Mini {
    lane: LaneKey<'static>,
    chat: Chat,
    prompted: bool,
    /// Calls without an id so far, and whether the newest waits for its result.
    made: u32,
    waits: bool,
}

impl Default for Mini {
    fn default() -> Self {
        Self { lane: LaneKey::Main, chat: Chat::default(), prompted: false, made: 0, waits: false }
    }
}

impl Adapter for Mini {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if let Some(version) = line.info.0.as_ref().and_then(|info| info.mini_version.filled()) {
                out.fact(Fact::Version(version.into()));
            }
            if line.role.filled().is_some() {
                let turn: Turn<'_> = json::read(record.bytes)?;
                self.turn(&turn, record.bytes, &mut out);
            }
            if let Content::Parts(turns) = &line.messages {
                turns.iter().for_each(|turn| self.turn(turn, record.bytes, &mut out));
            }
            if out.is_empty() {
                out.bookkeeping("trajectory");
            }
            Ok(())
        });
    }
}

impl Mini {
    fn turn(&mut self, turn: &Turn<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let extra = turn.extra.0.as_ref();
        let content = result_text(&turn.content);
        let text =
            if content.is_empty() { turn.output.filled().map_or(content, |output| output.to_owned().into()) } else { content };
        match turn.role.as_str() {
            "system" => out.push(Payload::User { speaker: Speaker::Rules, text }),
            "assistant" => self.assistant(turn, text, out),
            "tool" => out.push(ended(turn.tool_call_id.as_str(), outcome(extra, &text), text)),
            "" if turn.call_id.filled().is_some() => out.push(ended(turn.call_id.as_str(), outcome(extra, &text), text)),
            "user" | "exit" if std::mem::take(&mut self.waits) => {
                out.push(ended(&format!("action-{}", self.made), outcome(extra, &text), text));
                self.closed(turn, out);
            }
            "user" => {
                let speaker = if std::mem::replace(&mut self.prompted, true) { Speaker::Injected } else { Speaker::Human };
                out.push(Payload::User { speaker, text });
            }
            "exit" => self.closed(turn, out),
            role => unknown("message/", role, bytes, out),
        }
    }

    fn closed(&self, turn: &Turn<'_>, out: &mut Emit<'_, '_>) {
        if turn.role.as_str() == "exit" {
            out.push(Payload::Mark(Mark::SessionEnded));
        }
    }

    fn assistant(&mut self, turn: &Turn<'_>, text: Cow<'_, str>, out: &mut Emit<'_, '_>) {
        out.usage = turn
            .extra
            .0
            .as_ref()
            .and_then(|extra| extra.response.0.as_ref())
            .and_then(|response| response.usage.0)
            .and_then(Usage::counted);
        let command = block(&text).map(str::to_owned);
        let message = Message { role: Text(Some("assistant".into())), content: Content::Text(text), ..Message::default() };
        self.chat.message(&message, b"", out);
        self.waits = false;
        if !turn.tool_calls.0.is_empty() {
            for made in turn.tool_calls.0.iter().filter_map(|made| made.0.as_ref()) {
                out.push_in(self.chat.step(), Payload::Call(call(made)));
            }
        } else if let Some(command) = command {
            self.made += 1;
            self.waits = true;
            let input = Input::Json(serde_json::json!({ "command": command }).to_string().into());
            let id = format!("action-{}", self.made);
            out.push_in(self.chat.step(), Payload::Call(Call { id: id.into(), tool: "bash".into(), input }));
        }
    }
}

/// The one block of shell in a text; none where there are several, which is a mistake that is answered as one.
fn block(text: &str) -> Option<&str> {
    const MARKS: [&str; 2] = ["```mswea_bash_command", "```bash"];
    let mut found = None;
    for mark in MARKS {
        let mut rest = text;
        while let Some((_, tail)) = rest.split_once(mark) {
            let Some((command, after)) = tail.split_once("\n```") else { break };
            if found.replace(command.trim()).is_some() {
                return None;
            }
            rest = after;
        }
    }
    found
}

fn outcome(extra: Option<&Extra<'_>>, text: &str) -> Outcome<'static> {
    let exception = extra.map_or("", |extra| extra.exception_info.as_str());
    if exception.contains("was not executed") {
        return Outcome::Refused;
    }
    if exception.contains("timed out") || exception.contains("Timeout") {
        return Outcome::TimedOut;
    }
    let told = extra.and_then(|extra| extra.returncode).or_else(|| exit(text));
    match told {
        // It was not run, or killed: the runtime has no code of it.
        Some(-1) => Outcome::Lost,
        Some(code) => exited(code),
        None => begins(text, WORDS).unwrap_or_else(|| inferred(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_block_of_shell_is_a_call_and_what_follows_its_result() {
        let lines = [
            r#"{"info":{"mini_version":"1.14.0"}}"#,
            r#"{"messages":{"role":"user","content":"fix it"}}"#,
            r#"{"messages":{"role":"assistant","content":"I look.\n```bash\nls -l\n```"}}"#,
            r#"{"messages":{"role":"user","content":"<returncode>2</returncode>\n<output>\nno\n</output>"}}"#,
            r#"{"messages":{"role":"assistant","content":"```bash\na\n```\n```bash\nb\n```"}}"#,
            r#"{"messages":{"role":"user","content":"One action, please."}}"#,
            r#"{"messages":{"role":"assistant","content":"","tool_calls":[{"id":"t","function":{"name":"bash","arguments":"{\"command\":\"rm x\"}"}}]}}"#,
            r#"{"messages":{"role":"tool","tool_call_id":"t","content":"","extra":{"returncode":-1,"exception_info":"action was not executed"}}}"#,
            r#"{"messages":{"role":"exit","content":"","extra":{"exit_status":"Submitted"}}}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: fix it",
                "Assistant: I look.\n```bash\nls -l\n```",
                "Call action-1 bash {\"command\":\"ls -l\"}",
                "Resolution action-1 Failed { exit: Some(2) }: <returncode>2</returncode>\n<output>\nno\n</output>",
                "Assistant: ```bash\na\n```\n```bash\nb\n```",
                "Injected: One action, please.",
                "Call t bash {\"command\":\"rm x\"}",
                "Resolution t Refused: ",
                "SessionEnded",
            ]
        );
    }
}
