//! Sessions for tests: lines as Claude Code writes them, and a screen that waits for them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};

use crate::base::hash::Hash64;
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::testing::rules;
use crate::session::opening::Options;
use crate::session::{Error, Feed, Progress, Snapshot, Wake};

pub(super) fn options() -> Options {
    Options::of(rules())
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

pub(super) fn append(path: &Path, bytes: impl AsRef<[u8]>) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(bytes.as_ref()).unwrap();
}

/// A prompt.
pub(super) fn note(text: &str) -> String {
    note_at(0, text)
}

/// A prompt that was written so many milliseconds after a beginning.
pub(super) fn note_at(millis: i64, text: &str) -> String {
    line(millis, "user", &format!(r#"{{"role":"user","content":"{text}"}}"#))
}

/// A call.
pub(super) fn call(id: &str) -> String {
    let content = format!(r#"[{{"type":"tool_use","id":"{id}","name":"Read","input":{{"file_path":"/w/a.rs"}}}}]"#);
    line(0, "assistant", &format!(r#"{{"id":"msg_{id}","role":"assistant","model":"claude-opus-4-6","content":{content}}}"#))
}

/// Its result.
pub(super) fn done(id: &str) -> String {
    let content = format!(r#"[{{"type":"tool_result","tool_use_id":"{id}","content":"ok"}}]"#);
    line(0, "user", &format!(r#"{{"role":"user","content":{content}}}"#))
}

/// What a main file repeats of a sub-agent.
pub(super) fn sub(id: &str, text: &str) -> String {
    let data = format!(r#"{{"type":"agent_progress","agentId":"{id}","message":{}}}"#, note(text));
    format!(r#"{{"type":"progress","uuid":"p-{id}","sessionId":"s","isSidechain":false,"data":{data}}}"#)
}

/// The session's title.
pub(super) fn title(text: &str) -> String {
    format!(r#"{{"type":"custom-title","customTitle":"{text}","sessionId":"s"}}"#)
}

fn line(millis: i64, kind: &str, message: &str) -> String {
    let at = Stamp(1_770_000_000_000 + millis);
    let uuid = Hash64::of(format!("{at}{message}").as_bytes()).short();
    format!(
        r#"{{"type":"{kind}","uuid":"{uuid}","sessionId":"s","isSidechain":false,"timestamp":"{at}","cwd":"/w","message":{message}}}"#
    )
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
            self.woken
                .recv_timeout(Duration::from_secs(60))
                .unwrap_or_else(|_| panic!("stuck at {} {:?}", digest(&latest), self.feed.following()));
        }
    }

    /// Waits until everything was read, and it is so many events.
    pub(super) fn until_events(&self, count: usize) -> Arc<Snapshot> {
        self.until(|s| s.progress == Progress::Complete && s.lanes.iter().map(|l| l.events.len()).sum::<usize>() == count)
    }
}
