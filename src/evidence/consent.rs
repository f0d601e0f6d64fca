//! Consent: whether words report that somebody agreed, ask to be asked first, or agree themselves.

use std::ops::Range;

use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::words::{Token, Words};

/// A whole prompt of no more words than this chooses or nods: "2", "both, please".
const NOD: usize = 3;

impl Words {
    /// Whether they report that a human agreed to something: between who speaks and that it was agreed there is hardly anything else, as
    /// in "user gave written approval", and not in "user remembers the approval flow".
    #[must_use]
    pub fn approves(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 4;
        const THINGS: usize = 2;
        let speakers: Vec<_> = phrasebook.speakers.find(&self.tokens).collect();
        let is_bare = |from: usize, to: usize| {
            let between = self.tokens.get(from..to).unwrap_or_default();
            between.len() <= CLOSE && between.iter().filter(|token| is_thing(token)).count() <= THINGS
        };
        let is_close = |agreed: Range<usize>| {
            speakers.iter().any(|speaker| match speaker.end <= agreed.start {
                true => is_bare(speaker.end, agreed.start),
                false => is_bare(agreed.end, speaker.start),
            })
        };
        phrasebook.agreed.find(&self.tokens).any(is_close)
    }

    /// Whether they report that somebody, whoever it is, allowed something: "the head of the ward agreed to".
    #[must_use]
    pub fn report_a_grant(&self, phrasebook: &Phrasebook) -> bool {
        let names_one = |grant: Range<usize>| self.tokens.get(..grant.start).is_some_and(|who| who.iter().any(is_thing));
        phrasebook.grants.find(&self.tokens).any(names_one)
    }

    /// Whether what they report as agreed to is only that something is so: "the user confirmed that it works".
    #[must_use]
    pub fn affirm(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.affirms.is_in(&self.tokens)
    }

    /// Whether a human agrees by them to what was said before: they begin with a nod, or are little else than a choice.
    #[must_use]
    pub fn assent(&self, phrasebook: &Phrasebook) -> bool {
        let first = phrasebook.assents.find(&self.tokens).next();
        let nods = first.is_some_and(|nod| self.tokens.get(..nod.start).is_some_and(|lead| !lead.iter().any(is_thing)));
        let refuses = || phrasebook.negation.find(&self.tokens).next().is_some_and(|not| not.start == 0);
        !refuses() && (nods || (!self.tokens.is_empty() && self.tokens.len() <= NOD))
    }

    /// Whether they allow something, or ask for something of which other words speak: then to do that was agreed to.
    #[must_use]
    pub fn let_do(&self, deed: &Self, phrasebook: &Phrasebook) -> bool {
        self.agree(phrasebook) || phrasebook.permits.is_in(&self.tokens) || self.order_on(deed)
    }

    /// Whether they let something be done.
    #[must_use]
    pub fn permit(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.permits.is_in(&self.tokens)
    }

    /// Whether a human asks by them to be asked before something is done: "ask me before", "wait for my yes".
    #[must_use]
    pub fn want_consent(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.consent.is_in(&self.tokens)
    }

    /// What is to be done: without the words for the asking.
    #[must_use]
    pub fn without_consent(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.consent, &phrasebook.waits])
    }

    /// Whether they put a human's word first: "only after the user's OK", and not "tell the user after flashing", nor "once it is
    /// published, ask the user".
    #[must_use]
    pub fn come_after_consent(&self, phrasebook: &Phrasebook) -> bool {
        const NEAR: usize = 6;
        let behind = |end: usize| {
            let near = self.tokens.get(end..(end + NEAR).min(self.tokens.len())).unwrap_or_default();
            let mark = near.windows(2).position(|pair| matches!(pair, [one, two] if two.is_apart_from(one)));
            near.get(..mark.map_or(near.len(), |at| at + 1)).unwrap_or_default()
        };
        phrasebook.first_right.find(&self.tokens).any(|cue| phrasebook.asked_first.is_in(behind(cue.end)))
    }

    /// Whether they tell that a human is asked first.
    #[must_use]
    pub fn tell_of_consent(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.asked_first.is_in(&self.tokens)
    }

    /// Whether they report that something was agreed to, by whomever.
    #[must_use]
    pub fn agree(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.agreed.is_in(&self.tokens)
    }

    /// Whether they begin with a yes.
    #[must_use]
    pub fn begin_with_yes(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.yes.find(&self.tokens).next().is_some_and(|yes| yes.start == 0)
    }

    /// Whether some other words order the opposite of what these forbid: "keep it" is "do not delete it".
    #[must_use]
    pub fn are_kept_by(&self, other: &Self, phrasebook: &Phrasebook) -> bool {
        phrasebook.opposites.iter().any(|(one, two)| {
            let has = |words: &Self, stem| words.stems.binary_search(stem).is_ok();
            has(self, one) && has(other, two) && !has(self, two) && !has(other, one)
        })
    }

    /// Whether they make something wait for something else: "has to wait for the approval".
    #[must_use]
    pub fn put_off(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.waits.is_in(&self.tokens)
    }

    /// Whether they tell that an answer is not there yet.
    #[must_use]
    pub fn wait(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.unanswered.is_in(&self.tokens)
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
    fn an_approval_stands_beside_who_gives_it() {
        for text in ["The user approved the merge.", "Approved by the user: the merge.", "The user gave written approval."] {
            assert!(holds(text, Words::approves), "{text}");
        }
        for text in ["The user remembers building a device approval flow.", "The merge was approved."] {
            assert!(!holds(text, Words::approves), "{text}");
        }
        assert!(holds("The head of the ward agreed to a downtime.", Words::report_a_grant));
        assert!(!holds("Agreed to a downtime.", Words::report_a_grant));
    }

    #[test]
    fn a_nod_agrees_to_what_was_said_before() {
        for text in ["Yes, do that.", "ok, go on then with the second chapter", "2", "Both, please", "Looks good, now the next one"]
        {
            assert!(holds(text, Words::assent), "{text}");
        }
        for text in
            ["No.", "Not yet, I want to see it first.", "Correct the address of the driver in the list.", "What does it cost?"]
        {
            assert!(!holds(text, Words::assent), "{text}");
        }
    }
}
