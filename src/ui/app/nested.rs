//! Which call launched which sub-agent, and which of them are opened below their call. Transcripts name the lane and its task, and the
//! call holds the same words.

use std::collections::{BTreeMap, BTreeSet};

use super::App;
use crate::base::ids::{EventIx, LaneIx};
use crate::base::text::prefix;
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;
use crate::session::{Progress, Snapshot};
use crate::ui::rows::Row;

/// So many bytes of a task tell it from others.
const WORDS: usize = 48;
/// A call may stand so many milliseconds after what it launched, where two clocks differ.
const AHEAD: i64 = 1_000;
/// So many events before the task the call is looked for.
const NEAR: usize = 2_000;

/// The lanes and the calls that launched them.
#[derive(Debug, Default)]
pub(crate) struct Nested {
    launchers: BTreeMap<LaneIx, Row>,
    launched: BTreeMap<(LaneIx, EventIx), LaneIx>,
    /// Lanes whose rows stand below their call.
    open: BTreeSet<LaneIx>,
    made: Option<Made>,
}

/// What it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    epoch: u32,
    progress: Progress,
    /// Lanes in which something has happened.
    begun: usize,
}

impl Nested {
    /// Looks again if there are other lanes.
    pub(crate) fn refresh(&mut self, snapshot: &Snapshot) {
        let begun = snapshot.lanes.iter().filter(|lane| !lane.events.is_empty()).count();
        let made = Made { epoch: snapshot.epoch, progress: snapshot.progress, begun };
        if self.made == Some(made) {
            return;
        }
        if self.made.is_some_and(|old| old.epoch != made.epoch) {
            self.open.clear();
        }
        self.made = Some(made);
        let lanes = || snapshot.lanes.iter().enumerate().map(|(n, lane)| (LaneIx::from_index(n), lane));
        let names: BTreeMap<&str, LaneIx> = lanes().map(|(ix, lane)| (&*lane.name, ix)).collect();
        let launcher = |child: &LaneSnapshot| {
            let parent = *names.get(child.parent.as_deref()?)?;
            launcher(snapshot.lane(parent)?, child).map(|event| Row { lane: parent, event })
        };
        self.launchers = lanes().filter_map(|(ix, lane)| Some((ix, launcher(lane)?))).collect();
        self.drop_circles();
        self.launched = self.launchers.iter().map(|(child, call)| ((call.lane, call.event), *child)).collect();
    }

    /// The lane that the call of a row launched.
    pub(crate) fn launched(&self, row: Row) -> Option<LaneIx> {
        self.launched.get(&(row.lane, row.event)).copied()
    }

    /// The call that launched a lane.
    pub(crate) fn launcher(&self, lane: LaneIx) -> Option<Row> {
        self.launchers.get(&lane).copied()
    }

    /// Whether the rows of a lane stand below the call that launched it.
    pub(crate) fn is_open(&self, lane: LaneIx) -> bool {
        self.open.contains(&lane)
    }

    pub(crate) fn open(&mut self, lane: LaneIx) {
        self.open.insert(lane);
    }

    pub(crate) fn close(&mut self, lane: LaneIx) {
        self.open.remove(&lane);
    }

    /// The rows that lead to a row from the lane that is shown: its own last. Only its own where it stands below no call of that lane.
    pub(crate) fn path(&self, row: Row, shown: LaneIx) -> Vec<Row> {
        let above = |row: &Row| self.launcher(row.lane).filter(|_| row.lane != shown);
        let mut path: Vec<Row> = std::iter::successors(Some(row), above).collect();
        path.reverse();
        path
    }

    /// A transcript may say of two lanes that each launched the other: neither stands below a call then.
    fn drop_circles(&mut self) {
        let launchers = &self.launchers;
        let depth = |lane: &LaneIx| {
            std::iter::successors(Some(*lane), |lane| launchers.get(lane).map(|row| row.lane)).take(launchers.len() + 2).count()
        };
        let circling: BTreeSet<LaneIx> = launchers.keys().filter(|lane| depth(lane) > launchers.len() + 1).copied().collect();
        self.launchers.retain(|lane, _| !circling.contains(lane));
    }
}

/// The call of a lane that launched another one.
fn launcher(parent: &LaneSnapshot, child: &LaneSnapshot) -> Option<EventIx> {
    let (n, task) = child.events.iter().enumerate().find(|(_, row)| row.kind == EventKind::Task)?;
    let words = serde_json::to_string(prefix(child.labels.get(n)?.trim_end_matches('…'), WORDS)).ok()?;
    let words = words.trim_matches('"');
    let until = match task.at {
        Some(at) => first_after(parent, Stamp(at.0 + AHEAD)),
        None => parent.events.len(),
    };
    let before = parent.events.range(until.saturating_sub(NEAR)..until).rev().filter(|row| row.kind == EventKind::Call);
    let mut calls = before.filter_map(|row| parent.calls.get(row.call?.index()));
    calls.find(|call| !words.is_empty() && call.input.contains(words)).map(|call| call.event)
}

/// The number of the first event of a lane that came after a time; events that state none stand where they stand.
pub(super) fn first_after(lane: &LaneSnapshot, time: Stamp) -> usize {
    let at = |n: usize| lane.events.range(0..n + 1).rev().find_map(|row| row.at);
    let (mut low, mut high) = (0, lane.events.len());
    while low < high {
        let middle = low.midpoint(high);
        if at(middle).is_none_or(|at| at <= time) { low = middle + 1 } else { high = middle }
    }
    low
}

impl App {
    /// The row under the time line's cursor: perhaps one of a sub-agent.
    pub(crate) fn row(&self) -> Option<Row> {
        self.timeline.selected
    }

    /// That row with its lane.
    pub(crate) fn looked_at(&self) -> Option<(&LaneSnapshot, Row)> {
        let row = self.row()?;
        self.snapshot.lane(row.lane).map(|lane| (&**lane, row))
    }

    /// The event of the lane that is shown on or below which a row stands.
    pub(crate) fn in_lane(&self, row: Row) -> Option<EventIx> {
        self.nested.path(row, self.lane).first().filter(|first| first.lane == self.lane).map(|first| first.event)
    }

    /// The lane that the call of a row launched, once something has happened in it.
    pub(crate) fn launched(&self, row: Row) -> Option<(LaneIx, &LaneSnapshot)> {
        let ix = self.nested.launched(row)?;
        self.snapshot.lane(ix).filter(|lane| !lane.events.is_empty()).map(|lane| (ix, &**lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::effects::Class;
    use crate::ui::Supply;
    use crate::ui::testing::{Fake, Script};

    fn child(name: &str, parent: &str, task: &str) -> Script {
        let mut child = Script::new();
        (child.lane.name, child.lane.parent) = (name.into(), Some(parent.into()));
        child.task(task);
        child
    }

    fn nested(scripts: &[&Script]) -> Nested {
        let fake = Fake::new(scripts[0]);
        fake.publish(scripts, 0, Progress::Complete);
        let mut nested = Nested::default();
        nested.refresh(&fake.latest());
        nested
    }

    #[test]
    fn a_sub_agent_belongs_to_the_call_that_holds_its_task() {
        let mut main = Script::new();
        main.prompt("Look at both.");
        main.call("Task", Class::Control, "first", r#"{"prompt":"Find every \"config\" read"}"#);
        let second = main.call("Task", Class::Control, "second", r#"{"prompt":"Review the diff of today"}"#);
        let nested = nested(&[&main, &child("a1", "main", "Review the diff of today")]);
        let call = Row { lane: LaneIx(0), event: main.lane.calls.get(second.index()).unwrap().event };
        assert_eq!((nested.launched(call), nested.launcher(LaneIx(1))), (Some(LaneIx(1)), Some(call)));
        assert_eq!(nested.launched.len(), 1);
    }

    #[test]
    fn a_row_is_found_from_the_lane_that_is_shown() {
        let mut main = Script::new();
        main.prompt("Go.");
        main.call("Task", Class::Control, "outer", r#"{"prompt":"Do the outer part"}"#);
        let mut outer = child("a1", "main", "Do the outer part");
        outer.call("Task", Class::Control, "inner", r#"{"prompt":"Do the inner part"}"#);
        let nested = nested(&[&main, &outer, &child("a2", "a1", "Do the inner part")]);
        let row = |lane: u32, event: u32| Row { lane: LaneIx(lane), event: EventIx(event) };
        assert_eq!(nested.path(row(2, 0), LaneIx(0)), [row(0, 1), row(1, 1), row(2, 0)]);
        assert_eq!(nested.path(row(2, 0), LaneIx(1)), [row(1, 1), row(2, 0)]);
        assert_eq!(nested.path(row(0, 1), LaneIx(0)), [row(0, 1)]);
    }

    #[test]
    fn lanes_that_launched_each_other_stand_below_no_call() {
        let lane = |name: &str, parent: &str, task: &str, gives: &str| {
            let mut lane = child(name, parent, task);
            lane.call("Task", Class::Control, "x", &format!(r#"{{"prompt":"{gives}"}}"#));
            lane
        };
        let main = Script::new();
        let (one, two) = (lane("a", "b", "Task of a", "Task of b"), lane("b", "a", "Task of b", "Task of a"));
        assert!(nested(&[&main, &one, &two]).launchers.is_empty());
    }
}
