//! The folds of what is owed, in their fixed order. Each is told what happened and opens, changes or closes its own kinds of entry;
//! none can fail, and none looks at another's tables: what one needs of another stands in the rows.

use std::sync::Arc;

use crate::base::ids::CallIx;
use crate::ledger::commitments::{Commitments, Voice};
use crate::ledger::delta::Delta;
use crate::ledger::effects::{EffectStatus, observes};
use crate::ledger::entry::Moment;
use crate::ledger::processes::Processes;
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::rulebook::Rulebook;
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::world::World;
use crate::transcript::{Call, JobState, Place};

/// All folds of a lane.
pub(super) struct Folds {
    #[expect(dead_code, reason = "read by the folds to come")]
    rules: Arc<Rulebook>,
    world: World,
    processes: Processes,
    commitments: Commitments,
}

/// What an event is folded into, and when.
pub(super) struct Page<'r> {
    /// The rows and the entries.
    pub(super) rows: &'r mut LaneSnapshot,
    /// What the event has changed so far.
    pub(super) delta: &'r mut Delta,
    /// The event.
    pub(super) at: Moment,
    /// The event's record.
    pub(super) place: Place,
}

/// A call that ended.
#[expect(dead_code, reason = "read by the folds to come")]
pub(super) struct Ending<'a> {
    /// Which.
    pub(super) call: CallIx,
    /// How.
    pub(super) how: EndHow,
    /// What it did to the world; its row says the same.
    pub(super) effect: Option<EffectStatus>,
    /// What the model was given; empty where nothing came.
    pub(super) text: &'a str,
    /// Its exact input, however long, where it is still known.
    pub(super) input: Option<Arc<str>>,
}

impl Folds {
    pub(super) fn new(rules: Arc<Rulebook>) -> Self {
        Self { rules, world: World::default(), processes: Processes::default(), commitments: Commitments::default() }
    }

    /// A step began: a message of the assistant with all that belongs to it.
    pub(super) fn step(&mut self, page: &mut Page<'_>) {
        self.world.step(page.rows, page.delta, page.at.event);
    }

    /// A call was made; its row is the newest.
    pub(super) fn made(&mut self, _page: &mut Page<'_>, _ix: CallIx, _call: &Call<'_>) {}

    /// A call ended, or was given up.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ending: Ending<'_>) {
        let shows = |by: &CallRow, of: &CallRow| observes(by.class, &by.sees, of.world.as_deref(), of.target.as_deref());
        self.world.ended(page.rows, page.delta, (ending.call, ending.input), page.at, shows);
    }

    /// A call's resolution says that it goes on in the background.
    pub(super) fn started(&mut self, page: &mut Page<'_>, ix: CallIx, handle: &str) {
        self.processes.started(page.rows, page.delta, ix, handle, page.at);
    }

    /// News of a background job.
    pub(super) fn job(&mut self, page: &mut Page<'_>, handle: &str, state: JobState) {
        self.processes.news(page.rows, page.delta, handle, state, page.at);
    }

    /// A human said something, or the agent that launched this one.
    pub(super) fn heard(&mut self, page: &mut Page<'_>, voice: Voice, text: &str) {
        self.commitments.hear(page.rows, page.delta, voice, text, page.at, page.place);
    }

    /// The assistant said something to its reader.
    pub(super) fn said(&mut self, _page: &mut Page<'_>, _text: &str) {}

    /// The turn ended: its row says how.
    pub(super) fn turn_ended(&mut self, _page: &mut Page<'_>) {}

    /// A boundary replaced the context.
    pub(super) fn boundary(&mut self, _page: &mut Page<'_>) {}
}
