//! Which calls of a lane give an exact value: known at once of most, which stand in none.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::evidence::{Exact, is_run, runs};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::CallRow;

/// The runs that stand in the inputs of the calls of a lane.
pub(super) struct Uses(FxHashMap<Hash64, Places>);

/// The same, looked through once somebody has asked for it, by whoever asks first.
pub(super) type Shared = Arc<OnceLock<Uses>>;

/// The numbers of the calls in which a run stands.
#[derive(Clone, Copy)]
struct Places {
    first: usize,
    /// The last of those that may change the world.
    last_act: Option<usize>,
}

impl Uses {
    /// Looks through the inputs of a lane's calls.
    pub(super) fn of(lane: &LaneSnapshot) -> Self {
        let mut all: FxHashMap<Hash64, Places> = FxHashMap::default();
        for (n, call) in lane.calls.iter().enumerate() {
            for run in runs(&call.input) {
                let places = all.entry(hash(run)).or_insert(Places { first: n, last_act: None });
                if call.class.has_effect() {
                    places.last_act = Some(n);
                }
            }
        }
        Self(all)
    }

    /// Whether one of the first so many calls of the lane gives a value.
    pub(super) fn is_in_first(&self, value: &str, lane: &LaneSnapshot, count: usize) -> bool {
        let first = |run: &str| self.0.get(&hash(run)).map_or(usize::MAX, |places| places.first);
        let from = runs(value).map(first).max().unwrap_or_default();
        from < count && (is_run(value) || is_in(value, lane.calls.range(from..count)))
    }

    /// Whether one that may change the world does, of those from this number on.
    pub(super) fn is_acted_on(&self, value: &str, lane: &LaneSnapshot, from: usize) -> bool {
        let last = |run: &str| self.0.get(&hash(run)).and_then(|places| places.last_act).map_or(0, |last| last + 1);
        let end = runs(value).map(last).min().unwrap_or(lane.calls.len());
        from < end && (is_run(value) || is_in(value, lane.calls.range(from..end).filter(|call| call.class.has_effect())))
    }
}

fn hash(run: &str) -> Hash64 {
    Hash64::of(run.as_bytes())
}

fn is_in<'c>(value: &str, mut calls: impl Iterator<Item = &'c CallRow>) -> bool {
    let value = Exact::new(value);
    calls.any(|call| value.stands_in(&call.input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::testing::fold;

    #[test]
    fn a_value_is_found_where_it_stands_as_a_whole() {
        let lane = fold(
            "prompt go\nstep m1\ncall a Bash {\"command\":\"cat src/a.rs\"}\nresult a ok x\n\
             call b Bash {\"command\":\"git push origin v-2\"}\nresult b ok x\n\
             call c Bash {\"command\":\"ls rs src/b.rs\"}\nresult c ok x",
        );
        let uses = Uses::of(&lane);
        for (value, first, acted) in [
            ("src/a.rs", Some(1), None),
            ("src/b.rs", Some(3), None),
            ("b.a", None, None),
            ("v-2", Some(2), Some(1)),
            ("v", None, None),
            ("/", None, None),
        ] {
            let found = (1..=3).find(|count| uses.is_in_first(value, &lane, *count));
            let last = (0..3).rev().find(|from| uses.is_acted_on(value, &lane, *from));
            assert_eq!((found, last), (first, acted), "{value}");
        }
    }
}
