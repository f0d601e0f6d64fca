//! What the calls of a lane show of what they do, and what its humans asked for: read once, however many findings ask for it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::audit::consequences::speaks::Speaks;
use crate::audit::consequences::value::Value;
use crate::base::ids::{EntryId, EventIx};
use crate::evidence::Gist;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::{Wording, Wordings};
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::CallRow;
use crate::ledger::snapshot::Slot;

/// What each call shows and what humans asked for, as far as somebody has asked for that.
#[derive(Default)]
pub(in crate::audit) struct Shown<'d> {
    calls: RefCell<FxHashMap<EntryId, Rc<Words>>>,
    orders: OnceCell<Vec<Order<'d>>>,
}

/// What a human asked for.
pub(super) struct Order<'d> {
    pub(super) entry: EntryId,
    pub(super) event: EventIx,
    pub(super) speaks: Speaks<'d>,
}

/// The words of one call in small letters.
pub(super) struct Words {
    /// Its tool, its label and its input.
    pub(super) text: String,
    pub(super) intent: String,
    about: OnceCell<Gist>,
    /// What its input alone is about.
    about_input: OnceCell<Gist>,
    /// The exact values of its input.
    values: OnceCell<Vec<Value>>,
    /// The deeds that somebody has asked for, each by where it is kept, and whether they are shown.
    deeds: RefCell<Vec<(usize, bool)>>,
}

impl<'d> Shown<'d> {
    /// The words of a call.
    pub(super) fn of(&self, call: &CallRow) -> Rc<Words> {
        let mut calls = self.calls.borrow_mut();
        Rc::clone(calls.entry(call.entry).or_insert_with(|| Rc::new(Words::of(call))))
    }

    /// What humans asked for in a lane, which must always be the same one, by entry.
    pub(super) fn orders(&self, lane: &LaneSnapshot, wordings: &'d Wordings) -> &[Order<'d>] {
        self.orders.get_or_init(|| {
            let entries = lane.entries.iter().filter_map(Slot::own).filter(|entry| is_order(entry));
            let order = |entry: &Arc<Entry>| Order {
                entry: entry.id,
                event: entry.opened.event,
                speaks: Speaks::of(&entry.text, &entry.identifiers, wordings),
            };
            entries.map(order).collect()
        })
    }
}

impl Words {
    fn of(call: &CallRow) -> Self {
        let text = format!("{} {} {}", call.tool, call.label, call.input).to_lowercase();
        let (about, about_input, values) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { text, intent: call.intent.to_lowercase(), about, about_input, values, deeds: RefCell::default() }
    }

    /// Whether they show that the call does a deed.
    pub(super) fn show(&self, deed: &Wording, call: &CallRow) -> bool {
        let own = std::ptr::from_ref(deed).addr();
        let known = self.deeds.borrow().iter().find(|(deed, _)| *deed == own).map(|(_, shows)| *shows);
        known.unwrap_or_else(|| {
            let shows = deed.is_shown_by(call, &self.text);
            self.deeds.borrow_mut().push((own, shows));
            shows
        })
    }

    /// What they are about.
    pub(super) fn about(&self) -> &Gist {
        self.about.get_or_init(|| Gist::of(&self.text))
    }

    /// What the input of their call is about.
    pub(super) fn about_input(&self, call: &CallRow) -> &Gist {
        self.about_input.get_or_init(|| Gist::of(&call.input))
    }

    /// The exact values of the input of their call.
    pub(super) fn values(&self, call: &CallRow) -> &[Value] {
        self.values.get_or_init(|| Value::all(&call.input))
    }
}

/// Whether a human asks for something by an entry.
fn is_order(entry: &Entry) -> bool {
    entry.kind.is_commitment()
        && !entry.is_of_last_message()
        && entry.kind != EntryKind::Prohibition
        && !entry.also.contains(&EntryKind::Prohibition)
}
