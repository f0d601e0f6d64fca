//! Lifetimes: when a commitment is left behind, lifted, or done (DESIGN section 4, "Lifetimes").
//!
//! A ledger in which nothing ever ends is a screen that is all amber. What is settled here was not observed to be done, and its status
//! says so.

mod claims;
mod item;
mod lifting;
mod order;
mod wanted;

use crate::base::ids::{EntryId, EventIx, TurnIx};
use crate::evidence::Gist;
use crate::ledger::book;
use crate::ledger::commitments::{Speech, is_human};
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, EntryStatus, Weight};
use crate::ledger::folds::Page;
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::ledger::tagging::{Act, Region, Source};
use crate::ledger::tasks::{APPROVED_PLAN, PLAN_ITEM};

use self::claims::claim;
use self::item::{A_QUESTION, GIST_BYTES, Item, PROMPTS, PROMPTS_AT_MOST};
use self::lifting::Lift;

pub(super) use item::{Life, Trouble};
pub(super) use order::Order;
use wanted::A_YES;
pub(super) use wanted::Wanted;

/// What lives while it is used is settled when this many turns did not use it.
const UNUSED_TURNS: u32 = 3;

/// A message tells something if at most one in so many of its sentences asks.
const ASKS_LITTLE: usize = 4;

/// So many bytes of actions may wait until it is looked what they name.
const NAMED_BYTES: usize = 1 << 16;

/// The newest turn in which a value stood anywhere: in words, in an input, in an output.
pub(super) type LastTurn<'a> = &'a dyn Fn(&LaneSnapshot, &str) -> Option<TurnIx>;

/// The commitments that live, in the order in which they were said. Prompts look at what they may leave behind, and at nothing else.
#[derive(Default)]
pub(super) struct Living {
    items: Vec<Item>,
    /// Those that hold until they are lifted: later prompts do not look at them.
    standing: Vec<Item>,
    /// The actions of the turn that goes on: what they name is looked for once, when it is over.
    named: Named,
    /// What kept the turn that goes on from ending as it should.
    trouble: Trouble,
    /// The turn of the newest prompt that was not taken back.
    turn: TurnIx,
    /// The two newest prompts' turns, and which entry was the next to be opened when each began.
    began: [(TurnIx, EntryId); 2],
    /// The newest turn in which something was changed or checked, and it went well.
    worked: Option<TurnIx>,
    /// The newest turn in which a check passed, and nothing was changed behind it.
    checked: Option<TurnIx>,
    /// The newest turn that ended well with a message that asks nothing.
    reported: Option<TurnIx>,
    /// The newest turn whose last message asks, promises or leaves something.
    offered: Option<TurnIx>,
    /// What the newest last message has ended: its turn may go on after all.
    ended: Vec<Item>,
    /// What a message that nothing follows yet claims.
    claimed_for_now: Vec<EntryId>,
}

/// Words of actions, line by line, and the turn in which they occurred.
#[derive(Default)]
struct Named {
    words: String,
    turn: TurnIx,
}

impl Living {
    /// A commitment was opened.
    pub(super) fn born(&mut self, page: &Page<'_>, entry: EntryId, (life, wanted): (Life, Wanted), source: Source) {
        let Some(Slot::Entry(row)) = page.rows.entries.get(entry.index()) else { return };
        let item = Item::new(row, (life, wanted), source, page.at.turn);
        if matches!(item.life, Life::Standing) { &mut self.standing } else { &mut self.items }.push(item);
    }

    /// Whether a commitment is looked after.
    pub(super) fn knows(&self, entry: EntryId) -> bool {
        self.items.iter().chain(&self.standing).any(|item| item.entry == entry)
    }

    /// A commitment was said again.
    pub(super) fn again(&mut self, entry: EntryId, turn: TurnIx) {
        if let Some(item) = self.items.iter_mut().chain(&mut self.standing).find(|item| item.entry == entry) {
            item.renew(turn);
            item.age = 0;
        }
    }

    /// A human picked from the last message of a turn.
    pub(super) fn picked_from(&mut self, turn: TurnIx, now: TurnIx) {
        self.items.iter_mut().filter(|item| item.is_last_word_of(turn)).for_each(|item| item.renew(now));
    }

    /// The turn that goes on will not end as it should.
    pub(super) fn troubled(&mut self, trouble: Trouble) {
        self.trouble = self.trouble.max(trouble);
    }

    /// The turns from `first_gone` on were taken back.
    pub(super) fn rewound(&mut self, first_gone: TurnIx) {
        self.look_for_named();
        let taken_back = self.turn.0.saturating_sub(first_gone.0) + 1;
        self.items.retain_mut(|item| {
            let taken_back = u8::try_from(taken_back).unwrap_or(u8::MAX);
            item.prompts = item.prompts.saturating_sub(taken_back);
            item.age = item.age.saturating_sub(taken_back);
            item.said < first_gone
        });
        self.standing.retain(|item| item.said < first_gone);
        self.turn = TurnIx(first_gone.0.saturating_sub(1));
        self.trouble = Trouble::None;
        (self.worked, self.checked, self.reported, self.offered) = (None, None, None, None);
        self.claimed_for_now.clear();
        self.began = Default::default();
    }

    /// An action of these words was begun in this turn.
    pub(super) fn began(&mut self, words: &str, turn: TurnIx) {
        if self.named.turn != turn || self.named.words.len() > NAMED_BYTES {
            self.look_for_named();
            self.named.turn = turn;
        }
        self.named.words.push_str(words);
        self.named.words.push('\n');
    }

    /// What the actions so far have named was used in their turn.
    fn look_for_named(&mut self) {
        let Named { mut words, turn } = std::mem::take(&mut self.named);
        self.used(&words, turn);
        words.clear();
        self.named.words = words;
    }

    /// These words occurred in this turn.
    fn used(&mut self, words: &str, turn: TurnIx) {
        for item in &mut self.items {
            if matches!(item.life, Life::WhileUsed) && item.used < turn && item.is_named_in(words) {
                item.used = turn;
            }
        }
    }

    /// A human typed the next prompt: what was said before is one prompt older. `last` tells the newest turn in which a value stood
    /// anywhere.
    pub(super) fn prompt(&mut self, page: &mut Page<'_>, speech: &Speech<'_>, last: LastTurn<'_>) {
        let turn = page.at.turn;
        let before = std::mem::replace(&mut self.turn, turn);
        self.began = [self.began[1], (turn, EntryId::from_index(page.rows.entries.len()))];
        self.look_for_named();
        self.used(speech.text, turn);
        let words = Gist::of(crate::base::text::prefix(speech.text, GIST_BYTES));
        let does = |act| speech.regions.iter().any(|region| region.acts.contains(&act));
        // A nod is no yes, and a long prompt with a question in it is about something else.
        let counts = speech.text.bytes().any(|byte| byte.is_ascii_digit());
        let approves = does(Act::Approves) && (self.offered == Some(before) || (words.len() <= A_YES && !counts));
        let (rejects, asks) = (does(Act::Rejects), does(Act::Asks));
        let asks_back = asks && words.len() <= A_QUESTION;
        // "Where were we?" asks for all that there is, and leaves nothing of it.
        let looks_back = asks_back && does(Act::Refers);
        let refers = speech.regions.iter().any(|region| region.is(EntryKind::Reference));
        let trouble = std::mem::take(&mut self.trouble);
        // Who sees the work reported, and asks for something else, has it.
        let objects = [Act::Rejects, Act::Revokes, Act::NotYet].into_iter().any(does);
        let has_it = self.worked == Some(before)
            && self.reported == Some(before)
            && !(approves && self.offered != Some(before))
            && !asks_back
            && !objects;
        // Who tells of something broken may mean what was reported.
        let objects = objects || does(Act::Faults);
        let Page { rows, delta, at, .. } = page;
        // What nobody knows the outcome of was reported as that.
        let is_unknown = |entry: &Entry| entry.kind == EntryKind::Effect && entry.opened.turn == before;
        let has_it = has_it && !self.opened_since(rows, before).any(is_unknown);
        self.items.retain_mut(|item| {
            if !rows.live.contains(&item.entry) {
                return false;
            }
            let ends = match item.life {
                Life::Standing | Life::UntilDone(_) => return true,
                Life::WhileUsed => {
                    let used = item.values.iter().filter_map(|value| last(rows, value)).max().unwrap_or_default();
                    turn.0 > item.used.max(used).0 + UNUSED_TURNS
                }
                // What a turn that was broken off did not tell, the next may.
                Life::Asked if item.turn == before && trouble != Trouble::None => {
                    item.turn = turn;
                    return true;
                }
                Life::Asked => true,
                Life::OneShot if looks_back => {
                    item.renew(turn);
                    return true;
                }
                // A prompt that brings a plan back with it holds it.
                Life::OneShot if item.is_said_again(&words) => true,
                Life::OneShot => {
                    item.age = item.age.saturating_add(1);
                    let is_claimed = book::status(rows, item.entry) == Some(EntryStatus::Claimed);
                    let answered = item.is_last_word_of(before) && (approves || refers);
                    let rejected = rejects && item.said == before;
                    let is_meant = item.is_meant_by(speech.text, &words);
                    // What a human comes back to is not done for them, whatever was reported.
                    if is_claimed && !(approves || asks_back) && (is_meant || objects && item.turn == before) {
                        book::set_status(rows, delta, item.entry, at.event, EntryStatus::Live);
                    } else if is_claimed
                        && has_it
                        && self.checked == Some(before)
                        && !is_meant
                        && !is_held(item, rows, at.event)
                        && let Some(by) = item.wanted.named_done_by()
                    {
                        // All that it names was seen done, checked and reported, and nobody comes back to it.
                        book::set_status(rows, delta, item.entry, at.event, EntryStatus::Discharged);
                        by.into_iter().for_each(|by| book::link(rows, item.entry, EdgeKind::Discharges, by, at.event));
                        return false;
                    }
                    if answered || rejected || is_meant {
                        item.renew(turn);
                    } else if item.turn == before && item.waits(before, trouble, speech.answers) {
                        // What was not ended, or waited for an answer, is still asked for: the turn that now begins may end it.
                        item.turn = turn;
                    } else if asks && item.is_asked_about(before, &words) {
                        // Who asks at length says himself what it is about, and has it with the answer.
                        item.asked_in = Some(turn).filter(|_| words.len() > A_QUESTION);
                    } else if trouble != Trouble::Stopped {
                        // What was stopped and is typed anew counts once; who asks back has not left what was said.
                        // A number may be one of a list.
                        let left = has_it && !(counts && item.is_list) && item.is_left_by(before, &words);
                        item.prompts = item.prompts.saturating_add(if left { PROMPTS } else { 1 });
                    }
                    (item.prompts >= item.patience() || item.age >= PROMPTS_AT_MOST) && !is_held(item, rows, at.event)
                }
            };
            if ends {
                book::set_status(rows, delta, item.entry, at.event, EntryStatus::Settled);
            }
            !ends
        });
    }

    /// Folds what a text does to what was said before; `opened` are its own entries, each with the number of its region.
    pub(super) fn acts(&mut self, page: &mut Page<'_>, speech: &Speech<'_>, opened: &[(EntryId, usize)]) {
        let own = |entry: EntryId| opened.iter().any(|(id, _)| *id == entry);
        for (n, region) in speech.regions.iter().enumerate() {
            let by = opened.iter().find(|(_, of)| *of == n).map(|(id, _)| *id);
            let text = speech.text.get(region.range.clone()).unwrap_or("");
            let words = || Gist::of(text);
            let is_said = region.kind.is_some() && region.rule != Region::PASTE && region.rule != "block";
            let tells = is_said && ![Act::Asks, Act::NotYet, Act::Defers].iter().any(|act| region.acts.contains(act));
            if tells && is_human(speech.source) && self.standing.iter().any(|item| item.until.is_some()) {
                self.come_about(page, by, (text, &words()));
            }
            if region.acts.contains(&Act::Frees) && is_human(speech.source) {
                self.free(page, by, text);
            }
            if region.acts.contains(&Act::Revokes) || region.acts.contains(&Act::Waives) {
                let how = if region.acts.contains(&Act::Revokes) { Lift::Revoke } else { Lift::Waive };
                self.lift(page, by, (&words(), text), how, own);
            } else if let Some(by) = by
                && !region.is(EntryKind::Prohibition)
            {
                self.conflicts(page, by, words);
            }
            if let Some(by) = by.filter(|_| region.acts.contains(&Act::Approves)) {
                self.approve(page, by);
            }
            if let Some(by) = by.filter(|_| region.acts.contains(&Act::Refers)) {
                self.refer(page, by);
            }
        }
    }
}

impl Living {
    /// A call ended: what was asked for in its turn may now be done.
    pub(super) fn ended(&mut self, call: &CallRow, how: EndHow, turn: TurnIx) {
        let changed = call.ended().and_then(|end| end.effect) == Some(EffectStatus::Committed);
        let passed = call.aftermath.checks && how == EndHow::Success;
        if changed || passed {
            self.worked = Some(turn);
            self.checked = Some(turn).filter(|_| passed);
        }
        for item in self.items.iter_mut().filter(|item| item.said == turn) {
            item.wanted.ended(call, how);
        }
    }

    /// A turn is over, and this was its last message: who asked to be told something was told, if the turn ended as it should and that
    /// asks nothing back; who asked for deeds that were seen done has them, however it ended. Whether the message does no more than
    /// report that all that was asked for is done.
    pub(super) fn turn_over(&mut self, page: &mut Page<'_>, speech: &Speech<'_>) -> bool {
        let (turn, last) = (speech.at.turn, speech.regions);
        self.ended.clear();
        let does = |acts: &[Act]| last.iter().any(|region| region.acts.iter().any(|act| acts.contains(act)));
        let leaves = |region: &&Region| region.acts.iter().any(|act| matches!(act, Act::Promises | Act::NotYet));
        let ended_well = match self.trouble {
            Trouble::None => true,
            Trouble::Crossed(boundary) => speech.at.event > boundary,
            Trouble::Broken | Trouble::Stopped => false,
        };
        let asks_back = |region: &Region| region.acts.contains(&Act::Asks) && !region.acts.contains(&Act::Offers);
        let asked_back = last.iter().filter(|region| asks_back(region)).count();
        let is_told = ended_well && asked_back == 0;
        // An answer that closes with a question is one.
        let is_answered = ended_well && asked_back * ASKS_LITTLE <= last.len();
        self.give_way(page, speech, is_answered);
        self.offered = Some(turn).filter(|_| does(&[Act::Asks, Act::Promises, Act::NotYet]));
        self.reported = Some(turn).filter(|_| is_told);
        // A message that does little else but ask needs an answer before anything can be done.
        let is_unmet = self.worked != Some(turn) && asked_back * 2 >= last.len().max(1);
        for item in self.items.iter_mut().filter(|item| item.turn == turn) {
            item.is_unmet = is_unmet && item.source != Source::LastOfTurn;
        }
        let (mut done, mut left) = (false, false);
        let Page { rows, delta, at, .. } = page;
        self.ended.extend(self.items.extract_if(.., |item| {
            let is_of_turn = match item.life {
                Life::OneShot => item.said == turn,
                Life::Asked => item.turn == turn,
                Life::Standing | Life::WhileUsed | Life::UntilDone(_) => false,
            };
            if !is_of_turn || !rows.live.contains(&item.entry) {
                return false;
            }
            let (status, by) = match (&item.wanted, item.wanted.done_by()) {
                (Wanted::Answer, _) if is_answered => (EntryStatus::Settled, Vec::new()),
                (_, Some(by)) => (EntryStatus::Discharged, by),
                (_, None) => {
                    left = true;
                    return false;
                }
            };
            done |= !by.is_empty();
            book::set_status(rows, delta, item.entry, at.event, status);
            for by in by {
                book::link(rows, item.entry, EdgeKind::Discharges, by, at.event);
            }
            true
        }));
        if is_told && self.worked == Some(turn) {
            let words = |region: &Region| speech.text.get(region.range.clone()).map(Gist::of);
            let open: Vec<Gist> = last.iter().filter(leaves).filter_map(words).collect();
            let claimed = self.claimed(page, turn, &open);
            claim(page, &claimed);
        }
        self.claimed_for_now.clear();
        done && !left && is_told && self.offered.is_none()
    }

    /// A turn has one last message: what it said before its runtime let it go on gives way, and what earlier ones said that it says
    /// again, or that it explains to who asked back about it; unless that asks what nobody has answered.
    fn give_way(&mut self, page: &mut Page<'_>, speech: &Speech<'_>, is_answered: bool) {
        if !self.items.iter().any(|item| item.source == Source::LastOfTurn && item.is_whole) {
            return;
        }
        let turn = speech.at.turn;
        let words = Gist::of(crate::base::text::prefix(speech.text, GIST_BYTES));
        let Page { rows, delta, at, .. } = page;
        self.ended.extend(self.items.extract_if(.., |item| {
            let is_older = item.is_last_word_of(turn) && item.is_whole || item.is_said_again(&words);
            let is_explained = is_answered && item.asked_in == Some(turn) && !item.is_list;
            let gives_way = (is_older || is_explained) && rows.live.contains(&item.entry) && !is_held(item, rows, at.event);
            if gives_way {
                book::set_status(rows, delta, item.entry, at.event, EntryStatus::Settled);
            }
            gives_way
        }));
    }

    /// Whether something was asked in a turn, and is owed until that is over.
    pub(super) fn is_asked(&self, turn: TurnIx) -> bool {
        self.items.iter().any(|item| item.turn == turn && matches!(item.life, Life::Asked))
    }

    /// The turn goes on after all: what its newest message has ended lives on.
    pub(super) fn went_on(&mut self) {
        self.items.append(&mut self.ended);
        self.items.sort_by_key(|item| item.entry);
        (self.reported, self.offered) = (None, None);
    }

    /// An action succeeded whose words are `label`: what had to come in an order may now be done.
    pub(super) fn done(&mut self, page: &mut Page<'_>, label: &str) {
        if !self.items.iter().any(|item| matches!(item.life, Life::UntilDone(_))) {
            return;
        }
        let Page { rows, delta, at, .. } = page;
        let label = label.to_lowercase();
        self.items.retain_mut(|item| {
            let Life::UntilDone(order) = &mut item.life else { return true };
            if !order.is_done_with(&label) {
                return true;
            }
            book::set_status(rows, delta, item.entry, at.event, EntryStatus::Discharged);
            false
        });
    }
}

/// Whether something else keeps a commitment: words that point at it, or what its turn has left open.
fn is_held(item: &Item, rows: &LaneSnapshot, at: EventIx) -> bool {
    let mut left = item.turn_mates(rows);
    item.users.iter().any(|user| rows.live.contains(user))
        || match item.source {
            Source::LastOfTurn => left.any(|entry| entry.kind == EntryKind::Question),
            _ => left.any(|entry| is_busy(entry, at)),
        }
}

/// Whether a turn that left this open is still at work: a plan item, or a job whose result is owed. A server that just runs has been
/// started.
fn is_busy(entry: &Entry, at: EventIx) -> bool {
    match entry.kind {
        EntryKind::Task => matches!(&*entry.rule, PLAN_ITEM | APPROVED_PLAN) && entry.status_at(at) == Some(EntryStatus::Live),
        EntryKind::Process => entry.weight_at(at) == Weight::Barrier,
        _ => false,
    }
}
