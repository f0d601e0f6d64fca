//! Inspect AI: a log as `.json`, or as `.eval` (a zip of its samples), or one sample of it. Each sample is a lane.
//!
//! A sample holds the conversation (`messages`) and what was run (`events`). A call whose result was never shown to the model has one
//! only in the second: it is told from there.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{Chat, Message, Usage};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Flag, Maybe, Number, Text, each_record};
use crate::transcript::{Agent, Boundary, BoundaryKind, Container, Document, Fact, LaneKey, Mark, Payload, Record, Sink, Trigger};

const INSPECT: Agent = Agent("inspect");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: INSPECT,
    aliases: &["inspect-ai"],
    title: "Inspect",
    containers: &[Container::Document(Document {
        header: &["eval", "header", "id", "epoch", "attachments", "samples.id", "samples.epoch", "samples.attachments"],
        lists: &["samples.messages", "samples.events", "messages", "events"],
    })],
    recognises,
    open: |opening| Box::new(Inspect { lane: opening.lane.clone(), ..Inspect::default() }),
    whereabouts: &[],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let log = |record: &Map<String, Value>| {
        let eval = record.get("eval").and_then(Value::as_object);
        eval.is_some_and(|eval| eval.contains_key("run_id") || eval.contains_key("task"))
    };
    let packed = record.get("header").and_then(Value::as_object).is_some_and(log);
    let first = record.get("events").and_then(Value::as_array).and_then(|events| events.first());
    let sample = first.is_some_and(|event| event.get("event").is_some_and(Value::is_string) && event.get("timestamp").is_some());
    if log(record) || packed || sample { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    eval: Maybe<Eval<'a>>,
    header: Maybe<Head<'a>>,
    id: Option<&'a RawValue>,
    epoch: Number,
    messages: Content<'a, Message<'a>>,
    events: Content<'a, Event<'a>>,
    samples: Content<'a, Sample<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Head<'a> {
    #[serde(borrow)]
    eval: Maybe<Eval<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Eval<'a> {
    #[serde(borrow)]
    run_id: Text<'a>,
    task: Text<'a>,
    model: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Sample<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    epoch: Number,
    messages: Content<'a, Message<'a>>,
    events: Content<'a, Event<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Sample<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Event<'a> {
    #[serde(borrow)]
    event: Text<'a>,
    timestamp: Text<'a>,
    // A tool.
    id: Text<'a>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    pending: Flag,
    // A compaction.
    #[serde(rename = "type")]
    kind: Text<'a>,
    tokens_before: Number,
    tokens_after: Number,
    // A model.
    model: Text<'a>,
    output: Maybe<Output>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    usage: Maybe<Usage>,
}

impl<'de: 'a, 'a> Element<'de> for Event<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

struct Inspect {
    lane: LaneKey<'static>,
    /// The lane of the sample that is being told; none before the first.
    sample: Option<LaneKey<'static>>,
    chat: Chat,
    /// The results that the conversation has.
    shown: BTreeSet<String>,
    requests: u32,
}

impl Default for Inspect {
    fn default() -> Self {
        Self { lane: LaneKey::Main, sample: None, chat: Chat::default(), shown: BTreeSet::new(), requests: 0 }
    }
}

impl Adapter for Inspect {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if let Some(eval) = line.eval.0.as_ref().or(line.header.0.as_ref().and_then(|head| head.eval.0.as_ref())) {
                out.facts([
                    eval.run_id.filled().map(|id| Fact::Session(id.into())),
                    eval.task.filled().map(|task| Fact::Title(task.into())),
                    eval.model.filled().map(|model| Fact::Model(out.lane.clone(), model.into())),
                ]);
            }
            self.sample(line.id, line.epoch, (&line.messages, &line.events), record.bytes, &mut out);
            if let Content::Parts(samples) = &line.samples {
                for sample in samples {
                    self.sample(sample.id, sample.epoch, (&sample.messages, &sample.events), record.bytes, &mut out);
                }
            }
            if out.is_empty() {
                out.bookkeeping("log");
            }
            Ok(())
        });
    }
}

impl Inspect {
    fn sample(
        &mut self,
        id: Option<&RawValue>,
        epoch: Number,
        (messages, events): (&Content<'_, Message<'_>>, &Content<'_, Event<'_>>),
        bytes: &[u8],
        out: &mut Emit<'_, '_>,
    ) {
        if let Some(id) = id {
            let name = format!("{}_epoch_{}", id.get().trim_matches('"'), epoch.0.unwrap_or(1));
            // The first is the main lane, so that a log of one sample is a session.
            self.sample = Some(self.sample.as_ref().map_or_else(|| self.lane.clone(), |_| LaneKey::Sub(name.into())));
            (self.chat, self.shown, self.requests) = (Chat::default(), BTreeSet::new(), 0);
        }
        out.lane = self.sample.clone().unwrap_or_else(|| self.lane.clone());
        if let Content::Parts(messages) = messages {
            for message in messages {
                self.shown.extend(message.tool_call_id.filled().map(str::to_owned));
                self.chat.message(message, bytes, out);
            }
        }
        if let Content::Parts(events) = events {
            events.iter().for_each(|event| self.event(event, out));
        }
    }

    /// Tells what the conversation does not.
    fn event(&mut self, event: &Event<'_>, out: &mut Emit<'_, '_>) {
        out.at = Stamp::parse(event.timestamp.as_str());
        match event.event.as_str() {
            "tool" if event.pending.0 || event.id.filled().is_none() || self.shown.contains(event.id.as_str()) => {}
            "tool" => {
                self.shown.insert(event.id.as_str().to_owned());
                let content = event.result.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
                let error = event.error.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
                let message = Message {
                    role: Text(Some("tool".into())),
                    tool_call_id: event.id.clone(),
                    content,
                    error,
                    ..Message::default()
                };
                self.chat.message(&message, b"", out);
            }
            "model" => {
                self.requests += 1;
                if let Some(model) = event.model.filled() {
                    out.fact(Fact::Model(out.lane.clone(), model.into()));
                }
                out.usage = event.output.0.as_ref().and_then(|output| output.usage.0).and_then(Usage::counted);
                if out.usage.is_some() {
                    out.push_in(self.requests, Payload::Mark(Mark::Counted));
                }
            }
            // It changes what the model is sent, not the conversation that is kept.
            "compaction" => out.push(Payload::Boundary(Boundary {
                trigger: Trigger::Auto,
                tokens_before: event.tokens_before.0,
                tokens_after: event.tokens_after.0,
                ..Boundary::of(if event.kind.as_str() == "summary" { BoundaryKind::Summary } else { BoundaryKind::Masking })
            })),
            "interrupt" => out.push(Payload::Mark(Mark::Interrupted)),
            "sample_limit" => out.push(Payload::Mark(Mark::SessionEnded)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_result_that_was_never_shown_is_told_from_what_was_run() {
        let lines = [
            r#"{"eval":{"run_id":"r","task":"t","model":"m"}}"#,
            r#"{"samples":{"id":7,"epoch":1}}"#,
            r#"{"samples":{"messages":{"role":"user","content":"go"}}}"#,
            r#"{"samples":{"messages":{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"bash","arguments":{"cmd":"ls"}},{"id":"b","function":"bash","arguments":{}}]}}}"#,
            r#"{"samples":{"messages":{"role":"tool","tool_call_id":"a","content":"","error":{"type":"timeout","message":"too long"}}}}"#,
            r#"{"samples":{"events":{"event":"tool","id":"a","result":""}}}"#,
            r#"{"samples":{"events":{"event":"tool","id":"b","result":"made"}}}"#,
            r#"{"samples":{"id":7,"epoch":2}}"#,
            r#"{"samples":{"messages":{"role":"user","content":"again"}}}"#,
        ];
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: go",
                "Call a bash {\"cmd\":\"ls\"}",
                "Call b bash {}",
                "Resolution a TimedOut: too long",
                "Resolution b Success: made",
                "@7_epoch_2 Human: again",
            ]
        );
    }
}
