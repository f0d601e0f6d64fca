//! Speech: whether words report what a human said or allowed, or order something themselves.

use std::ops::Range;

use crate::base::hash::Hash64;
use crate::evidence::claim::{head, is_headed, is_past, main};
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::phrases::Phrases;
use crate::evidence::words::{Past, Token, Words};

impl Words {
    /// Whether they tell their reader that something before them is gone.
    #[must_use]
    pub fn announce(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.announcement.is_in(&self.tokens)
    }

    /// Whether they name a human who speaks: "the user".
    #[must_use]
    pub fn names_speaker(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.speakers.is_in(&self.tokens)
    }

    /// Whether they report that somebody said, asked or decided something.
    #[must_use]
    pub fn reports(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.ordered.is_in(&self.tokens) || self.approves(phrasebook)
    }

    /// Whether they say that something is said or agreed to: "I say so".
    #[must_use]
    pub fn are_speech(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.ordered.is_in(&self.tokens) || phrasebook.agreed.is_in(&self.tokens)
    }

    /// The numbers among them.
    #[must_use]
    pub fn numbers(&self) -> Self {
        Self::of_tokens(self.tokens.iter().filter(|token| token.is_number).cloned().collect())
    }

    /// Whether they order: they begin with a word that binds.
    #[must_use]
    pub fn is_order(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.strong.find(&self.tokens).next().is_some_and(|range| range.start == 0)
    }

    /// Whether they end with a report of speech: `the user asked`.
    #[must_use]
    pub fn ends_in_speech(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 2;
        phrasebook
            .ordered
            .find(&self.tokens)
            .chain(phrasebook.agreed.find(&self.tokens))
            .any(|range| range.end + CLOSE >= self.tokens.len())
    }

    /// Whether they report what a human wants: `the user asked ...`, `as agreed with the user, ...`.
    #[must_use]
    pub fn report_a_will(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 4;
        let speakers: Vec<_> = phrasebook.speakers.find(&self.tokens).collect();
        let told: Vec<_> = phrasebook.ordered.find(&self.tokens).chain(phrasebook.agreed.find(&self.tokens)).collect();
        let is_close =
            |speaker: &Range<usize>| told.iter().any(|told| told.start >= speaker.end && told.start - speaker.end < CLOSE);
        let is_led = phrasebook.reports.find(&self.tokens).any(|lead| lead.start == 0);
        speakers.iter().any(is_close) || (is_led && (!speakers.is_empty() || told.iter().any(|told| told.start < CLOSE)))
    }

    /// Whether they only refer to what a human wants: "as the user had asked".
    #[must_use]
    pub fn refer_to_a_will(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 2;
        let is_led = |speaker: Range<usize>| {
            let before = self.tokens.get(speaker.start.saturating_sub(CLOSE)..speaker.start).unwrap_or_default();
            before.iter().any(|token| phrasebook.is_reference(token.word))
        };
        phrasebook.speakers.find(&self.tokens).any(is_led)
    }

    /// Whether they say aloud that nobody knows what came of something.
    #[must_use]
    pub fn doubt(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.doubt.is_in(&self.tokens)
    }

    /// Whether they say that something did not happen, or has to be done again.
    #[must_use]
    pub fn decide(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.decided.is_in(&self.tokens)
    }

    /// Whether one of them stands for what was spoken of before: "it", "that".
    #[must_use]
    pub fn point(&self, phrasebook: &Phrasebook) -> bool {
        self.tokens.iter().any(|token| phrasebook.is_pronoun(token.word))
    }

    /// Whether they tell that what some other words ask for first was done: "was notified" of "notify the team".
    #[must_use]
    pub fn tell_done(&self, asked: &Self, phrasebook: &Phrasebook) -> bool {
        let Some(verb) = asked.order() else { return false };
        // What a condition tells has yet to come.
        let tokens = head(main(&self.tokens, phrasebook), phrasebook);
        let is_told = |n: usize| is_past(tokens, n, phrasebook) || is_headed(tokens, n);
        tokens.iter().enumerate().any(|(n, token)| token.stem == Some(verb) && is_told(n))
    }

    /// Whether they tell what became of just the thing that some other words name: "the postmortem draft was written".
    #[must_use]
    pub fn tell_of(&self, thing: &Self, phrasebook: &Phrasebook) -> bool {
        let tokens = head(main(&self.tokens, phrasebook), phrasebook);
        let Some(verb) = (0..tokens.len()).find(|n| is_past(tokens, *n, phrasebook)) else { return false };
        let mut subject: Vec<_> = tokens.iter().take(verb).filter_map(|token| token.stem).collect();
        subject.sort_unstable();
        subject.dedup();
        !subject.is_empty() && subject == thing.stems
    }

    /// Whether they begin with the word that some others begin with: as one order repeats another.
    #[must_use]
    pub fn begin_like(&self, other: &Self) -> bool {
        self.order().is_some() && self.order() == other.order()
    }

    /// Whether the word is among them that some others order with.
    #[must_use]
    pub fn have_order_of(&self, other: &Self) -> bool {
        other.order().is_some_and(|stem| self.stems.binary_search(&stem).is_ok())
    }

    /// Whether they begin with a word of some others, and as an order does.
    #[must_use]
    pub fn order_on(&self, other: &Self) -> bool {
        self.order().is_some_and(|stem| other.stems.binary_search(&stem).is_ok())
    }

    /// Whether they begin as an order does: with a word that is about something, and tells of nothing done.
    #[must_use]
    pub fn begin_as_order(&self) -> bool {
        self.order().is_some()
    }

    /// Whether they begin with the name of a deed that leaves this machine: "send the invoice".
    #[must_use]
    pub fn command(&self, phrasebook: &Phrasebook) -> bool {
        let first = self.order().and_then(|stem| self.tokens.iter().find(|token| token.stem == Some(stem)));
        first.is_some_and(|token| phrasebook.commands(token.word))
    }

    /// Whether they begin with a deed that no edit of a file does: "send the invoice".
    #[must_use]
    pub fn send(&self, phrasebook: &Phrasebook) -> bool {
        let first = self.order().and_then(|stem| self.tokens.iter().find(|token| token.stem == Some(stem)));
        first.is_some_and(|token| phrasebook.sends(token.word))
    }

    /// Whether one of them says that something is so: "is", "was".
    #[must_use]
    pub fn say_what_is(&self, phrasebook: &Phrasebook) -> bool {
        self.tokens.iter().any(|token| phrasebook.carries(token.word))
    }

    /// Whether they begin with a word for what is still to be done: "next", "still to do".
    #[must_use]
    pub fn begin_as_pending(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.pending.find(&self.tokens).next().is_some_and(|cue| cue.start == 0)
    }

    /// Whether they say that something goes on: "in progress".
    #[must_use]
    pub fn go_on(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.progress.is_in(&self.tokens)
    }

    /// Whether they say that something is where it should be: "the list is in reports".
    #[must_use]
    pub fn place(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.places.is_in(&self.tokens)
    }

    /// Whether they say what a human wants now.
    #[must_use]
    pub fn want(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.wants.is_in(&self.tokens)
    }

    /// Whether they begin with a word for what the sentence before is about.
    #[must_use]
    pub fn begin_with_pronoun(&self, phrasebook: &Phrasebook) -> bool {
        self.tokens.first().is_some_and(|token| phrasebook.is_pronoun(token.word))
    }

    /// Whether they begin as a question for information does: "how could we".
    #[must_use]
    pub fn inquire(&self, phrasebook: &Phrasebook) -> bool {
        self.tokens.first().is_some_and(|token| phrasebook.inquires(token.word))
    }

    /// Whether they make what they tell depend on something: "once the tests pass".
    #[must_use]
    pub fn depend(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.depends.is_in(&self.tokens)
    }

    /// What they order, as their first word that is about something says it; small words may lead: "then fetch it".
    fn order(&self) -> Option<Hash64> {
        const LEADS: usize = 2;
        let (n, token) = self.tokens.iter().enumerate().find(|(_, token)| token.stem.is_some())?;
        let leads = self.tokens.get(..n).unwrap_or_default();
        let is_led = n <= LEADS && leads.iter().all(|token| token.is_lead);
        // "Screenshots may go back": a thing of which something is said.
        let is_subject = self.tokens.get(n + 1).is_some_and(|next| next.is_modal && !next.is_apart_from(token));
        (is_led && !is_subject && matches!(token.past, Past::Never | Past::Behind)).then_some(token.stem?)
    }

    /// Whether they ask for what some other words ask for first, and do not tell that it was done: "notify the team, after that".
    #[must_use]
    pub fn ask(&self, asked: &Self, phrasebook: &Phrasebook) -> bool {
        let Some(verb) = asked.order() else { return false };
        self.tokens.iter().any(|token| token.stem == Some(verb)) && !self.tell_done(asked, phrasebook)
    }

    /// What is said, allowed or asked for: without the words for the saying.
    #[must_use]
    pub fn object(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.speakers, &phrasebook.agreed, &phrasebook.ordered, &phrasebook.reports])
    }

    pub(super) fn without_phrases(&self, lists: &[&Phrases]) -> Self {
        let told: Vec<_> = lists.iter().flat_map(|phrases| phrases.find(&self.tokens)).collect();
        let is_told = |n: &usize| told.iter().any(|range| range.contains(n));
        let tokens = self.tokens.iter().enumerate().filter(|(n, _)| !is_told(n)).map(|(_, token)| token.clone());
        Self::of_tokens(tokens.collect())
    }

    /// Whether they tell that work was checked: tested, verified.
    #[must_use]
    pub fn tell_a_check(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.checks.is_in(&self.tokens)
    }

    /// Whether they tell that something that ran does not run any more.
    #[must_use]
    pub fn tell_an_end(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.ends.is_in(&self.tokens)
    }

    /// Whether they tell that work was recorded.
    #[must_use]
    pub fn tell_a_commit(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.commits.is_in(&self.tokens)
    }

    /// Whether they tell that work has left the machine.
    #[must_use]
    pub fn tell_a_push(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.pushes.is_in(&self.tokens)
    }

    /// Whether they speak of a check, whether it was made or not: "I have not run the tests since".
    #[must_use]
    pub fn speak_of_a_check(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.works.is_in(&self.tokens)
    }

    /// The words behind the first that narrows: the condition of a rule. None where there is none.
    #[must_use]
    pub fn condition(&self, phrasebook: &Phrasebook) -> Option<Self> {
        let (cue, end) = self.narrowed(phrasebook)?;
        Some(Self::of_tokens(self.tokens.get(cue.end..end)?.to_vec()))
    }

    /// What they rule, without the condition under which they do.
    #[must_use]
    pub fn core(&self, phrasebook: &Phrasebook) -> Self {
        let Some((cue, end)) = self.narrowed(phrasebook) else { return self.clone() };
        let is_out = |n: &usize| *n < cue.start || *n >= end;
        let core = self.tokens.iter().enumerate().filter(|(n, _)| is_out(n)).map(|(_, token)| token.clone());
        let core = Self::of_tokens(core.collect());
        if core.is_empty() { self.clone() } else { core }
    }

    /// Where the first word that narrows stands, and where what it puts as a condition ends: with the clause, at a mark and a blank.
    fn narrowed(&self, phrasebook: &Phrasebook) -> Option<(Range<usize>, usize)> {
        let cue = phrasebook.scope.find(&self.tokens).next()?;
        let behind = self.tokens.get(cue.end..)?;
        let ends = |pair: &[Token]| matches!(pair, [one, two] if two.is_apart_from(one));
        let len = behind.windows(2).position(ends).map_or(behind.len(), |at| at + 1);
        let end = cue.end + len;
        Some((cue, end))
    }

    /// The share of some other words that is among these.
    #[must_use]
    pub fn share_of(&self, others: &Self) -> f64 {
        let found = others.stems.iter().filter(|stem| self.stems.binary_search(stem).is_ok()).count();
        if others.is_empty() { 0.0 } else { found as f64 / others.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::testing::holds;

    #[test]
    fn a_will_is_reported_in_many_ways() {
        for text in
            ["The user asked to push.", "As agreed with the user, push.", "Per the user's instruction, push.", "User: approved"]
        {
            assert!(holds(text, Words::report_a_will), "{text}");
        }
        for text in ["I asked the user.", "The users table is large.", "Push the branch."] {
            assert!(!holds(text, Words::report_a_will), "{text}");
        }
    }
}
