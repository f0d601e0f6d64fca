//! What the entries of a lane say, and what their results show: each is read once, however many boundaries look at it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::audit::uses::{Shared, Uses};
use crate::audit::values;
use crate::base::ids::{EntryId, EventIx};
use crate::evidence::{Claim, Page, Phrasebook, Words};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::ledger::rows::CallRow;

/// The texts that were read.
#[derive(Default)]
pub(super) struct Readings {
    texts: RefCell<FxHashMap<Arc<str>, Rc<Reading>>>,
    /// The values that results show, which stand in the session's files alone.
    marks: RefCell<FxHashMap<EventIx, Rc<[String]>>>,
    /// What calls are about, by their entries.
    calls: RefCell<FxHashMap<EntryId, Rc<Words>>>,
    /// What they are known by beside, up to the boundary that is looked at.
    known: RefCell<FxHashMap<EntryId, Rc<Known>>>,
    uses: Shared,
}

/// A text that was read.
pub(super) struct Reading {
    /// Its words.
    pub(super) words: Rc<Words>,
    /// The words with which it forbids, if it does: "they may go, but never those in raw" forbids one thing alone.
    pub(super) rule: Rc<Words>,
    /// What it rules beside the exact values that it names.
    pub(super) deed: Rc<Words>,
    /// What it claims as a whole.
    pub(super) claim: Claim,
    /// Whether it takes something back.
    pub(super) lifts: bool,
    values: OnceCell<Values>,
    asked: OnceCell<Words>,
}

/// What a call is known by.
pub(super) struct Known {
    /// What its line and its input are about.
    pub(super) own: Words,
    /// And what came of it, as its result shows and the agent told, once somebody has asked for that.
    pub(super) all: OnceCell<Words>,
}

/// The values of a text.
pub(super) struct Values {
    /// Each as it is written.
    pub(super) own: Vec<String>,
    /// The words beside them; all where nothing else is left.
    pub(super) beside: Rc<Words>,
}

impl Readings {
    /// No readings yet; of what the calls give others may know.
    pub(super) fn with(uses: Shared) -> Self {
        Self { uses, ..Self::default() }
    }

    /// What an entry says.
    pub(super) fn of(&self, entry: &Entry, phrasebook: &Phrasebook) -> Rc<Reading> {
        if let Some(known) = self.texts.borrow().get(&entry.text) {
            return Rc::clone(known);
        }
        let words = Words::of(&entry.text, phrasebook);
        let claim = Claim::of_words(&entry.text, &words, phrasebook);
        let lifts = words.lift(phrasebook);
        // What is owed is looked for, and not why.
        let words = Rc::new(words.without_fact(phrasebook));
        let rule = if claim.denies { Rc::new(words.denial(&entry.text, phrasebook)) } else { Rc::clone(&words) };
        let deed = deed(entry, &rule, claim.denies, phrasebook);
        let reading = Rc::new(Reading { words, rule, deed, claim, lifts, values: OnceCell::new(), asked: OnceCell::new() });
        self.texts.borrow_mut().insert(Arc::clone(&entry.text), Rc::clone(&reading));
        reading
    }

    /// What the calls of a lane give, which must always be the same one.
    pub(super) fn uses(&self, lane: &LaneSnapshot) -> &Uses {
        self.uses.get_or_init(|| Uses::of(lane))
    }

    /// What a call is about; `read` reads it.
    pub(super) fn words_of(&self, call: &CallRow, read: impl FnOnce() -> Words) -> Rc<Words> {
        Rc::clone(self.calls.borrow_mut().entry(call.entry).or_insert_with(|| Rc::new(read())))
    }

    /// What a call is known by; `read` reads its own words.
    pub(super) fn known(&self, call: &CallRow, read: impl FnOnce() -> Words) -> Rc<Known> {
        let mut known = self.known.borrow_mut();
        Rc::clone(known.entry(call.entry).or_insert_with(|| Rc::new(Known { own: read(), all: OnceCell::new() })))
    }

    /// The values that a result shows; `read` reads it again.
    pub(super) fn marks(&self, result: EventIx, read: impl FnOnce() -> Rc<[String]>) -> Rc<[String]> {
        Rc::clone(self.marks.borrow_mut().entry(result).or_insert_with(read))
    }
}

/// A clause about fewer things says hardly what is to be done.
const LEAST: usize = 2;

impl Reading {
    /// What is to be done once somebody was asked, of an entry that wants to be. "Upload it, just this once; any further upload needs my
    /// OK": of several clauses, the one that wants it says for what.
    pub(super) fn asked(&self, entry: &Entry, phrasebook: &Phrasebook) -> &Words {
        self.asked.get_or_init(|| {
            let page = Page::new([&*entry.text], phrasebook);
            let wants = page.clauses().iter().find(|clause| clause.words.want_consent(phrasebook));
            let own = wants.map(|clause| clause.words.without_consent(phrasebook)).filter(|own| own.len() >= LEAST);
            own.unwrap_or_else(|| self.words.without_consent(phrasebook))
        })
    }

    /// The values of the entry whose reading this is.
    pub(super) fn values(&self, entry: &Entry, phrasebook: &Phrasebook) -> &Values {
        self.values.get_or_init(|| {
            // What a ban says behind its first clause is why.
            let main = self.rule.forbidden(phrasebook).filter(|_| self.claim.denies);
            let all = main.as_ref().unwrap_or(&self.words);
            let own = values::own(&entry.text).map(|value| (value.to_owned(), Words::of(value, phrasebook)));
            let (own, words): (Vec<String>, Vec<Words>) = own.filter(|(_, words)| all.share_of(words) >= 1.0).unzip();
            let rest = all.without(words.iter());
            Values { own, beside: if rest.is_empty() { Rc::clone(&self.words) } else { Rc::new(rest) } }
        })
    }
}

/// The words of a rule without the exact values that it names, where those stand: "the save format in src/save/codec.rs" is about saving.
/// What keeps off, or leaves alone, names no deed.
fn deed(entry: &Entry, rule: &Rc<Words>, denies: bool, phrasebook: &Phrasebook) -> Rc<Words> {
    if entry.identifiers.is_empty() {
        return if denies { Rc::new(rule.without_bans(phrasebook)) } else { Rc::clone(rule) };
    }
    let mut bare = entry.text.to_string();
    for value in &entry.identifiers {
        bare = bare.replace(&**value, " ");
    }
    Rc::new(if denies { Words::of_denial(&bare, phrasebook).without_bans(phrasebook) } else { Words::of(&bare, phrasebook) })
}
