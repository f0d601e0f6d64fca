//! Qwen Code: `~/.qwen/projects/<folder>/chats/<session>.jsonl` (`packages/core/src/services/chatRecordingService.ts`).
//!
//! A tree of records, appended: each names its parent, and the live branch is the newest record's. A compression holds the whole new
//! context, so that what it kept can be told.

mod line;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::adapter::{Adapter, Format, Opening, Recognised};
use super::branch::Branch;
use super::emit::Emit;
use super::google::{self, Part, joined, parts};
use super::json::{self, Content, each_record};
use super::told::Told;
use crate::base::hash::Hash64;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Fact, Finish, Input, JobState, Kept, LaneKey, Mark, Outcome, Payload, Record,
    Resolution, Sink, Speaker, Trigger, Whereabouts,
};
use line::Line;

const AGENT: Agent = Agent("qwen-code");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["qwen"],
    title: "Qwen Code",
    containers: &[Container::Lines],
    recognises,
    open: |opening| Box::new(Qwen::new(opening)),
    whereabouts: &[whereabouts("QWEN_RUNTIME_DIR"), whereabouts("QWEN_HOME")],
};

/// A runtime folder of its own counts before the agent's.
const fn whereabouts(variable: &'static str) -> Whereabouts {
    Whereabouts {
        variable,
        home: ".qwen",
        // The second is where versions before 0.5 kept them.
        folders: &["projects", "tmp"],
        suffix: ".jsonl",
        not_below: Some("subagents"),
        ..Whereabouts::new(AGENT)
    }
}

/// What a `system` record may be about without saying anything to the model.
const ASIDES: &[&str] = &[
    "slash_command",
    "ui_telemetry",
    "at_command",
    "custom_title",
    "notification",
    "turn_result",
    "attribution_snapshot",
    "file_history_snapshot",
    "parent_session",
    "rewind",
    "agent_mention",
    "agent_message",
    "session_artifact_event",
    "session_artifact_snapshot",
];

fn recognises(record: &Map<String, Value>) -> Recognised {
    let has = |key| record.get(key).is_some_and(Value::is_string);
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let envelope = has("uuid") && has("sessionId") && record.contains_key("parentUuid");
    let parts = record.get("message").is_some_and(|message| message.get("parts").is_some_and(Value::is_array));
    let own = parts || record.contains_key("provenance") || kind == "system" && record.contains_key("systemPayload");
    if envelope && own && ["user", "assistant", "tool_result", "system"].contains(&kind) { Recognised::Yes } else { Recognised::No }
}

struct Qwen {
    lane: LaneKey<'static>,
    branch: Branch,
    facts: Told,
    /// The tools of calls without a result so far.
    tools: FxHashMap<String, String>,
    /// The newest record that says something, by what it says.
    records: FxHashMap<Hash64, String>,
}

impl Qwen {
    fn new(opening: &Opening) -> Self {
        Self {
            lane: opening.lane.clone(),
            branch: Branch::default(),
            facts: Told::default(),
            tools: FxHashMap::default(),
            records: FxHashMap::default(),
        }
    }
}

impl Adapter for Qwen {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let lane = match (&self.lane, line.agent_id.filled()) {
                (LaneKey::Main, Some(agent)) if line.is_sidechain.0 => LaneKey::Sub(Cow::Owned(agent.to_owned())),
                (lane, _) => lane.clone(),
            };
            self.facts.session(&line.session_id, &line.version, sink);
            self.facts.place(&line.cwd, &line.git_branch, sink);
            self.facts.lane(&lane, line.model.filled(), sink);
            let is_main = lane == LaneKey::Main;
            let mut out = Emit::new(lane, record.place, sink);
            (out.record, out.at) = (line.uuid.filled(), line.timestamp.filled().and_then(Stamp::parse));
            let spot = is_main.then(|| self.branch.find(line.uuid.filled(), line.parent_uuid.filled()));
            if let Some(spot) = &spot {
                out.leaves = self.branch.left_by(spot);
            }
            self.line(&line, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(&name(&line));
            }
            let was = out.was;
            if let Some(spot) = &spot {
                self.branch.follow(spot, was);
            }
            Ok(())
        });
    }
}

impl Qwen {
    fn line<'l>(&mut self, line: &'l Line<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        let message = line.message.0.as_ref();
        if let (Some(message), Some(uuid)) = (message, line.uuid.filled()) {
            self.records.insert(content(&message.parts), uuid.to_owned());
        }
        match (line.kind.as_str(), message) {
            ("user", Some(message)) => prompt(line, &message.parts, out),
            ("assistant", Some(message)) => self.answer(line, &message.parts, out),
            ("tool_result", _) => self.result(line, out),
            ("system", _) if line.subtype.as_str() == "chat_compression" => self.compression(line, out),
            ("system", _) if ASIDES.contains(&line.subtype.as_str()) => {
                if let Some(title) = line.system_payload.0.as_ref().and_then(|payload| payload.custom_title.filled()) {
                    out.fact(Fact::Title(title.into()));
                }
            }
            ("assistant" | "user", None) => {}
            _ => out.unrecognised(&name(line), bytes),
        }
    }

    fn answer<'l>(&mut self, line: &'l Line<'_>, content: &'l Content<'_, Part<'_>>, out: &mut Emit<'l, '_>) {
        out.step = line.uuid.filled();
        // Whether the session goes on after a message that calls nothing, no record says.
        let calls = parts(content).1.iter().any(|part| part.function_call.0.is_some());
        out.finish = if calls { Finish::Told } else { Finish::Untold };
        out.usage = line.usage_metadata.0.as_ref().and_then(google::UsageMetadata::usage);
        for part in parts(content).1 {
            match &part.function_call.0 {
                Some(call) => {
                    let id = call.id.filled().unwrap_or(call.name.as_str());
                    self.tools.insert(id.to_owned(), call.name.as_str().to_owned());
                    let input = Input::Json(Cow::Borrowed(call.args.map_or("{}", |args| args.get())));
                    out.push(Payload::Call(Call { id: id.into(), tool: call.name.as_str().into(), input }));
                }
                None if part.thought.0 => out.push(Payload::Reasoning { text: part.says() }),
                None if !part.says().is_empty() => out.push(Payload::Assistant { text: part.says() }),
                None => {}
            }
        }
        if out.is_empty() && out.usage.is_some() {
            out.push(Payload::Mark(Mark::Counted));
        }
    }

    fn result(&mut self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        let told = line.tool_call_result.0.as_ref();
        let content = line.message.0.as_ref().map(|message| &message.parts);
        let response = content.and_then(|content| parts(content).1.iter().find_map(|part| part.function_response.0.as_ref()));
        let id = told.and_then(|told| told.call_id.filled()).or(response.and_then(|response| response.id.filled()));
        let Some(id) = id else { return };
        let text = content.map(joined).unwrap_or_default();
        let tool = self.tools.remove(id);
        let status = told.map_or("success", |told| told.status.as_str());
        let refused = told.is_some_and(|told| REFUSED.contains(&told.error_type.as_str()));
        // A result is an end, whatever its status is called.
        let outcome = google::outcome(status, tool.as_deref().unwrap_or(google::SHELL), &text);
        let outcome = outcome.filter(|_| !refused).unwrap_or(if refused { Outcome::Refused } else { Outcome::Returned });
        out.push(Payload::Resolution(Resolution { call: id.into(), outcome, text: Cow::Borrowed(&text), said: None }));
    }

    /// Tells a compression that worked: the new context is its history, of which the first message is the summary.
    fn compression(&self, line: &Line<'_>, out: &mut Emit<'_, '_>) {
        /// `CompressionStatus.COMPRESSED`.
        const COMPRESSED: u64 = 1;
        let Some(payload) = &line.system_payload.0 else { return };
        let Some(history) = &payload.compressed_history else { return };
        let info = payload.info.0.as_ref();
        if info.and_then(|info| info.compression_status.0).is_some_and(|status| status != COMPRESSED) {
            return;
        }
        let (mut summary, mut kept, mut reinjected) = (None, Vec::new(), 0);
        for message in history.0.iter().filter_map(|message| message.0.as_ref()) {
            let text = joined(&message.parts);
            match self.records.get(&content(&message.parts)) {
                _ if summary.is_none() && google::is_snapshot(&text) => summary = Some(text),
                Some(uuid) => kept.push(Cow::Borrowed(uuid.as_str())),
                None => reinjected += text.len() as u64,
            }
        }
        out.push(Payload::Boundary(Boundary {
            kind: if summary.is_some() { BoundaryKind::Summary } else { BoundaryKind::Dropped },
            trigger: match info.map_or("", |info| info.trigger_reason.as_str()) {
                "" => Trigger::Unknown,
                "manual" => Trigger::Manual,
                _ => Trigger::Auto,
            },
            tokens_before: info.and_then(|info| info.original_token_count.0),
            tokens_after: info.and_then(|info| info.new_token_count.0),
            kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
            masked: Vec::new(),
            reinjected_bytes: reinjected,
        }));
        if let Some(text) = summary {
            out.push(Payload::Summary { text, opaque: false });
        }
    }
}

/// What the runtime calls an error of a tool that did not begin (`tools/tool-error.ts`).
const REFUSED: &[&str] = &[
    "invalid_tool_params",
    "tool_not_registered",
    "execution_denied",
    "unknown_tool",
    "policy_violation",
    "path_not_in_workspace",
];

/// Tells a prompt, or what the runtime says in its place.
fn prompt(line: &Line<'_>, content: &Content<'_, Part<'_>>, out: &mut Emit<'_, '_>) {
    let text = joined(content);
    if text.trim().is_empty() {
        return;
    }
    let speaker = match (line.provenance.as_str(), line.subtype.as_str()) {
        ("real_user", _) | ("", "") if out.lane != LaneKey::Main => Speaker::Parent,
        ("real_user", "mid_turn_user_message") | ("", "mid_turn_user_message") => Speaker::Steering,
        ("real_user", _) | ("", "") => Speaker::Human,
        _ => Speaker::Injected,
    };
    if let (Speaker::Injected, Some((handle, state))) = (speaker, notice(&text)) {
        return out.push(Payload::Job { handle: handle.into(), state, text: Cow::Borrowed(&text) });
    }
    let is_snapshot = google::is_snapshot(&text);
    out.push(Payload::User { speaker: if is_snapshot { Speaker::Injected } else { speaker }, text });
}

/// What a notice says of something in the background: whose news it is, and what became of it.
fn notice(text: &str) -> Option<(&str, JobState)> {
    let field = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once('<')?.0.trim())
    };
    let state = match field("status")? {
        "completed" | "success" => JobState::Completed,
        "failed" | "error" => JobState::Failed,
        "cancelled" | "killed" | "stopped" => JobState::Killed,
        _ => JobState::Running,
    };
    Some((field("task-id").or_else(|| field("id"))?, state))
}

/// What a message says, by which a compression's history names it.
fn content(content: &Content<'_, Part<'_>>) -> Hash64 {
    let mut text = joined(content).into_owned();
    for call in parts(content).1.iter().filter_map(|part| part.function_call.0.as_ref()) {
        text.push('\0');
        text.push_str(call.id.as_str());
    }
    Hash64::of(text.as_bytes())
}

/// The name of a record's type: `user`, `system/ui_telemetry`.
fn name<'l>(line: &'l Line<'_>) -> Cow<'l, str> {
    let kind = line.kind.filled().unwrap_or("(no type)");
    line.subtype.filled().map_or(Cow::Borrowed(kind), |subtype| Cow::Owned([kind, subtype].join("/")))
}
