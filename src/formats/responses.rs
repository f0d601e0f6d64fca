//! OpenAI's Responses: a response, a request, or its items, as a document or one a line.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Opening, Recognised};
use crate::formats::chat::{Part, Usage, arguments_of, ended, result_text, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Maybe, ODD, Text, each_record};
use crate::formats::outcome::{exited, inferred};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, Input, LaneKey, Mark, Outcome, Payload, Record, Resolution,
    Sink, Speaker,
};

const RESPONSES: Agent = Agent("openai-responses");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: RESPONSES,
    aliases: &["responses"],
    title: "OpenAI Responses",
    containers: &[
        Container::Document(Document { header: &["id", "model", "instructions"], lists: &["input", "output", "usage", "status"] }),
        Container::Lines,
    ],
    recognises,
    open: |opening| Box::new(Responses::new(opening)),
    whereabouts: &[],
};

/// Types of items that no other API has.
const ITEMS: &[&str] = &[
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "mcp_call",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
    "computer_call",
    "computer_call_output",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "program",
    "program_output",
    "tool_search_call",
    "tool_search_output",
    "item_reference",
    "compaction_trigger",
];

fn recognises(record: &Map<String, Value>) -> Recognised {
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let item = |kind: &str| ITEMS.contains(&kind);
    let parts = record.get("content").and_then(Value::as_array).into_iter().flatten().filter_map(|part| part.get("type")?.as_str());
    let own_parts = parts.into_iter().any(|kind| matches!(kind, "input_text" | "output_text"));
    let response = matches!(text("object"), Some("response" | "response.compaction")) && record.contains_key("output");
    let request = record.contains_key("model") && record.get("input").is_some_and(|input| input.is_array() || input.is_string());
    if response || request || text("type").is_some_and(item) || own_parts && text("role").is_some() {
        Recognised::Yes
    } else {
        Recognised::No
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    model: Text<'a>,
    instructions: Content<'a, Part<'a>>,
    input: Content<'a, Item<'a>>,
    #[serde(rename = "output")]
    all: Content<'a, Item<'a>>,
    usage: Maybe<Usage>,
    status: Text<'a>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    role: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    role: Text<'a>,
    content: Content<'a, Part<'a>>,
    summary: Content<'a, Part<'a>>,
    text: Text<'a>,
    id: Text<'a>,
    call_id: Text<'a>,
    name: Text<'a>,
    status: Text<'a>,
    arguments: Option<&'a RawValue>,
    input: Option<&'a RawValue>,
    action: Option<&'a RawValue>,
    operation: Option<&'a RawValue>,
    code: Option<&'a RawValue>,
    queries: Option<&'a RawValue>,
    output: Content<'a, Output<'a>>,
    error: Option<&'a RawValue>,
    encrypted_content: Text<'a>,
    approval_request_id: Text<'a>,
    approve: Option<bool>,
    reason: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Item<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// A part of what a call returned.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
    stdout: Text<'a>,
    stderr: Text<'a>,
    outcome: Maybe<Ended<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Output<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Ended<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    exit_code: Option<i32>,
}

struct Responses {
    lane: LaneKey<'static>,
    step: u32,
    /// Whether the newest item was the model's.
    speaks: bool,
}

impl Responses {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), step: 0, speaks: false }
    }
}

impl Adapter for Responses {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.kind.filled().is_some() || line.role.filled().is_some() {
                let item: Item<'_> = json::read(record.bytes)?;
                self.item(&item, record.bytes, &mut out);
            } else {
                self.document(&line, record.bytes, &mut out);
            }
            if out.is_empty() {
                out.bookkeeping("response");
            }
            Ok(())
        });
    }
}

impl Responses {
    fn document(&mut self, line: &Line<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        if let Some(id) = line.id.filled() {
            out.fact(Fact::Session(id.into()));
        }
        if let Some(model) = line.model.filled() {
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
        let rules = result_text(&line.instructions);
        if !rules.is_empty() {
            out.push(Payload::User { speaker: Speaker::Rules, text: rules });
        }
        for items in [&line.input, &line.all] {
            match items {
                Content::Absent => {}
                Content::Text(text) => out.push(Payload::User { speaker: Speaker::Human, text: text.as_ref().into() }),
                Content::Parts(items) => items.iter().for_each(|item| self.item(item, bytes, out)),
            }
        }
        if let Some(usage) = line.usage.0.and_then(Usage::counted) {
            out.usage = Some(usage);
            out.push_in(self.step, Payload::Mark(Mark::Counted));
        }
        match line.status.as_str() {
            "failed" => out.push(Payload::Mark(Mark::RequestFailed)),
            "cancelled" => out.push(Payload::Mark(Mark::Interrupted)),
            _ => {}
        }
    }

    fn item(&mut self, item: &Item<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let kind = item.kind.as_str();
        let is_models =
            item.role.as_str() == "assistant" || kind == "reasoning" || (ITEMS.contains(&kind) && !kind.ends_with("_output"));
        if is_models && !self.speaks {
            self.step += 1;
        }
        self.speaks = is_models;
        match kind {
            "message" | "" if item.role.filled().is_some() => self.message(item, out),
            ODD => out.push(Payload::User { speaker: Speaker::Human, text: item.text.as_str().into() }),
            "reasoning" => {
                let text = result_text(&item.summary);
                let text = if text.is_empty() { result_text(&item.content) } else { text };
                out.push_in(self.step, Payload::Reasoning { text });
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "shell_call" | "apply_patch_call" | "computer_call"
            | "program" | "tool_search_call" => self.call(item, out),
            kind if kind.ends_with("_output") => output(item, out),
            "mcp_call" | "web_search_call" | "file_search_call" | "code_interpreter_call" | "image_generation_call" => {
                self.served(item, out);
            }
            "mcp_approval_request" => {
                let input = arguments_of(item.arguments);
                let tool = format!("approval:{}", item.name.as_str());
                out.push_in(self.step, Payload::Call(Call { id: item.id.as_str().into(), tool: tool.into(), input }));
            }
            "mcp_approval_response" => {
                let outcome = if item.approve == Some(true) { Outcome::Success } else { Outcome::Declined };
                let said = item.reason.filled().map(Cow::Borrowed);
                let call = item.approval_request_id.as_str().into();
                out.push(Payload::Resolution(Resolution { call, outcome, text: item.reason.as_str().into(), said }));
            }
            "compaction" | "compaction_summary" => {
                out.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
                out.push(Payload::Summary { text: "".into(), opaque: true });
            }
            kind @ ("mcp_list_tools" | "compaction_trigger" | "item_reference") => out.bookkeeping(kind),
            kind => unknown("item/", kind, bytes, out),
        }
    }

    fn message(&self, item: &Item<'_>, out: &mut Emit<'_, '_>) {
        let speaker = match item.role.as_str() {
            "assistant" => None,
            "system" | "developer" => Some(Speaker::Rules),
            _ => Some(Speaker::Human),
        };
        let mut tell = |text: Cow<'_, str>| match speaker {
            None => out.push_in(self.step, Payload::Assistant { text }),
            Some(speaker) => out.push(Payload::User { speaker, text }),
        };
        match &item.content {
            Content::Absent => {}
            Content::Text(text) => tell(text.as_ref().into()),
            Content::Parts(parts) => {
                parts.iter().filter_map(|part| part.text.filled().or(part.refusal.filled())).for_each(|text| tell(text.into()));
            }
        }
    }

    fn call(&self, item: &Item<'_>, out: &mut Emit<'_, '_>) {
        let tool = item.name.filled().unwrap_or(item.kind.as_str()).to_owned();
        out.push_in(self.step, Payload::Call(Call { id: id(item).into(), tool: tool.into(), input: input(item) }));
    }

    /// Tells a call that the server ran: the item says at once how it ended.
    fn served(&self, item: &Item<'_>, out: &mut Emit<'_, '_>) {
        let id = item.id.as_str();
        let tool = item.name.filled().unwrap_or(item.kind.as_str()).to_owned();
        out.push_in(self.step, Payload::Call(Call { id: id.into(), tool: tool.into(), input: input(item) }));
        let failed = item.error.is_some_and(|error| error.get() != "null");
        let outcome = match (item.status.as_str(), item.kind.as_str()) {
            _ if failed => Outcome::Failed { exit: None },
            ("completed", _) | ("", "mcp_call") => Outcome::Success,
            ("failed" | "incomplete", _) => Outcome::Failed { exit: None },
            _ => return,
        };
        out.push(ended(id, outcome, returned(item).0));
    }
}

fn id<'a>(item: &'a Item<'_>) -> &'a str {
    item.call_id.filled().unwrap_or(item.id.as_str())
}

fn input<'a>(item: &'a Item<'_>) -> Input<'a> {
    let raw = [item.arguments, item.action, item.operation, item.code, item.queries].into_iter().flatten().next();
    match item.input {
        // Free text: a patch, a script.
        Some(raw) => match arguments_of(Some(raw)) {
            Input::Json(text) if raw.get().starts_with('"') => Input::Text(text),
            input => input,
        },
        None => arguments_of(raw),
    }
}

fn output(item: &Item<'_>, out: &mut Emit<'_, '_>) {
    let (text, outcome) = returned(item);
    let outcome = match (item.status.as_str(), outcome) {
        ("failed" | "incomplete", Outcome::Success) => Outcome::Failed { exit: None },
        (_, outcome) => outcome,
    };
    out.push(ended(id(item), outcome, text));
}

/// What a call returned, and what that says of its end.
fn returned<'a>(item: &'a Item<'_>) -> (Cow<'a, str>, Outcome<'static>) {
    let parts = match &item.output {
        Content::Absent => return ("".into(), Outcome::Success),
        Content::Text(text) => return (Cow::Borrowed(text.as_ref()), inferred(text)),
        Content::Parts(parts) => parts,
    };
    let mut text = String::new();
    let mut told = None;
    for part in parts {
        let media = part.kind.as_str().contains("image").then_some("[image]");
        for piece in [part.text.filled(), part.stdout.filled(), part.stderr.filled(), media].into_iter().flatten() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(piece);
        }
        told = told.or(part.outcome.0.as_ref().map(|ended| match (ended.kind.as_str(), ended.exit_code) {
            ("timeout", _) => Outcome::TimedOut,
            (_, Some(code)) => exited(code),
            (_, None) => Outcome::Success,
        }));
    }
    let outcome = told.unwrap_or_else(|| inferred(&text));
    (text.into(), outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn items_are_told_wherever_they_stand() {
        let lines = [
            r#"{"id":"resp_1","model":"m","instructions":"Be brief."}"#,
            r#"{"input":"do it"}"#,
            r#"{"output":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}}"#,
            r#"{"output":{"type":"function_call","call_id":"c","name":"run","arguments":"{\"a\":1}","status":"completed"}}"#,
            r#"{"type":"function_call_output","call_id":"c","output":"fine"}"#,
            r#"{"type":"shell_call","call_id":"s","action":{"commands":["make"]}}"#,
            r#"{"type":"shell_call_output","call_id":"s","output":[{"stdout":"","stderr":"no","outcome":{"type":"exit","exit_code":2}}]}"#,
            r#"{"type":"mcp_approval_request","id":"a","name":"send","arguments":"{}"}"#,
            r#"{"type":"mcp_approval_response","approval_request_id":"a","approve":false,"reason":"not now"}"#,
            r#"{"type":"compaction","encrypted_content":"x"}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Rules: Be brief.",
                "Human: do it",
                "Reasoning: hm",
                "Call c run {\"a\":1}",
                "Resolution c Success: fine",
                "Call s shell_call {\"commands\":[\"make\"]}",
                "Resolution s Failed { exit: Some(2) }: no",
                "Call a approval:send {}",
                "Resolution a Declined said \"not now\": not now",
                "Boundary Summary Unknown (None, None) Nothing masked []",
                "Summary, encrypted",
            ]
        );
    }
}
