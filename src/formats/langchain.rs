//! LangChain and LangGraph: messages as `dumpd`, `messages_to_dict` or `model_dump` write them, alone, in a state, or in a stream of
//! states.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Chat, Message};
use crate::formats::emit::Emit;
use crate::formats::json::{self, List, Maybe, Text, each_record};
use crate::transcript::{Agent, Container, Document, LaneKey, Record, Sink};

const LANGCHAIN: Agent = Agent("langchain");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: LANGCHAIN,
    aliases: &["langgraph"],
    title: "LangChain",
    containers: &[
        Container::Document(Document { header: &[], lists: &["messages", "values.messages", "__interrupt__"] }),
        Container::Lines,
    ],
    recognises,
    open: |opening| Box::new(LangChain { lane: opening.lane.clone(), chat: Chat::default(), told: BTreeSet::new() }),
    whereabouts: &[],
};

const TYPES: &[&str] = &[
    "human",
    "ai",
    "tool",
    "system",
    "function",
    "chat",
    "HumanMessageChunk",
    "AIMessageChunk",
    "ToolMessageChunk",
    "SystemMessageChunk",
];

fn is_message(record: &Map<String, Value>) -> bool {
    let typed = record.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind));
    let plain = typed
        && (record.get("data").is_some_and(Value::is_object) || record.contains_key("content") && !record.contains_key("role"));
    record.contains_key("lc") && record.contains_key("kwargs") || plain
}

fn recognises(record: &Map<String, Value>) -> Recognised {
    let state = record.get("values").and_then(Value::as_object).unwrap_or(record);
    let holds = state
        .get("messages")
        .and_then(Value::as_array)
        .is_some_and(|list| list.iter().filter_map(Value::as_object).any(is_message));
    if is_message(record) || holds { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    lc: Option<&'a RawValue>,
    messages: Option<&'a RawValue>,
    values: Maybe<State<'a>>,
    /// `["values", STATE]`, an element of a stream.
    #[serde(rename = "")]
    pair: List<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct State<'a> {
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
}

/// What a message is wrapped in.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wrapped<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    /// Of `dumpd`, where the class stands; of a message, its own.
    id: Option<&'a RawValue>,
    kwargs: Option<&'a RawValue>,
    data: Option<&'a RawValue>,
}

struct LangChain {
    lane: LaneKey<'static>,
    chat: Chat,
    /// The messages so far: a stream tells all of them in each state.
    told: BTreeSet<String>,
}

impl Adapter for LangChain {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.kind.filled().is_some() || line.lc.is_some() {
                self.message(std::str::from_utf8(record.bytes).unwrap_or_default(), &mut out);
            }
            let streamed = line.pair.0.get(1).and_then(|state| serde_json::from_str::<State<'_>>(state.get()).ok());
            let lists =
                [line.messages, line.values.0.as_ref().and_then(|state| state.messages), streamed.and_then(|state| state.messages)];
            for list in lists.into_iter().flatten() {
                self.list(list.get(), &mut out);
            }
            if out.is_empty() {
                out.bookkeeping("state");
            }
            Ok(())
        });
    }
}

impl LangChain {
    /// Tells one message, or each of a list.
    fn list(&mut self, json: &str, out: &mut Emit<'_, '_>) {
        match serde_json::from_str::<Vec<&RawValue>>(json) {
            Ok(messages) => messages.iter().for_each(|message| self.message(message.get(), out)),
            Err(_) => self.message(json, out),
        }
    }

    fn message(&mut self, json: &str, out: &mut Emit<'_, '_>) {
        let Ok(wrapped) = json::read::<Wrapped<'_>>(json.as_bytes()) else { return };
        let inner = wrapped.kwargs.or(wrapped.data).map_or(json, RawValue::get);
        let Ok(mut message) = json::read::<Message<'_>>(inner.as_bytes()) else { return };
        if let Some(id) = message.id.filled()
            && !self.told.insert(id.to_owned())
        {
            return;
        }
        message.role = Text(Some(role(&wrapped, &message).into()));
        self.chat.message(&message, inner.as_bytes(), out);
    }
}

/// The role of a message, by its class or its type.
fn role(wrapped: &Wrapped<'_>, message: &Message<'_>) -> &'static str {
    let class = wrapped.id.map_or("", RawValue::get);
    let kind = wrapped.kind.filled().filter(|kind| *kind != "constructor").or(message.kind.filled()).unwrap_or_default();
    let is = |class_part: &str, type_part: &str| class.contains(class_part) || kind.starts_with(type_part);
    if is("AIMessage", "ai") || kind.starts_with("AIMessage") {
        "assistant"
    } else if is("ToolMessage", "tool") || is("FunctionMessage", "function") || kind.starts_with("ToolMessage") {
        "tool"
    } else if is("SystemMessage", "system") || kind.starts_with("SystemMessage") {
        "system"
    } else {
        "user"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn every_wrapping_is_read_and_every_message_told_once() {
        let lines = [
            r#"{"type":"human","data":{"content":"do it","type":"human","id":"h"}}"#,
            r#"{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"","id":"a","tool_calls":[{"id":"t","name":"run","args":{"x":1}}],"invalid_tool_calls":[{"id":"u","name":"run","args":"{","error":"no JSON"}]}}"#,
            r#"{"":["values",{"messages":[{"type":"human","content":"do it","id":"h"},{"type":"tool","tool_call_id":"t","content":"no","status":"error","id":"r"}]}]}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: do it",
                "Call t run {\"x\":1}",
                "Call u run {",
                "Resolution u Refused: no JSON",
                "Resolution t Failed { exit: None }: no",
            ]
        );
    }
}
