//! Tasks: the items of plans, from the record that lists them to the work that is seen done (DESIGN section 3).
//!
//! A mark is a claim. An item that names files or actions is discharged when it is marked done *and* each of them was seen done; until
//! then it is `claimed`, and still counts. One that names nothing that a session shows is done when it is marked.

mod task;

use crate::base::ids::{CallIx, TurnIx};
use crate::evidence::Gist;
use crate::ledger::about::{are_alike, goes_on, is_about, lifted};
use crate::ledger::book;
use crate::ledger::commitments::LONG_BYTES;
use crate::ledger::effects::PlanShape;
use crate::ledger::entry::{EdgeKind, EntryStatus, Moment, Pointer};
use crate::ledger::folds::Page;
use crate::ledger::last_word::Closing;
use crate::ledger::plans::{self, Changed, Item, State, Told};
use crate::ledger::rows::{EndHow, TurnEnd};
use crate::ledger::tagging::{Act, Region};

use task::{New, Task, words_of};

/// The rule of an item of a plan.
pub(super) const PLAN_ITEM: &str = "plan-item";
/// The rule of a plan in prose.
pub(super) const APPROVED_PLAN: &str = "approved-plan";

/// A pending item is left behind by this many prompts that do not come back to it: a stale list is noise.
const PENDING_PROMPTS: u8 = 3;
/// A claim by this many.
const CLAIMED_PROMPTS: u8 = 2;

/// The items of the plans of a lane.
#[derive(Default)]
pub(super) struct Tasks {
    /// Every item so far: a rewind may bring one back.
    all: Vec<Task>,
    /// Those that live.
    open: Vec<usize>,
    /// Those of the newest whole list, in its order.
    listed: Vec<usize>,
}

impl Tasks {
    /// Folds the end of a call whose result is `text`, and whose exact input may still be known.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, (how, text): (EndHow, &str), input: Option<&str>) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let Some(shape) = call.aftermath.plan else {
            return self.noticed(page, ix, how);
        };
        let told = input.filter(|_| how == EndHow::Success).and_then(|input| plans::read(shape, input, text));
        let at = Moment { span: call.span, ..page.at };
        match told {
            Some(Told::List(items)) => self.list(page, items, at),
            Some(Told::New(Item { id, text, .. })) => {
                self.begin(page, New { shape, id, text, at, pointer: None });
            }
            Some(Told::Changed(changed)) => self.change(page, changed, at),
            Some(Told::Approved(text)) => {
                let bytes = page.rows.events.get(call.event.index()).map(|row| row.place.bytes);
                let pointer = bytes.filter(|_| text.len() > LONG_BYTES).map(|bytes| Pointer { event: call.event, bytes });
                self.approve(page, New { shape, id: None, text, at, pointer });
            }
            None => {}
        }
    }

    /// A turn is over: an approved plan of which every part was seen done is done.
    pub(super) fn turn_over(&mut self, page: &mut Page<'_>) {
        let is_over = |page: &Page<'_>, turn: TurnIx| match page.rows.turns.get(turn.index()).map(|turn| turn.end) {
            Some(Some((_, how))) => how == TurnEnd::Normal,
            Some(None) => turn < page.at.turn,
            None => false,
        };
        self.open.retain(|n| {
            let Some(task) = self.all.get(*n) else { return false };
            let is_done = task.shape == PlanShape::Approval && task.has_all_parts();
            if is_done && is_over(page, task.told) {
                task.end(page, EntryStatus::Discharged);
            }
            page.rows.live.contains(&task.entry)
        });
    }

    /// A human typed the next prompt.
    pub(super) fn prompt(&mut self, page: &mut Page<'_>, text: &str, regions: &[Region]) {
        self.turn_over(page);
        if self.open.is_empty() {
            return;
        }
        let words = Gist::of(text);
        if goes_on(regions, &words) {
            return;
        }
        let lifted: Vec<Gist> = lifted(text, regions);
        self.open.retain(|n| {
            let Some(task) = self.all.get_mut(*n) else { return false };
            let is_claimed = task.status(page) == Some(EntryStatus::Claimed);
            task.idle = if task.is_meant_by(text, &words) { 0 } else { task.idle + 1 };
            if lifted.iter().any(|words| is_about(&task.about, words)) {
                task.end(page, EntryStatus::Revoked);
            } else if task.idle >= if is_claimed { CLAIMED_PROMPTS } else { PENDING_PROMPTS } {
                task.end(page, EntryStatus::Settled);
            }
            page.rows.live.contains(&task.entry)
        });
    }

    /// A turn is over, and this was its last message: what it says is left is not left behind.
    pub(super) fn concluded(&mut self, closing: &Closing) {
        if self.open.is_empty() {
            return;
        }
        let owed = |region: &&Region| region.acts.contains(&Act::NotYet) || region.acts.contains(&Act::Promises);
        let left: Vec<Gist> =
            closing.regions.iter().filter(owed).filter_map(|region| closing.words(region)).map(Gist::of).collect();
        for n in &self.open {
            if let Some(task) = self.all.get_mut(*n).filter(|task| left.iter().any(|words| is_about(&task.about, words))) {
                task.idle = 0;
            }
        }
    }

    /// Turns were taken back, and what they had opened or closed with them.
    pub(super) fn rewound(&mut self, page: &Page<'_>) {
        let lives = |n: &usize| self.all.get(*n).is_some_and(|task| page.rows.live.contains(&task.entry));
        self.open = (0..self.all.len()).filter(lives).collect();
        let is_listed = |n: &usize| self.all.get(*n).is_some_and(|task| task.shape == PlanShape::List);
        self.listed = self.open.iter().copied().filter(is_listed).collect();
        for task in &mut self.all {
            task.idle = 0;
        }
    }

    /// A call that is no plan's ended: it may have done a part of what is open.
    fn noticed(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow) {
        let mut ended = false;
        for n in &self.open {
            let Some(task) = self.all.get_mut(*n) else { continue };
            let is_begun = task.is_begun;
            for followed in &mut task.parts {
                if !page.rows.calls.get(ix.index()).is_some_and(|call| followed.ended(call, how, is_begun)) {
                    continue;
                }
                let (event, name) = (page.at.event, followed.part.name().to_owned());
                book::edit(page.rows, task.entry, |entry| entry.progress.push((event, name)));
            }
            match task.status(page) {
                // Its mark came first, unless nothing more than the mark is missing.
                Some(EntryStatus::Claimed) if task.has_all_parts() && !task.is_seen_done() => {
                    task.discharge(page);
                    ended = true;
                }
                Some(EntryStatus::Live) if task.is_seen_done() => task.end(page, EntryStatus::Claimed),
                _ => {}
            }
        }
        if ended {
            self.keep_live(page);
        }
    }

    fn keep_live(&mut self, page: &Page<'_>) {
        self.open.retain(|n| self.all.get(*n).is_some_and(|task| page.rows.live.contains(&task.entry)));
    }
}

/// What the records say.
impl Tasks {
    /// A whole list takes the place of the one before.
    fn list(&mut self, page: &mut Page<'_>, items: Vec<Item>, at: Moment) {
        let mut left = std::mem::take(&mut self.listed);
        let mut same: Vec<Option<usize>> = Vec::new();
        for item in &items {
            let words = words_of(&item.text);
            let place = left.iter().position(|n| self.all.get(*n).is_some_and(|task| task.words == words));
            same.push(place.map(|place| left.remove(place)));
        }
        for (item, same) in items.into_iter().zip(same) {
            if let Some(n) = same {
                self.tell(page, n, item.state, Some(at));
                self.listed.push(n);
                continue;
            }
            let about = Gist::of(&item.text);
            let renamed = left.iter().position(|n| self.all.get(*n).is_some_and(|task| are_alike(&task.about, &about)));
            let renamed = renamed.map(|place| left.remove(place));
            match (item.state, renamed) {
                (State::Open | State::Begun, renamed) => {
                    let n = self.begin(page, New { shape: PlanShape::List, id: None, text: item.text, at, pointer: None });
                    self.tell(page, n, item.state, None);
                    self.listed.push(n);
                    self.replace(page, renamed, n);
                }
                (state, Some(n)) => {
                    self.tell(page, n, state, Some(at));
                    self.listed.push(n);
                }
                // What is done when it is first told was never owed.
                (State::Done | State::Dropped, None) => {}
            }
        }
        for n in left {
            // What was claimed stays a claim, also when the list does not repeat it.
            if let Some(task) = self.all.get(n).filter(|task| task.status(page) == Some(EntryStatus::Live)) {
                task.end(page, EntryStatus::Abandoned);
            }
        }
        self.keep_live(page);
    }

    /// One item is changed. An id that no record has told belongs to another session.
    fn change(&mut self, page: &mut Page<'_>, changed: Changed, at: Moment) {
        let find = |all: &[Task], id: &str| all.iter().rposition(|task| task.id.as_deref() == Some(id));
        let Some(old) = find(&self.all, &changed.id) else { return };
        let renamed = changed.text.filter(|text| self.all.get(old).is_some_and(|task| task.words != words_of(text)));
        let n = match renamed {
            Some(text) => {
                let n = self.begin(page, New { shape: PlanShape::Item, id: Some(changed.id), text, at, pointer: None });
                self.replace(page, Some(old), n);
                n
            }
            None => old,
        };
        if let Some(state) = changed.state {
            self.tell(page, n, state, None);
        }
        let entry = |n: usize| self.all.get(n).map(|task| task.entry);
        let pairs = changed.after.iter().filter_map(|id| Some((find(&self.all, id)?, n)));
        let pairs = pairs.chain(changed.before.iter().filter_map(|id| Some((n, find(&self.all, id)?))));
        for (first, second) in pairs {
            if let (Some(first), Some(second)) = (entry(first), entry(second)) {
                book::link(page.rows, first, EdgeKind::Before, second, page.at.event);
            }
        }
        self.keep_live(page);
    }

    /// A human approved a plan; it takes the place of the one before.
    fn approve(&mut self, page: &mut Page<'_>, new: New) {
        let is_plan = |n: &usize| self.all.get(*n).is_some_and(|task| task.shape == PlanShape::Approval);
        let older = self.open.iter().copied().find(is_plan);
        let n = self.begin(page, new);
        self.replace(page, older, n);
        self.keep_live(page);
    }

    /// Opens an item.
    fn begin(&mut self, page: &mut Page<'_>, new: New) -> usize {
        let task = Task::open(page, new);
        self.all.push(task);
        self.open.push(self.all.len() - 1);
        self.all.len() - 1
    }

    /// A newer item says in other words what an older one said.
    fn replace(&self, page: &mut Page<'_>, old: Option<usize>, new: usize) {
        let (Some(old), Some(new)) = (old.and_then(|old| self.all.get(old)), self.all.get(new)) else { return };
        if page.rows.live.contains(&old.entry) {
            old.end(page, EntryStatus::Superseded);
        }
        book::link(page.rows, new.entry, EdgeKind::Supersedes, old.entry, page.at.event);
    }

    /// A record tells where an item stands, and repeats its words if it is at `at`.
    fn tell(&mut self, page: &mut Page<'_>, n: usize, state: State, at: Option<Moment>) {
        let Some(task) = self.all.get_mut(n) else { return };
        task.told = page.at.turn;
        task.idle = 0;
        task.begins(state == State::Begun);
        match (state, task.status(page)) {
            (State::Open | State::Begun, Some(EntryStatus::Live)) | (_, None) => {}
            (State::Open | State::Begun, Some(_)) => task.end(page, EntryStatus::Live),
            (State::Done, Some(EntryStatus::Live | EntryStatus::Claimed)) if task.has_all_parts() => task.discharge(page),
            // It names nothing that could be seen: its mark is all that there will ever be.
            (State::Done, Some(EntryStatus::Live)) if task.parts.is_empty() => task.end(page, EntryStatus::Discharged),
            (State::Done, Some(EntryStatus::Live)) => task.end(page, EntryStatus::Claimed),
            (State::Dropped, Some(EntryStatus::Live | EntryStatus::Claimed)) => task.end(page, EntryStatus::Abandoned),
            (State::Done | State::Dropped, Some(_)) => {}
        }
        if !page.rows.live.contains(&task.entry) {
            return;
        }
        if let Some(at) = at {
            task.stands(page, at);
        }
        if !self.open.contains(&n) {
            self.open.push(n);
        }
    }
}
