//! Speech: whether words report what a human said or allowed, or order something themselves.

use crate::base::hash::Hash64;
use crate::evidence::claim::is_past;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::phrases::Phrases;
use crate::evidence::words::{Token, Words, stems};

impl Words {
    /// Whether they name a human who speaks: "the user".
    #[must_use]
    pub fn names_speaker(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.speakers.is_in(&self.hashes())
    }

    /// Whether they report that somebody said, asked or decided something.
    #[must_use]
    pub fn reports(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.ordered.is_in(&self.hashes()) || self.approves(phrasebook)
    }

    /// Whether they report that a human agreed to something: who speaks and that it was agreed stand close together.
    #[must_use]
    pub fn approves(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 4;
        let hashes = self.hashes();
        let speakers: Vec<_> = phrasebook.speakers.find(&hashes).collect();
        let is_close = |agreed: std::ops::Range<usize>| {
            speakers.iter().any(|speaker| {
                agreed.start.saturating_sub(speaker.end) <= CLOSE && speaker.start.saturating_sub(agreed.end) <= CLOSE
            })
        };
        phrasebook.agreed.find(&hashes).any(is_close)
    }

    /// Whether a human asks by them to be asked before something is done: "ask me before", "wait for my yes".
    #[must_use]
    pub fn want_consent(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.consent.is_in(&self.hashes())
    }

    /// What is to be done: without the words for the asking.
    #[must_use]
    pub fn without_consent(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.consent, &phrasebook.waits])
    }

    /// Whether they tell that a human is asked first.
    #[must_use]
    pub fn tell_of_consent(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.asked_first.is_in(&self.hashes())
    }

    /// Whether they order: they begin with a word that binds.
    #[must_use]
    pub fn is_order(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.strong.find(&self.hashes()).next().is_some_and(|range| range.start == 0)
    }

    /// Whether they end with a report of speech: `the user asked`.
    #[must_use]
    pub fn ends_in_speech(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 2;
        let hashes = self.hashes();
        phrasebook.ordered.find(&hashes).chain(phrasebook.agreed.find(&hashes)).any(|range| range.end + CLOSE >= hashes.len())
    }

    /// Whether they begin with a report of what a human asked for: `the user asked ...`.
    #[must_use]
    pub fn begins_with_order(&self, phrasebook: &Phrasebook) -> bool {
        const CLOSE: usize = 3;
        let hashes = self.hashes();
        let speaker = phrasebook.speakers.find(&hashes).next().filter(|range| range.start <= 1);
        let order = phrasebook.ordered.find(&hashes).next();
        speaker.zip(order).is_some_and(|(speaker, order)| order.start >= speaker.end && order.start - speaker.end <= CLOSE)
    }

    /// Whether one of them binds: "must", "requires".
    #[must_use]
    pub fn bind(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.binds.is_in(&self.hashes())
    }

    /// Whether they take something back: "no longer".
    #[must_use]
    pub fn lift(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.lifts.is_in(&self.hashes())
    }

    /// Whether they tell that what some other words ask for first was done: "was notified" of "notify the team".
    #[must_use]
    pub fn tell_done(&self, asked: &Self, phrasebook: &Phrasebook) -> bool {
        let verb = asked.tokens.iter().find_map(|token| token.stem);
        self.tokens.iter().enumerate().any(|(n, token)| token.stem == verb && is_past(&self.tokens, n, phrasebook))
    }

    /// Whether they ask for what some other words ask for first, and do not tell that it was done: "notify the team, after that".
    #[must_use]
    pub fn ask(&self, asked: &Self, phrasebook: &Phrasebook) -> bool {
        let verb = asked.tokens.iter().find_map(|token| token.stem);
        self.tokens.iter().any(|token| token.stem == verb) && !self.tell_done(asked, phrasebook)
    }

    /// What is said, allowed or asked for: without the words for the saying.
    #[must_use]
    pub fn object(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.speakers, &phrasebook.agreed, &phrasebook.ordered])
    }

    fn without_phrases(&self, lists: &[&Phrases]) -> Self {
        let hashes = self.hashes();
        let told: Vec<_> = lists.iter().flat_map(|phrases| phrases.find(&hashes)).collect();
        let is_told = |n: &usize| told.iter().any(|range| range.contains(n));
        let tokens = self.tokens.iter().enumerate().filter(|(n, _)| !is_told(n)).map(|(_, token)| token.clone());
        let tokens: Vec<Token> = tokens.collect();
        let stems = stems(&tokens);
        Self { tokens, stems }
    }

    /// Whether they tell that work was checked: tested, verified, committed, pushed.
    #[must_use]
    pub fn tell_a_check(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.checks.is_in(&self.hashes())
    }

    /// The words behind the first that narrows: the condition of a rule. None where there is none.
    #[must_use]
    pub fn condition(&self, phrasebook: &Phrasebook) -> Option<Self> {
        let cue = phrasebook.scope.find(&self.hashes()).next()?;
        let behind = self.tokens.get(cue.end..)?;
        // It ends with the clause: at a mark and a blank.
        let ends = |pair: &[Token]| matches!(pair, [one, two] if two.range.start > one.range.end + 1);
        let len = behind.windows(2).position(ends).map_or(behind.len(), |at| at + 1);
        let tokens: Vec<Token> = behind.get(..len)?.to_vec();
        let stems = stems(&tokens);
        Some(Self { tokens, stems })
    }

    /// The share of some other words that is among these.
    #[must_use]
    pub fn share_of(&self, others: &Self) -> f64 {
        let found = others.stems.iter().filter(|stem| self.stems.binary_search(stem).is_ok()).count();
        if others.is_empty() { 0.0 } else { found as f64 / others.len() as f64 }
    }

    fn hashes(&self) -> Vec<Hash64> {
        self.tokens.iter().map(|token| token.word).collect()
    }
}
