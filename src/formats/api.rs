//! Conversations as they are sent to the model APIs: Anthropic's Messages and OpenAI's Chat Completions. Lists of messages, requests,
//! responses, rows of data sets and logs of proxies that hold them; as documents, or a message a line.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Opening, Recognised};
use crate::formats::chat::{Chat, Message, Part, Usage, result_text};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, List, Maybe, Text, each_record};
use crate::transcript::{Agent, Container, Document, Fact, LaneKey, Payload, Record, Sink, Speaker};

const ANTHROPIC: Agent = Agent("anthropic-messages");
const OPENAI: Agent = Agent("openai-chat");

const DOCUMENT: Container = Container::Document(Document {
    header: &["system", "model", "instance_id"],
    lists: &["request.messages", "request.body.messages", "messages", "traj", "conversation", "history", "trajectory", "response"],
});

/// Anthropic's row in the registry.
pub static ANTHROPIC_FORMAT: Format = Format {
    agent: ANTHROPIC,
    aliases: &["anthropic", "messages-api"],
    title: "Anthropic Messages",
    containers: &[DOCUMENT, Container::Lines],
    recognises: |record| recognised(record, anthropic),
    open: |opening| Box::new(Api::new(opening)),
    whereabouts: &[],
};

/// OpenAI's.
pub static OPENAI_FORMAT: Format = Format {
    agent: OPENAI,
    aliases: &["openai", "chat-completions"],
    title: "OpenAI Chat",
    containers: &[DOCUMENT, Container::Lines],
    recognises: |record| recognised(record, openai),
    open: |opening| Box::new(Api::new(opening)),
    whereabouts: &[],
};

/// Where messages may stand in a record.
const LISTS: &[&str] = &["messages", "traj", "conversation", "history", "trajectory"];

fn recognised(record: &Map<String, Value>, own: fn(&Map<String, Value>) -> Recognised) -> Recognised {
    let inner = record.get("request").and_then(Value::as_object);
    let inner = inner.map(|request| request.get("body").and_then(Value::as_object).unwrap_or(request));
    let lists: Vec<&Value> = LISTS.iter().filter_map(|key| record.get(*key).or_else(|| inner?.get(*key))).collect();
    // Rows of data sets keep them as text.
    let encoded: Vec<Value> = lists.iter().filter_map(|list| serde_json::from_str(list.as_str()?).ok()).collect();
    let lists = lists.into_iter().chain(&encoded).filter_map(Value::as_array);
    let messages: Vec<&Map<String, Value>> = lists.flatten().filter_map(Value::as_object).collect();
    if messages.is_empty() {
        return own(record);
    }
    let answers: Vec<Recognised> = messages.into_iter().map(own).collect();
    if answers.contains(&Recognised::Yes) {
        Recognised::Yes
    } else if answers.contains(&Recognised::No) {
        Recognised::No
    } else {
        Recognised::Maybe
    }
}

fn text<'v>(record: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    record.get(key).and_then(Value::as_str)
}

fn anthropic(record: &Map<String, Value>) -> Recognised {
    const BLOCKS: [&str; 7] =
        ["tool_use", "tool_result", "server_tool_use", "mcp_tool_use", "thinking", "redacted_thinking", "container_upload"];
    let role = text(record, "role");
    let blocks =
        record.get("content").and_then(Value::as_array).into_iter().flatten().filter_map(|block| block.get("type")?.as_str());
    let own = blocks.into_iter().any(|kind| BLOCKS.contains(&kind) || kind.ends_with("_tool_result"));
    let response =
        text(record, "type") == Some("message") && role == Some("assistant") && record.get("content").is_some_and(Value::is_array);
    if role.is_some() && own && !record.contains_key("tool_calls") || response { Recognised::Yes } else { Recognised::No }
}

fn openai(record: &Map<String, Value>) -> Recognised {
    let completion = text(record, "object").is_some_and(|object| object.starts_with("chat.completion"));
    let calls = record.get("tool_calls").is_some_and(Value::is_array) || record.get("function_call").is_some_and(Value::is_object);
    match text(record, "role") {
        _ if completion && record.contains_key("choices") => Recognised::Yes,
        Some("tool" | "function" | "developer") => Recognised::Yes,
        Some("assistant") if calls => Recognised::Yes,
        Some("system" | "user" | "assistant") if record.contains_key("content") => Recognised::Maybe,
        Some("system" | "user" | "ai") if record.contains_key("text") => Recognised::Maybe,
        // Too long to be looked through. What data sets keep as text are messages of this kind.
        None if LISTS.iter().any(|key| text(record, key).is_some_and(|list| list.starts_with("[{\"role\""))) => Recognised::Yes,
        _ => Recognised::No,
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    model: Text<'a>,
    instance_id: Text<'a>,
    system: Content<'a, Part<'a>>,
    request: Maybe<Request<'a>>,
    messages: Content<'a, Message<'a>>,
    traj: Content<'a, Message<'a>>,
    conversation: Content<'a, Message<'a>>,
    history: Content<'a, Message<'a>>,
    trajectory: Content<'a, Message<'a>>,
    response: Maybe<Response<'a>>,
    choices: List<Maybe<Choice<'a>>>,
    usage: Maybe<Usage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Request<'a> {
    #[serde(borrow)]
    messages: Content<'a, Message<'a>>,
    body: Maybe<Body<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body<'a> {
    #[serde(borrow)]
    messages: Content<'a, Message<'a>>,
}

/// What the API answered.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Response<'a> {
    #[serde(borrow)]
    choices: List<Maybe<Choice<'a>>>,
    usage: Maybe<Usage>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Choice<'a> {
    #[serde(borrow)]
    message: Maybe<Message<'a>>,
}

struct Api {
    lane: LaneKey<'static>,
    chat: Chat,
    /// Conversations begun so far: in rows, each is a lane.
    begun: u32,
}

impl Api {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), chat: Chat::default(), begun: 0 }
    }
}

impl Adapter for Api {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.role.filled().is_some() || line.kind.as_str() == "message" {
                let message: Message<'_> = json::read(record.bytes)?;
                self.chat.message(&message, record.bytes, &mut out);
                return Ok(());
            }
            header(&line, &mut out);
            let request = line.request.0.as_ref();
            let body = request.and_then(|request| request.body.0.as_ref());
            let nested = [request.map(|request| &request.messages), body.map(|body| &body.messages)].into_iter().flatten();
            let lists = nested.chain([&line.messages, &line.traj, &line.conversation, &line.history, &line.trajectory]);
            for list in lists {
                self.list(list, record.bytes, &mut out);
            }
            // Logs of proxies wrap what the API answered; else the record is the answer.
            let answer = line.response.0.as_ref();
            out.usage = answer.map_or(&line.usage, |answer| &answer.usage).0.and_then(Usage::counted);
            let choices = answer.map_or(&[][..], |answer| &answer.choices.0).iter().chain(&line.choices.0);
            let choices = choices.filter_map(|choice| choice.0.as_ref()).take(1);
            for message in choices.filter_map(|choice| choice.message.0.as_ref()) {
                self.chat.message(message, record.bytes, &mut out);
            }
            if out.is_empty() {
                out.bookkeeping("request");
            }
            Ok(())
        });
    }
}

impl Api {
    fn list(&mut self, list: &Content<'_, Message<'_>>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match list {
            Content::Absent => {}
            Content::Text(text) if text.starts_with('[') => {
                let encoded = serde_json::from_str(text).map(Content::Parts).unwrap_or_default();
                self.list(&encoded, bytes, out);
            }
            Content::Text(text) => out.push(Payload::User { speaker: self.chat.prompter, text: text.as_ref().into() }),
            Content::Parts(messages) => {
                if messages.len() > 1 {
                    self.begun += 1;
                }
                if self.begun > 1 {
                    // The next row of a data set, or the next request of a log.
                    out.lane = LaneKey::Sub(format!("row-{}", out.line()).into());
                }
                messages.iter().for_each(|message| self.chat.message(message, bytes, out));
            }
        }
    }
}

fn header(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    if let Some(model) = line.model.filled() {
        out.fact(Fact::Model(out.lane.clone(), model.into()));
    }
    if let Some(id) = line.instance_id.filled() {
        out.fact(Fact::Title(id.into()));
    }
    let system = result_text(&line.system);
    if !system.is_empty() {
        out.push(Payload::User { speaker: Speaker::Rules, text: system });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn both_apis_are_told_alike() {
        let anthropic = [
            r#"{"system":"Be brief.","model":"m"}"#,
            r#"{"messages":{"role":"user","content":"do it"}}"#,
            r#"{"messages":{"role":"assistant","content":[{"type":"text","text":"on it"},{"type":"tool_use","id":"t","name":"bash","input":{"a":1}}]}}"#,
            r#"{"messages":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"no such file","is_error":true}]}}"#,
        ];
        let openai = [
            r#"{"role":"system","content":"Be brief."}"#,
            r#"{"role":"user","content":"do it"}"#,
            r#"{"role":"assistant","content":"on it","tool_calls":[{"id":"t","type":"function","function":{"name":"bash","arguments":"{\"a\":1}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"t","content":"Error: no such file"}"#,
        ];
        let expected = ["Rules: Be brief.", "Human: do it", "Assistant: on it", "Call t bash {\"a\":1}"];
        let end = "Resolution t Failed { exit: None }: ";
        assert_eq!(told(&ANTHROPIC_FORMAT, &anthropic), [expected.as_slice(), &[&format!("{end}no such file")]].concat());
        assert_eq!(told(&OPENAI_FORMAT, &openai), [expected.as_slice(), &[&format!("{end}Error: no such file")]].concat());
    }

    #[test]
    fn rows_of_data_sets_are_conversations() {
        let long = "x".repeat(1000);
        let row = serde_json::json!({ "messages": format!(r#"[{{"role": "system", "content": "{long}"}}]"#), "resolved": true });
        let cut = serde_json::json!({ "messages": r#"[{"role":"system","content":"xx"# });
        for (row, expected) in [(&row, Recognised::Maybe), (&cut, Recognised::Yes)] {
            assert_eq!(recognised(row.as_object().unwrap(), openai), expected);
        }
        let lines = [
            r#"{"trajectory":{"role":"system","system_prompt":"Be brief.","text":null,"mask":false}}"#,
            r#"{"trajectory":{"role":"user","text":"do it","mask":false}}"#,
            r#"{"trajectory":{"role":"ai","text":"ls -F","mask":true}}"#,
        ];
        assert_eq!(told(&OPENAI_FORMAT, &lines), ["Rules: Be brief.", "Human: do it", "Assistant: ls -F"]);
    }

    #[test]
    fn a_compaction_of_the_server_is_a_boundary() {
        let block =
            |content: &str| format!(r#"{{"type":"message","role":"assistant","content":[{{"type":"compaction"{content}}}]}}"#);
        let boundary = "Boundary Summary Unknown (None, None) Nothing masked []";
        assert_eq!(told(&ANTHROPIC_FORMAT, &[&block(r#","content":"so far""#)]), [boundary, "Summary: so far"]);
        assert_eq!(told(&ANTHROPIC_FORMAT, &[&block(r#","encrypted_content":"x""#)]), [boundary, "Summary, encrypted"]);
        assert!(told(&ANTHROPIC_FORMAT, &[&block(r#","content":null"#)]).is_empty(), "it failed, and nothing was done");
    }
}
