//! The folds of what is owed, in their fixed order. Each is told what happened and opens, changes or closes its own kinds of entry;
//! none can fail, and none looks at another's tables: what one needs of another stands in the rows.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId, EventIx, TurnIx};
use crate::ledger::book;
use crate::ledger::commitments::{Commitments, Speech};
use crate::ledger::delta::{Change, Delta};
use crate::ledger::done::Done;
use crate::ledger::effects::{EffectStatus, observes};
use crate::ledger::entry::{EntryKind, EntryStatus, Moment, Pointer, Settled};
use crate::ledger::explicit::{Explicit, Find, Opened, Writer};
use crate::ledger::last_word::{Closing, LastWord, is_report, may_be_last};
use crate::ledger::lifetimes::Trouble;
use crate::ledger::open_things::OpenThings;
use crate::ledger::processes::Processes;
use crate::ledger::promises::Promises;
use crate::ledger::questions::Questions;
use crate::ledger::record::{Close, Declared, Mistake, Opening, Says, carriers};
use crate::ledger::references::References;
use crate::ledger::retries::Retries;
use crate::ledger::rows::{CallRow, EndHow, TurnEnd};
use crate::ledger::rulebook::Rulebook;
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::tagging::{Act, Region, Said, Source};
use crate::ledger::tasks::Tasks;
use crate::ledger::unverified::Unverified;
use crate::ledger::values::{Spelled, Values};
use crate::ledger::world::World;
use crate::transcript::{Call, Finish, JobState, Payload, Place};

/// All folds of a lane.
#[derive(Default)]
pub(super) struct Folds {
    last: LastWord,
    world: World,
    retries: Retries,
    done: Done,
    things: OpenThings,
    processes: Processes,
    unverified: Unverified,
    tasks: Tasks,
    promises: Promises,
    commitments: Commitments,
    questions: Questions,
    references: References,
    values: Values,
    explicit: Explicit,
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
    /// What the folds go by.
    pub(super) rules: &'r Rulebook,
}

/// A call that ended.
pub(super) struct Ending<'a> {
    /// Which.
    pub(super) call: CallIx,
    /// How.
    pub(super) how: EndHow,
    /// What it did to the world; its row says the same.
    #[expect(dead_code, reason = "read by the folds to come")]
    pub(super) effect: Option<EffectStatus>,
    /// What the model was given; empty where nothing came.
    pub(super) text: &'a str,
    /// Its exact input, however long, where it is still known.
    pub(super) input: Option<Arc<str>>,
}

impl Folds {
    /// An event came: every one is seen here once, before what it means is folded. Whose result it is, its row does not say yet.
    pub(super) fn seen(&mut self, page: &mut Page<'_>, payload: &Payload<'_>, spelled: Spelled<'_>) {
        self.values.seen(page, payload, spelled);
    }

    /// A step began: a message of the assistant with all that belongs to it.
    pub(super) fn step(&mut self, page: &mut Page<'_>) {
        self.world.step(page.rows, page.delta, page.at.event);
        self.retries.step(page);
    }

    /// A call was made.
    pub(super) fn made(&mut self, page: &mut Page<'_>, ix: CallIx, call: &Call<'_>, spelled: Spelled<'_>) {
        self.go_on(page);
        self.last.go_on();
        self.values.made(page, ix, call, spelled);
        self.explicit.made(page, ix);
        if let Some(call) = page.rows.calls.get(ix.index()) {
            let label = Arc::clone(&call.label);
            self.commitments.began(page, &label);
        }
    }

    /// A call ended, or was given up.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ending: Ending<'_>) {
        let (ix, how) = (ending.call, ending.how);
        let is_blind = self.world.is_in_doubt() && page.rules.effects.saw_nothing(how, ending.text);
        let shows =
            |by: &CallRow, of: &CallRow| !is_blind && observes(by.class, &by.sees, of.world.as_deref(), of.target.as_deref());
        let resolved = self.world.ended(page.rows, page.delta, (ix, ending.input.clone()), page.at, shows);
        self.retries.ended(page, ix, &resolved);
        self.tasks.ended(page, ix, (how, ending.text), ending.input.as_deref());
        self.promises.ended(page, ix, how);
        self.done.ended(page, ix, how, (ending.text, ending.input));
        self.things.ended(page, ix, how, ending.text);
        self.processes.ended(page, ix, how, ending.text);
        self.unverified.ended(page, ix, (how, ending.text), &page.rules.effects.things().unverified);
        self.commitments.ended(page, ix, how);
        self.commitments.guard(page);
    }

    /// A runtime's record says what the call of this key will turn out to have done.
    pub(super) fn expect(&mut self, key: &str, effect: EffectStatus) {
        let call = key.strip_prefix("call:").unwrap_or(key).to_owned();
        self.explicit.declare(&Declared { call, effect: Some(effect), idempotency_key: None });
    }

    /// What a runtime's record said beforehand that a call does to the world.
    pub(super) fn declared(&mut self, id: &str) -> Option<EffectStatus> {
        self.explicit.effect_of(id)
    }

    /// A runtime's record counts from here. It may name an entry or a call that is not there.
    pub(super) fn recorded(&mut self, page: &mut Page<'_>, says: &Says, find: Find<'_>) -> Result<(), Mistake> {
        match says {
            Says::Open(opening) => {
                self.stated(page, opening, Writer::Runtime, find);
                Ok(())
            }
            Says::Close(closing) => self.closed(page, closing, find),
            Says::Call(declared) => {
                self.declare(page, declared, find(&declared.call));
                Ok(())
            }
        }
    }

    /// Carriers of ours stand in what the runtime put into the context.
    pub(super) fn carried(&mut self, page: &mut Page<'_>, text: &str, find: Find<'_>) {
        // A binding needs no more than that its value stands there in full; whether something still relies on it, the next cut says.
        for carrier in carriers(text).into_iter().filter(|carrier| carrier.kind != EntryKind::Binding) {
            self.stated(page, &carrier, Writer::Carrier, find);
        }
    }

    fn stated(&mut self, page: &mut Page<'_>, opening: &Opening, by: Writer, find: Find<'_>) {
        if let Opened::New(id) = self.explicit.open(page, opening, by, find) {
            self.commitments.recorded(page, id);
            self.commitments.guard(page);
        }
    }

    fn closed(&mut self, page: &mut Page<'_>, closing: &Close, find: Find<'_>) -> Result<(), Mistake> {
        let known = self.explicit.entry(page, &closing.key, find).filter(|id| page.rows.live.contains(id));
        let Some(id) = known else { return Err(Mistake::at("key", format!("nothing live has the key `{}`", closing.key))) };
        let resolved = self.world.closed(page, id, closing.effect);
        if closing.effect.is_some() {
            book::edit(page.rows, id, |entry| entry.settled = Some(Settled { by: page.at.event, effect: closing.effect }));
        }
        book::set_status(page.rows, page.delta, id, page.at.event, closing.how);
        self.retries.settled(page, &resolved);
        Ok(())
    }

    /// What is declared of a call that is still to be made, or still to end, waits for that.
    fn declare(&mut self, page: &mut Page<'_>, declared: &Declared, call: Option<CallIx>) {
        let event = page.at.event;
        if let Some(call) = call.and_then(|ix| page.rows.calls.get_mut(ix.index()))
            && let Some(key) = declared.idempotency_key.as_deref().filter(|_| call.key.is_none())
        {
            (call.key, call.declared) = (Some(key.into()), Some(event));
        }
        let ended = call.filter(|ix| page.rows.calls.get(ix.index()).is_some_and(|call| call.ended().is_some()));
        match (ended, declared.effect) {
            (Some(ix), Some(effect)) => {
                let resolved = self.world.declared(page, ix, effect);
                self.retries.settled(page, &resolved);
            }
            (Some(_), None) => {}
            (None, _) => self.explicit.declare(declared),
        }
    }

    /// A call's resolution says that it goes on in the background.
    pub(super) fn started(&mut self, page: &mut Page<'_>, ix: CallIx, handle: &str, text: &str) {
        self.processes.started(page, ix, handle, text);
    }

    /// The recording leaves the results of a tool out.
    pub(super) fn left_out(&mut self, page: &mut Page<'_>, tool: &str) {
        for left in self.world.left_out(page, tool) {
            self.retries.left_out(page, left);
        }
    }

    /// A hook's line proves that a call ran.
    pub(super) fn ran(&mut self, page: &mut Page<'_>, ix: CallIx) {
        let resolved = self.world.proved(page, ix);
        self.retries.settled(page, &resolved);
    }

    /// The session ended.
    pub(super) fn session_ended(&mut self, page: &mut Page<'_>) {
        self.processes.session_ended(page);
    }

    /// News of a background job. What its call was to do is done when the job has ended well, and unknown when it has not.
    pub(super) fn job(&mut self, page: &mut Page<'_>, handle: &str, state: JobState, text: &str) {
        for ix in self.processes.news(page, handle, state) {
            if state == JobState::Completed {
                self.done.ended(page, ix, EndHow::Success, (text, None));
                self.things.ended(page, ix, EndHow::Success, text);
                self.unverified.ended(page, ix, (EndHow::Success, text), &page.rules.effects.things().unverified);
            } else {
                self.world.job_failed(page, ix, state);
            }
        }
    }

    /// A human said something, or whoever stands for one; `regions` is what is done by the words.
    pub(super) fn heard(&mut self, page: &mut Page<'_>, (source, text): (Source, &str), regions: &[Region]) {
        if self.last.is_of_turn_before(page.at.turn) {
            self.conclude(page);
        }
        if matches!(source, Source::Typed | Source::Steering | Source::Answer) {
            self.testified(page, source, text);
        }
        let answers = self.questions.heard(page, source, text, regions);
        if source == Source::Typed {
            self.tasks.prompt(page, text, regions);
            self.promises.prompt(page, text, regions);
        }
        let pointer = Pointer { event: page.at.event, bytes: page.place.bytes };
        let last = |rows: &LaneSnapshot, value: &str| self.values.last_turn(rows, value);
        self.commitments.hear(
            page,
            Speech { source, text, regions, answers, at: page.at, pointer, verbs: page.rules.cues.deeds() },
            &last,
        );
        if let Some(turn) = self.references.heard(page, source, text) {
            self.commitments.picked_from(turn, page.at.turn);
        }
    }

    /// The assistant said something to its reader. Where nothing tells whether it goes on, it may be the last of its turn.
    ///
    /// Only what would be missed counts for now: a question, something promised or not done, an answer to what was asked. What else a
    /// report says can wait until it shows to be the last word: most messages are on the way to a call.
    pub(super) fn said(&mut self, page: &mut Page<'_>, text: &str, finish: Finish, regions: &[Region]) {
        self.go_on(page);
        self.world.said(page, text, &page.rules.effects.things().said);
        self.last.say(text, page.at, Pointer { event: page.at.event, bytes: page.place.bytes });
        let owes = |region: &Region| region.acts.iter().any(|act| matches!(act, Act::Asks | Act::Promises | Act::NotYet));
        let matters = || text.contains(['?', '？']) || regions.iter().any(owes) || self.commitments.is_asked(page.at.turn);
        let is_untold = finish == Finish::Untold && page.rows.open_calls.is_empty();
        if is_untold && is_report(text) && !matters() {
            self.commitments.reported(page);
        } else if is_untold && matters() && may_be_last(text, &page.rules.cues, page.rules.human) {
            let before = page.delta.changes.len();
            if let Some(closing) = self.conclude(page) {
                self.last.count_for_now(closing, page.delta.changes.get(before..).unwrap_or_default().to_vec());
            }
        }
    }

    /// The turn goes on: a message that counted for now as its last was not. What it opened goes, what it ended is live again.
    fn go_on(&mut self, page: &mut Page<'_>) {
        self.commitments.reported_too_early(page);
        let Some(changed) = self.last.take_back() else { return };
        let opened = |id: EntryId| changed.contains(&Change::EntryOpened(id));
        for change in &changed {
            let (id, status) = match *change {
                Change::EntryOpened(id) => (id, EntryStatus::Abandoned),
                Change::EntryChanged(id, status) if status != EntryStatus::Live && !opened(id) => (id, EntryStatus::Live),
                _ => continue,
            };
            book::set_status(page.rows, page.delta, id, page.at.event, status);
        }
        self.commitments.went_on();
        self.promises.went_on(page);
    }

    /// A human may have said what became of something.
    fn testified(&mut self, page: &mut Page<'_>, source: Source, text: &str) {
        let call = page.rows.events.get(page.at.event.index()).and_then(|row| row.call);
        let asked = call.and_then(|call| page.rows.calls.get(call.index())).filter(|_| source == Source::Answer);
        let question = asked.map(|call| Arc::clone(&call.input));
        let resolved = self.world.told(page, text, question.as_deref(), &page.rules.effects.things().said);
        self.retries.settled(page, &resolved);
    }

    /// The turn ended: its row says how.
    pub(super) fn turn_ended(&mut self, page: &mut Page<'_>, how: TurnEnd) {
        if how == TurnEnd::Interrupted {
            self.go_on(page);
            self.commitments.troubled(Trouble::Stopped);
            self.last.stop();
        }
        self.conclude(page);
        self.tasks.turn_over(page);
    }

    /// A request to the model failed.
    pub(super) fn request_failed(&mut self) {
        self.commitments.troubled(Trouble::Broken);
        self.last.stop();
    }

    /// The turns from `first_gone` on were taken back: what was said in them goes, what it had closed is live again.
    pub(super) fn rewound(&mut self, page: &mut Page<'_>, first_gone: TurnIx) {
        self.last.forget();
        self.commitments.rewound(page, first_gone);
        self.world.rewound(first_gone);
        self.tasks.rewound(page);
        self.promises.rewound(page);
    }

    /// A boundary replaced the context while the agent worked.
    pub(super) fn boundary(&mut self, at: EventIx) {
        self.commitments.troubled(Trouble::Crossed(at));
    }

    /// A human asks for a boundary, which nobody can while the agent works: the turn is over.
    pub(super) fn between_turns(&mut self, page: &mut Page<'_>) {
        self.conclude(page);
    }

    /// Reads the last message of a turn that is over: by a mark, or since the next prompt is here, which has not been heard yet.
    fn conclude(&mut self, page: &mut Page<'_>) -> Option<Closing> {
        let (rules, source) = (page.rules, Source::LastOfTurn);
        let read = |text: &str| rules.cues.read(&Said { text, source, before: "", head: "" }, rules.human);
        let closing = self.last.take(read)?;
        self.concluded(page, &closing);
        Some(closing)
    }

    /// A turn is over, and this was its last message.
    fn concluded(&mut self, page: &mut Page<'_>, closing: &Closing) {
        let Closing { text, said, pointer, regions, .. } = closing;
        let (source, verbs) = (Source::LastOfTurn, page.rules.cues.deeds());
        let speech = Speech { source, text, regions, answers: false, at: *said, pointer: *pointer, verbs };
        self.commitments.last_word(page, speech);
        self.tasks.concluded(closing);
        self.promises.concluded(page, closing);
        self.questions.concluded(page, closing);
        self.references.concluded(closing);
    }
}
