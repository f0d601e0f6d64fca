//! The dry run of every policy on a context of 100,000 events: what the screen waits for when the cut is moved.

use std::sync::Arc;

use owed::base::ids::SpanIx;
use owed::compaction::{Ask, Models, Policies, Policy, Strictness, Urgency, judge};
use owed::ledger::LaneSnapshot;
use owed::ui::Still;

use crate::frame::{Long, snapshot};
use crate::long;
use crate::measure::{quantile, report, time};
use crate::screen::{Bench, SIZE, looks};

const EVENTS: usize = 100_000;

const ROUNDS: usize = 5;

/// Milliseconds for one.
const LIMIT: f64 = 16.0;

pub(crate) fn run() {
    let lane = long::lane(EVENTS, u64::MAX);
    let (policies, models) = (Policies::load(&[]).unwrap(), Models::load(None).unwrap());
    let window = models.window_for(lane.model.as_deref(), None, None);
    let mut slowest = Vec::new();
    for policy in policies.iter() {
        let plain =
            Ask { at: None, policy, window, budget: None, cut: None, strictness: Strictness::Normal, urgency: Urgency::Measured };
        let by_hand = Ask { cut: Some(SpanIx::from_index(lane.spans.len() / 2)), ..plain };
        slowest.push((median(&lane, &plain).max(median(&lane, &by_hand)), policy));
    }
    moved(&lane);
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (time, Policy { id, .. }) in slowest.iter().take(3) {
        report(&format!("a dry run of {id} on {EVENTS} events"), *time, "ms", LIMIT);
    }
}

/// From the key that moves the cut to the frame that shows what it does: judged, added up and drawn.
fn moved(lane: &LaneSnapshot) {
    let session = Long(Arc::new(snapshot(lane.clone())));
    let mut still = Still::open(&session, Bench::boxed(), &looks(), SIZE);
    for (face, keys) in [("one policy", "tab tab tab"), ("two policies", "|")] {
        still.press(keys).unwrap();
        let mut times: Vec<_> = (0..4 * ROUNDS)
            .map(|n| {
                time(|| {
                    still.press(if n % 4 == 3 { "{" } else { "X" }).unwrap();
                    std::hint::black_box(still.screen());
                })
                .0
            })
            .collect();
        let median = quantile(&mut times, 0.5).as_secs_f64() * 1e3;
        report(&format!("the cut moved and its effect drawn, {face}, {EVENTS} events"), median, "ms", LIMIT);
    }
}

fn median(lane: &LaneSnapshot, ask: &Ask<'_>) -> f64 {
    let mut times: Vec<_> = (0..ROUNDS).map(|_| time(|| std::hint::black_box(judge(lane, ask))).0).collect();
    quantile(&mut times, 0.5).as_secs_f64() * 1e3
}
