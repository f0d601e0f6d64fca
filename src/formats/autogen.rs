//! AutoGen: the messages of a model's context (`autogen_core`), those of a team (`autogen_agentchat`), and what a recorder of model calls
//! kept, in which every call repeats the conversation before it.
//!
//! Agents speak to each other as users do; whoever is not called a user is another agent.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Usage, arguments_of, ended, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Flag, Maybe, Text, each_record};
use crate::formats::outcome::{failure, inferred};
use crate::transcript::{Agent, Call, Container, Document, LaneKey, Mark, Payload, Record, Sink, Speaker};

const AUTOGEN: Agent = Agent("autogen");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AUTOGEN,
    aliases: &["autogen-agentchat"],
    title: "AutoGen",
    containers: &[Container::Document(Document { header: &[], lists: &["messages"] })],
    recognises,
    open: |opening| Box::new(AutoGen { lane: opening.lane.clone(), ..AutoGen::default() }),
    whereabouts: &[],
};

/// The types that no other library writes.
const TYPES: &[&str] = &[
    "SystemMessage",
    "UserMessage",
    "AssistantMessage",
    "FunctionExecutionResultMessage",
    "TextMessage",
    "MultiModalMessage",
    "ToolCallRequestEvent",
    "ToolCallExecutionEvent",
    "ToolCallSummaryMessage",
    "HandoffMessage",
    "ThoughtEvent",
];

fn is_message(record: &Map<String, Value>) -> bool {
    record.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind)) && record.contains_key("content")
}

fn recognises(record: &Map<String, Value>) -> Recognised {
    let mut list = record.get("messages").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    if is_message(record) || list.any(is_message) { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    /// One message, or all of a recorded call.
    messages: Option<&'a RawValue>,
    /// What the model answered in a recorded call.
    response: Maybe<Message<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    id: Text<'a>,
    source: Text<'a>,
    content: Content<'a, Part<'a>>,
    thought: Text<'a>,
    usage: Maybe<Usage>,
    models_usage: Maybe<Usage>,
}

/// A call, what came of one, or a piece of a message.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    call_id: Text<'a>,
    name: Text<'a>,
    arguments: Option<&'a RawValue>,
    content: Text<'a>,
    is_error: Flag,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: std::borrow::Cow<'de, str>) -> Self {
        Self { content: Text(Some(text)), ..Self::default() }
    }
}

struct AutoGen {
    lane: LaneKey<'static>,
    step: u32,
    /// The messages of recorded calls so far.
    told: BTreeSet<String>,
}

impl Default for AutoGen {
    fn default() -> Self {
        Self { lane: LaneKey::Main, step: 0, told: BTreeSet::new() }
    }
}

impl Adapter for AutoGen {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.kind.filled().is_some() {
                self.message(&json::read(record.bytes)?, record.bytes, &mut out);
            }
            match line.messages.map(|raw| (raw.get(), serde_json::from_str::<Vec<&RawValue>>(raw.get()))) {
                Some((_, Ok(all))) => all.iter().for_each(|raw| self.recorded(raw.get(), &mut out)),
                Some((one, Err(_))) => self.read(one, &mut out),
                None => {}
            }
            if let Some(answer) = &line.response.0 {
                self.message(answer, b"", &mut out);
            }
            if out.is_empty() {
                out.bookkeeping("message");
            }
            Ok(())
        });
    }
}

impl AutoGen {
    /// Tells a message of a recorded call, if no call before it had it.
    fn recorded(&mut self, json: &str, out: &mut Emit<'_, '_>) {
        if self.told.insert(json.to_owned()) {
            self.read(json, out);
        }
    }

    fn read(&mut self, json: &str, out: &mut Emit<'_, '_>) {
        if let Ok(message) = json::read::<Message<'_>>(json.as_bytes()) {
            self.message(&message, json.as_bytes(), out);
        }
    }

    fn message(&mut self, message: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let usage = out.usage;
        out.usage = message.usage.0.or(message.models_usage.0).and_then(Usage::counted);
        let is_user = message.source.as_str().to_ascii_lowercase().starts_with("user");
        let asks = if is_user { Speaker::Human } else { Speaker::Injected };
        match message.kind.as_str() {
            "SystemMessage" => said(message, |text| Payload::User { speaker: Speaker::Rules, text }, out),
            "UserMessage" => said(message, |text| Payload::User { speaker: asks, text }, out),
            "TextMessage" | "MultiModalMessage" if is_user => {
                said(message, |text| Payload::User { speaker: Speaker::Human, text }, out);
            }
            "FunctionExecutionResultMessage" | "ToolCallExecutionEvent" => results(message, out),
            // An answer of a recorded call has no type.
            "AssistantMessage" | "TextMessage" | "MultiModalMessage" | "ToolCallRequestEvent" | "HandoffMessage" | "" => {
                self.speech(message, out);
            }
            "ThoughtEvent" => said(message, |text| Payload::Reasoning { text }, out),
            "StopMessage" => {
                self.speech(message, out);
                out.push(Payload::Mark(Mark::TurnEnded));
            }
            // It says again what the results said.
            "ToolCallSummaryMessage" | "UserInputRequestedEvent" | "ModelClientStreamingChunkEvent" => {}
            "MemoryQueryEvent" => said(message, |text| Payload::User { speaker: Speaker::Injected, text }, out),
            kind => unknown("message/", kind, bytes, out),
        }
        out.usage = usage;
    }

    /// Tells what an agent says and calls.
    fn speech(&mut self, message: &Message<'_>, out: &mut Emit<'_, '_>) {
        self.step += 1;
        if let Some(text) = message.thought.filled() {
            out.push_in(self.step, Payload::Reasoning { text: text.into() });
        }
        match &message.content {
            Content::Absent => {}
            Content::Text(text) => out.push_in(self.step, Payload::Assistant { text: text.as_ref().into() }),
            Content::Parts(parts) => {
                for part in parts {
                    let payload = match part.name.filled() {
                        Some(tool) => {
                            let input = arguments_of(part.arguments);
                            Payload::Call(Call { id: part.id.as_str().into(), tool: tool.into(), input })
                        }
                        None => Payload::Assistant { text: part.content.as_str().into() },
                    };
                    out.push_in(self.step, payload);
                }
            }
        }
    }
}

/// Tells the texts of a message.
fn said<'m>(message: &'m Message<'_>, payload: impl Fn(std::borrow::Cow<'m, str>) -> Payload<'m>, out: &mut Emit<'_, '_>) {
    match &message.content {
        Content::Absent => {}
        Content::Text(text) => out.push(payload(text.as_ref().into())),
        Content::Parts(parts) => {
            parts.iter().filter_map(|part| part.content.filled()).for_each(|text| out.push(payload(text.into())));
        }
    }
}

fn results(message: &Message<'_>, out: &mut Emit<'_, '_>) {
    let Content::Parts(parts) = &message.content else { return };
    for part in parts {
        let text = part.content.as_str();
        let outcome = if part.is_error.0 { failure(text) } else { inferred(text) };
        out.push(ended(part.call_id.as_str(), outcome, text.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn agents_and_their_user_are_told_apart() {
        let lines = [
            r#"{"messages":{"type":"SystemMessage","content":"Be brief."}}"#,
            r#"{"messages":{"type":"UserMessage","source":"User","content":"Refund order 7."}}"#,
            r#"{"messages":{"type":"AssistantMessage","source":"Desk","thought":"look first","content":[{"id":"c1","name":"find","arguments":"{\"order\":7}"}]}}"#,
            r#"{"messages":{"type":"FunctionExecutionResultMessage","content":[{"call_id":"c1","name":"find","content":"no such order","is_error":true}]}}"#,
            r#"{"messages":{"type":"UserMessage","source":"Desk","content":"Over to you."}}"#,
            r#"{"type":"TextMessage","source":"user","content":"Well?","models_usage":null}"#,
            r#"{"type":"NewMessage","source":"Desk","content":"hm"}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Rules: Be brief.",
                "Human: Refund order 7.",
                "Reasoning: look first",
                "Call c1 find {\"order\":7}",
                "Resolution c1 Failed { exit: None }: no such order",
                "Injected: Over to you.",
                "Human: Well?",
                "Unrecognised message/NewMessage: hm",
            ]
        );
    }

    #[test]
    fn what_recorded_calls_repeat_is_told_once() {
        let ask = r#"{"type":"UserMessage","source":"User","content":"What is on pier 4?"}"#;
        let more = r#"{"type":"UserMessage","source":"User","content":"And on pier 5?"}"#;
        let lines = [
            format!(
                r#"{{"mode":"create","messages":[{ask}],"response":{{"content":"A crane.","usage":{{"prompt_tokens":9,"completion_tokens":3}}}}}}"#
            ),
            format!(r#"{{"mode":"create","messages":[{ask},{more}],"response":{{"content":"Nothing."}}}}"#),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            told(&FORMAT, &lines),
            ["Human: What is on pier 4?", "Assistant: A crane.", "Human: And on pier 5?", "Assistant: Nothing."]
        );
    }
}
