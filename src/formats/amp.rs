//! Amp: a thread, `~/.local/share/amp/threads/T-*.json`, or what `amp threads export` prints. Its program is closed; fields by what
//! threads hold.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{ended, unknown};
use crate::formats::editors::{in_editors, on_hosts};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, List, Maybe, Number, ODD, Text, each_record, text_under};
use crate::formats::outcome::exited;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, Input, LaneKey, Mark, Outcome, Payload, Record, Sink, Speaker,
    Usage, Whereabouts,
};

const AMP: Agent = Agent("amp");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AMP,
    aliases: &["sourcegraph-amp"],
    title: "Amp",
    containers: &[Container::Document(Document { header: &["id", "title", "env"], lists: &["messages"] })],
    recognises,
    open: |opening| Box::new(Amp { lane: opening.lane.clone() }),
    whereabouts: &[
        Whereabouts { variable: "XDG_DATA_HOME", home: ".local/share", folders: &["amp/threads"], ..THREADS },
        Whereabouts { variable: "XDG_CONFIG_HOME", home: ".config", folders: in_editors!("sourcegraph.amp/threads3"), ..THREADS },
        Whereabouts { home: "Library/Application Support", folders: in_editors!("sourcegraph.amp/threads3"), ..THREADS },
        Whereabouts { home: "", folders: on_hosts!("sourcegraph.amp/threads3"), ..THREADS },
    ],
};

const THREADS: Whereabouts = Whereabouts { depth: 0, prefix: "T-", suffix: ".json", ..Whereabouts::new(AMP) };

fn recognises(record: &Map<String, Value>) -> Recognised {
    let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
    let messages = record.get("messages").is_some_and(Value::is_array);
    let thread = id.starts_with("T-") || id.starts_with("thread-") && record.contains_key("title");
    if messages && thread { Recognised::Yes } else { Recognised::No }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    title: Text<'a>,
    env: Maybe<Env<'a>>,
    messages: Content<'a, Message<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Env<'a> {
    #[serde(borrow)]
    initial: Maybe<Initial<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Initial<'a> {
    #[serde(borrow)]
    trees: List<Maybe<Tree<'a>>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Tree<'a> {
    #[serde(borrow)]
    uri: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    message_id: Option<&'a RawValue>,
    content: Content<'a, Block<'a>>,
    /// Instead of a content, in old threads.
    text: Text<'a>,
    created_at: Number,
    meta: Maybe<Meta>,
    state: Maybe<State<'a>>,
    usage: Maybe<Charged<'a>>,
    parent_tool_use_id: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Message<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meta {
    sent_at: Number,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct State<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    stop_reason: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Charged<'a> {
    #[serde(borrow)]
    model: Text<'a>,
    input_tokens: Number,
    output_tokens: Number,
    cache_read_input_tokens: Number,
    cache_creation_input_tokens: Number,
    timestamp: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
    thinking: Text<'a>,
    id: Text<'a>,
    name: Text<'a>,
    input: Option<&'a RawValue>,
    #[serde(rename = "toolUseID")]
    tool_use_id: Text<'a>,
    run: Maybe<Run<'a>>,
    summary: Maybe<Summary<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Block<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Run<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    progress: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Summary<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    summary: Text<'a>,
    thread: Text<'a>,
}

struct Amp {
    lane: LaneKey<'static>,
}

impl Adapter for Amp {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            if line.id.filled().is_some() {
                header(&line, &mut out);
            }
            if let Content::Parts(messages) = &line.messages {
                for told in messages {
                    out.lane =
                        told.parent_tool_use_id.filled().map_or_else(|| self.lane.clone(), |id| LaneKey::Sub(id.to_owned().into()));
                    message(told, record.bytes, &mut out);
                }
            }
            if out.is_empty() {
                out.bookkeeping("thread");
            }
            Ok(())
        });
    }
}

fn header(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    let trees = line.env.0.as_ref().and_then(|env| env.initial.0.as_ref()).map(|initial| &initial.trees.0);
    let uri = trees.and_then(|trees| trees.first()?.0.as_ref()).and_then(|tree| tree.uri.filled());
    out.facts([
        line.id.filled().map(|id| Fact::Session(id.into())),
        line.title.filled().map(|title| Fact::Title(title.into())),
        uri.map(|uri| Fact::Directory(uri.strip_prefix("file://").unwrap_or(uri).into())),
    ]);
}

fn message(told: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
    let usage = told.usage.0.as_ref();
    let sent = told.meta.0.as_ref().and_then(|meta| meta.sent_at.0).or(told.created_at.0).and_then(|at| i64::try_from(at).ok());
    out.at = sent.map(Stamp).or_else(|| Stamp::parse(usage?.timestamp.as_str()));
    out.usage = usage.and_then(Charged::counted);
    if let Some(model) = usage.and_then(|usage| usage.model.filled()) {
        out.fact(Fact::Model(out.lane.clone(), model.into()));
    }
    let number = told.message_id.map_or("", RawValue::get).trim_matches('"').to_owned();
    let step = number.parse().unwrap_or_else(|_| out.line());
    let is_assistant = told.role.as_str() == "assistant";
    let push =
        |payload: Payload<'_>, out: &mut Emit<'_, '_>| if is_assistant { out.push_in(step, payload) } else { out.push(payload) };
    let speech = |text: &str| {
        let speaker = match (told.role.as_str(), &told.parent_tool_use_id.filled()) {
            ("user", None) => Speaker::Human,
            ("user", Some(_)) => Speaker::Parent,
            _ => Speaker::Injected,
        };
        let text = Cow::Owned(text.to_owned());
        if is_assistant { Payload::Assistant { text } } else { Payload::User { speaker, text } }
    };
    if !matches!(told.role.as_str(), "user" | "assistant" | "info") {
        return unknown("message/", told.role.as_str(), bytes, out);
    }
    let blocks = match &told.content {
        Content::Absent => &[][..],
        Content::Text(text) => {
            push(speech(text), out);
            &[][..]
        }
        Content::Parts(blocks) => blocks.as_slice(),
    };
    if let Some(text) = told.text.filled() {
        push(speech(text), out);
    }
    for block in blocks {
        match block.kind.as_str() {
            "text" | ODD => push(speech(block.text.as_str()), out),
            "thinking" | "redacted_thinking" => push(Payload::Reasoning { text: block.thinking.as_str().into() }, out),
            "tool_use" => {
                let input = Input::Json(block.input.map_or("null", RawValue::get).into());
                push(Payload::Call(Call { id: block.id.as_str().into(), tool: block.name.as_str().into(), input }), out);
            }
            "tool_result" => result(block, out),
            "summary" => summary(block, out),
            "image" => push(Payload::User { speaker: Speaker::Injected, text: "[image]".into() }, out),
            kind => push(Payload::Unrecognised { name: format!("block/{kind}").into(), text: block.text.as_str().into() }, out),
        }
    }
    closed(told, out);
}

/// Tells how a message ended.
fn closed(told: &Message<'_>, out: &mut Emit<'_, '_>) {
    let Some(state) = &told.state.0 else { return };
    match (state.kind.as_str(), state.stop_reason.as_str()) {
        ("complete", "end_turn") => out.push(Payload::Mark(Mark::TurnEnded)),
        ("cancelled", _) => out.push(Payload::Mark(Mark::Interrupted)),
        ("error", _) => out.push(Payload::Mark(Mark::RequestFailed)),
        _ => {}
    }
}

/// Tells the end of a call; nothing while it runs or waits for the human.
fn result(block: &Block<'_>, out: &mut Emit<'_, '_>) {
    let Some(run) = &block.run.0 else { return };
    let raw = run.error.or(run.result).or(run.progress).map_or("", RawValue::get);
    let text = match serde_json::from_str::<Text<'_>>(raw) {
        Ok(Text(Some(text))) => text.into_owned(),
        _ => Some(text_under(raw.as_bytes(), &["output", "content", "message", "text"]))
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| raw.to_owned()),
    };
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Exit {
        exit_code: Option<i32>,
    }
    let exit = serde_json::from_str::<Exit>(raw).unwrap_or_default().exit_code;
    let outcome = match run.status.as_str() {
        "done" => exit.map_or(Outcome::Success, exited),
        "error" => Outcome::Failed { exit },
        "cancelled" => Outcome::Interrupted,
        "rejected-by-user" => Outcome::Declined,
        _ => return,
    };
    out.push(ended(block.tool_use_id.as_str(), outcome, text.as_str().into()));
}

fn summary(block: &Block<'_>, out: &mut Emit<'_, '_>) {
    let Some(summary) = &block.summary.0 else { return };
    out.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
    let (text, opaque) = match summary.kind.as_str() {
        // It stands in another thread.
        "thread" => (format!("[thread {}]", summary.thread.as_str()), true),
        _ => (summary.summary.as_str().to_owned(), false),
    };
    out.push(Payload::Summary { text: if opaque { "".into() } else { text.as_str().into() }, opaque });
}

impl Charged<'_> {
    fn counted(&self) -> Option<Usage> {
        let input = [self.input_tokens, self.cache_read_input_tokens, self.cache_creation_input_tokens];
        let input = input.iter().map(|count| count.or_zero()).sum::<u64>();
        let output = self.output_tokens.or_zero();
        (input + output > 0).then_some(Usage { input, output, window: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn every_status_is_an_end_or_none() {
        let run = |status: &str| {
            format!(r#"{{"messages":{{"role":"user","content":[{{"type":"tool_result","toolUseID":"t","run":{status}}}]}}}}"#)
        };
        for (status, outcome) in [
            (r#"{"status":"done","result":{"output":"ok","exitCode":0}}"#, Some("Success: ok")),
            (r#"{"status":"done","result":{"output":"no","exitCode":2}}"#, Some("Failed { exit: Some(2) }: no")),
            (r#"{"status":"error","error":{"message":"gone"}}"#, Some("Failed { exit: None }: gone")),
            (r#"{"status":"cancelled"}"#, Some("Interrupted: ")),
            (r#"{"status":"rejected-by-user"}"#, Some("Declined: ")),
            (r#"{"status":"in-progress"}"#, None),
            (r#"{"status":"blocked-on-user"}"#, None),
        ] {
            let outcome = outcome.map(|outcome| format!("Resolution t {outcome}"));
            assert_eq!(told(&FORMAT, &[&run(status)]), outcome.into_iter().collect::<Vec<_>>(), "{status}");
        }
    }
}
