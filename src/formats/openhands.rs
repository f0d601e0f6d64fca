//! OpenHands: events of version 1 (`base_state.json` with `events/event-*.json`, or one a line), and of version 0 (a list, a
//! trajectory, the output of an evaluation with one history a row).

mod line;
mod old;

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use self::line::{Event, Line};
use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{arguments_of, ended, result_text, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, each_record};
use crate::formats::outcome::{exited, failure};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, Files, Kept, LaneKey, Mark, Outcome, Payload, Record, Sink,
    Speaker, Trigger, Whereabouts,
};

const OPENHANDS: Agent = Agent("openhands");

const DOCUMENT: Document = Document { header: &["base", "instance_id", "id"], lists: &["trajectory", "history", "events"] };

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: OPENHANDS,
    aliases: &["opendevin"],
    title: "OpenHands",
    containers: &[
        Container::Lines,
        Container::Document(DOCUMENT),
        Container::Files(Files { own: "base", list: "events", pattern: "events/event-*.json", each: None, document: DOCUMENT }),
    ],
    recognises,
    open: |opening| Box::new(OpenHands { lane: opening.lane.clone(), ..OpenHands::default() }),
    whereabouts: &[Whereabouts {
        home: ".openhands",
        folders: &["conversations"],
        depth: 2,
        prefix: "base_state",
        suffix: ".json",
        ..Whereabouts::new(OPENHANDS)
    }],
};

fn is_event(record: &Map<String, Value>) -> bool {
    const KINDS: [&str; 5] = ["Event", "Condensation", "CondensationRequest", "Observation", "CondensationSummaryEvent"];
    let kind = record.get("kind").and_then(Value::as_str).is_some_and(|kind| KINDS.iter().any(|known| kind.ends_with(known)));
    let has = |keys: &[&str]| keys.iter().all(|key| record.contains_key(*key));
    kind && has(&["source", "id"]) || has(&["action", "args", "source"]) || has(&["observation", "extras", "source"])
}

fn recognises(record: &Map<String, Value>) -> Recognised {
    let flat =
        |first: &Map<String, Value>| ["action", "observation"].iter().any(|key| first.get(*key).is_some_and(Value::is_string));
    let is_run = ["instance_id", "git_patch", "issue"].iter().any(|key| record.contains_key(*key));
    let list = ["trajectory", "history"].iter().filter_map(|key| record.get(*key)?.as_array());
    let holds = list.into_iter().any(|list| {
        let first = list.first().map(|first| first.as_array().and_then(|pair| pair.first()).unwrap_or(first));
        first
            .and_then(Value::as_object)
            .is_some_and(|first| is_event(first) || flat(first) && (is_run || first.contains_key("args")))
    });
    let state = record.contains_key("execution_status") && record.contains_key("persistence_dir");
    if is_event(record) || holds || state { Recognised::Yes } else { Recognised::No }
}

struct OpenHands {
    lane: LaneKey<'static>,
    /// The events that the model sees still, by id.
    seen: Vec<String>,
    step: u32,
    old: old::Old,
    rows: u32,
}

impl Default for OpenHands {
    fn default() -> Self {
        Self { lane: LaneKey::Main, seen: Vec::new(), step: 0, old: old::Old::default(), rows: 0 }
    }
}

impl Adapter for OpenHands {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let alone: Option<Event<'_>> = line.kind.filled().map(|_| json::read(record.bytes)).transpose()?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if let Some(state) = &line.base.0 {
                let directory = state.workspace.0.as_ref().and_then(|workspace| workspace.working_dir.filled());
                out.facts([
                    state.id.filled().map(|id| Fact::Session(id.into())),
                    directory.map(|directory| Fact::Directory(directory.into())),
                ]);
            }
            if let Some(id) = line.instance_id.filled() {
                out.fact(Fact::Title(id.into()));
            }
            if let Some(event) = alone.as_ref().or(line.events.0.as_ref()) {
                self.event(event, record.bytes, &mut out);
            } else if let Some(list) = line.history.or(line.trajectory) {
                self.list(list, &mut out);
            } else if line.action.is_some() || line.observation.is_some() {
                let event: old::Event<'_> = json::read(record.bytes)?;
                self.old.event(&event, record.bytes, &mut out);
            }
            if out.is_empty() {
                out.bookkeeping(line.kind.filled().unwrap_or("event"));
            }
            Ok(())
        });
    }
}

impl OpenHands {
    /// Tells the events of version 0 that a record holds: one, or all of a row.
    fn list(&mut self, list: &RawValue, out: &mut Emit<'_, '_>) {
        let is_row = list.get().starts_with('[');
        let events: Vec<&RawValue> = if is_row { serde_json::from_str(list.get()).unwrap_or_default() } else { vec![list] };
        if is_row {
            self.rows += 1;
            if self.rows > 1 {
                // Another session.
                self.old = old::Old::default();
                out.lane = LaneKey::Sub(format!("row-{}", self.rows).into());
            }
        }
        for raw in events {
            // The oldest histories are pairs of an action and what came of it.
            let both: Vec<&RawValue> =
                if raw.get().starts_with('[') { serde_json::from_str(raw.get()).unwrap_or_default() } else { vec![raw] };
            for raw in both {
                if let Ok(event) = json::read::<old::Event<'_>>(raw.get().as_bytes()) {
                    self.old.event(&event, raw.get().as_bytes(), out);
                }
            }
        }
    }

    fn event<'a>(&mut self, event: &'a Event<'_>, bytes: &[u8], out: &mut Emit<'a, '_>) {
        out.at = stamp(event.timestamp.as_str());
        out.record = event.id.filled();
        let kind = event.kind.as_str();
        if !matches!(kind, "Condensation" | "ConversationStateUpdateEvent") {
            self.seen.push(event.id.as_str().to_owned());
        }
        match kind {
            "SystemPromptEvent" => out.push(Payload::User { speaker: Speaker::Rules, text: result_text(&event.system_prompt) }),
            "MessageEvent" => self.message(event, out),
            "ActionEvent" => self.action(event, out),
            "ObservationEvent" => observation(event, out),
            "UserRejectObservation" => {
                let outcome = if event.rejection_source.as_str() == "hook" { Outcome::Refused } else { Outcome::Declined };
                out.push(ended(event.tool_call_id.as_str(), outcome, event.rejection_reason.as_str().into()));
            }
            "AgentErrorEvent" => {
                // After a restart it says that the call did not complete; what it did, nobody knows.
                let lost = event.error.as_str().contains("restart occurred");
                let outcome = if lost { Outcome::Lost } else { failure(event.error.as_str()) };
                out.push(ended(event.tool_call_id.as_str(), outcome, event.error.as_str().into()));
            }
            "ConversationErrorEvent" => {
                out.push(Payload::Mark(Mark::RequestFailed));
                out.push(Payload::User { speaker: Speaker::Injected, text: event.detail.as_str().into() });
            }
            "ACPToolCallEvent" => self.acp(event, out),
            "Condensation" => self.condensed(event, out),
            "InterruptEvent" | "PauseEvent" => out.push(Payload::Mark(Mark::Interrupted)),
            "CondensationRequest"
            | "CondensationSummaryEvent"
            | "ConversationStateUpdateEvent"
            | "HookExecutionEvent"
            | "LLMCompletionLogEvent"
            | "TokenEvent" => out.bookkeeping(kind),
            kind => unknown("event/", kind, bytes, out),
        }
    }

    fn message(&mut self, event: &Event<'_>, out: &mut Emit<'_, '_>) {
        let Some(message) = &event.llm_message.0 else { return };
        let text = result_text(&message.content);
        match (event.source.as_str(), message.role.as_str()) {
            ("user", _) => out.push(Payload::User { speaker: Speaker::Human, text }),
            (_, "assistant") => {
                self.step += 1;
                out.push_in(self.step, Payload::Assistant { text });
                out.push(Payload::Mark(Mark::TurnEnded));
            }
            _ => out.push(Payload::User { speaker: Speaker::Injected, text }),
        }
    }

    fn action<'a>(&mut self, event: &'a Event<'_>, out: &mut Emit<'a, '_>) {
        self.step += 1;
        // Calls of one response are one step.
        let step = event.llm_response_id.filled();
        out.step = step;
        let (number, numbered) = (self.step, step.is_none());
        let told =
            |payload: Payload<'_>, out: &mut Emit<'a, '_>| if numbered { out.push_in(number, payload) } else { out.push(payload) };
        if let Some(text) = event.reasoning_content.filled() {
            told(Payload::Reasoning { text: text.into() }, out);
        }
        let thought = result_text(&event.thought);
        if !thought.is_empty() {
            told(Payload::Assistant { text: thought }, out);
        }
        let raw = event.tool_call.0.as_ref().and_then(|made| made.arguments).or(event.action);
        let (id, tool) = (event.tool_call_id.as_str(), event.tool_name.as_str());
        told(Payload::Call(Call { id: id.into(), tool: tool.into(), input: arguments_of(raw) }), out);
        if event.action.is_none_or(|action| action.get() == "null") {
            // What the model wrote could not be run.
            out.push(ended(id, Outcome::Refused, "".into()));
        }
    }

    /// A tool of another agent: told when it starts, and again when it ends.
    fn acp(&mut self, event: &Event<'_>, out: &mut Emit<'_, '_>) {
        let id = event.tool_call_id.as_str();
        let returned = event.raw_output.map_or("", RawValue::get);
        match event.status.as_str() {
            "completed" if event.is_error.0 => out.push(ended(id, failure(returned), returned.into())),
            "completed" => out.push(ended(id, Outcome::Success, returned.into())),
            "failed" => out.push(ended(id, failure(returned), returned.into())),
            _ => {
                self.step += 1;
                let tool = event.title.filled().unwrap_or("acp").into();
                out.push_in(self.step, Payload::Call(Call { id: id.into(), tool, input: arguments_of(event.raw_input) }));
            }
        }
    }

    fn condensed(&mut self, event: &Event<'_>, out: &mut Emit<'_, '_>) {
        let forgotten: Vec<&str> = event.forgotten_event_ids.0.iter().filter_map(|id| id.filled()).collect();
        self.seen.retain(|id| !forgotten.contains(&id.as_str()));
        out.push(Payload::Boundary(condensation(&self.seen, event.summary.filled().is_some())));
        if let Some(summary) = event.summary.filled() {
            out.push(Payload::Summary { text: summary.into(), opaque: false });
        }
    }
}

/// The boundary of a condensation that keeps these records.
fn condensation(kept: &[String], summarised: bool) -> Boundary<'_> {
    let kind = if summarised { BoundaryKind::Summary } else { BoundaryKind::Dropped };
    let kept =
        if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept.iter().map(|id| Cow::Borrowed(id.as_str())).collect()) };
    Boundary { trigger: Trigger::Auto, kept, ..Boundary::of(kind) }
}

/// A time, which is mostly written without its zone: UTC.
fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).or_else(|| Stamp::parse(&format!("{text}Z")))
}

fn observation(event: &Event<'_>, out: &mut Emit<'_, '_>) {
    let Some(observed) = &event.observation.0 else { return };
    let text = [result_text(&observed.content), observed.output.as_str().into(), observed.error.as_str().into()];
    let text = text.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let outcome = match (observed.timeout.0, observed.is_error.0, observed.exit_code) {
        // A soft limit: the command goes on in its terminal.
        (true, ..) | (_, _, Some(-1)) => Outcome::TimedOut,
        (_, true, None) => failure(&text),
        (_, true, Some(code)) => Outcome::Failed { exit: Some(code) },
        (_, false, Some(code)) => exited(code),
        (_, false, None) => Outcome::Success,
    };
    out.push(ended(event.tool_call_id.as_str(), outcome, text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_condensation_names_what_it_forgets() {
        let event = |id: &str, kind: &str, rest: &str| format!(r#"{{"id":"{id}","kind":"{kind}","source":"agent"{rest}}}"#);
        let lines = [
            r#"{"id":"1","kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"do it"}]}}"#.to_owned(),
            event("2", "ActionEvent", r#","tool_name":"terminal","tool_call_id":"c","tool_call":{"arguments":"{\"command\":\"ls\"}"},"action":{"kind":"x"},"thought":[]"#),
            event("3", "ObservationEvent", r#","tool_call_id":"c","observation":{"content":[{"type":"text","text":"a"}],"exit_code":1}"#),
            event("4", "Condensation", r#","forgotten_event_ids":["2","3"],"summary":"listed""#),
            event("5", "ActionEvent", r#","tool_name":"terminal","tool_call_id":"d","tool_call":{"arguments":"{}"},"action":null"#),
            event("6", "AgentErrorEvent", r#","tool_call_id":"e","error":"A restart occurred while this tool was in progress.""#),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: do it",
                "Call c terminal {\"command\":\"ls\"}",
                "Resolution c Failed { exit: Some(1) }: a",
                "Boundary Summary Auto (None, None) Records([\"1\"]) masked []",
                "Summary: listed",
                "Call d terminal {}",
                "Resolution d Refused: ",
                "Resolution e Lost: A restart occurred while this tool was in progress.",
            ]
        );
    }

    #[test]
    fn old_observations_name_their_cause() {
        let lines = [
            r#"{"id":0,"source":"user","action":"message","args":{"content":"do it"}}"#,
            r#"{"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"I look."}}"#,
            r#"{"id":2,"cause":1,"source":"agent","observation":"run","content":"no","extras":{"metadata":{"exit_code":2}}}"#,
            r#"{"id":3,"source":"agent","action":"run","args":{"command":"serve"}}"#,
            r#"{"id":4,"cause":3,"source":"agent","observation":"run","content":"","extras":{"metadata":{"exit_code":-1}}}"#,
            r#"{"id":5,"source":"agent","action":"condensation","args":{"forgotten_event_ids":[1,2],"summary":"listed"}}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: do it",
                "Assistant: I look.",
                "Call 1 run {\"command\":\"ls\",\"thought\":\"I look.\"}",
                "Resolution 1 Failed { exit: Some(2) }: no",
                "Call 3 run {\"command\":\"serve\"}",
                "Resolution 3 TimedOut: ",
                "Boundary Summary Auto (None, None) Records([\"0\", \"3\", \"4\"]) masked []",
                "Summary: listed",
            ]
        );
    }
}
