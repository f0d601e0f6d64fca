//! Which call launched which sub-agent: transcripts name the lane and its task, and the call holds the same words.

use std::collections::BTreeMap;

use super::App;
use crate::base::ids::{EventIx, LaneIx};
use crate::base::text::prefix;
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;
use crate::session::{Progress, Snapshot};

/// So many bytes of a task tell it from others.
const WORDS: usize = 48;
/// A call may stand so many milliseconds after what it launched, where two clocks differ.
const AHEAD: i64 = 1_000;
/// So many events before the task the call is looked for.
const NEAR: usize = 2_000;

/// The lanes that the calls of one lane launched, by the call's event.
#[derive(Debug, Default)]
pub(crate) struct Nested {
    lanes: BTreeMap<EventIx, LaneIx>,
    made: Option<Made>,
}

/// What it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    epoch: u32,
    shown: LaneIx,
    progress: Progress,
    /// Lanes in which something has happened.
    begun: usize,
}

impl Nested {
    /// Looks again if there are other lanes.
    pub(crate) fn refresh(&mut self, snapshot: &Snapshot, shown: LaneIx) {
        let begun = snapshot.lanes.iter().filter(|lane| !lane.events.is_empty()).count();
        let made = Some(Made { epoch: snapshot.epoch, shown, progress: snapshot.progress, begun });
        if self.made == made {
            return;
        }
        self.made = made;
        let Some(parent) = snapshot.lane(shown) else { return };
        let others = snapshot.lanes.iter().enumerate().filter(|(n, _)| *n != shown.index());
        let children = others.filter(|(_, lane)| lane.parent.as_deref() == Some(&*parent.name));
        self.lanes = children.filter_map(|(n, lane)| Some((launcher(parent, lane)?, LaneIx::from_index(n)))).collect();
    }

    /// The lane that a call launched.
    pub(crate) fn of(&self, call: EventIx) -> Option<LaneIx> {
        self.lanes.get(&call).copied()
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
fn first_after(lane: &LaneSnapshot, time: Stamp) -> usize {
    let at = |n: usize| lane.events.range(0..n + 1).rev().find_map(|row| row.at);
    let (mut low, mut high) = (0, lane.events.len());
    while low < high {
        let middle = low.midpoint(high);
        if at(middle).is_none_or(|at| at <= time) { low = middle + 1 } else { high = middle }
    }
    low
}

impl App {
    /// The lane that the call of a row launched.
    pub(crate) fn launched(&self, event: EventIx) -> Option<LaneIx> {
        self.nested.of(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::effects::Class;
    use crate::ui::Supply;
    use crate::ui::testing::{Fake, Script};

    #[test]
    fn a_sub_agent_belongs_to_the_call_that_holds_its_task() {
        let (mut main, mut child) = (Script::new(), Script::new());
        main.prompt("Look at both.");
        main.call("Task", Class::Control, "first", r#"{"prompt":"Find every \"config\" read"}"#);
        let second = main.call("Task", Class::Control, "second", r#"{"prompt":"Review the diff of today"}"#);
        child.lane.name = "a1".into();
        child.lane.parent = Some("main".into());
        child.task("Review the diff of today");
        let fake = Fake::new(&main);
        fake.publish(&[&main, &child], 0, crate::session::Progress::Complete);
        let mut nested = Nested::default();
        nested.refresh(&fake.latest(), LaneIx(0));
        let call = main.lane.calls.get(second.index()).unwrap().event;
        assert_eq!((nested.of(call), nested.lanes.len()), (Some(LaneIx(1)), 1));
        nested.refresh(&fake.latest(), LaneIx(1));
        assert!(nested.lanes.is_empty(), "it launched none itself");
    }
}
