//! A value that another one stands for: in the sentence that says an entry best, in the place of the entry's own.

use crate::audit::case::{Case, Saying};
use crate::audit::owed::Owed;
use crate::audit::values::{self, replaced, sole};
use crate::ledger::entry::Entry;

/// How much of the rest of an entry the sentence must say.
const REST: f64 = 0.5;

/// And where its value and the entry's differ in a letter or two.
const SLIP: f64 = 0.3;

/// And to have its only value in place of the entry's.
const ALL: f64 = 0.99;

/// Whether another entry states a name: then the sentence is that one's.
fn is_of_another(case: &Case<'_>, entry: &Entry, name: &str) -> bool {
    let is_name = name.contains(char::is_alphabetic) && values::own(name).next().is_some();
    let states = |other: &Owed| other.entry.id != entry.id && values::is_spelled(name, &other.entry.text);
    is_name && case.owed.iter().any(states)
}

fn replaced_or_sole<'o, 't>(own: &'o str, text: &'t str) -> Option<(&'o str, &'t str)> {
    replaced(own, text).or_else(|| sole(own, text))
}

/// What was put in the place of a value.
pub(super) struct Replaced<'c> {
    /// The value that stood.
    pub(super) old: &'c str,
    /// The one that stands.
    pub(super) new: &'c str,
    /// The sentence in which the other one stands.
    pub(super) saying: Saying<'c>,
}

/// The value of one text that a second one gives otherwise.
type Other = for<'o, 't> fn(&'o str, &'t str) -> Option<(&'o str, &'t str)>;

/// What is asked of a saying.
type Asks<'f> = &'f dyn Fn(&Saying<'_>) -> bool;

impl<'c> Replaced<'c> {
    /// The value of an entry that stands otherwise, if the sentence that says it best has one.
    pub(super) fn of(case: &'c Case<'_>, owed: &'c Owed) -> Option<Self> {
        let is_own = |saying: &Saying<'_>| !case.is_of_another(owed, saying) && case.states(owed, saying);
        let found = Self::of_entry(case, &owed.entry, (&is_own, &|_| true), replaced);
        // The only value of a sentence that says all the rest is that one's other value.
        let says_all = |saying: &Saying<'_>| is_own(saying) && saying.share >= ALL && saying.shared >= 2;
        found.or_else(|| Self::of_entry(case, &owed.entry, (&says_all, &|_| true), sole))
    }

    /// The same of what was settled: nobody has to tell it, so a sentence that does, with one value alone, has it from there. None where
    /// no sentence that says it best `may_have` the value.
    pub(super) fn of_settled(case: &'c Case<'_>, entry: &'c Entry, may_have: &dyn Fn(&Saying<'_>) -> bool) -> Option<Self> {
        Self::of_entry(case, entry, (&|_| true, may_have), replaced_or_sole)
    }

    fn of_entry(case: &'c Case<'_>, entry: &'c Entry, (is_own, may_have): (Asks<'_>, Asks<'_>), other: Other) -> Option<Self> {
        let reading = case.readings.of(entry, case.phrasebook);
        let values = reading.values(entry, case.phrasebook);
        if values.own.is_empty() {
            return None;
        }
        let sayings: Vec<Saying<'_>> =
            case.saying_of(&values.beside).filter(|saying| saying.share >= SLIP && is_own(saying)).collect();
        let best = sayings.iter().map(|saying| saying.share).fold(0.0, f64::max);
        let text = |saying: &Saying<'c>| case.page().text_of(saying.sentence);
        let best: Vec<Saying<'_>> = sayings.into_iter().filter(|saying| saying.share >= best).collect();
        if !best.iter().any(may_have) {
            return None;
        }
        let states = |text: &str| values.own.iter().all(|value| values::stands(value, text));
        if best.iter().any(|saying| states(text(saying))) {
            return None;
        }
        best.into_iter().find_map(|saying| {
            let (old, new) = other(&entry.text, text(&saying))?;
            let is_slip = || values::is_slip(old, new) && !case.page().names(old);
            // A bound needs no reason told beside it.
            let is_bound = || saying.shared >= 2 && reading.words.bound_as(&saying.sentence.words, case.phrasebook);
            let is_it = saying.share >= REST || is_slip() || is_bound();
            (is_it && !is_of_another(case, entry, new)).then_some(Self { old, new, saying })
        })
    }
}
