//! A tiny format for tests: `{"note":TEXT}`, `{"call":ID,"tool":NAME}`, `{"done":ID}`, `{"sub":LANE,"note":TEXT}`, each with an optional
//! `"at"`.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::Adapter;
use crate::formats::adapter::{Format, Recognised};
use crate::formats::json::each_record;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::Catalogue;
use crate::session::opening::Options;
use crate::session::{Error, Feed, Progress, Snapshot, Wake};
use crate::transcript::{
    Agent, Call, Container, Event, Fact, Input, LaneKey, Outcome, Payload, Record, Resolution, Sink, Speaker, Whereabouts,
};

pub(super) static NOTES: Format = Format {
    agent: Agent("notes"),
    aliases: &[],
    title: "Notes",
    container: Container::Lines,
    recognises: |record| match ["note", "call", "done", "title"].iter().any(|key| record.contains_key(*key)) {
        true => Recognised::Yes,
        false => Recognised::No,
    },
    open: |opening| Box::new(Notes { lane: opening.lane.clone() }),
    whereabouts: Whereabouts {
        agent: Agent("notes"),
        variable: "NOTES",
        home: ".notes",
        folders: &["sessions"],
        prefix: "",
        suffix: ".jsonl",
        not_below: Some("subagents"),
        children: Some(("subagents", "agent-")),
        locks: None,
    },
};

struct Notes {
    lane: LaneKey<'static>,
}

impl Adapter for Notes {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let map: Map<String, Value> = serde_json::from_slice(record.bytes)?;
            let text = |key: &str| map.get(key).and_then(Value::as_str);
            let lane = text("sub").map_or_else(|| self.lane.clone(), |id| LaneKey::Sub(Cow::Borrowed(id)));
            let own = |key| Cow::Owned(text(key).unwrap_or_default().to_owned());
            if let Some(title) = text("title") {
                sink.fact(Fact::Title(title));
                return Ok(());
            }
            let payload = if text("note").is_some() {
                Payload::User { speaker: Speaker::Human, text: own("note") }
            } else if text("call").is_some() {
                Payload::Call(Call { id: own("call"), tool: own("tool"), input: Input::Json("{}".into()) })
            } else if text("done").is_some() {
                Payload::Resolution(Resolution { call: own("done"), outcome: Outcome::Success, text: "ok".into(), said: None })
            } else {
                Payload::Unrecognised { name: Cow::Owned(map.keys().next().cloned().unwrap_or_default()), text: "".into() }
            };
            let at = text("at").and_then(Stamp::parse);
            sink.event(Event { lane, place: record.place, at, record: None, step: None, usage: None, payload });
            Ok(())
        });
    }
}

pub(super) fn options() -> Options {
    Options { format: None, catalogue: Arc::new(Catalogue::load(None).unwrap()) }
}

/// What a session amounts to, to compare: its lanes' events and entries, and its facts without the path.
pub(super) fn digest(snapshot: &Snapshot) -> String {
    let lane = |lane: &Arc<LaneSnapshot>| {
        let events: Vec<_> = lane.events.iter().map(|e| (e.place, e.kind, e.span, e.call)).collect();
        let calls: Vec<_> = lane.calls.iter().map(|c| (&c.id, c.end)).collect();
        format!("{} {:?} {events:?} {calls:?} {:?} {:?}\n", lane.name, lane.parent, lane.live, lane.anomalies)
    };
    let facts = &snapshot.facts;
    let lanes: String = snapshot.lanes.iter().map(lane).collect();
    format!("{lanes}{:?} {:?} {:?} {:?} {:?}", facts.agent, facts.title, facts.unrecognised, facts.diagnostics, facts.bytes)
}

pub(super) fn append(path: &Path, text: &str) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// A prompt.
pub(super) fn note(text: &str) -> String {
    format!(r#"{{"note":"{text}"}}"#)
}

/// A prompt that was written so many milliseconds after a beginning.
pub(super) fn note_at(millis: i64, text: &str) -> String {
    format!(r#"{{"note":"{text}","at":"{}"}}"#, Stamp(1_770_000_000_000 + millis))
}

/// A call.
pub(super) fn call(id: &str) -> String {
    format!(r#"{{"call":"{id}","tool":"T"}}"#)
}

/// Its result.
pub(super) fn done(id: &str) -> String {
    format!(r#"{{"done":"{id}"}}"#)
}

/// What a main file says of a sub-agent.
pub(super) fn sub(id: &str, text: &str) -> String {
    format!(r#"{{"sub":"{id}","note":"{text}"}}"#)
}

/// The session's title.
pub(super) fn title(text: &str) -> String {
    format!(r#"{{"title":"{text}"}}"#)
}

/// A feed, and what it was woken by.
pub(super) struct Screen {
    pub(super) feed: Feed,
    woken: Receiver<()>,
}

impl Screen {
    pub(super) fn of(feed: impl FnOnce(Wake) -> Result<Feed, Error>) -> Self {
        let (send, woken) = bounded(1);
        Self { feed: feed(Arc::new(move || _ = send.try_send(()))).unwrap(), woken }
    }

    pub(super) fn open(path: &Path) -> Self {
        Self::of(|wake| Feed::open(path, &options(), wake))
    }

    /// Waits until the newest snapshot is as wanted. Fails only when nothing happens for a very long time.
    pub(super) fn until(&self, wanted: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        loop {
            let latest = self.feed.latest();
            if wanted(&latest) {
                return latest;
            }
            self.woken.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("stuck at {}", digest(&latest)));
        }
    }

    /// Waits until everything was read, and it is so many events.
    pub(super) fn until_events(&self, count: usize) -> Arc<Snapshot> {
        self.until(|s| s.progress == Progress::Complete && s.lanes.iter().map(|l| l.events.len()).sum::<usize>() == count)
    }
}
