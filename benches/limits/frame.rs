//! A frame of 200 by 60 cells over a session of a million events, wherever in it the reader is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use owed::base::range::ByteRange;
use owed::base::time::Stamp;
use owed::ledger::Rulebook;
use owed::ledger::rows::EventRow;
use owed::ledger::{Lane, LaneSnapshot};
use owed::session::{Body, Facts, Following, Progress, Snapshot};
use owed::transcript::{
    Agent, Boundary, BoundaryKind, Call, Event, Input, Kept, LaneKey, Outcome, Payload, Place, Resolution, Speaker, Trigger, Usage,
};
use owed::ui::{ReadBody, Still, Supply};

use crate::measure::{quantile, report, time};
use crate::screen::{Bench, SIZE, looks};
use crate::words::{Random, Words};

const EVENTS: usize = 1_000_000;

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
    ("with the ledger", "e j j"),
    ("with every entry of it", "a s"),
    ("with the graph of an entry", "r"),
    ("at a moment of the past", "esc , < ["),
];

pub(crate) fn run() {
    let session = Long(Arc::new(snapshot(lane())));
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
struct Long(Arc<Snapshot>);

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

fn snapshot(lane: LaneSnapshot) -> Snapshot {
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

/// A lane of a million events, folded as a file would be.
fn lane() -> LaneSnapshot {
    let mut fold = Fold {
        lane: Lane::new("main", Agent("claude-code"), Arc::new(Rulebook::load(Default::default()).unwrap())),
        events: 0,
        step: 0,
        tokens: 40_000,
    };
    let (words, mut random) = (Words::new(11), Random(11));
    fold.lane.set_model("claude-opus-4-5-20251101");
    while fold.events < EVENTS {
        if fold.step.is_multiple_of(30) {
            fold.apply(Payload::User { speaker: Speaker::Human, text: words.prose(&mut random, 60, 300).into() });
        }
        fold.step += 1;
        fold.tokens += 400;
        fold.apply(Payload::Assistant { text: words.prose(&mut random, 60, 200).into() });
        let id = format!("toolu_{}", fold.step);
        let input = format!("{{\"command\":\"{}\"}}", words.command(&mut random));
        fold.apply(Payload::Call(Call { id: Cow::Borrowed(&id), tool: "Bash".into(), input: Input::Json(input.into()) }));
        let outcome = if random.chance(5) { Outcome::Failed { exit: Some(1) } } else { Outcome::Success };
        fold.apply(Payload::Resolution(Resolution { call: id.into(), outcome, text: "ok".into(), said: None }));
        if fold.tokens > 165_000 {
            fold.compact();
        }
    }
    fold.lane.snapshot()
}

struct Fold {
    lane: Lane,
    events: usize,
    step: usize,
    tokens: u64,
}

impl Fold {
    fn apply(&mut self, payload: Payload<'_>) {
        let step = format!("msg_{}", self.step);
        let model = matches!(payload, Payload::Assistant { .. } | Payload::Call(_));
        let event = Event {
            lane: LaneKey::Main,
            place: Place { line: self.events as u32 + 1, bytes: ByteRange::new(self.events as u64 * 400, 399), ..Place::default() },
            at: Some(Stamp(1_772_000_000_000 + 900 * self.events as i64)),
            record: None,
            step: model.then_some(Cow::Borrowed(&step)),
            usage: model.then_some(Usage { input: self.tokens, output: 60, window: None }),
            payload,
        };
        _ = self.lane.apply(&event);
        self.events += 1;
    }

    fn compact(&mut self) {
        self.apply(Payload::Boundary(Boundary {
            kind: BoundaryKind::Summary,
            trigger: Trigger::Auto,
            tokens_before: Some(self.tokens),
            tokens_after: None,
            kept: Kept::Nothing,
            masked: Vec::new(),
            reinjected_bytes: 0,
        }));
        self.apply(Payload::Summary { text: "The work on the shelves went on.".into(), opaque: false });
        self.tokens = 40_000;
    }
}
