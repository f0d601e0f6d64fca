//! What a message says.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::line::{Message, Part, ToolCall};
use crate::formats::emit::Emit;
use crate::formats::json::{Content, Text};
use crate::formats::outcome;
use crate::transcript::{Boundary, BoundaryKind, Call, Fact, Finish, Input, Mark, Outcome, Payload, Resolution, Speaker};

/// Kinds of blocks that hold nothing that can be read: told by a word.
const MEDIA: &[&str] =
    &["image", "image_url", "input_image", "document", "file", "input_file", "audio", "input_audio", "video", "container_upload"];

/// A conversation so far, as far as its messages cannot be read without it.
#[derive(Debug)]
pub(in crate::formats) struct Chat {
    /// Who writes its prompts.
    pub(in crate::formats) prompter: Speaker,
    /// The step that is numbered where messages have no ids.
    step: u32,
    /// The name of the newest call without an id.
    nameless: u32,
}

impl Default for Chat {
    fn default() -> Self {
        Self { prompter: Speaker::Human, step: 0, nameless: 0 }
    }
}

impl Chat {
    /// The step that was told last, where messages have no ids.
    pub(in crate::formats) fn step(&self) -> u32 {
        self.step
    }

    /// Tells a message. `bytes` are its record's, of which what is not known is told.
    pub(in crate::formats) fn message(&mut self, message: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let usage = out.usage;
        let role = message.role.filled().or(message.kind.filled()).unwrap_or_default();
        match role {
            role if matches!(message.content, Content::Absent) && message.plain().is_some() => self.plain(role, message, out),
            "system" | "developer" => texts(&message.content, |text| Payload::User { speaker: Speaker::Rules, text }, out),
            "user" | "human" => self.user(message, out),
            "assistant" | "ai" | "AIMessageChunk" => self.assistant(message, out),
            "tool" | "function" => self.result(message, out),
            role => unknown("message/", role, bytes, out),
        }
        out.usage = usage;
        if out.is_empty() {
            out.bookkeeping("message");
        }
    }

    /// Tells a message that is nothing but text.
    fn plain(&mut self, role: &str, message: &Message<'_>, out: &mut Emit<'_, '_>) {
        let text = Cow::Borrowed(message.plain().unwrap_or_default());
        match role {
            "system" => out.push(Payload::User { speaker: Speaker::Rules, text }),
            "user" => out.push(Payload::User { speaker: self.prompter, text }),
            _ => {
                self.step += 1;
                out.finish = Finish::Untold;
                out.push_in(self.step, Payload::Assistant { text });
            }
        }
    }

    fn user(&mut self, message: &Message<'_>, out: &mut Emit<'_, '_>) {
        let Content::Parts(parts) = &message.content else {
            return texts(&message.content, |text| Payload::User { speaker: self.prompter, text }, out);
        };
        let answers = parts.iter().any(|part| part.kind.as_str().ends_with("tool_result"));
        let speaker = if answers && self.prompter == Speaker::Human { Speaker::Steering } else { self.prompter };
        for part in parts {
            self.part(part, speaker, out);
        }
    }

    fn assistant(&mut self, message: &Message<'_>, out: &mut Emit<'_, '_>) {
        self.step += 1;
        let step = match (out.step, message.id.filled()) {
            (Some(_), _) => Step::Given,
            (None, Some(id)) => Step::Own(id),
            (None, None) => Step::Numbered(self.step),
        };
        let counted = message.usage.0.or(message.usage_metadata.0).and_then(super::Usage::counted);
        out.usage = out.usage.or(counted);
        out.finish = finish(message);
        if let Some(model) = message.model.filled() {
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
        if let Some(text) = message.reasoning_content.filled() {
            told(Payload::Reasoning { text: text.into() }, step, out);
        }
        match &message.content {
            Content::Absent => {}
            Content::Text(text) if text.trim().is_empty() => {}
            Content::Text(text) => told(Payload::Assistant { text: Cow::Borrowed(text) }, step, out),
            Content::Parts(parts) => {
                // Some libraries keep a call in both shapes.
                let twice = |part: &&Part<'_>| {
                    part.kind.as_str() == "tool_use" && message.tool_calls.0.iter().flat_map(|c| &c.0).any(|c| c.id == part.id)
                };
                for part in parts.iter().filter(|part| !twice(part)) {
                    match payload(part) {
                        Some(payload) => told(payload, step, out),
                        None => self.part(part, self.prompter, out),
                    }
                }
            }
        }
        for made in message.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            told(Payload::Call(call(made)), step, out);
            if let Some(error) = made.parse_error.filled() {
                out.push(ended(made.id.as_str(), Outcome::Refused, error.into()));
            }
        }
        for refused in message.invalid_tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            told(Payload::Call(call(refused)), step, out);
            out.push(ended(refused.id.as_str(), Outcome::Refused, refused.error.as_str().into()));
        }
        if let Some(function) = &message.function_call.0 {
            self.nameless += 1;
            let id = format!("call-{}", self.nameless);
            let input = arguments(function.arguments);
            told(Payload::Call(Call { id: id.into(), tool: function.name.as_str().into(), input }), step, out);
        }
        Self::closing(message, step, out);
    }

    /// Tells how a message ended, and what was done to the context before it.
    fn closing(message: &Message<'_>, step: Step<'_>, out: &mut Emit<'_, '_>) {
        let edits = message.context_management.0.iter().flat_map(|done| &done.applied_edits.0).filter_map(|edit| edit.0.as_ref());
        for edit in edits.filter(|edit| edit.cleared_tool_uses.or_zero() > 0) {
            // The server says how many results it left out, not which.
            out.bookkeeping(edit.kind.as_str());
            out.push(Payload::Boundary(Boundary::of(BoundaryKind::Masking)));
        }
        if matches!(message.stop_reason.as_str(), "end_turn" | "stop_sequence") {
            out.push(Payload::Mark(Mark::TurnEnded));
        } else if out.is_empty() && out.usage.is_some() {
            told(Payload::Mark(Mark::Counted), step, out);
        }
    }

    /// Tells a tool's message.
    fn result(&mut self, message: &Message<'_>, out: &mut Emit<'_, '_>) {
        let text = result_text(&message.content);
        let failure = message.error.0.as_ref().map(|failure| (failure.kind.as_str(), failure.message.as_str()));
        let is_error = message.is_error.0
            || message.status.as_str() == "error"
            || message.tool_error.is_some_and(|error| error.get() != "null");
        let (outcome, text) = match failure {
            Some((kind, told)) => {
                let text = if text.is_empty() { Cow::Owned(told.to_owned()) } else { text };
                (by_kind(kind).unwrap_or_else(|| outcome::failure(&text)), text)
            }
            None if is_error => (outcome::failure(&text), text),
            None => (outcome::inferred(&text), text),
        };
        let mut ids: Vec<Cow<'_, str>> = message.tool_call_ids.0.iter().filter_map(|id| id.filled().map(Cow::Borrowed)).collect();
        if let Some(id) = message.tool_call_id.filled() {
            ids = vec![id.into()];
        }
        if ids.is_empty() {
            // The function of old messages has no id: its result follows it.
            ids.push(Cow::Owned(format!("call-{}", self.nameless)));
        }
        for id in ids {
            out.push(ended(&id, outcome.clone(), text.clone()));
        }
    }

    /// Tells a block that is no plain speech of its message's role.
    fn part(&mut self, part: &Part<'_>, speaker: Speaker, out: &mut Emit<'_, '_>) {
        match part.kind.as_str() {
            "text" | "input_text" | "" if part.text.filled().is_some() => {
                out.push(Payload::User { speaker, text: part.text.as_str().into() });
            }
            crate::formats::json::ODD => out.push(Payload::User { speaker, text: part.text.as_str().into() }),
            "text" | "input_text" | "output_text" => {}
            kind if kind.ends_with("tool_result") => {
                let text = result_text(&part.content);
                let inner = inner(&part.content);
                let is_error = part.is_error.0 || inner.is_some_and(|inner| inner.kind.as_str().ends_with("_error"));
                let exit = inner.and_then(|inner| inner.return_code.0).and_then(|code| i32::try_from(code).ok());
                let outcome = match (is_error, exit) {
                    (true, _) => outcome::failure(&text),
                    (false, Some(code)) => outcome::exited(code),
                    (false, None) => match outcome::inferred(&text) {
                        // The record has a field for errors, and it is not set: only what stands for no result at all says more.
                        Outcome::Failed { exit: None } => Outcome::Success,
                        outcome => outcome,
                    },
                };
                out.push(ended(part.tool_use_id.as_str(), outcome, text));
            }
            // Empty: the summary could not be made, and nothing was done.
            "compaction" if matches!(part.content, Content::Absent) && part.encrypted_content.filled().is_none() => {
                out.bookkeeping("compaction");
            }
            "compaction" => {
                let text = result_text(&part.content);
                let opaque = text.is_empty();
                out.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
                out.push(Payload::Summary { text, opaque });
            }
            kind if MEDIA.contains(&kind) => {
                out.push(Payload::User { speaker: Speaker::Injected, text: format!("[{kind}]").into() });
            }
            kind => out.push(Payload::Unrecognised { name: format!("block/{kind}").into(), text: part.text.as_str().into() }),
        }
    }
}

/// Which step what a message says is of.
#[derive(Clone, Copy)]
enum Step<'m> {
    /// The record's.
    Given,
    /// The message's own.
    Own(&'m str),
    /// One without a name.
    Numbered(u32),
}

fn told(payload: Payload<'_>, step: Step<'_>, out: &mut Emit<'_, '_>) {
    match step {
        Step::Given => out.push(payload),
        Step::Own(id) => out.push_of(id, payload),
        Step::Numbered(number) => out.push_in(number, payload),
    }
}

/// What a block of the assistant says.
fn payload<'a>(part: &'a Part<'_>) -> Option<Payload<'a>> {
    Some(match part.kind.as_str() {
        "text" | "output_text" | "" | crate::formats::json::ODD => Payload::Assistant { text: part.text.filled()?.into() },
        "refusal" => Payload::Assistant { text: part.refusal.filled()?.into() },
        "thinking" | "redacted_thinking" => Payload::Reasoning { text: part.thinking.as_str().into() },
        "reasoning" => Payload::Reasoning { text: part.reasoning.filled().unwrap_or(part.text.as_str()).into() },
        kind if kind.ends_with("tool_use") => {
            let input = Input::Json(part.input.map_or("null", RawValue::get).into());
            Payload::Call(Call { id: part.id.as_str().into(), tool: part.name.as_str().into(), input })
        }
        _ => return None,
    })
}

/// A call beside a message's content, in whichever words.
pub(in crate::formats) fn call<'a>(made: &'a ToolCall<'_>) -> Call<'a> {
    let (inner, raw) = match (&made.function, &made.custom.0) {
        (Content::Parts(parts), _) => (parts.first().map(|f| f.name.as_str()), parts.first().and_then(|f| f.arguments.or(f.input))),
        (Content::Text(name), _) => (Some(name.as_ref()), None),
        (Content::Absent, Some(custom)) => (Some(custom.name.as_str()), custom.input.or(custom.arguments)),
        (Content::Absent, None) => (None, None),
    };
    let tool = inner.or(made.name.filled()).unwrap_or_default();
    let input = arguments(raw.or(made.arguments).or(made.args));
    Call { id: made.id.as_str().into(), tool: tool.into(), input }
}

/// What the model wrote for a call: JSON, but now and then.
pub(in crate::formats) fn written(text: Cow<'_, str>) -> Input<'_> {
    if serde_json::from_str::<IgnoredAny>(&text).is_ok() { Input::Json(text) } else { Input::Text(text) }
}

/// The same, which mostly stands in a string of its own.
pub(in crate::formats) fn arguments(raw: Option<&RawValue>) -> Input<'_> {
    let raw = raw.map_or("null", RawValue::get);
    match serde_json::from_str::<Text<'_>>(raw) {
        Ok(Text(Some(text))) => written(text),
        _ => Input::Json(raw.into()),
    }
}

/// The end of a call.
pub(in crate::formats) fn ended<'a>(id: &'a str, outcome: Outcome<'a>, text: Cow<'a, str>) -> Payload<'a> {
    Payload::Resolution(Resolution { call: id.into(), outcome, text, said: None })
}

/// The outcome of a failure that has a type (Inspect's `ToolCallError`).
fn by_kind(kind: &str) -> Option<Outcome<'static>> {
    Some(match kind {
        "parsing" | "approval" => Outcome::Refused,
        "timeout" => Outcome::TimedOut,
        "cancelled" => Outcome::Interrupted,
        "sandbox_unavailable" => Outcome::Lost,
        _ => return None,
    })
}

fn inner<'a>(content: &'a Content<'_, Part<'_>>) -> Option<&'a Part<'a>> {
    match content {
        Content::Parts(parts) => parts.first(),
        _ => None,
    }
}

/// What a result says, in one.
pub(in crate::formats) fn result_text<'a>(content: &'a Content<'_, Part<'_>>) -> Cow<'a, str> {
    let parts = match content {
        Content::Absent => return "".into(),
        Content::Text(text) => return Cow::Borrowed(text),
        Content::Parts(parts) => parts,
    };
    if let [only] = parts.as_slice()
        && only.text.filled().is_some()
    {
        return Cow::Borrowed(only.text.as_str());
    }
    let mut all = String::new();
    for part in parts {
        let media = MEDIA.contains(&part.kind.as_str()).then(|| format!("[{}]", part.kind.as_str()));
        let own = [&part.text, &part.stdout, &part.stderr, &part.error_code, &part.title, &part.url];
        let below = result_text(&part.content);
        for text in own
            .iter()
            .filter_map(|text| text.filled())
            .chain(media.as_deref())
            .chain(Some(below.as_ref()).filter(|t| !t.is_empty()))
        {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            all.push_str(text);
        }
    }
    all.into()
}

/// Tells each text of a content.
fn texts<'a>(content: &'a Content<'_, Part<'_>>, payload: impl Fn(Cow<'a, str>) -> Payload<'a>, out: &mut Emit<'_, '_>) {
    match content {
        Content::Absent => {}
        Content::Text(text) => out.push(payload(Cow::Borrowed(text))),
        Content::Parts(parts) => parts.iter().filter_map(|part| part.text.filled()).for_each(|text| out.push(payload(text.into()))),
    }
}

/// Whether a message tells how it ended: it says why, or calls something.
fn finish(message: &Message<'_>) -> Finish {
    let calls = !message.tool_calls.0.is_empty()
        || message.function_call.0.is_some()
        || matches!(&message.content, Content::Parts(parts) if parts.iter().any(|part| part.kind.as_str().ends_with("tool_use")));
    if calls || message.stop_reason.filled().is_some() { Finish::Told } else { Finish::Untold }
}

/// Tells what is of no known type, with the text that the model probably saw.
pub(in crate::formats) fn unknown(layer: &str, kind: &str, bytes: &[u8], out: &mut Emit<'_, '_>) {
    let kind = if kind.is_empty() { "untyped" } else { kind };
    out.unrecognised(&format!("{layer}{kind}"), bytes);
}
