//! pi: `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl` (badlogic/pi-mono, `core/session-manager.ts`, versions 1 to 3).
//!
//! A tree of entries, appended: each names its parent, and the context is the path to the newest. Version 1 has no ids. Now and then
//! two entries stand on one line.

mod line;
mod outcome;
mod path;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::line::{Charged, Entry, Message, Part};
use self::path::Path;
use super::adapter::{Adapter, Format, Opening, Recognised};
use super::branch::Branch;
use super::emit::Emit;
use super::json::{self, Content, Text, each_record};
use super::told::Told;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Fact, Input, Kept, LaneKey, Mark, Outcome, Payload, Record, Resolution, Sink,
    Speaker, Usage, Whereabouts,
};

const AGENT: Agent = Agent("pi");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["pi-coding-agent"],
    title: "pi",
    containers: &[Container::Lines],
    recognises,
    open: |opening| Box::new(Pi::new(opening)),
    whereabouts: &[Whereabouts {
        variable: "PI_CODING_AGENT_DIR",
        home: ".pi/agent",
        folders: &["sessions"],
        suffix: ".jsonl",
        ..Whereabouts::new(AGENT)
    }],
};

/// Types of entries that carry nothing for the model.
const ASIDES: &[&str] = &["session", "thinking_level_change", "model_change", "custom", "label", "session_info"];

fn recognises(record: &Map<String, Value>) -> Recognised {
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let role = record.get("message").and_then(|message| message.get("role")).and_then(Value::as_str);
    match text("type") {
        Some("session") if text("id").is_some() && text("cwd").is_some() && !record.contains_key("schema") => Recognised::Yes,
        Some("compaction") if record.contains_key("firstKeptEntryId") || record.contains_key("firstKeptEntryIndex") => {
            Recognised::Yes
        }
        Some("message") if matches!(role, Some("toolResult" | "bashExecution")) => Recognised::Yes,
        Some("message") if role.is_some() && text("timestamp").is_some() && !record.contains_key("uuid") => Recognised::Maybe,
        Some(kind) if ASIDES.contains(&kind) && record.contains_key("parentId") => Recognised::Maybe,
        _ => Recognised::No,
    }
}

struct Pi {
    lane: LaneKey<'static>,
    branch: Branch,
    path: Path,
    facts: Told,
}

impl Pi {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), branch: Branch::default(), path: Path::default(), facts: Told::default() }
    }
}

impl Adapter for Pi {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let entry: Entry<'_> = json::read(record.bytes)?;
            let id = entry.id.filled().map_or_else(|| self.path.next_id(), str::to_owned);
            let parent = entry.parent_id.filled();
            let spot = self.branch.find(Some(&id), parent);
            let left = self.branch.left_by(&spot);
            self.path.add(id.clone(), parent);
            self.told(&entry, sink);

            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            (out.record, out.at) = (Some(id.as_str()), entry.timestamp.filled().and_then(Stamp::parse));
            // Whatever goes on from an older entry leaves what stands behind that, not a prompt alone.
            if left > 0 {
                out.aside(Payload::Mark(Mark::RolledBack { turns: left }));
                self.branch.leave(left);
            }
            self.entry(&entry, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping(&name(&entry));
            }
            let was = out.was;
            self.branch.follow(&spot, was);
            Ok(())
        });
    }
}

impl Pi {
    /// Tells what an entry says about its session.
    fn told(&mut self, entry: &Entry<'_>, sink: &mut dyn Sink) {
        let none = Text::default();
        match entry.kind.as_str() {
            "session" => {
                self.facts.session(&entry.id, &none, sink);
                self.facts.place(&entry.cwd, &none, sink);
            }
            "session_info" => {
                if let Some(title) = entry.name.filled() {
                    sink.fact(Fact::Title(title.into()));
                }
            }
            _ => {}
        }
        let answers = entry.message.0.as_ref().and_then(|message| message.model.filled());
        self.facts.lane(&self.lane, answers.or(entry.model_id.filled()), sink);
    }

    fn entry(&self, entry: &Entry<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match (entry.kind.as_str(), &entry.message.0) {
            ("message", Some(message)) => self.message(message, bytes, out),
            ("compaction", _) => self.compaction(entry, out),
            ("branch_summary", _) => injected(entry.summary.as_str().into(), out),
            ("custom_message", _) => injected(joined(&entry.content), out),
            (kind, _) if ASIDES.contains(&kind) => {}
            (kind, _) => out.unrecognised(if kind.is_empty() { "(no type)" } else { kind }, bytes),
        }
    }

    fn message(&self, message: &Message<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        match message.role.as_str() {
            "user" => {
                let speaker = if self.lane == LaneKey::Main { Speaker::Human } else { Speaker::Parent };
                prompt(&message.content, speaker, out);
            }
            "assistant" => answer(message, out),
            "toolResult" => result(message, out),
            // What a person ran in their own shell; the model may be told of it.
            "bashExecution" if message.exclude_from_context.0 => {}
            "bashExecution" => injected(format!("$ {}\n{}", message.command.as_str(), message.output.as_str()).into(), out),
            "custom" => injected(joined(&message.content), out),
            "branchSummary" => injected(message.summary.as_str().into(), out),
            // The compaction's own entry has told it.
            "compactionSummary" => {}
            role => out.unrecognised(&format!("message/{role}"), bytes),
        }
    }

    /// Tells a compaction: what stays is the path from the first kept entry on. Where that is the compaction itself, or no entry of the
    /// path, nothing does.
    fn compaction(&self, entry: &Entry<'_>, out: &mut Emit<'_, '_>) {
        let first = match (entry.first_kept_entry_id.filled(), entry.first_kept_entry_index.0) {
            (Some(id), _) => Some(Cow::Borrowed(id)),
            (None, Some(place)) => Some(Cow::Owned(Path::by_place(place))),
            (None, None) => None,
        };
        let path = first.map_or_else(Vec::new, |first| self.path.from(&first));
        // The newest entry is the compaction.
        let kept: Vec<Cow<'_, str>> =
            path.split_last().map_or(&[][..], |(_, kept)| kept).iter().map(|id| Cow::Borrowed(*id)).collect();
        out.push(Payload::Boundary(Boundary {
            tokens_before: entry.tokens_before.0,
            kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
            ..Boundary::of(BoundaryKind::Summary)
        }));
        out.push(Payload::Summary { text: entry.summary.as_str().into(), opaque: false });
    }
}

fn prompt(content: &Content<'_, Part<'_>>, speaker: Speaker, out: &mut Emit<'_, '_>) {
    let parts = match content {
        Content::Absent => return,
        Content::Text(text) => return out.push(Payload::User { speaker, text: Cow::Borrowed(text) }),
        Content::Parts(parts) => parts,
    };
    for part in parts {
        match part.kind.as_str() {
            "text" => out.push(Payload::User { speaker, text: part.text.as_str().into() }),
            "image" => injected("[image]".into(), out),
            kind => unknown_part("user", kind, part, out),
        }
    }
}

fn answer(message: &Message<'_>, out: &mut Emit<'_, '_>) {
    out.step = out.record;
    out.usage = message.usage.0.as_ref().and_then(usage);
    let stop = message.stop_reason.as_str();
    // A message that was cut off is never acted on (`agent/agent-loop.ts`): its calls did not begin, and nothing answers them.
    let is_cut_off = matches!(stop, "aborted" | "error");
    if let Content::Text(text) = &message.content {
        out.push(Payload::Assistant { text: Cow::Borrowed(text) });
    }
    let parts = if let Content::Parts(parts) = &message.content { parts.as_slice() } else { &[] };
    for part in parts {
        match part.kind.as_str() {
            "text" if part.text.filled().is_some() => out.push(Payload::Assistant { text: part.text.as_str().into() }),
            "text" => {}
            "thinking" => out.push(Payload::Reasoning { text: part.thinking.as_str().into() }),
            "toolCall" => {
                let (id, tool) = (part.id.as_str(), part.name.as_str());
                let input = Input::Json(Cow::Borrowed(part.arguments.map_or("{}", |arguments| arguments.get())));
                out.push(Payload::Call(Call { id: id.into(), tool: tool.into(), input }));
                if is_cut_off {
                    let (outcome, text) = (Outcome::Refused, "".into());
                    out.push(Payload::Resolution(Resolution { call: id.into(), outcome, text, said: None }));
                }
            }
            kind => unknown_part("assistant", kind, part, out),
        }
    }
    match stop {
        "aborted" => out.push(Payload::Mark(Mark::Interrupted)),
        "error" => out.push(Payload::Mark(Mark::RequestFailed)),
        "stop" => out.push(Payload::Mark(Mark::TurnEnded)),
        _ if out.is_empty() && out.usage.is_some() => out.push(Payload::Mark(Mark::Counted)),
        _ => {}
    }
}

fn result(message: &Message<'_>, out: &mut Emit<'_, '_>) {
    let text = joined(&message.content);
    let outcome = if message.is_error.0 { outcome::failure(&text) } else { Outcome::Success };
    out.push(Payload::Resolution(Resolution { call: message.tool_call_id.as_str().into(), outcome, text, said: None }));
}

/// What a message was charged: the whole prompt is what was read, written to the cache, and read from it.
fn usage(charged: &Charged) -> Option<Usage> {
    let input = [charged.input, charged.cache_read, charged.cache_write].into_iter().map(json::Number::or_zero).sum();
    (input > 0).then_some(Usage { input, output: charged.output.or_zero(), window: None })
}

fn injected(text: Cow<'_, str>, out: &mut Emit<'_, '_>) {
    if !text.trim().is_empty() {
        out.push(Payload::User { speaker: Speaker::Injected, text });
    }
}

fn unknown_part(role: &str, kind: &str, part: &Part<'_>, out: &mut Emit<'_, '_>) {
    out.push(Payload::Unrecognised { name: format!("{role}:{kind}").into(), text: part.text.as_str().into() });
}

/// The texts of a content, one part a line; a picture leaves a mark.
fn joined<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    let says = |part: &'c Part<'_>| if part.kind.as_str() == "image" { "[image]" } else { part.text.as_str() };
    match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Parts(parts) => match parts.as_slice() {
            [only] => Cow::Borrowed(says(only)),
            parts => Cow::Owned(parts.iter().map(says).collect::<Vec<_>>().join("\n")),
        },
    }
}

/// The name of an entry's type: `message/user`, `label`.
fn name(entry: &Entry<'_>) -> String {
    let kind = entry.kind.filled().unwrap_or("(no type)");
    match entry.message.0.as_ref().and_then(|message| message.role.filled()) {
        Some(role) => format!("{kind}/{role}"),
        None => kind.to_owned(),
    }
}
