//! Events of version 0 (openhands/events/**): actions, and observations that name the action that is their cause.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{condensation, stamp};
use crate::formats::chat::{ended, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{List, Maybe, Number, Text};
use crate::formats::outcome::{exited, failure, inferred};
use crate::transcript::{Call, Input, Mark, Outcome, Payload, Speaker, Usage};

/// Actions that something comes of.
const RUN: &[&str] = &[
    "run",
    "run_ipython",
    "read",
    "write",
    "edit",
    "browse",
    "browse_interactive",
    "call_tool_mcp",
    "delegate",
    "recall",
    "think",
    "task_tracking",
];

/// Observations that nobody asked for.
const UNASKED: &[&str] = &["agent_state_changed", "null", "condense", "loop_detection"];

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Event<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    cause: Option<&'a RawValue>,
    timestamp: Text<'a>,
    source: Text<'a>,
    action: Text<'a>,
    args: Option<&'a RawValue>,
    observation: Text<'a>,
    content: Text<'a>,
    extras: Maybe<Extras>,
    /// Where the oldest histories have it.
    exit_code: Option<i32>,
    success: Option<bool>,
    llm_metrics: Maybe<Metrics>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Extras {
    metadata: Maybe<Metadata>,
    exit_code: Option<i32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Option<i32>,
}

/// What the whole run was charged so far.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metrics {
    accumulated_token_usage: Maybe<Tokens>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    prompt_tokens: Number,
    completion_tokens: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Args<'a> {
    #[serde(borrow)]
    content: Text<'a>,
    thought: Text<'a>,
    final_thought: Text<'a>,
    summary: Text<'a>,
    forgotten_event_ids: List<Number>,
    forgotten_events_start_id: Number,
    forgotten_events_end_id: Number,
}

/// The session so far.
#[derive(Default)]
pub(super) struct Old {
    /// The events that the model sees still, by id.
    seen: Vec<String>,
    step: u32,
    /// The newest action that nothing came of yet, for observations without a cause.
    newest: String,
    counted: (u64, u64),
}

impl Old {
    pub(super) fn event(&mut self, event: &Event<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let name = |raw: Option<&RawValue>| raw.map(|raw| raw.get().trim_matches('"').to_owned()).filter(|id| id != "null");
        let id = name(event.id);
        out.at = stamp(event.timestamp.as_str());
        self.seen.extend(id.clone());
        out.usage = self.charged(event);
        // The oldest histories have no `args`: what they hold stands in the event itself.
        let raw = event.args.map_or_else(|| std::str::from_utf8(bytes).unwrap_or_default(), RawValue::get);
        let args: Args<'_> = serde_json::from_str(raw).unwrap_or_default();
        match (event.action.as_str(), event.observation.as_str()) {
            ("", "") => unknown("event/", "", bytes, out),
            ("", observation) if UNASKED.contains(&observation) => out.bookkeeping(observation),
            // What the model wrote could not be read as a call: there is none that this is the result of.
            ("", "error") if name(event.cause).is_none() && self.newest.is_empty() => {
                out.push(Payload::User { speaker: Speaker::Injected, text: event.content.as_str().into() });
            }
            ("", observation) => {
                let of = name(event.cause).unwrap_or_else(|| self.newest.clone());
                if of == self.newest {
                    self.newest.clear();
                }
                out.push(ended(&of, outcome(event, observation), event.content.as_str().into()));
            }
            ("message", _) => self.message(event, &args, out),
            ("system", _) => out.push(Payload::User { speaker: Speaker::Rules, text: args.content.as_str().into() }),
            ("finish" | "reject", _) => {
                self.step += 1;
                let text = args.final_thought.filled().or(args.thought.filled()).unwrap_or_default();
                out.push_in(self.step, Payload::Assistant { text: text.into() });
                out.push(Payload::Mark(Mark::TurnEnded));
            }
            ("condensation", _) => self.condensed(&args, out),
            (action, _) if RUN.contains(&action) => {
                self.newest = id.unwrap_or_else(|| format!("line-{}", out.line()));
                self.call(raw, action, &args, out);
            }
            (kind @ ("change_agent_state" | "null" | "condensation_request" | "start" | "pause" | "resume"), _) => {
                out.bookkeeping(kind);
            }
            (action, _) => unknown("action/", action, bytes, out),
        }
    }

    fn call(&mut self, raw: &str, action: &str, args: &Args<'_>, out: &mut Emit<'_, '_>) {
        self.step += 1;
        if let Some(thought) = args.thought.filled() {
            out.push_in(self.step, Payload::Assistant { text: thought.into() });
        }
        let input = Input::Json(raw.into());
        let id = self.newest.clone();
        out.push_in(self.step, Payload::Call(Call { id: id.into(), tool: action.to_owned().into(), input }));
    }

    fn message(&mut self, event: &Event<'_>, args: &Args<'_>, out: &mut Emit<'_, '_>) {
        let text = args.content.as_str().into();
        if event.source.as_str() == "user" || event.source.as_str().is_empty() && self.step == 0 {
            return out.push(Payload::User { speaker: Speaker::Human, text });
        }
        self.step += 1;
        out.push_in(self.step, Payload::Assistant { text });
        out.push(Payload::Mark(Mark::TurnEnded));
    }

    fn condensed(&mut self, args: &Args<'_>, out: &mut Emit<'_, '_>) {
        let named: Vec<u64> = args.forgotten_event_ids.0.iter().filter_map(|id| id.0).collect();
        let range = args.forgotten_events_start_id.0.zip(args.forgotten_events_end_id.0);
        let is_forgotten = |id: &String| {
            id.parse().is_ok_and(|id: u64| named.contains(&id) || range.is_some_and(|(start, end)| (start..=end).contains(&id)))
        };
        // The condensation itself is none of what is kept.
        self.seen.pop();
        self.seen.retain(|id| !is_forgotten(id));
        out.push(Payload::Boundary(condensation(&self.seen, args.summary.filled().is_some())));
        if let Some(summary) = args.summary.filled() {
            out.push(Payload::Summary { text: summary.into(), opaque: false });
        }
    }

    /// What came to the charge since the last event that says it.
    fn charged(&mut self, event: &Event<'_>) -> Option<Usage> {
        let sum = event.llm_metrics.0.as_ref()?.accumulated_token_usage.0?;
        let now = (sum.prompt_tokens.or_zero(), sum.completion_tokens.or_zero());
        let before = std::mem::replace(&mut self.counted, now);
        let (input, output) = (now.0.saturating_sub(before.0), now.1.saturating_sub(before.1));
        (input + output > 0).then_some(Usage { input, output, window: None })
    }
}

fn outcome(event: &Event<'_>, observation: &str) -> Outcome<'static> {
    let extras = event.extras.0.as_ref();
    let exit = extras.and_then(|extras| extras.metadata.0.as_ref().and_then(|metadata| metadata.exit_code).or(extras.exit_code));
    let exit = exit.or(event.exit_code);
    match (observation, exit) {
        ("user_rejected", _) => Outcome::Declined,
        ("error", _) => failure(event.content.as_str()),
        // Still running when its soft limit came.
        (_, Some(-1)) => Outcome::TimedOut,
        (_, Some(code)) => exited(code),
        (_, None) if event.success == Some(false) => failure(event.content.as_str()),
        // What was read may begin with any words.
        ("read" | "recall" | "browse", None) => Outcome::Success,
        (_, None) => inferred(event.content.as_str()),
    }
}
