//! Claude Code: `~/.claude/projects/<project>/<session>.jsonl`, versions 1.0.69 to 2.1.28x.
//!
//! One JSON object a line, appended. A message of the API is several lines, one block each, joined by `message.id`. Sub-agents have
//! files of their own below the session's folder, or beside the session (2.0.x), or stand in it as side-chains (1.0.x); what the main
//! file repeats of an agent that has a file is left out.

mod aside;
mod attachment;
mod boundary;
mod facts;
mod lanes;
mod line;
mod marks;
mod message;
mod names;
mod outcome;
mod result;
pub mod stream;
#[cfg(test)]
mod testing;
mod zone;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::facts::Facts;
use self::lanes::Lanes;
use self::line::Line;
use super::adapter::{Adapter, Format, Opening, Recognised};
use super::branch::Branch;
use super::emit::Emit;
use super::json::{self, Flag};
use crate::base::time::Stamp;
use crate::transcript::{Agent, Brood, Container, Fact, LaneKey, Record, Sink, Whereabouts};

const AGENT: Agent = Agent("claude-code");

/// The registry's row. `agent-<id>.jsonl`, in a session's `subagents` or beside it, is a sub-agent and no session.
pub const FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["claude"],
    title: "Claude Code",
    containers: &[Container::Lines],
    recognises,
    open,
    whereabouts: &[Whereabouts {
        variable: "CLAUDE_CONFIG_DIR",
        home: ".claude",
        folders: &["projects"],
        suffix: ".jsonl",
        not_below: Some("subagents"),
        children: Some(Brood::Own { folder: "subagents", prefix: "agent-" }),
        ..Whereabouts::new(AGENT)
    }],
};

/// The envelope of a message is this agent's alone; the records without one are known by their type.
fn recognises(record: &Map<String, Value>) -> Recognised {
    let has = |key| record.get(key).is_some_and(Value::is_string);
    let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let envelope = has("sessionId") && has("uuid") && record.contains_key("isSidechain") && !kind.is_empty();
    // Qwen Code has the same envelope, and another message in it.
    let envelope = envelope
        && !record.contains_key("provenance")
        && record.get("message").is_none_or(|message| message.get("parts").is_none());
    let named = names::RECORDS.has(kind) || kind == "queue-operation";
    let content = record.get("message").and_then(|message| message.get("content"));
    if envelope || named && (has("sessionId") || has("messageId") || has("leafUuid")) {
        Recognised::Yes
    } else if matches!(kind, "user" | "assistant") && has("uuid") && record.contains_key("parentUuid") && content.is_some() {
        Recognised::Maybe
    } else {
        Recognised::No
    }
}

fn open(opening: &Opening) -> Box<dyn Adapter> {
    Box::new(Claude { lanes: Lanes::new(opening.clone()), branch: Branch::default(), facts: Facts::default() })
}

struct Claude {
    lanes: Lanes,
    branch: Branch,
    facts: Facts,
}

impl Adapter for Claude {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        json::each_record(record, sink, |record, sink| {
            let mut read = json::read::<Line<'_>>(record.bytes);
            // A line is large: it is not moved once more.
            if let Ok(line) = &mut read {
                self.line(line, record, sink);
            }
            read.map(drop)
        });
    }
}

impl Claude {
    fn line(&mut self, line: &mut Line<'_>, record: Record<'_>, sink: &mut dyn Sink) {
        self.facts.tell(line, sink);
        let nested = nested(line);
        let (spoken, lane) = match &nested {
            Some(nested) => (&**nested, self.lanes.sub(nested.agent_id.as_str())),
            None => (&*line, self.lanes.of(line)),
        };
        let Some(lane) = lane else { return sink.fact(Fact::Bookkeeping(name(line))) };
        self.facts.lane(&lane, spoken.message.0.as_ref().and_then(|message| message.model.filled()), sink);

        let is_main = lane == LaneKey::Main;
        let mut emit = Emit::new(lane, record.place, sink);
        let spot = is_main.then(|| self.branch.find(spoken.uuid.filled(), spoken.parent_uuid.filled()));
        if let Some(spot) = &spot {
            emit.leaves = self.branch.left_by(spot);
        }
        emit.record = spoken.uuid.filled();
        emit.at = spoken.timestamp.filled().and_then(Stamp::parse);
        translate(spoken, record, &mut emit);
        let (is_empty, was) = (emit.is_empty(), emit.was);
        if is_empty {
            sink.fact(Fact::Bookkeeping(name(line)));
        }
        if let Some(spot) = &spot {
            self.branch.follow(spot, was);
        }
    }
}

/// A sub-agent's message that its parent's file repeats inside a progress line.
fn nested<'a>(line: &mut Line<'a>) -> Option<Box<Line<'a>>> {
    let data = line.data.0.as_mut().filter(|data| data.kind.as_str() == "agent_progress" && data.agent_id.filled().is_some())?;
    let mut nested = data.message.0.take()?;
    nested.is_sidechain = Flag(true);
    nested.agent_id = data.agent_id.clone();
    if nested.timestamp.filled().is_none() {
        nested.timestamp = line.timestamp.clone();
    }
    Some(nested)
}

/// The events of a line, in order.
fn translate<'a>(line: &'a Line<'_>, record: Record<'_>, emit: &mut Emit<'a, '_>) {
    match (line.kind.as_str(), &line.message.0, &line.attachment.0) {
        ("user", Some(message), _) => message::user(line, message, emit),
        ("assistant", Some(message), _) => message::assistant(line, message, emit),
        ("attachment", _, Some(told)) => attachment::attachment(line, told, record.bytes, emit),
        ("system", ..) => aside::system(line, emit),
        ("progress", ..) => aside::progress(line, emit),
        ("queue-operation", ..) => aside::queue(line, emit),
        ("content-replacement", ..) => boundary::replacement(line, emit),
        (kind, ..) if names::RECORDS.has(kind) => {}
        _ => emit.unrecognised(&name(line), record.bytes),
    }
}

/// The name of a record's type: `user`, `system/turn_duration`, `progress/hook_progress`.
fn name<'l>(line: &'l Line<'_>) -> Cow<'l, str> {
    let kind = line.kind.filled().unwrap_or("(no type)");
    match line.subtype.filled().or_else(|| line.data.0.as_ref()?.kind.filled()) {
        Some(subtype) => Cow::Owned([kind, subtype].join("/")),
        None => Cow::Borrowed(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{events, told};
    use super::*;
    use crate::transcript::{Diagnostic, Event, LaneKey, Place};

    #[test]
    fn is_recognised_by_its_records() {
        for (record, expected) in [
            (r#"{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s1","message":{}}"#, Recognised::Yes),
            (r#"{"type":"hitherto-unknown","uuid":"u1","isSidechain":false,"sessionId":"s1"}"#, Recognised::Yes),
            (r#"{"type":"file-history-snapshot","messageId":"m1","snapshot":{},"isSnapshotUpdate":false}"#, Recognised::Yes),
            (r#"{"type":"summary","summary":"Fix the build","leafUuid":"u9"}"#, Recognised::Yes),
            (r#"{"type":"queue-operation","operation":"enqueue","sessionId":"s1"}"#, Recognised::Yes),
            (r#"{"type":"permission-mode","permissionMode":"default","sessionId":"s1"}"#, Recognised::Yes),
            (r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"content":"hi"}}"#, Recognised::Maybe),
            (r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"parts":[]}}"#, Recognised::No),
            (r#"{"type":"summary","text":"of another tool"}"#, Recognised::No),
            (r#"{"type":"assistant","session_id":"s1","message":{},"parent_tool_use_id":null}"#, Recognised::No),
            (r#"{"type":"session_meta","timestamp":"t","payload":{}}"#, Recognised::No),
            ("{}", Recognised::No),
        ] {
            assert_eq!((FORMAT.recognises)(&serde_json::from_str(record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn a_type_that_nobody_knows_is_kept_with_its_text() {
        let new = r#"{"type":"side-note","uuid":"u1","sessionId":"s1","note":"not shown","message":{"content":[{"type":"text","text":"keep v2"}]}}"#;
        assert_eq!(events(&[new]), ["Unrecognised side-note: keep v2"]);
        assert_eq!(events(&[r#"{"text":"no type"}"#]), ["Unrecognised (no type): no type"]);
        assert_eq!(events(&["{}"]), ["Unrecognised (no type): "]);
        assert_eq!(events(&[r#"{"type":"user","uuid":"u","message":"bare"}"#]), ["Unrecognised user: bare"]);
    }

    #[test]
    fn a_known_record_without_words_is_bookkeeping() {
        for (line, name) in [
            (r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{}}}"#, "file-history-snapshot"),
            (r#"{"type":"user","uuid":"u","message":{"role":"user","content":"  "}}"#, "user"),
            (r#"{"type":"assistant","uuid":"u","message":{"id":"m","content":[]}}"#, "assistant"),
            (r#"{"type":"progress","uuid":"u","data":{"type":"bash_progress","output":"x"}}"#, "progress/bash_progress"),
        ] {
            let told = told(&[line]);
            assert_eq!((told.events.len(), told.facts), (0, vec![format!("bookkeeping {name}")]), "{line}");
        }
    }

    #[test]
    fn no_field_of_another_type_costs_a_record() {
        let odd = r#"{"type":"user","uuid":5,"parentUuid":[],"timestamp":{},"isSidechain":null,"isMeta":"no","toolUseResult":[1],"origin":"x","message":{"role":"user","content":"hi","usage":7}}"#;
        assert_eq!(events(&[odd]), ["Human: hi"]);
        let odd = r#"{"type":"assistant","message":{"id":null,"model":3,"usage":{"input_tokens":null},"content":[{"type":"text","text":"ok"},7,{"type":"tool_use","id":"t","name":["x"]}]}}"#;
        assert_eq!(events(&[odd]), ["Assistant: ok", "Unrecognised assistant:(no object): 7", "Call t  null"]);
    }

    #[test]
    fn a_block_that_is_no_object_is_counted_and_its_words_kept() {
        let odd = r#"{"type":"user","uuid":"u","message":{"role":"user","content":["never push",5,[["a",{"type":"x","text":"b"}]],null,{"type":"text","text":"hi"}]}}"#;
        let unknown = |text: &str| format!("Unrecognised user:(no object): {text}");
        assert_eq!(events(&[odd]), [unknown("never push"), unknown("5"), unknown("a\nb"), "Human: hi".to_owned()]);
        let odd =
            r#"{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":["a",7]}]}}"#;
        let counted = "Unrecognised result:(no object): ";
        assert_eq!(events(&[odd]), ["Resolution t Success: a\n7", counted, counted]);
    }

    struct Envelopes(Vec<String>);

    impl Sink for Envelopes {
        fn event(&mut self, event: Event<'_>) {
            let or_none = |id: Option<Cow<'_, str>>| id.map_or("-".to_owned(), Cow::into_owned);
            let (record, step) = (or_none(event.record), or_none(event.step));
            let at = event.at.map_or("-".to_owned(), |at| at.to_string());
            let usage = event.usage.map_or(0, |usage| usage.input);
            self.0.push(format!("{} {} {record} {step} {at} {usage}", event.lane.name(), event.place.nth));
        }
        fn fact(&mut self, _: Fact<'_>) {}
        fn diagnostic(&mut self, _: Diagnostic) {}
    }

    #[test]
    fn every_event_says_where_it_belongs() {
        let lines = [
            r#"{"type":"assistant","uuid":"u1","timestamp":"2026-05-04T09:02:11.123Z","message":{"id":"msg_1","usage":{"input_tokens":7},"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}"#,
            r#"{"type":"user","uuid":"u2","timestamp":"no time","message":{"content":"c"}}"#,
            r#"{"type":"progress","uuid":"u3","timestamp":"2026-05-04T09:02:12Z","data":{"type":"agent_progress","agentId":"a1","message":{"type":"assistant","uuid":"n1","message":{"id":"msg_2","content":"d"}}}}"#,
            r#"{"type":"assistant","uuid":"u4","message":{"content":"without a message's id"}}"#,
        ];
        let mut told = Envelopes(Vec::new());
        let mut adapter = open(&Opening { lane: LaneKey::Main, elsewhere: Vec::new() });
        for line in lines {
            adapter.record(Record { bytes: line.as_bytes(), place: Place::default() }, &mut told);
        }
        let expected = [
            "main 0 u1 msg_1 2026-05-04T09:02:11Z 7",
            "main 1 u1 msg_1 2026-05-04T09:02:11Z 7",
            "main 0 u2 - - 0",
            "a1 0 n1 msg_2 2026-05-04T09:02:12Z 0",
            "main 0 u4 u4 - 0",
        ];
        assert_eq!(told.0, expected);
    }

    #[test]
    fn glued_records_are_two() {
        let glued = concat!(
            r#"{"type":"user","uuid":"u1","message":{"content":"one"}}"#,
            r#"{"type":"user","uuid":"u2","message":{"content":"two"}}"#
        );
        let told = told(&[glued]);
        assert_eq!(told.events, ["Human: one", "Human: two"]);
        assert_eq!(told.oddities, ["glued-records"]);
    }
}
