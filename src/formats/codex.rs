//! Codex: the rollouts of OpenAI's Codex CLI, `$CODEX_HOME/sessions/**/rollout-*.jsonl`.
//!
//! A line is an envelope `{timestamp, type, payload}`; in 2025 it was a bare item. What the model was sent and wrote
//! (`response_item`) becomes events; most of what the runtime says beside it (`event_msg`) is the same once more.
//!
//! **Law:** what a record yields in its file is the beginning of what it yields to a fresh adapter. State decides how something is
//! called (a step's number, a job's handle) and whether it is told again, never what stands before it.

mod agents;
mod calls;
mod compacted;
mod line;
mod news;
mod outcome;
mod runtime;
mod script;
mod session;
#[cfg(test)]
mod tests;
mod zones;

use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Opening, Recognised};
use crate::formats::chat::unknown;
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, ODD, each_record};
use crate::transcript::{Agent, Container, Fact, Finish, LaneKey, Mark, Payload, Record, Sink, Speaker, Whereabouts};
use calls::Calls;
use line::{Item, Line, Part};
use runtime::{Charge, Heard};
use session::{Launch, Session};

/// Codex CLI.
const CODEX: Agent = Agent("codex");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: CODEX,
    aliases: &["codex-cli", "codex-rollout"],
    title: "Codex",
    containers: &[Container::Lines],
    recognises,
    open: |opening| Box::new(Codex::new(opening)),
    whereabouts: &[
        ROLLOUTS,
        // Those that nobody has touched for long are compressed.
        Whereabouts { suffix: ".jsonl.zst", ..ROLLOUTS },
    ],
};

/// A sub-agent's rollout is a session's file like any other, and names its parent.
const ROLLOUTS: Whereabouts = Whereabouts {
    variable: "CODEX_HOME",
    home: ".codex",
    folders: &["sessions", "archived_sessions"],
    prefix: "rollout-",
    suffix: ".jsonl",
    locks: Some("thread-writer-locks"),
    ..Whereabouts::new(CODEX)
};

/// Types of lines that carry something for the ledger.
const TOLD: &[&str] =
    &["session_meta", "response_item", "event_msg", "turn_context", "compacted", "inter_agent_communication", "token_usage_record"];

/// Types of lines that carry nothing for it.
const BOOKKEEPING: &[&str] =
    &["world_state", "inter_agent_communication_metadata", "retained_context", "security_risk_score", "agent_response_observation"];

fn recognises(record: &serde_json::Map<String, serde_json::Value>) -> Recognised {
    let text = |key: &str| record.get(key).and_then(serde_json::Value::as_str);
    let enveloped = text("timestamp").is_some() && record.get("payload").is_some_and(serde_json::Value::is_object);
    match text("type") {
        Some(kind) if enveloped && (TOLD.contains(&kind) || BOOKKEEPING.contains(&kind)) => Recognised::Yes,
        Some(_) if enveloped => Recognised::Maybe,
        Some(_) => Recognised::No,
        None if text("record_type") == Some("state") => Recognised::Yes,
        None if ["id", "timestamp"].iter().all(|key| text(key).is_some()) && record.contains_key("instructions") => Recognised::Yes,
        None => Recognised::No,
    }
}

struct Codex {
    lane: LaneKey<'static>,
    reader: Reader,
}

impl Codex {
    fn new(opening: &Opening) -> Self {
        let prompter = if opening.lane == LaneKey::Main { Speaker::Human } else { Speaker::Parent };
        Self { lane: opening.lane.clone(), reader: Reader { prompter, ..Reader::default() } }
    }
}

impl Adapter for Codex {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        let Self { lane, reader } = self;
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let bare: Item<'_>;
            let (kind, item) = match &line.payload.0 {
                Some(payload) => (line.kind.as_str(), payload),
                None => {
                    bare = json::read(record.bytes)?;
                    (bare.layer(), &bare)
                }
            };
            let mut out = Emit::new(lane.borrowed(), record.place, sink);
            out.at = Stamp::parse(line.timestamp.as_str());
            reader.line(kind, item, record.bytes, &mut out);
            Ok(())
        });
    }
}

/// What one line needs to know of the lines before it.
struct Reader {
    /// Who writes this lane's prompts.
    prompter: Speaker,
    session: Session,
    steps: Steps,
    calls: Calls,
    charged: Option<Charge>,
    /// Whether the recording tells where turns begin and end: older ones, and filtered exports, do not.
    finish: Finish,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            prompter: Speaker::Human,
            session: Session::default(),
            steps: Steps::default(),
            calls: Calls::default(),
            charged: None,
            finish: Finish::Untold,
        }
    }
}

/// The steps of a lane. Codex has no message ids: the model's items up to its first one after an output, a prompt or a compaction
/// are one step.
#[derive(Default)]
struct Steps {
    number: u32,
    current: Option<u32>,
}

impl Steps {
    /// The step of an item that the model wrote.
    fn current(&mut self) -> u32 {
        *self.current.get_or_insert_with(|| {
            self.number += 1;
            self.number
        })
    }

    fn end(&mut self) {
        self.current = None;
    }
}

impl Reader {
    fn line(&mut self, kind: &str, item: &Item<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match kind {
            "response_item" => self.item(item, bytes, out),
            "event_msg" => self.heard(item, bytes, out),
            "session_meta" => {
                if self.session.header(item, out) == Launch::ByAgent {
                    self.prompter = Speaker::Parent;
                }
            }
            "turn_context" => turn_context(item, out),
            "compacted" => {
                self.steps.end();
                compacted::tell(item, out);
            }
            "inter_agent_communication" => self.mail(item, out),
            "token_usage_record" => match Charge::recorded(item) {
                Some(charge) => self.charge(charge, kind, out),
                None => out.bookkeeping(kind),
            },
            kind if BOOKKEEPING.contains(&kind) => out.bookkeeping(kind),
            kind => unknown("", kind, bytes, out),
        }
    }

    /// Tells what the model was sent, or what it wrote.
    fn item(&mut self, item: &Item<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match item.kind.as_str() {
            // Some writers leave the type of a message out.
            "message" | "" if item.role.filled().is_some() => self.message(item, bytes, out),
            "reasoning" => {
                let text = [&item.summary, &item.content].into_iter().map(joined).find(|text| !text.is_empty());
                out.push_in(self.steps.current(), Payload::Reasoning { text: text.unwrap_or_default().into() });
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                self.calls.call(item, self.steps.current(), out);
            }
            "web_search_call" | "image_generation_call" => Calls::served(item, self.steps.current(), out),
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" | "tool_search_output" => {
                self.steps.end();
                self.calls.output(item, out);
            }
            "agent_message" => self.mail(item, out),
            // A compaction is told by its own line.
            kind @ ("compaction" | "compaction_summary" | "context_compaction" | "compaction_trigger") => out.bookkeeping(kind),
            // Snapshots of the working tree, lists of tools, and what Codex itself did not know when it wrote it.
            kind @ ("ghost_snapshot" | "additional_tools" | "other") => out.bookkeeping(kind),
            kind => unknown("response_item/", kind, bytes, out),
        }
    }

    fn message(&mut self, item: &Item<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let speaker = match item.role.as_str() {
            "assistant" => {
                let text = joined(&item.content);
                out.finish = self.finish;
                match (&item.content, text.is_empty()) {
                    (_, false) => out.push_in(self.steps.current(), Payload::Assistant { text: text.into() }),
                    (Content::Absent, true) => unknown("message/", "assistant", bytes, out),
                    (_, true) => {}
                }
                return odd_parts(&item.content, out);
            }
            "user" => self.prompter,
            "developer" | "system" => Speaker::Rules,
            role => return unknown("message/", role, bytes, out),
        };
        self.steps.end();
        for said in zones::said(&item.content, speaker) {
            match agents::notification(&said.text) {
                Some(news) => out.push(news.into()),
                None => out.push(Payload::User { speaker: said.speaker, text: said.text }),
            }
        }
        odd_parts(&item.content, out);
    }

    /// Tells a message of another agent, whose last one says that its work is done.
    fn mail(&mut self, item: &Item<'_>, out: &mut Emit<'_, '_>) {
        self.steps.end();
        let text = joined(&item.content);
        if let Some(news) = agents::mail(&text) {
            return out.push(news.into());
        }
        let speaker = if self.prompter == Speaker::Parent { Speaker::Parent } else { Speaker::Injected };
        out.push(Payload::User { speaker, text: text.into() });
    }

    /// Tells what an event of the runtime means.
    fn heard(&mut self, item: &Item<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match runtime::hear(item) {
            Heard::Marks(marks) => {
                self.steps.end();
                if marks.contains(&Mark::TurnEnded) {
                    self.finish = Finish::Told;
                }
                marks.iter().for_each(|mark| out.push(Payload::Mark(*mark)));
            }
            Heard::RolledBack(turns) => {
                self.steps.end();
                out.push(Payload::Mark(Mark::RolledBack { turns }));
            }
            Heard::Charged(charge) => self.charge(charge, "token_count", out),
            Heard::Began => {
                self.steps.end();
                self.calls.forget();
                self.finish = Finish::Told;
                out.bookkeeping("task_started");
            }
            Heard::Ended => {
                self.calls.ended(item);
                out.bookkeeping(item.kind.as_str());
            }
            Heard::Nothing => out.bookkeeping(item.kind.as_str()),
            Heard::Unknown => unknown("event_msg/", item.kind.as_str(), bytes, out),
        }
    }

    fn charge(&mut self, charge: Charge, kind: &str, out: &mut Emit<'_, '_>) {
        if self.charged.replace(charge).is_some_and(|last| charge.repeats(last)) {
            return out.bookkeeping(kind);
        }
        out.usage = Some(charge.usage);
        out.push_in(self.steps.number, Payload::Mark(Mark::Counted));
    }
}

impl Item<'_> {
    /// The type of line that a bare item would stand in.
    fn layer(&self) -> &str {
        match self.kind.filled() {
            Some(_) => "response_item",
            None if self.record_type.filled().is_some() => "world_state",
            None if self.role.filled().is_some() => "response_item",
            None if self.id.filled().is_some() && self.timestamp.filled().is_some() => "session_meta",
            None => "",
        }
    }
}

fn turn_context(item: &Item<'_>, out: &mut Emit<'_, '_>) {
    if let Some(model) = item.model.filled() {
        out.fact(Fact::Model(out.lane.clone(), model.into()));
    }
    if let Some(cwd) = item.cwd.filled() {
        out.fact(Fact::Directory(cwd.into()));
    }
}

/// Tells the parts of a message that are no objects; a message that says nothing is bookkeeping.
fn odd_parts(content: &Content<'_, Part<'_>>, out: &mut Emit<'_, '_>) {
    if let Content::Parts(parts) = content {
        for part in parts.iter().filter(|part| part.is_odd()) {
            out.push(Payload::Unrecognised { name: format!("message/{ODD}").into(), text: part.text.as_str().into() });
        }
    }
    if out.is_empty() {
        out.bookkeeping("message");
    }
}

/// The texts of a content in one.
fn joined(content: &Content<'_, Part<'_>>) -> String {
    match content {
        Content::Absent => String::new(),
        Content::Text(text) => text.as_ref().to_owned(),
        Content::Parts(parts) => parts.iter().filter(|part| !part.is_odd()).map(|part| part.text.as_str()).collect(),
    }
}
