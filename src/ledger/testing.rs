//! Sessions for tests, one event a line: `prompt TEXT`, `step ID`, `say TEXT`, `untold TEXT` (said in a message whose record leaves out how it ended), `call ID TOOL INPUT`, `result ID HOW TEXT`, `ran ID TOOL`,
//! `usage INPUT OUTPUT`, `boundary`, `boundary manual`, `summary TEXT` (`\n` breaks a line), `opaque`, `mask ID...`, `injected TEXT`, `job HANDLE ended|failed|killed|running`, `turn-ended`, `interrupted`, `failed` (a request to the model), `rolled-back N`. `record JSON` is a line of a
//! side ledger that counts from there on, without its schema and its place.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use crate::base::ids::EventIx;
use crate::base::range::ByteRange;
use crate::base::time::Stamp;
use crate::ledger::Rulebook;
use crate::ledger::record::{LEDGER, Mistake, read};
use crate::ledger::{Delta, Lane, LaneSnapshot};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Event, Finish, Input, JobState, Kept, LaneKey, Mark, Outcome, Payload, Place, Resolution,
    Speaker, Trigger, Usage,
};

/// The built-in rules, read once: their cues are compiled when a text first needs them.
pub(crate) fn rules() -> Arc<Rulebook> {
    static RULES: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load(Default::default()).unwrap()));
    Arc::clone(&RULES)
}

/// Folds a script; line *n* of it is line *n* of the session.
pub(crate) fn fold(script: &str) -> LaneSnapshot {
    let mut lane = Lane::new("main", Agent("claude-code"), rules());
    fold_into(&mut lane, script);
    lane.snapshot()
}

/// What the events of a script say, by number.
pub(crate) fn payloads(script: &str) -> Vec<Payload<'static>> {
    let lines = script.lines().map(str::trim).map(|line| line.split_once(' ').unwrap_or((line, "")));
    let events = lines.filter(|(verb, _)| !verb.is_empty() && *verb != "record");
    events.filter_map(|(verb, rest)| Some(payload(verb, rest)?.into_owned())).collect()
}

/// Goes on with a lane.
pub(crate) fn fold_into(lane: &mut Lane, script: &str) {
    let mut step = String::from("m0");
    for (n, line) in script.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == "step" {
            step = rest.to_owned();
        }
        if verb == "record" {
            _ = record(lane, rest);
            continue;
        }
        if let Some(payload) = payload(verb, rest) {
            let place = Place { line: n as u32 + 1, bytes: ByteRange::new(n as u64 * 100, 99), ..Place::default() };
            let model = matches!(payload, Payload::Assistant { .. } | Payload::Call(_) | Payload::Reasoning { .. });
            let usage = (verb == "usage").then(|| {
                let (input, output) = rest.split_once(' ').unwrap();
                Usage { input: input.parse().unwrap(), output: output.parse().unwrap(), window: None }
            });
            let event = Event {
                lane: LaneKey::Main,
                place,
                at: Some(Stamp(1_000 * n as i64)),
                record: Some(Cow::Owned(format!("u{}", n + 1))),
                step: model.then_some(Cow::Borrowed(step.as_str())),
                usage,
                finish: if verb == "untold" { Finish::Untold } else { Finish::Told },
                payload,
            };
            assert_eq!(lane.apply(&event).event, Some(EventIx::from_index(lane.snapshot().events.len() - 1)));
        }
    }
}

/// What a lane says to a record.
pub(crate) fn record(lane: &mut Lane, text: &str) -> Result<Delta, Mistake> {
    let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
    value["schema"] = LEDGER.into();
    value["place"] = serde_json::json!({"line": 1});
    lane.record(&read(value).unwrap().says)
}

fn payload<'a>(verb: &str, rest: &'a str) -> Option<Payload<'a>> {
    let boundary = |kind, masked: Vec<Cow<'a, str>>| {
        Payload::Boundary(Boundary {
            kind,
            trigger: if rest == "manual" { Trigger::Manual } else { Trigger::Auto },
            tokens_before: None,
            tokens_after: None,
            kept: match rest.strip_prefix("keep ") {
                Some(lines) => Kept::Records(lines.split(' ').map(|line| Cow::Owned(format!("u{line}"))).collect()),
                None => Kept::Nothing,
            },
            masked,
            reinjected_bytes: 0,
        })
    };
    Some(match verb {
        "step" => return None,
        "prompt" => Payload::User { speaker: Speaker::Human, text: rest.replace("\\n", "\n").into() },
        "injected" => Payload::User { speaker: Speaker::Injected, text: rest.into() },
        "say" | "untold" => Payload::Assistant { text: rest.replace("\\n", "\n").into() },
        "call" => {
            let mut parts = rest.splitn(3, ' ');
            let (id, tool) = (parts.next().unwrap(), parts.next().unwrap());
            Payload::Call(Call { id: id.into(), tool: tool.into(), input: Input::Json(parts.next().unwrap_or("{}").into()) })
        }
        "result" => {
            let mut parts = rest.splitn(3, ' ');
            let (id, how) = (parts.next().unwrap(), parts.next().unwrap());
            let text = parts.next().unwrap_or("done");
            let said = (how == "answered").then(|| text.into());
            Payload::Resolution(Resolution { call: id.into(), outcome: outcome(how), text: text.into(), said })
        }
        "ran" => {
            let (id, tool) = rest.split_once(' ').unwrap();
            Payload::Ran { call: id.into(), tool: tool.into() }
        }
        "job" => {
            let (handle, state) = rest.split_once(' ').unwrap();
            let state = match state {
                "running" => JobState::Running,
                "failed" => JobState::Failed,
                "killed" => JobState::Killed,
                _ => JobState::Completed,
            };
            Payload::Job { handle: handle.into(), state, text: rest.into() }
        }
        "usage" => Payload::Mark(Mark::Counted),
        "boundary" => boundary(BoundaryKind::Summary, Vec::new()),
        "mask" => boundary(BoundaryKind::Masking, rest.split(' ').map(Cow::Borrowed).collect()),
        "summary" => Payload::Summary { text: rest.replace("\\n", "\n").into(), opaque: false },
        "opaque" => Payload::Summary { text: "".into(), opaque: true },
        "turn-ended" => Payload::Mark(Mark::TurnEnded),
        "interrupted" => Payload::Mark(Mark::Interrupted),
        "failed" => Payload::Mark(Mark::RequestFailed),
        "rolled-back" => Payload::Mark(Mark::RolledBack { turns: rest.parse().unwrap() }),
        other => panic!("no such event: {other}"),
    })
}

fn outcome(how: &str) -> Outcome<'_> {
    match how {
        "ok" | "answered" => Outcome::Success,
        "refused" => Outcome::Refused,
        "declined" => Outcome::Declined,
        "timeout" => Outcome::TimedOut,
        "interrupted" => Outcome::Interrupted,
        "lost" => Outcome::Lost,
        "synthetic" => Outcome::Synthetic,
        other => match other.strip_prefix("exit").map(str::parse) {
            Some(Ok(code)) => Outcome::Failed { exit: Some(code) },
            _ => Outcome::Started { handle: other.into() },
        },
    }
}
