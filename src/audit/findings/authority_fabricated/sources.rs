//! What a statement about a human's will may rest on: what humans said and agreed to, and what an earlier summary had told of it.

use crate::audit::case::Case;
use crate::evidence::{Claim, Clause, Page, Sentence, Words};

/// So many clauses are looked at for a source.
const MATCHES: usize = 12;

/// What a human is said to have said.
pub(super) struct Claimed {
    /// What it is about.
    pub(super) words: Words,
    /// The numbers in it: "room 2" is none of "room 3".
    numbers: Words,
    /// Whether it denies or forbids.
    denies: bool,
}

impl Claimed {
    /// Reads what was quoted.
    pub(super) fn of(quote: &str, case: &Case<'_>) -> Self {
        let words = Words::of(quote, case.phrasebook);
        let claim = Claim::of_words(quote, &words, case.phrasebook);
        Self { numbers: words.numbers(), words, denies: claim.denies }
    }

    /// Takes what was reported, without the words for the saying.
    pub(super) fn reported(object: Words, denies: bool) -> Self {
        Self { numbers: object.numbers(), words: object, denies }
    }
}

/// Whether a human, or what the runtime told, has a text word by word.
pub(super) fn hold(case: &Case<'_>, text: &str) -> bool {
    pages(case).into_iter().any(|page| page.holds(text).is_some())
}

/// Whether somebody said so much of it: in one text of a human, or in a sentence of an earlier summary; and not the contrary.
pub(super) fn say(case: &Case<'_>, claimed: &Claimed, share: f64) -> bool {
    pages(case).into_iter().any(|page| {
        sentences(page, &claimed.words).any(|(n, sentence)| {
            let is_short = page.sentences_of(sentence.text).len() <= SHORT;
            let said =
                if is_short { page.share_in_text(&claimed.words, sentence.text) } else { page.share_around(&claimed.words, n) };
            said >= share && !is_another(&sentence.words, claimed) && !is_contrary(page, sentence, claimed)
        })
    })
}

/// Of a text with more sentences one alone must say it, with its neighbours.
const SHORT: usize = 12;

/// The most that somebody said of some words, in a sentence and its neighbours.
pub(super) fn most(case: &Case<'_>, words: &Words) -> f64 {
    let around = |page: &Page| sentences(page, words).map(|(n, _)| page.share_around(words, n)).fold(0.0, f64::max);
    pages(case).into_iter().map(around).fold(0.0, f64::max)
}

/// Whether somebody agreed to it: by a nod to words that say so much of it, by words that allow or order it, or as an earlier summary
/// had told. What was only affirmed needs no such words.
pub(super) fn agreed(case: &Case<'_>, claimed: &Claimed, affirms: bool, share: f64) -> bool {
    if is_chosen(case, claimed) {
        return true;
    }
    let humans = case.humans;
    let own = sentences(&humans.page, &claimed.words).any(|(n, sentence)| {
        if humans.has_agreed_to(sentence.text) {
            let numbers = humans.page.share_in_text(&claimed.numbers, sentence.text);
            return humans.page.share_in_text(&claimed.words, sentence.text) >= share
                && (claimed.numbers.is_empty() || numbers >= 1.0);
        }
        let allows = affirms || sentence.words.let_do(&claimed.words, case.phrasebook);
        let said = sentence.words.share_of(&claimed.words).max(humans.page.share_around(&claimed.words, n) * BESIDE);
        said >= share && allows && !is_another(&sentence.words, claimed) && !is_contrary(&humans.page, sentence, claimed)
    });
    let told = |(_, sentence): (usize, &Sentence)| {
        sentence.words.share_of(&claimed.words) >= share && !is_contrary(&humans.others, sentence, claimed)
    };
    own || sentences(&humans.others, &claimed.words).any(told)
}

/// Whether it is an option by its number, and a human said something of that number: "1 does seem like a decent path" chooses, whatever
/// its words.
pub(super) fn is_chosen(case: &Case<'_>, claimed: &Claimed) -> bool {
    let page = &case.humans.page;
    let names_it = |(_, sentence): (usize, &Sentence)| {
        sentence.words.share_of(&claimed.numbers) >= 1.0 && !is_contrary(page, sentence, claimed)
    };
    !claimed.numbers.is_empty() && claimed.words.len() <= CHOICE && sentences(page, &claimed.words).any(names_it)
}

/// What names an option by its number has no more words than this: "option 2".
const CHOICE: usize = 2;

/// What the neighbours of a sentence add counts for less.
const BESIDE: f64 = 0.8;

/// Whether all that anybody says of it denies what it affirms, or the other way round.
pub(super) fn is_turned(case: &Case<'_>, claimed: &Claimed, share: f64) -> bool {
    let mut found = pages(case).into_iter().flat_map(|page| {
        let said = sentences(page, &claimed.words).filter(move |(_, at)| at.words.share_of(&claimed.words) >= share);
        said.map(move |(_, at)| is_contrary(page, at, claimed))
    });
    let mut found = found.by_ref().peekable();
    found.peek().is_some() && found.all(|is_contrary| is_contrary)
}

fn pages<'c>(case: &'c Case<'_>) -> [&'c Page; 2] {
    [&case.humans.page, &case.humans.others]
}

fn sentences<'p>(page: &'p Page, words: &Words) -> impl Iterator<Item = (usize, &'p Sentence)> {
    let found = page.matches(words, MATCHES).into_iter().filter_map(|found| page.clause_at(found.clause));
    found.filter_map(|clause| Some((clause.sentence, page.sentence_at(clause.sentence)?)))
}

/// Whether a sentence speaks of other ones of the kind, by their numbers.
fn is_another(words: &Words, claimed: &Claimed) -> bool {
    let own = words.numbers();
    !claimed.numbers.is_empty() && !own.is_empty() && own.share_of(&claimed.numbers) < 1.0
}

/// Whether what a sentence says of it has the other polarity.
fn is_contrary(page: &Page, sentence: &Sentence, claimed: &Claimed) -> bool {
    let says = |clause: &&Clause| clause.words.share_of(&claimed.words) > 0.0;
    let mut clauses = page.clauses_of(sentence).iter().filter(says).peekable();
    clauses.peek().is_some() && clauses.all(|clause| clause.claim.denies != claimed.denies)
}
