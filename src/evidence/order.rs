//! Order: what must come first, and what may only come then.

use std::ops::Range;

use crate::base::hash::Hash64;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::phrases::is_within;
use crate::evidence::words::{Token, Words, stems};

/// Two ends.
#[derive(Clone, Debug)]
pub struct Ends {
    /// What comes first.
    first: End,
    /// What comes then.
    second: End,
}

/// One of them.
#[derive(Clone, Debug)]
struct End {
    /// What it is about.
    about: Vec<Hash64>,
    /// Its bytes in the text.
    range: Range<usize>,
}

/// What a sentence says of two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Both are there in their order.
    InOrder,
    /// Both are there in the other order.
    Turned,
    /// Both are there, and nothing says in which order.
    Flat,
    /// Not both are there.
    Absent,
}

impl Ends {
    /// The two ends of a text that orders them.
    #[must_use]
    pub fn of(words: &Words, phrasebook: &Phrasebook) -> Option<Self> {
        Self::all(&words.tokens, phrasebook).next()
    }

    /// The two ends of which the first waits for a human's word, of a text that orders several things.
    #[must_use]
    pub fn of_consent(words: &Words, text: &str, phrasebook: &Phrasebook) -> Option<Self> {
        let waits = |ends: &Self| Words::of(ends.texts(text).0, phrasebook).want_consent(phrasebook);
        Self::all(&words.tokens, phrasebook).find(waits)
    }

    /// The ends that each word of order in a row of words parts, the likeliest first.
    fn all<'t>(tokens: &'t [Token], phrasebook: &'t Phrasebook) -> impl Iterator<Item = Self> + 't {
        let commas: Vec<usize> = breaks(tokens);
        // What an end is over at: why it is so, and what it is not, "before you restart it, not like last time".
        let denied = phrasebook.denial.find(tokens).map(|range| range.start).filter(|at| commas.contains(at));
        let mut reasons: Vec<usize> = phrasebook.reasons.find(tokens).map(|range| range.start).chain(denied).collect();
        reasons.sort_unstable();
        cues(tokens, phrasebook).into_iter().filter_map(move |(range, cue)| {
            let is_before = tokens.get(range.clone()).is_some_and(|word| phrasebook.turned.is_in(word));
            // "Not A before B" is "A only after B".
            let left = tokens.get(..range.start).filter(|left| left.iter().any(|token| token.stem.is_some())).unwrap_or(tokens);
            // "At most" denies no deed.
            let bounds: Vec<Range<usize>> = phrasebook.bounds.find(left).collect();
            let denies = |not: Range<usize>| !bounds.iter().any(|bound| is_within(&not, bound));
            let is_turned = cue == Cue::LeftFirst && is_before && phrasebook.negation.find(left).any(denies);
            let from = if is_before || cue == Cue::RightFirst { clause(&range, &commas) } else { 0 };
            let end = reasons.iter().copied().find(|reason| *reason > range.end).unwrap_or(tokens.len());
            let commas: Vec<usize> = commas.iter().filter(|at| **at > from).map(|at| at - from).collect();
            let range = range.start - from..range.end - from;
            sides(tokens.get(from..end)?, &range, if is_turned { Cue::RightFirst } else { cue }, &commas, phrasebook)
        })
    }

    /// The words of both in the text that they were read from: what comes first, and what comes then.
    #[must_use]
    pub fn texts<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        let of = |end: &End| text.get(end.range.clone()).unwrap_or_default();
        (of(&self.first), of(&self.second))
    }

    /// Whether they are more than a word or two of what some sentences are about.
    #[must_use]
    pub fn say_most_of(&self, words: &Words) -> bool {
        const FEW: f64 = 0.25;
        let found = words.stems.iter().filter(|stem| [&self.first, &self.second].iter().any(|end| end.about.contains(stem)));
        found.count() as f64 >= FEW * words.len() as f64
    }

    /// The share of the first end that is among some words.
    #[must_use]
    pub fn share_of_first(&self, words: &Words) -> f64 {
        share(&self.first.about, &words.stems)
    }

    /// The share of the second end that is among some words.
    #[must_use]
    pub fn share_of_second(&self, words: &Words) -> f64 {
        share(&self.second.about, &words.stems)
    }

    /// What a sentence says of these ends.
    #[must_use]
    pub fn in_words(&self, words: &Words, phrasebook: &Phrasebook) -> Kept {
        if self.share_of_first(words) < ENOUGH || self.share_of_second(words) < ENOUGH {
            return Kept::Absent;
        }
        let mut kept = Kept::Flat;
        for ends in Self::all(&words.tokens, phrasebook) {
            let of = |own: &End, other: &End| share(&own.about, &other.about);
            let straight = of(&self.first, &ends.first) + of(&self.second, &ends.second);
            let turned = of(&self.first, &ends.second) + of(&self.second, &ends.first);
            if straight > turned {
                return Kept::InOrder;
            }
            if turned > straight {
                kept = Kept::Turned;
            }
        }
        kept
    }
}

impl Words {
    /// Whether they begin with a word that puts them behind what stands before them: "then", "after that".
    #[must_use]
    pub fn begin_in_order(&self, phrasebook: &Phrasebook) -> bool {
        let begin = self.tokens.get(..4).unwrap_or(&self.tokens);
        phrasebook.first_left.find(begin).any(|range| range.start <= 1)
    }

    /// Whether they put something before something else by a word that says so: "before".
    #[must_use]
    pub fn put_before(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.turned.is_in(&self.tokens)
    }

    /// Whether a word of order stands among them.
    #[must_use]
    pub fn are_ordered(&self, phrasebook: &Phrasebook) -> bool {
        [&phrasebook.first_left, &phrasebook.first_right, &phrasebook.first_word].iter().any(|phrases| phrases.is_in(&self.tokens))
    }
}

/// The words of order, by place.
fn cues(words: &[Token], phrasebook: &Phrasebook) -> Vec<(Range<usize>, Cue)> {
    let lists = [
        (&phrasebook.first_left, Cue::LeftFirst),
        (&phrasebook.first_right, Cue::RightFirst),
        (&phrasebook.first_word, Cue::First),
    ];
    let mut cues: Vec<(Range<usize>, Cue)> = Vec::new();
    for (phrases, cue) in lists {
        cues.extend(phrases.find(words).map(|range| (range, cue)));
    }
    cues.extend(second_item(words).map(|n| (n..n + 1, Cue::LeftFirst)));
    let is_put_second = |range: &Range<usize>| cues.iter().any(|(other, cue)| *cue == Cue::LeftFirst && other.start > range.end);
    let waits: Vec<Range<usize>> = phrasebook.waits.find(words).filter(|range| !is_put_second(range)).collect();
    cues.extend(waits.into_iter().map(|range| (range, Cue::RightFirst)));
    // "only then" lies in "and only then", and "after" in "only after"; and "after all" orders nothing.
    let void = phrasebook.void_order.find(words);
    let all: Vec<Range<usize>> = cues.iter().map(|(range, _)| range.clone()).chain(void).collect();
    cues.retain(|(range, _)| !all.iter().any(|other| other.len() > range.len() && is_within(range, other)));
    let breaks = breaks(words);
    let tells_why = |range: &Range<usize>| {
        words.get(range.clone()).is_some_and(|cue| phrasebook.rests.is_in(cue)) && breaks.iter().any(|at| *at <= range.start)
    };
    cues.retain(|(range, _)| !tells_why(range));
    cues.sort_by_key(|(range, _)| range.start);
    cues
}

/// Where the second item of a list within a sentence begins: "1. export, 2. import".
fn second_item(words: &[Token]) -> Option<usize> {
    let item = |number: &[u8], from: usize| {
        let is_apart = |n: usize| n == 0 || matches!(words.get(n - 1..=n), Some([before, own]) if own.is_apart_from(before));
        let is_it = |n: &usize| words.get(*n).is_some_and(|word| word.word == Hash64::of(number)) && is_apart(*n);
        (from..words.len().saturating_sub(1)).filter(|n| is_apart(n + 1)).find(is_it)
    };
    item(b"2", item(b"1", 0)? + 1)
}

/// Where the clause begins that a word of order leads, up to a comma behind it: "Prepare it; before you publish it, ask". Else 0.
fn clause(range: &Range<usize>, commas: &[usize]) -> usize {
    let leads = commas.contains(&range.start) && commas.iter().any(|at| *at > range.end);
    if leads { range.start } else { 0 }
}

/// The share of an end that must be there.
const ENOUGH: f64 = 0.5;

/// The share of some words that is among others.
fn share(own: &[Hash64], others: &[Hash64]) -> f64 {
    let found = own.iter().filter(|stem| others.binary_search(stem).is_ok()).count();
    if own.is_empty() { 0.0 } else { found as f64 / own.len() as f64 }
}

/// The words behind which there is a gap of more than a blank: where a comma may stand.
fn breaks(tokens: &[Token]) -> Vec<usize> {
    let gap = |pair: &[Token]| matches!(pair, [left, right] if right.is_apart_from(left));
    tokens.windows(2).enumerate().filter(|(_, pair)| gap(pair)).map(|(n, _)| n + 1).collect()
}

/// What a word of order says of what stands on its two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cue {
    /// "before", "then".
    LeftFirst,
    /// "after", "until".
    RightFirst,
    /// "first".
    First,
}

/// The ends at a word of order. At the beginning of a sentence its own end goes up to the comma: "after the tests pass, push".
fn sides(tokens: &[Token], range: &Range<usize>, cue: Cue, commas: &[usize], phrasebook: &Phrasebook) -> Option<Ends> {
    let (left, right) = (tokens.get(..range.start)?, tokens.get(range.end..)?);
    let leads = stems(left).is_empty();
    // "Then write the sheet for Dr. Lindqvist": what comes first stands in the sentence before.
    let is_before = tokens.get(range.clone()).is_some_and(|cue| phrasebook.turned.is_in(cue));
    if leads && cue == Cue::LeftFirst && !is_before {
        return None;
    }
    // "On first run" orders nothing.
    if cue == Cue::First && !leads && range.end < tokens.len() && !commas.contains(&range.end) {
        return None;
    }
    let (left, right) = if leads {
        // "Only after Ines has seen it may the request be opened": without a comma the verb begins what comes then.
        let is_only = tokens.get(range.clone()).is_some_and(|cue| phrasebook.exclusive.is_in(cue));
        let inverted = || {
            (range.end + 2..tokens.len())
                .find(|at| tokens.get(*at).is_some_and(|token| phrasebook.permits.is_in(std::slice::from_ref(token))))
        };
        let comma = commas.iter().copied().find(|at| *at > range.end);
        let comma = comma.into_iter().chain(inverted().filter(|_| is_only)).min().or_else(inverted)?;
        (tokens.get(comma..)?, tokens.get(range.end..comma)?)
    } else {
        (left, right)
    };
    // "Retrain it, and make the plots only after that": what stands before the comma is meant.
    let meant =
        commas.iter().rfind(|at| **at > 0 && **at < range.start).filter(|_| cue == Cue::RightFirst && stems(right).is_empty());
    let (left, right) = match meant {
        Some(comma) => (tokens.get(*comma..range.start)?, tokens.get(..*comma)?),
        None => (left, right),
    };
    let (left, right) = (End::of(left)?, End::of(right)?);
    let is_left = cue == Cue::LeftFirst || (cue == Cue::First && !leads);
    let (first, second) = if is_left { (left, right) } else { (right, left) };
    Some(Ends { first, second })
}

impl End {
    /// The end that some words are; none where they are about nothing.
    fn of(tokens: &[Token]) -> Option<Self> {
        let about = stems(tokens);
        let range = tokens.first()?.range.start..tokens.last()?.range.end;
        (!about.is_empty()).then_some(Self { about, range })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rule: &str, sentence: &str) -> Kept {
        let phrasebook = Phrasebook::load(None).unwrap();
        let ends = Ends::of(&Words::of(rule, &phrasebook), &phrasebook).unwrap();
        ends.in_words(&Words::of(sentence, &phrasebook), &phrasebook)
    }

    #[test]
    fn the_order_of_two_ends_is_told_in_many_ways() {
        let rule = "Run the test suite before applying the patch.";
        for sentence in [
            "Apply the patch only after the test suite was run",
            "First run the test suite, then apply the patch",
            "test suite -> apply patch",
            "The patch must not be applied until the test suite has run",
            "Once the test suite has passed, apply the patch",
            "Before applying the patch, run the test suite",
            "The test suite comes first, the patch is applied after it",
            "Do not apply the patch before the test suite has run",
            "The patch is written; before applying it, run the test suite",
            "The test suite has to run before the patch is applied, neither is done",
            "In this order: 1. run the test suite, 2. apply the patch",
            "Run the test suite, and apply the patch only after that",
        ] {
            assert_eq!(kept(rule, sentence), Kept::InOrder, "{sentence}");
        }
        assert_eq!(kept(rule, "Run the test suite and apply the patch"), Kept::Flat);
        assert_eq!(kept(rule, "Apply the patch, then run the test suite"), Kept::Turned);
        assert_eq!(kept(rule, "Run the test suite"), Kept::Absent);
        assert_eq!(kept("After the tests pass, push the branch", "Push the branch once the tests pass"), Kept::InOrder);
    }

    #[test]
    fn each_end_has_its_words() {
        let phrasebook = Phrasebook::load(None).unwrap();
        for (text, expected) in [
            ("Run the tests before you push.", ("Run the tests", "you push")),
            ("Once it is merged, deploy it.", ("it is merged", "deploy it")),
            ("Push only after the tests have passed", ("the tests have passed", "Push")),
            ("Write it, and wait for my yes before you merge", ("Write it, and wait for my yes", "you merge")),
            ("The merge waits for the tests", ("the tests", "The merge")),
            ("Run export first, then import, because it reads the file", ("Run export", "then import")),
            ("Warn the players before you restart it, not like last time", ("Warn the players", "you restart it")),
        ] {
            let ends = Ends::of(&Words::of(text, &phrasebook), &phrasebook).unwrap();
            assert_eq!(ends.texts(text), expected, "{text}");
        }
    }
}
