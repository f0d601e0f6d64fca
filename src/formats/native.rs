//! `owed`'s own format, for runtimes that write no transcript that is known: `assets/session.schema.json`, `owed.session/1`.
//!
//! One JSON object a line, appended. Events carry what the ledger asks of them under the words of its own vocabulary; records of a side
//! ledger may stand between them.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::adapter::{Adapter, Format, Recognised};
use super::emit::Emit;
use super::json::{self, List, Number, Text, each_record};
use super::told::Told;
use crate::base::time::Stamp;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Fact, Input, JobState, Kept, LaneKey, Mark, Outcome, Payload, Record,
    Resolution, Sink, Speaker, Trigger, Usage, Whereabouts,
};

const AGENT: Agent = Agent("owed");

/// The `schema` of a session's first line.
pub const SCHEMA: &str = "owed.session/1";

/// The `schema` of a ledger record, which may stand between the events.
const LEDGER: &str = "owed.ledger/1";

/// The format's row in the registry. A session lies wherever its runtime keeps it; what is put here is found.
pub static FORMAT: Format = Format {
    agent: AGENT,
    aliases: &["native"],
    title: "owed native",
    containers: &[Container::Lines],
    recognises,
    open: |opening| Box::new(Native { lane: opening.lane.clone(), told: Told::default() }),
    whereabouts: &[Whereabouts {
        variable: "XDG_STATE_HOME",
        home: ".local/state",
        folders: &["owed/sessions"],
        suffix: ".jsonl",
        ..Whereabouts::new(AGENT)
    }],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let schema = record.get("schema").and_then(Value::as_str).unwrap_or_default();
    if schema.starts_with("owed.session/") { Recognised::Yes } else { Recognised::No }
}

/// A line of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    schema: Text<'a>,
    /// Of a session, of a record that a compaction may name as kept, or of a call.
    id: Text<'a>,
    at: Text<'a>,
    lane: Text<'a>,
    step: Text<'a>,

    // A session.
    title: Text<'a>,
    version: Text<'a>,
    cwd: Text<'a>,
    branch: Text<'a>,
    model: Text<'a>,
    parent: Text<'a>,

    // What was said, and by whom.
    by: Text<'a>,
    text: Text<'a>,

    // A call, and its end.
    tool: Text<'a>,
    input: Option<&'a RawValue>,
    call: Text<'a>,
    outcome: Text<'a>,
    exit: Option<i32>,
    handle: Text<'a>,
    state: Text<'a>,
    said: Text<'a>,

    // What a request was charged.
    input_tokens: Number,
    output_tokens: Number,

    // A compaction.
    how: Text<'a>,
    trigger: Text<'a>,
    tokens_before: Number,
    tokens_after: Number,
    kept: List<Text<'a>>,
    masked: List<Text<'a>>,
    summary: Text<'a>,

    // A change of state.
    mark: Text<'a>,
    turns: Number,
}

struct Native {
    lane: LaneKey<'static>,
    told: Told,
}

impl Adapter for Native {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            if line.schema.as_str() == LEDGER {
                sink.fact(ledger(record)?);
                return Ok(());
            }
            let lane = line.lane.filled().map_or_else(
                || self.lane.clone(),
                |lane| match lane {
                    "main" => LaneKey::Main,
                    sub => LaneKey::Sub(sub.into()),
                },
            );
            self.told(&line, &lane, sink);
            let mut out = Emit::new(lane, record.place, sink);
            (out.at, out.step) = (line.at.filled().and_then(Stamp::parse), line.step.filled());
            out.record = line.id.filled().filter(|_| line.kind.as_str() != "session" && line.kind.as_str() != "call");
            out.usage = usage(&line);
            if tell(&line, &mut out).is_none() {
                out.unrecognised(line.kind.filled().unwrap_or("(no type)"), record.bytes);
            }
            if out.is_empty() {
                out.bookkeeping(line.kind.as_str());
            }
            Ok(())
        });
    }
}

impl Native {
    /// Tells what a line says about its session.
    fn told(&mut self, line: &Line<'_>, lane: &LaneKey<'_>, sink: &mut dyn Sink) {
        if line.kind.as_str() == "session" {
            self.told.session(&line.id, &line.version, sink);
            self.told.place(&line.cwd, &line.branch, sink);
            if let Some(title) = line.title.filled() {
                sink.fact(Fact::Title(title.into()));
            }
        }
        self.told.lane(lane, line.model.filled(), sink);
        if let Some(parent) = line.parent.filled().filter(|parent| *parent != "main") {
            sink.fact(Fact::Lane { lane: lane.clone(), parent: LaneKey::Sub(parent.into()) });
        }
    }
}

/// Tells the event of a line; none for a type or a word that nobody knows.
fn tell(line: &Line<'_>, out: &mut Emit<'_, '_>) -> Option<()> {
    let text = || Cow::Borrowed(line.text.as_str());
    match line.kind.as_str() {
        "session" => {}
        "user" => out.push(Payload::User { speaker: speaker(line.by.as_str())?, text: text() }),
        "assistant" => out.push(Payload::Assistant { text: text() }),
        "reasoning" => out.push(Payload::Reasoning { text: text() }),
        "call" => {
            let (id, tool) = (line.id.as_str().into(), line.tool.as_str().into());
            out.push(Payload::Call(Call { id, tool, input: input(line.input) }));
        }
        "result" => {
            let outcome = outcome(line)?;
            let said = line.said.filled().map(Cow::Borrowed);
            out.push(Payload::Resolution(Resolution { call: line.call.as_str().into(), outcome, text: text(), said }));
        }
        "job" => out.push(Payload::Job { handle: line.handle.as_str().into(), state: state(line.state.as_str())?, text: text() }),
        "compaction" => compaction(line, out)?,
        "mark" => out.push(Payload::Mark(mark(line)?)),
        "usage" => out.push(Payload::Mark(Mark::Counted)),
        _ => return None,
    }
    Some(())
}

fn speaker(by: &str) -> Option<Speaker> {
    Some(match by {
        "" | "human" => Speaker::Human,
        "steering" => Speaker::Steering,
        "injected" => Speaker::Injected,
        "parent" => Speaker::Parent,
        "rules" => Speaker::Rules,
        _ => return None,
    })
}

/// A string stands for itself; everything else is JSON.
fn input(raw: Option<&RawValue>) -> Input<'_> {
    let raw = raw.map_or("{}", RawValue::get);
    match serde_json::from_str::<Text<'_>>(raw) {
        Ok(Text(Some(text))) => Input::Text(text),
        _ => Input::Json(raw.into()),
    }
}

fn outcome<'l>(line: &'l Line<'_>) -> Option<Outcome<'l>> {
    Some(match line.outcome.as_str() {
        "success" => Outcome::Success,
        "" | "returned" => Outcome::Returned,
        "started" => Outcome::Started { handle: line.handle.as_str().into() },
        "failed" => Outcome::Failed { exit: line.exit },
        "refused" => Outcome::Refused,
        "declined" => Outcome::Declined,
        "timed_out" => Outcome::TimedOut,
        "interrupted" => Outcome::Interrupted,
        "lost" => Outcome::Lost,
        "synthetic" => Outcome::Synthetic,
        _ => return None,
    })
}

fn state(word: &str) -> Option<JobState> {
    Some(match word {
        "running" => JobState::Running,
        "completed" => JobState::Completed,
        "failed" => JobState::Failed,
        "killed" => JobState::Killed,
        _ => return None,
    })
}

fn mark(line: &Line<'_>) -> Option<Mark> {
    Some(match line.mark.as_str() {
        "turn_ended" => Mark::TurnEnded,
        "interrupted" => Mark::Interrupted,
        "session_ended" => Mark::SessionEnded,
        "request_failed" => Mark::RequestFailed,
        "rolled_back" => Mark::RolledBack { turns: u32::try_from(line.turns.0?).ok()? },
        _ => return None,
    })
}

fn compaction(line: &Line<'_>, out: &mut Emit<'_, '_>) -> Option<()> {
    let kind = match (line.how.as_str(), line.summary.filled()) {
        ("summary", _) | ("", Some(_)) => BoundaryKind::Summary,
        ("dropped", _) | ("", None) => BoundaryKind::Dropped,
        ("masking", _) => BoundaryKind::Masking,
        _ => return None,
    };
    let trigger = match line.trigger.as_str() {
        "auto" => Trigger::Auto,
        "manual" => Trigger::Manual,
        "" => Trigger::Unknown,
        _ => return None,
    };
    let ids =
        |list: &List<Text<'_>>| list.0.iter().filter_map(Text::filled).map(|id| Cow::Owned(id.to_owned())).collect::<Vec<_>>();
    let kept = ids(&line.kept);
    out.push(Payload::Boundary(Boundary {
        kind,
        trigger,
        tokens_before: line.tokens_before.0,
        tokens_after: line.tokens_after.0,
        kept: if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) },
        masked: ids(&line.masked),
        reinjected_bytes: 0,
    }));
    if kind == BoundaryKind::Summary {
        out.push(Payload::Summary { text: line.summary.as_str().into(), opaque: line.summary.filled().is_none() });
    }
    Some(())
}

fn usage(line: &Line<'_>) -> Option<Usage> {
    let usage = Usage { input: line.input_tokens.or_zero(), output: line.output_tokens.or_zero(), window: None };
    (usage.input > 0).then_some(usage)
}

/// A record of the ledger counts from where it stands, if it does not say otherwise.
fn ledger(record: Record<'_>) -> serde_json::Result<Fact<'static>> {
    let mut object: Map<String, Value> = serde_json::from_slice(record.bytes)?;
    object.entry("place").or_insert_with(|| serde_json::json!({ "line": record.place.line }));
    Ok(Fact::Ledger { json: Value::Object(object).to_string().into(), place: record.place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{events, told};

    const HEADER: &str = r#"{"type":"session","schema":"owed.session/1","id":"s-1","title":"Refunds","cwd":"/w/shop","model":"claude-opus-4-6","version":"1.2"}"#;

    #[test]
    fn is_recognised_by_its_header() {
        for (record, expected) in [
            (HEADER, Recognised::Yes),
            (r#"{"type":"session","id":"s","cwd":"/w"}"#, Recognised::No),
            (r#"{"schema":"owed.ledger/1","do":"open"}"#, Recognised::No),
        ] {
            assert_eq!(recognises(&serde_json::from_str(record).unwrap()), expected, "{record}");
        }
    }

    #[test]
    fn every_type_of_line() {
        for (line, expected) in [
            (r#"{"type":"user","text":"build"}"#, &["Human: build"][..]),
            (r#"{"type":"user","by":"steering","text":"stop"}"#, &["Steering: stop"]),
            (r#"{"type":"user","by":"parent","lane":"a1","text":"look"}"#, &["@a1 Parent: look"]),
            (r#"{"type":"assistant","text":"Building."}"#, &["Assistant: Building."]),
            (r#"{"type":"reasoning","text":"hm"}"#, &["Reasoning: hm"]),
            (r#"{"type":"call","id":"c1","tool":"sh","input":{"command":"make"}}"#, &[r#"Call c1 sh {"command":"make"}"#]),
            (r#"{"type":"call","id":"c1","tool":"patch","input":"*** Begin"}"#, &["Call c1 patch *** Begin"]),
            (
                r#"{"type":"result","call":"c1","outcome":"failed","exit":2,"text":"no"}"#,
                &["Resolution c1 Failed { exit: Some(2) }: no"],
            ),
            (
                r#"{"type":"result","call":"c1","outcome":"started","handle":"j1"}"#,
                &[r#"Resolution c1 Started { handle: "j1" }: "#],
            ),
            (
                r#"{"type":"result","call":"c1","outcome":"success","text":"ok","said":"yes"}"#,
                &[r#"Resolution c1 Success said "yes": ok"#],
            ),
            (r#"{"type":"job","handle":"j1","state":"killed","text":"gone"}"#, &["Job j1 Killed: gone"]),
            (
                r#"{"type":"compaction","trigger":"auto","tokens_before":9,"tokens_after":5,"kept":["r1"],"summary":"so far"}"#,
                &[r#"Boundary Summary Auto (Some(9), Some(5)) Records(["r1"]) masked []"#, "Summary: so far"],
            ),
            (
                r#"{"type":"compaction","how":"masking","masked":["c1"]}"#,
                &[r#"Boundary Masking Unknown (None, None) Nothing masked ["c1"]"#],
            ),
            (r#"{"type":"compaction"}"#, &["Boundary Dropped Unknown (None, None) Nothing masked []"]),
            (r#"{"type":"mark","mark":"rolled_back","turns":2}"#, &["RolledBack { turns: 2 }"]),
            (r#"{"type":"mark","mark":"turn_ended"}"#, &["TurnEnded"]),
            (r#"{"type":"usage","input_tokens":9,"output_tokens":1}"#, &["Counted"]),
            (r#"{"type":"mark","mark":"novel"}"#, &["Unrecognised mark: "]),
            (r#"{"type":"user","by":"nobody","text":"keep"}"#, &["Unrecognised user: keep"]),
            (r#"{"type":"result","call":"c1","outcome":"novel"}"#, &["Unrecognised result: "]),
            (r#"{"text":"keep"}"#, &["Unrecognised (no type): keep"]),
        ] {
            assert_eq!(events(&FORMAT, &[line]), expected, "{line}");
        }
    }

    #[test]
    fn a_header_and_a_record_of_the_ledger_tell_facts() {
        let record = r#"{"schema":"owed.ledger/1","do":"close","key":"k"}"#;
        let told = told(&FORMAT, &[HEADER, record]);
        assert_eq!(told.events, [""; 0]);
        let (facts, ledger) = told.facts.split_at(5);
        let expected = [
            r#"Session("s-1")"#,
            r#"Version("1.2")"#,
            r#"Directory("/w/shop")"#,
            r#"Title("Refunds")"#,
            r#"Model(Main, "claude-opus-4-6")"#,
        ];
        assert_eq!(facts, expected);
        assert!(ledger[1].contains(r#"\"place\":{\"line\":2}"#), "{ledger:?}");
    }
}
