//! What observability platforms keep of an agent's run: runs of LangSmith, observations of Langfuse, spans of OpenTelemetry (GenAI,
//! OpenInference) in the containers of OTLP, Tempo, Jaeger and Phoenix.
//!
//! A tool is one record with its call and its result. The same request to a model may stand in several nested spans, each with the whole
//! conversation before it: a text is told once. Content is opt-in everywhere: a span without any is no lost result.

mod read;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::base::hash::Hash64;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::ended;
use crate::formats::emit::Emit;
use crate::formats::json::each_record;
use crate::transcript::{Agent, Call, Container, Document, Fact, Input, LaneKey, Mark, Payload, Record, Sink, Speaker};
use read::{Kind, Seen};

const LANGSMITH: Agent = Agent("langsmith");
const LANGFUSE: Agent = Agent("langfuse");
const OTEL: Agent = Agent("otel");

/// LangSmith's row in the registry.
pub static LANGSMITH_FORMAT: Format = Format {
    agent: LANGSMITH,
    aliases: &["langsmith-runs"],
    title: "LangSmith",
    containers: &[Container::Lines, Container::Document(Document { header: &[], lists: &["runs", "data", "post"] })],
    recognises: |record| any(record, &["runs", "data", "post"], is_run),
    open: |opening| Box::new(Spans::new(opening.lane.clone(), read::run)),
    whereabouts: &[],
};

/// Langfuse's.
pub static LANGFUSE_FORMAT: Format = Format {
    agent: LANGFUSE,
    aliases: &["langfuse-trace"],
    title: "Langfuse",
    containers: &[
        Container::Lines,
        Container::Document(Document { header: &["sessionId"], lists: &["observations", "traces.observations", "data"] }),
    ],
    recognises: |record| any(record, &["observations", "traces", "data"], is_observation),
    open: |opening| Box::new(Spans::new(opening.lane.clone(), read::observation)),
    whereabouts: &[],
};

/// OpenTelemetry's.
pub static OTEL_FORMAT: Format = Format {
    agent: OTEL,
    aliases: &["otlp", "opentelemetry", "openinference", "jaeger", "phoenix"],
    title: "OpenTelemetry",
    containers: &[
        Container::Lines,
        Container::Document(Document {
            header: &[],
            lists: &[
                "resourceSpans.scopeSpans.spans",
                "resourceSpans.instrumentationLibrarySpans.spans",
                "batches.scopeSpans.spans",
                "batches.instrumentationLibrarySpans.spans",
                "trace.resourceSpans.scopeSpans.spans",
                "traceData.resourceSpans.scopeSpans.spans",
                "data.spans",
                "spans",
            ],
        }),
    ],
    recognises: is_otel,
    open: |opening| Box::new(Spans::new(opening.lane.clone(), read::span)),
    whereabouts: &[],
};

fn any(record: &Map<String, Value>, lists: &[&str], own: fn(&Map<String, Value>) -> bool) -> Recognised {
    let mut elements = lists.iter().filter_map(|key| record.get(*key)?.as_array()?.first()?.as_object());
    if own(record) || elements.any(own) { Recognised::Yes } else { Recognised::No }
}

fn is_run(record: &Map<String, Value>) -> bool {
    record.get("run_type").is_some_and(Value::is_string) && (record.contains_key("inputs") || record.contains_key("trace_id"))
}

fn is_observation(record: &Map<String, Value>) -> bool {
    const TYPES: [&str; 10] =
        ["SPAN", "GENERATION", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"];
    let typed = record.get("type").and_then(Value::as_str).is_some_and(|kind| TYPES.contains(&kind));
    typed && ["startTime", "start_time"].iter().any(|key| record.contains_key(*key))
}

fn is_otel(record: &Map<String, Value>) -> Recognised {
    const CONTAINERS: [&str; 3] = ["resourceSpans", "batches", "resourceLogs"];
    let inner = ["trace", "traceData"].iter().filter_map(|key| record.get(*key)?.as_object());
    let holds = |record: &Map<String, Value>| CONTAINERS.iter().any(|key| record.get(*key).is_some_and(Value::is_array));
    let spans = ["spans", "data"].iter().filter_map(|key| record.get(*key)?.as_array()?.first()?.as_object());
    let named = record
        .keys()
        .any(|key| key.starts_with("gen_ai.") || key.starts_with("llm.input_messages") || key == "openinference.span.kind");
    let yes = holds(record) || inner.into_iter().any(holds) || read::is_span(record) || named;
    let yes = yes || spans.into_iter().any(|first| read::is_span(first) || first.contains_key("traceID"));
    if yes { Recognised::Yes } else { Recognised::No }
}

/// Reads all that a record holds of one platform.
type ReadAll = fn(&Value, &mut dyn FnMut(Seen));

struct Spans {
    lane: LaneKey<'static>,
    read: ReadAll,
    step: u32,
    /// The texts so far.
    told: BTreeSet<u64>,
}

impl Spans {
    fn new(lane: LaneKey<'static>, read: ReadAll) -> Self {
        Self { lane, read, step: 0, told: BTreeSet::new() }
    }
}

impl Adapter for Spans {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let value: Value = serde_json::from_slice(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            let read = self.read;
            read(&value, &mut |seen| self.tell(&seen, &mut out));
            if out.is_empty() {
                out.bookkeeping("span");
            }
            Ok(())
        });
    }
}

impl Spans {
    fn tell(&mut self, seen: &Seen, out: &mut Emit<'_, '_>) {
        out.at = seen.at;
        if let Some(session) = &seen.session {
            out.fact(Fact::Session(session.into()));
        }
        match &seen.kind {
            Kind::Other => {}
            Kind::Tool { id, name, input, end } => {
                self.step += 1;
                let call = Call { id: id.into(), tool: name.into(), input: Input::Json(input.into()) };
                out.push_in(self.step, Payload::Call(call));
                if let Some((outcome, text)) = end {
                    out.push(ended(id, outcome.clone(), text.into()));
                }
            }
            Kind::Model { model, rules, prompts, answers, usage } => {
                if let Some(model) = model {
                    out.fact(Fact::Model(out.lane.clone(), model.into()));
                }
                for text in rules.iter().filter(|text| self.told.insert(Hash64::of(text.as_bytes()).0)) {
                    out.push(Payload::User { speaker: Speaker::Rules, text: text.into() });
                }
                for text in prompts.iter().filter(|text| self.told.insert(Hash64::of(text.as_bytes()).0)) {
                    out.push(Payload::User { speaker: Speaker::Human, text: text.into() });
                }
                self.step += 1;
                for text in answers.iter().filter(|text| self.told.insert(Hash64::of(text.as_bytes()).0)) {
                    out.push_in(self.step, Payload::Assistant { text: text.into() });
                }
                if usage.is_some() {
                    out.usage = *usage;
                    out.push_in(self.step, Payload::Mark(Mark::Counted));
                }
                out.usage = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_tool_is_its_call_and_its_result_whoever_kept_it() {
        let otel = r#"{"resourceSpans":{"scopeSpans":{"spans":{"spanId":"1","traceId":"t","name":"execute_tool run","endTimeUnixNano":"1","status":{"code":2},"attributes":[{"key":"gen_ai.tool.name","value":{"stringValue":"run"}},{"key":"gen_ai.tool.call.id","value":{"stringValue":"c"}},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"a\":1}"}}]}}}}"#;
        assert_eq!(told(&OTEL_FORMAT, &[otel]), ["Call c run {\"a\":1}", "Resolution c Failed { exit: None }: "]);
        let langfuse = r#"{"observations":{"id":"o","type":"TOOL","name":"run","startTime":"2026-05-05T09:00:00Z","endTime":null,"input":"{\"a\":1}"}}"#;
        assert_eq!(told(&LANGFUSE_FORMAT, &[langfuse]), ["Call o run {\"a\":1}"], "it has no end");
        let langsmith = r#"{"id":"r","run_type":"tool","name":"run","inputs":{"a":1},"outputs":{"output":"fine"},"end_time":"2026-05-05T09:00:01Z"}"#;
        assert_eq!(told(&LANGSMITH_FORMAT, &[langsmith]), ["Call r run {\"a\":1}", "Resolution r Success: fine"]);
    }

    #[test]
    fn what_a_tool_returned_is_nobodys_prompt() {
        let run = r#"{"id":"r","run_type":"llm","inputs":{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"do not"},{"type":"text","text":"go on"}]}]}}"#;
        assert_eq!(told(&LANGSMITH_FORMAT, &[run]), ["Human: go on"]);
    }

    #[test]
    fn a_conversation_that_every_span_repeats_is_told_once() {
        let span = |input: &str, output: &str| {
            format!(
                r#"{{"id":"g","type":"GENERATION","startTime":"2026-05-05T09:00:00Z","model":"m","input":[{input}],"output":{{"role":"assistant","content":"{output}"}},"usageDetails":{{"input":9,"output":1}}}}"#
            )
        };
        let (user, more) = (r#"{"role":"user","content":"do it"}"#, r#"{"role":"user","content":"and that"}"#);
        let lines = [span(user, "done"), span(&[user, r#"{"role":"assistant","content":"done"}"#, more].join(","), "done too")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            told(&LANGFUSE_FORMAT, &lines),
            ["Human: do it", "Assistant: done", "Counted", "Human: and that", "Assistant: done too", "Counted"]
        );
    }
}
