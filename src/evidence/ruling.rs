//! How words rule: what binds and how strongly, what it lets be done alone, what it forbids, and what takes it back.

use std::ops::Range;

use crate::base::hash::Hash64;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::phrases::{Phrases, is_within};
use crate::evidence::words::{Token, Words};

/// So close behind a word that rules stands what belongs to it: "must always".
const BEHIND: usize = 1;

impl Words {
    /// Whether they make an exception, and not one that a human has yet to allow: "unless it helps".
    #[must_use]
    pub fn except(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 4;
        let is_human = |cue: &Range<usize>| {
            let behind = self.tokens.get(cue.end..).unwrap_or_default();
            phrasebook.speakers.find(behind).any(|speaker| speaker.start < CLOSE)
        };
        phrasebook.exceptions.find(&self.tokens).any(|cue| !is_human(&cue))
    }

    /// Whether they let something hold for one thing alone: "only". Not in "not only", and not in "only after".
    #[must_use]
    pub fn exclude(&self, phrasebook: &Phrasebook) -> bool {
        let others: Vec<_> = phrasebook.void.find(&self.tokens).chain(phrasebook.first_right.find(&self.tokens)).collect();
        // "Plans that only add" says which are meant.
        let is_of_thing = |cue: &Range<usize>| {
            cue.start.checked_sub(1).and_then(|n| self.tokens.get(n)).is_some_and(|before| phrasebook.is_relative(before.word))
        };
        let is_other = |cue: &Range<usize>| is_of_thing(cue) || others.iter().any(|other| is_within(cue, other));
        phrasebook.exclusive.find(&self.tokens).any(|cue| !is_other(&cue))
    }

    /// Of how much they speak, by the number of words for more than one thing: "any service", "whatever".
    #[must_use]
    pub fn width(&self, phrasebook: &Phrasebook) -> usize {
        // "At all times" speaks of time, and not of things.
        let general: Vec<_> = phrasebook.general.find(&self.tokens).filter(|at| at.len() > 1).collect();
        let is_general = |cue: &Range<usize>| general.iter().any(|other| is_within(cue, other));
        phrasebook.wide.find(&self.tokens).filter(|cue| !is_general(cue)).count()
    }

    /// Whether one of them binds: "must", "requires".
    #[must_use]
    pub fn bind(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.binds.is_in(&self.tokens)
    }

    /// Whether they read as a rule for more than one thing, or for one alone: none may, only one may, always must, each needs. What
    /// denies or makes it general stands before the word that rules, or right behind it.
    #[must_use]
    pub fn rule(&self, phrasebook: &Phrasebook) -> bool {
        let leads = |phrases: &Phrases, end: usize| phrases.find(self.tokens.get(..end).unwrap_or(&self.tokens)).next().is_some();
        let is_for_one = self.exclude(phrasebook);
        let limits = |cue: Range<usize>| is_for_one || leads(&phrasebook.negation, cue.end + BEHIND);
        let is_general = phrasebook.general.is_in(&self.tokens);
        let binds = phrasebook.binds.find(&self.tokens).any(|cue| is_general || limits(cue));
        let needs = phrasebook.needs.find(&self.tokens).any(|cue| leads(&phrasebook.general, cue.start));
        binds || needs || phrasebook.lets.find(&self.tokens).any(limits)
    }

    /// Whether they weaken a rule, whatever else they say: "ideally".
    #[must_use]
    pub fn soften(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.softens.is_in(&self.tokens)
    }

    /// Whether they make a wish, an aim or a habit of a rule: "should", "preferably".
    #[must_use]
    pub fn wish(&self, phrasebook: &Phrasebook) -> bool {
        self.soften(phrasebook) || phrasebook.weak.is_in(&self.tokens)
    }

    /// Whether these and some others set a bound by a number, whichever: "at most 12", "15 or below".
    #[must_use]
    pub fn bound_as(&self, other: &Self, phrasebook: &Phrasebook) -> bool {
        let sets = |words: &Self| phrasebook.bounds.is_in(&words.tokens) && words.tokens.iter().any(|token| token.is_number);
        sets(self) && sets(other)
    }

    /// Whether a "not" among them frees: "not only until", "no objection".
    #[must_use]
    pub fn free(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.void.is_in(&self.tokens)
    }

    /// Whether they say of something that it needs something else.
    #[must_use]
    pub fn need(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.needs.is_in(&self.tokens)
    }

    /// Whether they forbid as an order does: the "not" stands first, or behind who is told, and not behind what somebody tells of, as in
    /// "most callers don't use it".
    #[must_use]
    pub fn forbid(&self, phrasebook: &Phrasebook) -> bool {
        const LEADS: usize = 1;
        let is_led = |not: Range<usize>| {
            let before = self.tokens.get(..not.start).unwrap_or_default();
            // The "do" of a "don't" leads nothing.
            let before = before.split_last().filter(|(last, _)| last.word == Hash64::of(b"do")).map_or(before, |(_, rest)| rest);
            let own = before.iter().rposition(|token| token.is_lead).map_or(before, |at| before.get(at..).unwrap_or_default());
            let starts = before.windows(2).rposition(|pair| matches!(pair, [one, two] if two.is_apart_from(one)));
            let since = starts.map_or(before, |at| before.get(at + 1..).unwrap_or_default());
            let things = |tokens: &[Token]| tokens.iter().filter(|token| token.stem.is_some()).count();
            things(own).min(things(since)) <= LEADS
        };
        // "Leave it alone" orders wherever it stands.
        let is_plain = |not: &Range<usize>| self.tokens.get(not.clone()).is_some_and(|not| phrasebook.denial.is_in(not));
        phrasebook.binds.is_in(&self.tokens) || phrasebook.negation.find(&self.tokens).any(|not| !is_plain(&not) || is_led(not))
    }

    /// Whether they let one thing alone do something, or be done: "only Anna may", "may only be".
    #[must_use]
    pub fn let_only_one(&self, phrasebook: &Phrasebook) -> bool {
        let rules: Vec<_> = phrasebook.binds.find(&self.tokens).chain(phrasebook.lets.find(&self.tokens)).collect();
        let is_one = |only: Range<usize>| (only.start == 0 && !rules.is_empty()) || rules.iter().any(|rule| is_within(&only, rule));
        self.exclude(phrasebook) && phrasebook.exclusive.find(&self.tokens).any(is_one)
    }

    /// What the first of them that denies forbids: up to the first mark behind enough words. None where none denies, or it says no less.
    #[must_use]
    pub fn forbidden(&self, phrasebook: &Phrasebook) -> Option<Self> {
        const ENOUGH: usize = 3;
        let not = phrasebook.negation.find(&self.tokens).next()?;
        let is_apart = |n: usize| n > 0 && matches!(self.tokens.get(n - 1..=n), Some([one, two]) if two.is_apart_from(one));
        let from = (0..=not.start).rev().find(|n| is_apart(*n)).unwrap_or(0);
        let says =
            |end: usize| self.tokens.get(from..end).is_some_and(|own| own.iter().filter(|token| is_thing(token)).count() >= ENOUGH);
        let end = (not.end..self.tokens.len()).find(|n| is_apart(*n) && says(*n))?;
        Some(Self::of_tokens(self.tokens.get(from..end)?.to_vec()))
    }

    /// Whether they begin with a word that denies: "no releases".
    #[must_use]
    pub fn begin_with_no(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.negation.find(&self.tokens).next().is_some_and(|not| not.start == 0)
    }

    /// The same behind a label: "Hosting contract: no cancelling".
    #[must_use]
    pub fn begin_with_no_behind_label(&self, phrasebook: &Phrasebook) -> bool {
        const LABEL: usize = 4;
        let is_apart = |n: usize| self.tokens.get(n - 1).zip(self.tokens.get(n)).is_some_and(|(label, no)| no.is_apart_from(label));
        let no = phrasebook.negation.find(&self.tokens).next();
        no.is_some_and(|no| (1..=LABEL).contains(&no.start) && is_apart(no.start))
    }

    /// Whether they deny that something comes with something else, and nothing more: "without a review", with no "never", no "must" and
    /// no order.
    #[must_use]
    pub fn lack(&self, phrasebook: &Phrasebook) -> bool {
        let limits = || self.are_ordered(phrasebook) || self.bind(phrasebook) || phrasebook.exclusive.is_in(&self.tokens);
        phrasebook.lacks.is_in(&self.tokens) && !self.deny_twice(phrasebook) && !limits()
    }

    /// Whether two of them deny: "no build that was not tested", "never without a review".
    #[must_use]
    pub fn deny_twice(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.negation.find(&self.tokens).nth(1).is_some()
    }

    /// Whether they let something be done under a condition alone: "may only be uploaded after the check".
    #[must_use]
    pub fn limit(&self, phrasebook: &Phrasebook) -> bool {
        self.exclude(phrasebook) && phrasebook.binds.is_in(&self.tokens) && phrasebook.scope.is_in(&self.tokens)
    }

    /// Whether they keep something from being done twice.
    #[must_use]
    pub fn repeat(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.repeats.is_in(&self.tokens)
    }

    /// Whether they say that nobody need keep to something: "need not".
    #[must_use]
    pub fn waive(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.waives.is_in(&self.tokens)
    }

    /// Whether they take something back: "no longer".
    #[must_use]
    pub fn lift(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.lifts.is_in(&self.tokens)
    }
}

/// Whether a word is about something.
fn is_thing(token: &Token) -> bool {
    token.stem.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::testing::holds;

    #[test]
    fn without_something_is_no_ban_by_itself() {
        assert!(holds("A build may go out without a review.", Words::lack));
        for text in ["No build goes out without a review.", "A build must go out with a review.", "A build goes out."] {
            assert!(!holds(text, Words::lack), "{text}");
        }
    }

    #[test]
    fn only_lets_something_hold_for_one_thing_alone() {
        assert!(holds("Deploy only to the north.", Words::exclude));
        assert!(!holds("Deploy not only to the north.", Words::exclude));
        assert!(!holds("Deploy only after the tests.", Words::exclude));
        assert!(holds("Never push, unless it helps.", Words::except));
        assert!(!holds("Never push, unless the user says so.", Words::except));
    }
}
