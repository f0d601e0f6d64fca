//! SWE-agent: a trajectory (`*.traj`), the conversation (`history`) and what was run (`trajectory`) side by side.
//!
//! The conversation is told. A call that the run ended with has its result only in the other list; where there is no conversation,
//! that list is told whole.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Chat, Message, Part, ToolCall, call, ended, result_text};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Flag, List, Maybe, Text, each_record};
use crate::formats::outcome::inferred;
use crate::transcript::{Agent, Call, Container, Document, Fact, Input, LaneKey, Payload, Record, Sink, Speaker};

const SWE_AGENT: Agent = Agent("swe-agent");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: SWE_AGENT,
    aliases: &["sweagent"],
    title: "SWE-agent",
    containers: &[Container::Document(Document { header: &["environment"], lists: &["history", "trajectory"] })],
    recognises,
    open: |opening| Box::new(SweAgent { lane: opening.lane.clone(), ..SweAgent::default() }),
    whereabouts: &[],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let first = |key: &str| record.get(key).and_then(Value::as_array).and_then(|list| list.first()).and_then(Value::as_object);
    let ran = first("trajectory").is_some_and(|step| {
        step.contains_key("action")
            && step.contains_key("observation")
            && (step.contains_key("response") || step.contains_key("thought"))
            && !step.contains_key("args")
    });
    let said = first("history").is_some_and(|message| {
        message.contains_key("role") && (message.contains_key("agent") || message.contains_key("message_type"))
    });
    let alone = record.contains_key("role") && (record.contains_key("message_type") || record.contains_key("is_demo"));
    if ran || said || alone { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    environment: Text<'a>,
    role: Text<'a>,
    history: Content<'a, Turn<'a>>,
    trajectory: Content<'a, Step<'a>>,
}

/// What a message has beside what all have.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Turn<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    action: Text<'a>,
    thought: Text<'a>,
    content: Content<'a, Part<'a>>,
    is_demo: Flag,
    tool_calls: List<Maybe<ToolCall<'a>>>,
    tool_call_ids: List<Text<'a>>,
    tool_call_id: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Turn<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { content: Content::Text(text), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Step<'a> {
    #[serde(borrow)]
    action: Text<'a>,
    observation: Text<'a>,
    response: Text<'a>,
    thought: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Step<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

struct SweAgent {
    lane: LaneKey<'static>,
    chat: Chat,
    prompted: bool,
    /// The calls so far, each with whether it has a result.
    calls: Vec<(String, bool)>,
    /// The step of the trajectory that comes next.
    next: usize,
    conversed: bool,
}

impl Default for SweAgent {
    fn default() -> Self {
        Self { lane: LaneKey::Main, chat: Chat::default(), prompted: false, calls: Vec::new(), next: 0, conversed: false }
    }
}

impl Adapter for SweAgent {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if let Some(environment) = line.environment.filled() {
                out.fact(Fact::Title(environment.into()));
            }
            if line.role.filled().is_some() {
                let turn: Turn<'_> = json::read(record.bytes)?;
                self.turn(&turn, &mut out);
            }
            if let Content::Parts(turns) = &line.history {
                turns.iter().for_each(|turn| self.turn(turn, &mut out));
            }
            if let Content::Parts(steps) = &line.trajectory {
                steps.iter().for_each(|step| self.step(step, &mut out));
            }
            if out.is_empty() {
                out.bookkeeping("trajectory");
            }
            Ok(())
        });
    }
}

impl SweAgent {
    /// Tells a message of the conversation.
    fn turn(&mut self, turn: &Turn<'_>, out: &mut Emit<'_, '_>) {
        let text = result_text(&turn.content);
        if turn.is_demo.0 {
            // A session of another day, shown to the model as an example.
            return out.push(Payload::User { speaker: Speaker::Injected, text });
        }
        self.conversed = true;
        let waits = self.calls.last().filter(|(_, ended)| !ended).map(|(id, _)| id.clone());
        match (turn.role.as_str(), waits) {
            ("assistant", _) => self.assistant(turn, text, out),
            ("tool", _) => {
                let ids = turn.tool_call_ids.0.iter().chain([&turn.tool_call_id]).filter_map(|id| id.filled());
                for id in ids {
                    self.ended(id);
                    out.push(ended(id, inferred(&text), text.clone()));
                }
            }
            ("user", Some(id)) => {
                self.ended(&id);
                out.push(ended(&id, inferred(&text), text));
            }
            ("user", None) => {
                let speaker = if std::mem::replace(&mut self.prompted, true) { Speaker::Injected } else { Speaker::Human };
                out.push(Payload::User { speaker, text });
            }
            _ => out.push(Payload::User { speaker: Speaker::Rules, text }),
        }
    }

    fn assistant(&mut self, turn: &Turn<'_>, text: Cow<'_, str>, out: &mut Emit<'_, '_>) {
        let message = Message {
            role: turn.role.clone(),
            content: Content::Text(turn.thought.filled().map_or(text, |thought| thought.to_owned().into())),
            ..Message::default()
        };
        self.chat.message(&message, b"", out);
        if turn.tool_calls.0.is_empty() {
            if let Some(action) = turn.action.filled().filter(|action| !action.trim().is_empty()) {
                self.run(action, out);
            }
            return;
        }
        for made in turn.tool_calls.0.iter().filter_map(|made| made.0.as_ref()) {
            let call = call(made);
            self.calls.push((call.id.clone().into_owned(), false));
            out.push_in(self.chat.step(), Payload::Call(call));
        }
    }

    /// Tells a command that the model wrote in its text.
    fn run(&mut self, action: &str, out: &mut Emit<'_, '_>) {
        let id = format!("action-{}", self.calls.len() + 1);
        let input = serde_json::json!({"command": action.trim()}).to_string();
        self.calls.push((id.clone(), false));
        out.push_in(self.chat.step(), Payload::Call(Call { id: id.into(), tool: "bash".into(), input: Input::Json(input.into()) }));
    }

    fn ended(&mut self, id: &str) {
        if let Some((_, ended)) = self.calls.iter_mut().find(|(open, ended)| open == id && !ended) {
            *ended = true;
        }
    }

    /// Tells what was run, as far as the conversation does not.
    fn step(&mut self, step: &Step<'_>, out: &mut Emit<'_, '_>) {
        let at = self.next;
        self.next += 1;
        if !self.conversed {
            let text = step.response.filled().or(step.thought.filled()).unwrap_or_default();
            if !text.is_empty() {
                out.push_in(u32::try_from(at).unwrap_or(u32::MAX), Payload::Assistant { text: text.into() });
            }
            if step.action.as_str().trim().is_empty() {
                return;
            }
            self.run(step.action.as_str(), out);
        }
        let open = if self.conversed { at } else { self.calls.len().saturating_sub(1) };
        if let Some((id, false)) = self.calls.get(open).cloned() {
            self.ended(&id);
            out.push(ended(&id, inferred(step.observation.as_str()), step.observation.as_str().into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn the_last_result_stands_in_the_other_list() {
        let lines = [
            r#"{"history":{"role":"system","content":"You fix.","agent":"primary"}}"#,
            r#"{"history":{"role":"user","content":"fix it","agent":"primary"}}"#,
            r#"{"history":{"role":"assistant","content":"I look.\n```\nls\n```","thought":"I look.","action":"ls\n","agent":"primary"}}"#,
            r#"{"history":{"role":"user","content":"a.py","agent":"primary"}}"#,
            r#"{"history":{"role":"assistant","content":"x","thought":"Done.","action":"submit","agent":"primary"}}"#,
            r#"{"trajectory":{"action":"ls\n","observation":"a.py","thought":"I look."}}"#,
            r#"{"trajectory":{"action":"submit","observation":"diff","thought":"Done."}}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Rules: You fix.",
                "Human: fix it",
                "Assistant: I look.",
                "Call action-1 bash {\"command\":\"ls\"}",
                "Resolution action-1 Success: a.py",
                "Assistant: Done.",
                "Call action-2 bash {\"command\":\"submit\"}",
                "Resolution action-2 Success: diff",
            ]
        );
    }
}
