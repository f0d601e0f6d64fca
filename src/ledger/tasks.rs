//! Tasks: the items of plans, from the record that lists them to the work that is seen done (DESIGN section 3).
//!
//! A mark is a claim. An item that names files or actions is discharged when it is marked done *and* each of them was seen done; one
//! that names nothing that a session shows is done when its turn ends as it should, or when its whole list is marked and reported on.
//! Until then it is `claimed`, and still counts.

use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, TurnIx};
use crate::evidence::Gist;
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::{LONG_BYTES, key};
use crate::ledger::effects::PlanShape;
use crate::ledger::entry::{
    Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Pointer, Scope, Trust, Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::label::first_line;
use crate::ledger::last_word::Closing;
use crate::ledger::parts::{self, Part};
use crate::ledger::plans::{self, Changed, Item, State, Told};
use crate::ledger::rows::{EndHow, TurnEnd};
use crate::ledger::snapshot::Slot;
use crate::ledger::tagging::{Act, Region};

/// The rule of an item of a plan.
pub(super) const PLAN_ITEM: &str = "plan-item";
/// The rule of a plan in prose.
const APPROVED_PLAN: &str = "approved-plan";

/// A pending item is left behind by this many prompts that do not come back to it: a stale list is noise.
const PENDING_PROMPTS: u8 = 3;
/// A claim by this many.
const CLAIMED_PROMPTS: u8 = 2;

/// A yes with at most this many content words asks for nothing else.
const SHORT_REPLY: usize = 4;

/// A text is about another when it shares this much of its words.
const ABOUT: f64 = 0.5;
/// Two texts say the same when each shares this much of its words with the other.
const ALIKE: f64 = 0.6;

/// The items of the plans of a lane.
#[derive(Default)]
pub(super) struct Tasks {
    /// Every item so far: a rewind may bring one back.
    all: Vec<Step>,
    /// Those that live.
    open: Vec<usize>,
    /// Those of the newest whole list, in its order.
    listed: Vec<usize>,
}

struct Step {
    entry: EntryId,
    shape: PlanShape,
    id: Option<String>,
    words: Hash64,
    about: Gist,
    parts: Vec<Followed>,
    /// The newest turn in which a record told it.
    told: TurnIx,
    /// How many prompts have not come back to it since.
    idle: u8,
}

/// A part, and the entry of the call that did it.
struct Followed {
    part: Part,
    by: Option<EntryId>,
}

/// An item about to be opened.
struct New {
    shape: PlanShape,
    id: Option<String>,
    text: String,
    at: Moment,
    pointer: Option<Pointer>,
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

    /// A turn is over: what it marked done and nothing can show is done, and so is an approved plan of which every part is.
    pub(super) fn turn_over(&mut self, page: &mut Page<'_>) {
        let is_over = |page: &Page<'_>, turn: TurnIx| match page.rows.turns.get(turn.index()).map(|turn| turn.end) {
            Some(Some((_, how))) => how == TurnEnd::Normal,
            Some(None) => turn < page.at.turn,
            None => false,
        };
        self.open.retain(|n| {
            let Some(step) = self.all.get(*n) else { return false };
            let is_done = match step.shape {
                PlanShape::Approval => step.has_all_parts(),
                _ => step.parts.is_empty() && step.status(page) == Some(EntryStatus::Claimed),
            };
            if is_done && is_over(page, step.told) {
                step.end(page, EntryStatus::Discharged);
            }
            page.rows.live.contains(&step.entry)
        });
    }

    /// The assistant said something to its reader. Words after a list of which nothing is left to be marked report on it, also where
    /// no record says that the turn ended.
    pub(super) fn reported(&mut self, page: &mut Page<'_>) {
        let is_pending = |n: &usize| {
            let step = self.all.get(*n).filter(|step| step.shape != PlanShape::Approval);
            step.and_then(|step| step.status(page)) == Some(EntryStatus::Live)
        };
        if self.open.is_empty() || self.open.iter().any(is_pending) {
            return;
        }
        for step in self.open.iter().filter_map(|n| self.all.get(*n)) {
            if step.parts.is_empty() && step.status(page) == Some(EntryStatus::Claimed) {
                step.end(page, EntryStatus::Discharged);
            }
        }
        self.keep_live(page);
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
            let Some(step) = self.all.get_mut(*n) else { return false };
            let is_claimed = step.status(page) == Some(EntryStatus::Claimed);
            step.idle = if step.is_meant_by(text, &words) { 0 } else { step.idle + 1 };
            if lifted.iter().any(|words| is_about(&step.about, words)) {
                step.end(page, EntryStatus::Revoked);
            } else if step.idle >= if is_claimed { CLAIMED_PROMPTS } else { PENDING_PROMPTS } {
                step.end(page, EntryStatus::Settled);
            }
            page.rows.live.contains(&step.entry)
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
            if let Some(step) = self.all.get_mut(*n).filter(|step| left.iter().any(|words| is_about(&step.about, words))) {
                step.idle = 0;
            }
        }
    }

    /// Turns were taken back, and what they had opened or closed with them.
    pub(super) fn rewound(&mut self, page: &Page<'_>) {
        let lives = |n: &usize| self.all.get(*n).is_some_and(|step| page.rows.live.contains(&step.entry));
        self.open = (0..self.all.len()).filter(lives).collect();
        let is_listed = |n: &usize| self.all.get(*n).is_some_and(|step| step.shape == PlanShape::List);
        self.listed = self.open.iter().copied().filter(is_listed).collect();
        for step in &mut self.all {
            step.idle = 0;
        }
    }

    /// A call that is no plan's ended: it may have done a part of what is open.
    fn noticed(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow) {
        let mut ended = false;
        for n in &self.open {
            let Some(step) = self.all.get_mut(*n) else { continue };
            for followed in step.parts.iter_mut().filter(|followed| followed.by.is_none()) {
                let Some(call) = page.rows.calls.get(ix.index()).filter(|call| followed.part.is_done_by(call, how)) else {
                    continue;
                };
                followed.by = Some(call.entry);
                let (event, name) = (page.at.event, followed.part.name().to_owned());
                book::edit(page.rows, step.entry, |entry| entry.progress.push((event, name)));
            }
            if step.has_all_parts() && step.status(page) == Some(EntryStatus::Claimed) {
                step.discharge(page);
                ended = true;
            }
        }
        if ended {
            self.keep_live(page);
        }
    }

    fn keep_live(&mut self, page: &Page<'_>) {
        self.open.retain(|n| self.all.get(*n).is_some_and(|step| page.rows.live.contains(&step.entry)));
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
            let place = left.iter().position(|n| self.all.get(*n).is_some_and(|step| step.words == words));
            same.push(place.map(|place| left.remove(place)));
        }
        for (item, same) in items.into_iter().zip(same) {
            if let Some(n) = same {
                self.tell(page, n, item.state, Some(at));
                self.listed.push(n);
                continue;
            }
            let about = Gist::of(&item.text);
            let renamed = left.iter().position(|n| self.all.get(*n).is_some_and(|step| are_alike(&step.about, &about)));
            let renamed = renamed.map(|place| left.remove(place));
            match (item.state, renamed) {
                (State::Open, renamed) => {
                    let n = self.begin(page, New { shape: PlanShape::List, id: None, text: item.text, at, pointer: None });
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
            if let Some(step) = self.all.get(n).filter(|step| step.status(page) == Some(EntryStatus::Live)) {
                step.end(page, EntryStatus::Abandoned);
            }
        }
        self.keep_live(page);
    }

    /// One item is changed. An id that no record has told belongs to another session.
    fn change(&mut self, page: &mut Page<'_>, changed: Changed, at: Moment) {
        let find = |all: &[Step], id: &str| all.iter().rposition(|step| step.id.as_deref() == Some(id));
        let Some(old) = find(&self.all, &changed.id) else { return };
        let renamed = changed.text.filter(|text| self.all.get(old).is_some_and(|step| step.words != words_of(text)));
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
        let entry = |n: usize| self.all.get(n).map(|step| step.entry);
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
        let is_plan = |n: &usize| self.all.get(*n).is_some_and(|step| step.shape == PlanShape::Approval);
        let older = self.open.iter().copied().find(is_plan);
        let n = self.begin(page, new);
        self.replace(page, older, n);
        self.keep_live(page);
    }

    /// Opens an item.
    fn begin(&mut self, page: &mut Page<'_>, new: New) -> usize {
        let parts = parts::of_text(&new.text);
        let step = Step {
            entry: EntryId(0),
            shape: new.shape,
            id: new.id.clone(),
            words: words_of(&new.text),
            about: Gist::of(&new.text),
            told: page.at.turn,
            idle: 0,
            parts: Vec::new(),
        };
        let entry = book::open_at(page.rows, page.delta, draft(new, &parts), page.at.event);
        let parts = parts.into_iter().map(|part| Followed { part, by: None }).collect();
        self.all.push(Step { entry, parts, ..step });
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
        let Some(step) = self.all.get_mut(n) else { return };
        step.told = page.at.turn;
        step.idle = 0;
        match (state, step.status(page)) {
            (State::Open, Some(EntryStatus::Live)) | (_, None) => {}
            (State::Open, Some(_)) => step.end(page, EntryStatus::Live),
            (State::Done, Some(EntryStatus::Live)) if step.has_all_parts() => step.discharge(page),
            (State::Done, Some(EntryStatus::Live)) => step.end(page, EntryStatus::Claimed),
            (State::Dropped, Some(EntryStatus::Live | EntryStatus::Claimed)) => step.end(page, EntryStatus::Abandoned),
            (State::Done | State::Dropped, Some(_)) => {}
        }
        if !page.rows.live.contains(&step.entry) {
            return;
        }
        if let Some(at) = at {
            step.stands(page, at);
        }
        if !self.open.contains(&n) {
            self.open.push(n);
        }
    }
}

impl Step {
    fn status(&self, page: &Page<'_>) -> Option<EntryStatus> {
        match page.rows.entries.get(self.entry.index()) {
            Some(Slot::Entry(entry)) => Some(entry.status()),
            Some(Slot::Call(_)) | None => None,
        }
    }

    fn has_all_parts(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|followed| followed.by.is_some())
    }

    fn end(&self, page: &mut Page<'_>, status: EntryStatus) {
        book::set_status(page.rows, page.delta, self.entry, page.at.event, status);
    }

    /// It is marked done, and all that it names was seen done.
    fn discharge(&self, page: &mut Page<'_>) {
        self.end(page, EntryStatus::Discharged);
        for by in self.parts.iter().filter_map(|followed| followed.by) {
            book::link(page.rows, self.entry, EdgeKind::Discharges, by, page.at.event);
        }
    }

    /// A record repeats its words.
    fn stands(&self, page: &mut Page<'_>, at: Moment) {
        let since = page.at.event;
        book::edit(page.rows, self.entry, |entry| {
            if entry.holders.last().is_none_or(|holder| holder.span != at.span) {
                entry.holders.push(Holder { span: at.span, form: HolderForm::Verbatim, since });
            }
            if entry.lost_at(since).is_some() {
                entry.lost.push((since, None));
            }
            entry.evidence.push(since);
        });
    }

    /// Whether a text of these words comes back to it.
    fn is_meant_by(&self, text: &str, words: &Gist) -> bool {
        let named = |followed: &Followed| match &followed.part {
            Part::Written(name) | Part::Seen(name) => text.contains(name.rsplit('/').next().unwrap_or(name)),
            Part::Ran(_) => false,
        };
        self.parts.iter().any(named) || is_about(&self.about, words)
    }
}

/// Whether a prompt says yes, and hardly more: it leaves nothing behind.
pub(super) fn goes_on(regions: &[Region], words: &Gist) -> bool {
    words.len() <= SHORT_REPLY && regions.iter().any(|region| region.acts.contains(&Act::Approves))
}

/// Whether words are about something: about half of what it says, and more than one word of it.
pub(super) fn is_about(about: &Gist, words: &Gist) -> bool {
    about.shared(words) >= about.len().min(2) && about.share_in(words) >= ABOUT
}

/// Whether two texts say the same in other words.
pub(super) fn are_alike(one: &Gist, other: &Gist) -> bool {
    one.share_in(other) >= ALIKE && other.share_in(one) >= ALIKE
}

/// What a human takes back.
pub(super) fn lifted(text: &str, regions: &[Region]) -> Vec<Gist> {
    let takes_back = |region: &&Region| region.acts.contains(&Act::Revokes) || region.acts.contains(&Act::Waives);
    regions.iter().filter(takes_back).filter_map(|region| text.get(region.range.clone())).map(Gist::of).collect()
}

/// The same for the same words, however they are spaced, cased and marked.
fn words_of(text: &str) -> Hash64 {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let words: Vec<String> = words.collect();
    Hash64::of_parts(words.iter().map(String::as_bytes))
}

fn draft(new: New, parts: &[Part]) -> Draft {
    let names: Vec<String> = parts.iter().map(|part| part.name().to_owned()).collect();
    let (rule, line_text) = match new.shape {
        PlanShape::Approval => (APPROVED_PLAN, format!("approved plan: {}", first_line(new.text.trim_start_matches(['#', ' '])))),
        _ => (PLAN_ITEM, first_line(&new.text)),
    };
    Draft {
        kind: EntryKind::Task,
        key: key(EntryKind::Task, &new.text).into_owned(),
        line_text,
        text: Arc::from(new.text),
        trust: Trust::Structured,
        rule: rule.into(),
        scope: Scope::OneShot,
        opened: new.at,
        action: None,
        identifiers: parts.iter().filter(|part| !matches!(part, Part::Ran(_))).map(|part| part.name().to_owned()).collect(),
        discharge: Discharge {
            text: match names.is_empty() {
                true => "marked done, and its turn ends as it should".to_owned(),
                false => format!("marked done, and seen done: {}", names.join(", ")),
            },
            check: Check::Done,
            observable: true,
            needs: names,
        },
        weight: Weight::Repair,
        pointer: new.pointer,
    }
}
