//! What the calls of a lane show of what they do, in small letters: read once a call, however many findings ask for it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::ids::EntryId;
use crate::evidence::Gist;
use crate::ledger::effects::Wording;
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
    /// The deeds that somebody has asked for, each by where it is kept, and whether they are shown.
    deeds: RefCell<Vec<(usize, bool)>>,
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
        Self { text, intent: call.intent.to_lowercase(), about: OnceCell::new(), deeds: RefCell::default() }
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
}
