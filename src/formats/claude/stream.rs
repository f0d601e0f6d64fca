//! The stream of `claude -p --output-format stream-json` and of the Claude Agent SDK (`sdk.d.ts` 0.3: `SDKMessage`).
//!
//! One JSON object a line, with the same messages as in the transcripts that Claude Code keeps itself, in other envelopes. Sub-agents
//! stand in the stream, by the call that launched them. The prompt of a run is not in it, unless its caller asked for that.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::boundary::trigger;
use super::facts::Facts;
use super::line::{Line, Message, Preserved, ToolUseResult};
use super::message;
use super::result;
use super::zone::job_state;
use crate::formats::adapter::{Adapter, Format, Opening, Recognised};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Flag, Maybe, Number, Text, each_record};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Container, Document, Kept, LaneKey, Mark, Outcome, Payload, Record, Resolution, Sink, Trigger,
};

const AGENT: Agent = Agent("claude-stream-json");

/// `claude-code-action` writes a run as one array.
const ARRAY: Document = Document { header: &[], lists: &[] };

/// The registry's row. A stream lies wherever somebody wrote it to.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["claude_stream_json", "stream-json"],
    title: "Claude Agent SDK",
    containers: &[Container::Lines, Container::Document(ARRAY)],
    recognises,
    open: |opening| Box::new(Stream::new(opening)),
    whereabouts: &[],
};

/// Types of records that carry nothing for the ledger.
const ASIDES: &[&str] = &[
    "rate_limit_event",
    "tool_progress",
    "tool_use_summary",
    "stream_event",
    "auth_status",
    "control_request",
    "control_response",
    "control_cancel_request",
    "keep_alive",
    "prompt_suggestion",
];

/// The same, of `system` records.
const SYSTEM: &[&str] = &[
    "init",
    "status",
    "hook_started",
    "hook_progress",
    "hook_response",
    "task_started",
    "task_progress",
    "task_updated",
    "files_persisted",
    "session_state_changed",
    "local_command_output",
    "compact_started",
];

fn recognises(record: &Map<String, Value>) -> Recognised {
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let of_stream = ["system", "assistant", "user", "result", "conversation_reset"].contains(&kind) || ASIDES.contains(&kind);
    let enveloped = record.get("session_id").is_some_and(Value::is_string) || record.contains_key("parent_tool_use_id");
    if of_stream && enveloped && !record.contains_key("sessionId") { Recognised::Yes } else { Recognised::No }
}

/// A record of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Streamed<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    subtype: Text<'a>,
    uuid: Text<'a>,
    session_id: Text<'a>,
    timestamp: Text<'a>,
    parent_tool_use_id: Text<'a>,
    message: Maybe<Message<'a>>,
    tool_use_result: Maybe<ToolUseResult<'a>>,
    #[serde(rename = "isSynthetic")]
    is_synthetic: Flag,
    cwd: Text<'a>,
    model: Text<'a>,
    claude_code_version: Text<'a>,
    compact_metadata: Maybe<Metadata<'a>>,
    tool_use_id: Text<'a>,
    decision_reason_type: Text<'a>,
    task_id: Text<'a>,
    status: Text<'a>,
    summary: Text<'a>,
}

/// What a compaction says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    trigger: Text<'a>,
    pre_tokens: Number,
    post_tokens: Number,
    preserved_messages: Maybe<Preserved<'a>>,
}

struct Stream {
    lane: LaneKey<'static>,
    facts: Facts,
    /// The calls that were not allowed, with how.
    denied: FxHashMap<String, Outcome<'static>>,
}

impl Stream {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), facts: Facts::default(), denied: FxHashMap::default() }
    }
}

impl Adapter for Stream {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let mut streamed: Streamed<'_> = json::read(record.bytes)?;
            // The messages are those of a transcript's line.
            let line = Line {
                kind: streamed.kind.clone(),
                subtype: streamed.subtype.clone(),
                uuid: streamed.uuid.clone(),
                session_id: streamed.session_id.clone(),
                version: streamed.claude_code_version.clone(),
                cwd: streamed.cwd.clone(),
                is_sidechain: Flag(streamed.parent_tool_use_id.filled().is_some()),
                is_meta: streamed.is_synthetic,
                message: std::mem::take(&mut streamed.message),
                tool_use_result: std::mem::take(&mut streamed.tool_use_result),
                ..Line::default()
            };
            let lane = streamed.parent_tool_use_id.filled().map_or_else(|| self.lane.clone(), |call| LaneKey::Sub(call.into()));
            self.facts.tell(&line, sink);
            let model = line.message.0.as_ref().and_then(|message| message.model.filled()).or(streamed.model.filled());
            self.facts.lane(&lane, model, sink);

            let mut out = Emit::new(lane, record.place, sink);
            out.record = streamed.uuid.filled();
            out.at = streamed.timestamp.filled().and_then(crate::base::time::Stamp::parse);
            self.line(&streamed, &line, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(&super::name(&line));
            }
            Ok(())
        });
    }
}

impl Stream {
    fn line<'l>(&mut self, streamed: &'l Streamed<'_>, line: &'l Line<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        match (line.kind.as_str(), &line.message.0) {
            ("assistant", Some(message)) => message::assistant(line, message, out),
            ("user", Some(message)) => self.user(line, message, out),
            ("system", _) => self.system(streamed, bytes, out),
            ("result", _) => out.push(Payload::Mark(match streamed.subtype.as_str() {
                "error_during_execution" => Mark::Interrupted,
                _ => Mark::TurnEnded,
            })),
            ("conversation_reset", _) => {
                out.push(Payload::Boundary(Boundary { trigger: Trigger::Manual, ..Boundary::of(BoundaryKind::Dropped) }));
            }
            (kind, _) if ASIDES.contains(&kind) => {}
            _ => out.unrecognised(&super::name(line), bytes),
        }
    }

    fn user<'l>(&mut self, line: &'l Line<'_>, message: &'l Message<'_>, out: &mut Emit<'l, '_>) {
        if let Some(text) = summary(message).filter(|_| line.is_meta.0) {
            return out.push(Payload::Summary { text: text.into(), opaque: false });
        }
        let Content::Parts(blocks) = &message.content else { return message::user(line, message, out) };
        let answers = blocks.iter().any(|block| block.kind.as_str() == "tool_result");
        for block in blocks {
            match self.denied.remove(block.tool_use_id.as_str()) {
                Some(outcome) => {
                    let (call, text) = (block.tool_use_id.as_str().into(), result::text(&block.content));
                    out.push(Payload::Resolution(Resolution { call, outcome, text, said: None }));
                }
                None => message::user_block(block, line, message::voice(line, answers), out),
            }
        }
    }

    fn system<'l>(&mut self, streamed: &'l Streamed<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        match streamed.subtype.as_str() {
            "compact_boundary" => compact(streamed, out),
            "task_notification" if streamed.task_id.filled().is_some() => {
                let (handle, state) = (streamed.task_id.as_str().into(), job_state(streamed.status.as_str()));
                out.push(Payload::Job { handle, state, text: streamed.summary.as_str().into() });
            }
            "permission_denied" => {
                // By a rule, a hook or a mode; else somebody was asked.
                let asked = matches!(streamed.decision_reason_type.as_str(), "user" | "permissionPromptTool");
                let outcome = if asked { Outcome::Declined } else { Outcome::Refused };
                self.denied.insert(streamed.tool_use_id.as_str().to_owned(), outcome);
            }
            "api_retry" => out.push(Payload::Mark(Mark::RequestFailed)),
            subtype if SYSTEM.contains(&subtype) => {}
            subtype => out.unrecognised(&format!("system/{subtype}"), bytes),
        }
    }
}

/// The text of a message that stands in for what was compacted.
fn summary<'m>(message: &'m Message<'_>) -> Option<&'m str> {
    const BEGINS: &str = "This session is being continued from a previous conversation";
    let text = match &message.content {
        Content::Text(text) => text,
        Content::Parts(blocks) => blocks.first()?.text.as_str(),
        Content::Absent => return None,
    };
    text.starts_with(BEGINS).then_some(text)
}

fn compact(streamed: &Streamed<'_>, out: &mut Emit<'_, '_>) {
    let told = streamed.compact_metadata.0.as_ref();
    let kept = told.and_then(|told| told.preserved_messages.0.as_ref()).map_or(&[][..], |kept| kept.uuids.0.as_slice());
    let kept: Vec<Cow<'_, str>> = kept.iter().filter_map(Text::filled).map(Cow::Borrowed).collect();
    out.push(Payload::Boundary(Boundary {
        trigger: told.map_or(Trigger::Unknown, |told| trigger(&told.trigger)),
        tokens_before: told.and_then(|told| told.pre_tokens.0),
        tokens_after: told.and_then(|told| told.post_tokens.0),
        kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
        ..Boundary::of(BoundaryKind::Summary)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{events, told};

    const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/w/shop","session_id":"s-1","tools":["Bash"],"model":"claude-opus-4-6","claude_code_version":"2.1.300","uuid":"u0"}"#;

    fn call(id: &str) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m{id}","role":"assistant","model":"claude-opus-4-6","content":[{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":"make"}}}}],"usage":{{"input_tokens":10,"cache_read_input_tokens":100}}}},"parent_tool_use_id":null,"session_id":"s-1","uuid":"u{id}"}}"#
        )
    }

    fn result(id: &str, text: &str) -> String {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{text}","is_error":true}}]}},"parent_tool_use_id":null,"session_id":"s-1","uuid":"r{id}"}}"#
        )
    }

    fn of(lines: &[String]) -> Vec<String> {
        events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn is_recognised_by_its_envelope() {
        for (record, expected) in [
            (INIT, Recognised::Yes),
            (r#"{"type":"assistant","message":{},"parent_tool_use_id":null}"#, Recognised::Yes),
            (r#"{"duration_ms":1,"session_id":"s","type":"result"}"#, Recognised::Yes),
            (r#"{"type":"user","sessionId":"s","session_id":"s","uuid":"u"}"#, Recognised::No),
            (r#"{"type":"user","message":{"content":"hi"}}"#, Recognised::No),
            (r#"{"type":"session.start","session_id":"s"}"#, Recognised::No),
        ] {
            assert_eq!(recognises(&serde_json::from_str(record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn a_run_with_its_facts() {
        let end = r#"{"type":"result","subtype":"success","session_id":"s-1","is_error":false,"uuid":"u9"}"#.to_owned();
        let lines = [INIT.to_owned(), call("c1"), result("c1", "Exit code 2"), end];
        let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = [r#"Call c1 Bash {"command":"make"}"#, "Resolution c1 Failed { exit: Some(2) }: Exit code 2", "TurnEnded"];
        assert_eq!(told.events, expected);
        assert_eq!(
            told.facts,
            [
                r#"Session("s-1")"#,
                r#"Version("2.1.300")"#,
                r#"Directory("/w/shop")"#,
                r#"Model(Main, "claude-opus-4-6")"#,
                "bookkeeping system/init"
            ]
        );
    }

    #[test]
    fn a_call_that_was_not_allowed_did_not_begin() {
        let denied = |by: &str| {
            format!(
                r#"{{"type":"system","subtype":"permission_denied","tool_use_id":"c1","decision_reason_type":"{by}","session_id":"s-1"}}"#
            )
        };
        for (by, outcome) in [("rule", "Refused"), ("hook", "Refused"), ("user", "Declined")] {
            let told = of(&[call("c1"), denied(by), result("c1", "no"), result("c1", "no")]);
            assert_eq!(told[1], format!("Resolution c1 {outcome}: no"));
            assert_eq!(told[2], "Resolution c1 Failed { exit: None }: no");
        }
    }

    #[test]
    fn a_boundary_its_summary_and_what_it_kept() {
        let boundary = r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":150000,"post_tokens":12000,"preserved_messages":{"uuids":["uc1"]}},"session_id":"s-1","uuid":"b"}"#;
        let summary = r#"{"type":"user","message":{"role":"user","content":"This session is being continued from a previous conversation. So far"},"isSynthetic":true,"session_id":"s-1","uuid":"s"}"#;
        let told = of(&[
            call("c1"),
            boundary.to_owned(),
            summary.to_owned(),
            summary.replace("This session is being continued from a previous conversation. So far", "a reminder"),
        ]);
        assert_eq!(
            told[1..],
            [
                r#"Boundary Summary Auto (Some(150000), Some(12000)) Records(["uc1"]) masked []"#,
                "Summary: This session is being continued from a previous conversation. So far",
                "Injected: a reminder"
            ]
        );
        let reset = r#"{"type":"conversation_reset","session_id":"s-1","new_conversation_id":"s-2"}"#;
        assert_eq!(of(&[reset.to_owned()]), ["Boundary Dropped Manual (None, None) Nothing masked []"]);
    }

    #[test]
    fn sub_agents_stand_in_the_stream() {
        let line = call("c2").replace(r#""parent_tool_use_id":null"#, r#""parent_tool_use_id":"c1""#);
        let prompt = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"}]},"parent_tool_use_id":"c1","session_id":"s-1"}"#;
        assert_eq!(of(&[prompt.to_owned(), line]), ["@c1 Parent: look", r#"@c1 Call c2 Bash {"command":"make"}"#]);
    }

    #[test]
    fn everything_else_is_counted() {
        for (line, expected) in [
            (
                r#"{"type":"system","subtype":"task_notification","task_id":"b1","status":"failed","summary":"build","session_id":"s"}"#,
                &["Job b1 Failed: build"][..],
            ),
            (r#"{"type":"system","subtype":"api_retry","session_id":"s"}"#, &["RequestFailed"]),
            (r#"{"type":"stream_event","event":{},"session_id":"s"}"#, &[]),
            (r#"{"type":"system","subtype":"status","status":"compacting","session_id":"s"}"#, &[]),
            (r#"{"type":"system","subtype":"novel","text":"keep","session_id":"s"}"#, &["Unrecognised system/novel: keep"]),
            (r#"{"type":"novel","text":"keep","session_id":"s"}"#, &["Unrecognised novel: keep"]),
            (r#"{"type":"user","message":{"role":"user","content":"typed"},"session_id":"s"}"#, &["Human: typed"]),
        ] {
            assert_eq!(of(&[line.to_owned()]), expected, "{line}");
        }
    }
}
