//! Long lanes, without a file.

use std::borrow::Cow;
use std::sync::Arc;

use owed::base::range::ByteRange;
use owed::base::time::Stamp;
use owed::ledger::{Lane, LaneSnapshot, Rulebook};
use owed::transcript::{
    Agent, Boundary, BoundaryKind, Call, Event, Finish, Input, Kept, LaneKey, Outcome, Payload, Place, Resolution, Speaker,
    Trigger, Usage,
};

use crate::words::{Random, Words};

/// A lane of so many events, folded as a file would be; its context is compacted whenever it holds more than `full` tokens.
pub(crate) fn lane(events: usize, full: u64) -> LaneSnapshot {
    let mut fold = Fold {
        lane: Lane::new("main", Agent("claude-code"), Arc::new(Rulebook::load(Default::default()).unwrap())),
        events: 0,
        step: 0,
        tokens: 40_000,
    };
    let (words, mut random) = (Words::new(11), Random(11));
    fold.lane.set_model("claude-opus-4-5-20251101");
    while fold.events < events {
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
        if fold.tokens > full {
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
            finish: Finish::Told,
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
