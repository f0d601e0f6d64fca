//! What the calls of a lane show of what they do, in small letters: read once a call, however many findings ask for it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::ids::EntryId;
use crate::evidence::Gist;
use crate::ledger::rows::CallRow;

/// What each call shows, as far as somebody has asked for it.
#[derive(Default)]
pub(in crate::audit) struct Shown {
    calls: RefCell<FxHashMap<EntryId, Rc<Words>>>,
}

/// The words of one call in small letters.
pub(super) struct Words {
    /// Its tool, its label and its input.
    pub(super) text: String,
    pub(super) intent: String,
    about: OnceCell<Gist>,
}

impl Shown {
    /// The words of a call.
    pub(super) fn of(&self, call: &CallRow) -> Rc<Words> {
        let mut calls = self.calls.borrow_mut();
        Rc::clone(calls.entry(call.entry).or_insert_with(|| Rc::new(Words::of(call))))
    }
}

impl Words {
    fn of(call: &CallRow) -> Self {
        let text = format!("{} {} {}", call.tool, call.label, call.input).to_lowercase();
        Self { text, intent: call.intent.to_lowercase(), about: OnceCell::new() }
    }

    /// What they are about.
    pub(super) fn about(&self) -> &Gist {
        self.about.get_or_init(|| Gist::of(&self.text))
    }
}
