//! A feed for tests: what it is given is what it shows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use jiff::tz::TimeZone;

use super::Script;
use crate::base::time::Stamp;
use crate::ledger::rows::EventRow;
use crate::session::{Body, Facts, Following, Progress, SessionFile, Snapshot};
use crate::transcript::{Agent, Payload};
use crate::ui::keymap::Keymap;
use crate::ui::theme::Theme;
use crate::ui::{Front, Options, ReadBody, Supply};

/// A feed that shows what it is given.
pub(crate) struct Fake {
    latest: Mutex<Arc<Snapshot>>,
    following: Following,
    bodies: Mutex<Arc<BTreeMap<u32, Payload<'static>>>>,
}

impl Fake {
    pub(crate) fn new(script: &Script) -> Self {
        let latest = Mutex::new(Arc::new(snapshot(&[script], 0, Progress::Complete)));
        let fake = Self { latest, following: Following::Announced, bodies: Mutex::default() };
        fake.publish(&[script], 0, Progress::Complete);
        fake
    }

    /// The same of a session to which nothing comes any more.
    pub(crate) fn ended(script: &Script) -> Self {
        Self { following: Following::Ended, ..Self::new(script) }
    }

    /// Publishes a newer state; the first script is the main lane.
    pub(crate) fn publish(&self, scripts: &[&Script], epoch: u32, progress: Progress) {
        let mut latest = self.latest.lock().unwrap();
        let mut next = snapshot(scripts, latest.revision + 1, progress);
        next.epoch = epoch;
        *latest = Arc::new(next);
        let numbered = |script: &&Script| (script.first_line..).zip(script.bodies.clone()).collect::<Vec<_>>();
        *self.bodies.lock().unwrap() = Arc::new(scripts.iter().flat_map(numbered).collect());
    }
}

fn snapshot(scripts: &[&Script], revision: u64, progress: Progress) -> Snapshot {
    Snapshot {
        revision,
        epoch: 0,
        progress,
        facts: Arc::new(Facts {
            path: PathBuf::from("/home/u/.claude/projects/orders/5f1e.jsonl"),
            files: vec![SessionFile { path: "/sessions/example.jsonl".into(), lines: 20 }],
            agent: Agent("claude-code"),
            id: None,
            version: Some("2.1.60".to_owned()),
            directory: Some("/home/u/work/orders-migration".to_owned()),
            branch: Some("main".to_owned()),
            title: None,
            unrecognised: BTreeMap::new(),
            bookkeeping: BTreeMap::new(),
            diagnostics: Vec::new(),
            side: Vec::new(),
            mistakes: Vec::new(),
            bytes: 48_000,
        }),
        lanes: scripts.iter().map(|script| Arc::new(script.lane.clone())).collect(),
    }
}

impl Supply for Fake {
    fn latest(&self) -> Arc<Snapshot> {
        self.latest.lock().unwrap().clone()
    }

    fn following(&self) -> Following {
        self.following.clone()
    }

    fn bodies(&self) -> Box<dyn ReadBody> {
        Box::new(Bodies(self.bodies.lock().unwrap().clone()))
    }
}

struct Bodies(Arc<BTreeMap<u32, Payload<'static>>>);

impl ReadBody for Bodies {
    fn read(&self, row: &EventRow) -> Result<Body, String> {
        let payload = self.0.get(&row.place.line).cloned().ok_or("the source changed: this record is not there any more")?;
        Ok(Body { raw: "{\"type\":\"example\"}".to_owned(), payload })
    }

    fn record(&self, row: &EventRow) -> Result<Vec<u8>, String> {
        self.read(row).map(|body| format!("{:?}", body.payload).into_bytes())
    }
}

/// Options with a clock that stands still some seconds after a script's last event.
pub(crate) fn options(script: &Script, seconds: i64) -> Options {
    let now = Stamp(script.now().0 + seconds * 1_000);
    Options {
        theme: Theme::load("terminal", None).unwrap(),
        keymap: Keymap::default(),
        zone: TimeZone::UTC,
        clock: Arc::new(move || now),
        name: "owed".to_owned(),
        greeting: None,
        front: Front::default(),
        replay: None,
        outside: Arc::new(crate::ui::outside::Nowhere),
        beside: None,
        arrangement: Default::default(),
        behind: Default::default(),
    }
}
