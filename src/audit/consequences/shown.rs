//! What the calls of a lane show of what they do, and what its humans asked for: read once, however many findings ask for it.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::audit::consequences::speaks::Speaks;
use crate::audit::consequences::value::Value;
use crate::audit::texts::Texts;
use crate::audit::uses::{Shared, Uses};
use crate::base::hash::Hash64;
use crate::base::ids::{EntryId, EventIx};
use crate::evidence::Gist;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::{Wording, Wordings};
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::snapshot::Slot;

/// What each call of a lane shows and what its humans asked for, as far as somebody has asked for that.
pub(in crate::audit) struct Shown<'a> {
    lane: &'a LaneSnapshot,
    /// In their order; rows are large, and most searches pass by most of them.
    begun: Vec<Begun<'a>>,
    /// By the call's entry.
    calls: FxHashMap<EntryId, Words<'a>>,
    acts: OnceCell<Acts<'a>>,
    uses: Shared,
    orders: OnceCell<Vec<Order<'a>>>,
}

/// The numbers of the calls that were begun and may have changed the world, by what they did.
#[derive(Default)]
struct Acts<'a> {
    by_action: FxHashMap<Hash64, Vec<usize>>,
    /// The first of each intent.
    intents: FxHashMap<&'a str, usize>,
}

/// A call, as far as a search must know it to pass it by.
struct Begun<'a> {
    call: &'a CallRow,
    /// Whether it got as far as to do something: neither its runtime nor its human kept it from running.
    is_begun: bool,
    has_effect: bool,
}

/// What a human asked for.
pub(super) struct Order<'a> {
    pub(super) entry: EntryId,
    pub(super) event: EventIx,
    pub(super) speaks: Speaks<'a>,
}

/// The words of one call, as far as somebody has asked for them.
pub(super) struct Words<'a> {
    call: &'a CallRow,
    from: (&'a dyn Texts, &'a Wordings),
    text: OnceCell<String>,
    intent: OnceCell<String>,
    about: OnceCell<Gist>,
    /// What its input alone is about.
    about_input: OnceCell<Gist>,
    /// The exact values of its input.
    values: OnceCell<Vec<Value<'a>>>,
    /// Whether it does each deed, by the deed's number.
    deeds: RefCell<Vec<Option<bool>>>,
    /// The newest order to do it, of those from a certain entry on, that were looked through.
    ordered: Cell<(Option<EntryId>, EntryId)>,
}

impl<'a> Shown<'a> {
    /// What is shown in a lane.
    pub(in crate::audit) fn of(lane: &'a LaneSnapshot, uses: Shared, (texts, wordings): (&'a dyn Texts, &'a Wordings)) -> Self {
        let calls = lane.calls.iter().map(|call| (call.entry, Words::of(call, (texts, wordings)))).collect();
        let kept = |call: &CallRow| call.ended().is_some_and(|end| matches!(end.how, EndHow::Refused | EndHow::Declined));
        let begun =
            lane.calls.iter().map(|call| Begun { call, is_begun: !call.ghost && !kept(call), has_effect: call.class.has_effect() });
        Self { lane, begun: begun.collect(), calls, acts: OnceCell::new(), uses, orders: OnceCell::new() }
    }

    /// The calls of these numbers that were begun, in order.
    pub(super) fn begun(&self, calls: Range<usize>) -> impl Iterator<Item = &'a CallRow> {
        self.begun.get(calls).unwrap_or_default().iter().filter(|call| call.is_begun).map(|begun| begun.call)
    }

    /// Those that may have changed the world.
    pub(super) fn acts(&self, calls: Range<usize>) -> impl Iterator<Item = &'a CallRow> {
        let acts = self.begun.get(calls).unwrap_or_default().iter().filter(|call| call.is_begun && call.has_effect);
        acts.map(|begun| begun.call)
    }

    /// What the lane's calls give.
    pub(super) fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| Uses::of(self.lane))
    }

    /// How many of the lane's calls were made before an event.
    pub(super) fn made_before(&self, event: EventIx) -> usize {
        self.begun.partition_point(|begun| begun.call.event < event)
    }

    /// Those of the first so many calls that may have changed the world, and did just what this one does.
    pub(super) fn repeated_by(&self, call: &CallRow, first: usize) -> impl Iterator<Item = &'a CallRow> {
        let same = self.all_acts().by_action.get(&call.action).map_or(&[][..], Vec::as_slice);
        same.iter().take_while(move |n| **n < first).filter_map(|n| Some(self.begun.get(*n)?.call))
    }

    /// Whether one of them did that, or the same to something else.
    pub(super) fn is_alike_to_one_of(&self, call: &CallRow, first: usize) -> bool {
        let is_same_intent = || self.all_acts().intents.get(&*call.intent).is_some_and(|n| *n < first);
        self.repeated_by(call, first).next().is_some() || is_same_intent()
    }

    fn all_acts(&self) -> &Acts<'a> {
        self.acts.get_or_init(|| {
            let mut acts = Acts::default();
            for (n, Begun { call, .. }) in self.begun.iter().enumerate().filter(|(_, call)| call.is_begun && call.has_effect) {
                acts.by_action.entry(call.action).or_default().push(n);
                acts.intents.entry(&*call.intent).or_insert(n);
            }
            acts
        })
    }

    /// The words of one of the lane's calls.
    pub(super) fn words(&self, call: &CallRow) -> Option<&Words<'a>> {
        self.calls.get(&call.entry)
    }

    /// Whether an entry from this one on asked for what a call does, before the call was made.
    pub(super) fn is_ordered(&self, call: &CallRow, first: EntryId, wordings: &'a Wordings) -> bool {
        let Some(words) = self.words(call) else { return false };
        let (known, from) = words.ordered.get();
        if known.is_some_and(|newest| newest >= first) || from <= first {
            return known.is_some_and(|newest| newest >= first);
        }
        let orders = self.orders(wordings);
        let place = |entry| orders.partition_point(|order| order.entry < entry);
        let unread = orders.get(place(first)..place(from)).unwrap_or_default().iter().rev();
        let newest = unread.filter(|order| order.event < call.event).find(|order| order.speaks.is_done_by(call, self));
        words.ordered.set((newest.map(|order| order.entry).or(known), first));
        newest.is_some()
    }

    /// Whether an entry from this one on asked for what a call does, and may speak of what is forbidden.
    pub(super) fn is_allowed(&self, call: &CallRow, forbidden: &Speaks<'_>, first: EntryId, wordings: &'a Wordings) -> bool {
        let since = self.orders(wordings).iter().rev().take_while(|order| order.entry >= first);
        let mut since = since.filter(|order| order.event < call.event && order.speaks.may_be_of(forbidden));
        since.any(|order| order.speaks.is_done_by(call, self))
    }

    /// What humans asked for in the lane, by entry.
    fn orders(&self, wordings: &'a Wordings) -> &[Order<'a>] {
        self.orders.get_or_init(|| {
            let entries = self.lane.entries.iter().filter_map(Slot::own).filter(|entry| is_order(entry));
            let order = |entry: &Arc<Entry>| Order {
                entry: entry.id,
                event: entry.opened.event,
                speaks: Speaks::of(&entry.text, &entry.identifiers, wordings),
            };
            entries.map(order).collect()
        })
    }
}

impl<'a> Words<'a> {
    fn of(call: &'a CallRow, from: (&'a dyn Texts, &'a Wordings)) -> Self {
        Self {
            call,
            from,
            text: OnceCell::new(),
            intent: OnceCell::new(),
            about: OnceCell::new(),
            about_input: OnceCell::new(),
            values: OnceCell::new(),
            deeds: RefCell::default(),
            ordered: Cell::new((None, EntryId(u32::MAX))),
        }
    }

    /// Its tool, its label and its input, and of a script that is run by its name the commands that it shows, in small letters.
    pub(super) fn text(&self) -> &str {
        let Self { call, text, from: (texts, wordings), .. } = self;
        text.get_or_init(|| {
            let shows = call.ended().filter(|_| wordings.echo.is_by(&call.intent)).map(|end| texts.text(end.event));
            let echo = shows.map(|shows| wordings.echo.in_result(&shows)).unwrap_or_default();
            format!("{} {} {}{echo}", call.tool, call.label, call.input).to_lowercase()
        })
    }

    /// Its intent, in small letters.
    pub(super) fn intent(&self) -> &str {
        self.intent.get_or_init(|| self.call.intent.to_lowercase())
    }

    /// Whether they show that the call does a deed.
    pub(super) fn show(&self, deed: &Wording) -> bool {
        let mut deeds = self.deeds.borrow_mut();
        if deeds.len() <= deed.number() {
            deeds.resize(deed.number() + 1, None);
        }
        let shows = || deed.is_shown_by(self.call, self.text());
        deeds.get_mut(deed.number()).map_or_else(shows, |known| *known.get_or_insert_with(shows))
    }

    /// What they are about.
    pub(super) fn about(&self) -> &Gist {
        self.about.get_or_init(|| Gist::of(&format!("{} {}", self.text(), numbered(self.text()))))
    }

    /// What the input of their call is about.
    pub(super) fn about_input(&self) -> &Gist {
        self.about_input.get_or_init(|| Gist::of(&self.call.input))
    }

    /// The exact values of the input of their call.
    pub(super) fn values(&self) -> &[Value<'a>] {
        self.values.get_or_init(|| Value::all(&self.call.input))
    }
}

/// The words of a text that end in a number, parted from it: `room4.pdf` is about room 4.
fn numbered(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let parted = words.filter_map(|word| {
        let (name, number) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
        let is_it = name.len() > 2 && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
        is_it.then(|| format!("{name} {number}"))
    });
    parted.collect::<Vec<_>>().join(" ")
}

/// Whether a human asks for something by an entry.
fn is_order(entry: &Entry) -> bool {
    entry.kind.is_commitment()
        && !entry.is_of_last_message()
        && entry.kind != EntryKind::Prohibition
        && !entry.also.contains(&EntryKind::Prohibition)
}
