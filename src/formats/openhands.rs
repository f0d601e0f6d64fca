//! OpenHands (software-agent-sdk, `openhands/sdk/event`): its events, one a line.
//!
//! An action names its call, an observation the call that it ends, a condensation the events that it forgets.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::adapter::{Adapter, Format, Opening, Recognised};
use super::emit::Emit;
use super::json::{self, Content, Element, Flag, List, Maybe, Number, Pairs, Text, each_record, text_under};
use super::told::Told;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Input, Kept, LaneKey, Mark, Outcome, Payload, Record, Resolution, Sink,
    Speaker, Trigger, Usage, Whereabouts,
};

const AGENT: Agent = Agent("openhands");

/// The format's row in the registry. The runtime keeps an event a file; its lines lie wherever somebody wrote them to.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["openhands-v1"],
    title: "OpenHands",
    container: Container::Lines,
    recognises,
    open: |opening| Box::new(OpenHands::new(opening)),
    whereabouts: Whereabouts {
        agent: AGENT,
        variable: "",
        others: &[],
        home: "",
        folders: &[],
        prefix: "",
        suffix: ".jsonl",
        not_below: None,
        children: None,
        locks: None,
    },
};

/// Kinds of events that carry nothing for the ledger.
const ASIDES: &[&str] = &[
    "ConversationStateUpdateEvent",
    "CondensationRequest",
    "CondensationSummaryEvent",
    "HookExecutionEvent",
    "LLMCompletionLogEvent",
    "TokenEvent",
    "StreamingDeltaEvent",
];

fn recognises(record: &Map<String, Value>) -> Recognised {
    let has = |key| record.get(key).is_some_and(Value::is_string);
    let kind = record.get("kind").and_then(Value::as_str).unwrap_or_default();
    let of_sdk = ["Event", "Condensation", "CondensationRequest", "Observation"].iter().any(|end| kind.ends_with(end));
    if of_sdk && has("id") && has("source") { Recognised::Yes } else { Recognised::No }
}

/// An event of any kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
    id: Text<'a>,
    timestamp: Text<'a>,
    source: Text<'a>,
    system_prompt: Maybe<Part<'a>>,
    llm_message: Maybe<Message<'a>>,
    thought: Content<'a, Part<'a>>,
    reasoning_content: Text<'a>,
    llm_response_id: Text<'a>,
    tool_name: Text<'a>,
    tool_call_id: Text<'a>,
    tool_call: Maybe<ToolCall<'a>>,
    action: Option<&'a RawValue>,
    observation: Maybe<Observation<'a>>,
    rejection_reason: Text<'a>,
    rejection_source: Text<'a>,
    error: Text<'a>,
    forgotten_event_ids: List<Text<'a>>,
    summary: Text<'a>,
    key: Text<'a>,
    value: Maybe<Stats<'a>>,
}

/// A message of the model's API.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    content: Content<'a, Part<'a>>,
}

/// A part of a content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}

/// A call as the model wrote it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    arguments: Text<'a>,
}

/// What a call came to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Observation<'a> {
    #[serde(borrow)]
    content: Content<'a, Part<'a>>,
    is_error: Flag,
    exit_code: Option<i32>,
    timeout: Flag,
}

/// The usage so far, by what it was used for: `default`, `condenser`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Stats<'a> {
    #[serde(borrow)]
    usage_to_metrics: Pairs<'a, Maybe<Metrics<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metrics<'a> {
    #[serde(borrow)]
    model_name: Text<'a>,
    accumulated_token_usage: Maybe<Accumulated>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Accumulated {
    prompt_tokens: Number,
    completion_tokens: Number,
}

struct OpenHands {
    lane: LaneKey<'static>,
    told: Told,
    /// The prompt and the answer tokens of all requests so far.
    charged: (u64, u64),
    /// The events that the model is sent.
    events: Vec<String>,
}

impl OpenHands {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), told: Told::default(), charged: (0, 0), events: Vec::new() }
    }
}

impl Adapter for OpenHands {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let metrics = line.value.0.as_ref().and_then(main_metrics);
            self.told.lane(&self.lane, metrics.and_then(|metrics| metrics.model_name.filled()), sink);
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            (out.record, out.at) = (line.id.filled(), line.timestamp.filled().and_then(Stamp::parse));
            self.event(&line, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(line.kind.as_str());
            } else if let Some(id) = line.id.filled() {
                self.events.push(id.to_owned());
            }
            Ok(())
        });
    }
}

impl OpenHands {
    fn event<'l>(&mut self, line: &'l Line<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        match line.kind.as_str() {
            "SystemPromptEvent" => {
                let text = line.system_prompt.0.as_ref().map_or("", |prompt| prompt.text.as_str());
                out.push(Payload::User { speaker: Speaker::Rules, text: text.into() });
            }
            "MessageEvent" => message(line, out),
            "ActionEvent" => action(line, out),
            "ObservationEvent" => observation(line, out),
            "UserRejectObservation" => {
                let by_human = line.rejection_source.as_str() != "hook";
                let outcome = if by_human { Outcome::Declined } else { Outcome::Refused };
                let said = line.rejection_reason.filled().filter(|reason| by_human && *reason != REJECTED).map(Cow::Borrowed);
                end(line, outcome, line.rejection_reason.as_str().into(), said, out);
            }
            "AgentErrorEvent" if line.tool_call_id.filled().is_some() => {
                let text = line.error.as_str();
                let crashed = text.contains("did not complete") || text.contains("was interrupted");
                end(line, if crashed { Outcome::Lost } else { Outcome::Refused }, text.into(), None, out);
            }
            "AgentErrorEvent" | "ConversationErrorEvent" => out.push(Payload::Mark(Mark::RequestFailed)),
            "InterruptEvent" | "PauseEvent" => out.push(Payload::Mark(Mark::Interrupted)),
            "Condensation" => self.condensation(line, out),
            "ConversationStateUpdateEvent" => self.state(line, out),
            kind if ASIDES.contains(&kind) => {}
            kind => {
                let text = text_under(bytes, &["message", "content", "text"]);
                let kind = if kind.is_empty() { "(no kind)" } else { kind };
                out.push(Payload::Unrecognised { name: kind.into(), text: text.into() });
            }
        }
    }

    /// Tells a condensation: it names what it forgets, and everything else stays.
    fn condensation(&mut self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        let forgets = |id: &String| line.forgotten_event_ids.0.iter().any(|forgotten| forgotten.as_str() == id);
        self.events.retain(|id| !forgets(id));
        let kept: Vec<Cow<'_, str>> = self.events.iter().map(|id| Cow::Borrowed(id.as_str())).collect();
        let summary = line.summary.filled();
        out.push(Payload::Boundary(Boundary {
            kind: if summary.is_some() { BoundaryKind::Summary } else { BoundaryKind::Dropped },
            trigger: Trigger::Unknown,
            tokens_before: None,
            tokens_after: None,
            kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
            masked: Vec::new(),
            reinjected_bytes: 0,
        }));
        if let Some(text) = summary {
            out.push(Payload::Summary { text: text.into(), opaque: false });
        }
    }

    /// Tells what the last request was charged: the counts of a session only grow.
    fn state(&mut self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        if line.key.as_str() == "execution_status" {
            return;
        }
        let metrics = line.value.0.as_ref().and_then(main_metrics);
        let Some(now) = metrics.and_then(|metrics| metrics.accumulated_token_usage.0) else { return };
        let now = (now.prompt_tokens.or_zero(), now.completion_tokens.or_zero());
        let (input, output) = (now.0.saturating_sub(self.charged.0), now.1.saturating_sub(self.charged.1));
        self.charged = now;
        if input > 0 {
            out.usage = Some(Usage { input, output, window: None });
            out.push(Payload::Mark(Mark::Counted));
        }
    }
}

/// What the runtime says where a person gave no reason.
const REJECTED: &str = "User rejected the action";

fn main_metrics<'s>(stats: &'s Stats<'_>) -> Option<&'s Metrics<'s>> {
    let (_, metrics) = stats.usage_to_metrics.0.iter().find(|(name, _)| name == "default")?;
    metrics.0.as_ref()
}

fn message(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    let Some(message) = &line.llm_message.0 else { return };
    let text = joined(&message.content);
    if text.trim().is_empty() {
        return;
    }
    out.push(match (line.source.as_str(), message.role.as_str()) {
        ("agent", _) | (_, "assistant") => Payload::Assistant { text },
        ("user", _) if out.lane == LaneKey::Main => Payload::User { speaker: Speaker::Human, text },
        ("user", _) => Payload::User { speaker: Speaker::Parent, text },
        _ => Payload::User { speaker: Speaker::Injected, text },
    });
}

fn action<'l>(line: &'l Line<'_>, out: &mut Emit<'l, '_>) {
    // The calls of one answer share its id.
    out.step = line.llm_response_id.filled().or(line.id.filled());
    if let Some(text) = line.reasoning_content.filled() {
        out.push(Payload::Reasoning { text: text.into() });
    }
    let thought = joined(&line.thought);
    if !thought.trim().is_empty() {
        out.push(Payload::Assistant { text: thought });
    }
    let action = line.action.map(RawValue::get).filter(|action| *action != "null");
    let arguments = line.tool_call.0.as_ref().and_then(|call| call.arguments.filled());
    let input = Input::Json(action.or(arguments).unwrap_or("{}").into());
    let (id, tool) = (line.tool_call_id.as_str().into(), line.tool_name.as_str().into());
    out.push(Payload::Call(Call { id, tool, input }));
}

fn observation(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    let Some(observation) = &line.observation.0 else { return };
    // -1: the command was still running when its time was up.
    let outcome = match observation.exit_code {
        _ if observation.timeout.0 => Outcome::TimedOut,
        Some(-1) => Outcome::TimedOut,
        Some(0) | None if !observation.is_error.0 => Outcome::Success,
        exit => Outcome::Failed { exit: exit.filter(|code| *code != 0) },
    };
    end(line, outcome, joined(&observation.content), None, out);
}

fn end<'l>(line: &'l Line<'_>, outcome: Outcome<'l>, text: Cow<'l, str>, said: Option<Cow<'l, str>>, out: &mut Emit<'_, '_>) {
    out.push(Payload::Resolution(Resolution { call: line.tool_call_id.as_str().into(), outcome, text, said }));
}

fn joined<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    let says = |part: &'c Part<'_>| if part.kind.as_str() == "image" { "[image]" } else { part.text.as_str() };
    match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Parts(parts) => match parts.as_slice() {
            [only] => Cow::Borrowed(says(only)),
            parts => Cow::Owned(parts.iter().map(says).collect::<Vec<_>>().join("\n")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{events, told};

    fn event(id: &str, kind: &str, rest: &str) -> String {
        format!(r#"{{"id":"{id}","timestamp":"2026-06-16T05:00:00","source":"agent",{rest},"kind":"{kind}"}}"#)
    }

    fn action(id: &str, call: &str) -> String {
        event(
            id,
            "ActionEvent",
            &format!(
                r#""thought":[],"action":{{"command":"make"}},"tool_name":"terminal","tool_call_id":"{call}","llm_response_id":"r1""#
            ),
        )
    }

    fn of(lines: &[String]) -> Vec<String> {
        events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn is_recognised_by_its_kind() {
        for (record, expected) in [
            (action("e1", "c1"), Recognised::Yes),
            (r#"{"id":"e","source":"agent","kind":"Condensation"}"#.to_owned(), Recognised::Yes),
            (r#"{"id":"e","source":"agent","kind":"note"}"#.to_owned(), Recognised::No),
            (r#"{"kind":"ActionEvent"}"#.to_owned(), Recognised::No),
        ] {
            assert_eq!(recognises(&serde_json::from_str(&record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn every_end_of_a_call() {
        let observed = |rest: &str| {
            event(
                "e2",
                "ObservationEvent",
                &format!(r#""tool_call_id":"c1","observation":{{"content":[{{"type":"text","text":"x"}}],{rest}}}"#),
            )
        };
        for (line, expected) in [
            (observed(r#""is_error":false,"exit_code":0"#), "Success: x"),
            (observed(r#""is_error":false,"exit_code":2"#), "Failed { exit: Some(2) }: x"),
            (observed(r#""is_error":true,"exit_code":null"#), "Failed { exit: None }: x"),
            (observed(r#""is_error":false,"exit_code":-1"#), "TimedOut: x"),
            (observed(r#""is_error":false,"timeout":true"#), "TimedOut: x"),
            (
                event(
                    "e2",
                    "UserRejectObservation",
                    r#""tool_call_id":"c1","rejection_reason":"use pnpm","rejection_source":"user""#,
                ),
                r#"Declined said "use pnpm": use pnpm"#,
            ),
            (
                event("e2", "UserRejectObservation", r#""tool_call_id":"c1","rejection_reason":"rule","rejection_source":"hook""#),
                "Refused: rule",
            ),
            (
                event(
                    "e2",
                    "AgentErrorEvent",
                    r#""tool_call_id":"c1","error":"The tool execution was interrupted and did not complete.""#,
                ),
                "Lost: The tool execution was interrupted and did not complete.",
            ),
            (event("e2", "AgentErrorEvent", r#""tool_call_id":"c1","error":"no such tool""#), "Refused: no such tool"),
        ] {
            assert_eq!(of(&[action("e1", "c1"), line])[1], format!("Resolution c1 {expected}"));
        }
    }

    #[test]
    fn a_condensation_keeps_what_it_does_not_forget() {
        let said = |id: &str, text: &str| {
            event(id, "MessageEvent", &format!(r#""llm_message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}"#))
                .replace(r#""source":"agent""#, r#""source":"user""#)
        };
        let forget = event("k", "Condensation", r#""forgotten_event_ids":["e2"],"summary":"so far""#);
        let told = of(&[said("e1", "one"), said("e2", "two"), action("e3", "c1"), forget]);
        assert_eq!(
            told,
            [
                "Human: one",
                "Human: two",
                r#"Call c1 terminal {"command":"make"}"#,
                r#"Boundary Summary Unknown (None, None) Records(["e1", "e3"]) masked []"#,
                "Summary: so far"
            ]
        );
    }

    #[test]
    fn usage_is_what_the_counts_have_grown_by() {
        let stats = |prompt: u32| {
            event(
                "s",
                "ConversationStateUpdateEvent",
                &format!(
                    r#""key":"stats","value":{{"usage_to_metrics":{{"default":{{"model_name":"m","accumulated_token_usage":{{"prompt_tokens":{prompt},"completion_tokens":5}}}}}}}}"#
                ),
            )
        };
        let lines = [stats(100), stats(100), stats(250)];
        let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(told.events, ["Counted", "Counted"]);
        assert_eq!(told.facts, [r#"Model(Main, "m")"#, "bookkeeping ConversationStateUpdateEvent"]);
        assert_eq!(of(&[event("x", "NovelEvent", r#""text":"keep""#)]), ["Unrecognised NovelEvent: keep"]);
    }
}
