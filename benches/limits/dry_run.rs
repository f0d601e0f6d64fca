//! The dry run of every policy on a context of 100,000 events: what the screen waits for when the cut is moved.

use owed::base::ids::SpanIx;
use owed::compaction::{Ask, Models, Policies, Policy, Strictness, Urgency, judge};
use owed::ledger::LaneSnapshot;

use crate::long;
use crate::measure::{quantile, report, time};

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
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (time, Policy { id, .. }) in slowest.iter().take(3) {
        report(&format!("a dry run of {id} on {EVENTS} events"), *time, "ms", LIMIT);
    }
}

fn median(lane: &LaneSnapshot, ask: &Ask<'_>) -> f64 {
    let mut times: Vec<_> = (0..ROUNDS).map(|_| time(|| std::hint::black_box(judge(lane, ask))).0).collect();
    quantile(&mut times, 0.5).as_secs_f64() * 1e3
}
