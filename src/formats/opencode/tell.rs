//! What OpenCode's records say.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::line::{Data, Info, Line, Message, Part, State, Time, Tokens};
use super::outcome;
use crate::base::time::Stamp;
use crate::formats::chat::{ended, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{Content, ODD};
use crate::formats::rows;
use crate::formats::template;
use crate::transcript::{Boundary, BoundaryKind, Call, Fact, Input, Kept, LaneKey, Mark, Payload, Speaker, Trigger, Usage};

/// Parts that carry nothing for the ledger. A `patch` lists what the calls before it wrote; `step-finish` counts what the message does.
const BOOKKEEPING: &[&str] = &["step-start", "step-finish", "snapshot", "patch", "agent", "retry"];

/// The conversations so far, by lane.
#[derive(Default)]
pub(super) struct Teller(BTreeMap<String, Conversation>);

/// As far as a compaction cannot be told without it.
#[derive(Default)]
struct Conversation {
    /// The records so far, each with its message.
    records: Vec<(String, String)>,
    /// What the compaction keeps whose summary is to come: from this message on.
    tail: Option<String>,
    trigger: Option<Trigger>,
    /// The summary that was told last.
    summarised: Option<String>,
}

/// Whose part it is.
#[derive(Clone, Copy)]
struct Of<'a> {
    message: &'a str,
    role: &'a str,
    is_summary: bool,
}

impl Teller {
    pub(super) fn line<'a>(&mut self, line: &'a Line<'_>, bytes: &[u8], out: &mut Emit<'a, '_>) {
        let conversation = self.0.entry(out.lane.name().to_owned()).or_default();
        out.at = stamp(line.at.0);
        match line.piece.as_str() {
            "session" => session(line, out),
            "message" => {
                out.step = line.message.filled();
                match &line.info.0 {
                    Some(info) => charged(info, out),
                    None => out.bookkeeping("message"),
                }
            }
            "call" | "end" | "part" => {
                out.record = line.id.filled().filter(|_| line.piece.as_str() != "end");
                let of = Of { message: line.message.as_str(), role: line.role.as_str(), is_summary: line.summary.or_zero() == 1 };
                conversation.heard(line.id.as_str(), of.message);
                out.step = Some(of.message).filter(|_| of.role == "assistant");
                match &line.part.0 {
                    Some(part) if line.piece.as_str() == "call" => call(part, out),
                    Some(part) if line.piece.as_str() == "end" => end(part, out),
                    Some(part) => conversation.part(part, of, out),
                    None => unknown("part/", "", bytes, out),
                }
            }
            "pruned" => pruned(line, out),
            "reverted" => {
                out.push(Payload::Mark(Mark::RolledBack { turns: u32::try_from(line.turns.or_zero()).unwrap_or(u32::MAX) }));
            }
            "row" => conversation.row(line, bytes, out),
            _ => match (&line.messages, &line.info.0) {
                (Content::Parts(messages), _) => messages.iter().for_each(|message| conversation.message(message, out)),
                (_, Some(info)) => header(info, out),
                _ => unknown("", line.piece.as_str(), bytes, out),
            },
        }
        if out.is_empty() {
            out.bookkeeping(line.piece.filled().unwrap_or("message"));
        }
    }
}

impl Conversation {
    fn heard(&mut self, record: &str, message: &str) {
        self.records.push((record.to_owned(), message.to_owned()));
    }

    /// Tells a message of an export, all of it.
    fn message<'a>(&mut self, message: &'a Message<'_>, out: &mut Emit<'a, '_>) {
        let Some(info) = &message.info.0 else { return unknown("message/", "", b"", out) };
        out.at = stamp(info.time.0.as_ref().and_then(|time| time.created.0));
        out.record = info.id.filled();
        out.step = info.id.filled().filter(|_| info.role.as_str() == "assistant");
        self.heard(info.id.as_str(), info.id.as_str());
        let of = Of { message: info.id.as_str(), role: info.role.as_str(), is_summary: info.summary.0 };
        let mut masked = Vec::new();
        for part in message.parts.0.iter().filter_map(|part| part.0.as_ref()) {
            if part.kind.as_str() == "tool" {
                call(part, out);
                end(part, out);
                let pruned = part.state.0.as_ref().and_then(|state| state.time.0.as_ref()).and_then(|time| time.compacted.0);
                masked.extend(pruned.map(|_| Cow::Borrowed(part.call_id.as_str())));
            } else {
                self.part(part, of, out);
            }
        }
        if !masked.is_empty() {
            out.push(Payload::Boundary(masking(masked)));
        }
        charged(info, out);
    }

    /// Tells a part that is no call.
    fn part(&mut self, part: &Part<'_>, of: Of<'_>, out: &mut Emit<'_, '_>) {
        let text = Cow::Borrowed(part.text.as_str());
        match part.kind.as_str() {
            "text" if part.ignored.0 => out.bookkeeping("ignored text"),
            "text" if of.is_summary => self.summary(text, of, out),
            "text" if of.role == "assistant" => out.push(Payload::Assistant { text }),
            "text" => out.push(Payload::User { speaker: speaker(part, out), text }),
            "reasoning" => out.push(Payload::Reasoning { text }),
            "file" => {
                let text = format!("[file {}]", part.filename.as_str()).into();
                out.push(Payload::User { speaker: Speaker::Injected, text });
            }
            "subtask" => out.push(Payload::User { speaker: Speaker::Injected, text: part.prompt.as_str().into() }),
            "compaction" => {
                self.tail = part.tail_start_id.filled().map(str::to_owned);
                self.trigger = Some(if part.auto.0 { Trigger::Auto } else { Trigger::Manual });
                out.bookkeeping("compaction");
            }
            kind if BOOKKEEPING.contains(&kind) => out.bookkeeping(kind),
            kind => out.push(Payload::Unrecognised { name: format!("part/{}", named(kind)).into(), text }),
        }
    }

    /// Tells the text of a summary: the first one of a message is where the context changes.
    fn summary(&mut self, text: Cow<'_, str>, of: Of<'_>, out: &mut Emit<'_, '_>) {
        if self.summarised.replace(of.message.to_owned()).as_deref() != Some(of.message) {
            let tail = self.tail.take();
            let from = tail.and_then(|tail| self.records.iter().position(|(_, message)| *message >= tail));
            let kept = from.and_then(|from| self.records.get(from..)).unwrap_or_default();
            let kept: Vec<_> =
                kept.iter().filter(|(_, message)| message != of.message).map(|(record, _)| record.clone().into()).collect();
            out.push(Payload::Boundary(Boundary {
                trigger: self.trigger.take().unwrap_or(Trigger::Unknown),
                kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
                ..Boundary::of(BoundaryKind::Summary)
            }));
        }
        out.push(Payload::Summary { text, opaque: false });
    }

    /// Tells a message of 2.0.
    fn row<'a>(&mut self, line: &'a Line<'_>, bytes: &[u8], out: &mut Emit<'a, '_>) {
        let Some(data) = &line.data.0 else { return unknown("message/", line.kind.as_str(), bytes, out) };
        let time = |pick: fn(&Time) -> Option<u64>| data.time.0.as_ref().and_then(pick);
        out.at = stamp(time(|time| time.created.0));
        out.record = line.id.filled();
        self.heard(line.id.as_str(), line.id.as_str());
        match line.kind.as_str() {
            "user" => out.push(Payload::User { speaker: prompter(out), text: data.text.as_str().into() }),
            "assistant" => {
                out.step = line.id.filled();
                let of = Of { message: line.id.as_str(), role: "assistant", is_summary: false };
                if let Content::Parts(parts) = &data.content {
                    for part in parts {
                        if part.kind.as_str() == "tool" {
                            call(part, out);
                            end(part, out);
                        } else {
                            self.part(part, of, out);
                        }
                    }
                }
                self.closed(data, out);
            }
            "system" => out.push(Payload::User { speaker: Speaker::Rules, text: data.text.as_str().into() }),
            "synthetic" | "shell" | "skill" => {
                out.push(Payload::User { speaker: Speaker::Injected, text: data.text.as_str().into() });
            }
            "compaction" => {
                let of = Of { message: line.id.as_str(), role: "assistant", is_summary: true };
                let text = data.summary.filled().unwrap_or(data.text.as_str());
                self.summary(text.into(), of, out);
            }
            kind @ ("agent-switched" | "model-switched" | "agent" | "model") => out.bookkeeping(kind),
            kind => unknown("message/", kind, bytes, out),
        }
    }

    fn closed(&self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        if let Some(model) = data.model.0.as_ref().and_then(|model| model.id.filled()) {
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
        out.usage = data.tokens.0.as_ref().and_then(usage);
        finished(data.finish.as_str(), data.error.0.as_ref().map(|error| error.name.as_str()), out);
    }
}

/// Tells a call.
fn call(part: &Part<'_>, out: &mut Emit<'_, '_>) {
    let tool = part.tool.filled().unwrap_or(part.name.as_str());
    let input = part.state.0.as_ref().and_then(|state| state.input).map_or("null", RawValue::get);
    let call = Call { id: id(part).into(), tool: tool.into(), input: Input::Json(input.into()) };
    out.push(Payload::Call(call));
}

/// Tells how a call ended, if it did.
fn end(part: &Part<'_>, out: &mut Emit<'_, '_>) {
    let Some(state) = &part.state.0 else { return };
    let text = body(state);
    if let Some(outcome) = outcome::of(state, &text) {
        out.push(ended(id(part), outcome, text));
    }
}

fn id<'a>(part: &'a Part<'_>) -> &'a str {
    part.call_id.filled().unwrap_or(part.id.as_str())
}

/// What the model was given.
fn body<'a>(state: &'a State<'_>) -> Cow<'a, str> {
    let joined = |content: &'a Content<'_, Part<'_>>| match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text.as_ref()),
        Content::Parts(parts) => parts.iter().filter_map(|part| part.text.filled()).collect::<Vec<_>>().join("\n").into(),
    };
    match state.output.filled() {
        Some(output) => Cow::Borrowed(output),
        None => Some(joined(&state.error)).filter(|text| !text.is_empty()).unwrap_or_else(|| joined(&state.content)),
    }
}

/// Tells the results that the model no longer sees. The database keeps them.
fn pruned(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    let masked = line.part.0.iter().flat_map(|part| &part.masked.0).filter_map(|id| id.filled()).map(Cow::Borrowed).collect();
    out.push(Payload::Boundary(masking(masked)));
}

fn masking(masked: Vec<Cow<'_, str>>) -> Boundary<'_> {
    Boundary { trigger: Trigger::Auto, masked, ..Boundary::of(BoundaryKind::Masking) }
}

/// Tells what a message was charged, and how it ended.
fn charged(info: &Info<'_>, out: &mut Emit<'_, '_>) {
    if info.role.as_str() != "assistant" {
        return;
    }
    if let Some(model) = info.model_id.filled() {
        out.fact(Fact::Model(out.lane.clone(), model.into()));
    }
    out.usage = info.tokens.0.as_ref().and_then(usage);
    finished(info.finish.as_str(), info.error.0.as_ref().map(|error| error.name.as_str()), out);
}

fn finished(finish: &str, error: Option<&str>, out: &mut Emit<'_, '_>) {
    out.push(Payload::Mark(match (error, finish) {
        (Some("MessageAbortedError"), _) => Mark::Interrupted,
        (Some(_), _) => Mark::RequestFailed,
        (None, "stop" | "end_turn" | "end-turn") => Mark::TurnEnded,
        (None, _) => Mark::Counted,
    }));
}

fn usage(tokens: &Tokens) -> Option<Usage> {
    let cached = tokens.cache.0.as_ref().map_or(0, |cache| cache.read.or_zero().saturating_add(cache.write.or_zero()));
    let input = tokens.input.or_zero().saturating_add(cached);
    let output = tokens.output.or_zero().saturating_add(tokens.reasoning.or_zero());
    (input + output > 0).then_some(Usage { input, output, window: None })
}

/// Tells the row of a session.
fn session(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    if let LaneKey::Sub(_) = out.lane {
        return out.fact(Fact::Lane { lane: out.lane.clone(), parent: rows::parent(&line.parent, &line.root) });
    }
    let id = line.id.filled().or(line.session.filled());
    facts(id, line.title.filled(), line.directory.filled(), line.version.filled(), out);
}

fn header(info: &Info<'_>, out: &mut Emit<'_, '_>) {
    facts(info.id.filled(), info.title.filled(), info.directory.filled(), info.version.filled(), out);
}

fn facts(id: Option<&str>, title: Option<&str>, directory: Option<&str>, version: Option<&str>, out: &mut Emit<'_, '_>) {
    out.facts([
        id.map(|id| Fact::Session(id.into())),
        title.map(|title| Fact::Title(title.into())),
        directory.map(|directory| Fact::Directory(directory.into())),
        version.map(|version| Fact::Version(version.into())),
    ]);
}

fn speaker(part: &Part<'_>, out: &Emit<'_, '_>) -> Speaker {
    let is_injected = part.synthetic.0 || template::is_command(part.text.as_str());
    if is_injected { Speaker::Injected } else { prompter(out) }
}

fn prompter(out: &Emit<'_, '_>) -> Speaker {
    if out.lane == LaneKey::Main { Speaker::Human } else { Speaker::Parent }
}

fn named(kind: &str) -> &str {
    match kind {
        "" => "untyped",
        ODD => "no object",
        kind => kind,
    }
}

fn stamp(millis: Option<u64>) -> Option<Stamp> {
    // A row without a time stands at either end.
    let millis = millis.filter(|millis| (1..8_000_000_000_000_000).contains(millis))?;
    i64::try_from(millis).ok().map(Stamp)
}
