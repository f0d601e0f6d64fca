//! ATIF, the Agent Trajectory Interchange Format of Harbor (RFC 0001, versions 1.0 to 1.8): a document, written anew after each step.
//!
//! A step holds its calls and their results; ids are unique within a step at most. A result without the id of a call is of all of its
//! step's.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Part, arguments_of, ended, result_text, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Flag, List, Maybe, Number, Text, each_record};
use crate::formats::outcome::{failure, inferred};
use crate::transcript::{
    self, Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, LaneKey, Mark, Outcome, Payload, Record, Sink, Speaker,
};

const ATIF: Agent = Agent("atif");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: ATIF,
    aliases: &["harbor", "terminal-bench"],
    title: "ATIF",
    containers: &[Container::Document(Document {
        header: &[
            "schema_version",
            "session_id",
            "trajectory_id",
            "agent",
            "subagent_trajectories.session_id",
            "subagent_trajectories.trajectory_id",
        ],
        lists: &["subagent_trajectories.steps", "steps"],
    })],
    recognises,
    open: |opening| Box::new(Atif { lane: opening.lane.clone(), sub: None }),
    whereabouts: &[],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let version = record.get("schema_version").and_then(Value::as_str).is_some_and(|version| version.starts_with("ATIF-v"));
    if version && record.get("steps").is_some_and(Value::is_array) { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    session_id: Text<'a>,
    trajectory_id: Text<'a>,
    agent: Maybe<Runtime<'a>>,
    steps: Content<'a, Step<'a>>,
    subagent_trajectories: Content<'a, Sub<'a>>,
}

/// A trajectory within another one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sub<'a> {
    #[serde(borrow)]
    session_id: Text<'a>,
    trajectory_id: Text<'a>,
    steps: Content<'a, Step<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Sub<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Runtime<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    version: Text<'a>,
    model_name: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Step<'a> {
    #[serde(borrow)]
    step_id: Option<&'a RawValue>,
    timestamp: Text<'a>,
    source: Text<'a>,
    model_name: Text<'a>,
    message: Content<'a, Part<'a>>,
    reasoning_content: Text<'a>,
    tool_calls: List<Maybe<Made<'a>>>,
    observation: Maybe<Observation<'a>>,
    metrics: Maybe<Metrics>,
    is_copied_context: Flag,
    extra: Maybe<Extra<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Step<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { message: Content::Text(text), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Made<'a> {
    #[serde(borrow)]
    tool_call_id: Text<'a>,
    function_name: Text<'a>,
    arguments: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Observation<'a> {
    #[serde(borrow)]
    results: List<Maybe<Returned<'a>>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Returned<'a> {
    #[serde(borrow)]
    source_call_id: Text<'a>,
    content: Content<'a, Part<'a>>,
    subagent_trajectory_ref: Option<&'a RawValue>,
    extra: Maybe<Extra<'a>>,
}

/// The schema has no field for errors: what the writers of trajectories put beside it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Extra<'a> {
    is_error: Flag,
    #[serde(rename = "isError")]
    is_error_too: Flag,
    tool_result_is_error: Flag,
    #[serde(borrow)]
    status: Text<'a>,
    tool_result_metadata: Maybe<Metadata>,
    context_management: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    is_error: Flag,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metrics {
    prompt_tokens: Number,
    completion_tokens: Number,
}

struct Atif {
    lane: LaneKey<'static>,
    /// The trajectory within the trajectory whose steps are being told.
    sub: Option<String>,
}

impl Adapter for Atif {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.agent.0.is_some() {
                header(&line, &mut out);
            }
            if let Content::Parts(subs) = &line.subagent_trajectories {
                for sub in subs {
                    if let Some(id) = sub.trajectory_id.filled().or(sub.session_id.filled()) {
                        self.sub = Some(id.to_owned());
                        let lane = LaneKey::Sub(id.to_owned().into());
                        out.fact(Fact::Lane { lane, parent: self.lane.clone() });
                    }
                    out.lane = self.sub.clone().map_or_else(|| self.lane.clone(), |id| LaneKey::Sub(id.into()));
                    steps(&sub.steps, record.bytes, &mut out);
                }
            }
            out.lane = self.lane.clone();
            steps(&line.steps, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping("trajectory");
            }
            Ok(())
        });
    }
}

fn header(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    let Some(agent) = &line.agent.0 else { return };
    out.facts([
        line.session_id.filled().or(line.trajectory_id.filled()).map(|id| Fact::Session(id.into())),
        agent.version.filled().map(|version| Fact::Version(version.into())),
        agent.model_name.filled().map(|model| Fact::Model(out.lane.clone(), model.into())),
        agent.name.filled().map(|name| Fact::Title(name.into())),
    ]);
}

fn steps(steps: &Content<'_, Step<'_>>, bytes: &[u8], out: &mut Emit<'_, '_>) {
    if let Content::Parts(steps) = steps {
        steps.iter().for_each(|told| step(told, bytes, out));
    }
}

fn step(step: &Step<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
    out.at = Stamp::parse(step.timestamp.as_str());
    out.usage = step.metrics.0.as_ref().filter(|_| !step.is_copied_context.0).and_then(|metrics| {
        let (input, output) = (metrics.prompt_tokens.or_zero(), metrics.completion_tokens.or_zero());
        (input + output > 0).then_some(transcript::Usage { input, output, window: None })
    });
    if let Some(model) = step.model_name.filled() {
        out.fact(Fact::Model(out.lane.clone(), model.into()));
    }
    let number: u32 = step.step_id.and_then(|id| id.get().trim_matches('"').parse().ok()).unwrap_or_else(|| out.line());
    let message = result_text(&step.message);
    match step.source.as_str() {
        "user" => out.push(Payload::User { speaker: Speaker::Human, text: message }),
        "system" => system(step, message, out),
        "agent" => agent(step, number, message, out),
        source => unknown("step/", source, bytes, out),
    }
}

/// Tells a step of the runtime: its prompt, a notice, or what it did to the context.
fn system(step: &Step<'_>, message: Cow<'_, str>, out: &mut Emit<'_, '_>) {
    let results = || step.observation.0.iter().flat_map(|seen| &seen.results.0).filter_map(|result| result.0.as_ref());
    let managed = step.extra.0.as_ref().is_some_and(|extra| extra.context_management.is_some());
    let handed = results().any(|result| result.subagent_trajectory_ref.is_some_and(|raw| raw.get() != "null"));
    if !managed && !handed {
        let speaker = if out.line() <= 3 { Speaker::Rules } else { Speaker::Injected };
        return out.push(Payload::User { speaker, text: message });
    }
    let texts: Vec<Cow<'_, str>> = results().map(|result| result_text(&result.content)).filter(|text| !text.is_empty()).collect();
    let text = if texts.is_empty() { message } else { texts.join("\n").into() };
    out.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
    out.push(Payload::Summary { text, opaque: false });
}

fn agent(step: &Step<'_>, number: u32, message: Cow<'_, str>, out: &mut Emit<'_, '_>) {
    if let Some(text) = step.reasoning_content.filled() {
        out.push_in(number, Payload::Reasoning { text: text.into() });
    }
    if !message.is_empty() {
        out.push_in(number, Payload::Assistant { text: message });
    }
    let id = |id: &str| format!("{number}/{id}");
    let mut open = Vec::new();
    for made in step.tool_calls.0.iter().filter_map(|made| made.0.as_ref()) {
        let (own, tool) = (id(made.tool_call_id.as_str()), made.function_name.as_str());
        out.push_in(number, Payload::Call(Call { id: own.clone().into(), tool: tool.into(), input: arguments_of(made.arguments) }));
        open.push((own, tool));
    }
    let results = step.observation.0.iter().flat_map(|seen| &seen.results.0).filter_map(|result| result.0.as_ref());
    let (own, joint): (Vec<_>, Vec<_>) = results.partition(|result| result.source_call_id.filled().is_some());
    for result in own {
        let of = id(result.source_call_id.as_str());
        let text = result_text(&result.content);
        out.push(ended(&of, outcome(result, step, &text), text));
        if let Some(at) = open.iter().position(|(open, _)| *open == of) {
            open.remove(at);
        }
    }
    for result in joint {
        let text = result_text(&result.content);
        if step.tool_calls.0.is_empty() {
            out.push(Payload::User { speaker: Speaker::Injected, text });
            continue;
        }
        for (of, _) in std::mem::take(&mut open) {
            out.push(ended(&of, outcome(result, step, &text), text.clone()));
        }
    }
    // What says that the work is done returns nothing.
    for (of, _) in open.iter().filter(|(_, tool)| ends_work(tool)) {
        out.push(ended(of, Outcome::Success, "".into()));
        out.push(Payload::Mark(Mark::TurnEnded));
    }
    if out.is_empty() && out.usage.is_some() {
        out.push_in(number, Payload::Mark(Mark::Counted));
    }
}

fn ends_work(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    ["finish", "submit", "complete", "done"].iter().any(|word| tool.contains(word))
}

fn outcome(result: &Returned<'_>, step: &Step<'_>, text: &str) -> Outcome<'static> {
    let failed = |extra: &Extra<'_>| {
        extra.is_error.0
            || extra.is_error_too.0
            || extra.tool_result_is_error.0
            || extra.status.as_str() == "error"
            || extra.tool_result_metadata.0.as_ref().is_some_and(|metadata| metadata.is_error.0)
    };
    let told = result.extra.0.as_ref().is_some_and(failed) || step.extra.0.as_ref().is_some_and(failed);
    if told || text.ends_with("[error] tool reported failure") { failure(text) } else { inferred(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_result_without_an_id_is_of_all_calls_of_its_step() {
        let lines = [
            r#"{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"a","version":"1"}}"#,
            r#"{"steps":{"step_id":1,"source":"user","message":"do it"}}"#,
            r#"{"steps":{"step_id":2,"source":"agent","message":"on it","tool_calls":[{"tool_call_id":"a","function_name":"keys","arguments":{"k":"ls"}},{"tool_call_id":"b","function_name":"keys","arguments":{}}],"observation":{"results":[{"content":"out"}]}}}"#,
            r#"{"steps":{"step_id":3,"source":"agent","message":"","tool_calls":[{"tool_call_id":"a","function_name":"keys","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"no","extra":{"is_error":true}}]}}}"#,
            r#"{"steps":{"step_id":4,"source":"system","message":"Compacted","extra":{"context_management":{"type":"compaction"}},"observation":{"results":[{"content":"so far"}]}}}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: do it",
                "Assistant: on it",
                "Call 2/a keys {\"k\":\"ls\"}",
                "Call 2/b keys {}",
                "Resolution 2/a Success: out",
                "Resolution 2/b Success: out",
                "Call 3/a keys {}",
                "Resolution 3/a Failed { exit: None }: no",
                "Boundary Summary Unknown (None, None) Nothing masked []",
                "Summary: so far",
            ]
        );
    }
}
