//! Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl` (`packages/core/src/services/chatRecordingService.ts`).
//!
//! A recording is a log of upserts: a message is written again when its calls have ended, `$set.messages` replaces the conversation,
//! `$rewindTo` cuts it off. A call is written when its whole batch has ended: what is running stands nowhere.

mod line;
mod replay;
#[cfg(test)]
mod tests;
mod zone;

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::adapter::{Adapter, Format, Opening, Recognised};
use super::emit::Emit;
use super::google::{self, charged, joined};
use super::json::{self, Content, List, Text, each_record};
use crate::base::hash::Hash64;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Brood, Call, Container, Document, Fact, Finish, Input, Kept, LaneKey, Mark, Outcome, Payload,
    Record, Resolution, Sink, Speaker, Whereabouts,
};
use line::{Line, ToolCall};
use replay::{Leaves, Replay};

const AGENT: Agent = Agent("gemini-cli");

/// What versions before the log kept: the whole conversation in one document, written anew each time.
const DOCUMENT: Document =
    Document { header: &["sessionId", "projectHash", "startTime", "kind", "summary", "directories"], lists: &["messages"] };

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["gemini"],
    title: "Gemini CLI",
    containers: &[Container::Lines, Container::Document(DOCUMENT)],
    recognises,
    open: |opening| Box::new(Gemini::new(opening)),
    whereabouts: &[CHATS, Whereabouts { suffix: ".json", children: None, ..CHATS }],
};

/// The variable stands for the home folder.
const CHATS: Whereabouts = Whereabouts {
    variable: "GEMINI_CLI_HOME",
    folders: &[".gemini/tmp"],
    prefix: "session-",
    suffix: ".jsonl",
    children: Some(Brood::ById { below: "chats", characters: 8 }),
    ..Whereabouts::new(AGENT)
};

/// What the runtime puts into the model's mouth behind it.
const ACKNOWLEDGED: &str = "Got it. Thanks for the additional context!";

fn recognises(record: &Map<String, Value>) -> Recognised {
    let has = |key| record.get(key).is_some_and(Value::is_string);
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let header = has("sessionId") && has("projectHash");
    let update = record.get("$set").is_some_and(Value::is_object) || has("$rewindTo");
    let message = has("id") && has("timestamp") && ROLES.contains(&kind) && record.contains_key("content");
    if header || update || message && kind == "gemini" {
        Recognised::Yes
    } else if message {
        Recognised::Maybe
    } else {
        Recognised::No
    }
}

/// Who says a message.
const ROLES: &[&str] = &["user", "gemini", "model", "info", "error", "warning"];

/// What the runtime says when a person stopped it.
const CANCELLED: &str = "Request cancelled";

struct Gemini {
    lane: LaneKey<'static>,
    /// Who writes this lane's prompts.
    prompter: Speaker,
    replay: Replay,
    model: String,
}

impl Gemini {
    fn new(opening: &Opening) -> Self {
        let prompter = if opening.lane == LaneKey::Main { Speaker::Human } else { Speaker::Parent };
        Self { lane: opening.lane.clone(), prompter, replay: Replay::default(), model: String::new() }
    }
}

impl Adapter for Gemini {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let lane = self.lane.clone();
            let mut out = Emit::new(lane, record.place, sink);
            self.line(&line, record.bytes, &mut out);
            Ok(())
        });
    }
}

impl Gemini {
    fn line<'l>(&mut self, line: &'l Line<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        if let Some(set) = &line.set.0 {
            facts(&set.summary, &set.directories, out);
            out.at = set.last_updated.filled().and_then(Stamp::parse);
            if let Some(messages) = &set.messages {
                let messages: Vec<&Line<'_>> = messages.0.iter().filter_map(|message| message.0.as_ref()).collect();
                self.replace(&messages, out);
            }
            bookkeeping("$set", out);
        } else if let Some(id) = line.rewind_to.filled() {
            let leaves = self.replay.rewind(id);
            leave(leaves, out);
            bookkeeping("$rewindTo", out);
        } else if let Some(message) = &line.messages.0 {
            self.line(message, bytes, out);
        } else if line.role.filled().is_some() && (line.id.filled().is_some() || !matches!(line.content, Content::Absent)) {
            if ROLES.contains(&line.role.as_str()) {
                self.message(line, out);
            } else {
                out.unrecognised(line.role.as_str(), bytes);
            }
            bookkeeping(line.role.as_str(), out);
        } else if line.session_id.filled().is_some() && line.project_hash.filled().is_some() {
            self.header(line, out);
        } else {
            out.unrecognised("untyped", bytes);
        }
    }

    fn header(&mut self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        if line.kind.as_str() == "subagent" {
            self.prompter = Speaker::Parent;
        }
        if let Some(id) = line.session_id.filled() {
            out.fact(Fact::Session(id.into()));
        }
        facts(&line.summary, &line.directories, out);
        bookkeeping("header", out);
    }

    /// Tells a message, or what is new in one that is written again.
    fn message<'l>(&mut self, line: &'l Line<'_>, out: &mut Emit<'l, '_>) {
        let id = line.id.as_str();
        out.at = line.timestamp.filled().and_then(Stamp::parse);
        // A second record of an id is a replay for the fold: what is added later belongs to the message's step, and has no id.
        out.record = line.id.filled().filter(|id| !self.replay.holds(id));
        (out.step, out.usage) = (None, None);
        let message = self.replay.message(id);
        message.content = Some(content(line));
        match line.role.as_str() {
            "user" => self.prompt(line, out),
            // The name of the API, in files of other programs.
            "gemini" | "model" => self.answer(line, out),
            "error" if message.is_new("error", "") => out.push(Payload::Mark(Mark::RequestFailed)),
            "info" if joined(&line.content).starts_with(CANCELLED) && message.is_new("info", "") => {
                out.push(Payload::Mark(Mark::Interrupted));
            }
            _ => {}
        }
    }

    fn prompt(&mut self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        let message = self.replay.message(line.id.as_str());
        for (speaker, text) in zone::said(line, self.prompter) {
            message.is_prompt |= speaker == self.prompter;
            let is_new = message.is_new("user", &text);
            tell(is_new, Payload::User { speaker, text }, out);
        }
        // Results stand once more as a message of the user, for the model: told from here only where their call did not say its end.
        let (_, parts) = google::parts(&line.content);
        for response in parts.iter().filter_map(|part| part.function_response.0.as_ref()) {
            let (id, text) = (response.id.as_str(), response.text());
            let is_new = self.replay.ends(id, text.len());
            let outcome = Outcome::Returned;
            tell(is_new, Payload::Resolution(Resolution { call: id.into(), outcome, text, said: None }), out);
        }
    }

    fn answer<'l>(&mut self, line: &'l Line<'_>, out: &mut Emit<'l, '_>) {
        if let Some(model) = line.model.filled().filter(|model| self.model != *model) {
            model.clone_into(&mut self.model);
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
        out.step = Some(line.id.as_str());
        // Whether the session goes on after a message that calls nothing, no record says.
        out.finish = if line.tool_calls.0.is_empty() { Finish::Untold } else { Finish::Told };
        out.usage = line.tokens.0.as_ref().and_then(|tokens| charged(tokens.input, tokens.output, tokens.thoughts));
        let message = self.replay.message(line.id.as_str());
        let is_counted = out.usage.is_some() && message.is_new("tokens", "");
        for thought in line.thoughts.0.iter().filter_map(|thought| thought.0.as_ref()) {
            let text = [&thought.subject, &thought.description].map(Text::as_str).join("\n");
            let text = text.trim();
            tell(message.is_new("thought", text), Payload::Reasoning { text: text.into() }, out);
        }
        let text = joined(&line.content);
        if !text.is_empty() {
            let is_new = message.is_new("text", &text);
            let payload = match text.starts_with(ACKNOWLEDGED) {
                true => Payload::User { speaker: Speaker::Injected, text },
                false => Payload::Assistant { text },
            };
            tell(is_new, payload, out);
        }
        for call in line.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            self.call(line.id.as_str(), call, out);
        }
        if out.is_empty() && is_counted {
            out.aside(Payload::Mark(Mark::Counted));
        }
    }

    fn call(&mut self, message: &str, call: &ToolCall<'_>, out: &mut Emit<'_, '_>) {
        let (id, tool) = (call.id.as_str(), call.name.as_str());
        let input = Input::Json(Cow::Borrowed(call.args.map_or("{}", |args| args.get())));
        let is_new = self.replay.message(message).is_new("call", id);
        tell(is_new, Payload::Call(Call { id: id.into(), tool: tool.into(), input }), out);
        let text = joined(&call.result);
        if let Some(outcome) = google::outcome(call.status.as_str(), tool, &text) {
            let is_new = self.replay.ends(id, text.len());
            let text = Cow::Borrowed(&*text);
            tell(is_new, Payload::Resolution(Resolution { call: id.into(), outcome, text, said: None }), out);
        }
    }

    /// Tells what a new list of messages means: a compression, if a summary stands in it that was not there; else what it leaves out, and
    /// what it shortens (`chatRecordingService.ts`: aborts, resumes and the masking of tool output write such lists too).
    fn replace<'l>(&mut self, messages: &[&'l Line<'_>], out: &mut Emit<'l, '_>) {
        let is_snapshot = |line: &&&Line<'_>| line.role.as_str() == "user" && google::is_snapshot(&joined(&line.content));
        let snapshot = messages.iter().find(is_snapshot);
        let known: Vec<Option<String>> = messages.iter().map(|line| self.replay.known(line.id.as_str(), content(line))).collect();
        let stays: Vec<String> = known.iter().flatten().cloned().collect();
        let is_compression = snapshot.is_some_and(|snapshot| !self.replay.holds(snapshot.id.as_str()));
        let leaves = self.replay.replace(&stays);
        if let Some(snapshot) = snapshot {
            let kept = if stays.is_empty() { Kept::Nothing } else { records(self.replay.records()) };
            tell(is_compression, Payload::Boundary(Boundary { kept, ..Boundary::of(BoundaryKind::Summary) }), out);
            let text = joined(&snapshot.content);
            tell(is_compression, Payload::Summary { text, opaque: false }, out);
            self.replay.message(snapshot.id.as_str());
        }
        if !is_compression {
            leave(leaves, out);
            self.mask(messages, out);
        }
        for (line, known) in messages.iter().zip(&known) {
            if let Some(id) = known.as_deref().filter(|id| *id != line.id.as_str()) {
                self.replay.rename(id, line.id.as_str());
            }
            if !snapshot.is_some_and(|snapshot| std::ptr::eq(*snapshot, *line)) {
                self.message(line, out);
            }
        }
    }

    /// Tells the calls whose results have become shorter.
    fn mask(&mut self, messages: &[&Line<'_>], out: &mut Emit<'_, '_>) {
        let calls = messages.iter().flat_map(|line| &line.tool_calls.0).filter_map(|call| call.0.as_ref());
        let shorter = calls.filter(|call| self.replay.shortens(call.id.as_str(), joined(&call.result).len()));
        let masked: Vec<Cow<'_, str>> = shorter.map(|call| Cow::Borrowed(call.id.as_str())).collect();
        if !masked.is_empty() {
            out.aside(Payload::Boundary(Boundary { masked, ..Boundary::of(BoundaryKind::Masking) }));
        }
    }
}

/// Tells what is new; what was told before keeps its number.
fn tell(is_new: bool, payload: Payload<'_>, out: &mut Emit<'_, '_>) {
    if is_new { out.push(payload) } else { out.skip() }
}

/// Tells what left the conversation.
fn leave(leaves: Leaves, out: &mut Emit<'_, '_>) {
    match leaves {
        Leaves::Nothing => {}
        Leaves::Turns(turns) => out.aside(Payload::Mark(Mark::RolledBack { turns })),
        Leaves::AllBut(ids) => {
            out.aside(Payload::Boundary(Boundary { kept: records(ids), ..Boundary::of(BoundaryKind::Dropped) }));
        }
    }
}

fn records(ids: Vec<String>) -> Kept<'static> {
    Kept::Records(ids.into_iter().map(Cow::Owned).collect())
}

fn facts(summary: &Text<'_>, directories: &List<Text<'_>>, out: &mut Emit<'_, '_>) {
    if let Some(title) = summary.filled() {
        out.fact(Fact::Title(title.into()));
    }
    if let Some(directory) = directories.0.first().and_then(Text::filled) {
        out.fact(Fact::Directory(directory.into()));
    }
}

/// A record that has told no event carries nothing for the ledger.
fn bookkeeping(kind: &str, out: &mut Emit<'_, '_>) {
    if out.is_empty() {
        out.bookkeeping(kind);
    }
}

/// What a message says, whatever its id: by that a list that was put together anew names it.
fn content(line: &Line<'_>) -> Hash64 {
    let mut text = format!("{}\0{}", line.role.as_str(), joined(&line.content));
    for call in line.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
        text.push('\0');
        text.push_str(call.id.as_str());
    }
    Hash64::of(text.as_bytes())
}
