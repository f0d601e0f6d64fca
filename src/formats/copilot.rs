//! GitHub Copilot CLI: `~/.copilot/session-state/<id>/events.jsonl` (github/copilot-sdk, `session-events`).
//!
//! A line is an event, appended; `parentId` is only the line before. A call is asked for, started and completed, each by a line of its
//! own. A compaction runs beside the agent: what was said since it began stays as it is. A rewind makes the file shorter. The first
//! versions wrote a document instead.

mod line;
mod names;
mod old;
mod outcome;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use self::line::{Data, Line, joined};
use self::outcome::Shell;
use super::adapter::{Adapter, Format, Opening, Recognised};
use super::emit::Emit;
use super::json::{self, Text, each_record};
use super::outcome::exited;
use super::told::Told;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Fact, Input, JobState, Kept, LaneKey, Mark, Outcome, Payload, Record,
    Resolution, Sink, Speaker, Trigger, Usage, Whereabouts,
};

const AGENT: Agent = Agent("copilot-cli");

/// A session is a folder with this file in it.
const EVENTS: Whereabouts =
    Whereabouts { depth: 1, prefix: "events", suffix: ".jsonl", not_below: Some("checkpoints"), ..Whereabouts::new(AGENT) };

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["copilot", "github-copilot"],
    title: "GitHub Copilot CLI",
    containers: &[Container::Lines, old::DOCUMENT],
    recognises,
    open: |opening| Box::new(Copilot::new(opening)),
    whereabouts: &[
        Whereabouts { variable: "COPILOT_HOME", home: ".copilot", folders: &["session-state"], ..EVENTS },
        Whereabouts { variable: "XDG_STATE_HOME", home: "", folders: &[".copilot/session-state"], ..EVENTS },
        Whereabouts {
            variable: "COPILOT_HOME",
            home: ".copilot",
            folders: &["history-session-state"],
            depth: 0,
            prefix: "session_",
            suffix: ".json",
            ..Whereabouts::new(AGENT)
        },
    ],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let enveloped = record.get("data").is_some_and(Value::is_object) && record.contains_key("id");
    if old::is_session(record) {
        return Recognised::Yes;
    }
    match names::FAMILIES.iter().any(|family| kind.starts_with(family)) || kind == "abort" {
        true if enveloped && record.contains_key("parentId") => Recognised::Yes,
        true if enveloped => Recognised::Maybe,
        _ => Recognised::No,
    }
}

struct Copilot {
    lane: LaneKey<'static>,
    facts: Told,
    /// Calls that were asked for and did not start so far.
    asked: FxHashSet<String>,
    /// Calls that are known.
    known: FxHashSet<String>,
    /// The shells that open calls look after.
    polls: FxHashMap<String, String>,
    /// The messages of the main lane, from the beginning of a compaction that is under way.
    since: Option<(Trigger, Vec<String>)>,
    /// All messages of the main lane.
    messages: Vec<String>,
    /// Whether the main agent is at work.
    at: Work,
}

/// Whether an agent is at work: what is typed then is typed into its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Rests,
    Works,
}

impl Copilot {
    fn new(opening: &Opening) -> Self {
        Self {
            lane: opening.lane.clone(),
            facts: Told::default(),
            asked: FxHashSet::default(),
            known: FxHashSet::default(),
            polls: FxHashMap::default(),
            since: None,
            messages: Vec::new(),
            at: Work::Rests,
        }
    }
}

impl Adapter for Copilot {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let none = Data::default();
            let data = line.data.0.as_ref().unwrap_or(&none);
            let lane = match line.agent_id.filled().or(data.parent_tool_call_id.filled()) {
                Some(agent) => LaneKey::Sub(Cow::Borrowed(agent)),
                None => self.lane.clone(),
            };
            self.told(&line, data, &lane, sink);
            let is_main = lane == LaneKey::Main;
            let mut out = Emit::new(lane, record.place, sink);
            (out.record, out.at) = (line.id.filled(), line.timestamp.filled().and_then(Stamp::parse));
            match (&line.timeline.0, line.session_id.filled()) {
                (Some(entry), _) => self.entry(entry, record.bytes, &mut out),
                (None, Some(session)) if line.kind.filled().is_none() => out.fact(Fact::Session(session.into())),
                (None, _) => self.event(&line, data, record.bytes, &mut out),
            }
            if out.is_empty() {
                out.bookkeeping(line.kind.as_str());
            } else if let Some(id) = line.id.filled().filter(|_| is_main) {
                self.remember(line.kind.as_str(), id);
            }
            Ok(())
        });
    }
}

impl Copilot {
    /// Tells what an event says about its session.
    fn told(&mut self, line: &Line<'_>, data: &Data<'_>, lane: &LaneKey<'_>, sink: &mut dyn Sink) {
        if let Some(context) = &data.context.0 {
            self.facts.place(&context.cwd, &context.branch, sink);
        }
        let model = match line.kind.as_str() {
            "session.start" => {
                self.facts.session(&data.session_id, &data.copilot_version, sink);
                data.selected_model.filled()
            }
            "session.model_change" => data.new_model.filled(),
            "session.title_changed" => {
                if let Some(title) = data.title.filled() {
                    sink.fact(Fact::Title(title.into()));
                }
                None
            }
            "assistant.message" | "tool.execution_complete" => data.model.filled(),
            _ => None,
        };
        self.facts.lane(lane, model, sink);
    }

    /// Notes a message of the main lane, by which a compaction or a truncation says what it kept.
    fn remember(&mut self, kind: &str, id: &str) {
        if matches!(kind, "session.compaction_complete" | "session.truncation" | "session.context_cleared") {
            return;
        }
        if let Some((_, since)) = &mut self.since {
            since.push(id.to_owned());
        }
        if matches!(kind, "user.message" | "assistant.message" | "tool.execution_complete") {
            self.messages.push(id.to_owned());
        }
    }

    fn event<'l>(&mut self, line: &'l Line<'_>, data: &'l Data<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        match line.kind.as_str() {
            "user.message" => prompt(data, self.at, out),
            "assistant.turn_start" | "assistant.turn_end" if out.lane == LaneKey::Main => {
                self.at = if line.kind.as_str() == "assistant.turn_start" { Work::Works } else { Work::Rests };
            }
            "assistant.message" => self.answer(data, out),
            "assistant.reasoning" => {
                let text = joined(&data.content);
                out.push(Payload::Reasoning { text });
            }
            "tool.execution_start" => self.start(data, out),
            "tool.execution_complete" => self.complete(data, out),
            "system.message" => out.push(Payload::User { speaker: Speaker::Rules, text: joined(&data.content) }),
            "system.notification" => notification(data, out),
            "skill.invoked" => injected(joined(&data.content), out),
            "abort" => self.abort(out),
            "session.error" => out.push(Payload::Mark(Mark::RequestFailed)),
            "session.task_complete" => out.push(Payload::Mark(Mark::TurnEnded)),
            "session.shutdown" => {
                out.usage = counted(data.current_tokens.or_zero(), 0);
                out.push(Payload::Mark(Mark::SessionEnded));
            }
            "session.usage_record" | "session.usage_checkpoint" | "assistant.usage" => charged(data, out),
            "session.compaction_start" => self.compaction_starts(data, out),
            "session.compaction_complete" => self.compaction(data, out),
            "session.truncation" => self.truncation(data, out),
            "session.context_cleared" => {
                out.push(Payload::Boundary(Boundary { trigger: Trigger::Manual, ..Boundary::of(BoundaryKind::Dropped) }));
            }
            "session.start" | "session.model_change" | "session.title_changed" => {}
            kind if names::ASIDES.contains(&kind) || kind.ends_with("_delta") => {}
            kind => out.unrecognised(if kind.is_empty() { "(no type)" } else { kind }, bytes),
        }
    }

    fn answer<'l>(&mut self, data: &'l Data<'_>, out: &mut Emit<'l, '_>) {
        out.step = data.message_id.filled();
        if let Some(text) = data.reasoning_text.filled() {
            out.push(Payload::Reasoning { text: text.into() });
        }
        let text = joined(&data.content);
        if !text.is_empty() {
            out.push(Payload::Assistant { text });
        }
        for request in data.tool_requests.0.iter().filter_map(|request| request.0.as_ref()) {
            self.asked.insert(request.tool_call_id.as_str().to_owned());
            self.call(request.tool_call_id.as_str(), request.name.as_str(), request.arguments, out);
        }
    }

    fn call(&mut self, id: &str, tool: &str, arguments: Option<&RawValue>, out: &mut Emit<'_, '_>) {
        let arguments = arguments.map_or("{}", RawValue::get);
        if let Some(shell) = polled(tool, arguments) {
            self.polls.insert(id.to_owned(), shell);
        }
        if self.known.insert(id.to_owned()) {
            out.push(Payload::Call(Call { id: id.into(), tool: tool.into(), input: Input::Json(arguments.into()) }));
        } else {
            out.skip();
        }
    }

    /// Tells a start whose request stands nowhere: what a person ran, or what an older version did not record.
    fn start(&mut self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        self.asked.remove(data.tool_call_id.as_str());
        self.call(data.tool_call_id.as_str(), data.tool_name.as_str(), data.arguments, out);
    }

    fn complete(&mut self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        let id = data.tool_call_id.as_str();
        self.asked.remove(id);
        let given = data.result.0.as_ref().map(|result| joined(&result.content)).unwrap_or_default();
        let failure = data.error.0.as_ref();
        let text = if given.is_empty() { failure.map_or("", |failure| failure.message.as_str()) } else { &given };
        let code = data.shell_execution.0.as_ref().and_then(|shell| shell.exit_code);
        let shell = outcome::shell(text);
        let poll = self.polls.remove(id);
        let outcome = match (data.success, &poll, &shell, code) {
            (Some(false), ..) => outcome::failure(failure.map_or("", |failure| failure.code.as_str()), text),
            // A poll did its work, whatever it says of the command.
            (_, Some(_), ..) => Outcome::Success,
            (_, None, Some(Shell::Runs(id)), _) => Outcome::Started { handle: (*id).into() },
            (_, None, _, Some(code)) => exited(code),
            (_, None, Some(Shell::Exited(code)), None) => exited(*code),
            (_, None, None | Some(Shell::Stopped), None) => match outcome::agent(text) {
                Some(agent) => Outcome::Started { handle: agent.into() },
                None => Outcome::Success,
            },
        };
        out.push(Payload::Resolution(Resolution { call: id.into(), outcome, text: text.into(), said: None }));
        let state = match (&shell, code) {
            (Some(Shell::Exited(code)), _) => outcome::state(*code),
            (Some(Shell::Stopped), _) => JobState::Killed,
            (_, Some(code)) => outcome::state(code),
            _ => return,
        };
        if let Some(handle) = poll {
            // The model reads the news in the result itself.
            out.aside(Payload::Job { handle: handle.into(), state, text: "".into() });
        }
    }

    /// Tells that a person stopped the turn. What was asked for and not started did not begin.
    fn abort(&mut self, out: &mut Emit<'_, '_>) {
        let mut asked: Vec<String> = self.asked.drain().collect();
        asked.sort_unstable();
        for id in asked {
            let outcome = Outcome::Refused;
            out.aside(Payload::Resolution(Resolution { call: id.into(), outcome, text: "".into(), said: None }));
        }
        out.push(Payload::Mark(Mark::Interrupted));
    }

    fn compaction_starts(&mut self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        let trigger = match data.trigger.as_str() {
            "manual" => Trigger::Manual,
            "" if data.custom_instructions.filled().is_some() => Trigger::Manual,
            "" => Trigger::Unknown,
            _ => Trigger::Auto,
        };
        self.since = Some((trigger, Vec::new()));
        let context = [data.system_tokens, data.conversation_tokens, data.tool_definitions_tokens].map(json::Number::or_zero);
        out.usage = counted(context.iter().sum(), 0);
        if out.usage.is_some() {
            out.push(Payload::Mark(Mark::Counted));
        }
    }

    /// Tells a compaction that has come to its end: what was said since it began stays.
    fn compaction(&mut self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        let (trigger, since) = self.since.take().unwrap_or((Trigger::Unknown, Vec::new()));
        if data.success == Some(false) {
            return;
        }
        out.push(Payload::Boundary(Boundary {
            trigger,
            tokens_before: data.pre_compaction_tokens.0,
            tokens_after: data.post_compaction_tokens.0,
            kept: records(since),
            ..Boundary::of(BoundaryKind::Summary)
        }));
        out.push(Payload::Summary { text: data.summary_content.as_str().into(), opaque: data.summary_content.filled().is_none() });
    }

    /// Tells that the oldest messages were dropped: as many as the record says stay.
    fn truncation(&mut self, data: &Data<'_>, out: &mut Emit<'_, '_>) {
        let stay = usize::try_from(data.post_truncation_messages_length.or_zero()).unwrap_or(usize::MAX);
        let kept = self.messages.split_off(self.messages.len().saturating_sub(stay));
        self.messages.clone_from(&kept);
        out.push(Payload::Boundary(Boundary {
            trigger: Trigger::Auto,
            tokens_before: data.pre_truncation_tokens.0,
            tokens_after: data.post_truncation_tokens.0,
            kept: records(kept),
            ..Boundary::of(BoundaryKind::Dropped)
        }));
    }
}

fn records(ids: Vec<String>) -> Kept<'static> {
    if ids.is_empty() { Kept::Nothing } else { Kept::Records(ids.into_iter().map(Cow::Owned).collect()) }
}

/// Tells a prompt. `transformedContent` is what the model was sent: what it has beside the typed text is the runtime's.
fn prompt(data: &Data<'_>, at: Work, out: &mut Emit<'_, '_>) {
    let typed = joined(&data.content);
    let sent = data.transformed_content.as_str();
    let speaker = match (&out.lane, at) {
        (LaneKey::Main, Work::Rests) => Speaker::Human,
        (LaneKey::Main, Work::Works) => Speaker::Steering,
        _ => Speaker::Parent,
    };
    if typed.trim().is_empty() {
        return injected(sent.into(), out);
    }
    // A slash command without words says nothing; the words behind one are the person's.
    let is_bare_command = typed.starts_with('/') && !typed.trim().contains(char::is_whitespace);
    out.push(Payload::User { speaker: if is_bare_command { Speaker::Injected } else { speaker }, text: Cow::Borrowed(&typed) });
    match sent.split_once(typed.as_ref()) {
        Some((before, after)) => [before, after].into_iter().for_each(|part| injected(part.trim().into(), out)),
        None => injected(sent.into(), out),
    }
}

/// Tells news of something in the background.
fn notification(data: &Data<'_>, out: &mut Emit<'_, '_>) {
    let text = joined(&data.content);
    let Some(news) = &data.kind.0 else { return injected(text, out) };
    let state = match (news.status.as_str(), news.exit_code) {
        (_, Some(code)) => outcome::state(code),
        ("failed" | "error", _) => JobState::Failed,
        ("cancelled" | "stopped" | "killed", _) => JobState::Killed,
        ("completed" | "idle", _) => JobState::Completed,
        _ if news.kind.as_str().ends_with("_completed") => JobState::Completed,
        _ => JobState::Running,
    };
    match news.shell_id.filled().or(news.agent_id.filled()) {
        Some(handle) => out.push(Payload::Job { handle: handle.into(), state, text }),
        None => injected(text, out),
    }
}

fn injected(text: Cow<'_, str>, out: &mut Emit<'_, '_>) {
    if !text.trim().is_empty() {
        out.push(Payload::User { speaker: Speaker::Injected, text });
    }
}

fn charged(data: &Data<'_>, out: &mut Emit<'_, '_>) {
    out.usage = match &data.usage.0 {
        Some(usage) => counted(usage.input_tokens.or_zero(), usage.output_tokens.or_zero()),
        None => counted(data.input_tokens.or_zero(), data.output_tokens.or_zero()),
    };
    if out.usage.is_some() {
        out.push(Payload::Mark(Mark::Counted));
    }
}

fn counted(input: u64, output: u64) -> Option<Usage> {
    (input > 0).then_some(Usage { input, output, window: None })
}

/// The shell that a call looks after: reads from it, writes to it, stops it.
fn polled(tool: &str, arguments: &str) -> Option<String> {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Handles<'a> {
        #[serde(borrow)]
        shell_id: Text<'a>,
    }
    if !["read_", "write_", "stop_"].iter().any(|verb| tool.starts_with(verb)) {
        return None;
    }
    let handles: Handles<'_> = serde_json::from_str(arguments).unwrap_or_default();
    handles.shell_id.filled().map(str::to_owned)
}
