//! OpenAI Chat Completions: `{role, content, tool_calls?, tool_call_id?}`, one message a line.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Part, nowhere, prompter};
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, List, Maybe, Text, each_record, text_under};
use crate::transcript::{Agent, Call, Container, Input, LaneKey, Outcome, Payload, Record, Resolution, Sink, Speaker};

const AGENT: Agent = Agent("openai-chat");

/// The registry's row.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["openai_chat", "chat"],
    title: "OpenAI Chat Completions",
    container: Container::Lines,
    recognises,
    open: |opening| Box::new(Chat { lane: opening.lane.clone(), calls: 0, waiting: None }),
    whereabouts: nowhere(AGENT),
};

const ROLES: &[&str] = &["system", "developer", "user", "assistant", "tool", "function"];

/// A message with calls, or with a role that only this API has, is certain; one with words alone many could have written.
fn recognises(record: &Map<String, Value>) -> Recognised {
    let role = record.get("role").and_then(Value::as_str).unwrap_or_default();
    let own = ["type", "message", "timestamp", "uuid", "ts"].iter().all(|key| !record.contains_key(*key));
    let calls = record.get("tool_calls").is_some_and(Value::is_array) || record.get("function_call").is_some_and(Value::is_object);
    if !own || !ROLES.contains(&role) || !(record.contains_key("content") || calls) {
        Recognised::No
    } else if calls || matches!(role, "tool" | "function" | "developer") {
        Recognised::Yes
    } else {
        Recognised::Maybe
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    content: Content<'a, Part<'a>>,
    reasoning_content: Text<'a>,
    refusal: Text<'a>,
    tool_calls: List<Maybe<ToolCall<'a>>>,
    function_call: Maybe<Function<'a>>,
    tool_call_id: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    function: Maybe<Function<'a>>,
    custom: Maybe<Function<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    /// JSON in a string; now and then it is none.
    arguments: Text<'a>,
    input: Text<'a>,
}

struct Chat {
    lane: LaneKey<'static>,
    /// Calls of the old kind have no ids: they are numbered.
    calls: u32,
    waiting: Option<String>,
}

impl Adapter for Chat {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let message: Message<'_> = json::read(record.bytes)?;
            // A message is a step; it has no id.
            let step = format!("line-{}", record.place.line);
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            out.step = Some(&step);
            self.message(&message, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(message.role.filled().unwrap_or("(no role)"));
            }
            Ok(())
        });
    }
}

impl Chat {
    fn message(&mut self, message: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let text = joined(&message.content);
        match message.role.as_str() {
            "user" if !text.trim().is_empty() => out.push(Payload::User { speaker: prompter(&self.lane), text }),
            "system" | "developer" if !text.trim().is_empty() => out.push(Payload::User { speaker: Speaker::Rules, text }),
            "user" | "system" | "developer" => {}
            "assistant" => self.answer(message, text, out),
            "tool" => {
                let call = message.tool_call_id.as_str().into();
                out.push(Payload::Resolution(Resolution { call, outcome: Outcome::Success, text, said: None }));
            }
            "function" => {
                let call = self.waiting.take().unwrap_or_else(|| numbered(self.calls)).into();
                out.push(Payload::Resolution(Resolution { call, outcome: Outcome::Success, text, said: None }));
            }
            role => {
                let text = text_under(bytes, &["message", "content", "text"]);
                let role = if role.is_empty() { "(no role)" } else { role };
                out.push(Payload::Unrecognised { name: role.into(), text: text.into() });
            }
        }
    }

    fn answer(&mut self, message: &Message<'_>, text: Cow<'_, str>, out: &mut Emit<'_, '_>) {
        if let Some(text) = message.reasoning_content.filled() {
            out.push(Payload::Reasoning { text: text.into() });
        }
        for text in [text.as_ref(), message.refusal.as_str()].into_iter().filter(|text| !text.trim().is_empty()) {
            out.push(Payload::Assistant { text: text.into() });
        }
        for call in message.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            let function = call.function.0.as_ref().or(call.custom.0.as_ref());
            tell(call.id.as_str(), function, out);
        }
        if let Some(function) = &message.function_call.0 {
            self.calls += 1;
            let id = numbered(self.calls);
            tell(&id, Some(function), out);
            self.waiting = Some(id);
        }
    }
}

fn tell(id: &str, function: Option<&Function<'_>>, out: &mut Emit<'_, '_>) {
    let (tool, arguments) = function.map_or(("", ""), |function| (function.name.as_str(), function.arguments.as_str()));
    let input = match function.and_then(|function| function.input.filled()) {
        Some(text) => Input::Text(text.into()),
        None if serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok() => Input::Json(arguments.into()),
        None => Input::Text(arguments.into()),
    };
    out.push(Payload::Call(Call { id: id.into(), tool: tool.into(), input }));
}

fn numbered(calls: u32) -> String {
    format!("function-{calls}")
}

/// The texts of a content, one part a line; what is no text leaves a mark.
fn joined<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    let says = |part: &'c Part<'_>| match (part.text.filled(), part.refusal.filled(), part.kind.as_str()) {
        (Some(text), ..) | (None, Some(text), _) => Cow::Borrowed(text),
        (None, None, "image_url" | "input_image") => Cow::Borrowed("[image]"),
        (None, None, "" | "text") => Cow::Borrowed(""),
        (None, None, kind) => Cow::Owned(format!("[{kind}]")),
    };
    match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Parts(parts) => Cow::Owned(parts.iter().map(says).collect::<Vec<_>>().join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::events;

    #[test]
    fn is_recognised_by_calls_and_roles() {
        for (record, expected) in [
            (r#"{"role":"assistant","content":null,"tool_calls":[]}"#, Recognised::Yes),
            (r#"{"role":"tool","tool_call_id":"c","content":"x"}"#, Recognised::Yes),
            (r#"{"role":"user","content":"hi"}"#, Recognised::Maybe),
            (r#"{"role":"user","content":"hi","ts":1}"#, Recognised::No),
            (r#"{"role":"model","content":"hi"}"#, Recognised::No),
            (r#"{"type":"message","role":"user","content":"hi"}"#, Recognised::No),
        ] {
            assert_eq!(recognises(&serde_json::from_str(record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn every_kind_of_message() {
        let lines = [
            r#"{"role":"system","content":"You are"}"#,
            r#"{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{}}]}"#,
            r#"{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"go","arguments":"{\"a\":1}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"c1","content":"there"}"#,
            r#"{"role":"assistant","content":null,"function_call":{"name":"old","arguments":"not json"}}"#,
            r#"{"role":"function","name":"old","content":"done"}"#,
            r#"{"role":"assistant","content":"Done."}"#,
            r#"{"role":"critic","content":"keep"}"#,
        ];
        let expected = [
            "Rules: You are",
            "Human: look\n[image]",
            "Reasoning: hm",
            r#"Call c1 go {"a":1}"#,
            "Resolution c1 Success: there",
            "Call function-1 old not json",
            "Resolution function-1 Success: done",
            "Assistant: Done.",
            "Unrecognised critic: keep",
        ];
        assert_eq!(events(&FORMAT, &lines), expected);
    }
}
