//! Anthropic Messages: `{role, content: [blocks]}`, one message a line, bare or as the API answered (`{type: "message", id, usage, ...}`).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Inner, Part, nowhere, prompter};
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Maybe, Number, ODD, Text, each_record, text_under};
use crate::formats::told::Told;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Input, Kept, LaneKey, Mark, Outcome, Payload, Record, Resolution, Sink,
    Speaker, Trigger, Usage,
};

const AGENT: Agent = Agent("anthropic-messages");

/// The registry's row.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["anthropic_messages", "anthropic"],
    title: "Anthropic Messages",
    container: Container::Lines,
    recognises,
    open: |opening| Box::new(Messages { lane: opening.lane.clone(), told: Told::default() }),
    whereabouts: nowhere(AGENT),
};

/// Types of blocks that only this API has.
const OWN: &[&str] = &[
    "tool_use",
    "tool_result",
    "server_tool_use",
    "mcp_tool_use",
    "mcp_tool_result",
    "thinking",
    "redacted_thinking",
    "compaction",
];

/// A message with a block that only this API has is certain; words alone many could have written.
fn recognises(record: &Map<String, Value>) -> Recognised {
    let role = record.get("role").and_then(Value::as_str).unwrap_or_default();
    let enveloped = ["message", "timestamp", "uuid", "ts", "tool_calls"].iter().any(|key| record.contains_key(*key));
    let answer = record.get("type").is_none_or(|kind| kind == "message");
    let blocks = record.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let own = blocks.iter().any(|block| block.get("type").and_then(Value::as_str).is_some_and(|kind| OWN.contains(&kind)));
    match enveloped || !answer || !["user", "assistant"].contains(&role) || !record.contains_key("content") {
        true => Recognised::No,
        false if own => Recognised::Yes,
        false if record.contains_key("type") || blocks.is_empty() => Recognised::No,
        false => Recognised::Maybe,
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    id: Text<'a>,
    model: Text<'a>,
    content: Content<'a, Part<'a>>,
    stop_reason: Text<'a>,
    usage: Maybe<Charged>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Charged {
    input_tokens: Number,
    cache_read_input_tokens: Number,
    cache_creation_input_tokens: Number,
    output_tokens: Number,
}

struct Messages {
    lane: LaneKey<'static>,
    told: Told,
}

impl Adapter for Messages {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let message: Message<'_> = json::read(record.bytes)?;
            self.told.lane(&self.lane, message.model.filled(), sink);
            // A message is a step, also where it has no id.
            let step = format!("line-{}", record.place.line);
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            out.step = Some(message.id.filled().unwrap_or(&step));
            out.usage = message.usage.0.as_ref().and_then(usage);
            tell(&message, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(message.role.filled().unwrap_or("(no role)"));
            }
            Ok(())
        });
    }
}

fn tell(message: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
    let role = message.role.as_str();
    let parts = match (&message.content, role) {
        (_, role) if !["user", "assistant", "system"].contains(&role) => {
            let text = text_under(bytes, &["message", "content", "text"]);
            let role = if role.is_empty() { "(no role)" } else { role };
            return out.push(Payload::Unrecognised { name: role.into(), text: text.into() });
        }
        (Content::Absent, _) => return,
        (Content::Text(text), role) => return says(role, text, false, out),
        (Content::Parts(parts), _) => parts,
    };
    let answers = parts.iter().any(|part| part.kind.as_str() == "tool_result");
    for part in parts {
        match part.kind.as_str() {
            "text" => says(role, part.text.as_str(), answers, out),
            "thinking" | "redacted_thinking" => out.push(Payload::Reasoning { text: part.thinking.as_str().into() }),
            "compaction" => compaction(part, out),
            kind if kind.ends_with("tool_use") => {
                let input = Input::Json(part.input.map_or("{}", |input| input.get()).into());
                out.push(Payload::Call(Call { id: part.id.as_str().into(), tool: part.name.as_str().into(), input }));
            }
            kind if kind.ends_with("tool_result") => {
                let failed = part.is_error.0 || matches!(&part.content, Content::Parts(inner) if inner.iter().any(is_error));
                let outcome = if failed { Outcome::Failed { exit: None } } else { Outcome::Success };
                let call = part.tool_use_id.as_str().into();
                out.push(Payload::Resolution(Resolution { call, outcome, text: joined(&part.content), said: None }));
            }
            kind @ ("image" | "document" | "container_upload") => {
                out.push(Payload::User { speaker: Speaker::Injected, text: format!("[{kind}]").into() });
            }
            kind => out.push(Payload::Unrecognised { name: format!("{role}:{kind}").into(), text: part.text.as_str().into() }),
        }
    }
    if message.stop_reason.as_str() == "end_turn" {
        out.push(Payload::Mark(Mark::TurnEnded));
    }
}

fn says(role: &str, text: &str, answers: bool, out: &mut Emit<'_, '_>) {
    if text.trim().is_empty() {
        return;
    }
    let text = Cow::Borrowed(text);
    out.push(match role {
        "assistant" => Payload::Assistant { text },
        "system" => Payload::User { speaker: Speaker::Rules, text },
        _ if answers => Payload::User { speaker: Speaker::Steering, text },
        _ => Payload::User { speaker: prompter(&out.lane), text },
    });
}

/// The server drops everything before this block from the next request on. One without content failed.
fn compaction(part: &Part<'_>, out: &mut Emit<'_, '_>) {
    let text = joined(&part.content);
    if text.is_empty() {
        return;
    }
    out.push(Payload::Boundary(Boundary {
        kind: BoundaryKind::Summary,
        trigger: Trigger::Auto,
        tokens_before: None,
        tokens_after: None,
        kept: Kept::Nothing,
        masked: Vec::new(),
        reinjected_bytes: 0,
    }));
    out.push(Payload::Summary { text, opaque: false });
}

fn is_error(inner: &Inner<'_>) -> bool {
    inner.kind.as_str().ends_with("_error") || inner.error_code.filled().is_some()
}

fn usage(charged: &Charged) -> Option<Usage> {
    let parts = [charged.input_tokens, charged.cache_read_input_tokens, charged.cache_creation_input_tokens];
    let input = parts.into_iter().map(Number::or_zero).sum();
    (input > 0).then_some(Usage { input, output: charged.output_tokens.or_zero(), window: None })
}

/// The text of a result, one part a line; what is no text leaves a mark.
fn joined<'c>(content: &'c Content<'_, Inner<'_>>) -> Cow<'c, str> {
    let says = |inner: &'c Inner<'_>| match (inner.text.filled(), inner.error_code.filled()) {
        (Some(text), _) | (None, Some(text)) => Cow::Borrowed(text),
        (None, None) => Cow::Owned(format!("[{}]", inner.kind.filled().unwrap_or(ODD))),
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
    fn is_recognised_by_its_blocks() {
        for (record, expected) in [
            (r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}"#, Recognised::Yes),
            (r#"{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"x"}]}"#, Recognised::Yes),
            (r#"{"role":"user","content":"hi"}"#, Recognised::No),
            (r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#, Recognised::Maybe),
            (r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}]}"#, Recognised::No),
            (r#"{"role":"tool","content":"x"}"#, Recognised::No),
            (r#"{"role":"user","content":[{"type":"tool_result"}],"ts":1}"#, Recognised::No),
        ] {
            assert_eq!(recognises(&serde_json::from_str(record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn every_kind_of_block() {
        let lines = [
            r#"{"role":"user","content":"look"}"#,
            r#"{"type":"message","id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"go","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"cache_read_input_tokens":7,"output_tokens":2}}"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"no"}]},{"type":"text","text":"and then stop"}]}"#,
            r#"{"role":"assistant","content":[{"type":"web_fetch_tool_result","tool_use_id":"c2","content":{"type":"web_fetch_tool_result_error","error_code":"url_not_accessible"}}]}"#,
            r#"{"role":"assistant","content":[{"type":"compaction","content":"so far"}]}"#,
            r#"{"role":"assistant","content":[{"type":"compaction","content":null}]}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn"}"#,
            r#"{"role":"assistant","content":[{"type":"novel","text":"keep"}]}"#,
        ];
        let expected = [
            "Human: look",
            "Reasoning: hm",
            "Assistant: Looking.",
            r#"Call c1 go {"a":1}"#,
            "Resolution c1 Failed { exit: None }: no",
            "Steering: and then stop",
            "Resolution c2 Failed { exit: None }: url_not_accessible",
            "Boundary Summary Auto (None, None) Nothing masked []",
            "Summary: so far",
            "Assistant: Done.",
            "TurnEnded",
            "Unrecognised assistant:novel: keep",
        ];
        assert_eq!(events(&FORMAT, &lines), expected);
    }
}
