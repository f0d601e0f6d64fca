//! What the entries of a lane say, and what their results show: each is read once, however many boundaries look at it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::ids::EventIx;
use crate::evidence::{Claim, Phrasebook, Words};
use crate::ledger::entry::Entry;

/// The texts that were read.
#[derive(Default)]
pub(super) struct Readings {
    texts: RefCell<FxHashMap<Arc<str>, Rc<Reading>>>,
    /// The values that results show, which stand in the session's files alone.
    marks: RefCell<FxHashMap<EventIx, Rc<[String]>>>,
}

/// A text that was read.
pub(super) struct Reading {
    /// Its words.
    pub(super) words: Words,
    /// The words with which it forbids, if it does: "they may go, but never those in raw" forbids one thing alone.
    pub(super) rule: Words,
    /// What it rules beside the exact values that it names.
    pub(super) deed: Words,
    /// What it claims as a whole.
    pub(super) claim: Claim,
    /// Whether it takes something back.
    pub(super) lifts: bool,
}

impl Readings {
    /// What an entry says.
    pub(super) fn of(&self, entry: &Entry, phrasebook: &Phrasebook) -> Rc<Reading> {
        if let Some(known) = self.texts.borrow().get(&entry.text) {
            return Rc::clone(known);
        }
        let words = Words::of(&entry.text, phrasebook);
        let claim = Claim::of_words(&entry.text, &words, phrasebook);
        let lifts = words.lift(phrasebook);
        let rule = if claim.denies { Words::of_denial(&entry.text, phrasebook) } else { words.clone() };
        let deed = deed(entry, &rule, claim.denies, phrasebook);
        let reading = Rc::new(Reading { words, rule, deed, claim, lifts });
        self.texts.borrow_mut().insert(Arc::clone(&entry.text), Rc::clone(&reading));
        reading
    }

    /// The values that a result shows; `read` reads it again.
    pub(super) fn marks(&self, result: EventIx, read: impl FnOnce() -> Rc<[String]>) -> Rc<[String]> {
        Rc::clone(self.marks.borrow_mut().entry(result).or_insert_with(read))
    }
}

/// The words of a rule without the exact values that it names, where those stand: "the save format in src/save/codec.rs" is about saving.
fn deed(entry: &Entry, rule: &Words, denies: bool, phrasebook: &Phrasebook) -> Words {
    if entry.identifiers.is_empty() {
        return rule.clone();
    }
    let mut bare = entry.text.to_string();
    for value in &entry.identifiers {
        bare = bare.replace(&**value, " ");
    }
    if denies { Words::of_denial(&bare, phrasebook) } else { Words::of(&bare, phrasebook) }
}
