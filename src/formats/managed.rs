//! Anthropic Managed Agents: the events of a session, as its stream sends them (an event a line), as its list answers them, or as the
//! SDK's recorder keeps both (a line is `["client.beta.sessions.events.stream", EVENT]`).
//!
//! A call is known by the id of its event. What a client sent stands in the stream again, so that of a recording only that counts.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Part, Usage, ended, result_text, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Flag, Maybe, Text, each_record};
use crate::formats::outcome::{begins, failure, inferred};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, Input, LaneKey, Mark, Outcome, Payload, Record, Sink, Speaker,
    Trigger,
};

const MANAGED: Agent = Agent("managed-agents");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: MANAGED,
    aliases: &["anthropic-managed-agents"],
    title: "Anthropic Managed Agents",
    containers: &[Container::Lines, Container::Document(Document { header: &[], lists: &["data"] })],
    recognises,
    open: |opening| Box::new(Managed { lane: opening.lane.clone(), step: 0 }),
    whereabouts: &[],
};

fn is_event(record: &Map<String, Value>) -> bool {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    text("id").starts_with("sevt_") && text("type").contains('.')
}

fn recognises(record: &Map<String, Value>) -> Recognised {
    let mut list = record.get("data").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    if is_event(record) || list.any(is_event) { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    /// An element of the answer to a request for a list.
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// An event, or the session that they are of.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    id: Text<'a>,
    processed_at: Text<'a>,
    /// The thread of a sub-agent.
    session_thread_id: Text<'a>,
    content: Content<'a, Part<'a>>,
    name: Text<'a>,
    mcp_server_name: Text<'a>,
    input: Option<&'a RawValue>,
    tool_use_id: Text<'a>,
    mcp_tool_use_id: Text<'a>,
    custom_tool_use_id: Text<'a>,
    is_error: Flag,
    stop_reason: Maybe<Named<'a>>,
    error: Maybe<Named<'a>>,
    model_usage: Maybe<Usage>,
    // A session.
    title: Text<'a>,
    agent: Maybe<Instructed<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Named<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    id: Text<'a>,
    message: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Instructed<'a> {
    #[serde(borrow)]
    model: Maybe<Named<'a>>,
    system: Text<'a>,
}

struct Managed {
    lane: LaneKey<'static>,
    step: u32,
}

impl Adapter for Managed {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        if let Ok((_, event)) = serde_json::from_slice::<(&str, &RawValue)>(record.bytes) {
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            return self.read(event, &mut out);
        }
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            match line.data {
                Some(event) => self.read(event, &mut out),
                None => self.event(&json::read(record.bytes)?, record.bytes, &mut out),
            }
            Ok(())
        });
    }
}

impl Managed {
    fn read(&mut self, raw: &RawValue, out: &mut Emit<'_, '_>) {
        // What a client sent is a list.
        match json::read::<Event<'_>>(raw.get().as_bytes()) {
            Ok(event) if raw.get().starts_with('{') => self.event(&event, raw.get().as_bytes(), out),
            _ => out.bookkeeping("request"),
        }
    }

    fn event(&mut self, event: &Event<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let kind = event.kind.as_str();
        let thread = event.session_thread_id.filled().filter(|_| !kind.starts_with("session."));
        if let Some(thread) = thread {
            out.lane = LaneKey::Sub(Cow::Owned(thread.to_owned()));
        }
        out.at = event.processed_at.filled().and_then(Stamp::parse);
        match kind {
            "user.message" => out.push(Payload::User { speaker: Speaker::Human, text: result_text(&event.content) }),
            "user.interrupt" => out.push(Payload::Mark(Mark::Interrupted)),
            "agent.message" => out.push_in(self.step, Payload::Assistant { text: result_text(&event.content) }),
            "agent.thinking" => {
                let text = result_text(&event.content);
                if !text.is_empty() {
                    out.push_in(self.step, Payload::Reasoning { text });
                }
            }
            "agent.tool_use" | "agent.mcp_tool_use" | "agent.custom_tool_use" => out.push_in(self.step, Payload::Call(call(event))),
            "agent.tool_result" | "agent.mcp_tool_result" | "user.custom_tool_result" => out.push(result(event)),
            "agent.thread_context_compacted" => {
                // What was kept and what was said of the rest, the server does not tell.
                out.push(Payload::Boundary(Boundary { trigger: Trigger::Auto, ..Boundary::of(BoundaryKind::Summary) }));
                out.push(Payload::Summary { text: "".into(), opaque: true });
            }
            "agent.thread_message_received" => {
                out.push(Payload::User { speaker: Speaker::Injected, text: result_text(&event.content) });
            }
            "span.model_request_start" => self.step += 1,
            "span.model_request_end" => {
                out.usage = event.model_usage.0.and_then(Usage::counted);
                if out.usage.is_some() {
                    out.push_in(self.step, Payload::Mark(Mark::Counted));
                }
            }
            "session.status_idle" => match event.stop_reason.0.as_ref().map_or("", |reason| reason.kind.as_str()) {
                "end_turn" => out.push(Payload::Mark(Mark::TurnEnded)),
                "retries_exhausted" => out.push(Payload::Mark(Mark::RequestFailed)),
                _ => {}
            },
            "session.status_terminated" | "session.deleted" => out.push(Payload::Mark(Mark::SessionEnded)),
            "session.error" => {
                out.push(Payload::Mark(Mark::RequestFailed));
                let text = event.error.0.as_ref().map_or("", |error| error.message.as_str());
                out.push(Payload::User { speaker: Speaker::Injected, text: text.into() });
            }
            "session" => opened(event, out),
            // The header of a list.
            "" if event.id.filled().is_none() => {}
            kind if kind.starts_with("session.") || kind.starts_with("span.") || ASIDES.contains(&kind) => {}
            kind => unknown("event/", kind, bytes, out),
        }
        if out.is_empty() {
            out.bookkeeping(kind);
        }
    }
}

/// Events that change nothing in the conversation. That somebody forbade a call its result says.
const ASIDES: &[&str] = &["user.tool_confirmation", "user.define_outcome", "agent.thread_message_sent"];

/// Tells whose events they are.
fn opened(session: &Event<'_>, out: &mut Emit<'_, '_>) {
    let model = session.agent.0.as_ref().and_then(|agent| agent.model.0.as_ref()).and_then(|model| model.id.filled());
    let lane = out.lane.clone();
    out.facts([
        session.id.filled().map(|id| Fact::Session(id.into())),
        session.title.filled().map(|title| Fact::Title(title.into())),
        model.map(|model| Fact::Model(lane, model.into())),
    ]);
    if let Some(system) = session.agent.0.as_ref().and_then(|agent| agent.system.filled()) {
        out.push(Payload::User { speaker: Speaker::Rules, text: system.into() });
    }
}

fn call<'e>(event: &'e Event<'_>) -> Call<'e> {
    let tool = match event.mcp_server_name.filled() {
        Some(server) => Cow::Owned(format!("mcp__{server}__{}", event.name.as_str())),
        None => Cow::Borrowed(event.name.as_str()),
    };
    Call { id: event.id.as_str().into(), tool, input: Input::Json(event.input.map_or("null", RawValue::get).into()) }
}

/// How the result begins of a call that a human did not allow.
const FORBIDDEN: &[(&str, Outcome<'static>)] = &[("Permission to use ", Outcome::Declined)];

fn result<'e>(event: &'e Event<'_>) -> Payload<'e> {
    let text = result_text(&event.content);
    let outcome = match (event.is_error.0, inferred(&text)) {
        (true, _) => begins(&text, FORBIDDEN).unwrap_or_else(|| failure(&text)),
        (false, Outcome::Failed { exit: None }) => Outcome::Success,
        (false, outcome) => outcome,
    };
    let id = event.tool_use_id.filled().or(event.mcp_tool_use_id.filled()).or(event.custom_tool_use_id.filled());
    ended(id.unwrap_or_default(), outcome, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_call_is_known_by_its_event_and_a_client_is_told_once() {
        let lines = [
            r#"["client.beta.sessions.create",{"type":"session","id":"sesn_1","title":"Stars","agent":{"model":{"id":"m"},"system":"Be brief."}}]"#,
            r#"["client.beta.sessions.events.send",["sesn_1",{"events":[{"type":"user.message","content":[{"type":"text","text":"count"}]}]}]]"#,
            r#"["client.beta.sessions.events.stream",{"type":"user.message","id":"sevt_1","content":[{"type":"text","text":"count"}]}]"#,
            r#"{"type":"span.model_request_start","id":"sevt_2"}"#,
            r#"{"type":"agent.tool_use","id":"sevt_3","name":"bash","input":{"command":"date"},"evaluated_permission":"allow"}"#,
            r#"{"type":"agent.mcp_tool_use","id":"sevt_4","name":"search","mcp_server_name":"web","input":{"q":"x"}}"#,
            r#"{"type":"agent.tool_result","id":"sevt_5","tool_use_id":"sevt_3","content":[{"type":"text","text":"Monday"}],"is_error":false}"#,
            r#"{"type":"user.tool_confirmation","id":"sevt_6","tool_use_id":"sevt_4","result":"deny"}"#,
            r#"{"data":{"type":"agent.mcp_tool_result","id":"sevt_7","mcp_tool_use_id":"sevt_4","content":[{"type":"text","text":"Permission to use mcp__web__search has been rejected."}],"is_error":true}}"#,
            r#"{"type":"agent.thread_context_compacted","id":"sevt_8"}"#,
            r#"{"type":"agent.message","id":"sevt_9","session_thread_id":"sthr_2","content":[{"type":"text","text":"done"}]}"#,
            r#"{"type":"session.status_idle","id":"sevt_10","stop_reason":{"type":"end_turn"}}"#,
            r#"{"type":"agent.sang","id":"sevt_11","content":"la"}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Rules: Be brief.",
                "Human: count",
                "Call sevt_3 bash {\"command\":\"date\"}",
                "Call sevt_4 mcp__web__search {\"q\":\"x\"}",
                "Resolution sevt_3 Success: Monday",
                "Resolution sevt_4 Declined: Permission to use mcp__web__search has been rejected.",
                "Boundary Summary Auto (None, None) Nothing masked []",
                "Summary, encrypted",
                "@sthr_2 Assistant: done",
                "TurnEnded",
                "Unrecognised event/agent.sang: la",
            ]
        );
    }
}
