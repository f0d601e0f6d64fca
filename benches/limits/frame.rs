//! A frame of 200 by 60 cells over a session of a million events, wherever in it the reader is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use owed::ledger::LaneSnapshot;
use owed::ledger::rows::EventRow;
use owed::session::{Body, Facts, Following, Progress, Snapshot};
use owed::transcript::{Agent, Payload};
use owed::ui::{ReadBody, Still, Supply};

use crate::long;
use crate::measure::{quantile, report, time};
use crate::screen::{Bench, SIZE, looks};
use crate::words::{Random, Words};

const EVENTS: usize = 1_000_000;

/// Where the context is compacted, in tokens.
const FULL: u64 = 165_000;

/// How often each frame is drawn.
const DRAWS: usize = 15;

/// Milliseconds for a frame.
const LIMIT: f64 = 2.0;

/// Where the reader is, as keys from the place before.
const PLACES: &[(&str, &str)] = &[
    ("at the end", "G"),
    ("moving up from the end", "k k k k k k k k k k k k k k k k k k k k"),
    ("with the detail open", "d"),
    ("at the beginning", "esc g"),
    ("on a compaction in the middle", "c c c"),
    ("with the dry run", "tab tab"),
    ("with the cut moved by hand", "X X { ="),
    ("with two policies side by side", "| a j"),
    ("with all policies", "* j s"),
    ("with the ledger", "e j j"),
    ("with every entry of it", "a s"),
    ("with the graph of an entry", "r"),
    ("at a moment of the past", "esc , < ["),
];

pub(crate) fn run() {
    let session = Long(Arc::new(snapshot(long::lane(EVENTS, FULL))));
    let (opened, mut still) = time(|| Still::open(&session, Bench::boxed(), &looks(), SIZE));
    println!("{} events, opened in {:.0} ms", session.0.lanes[0].events.len(), opened.as_secs_f64() * 1e3);
    for (place, keys) in PLACES {
        let mut times = Vec::new();
        let mut before = still.screen();
        for key in keys.split(' ') {
            still.press(key).unwrap();
            for _ in 0..DRAWS {
                let (frame, after) = time(|| {
                    let after = still.screen();
                    std::hint::black_box(before.diff(&after).len());
                    after
                });
                times.push(frame);
                before = after;
            }
        }
        report(&format!("a frame {place}"), quantile(&mut times, 0.5).as_secs_f64() * 1e3, "ms", LIMIT);
    }
}

/// A session that is there whole.
pub(crate) struct Long(pub(crate) Arc<Snapshot>);

impl Supply for Long {
    fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.0)
    }

    fn following(&self) -> Following {
        Following::Ended
    }

    fn bodies(&self) -> Box<dyn ReadBody> {
        Box::new(Shown(Words::new(3).code(&mut Random(3), 6_000, 9_000).replace("\\n", "\n")))
    }
}

/// Gives every event the same text.
struct Shown(String);

impl ReadBody for Shown {
    fn read(&self, _: &EventRow) -> Result<Body, String> {
        Ok(Body { raw: self.0.clone(), payload: Payload::Assistant { text: Cow::Owned(self.0.clone()) } })
    }
}

pub(crate) fn snapshot(lane: LaneSnapshot) -> Snapshot {
    let facts = Facts {
        path: PathBuf::from("long.jsonl"),
        files: Vec::new(),
        agent: Agent("claude-code"),
        id: None,
        version: Some("2.1.47".to_owned()),
        directory: Some("/home/dev/src/warehouse".to_owned()),
        branch: None,
        title: None,
        unrecognised: BTreeMap::new(),
        bookkeeping: BTreeMap::new(),
        diagnostics: Vec::new(),
        side: Vec::new(),
        mistakes: Vec::new(),
        bytes: 0,
    };
    Snapshot { revision: 1, epoch: 0, progress: Progress::Complete, facts: Arc::new(facts), lanes: vec![Arc::new(lane)] }
}
