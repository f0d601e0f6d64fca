//! The words of a text: what each is, what it is about, and whether it tells of something done.

use std::borrow::{Borrow, Cow};
use std::ops::Range;

use crate::base::hash::Hash64;
use crate::evidence::claim::Claim;
use crate::evidence::cut::clauses;
use crate::evidence::gist::says_nothing;
use crate::evidence::page::Page;
use crate::evidence::phrasebook::Phrasebook;

/// The words of a text in their order.
#[derive(Clone, Debug, Default)]
pub struct Words {
    pub(super) tokens: Vec<Token>,
    /// What they are about, each once, in the order of hashes.
    pub(super) stems: Vec<Hash64>,
}

/// One word.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The word in small letters.
    pub(super) word: Hash64,
    /// What it is about; none for a word that is about nothing.
    pub(super) stem: Option<Hash64>,
    /// Whether its form tells of something done.
    pub(super) past: Past,
    /// Whether it is a small word of English.
    pub(super) is_small: bool,
    /// Whether it is a small word of another language, and of English not.
    pub(super) is_abroad: bool,
    /// Whether it may lead an order: "then", "please".
    pub(super) is_lead: bool,
    /// Whether it says of a thing before it what it may, must or will do: "may", "is".
    pub(super) is_modal: bool,
    /// Whether it is a number.
    pub(super) is_number: bool,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

impl Token {
    /// Whether more than a blank stands between it and the word before it: a mark, where a part of a sentence may end.
    pub(super) fn is_apart_from(&self, before: &Self) -> bool {
        self.range.start > before.range.end + 1
    }
}

/// A row of words is looked through for phrases as it is.
impl Borrow<Hash64> for Token {
    fn borrow(&self) -> &Hash64 {
        &self.word
    }
}

/// Whether the form of a word tells of something done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Past {
    /// It does not.
    Never,
    /// It does behind a word that carries it alone: "put" in "was put", and not in "put it there".
    Behind,
    /// It may: "notified" does in "was notified" and at the beginning, and "the reported bug" does not.
    Carried,
    /// It does: "wrote".
    Always,
}

impl Words {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str, phrasebook: &Phrasebook) -> Self {
        let tokens = parts(text).map(|part| {
            // "Not-null" and "no-new-packages" are names, and deny nothing.
            let is_of_name = matches!(&*part.lower, "not" | "no" | "non") && goes_on(text, part.range.end);
            let word = if is_of_name { Hash64::of(b"no-") } else { part.hash() };
            let (stem, past) = phrasebook.meaning(&part.lower, word);
            let is_small = says_nothing(&part.lower);
            let is_abroad = !is_small && stem.is_none() && phrasebook.is_empty_abroad(word);
            let is_number = part.lower.bytes().all(|byte| byte.is_ascii_digit());
            let (is_lead, is_modal) = (phrasebook.leads(word), phrasebook.is_modal(word));
            Token { word, stem, past, is_small, is_abroad, is_number, is_lead, is_modal, range: part.range }
        });
        Self::of_tokens(tokens.collect())
    }

    /// Reads a command or an address: only the words that a sentence about it might have.
    #[must_use]
    pub fn of_action(text: &str, phrasebook: &Phrasebook) -> Self {
        let mut words = Self::of(text, phrasebook);
        words.tokens.retain(|token| !phrasebook.is_machine(token.word) && !token.is_number);
        words.stems = stems(&words.tokens);
        words
    }

    /// The same of an input, with its numbers.
    #[must_use]
    pub fn of_input(text: &str, phrasebook: &Phrasebook) -> Self {
        let words = Self::of(text, phrasebook);
        Self::of_tokens(words.tokens.into_iter().filter(|token| !phrasebook.is_machine(token.word)).collect())
    }

    /// The words of the clauses of a text that deny, without why they do; all of it where none does, or each.
    #[must_use]
    pub fn of_denial(text: &str, phrasebook: &Phrasebook) -> Self {
        Self::of(text, phrasebook).denial(text, phrasebook)
    }

    /// The same of words that are known, and those of the whole text.
    #[must_use]
    pub fn denial(&self, text: &str, phrasebook: &Phrasebook) -> Self {
        let words = self.clone().without_reason(phrasebook);
        let parts = clauses(text, &(0..text.len()));
        let denying = parts.iter().filter(|range| {
            let own = words.within(range);
            Claim::of(text.get((*range).clone()).unwrap_or_default(), &own.tokens, phrasebook).denies
        });
        // What stands in brackets says why: "don't fire it (avoids a loop with no end)".
        let is_aside = |range: &Range<usize>| text.get(..range.start).is_some_and(|before| before.trim_end().ends_with('('));
        let (asides, mut denying): (Vec<&Range<usize>>, Vec<&Range<usize>>) = denying.partition(|range| is_aside(range));
        if denying.is_empty() {
            denying = asides;
        }
        if denying.is_empty() || denying.len() == parts.len() {
            return words;
        }
        let is_in = |token: &&Token| denying.iter().any(|range| range.start <= token.range.start && token.range.end <= range.end);
        Self::of_tokens(words.tokens.iter().filter(is_in).cloned().collect())
    }

    /// These up to the first word that says why, if they say anything before it: "since the journal rejects bitmaps".
    #[must_use]
    pub fn without_reason(self, phrasebook: &Phrasebook) -> Self {
        const THINGS: usize = 2;
        let is_apart = |n: usize| n.checked_sub(1).is_some_and(|before| is_apart_at(&self.tokens, before, n));
        let reason =
            phrasebook.reasons.find(&self.tokens).chain(phrasebook.causes.find(&self.tokens).filter(|at| is_apart(at.start)));
        let Some(start) = reason.map(|at| at.start).min() else { return self };
        let own = self.tokens.get(..start).unwrap_or_default();
        let says = own.iter().filter(|token| token.stem.is_some()).count() >= THINGS;
        if says { Self::of_tokens(own.to_vec()) } else { self }
    }

    /// Some words, with what they are about.
    pub(super) fn of_tokens(tokens: Vec<Token>) -> Self {
        let stems = stems(&tokens);
        Self { tokens, stems }
    }

    /// Those of a part of the text, by its bytes.
    pub(super) fn within(&self, range: &Range<usize>) -> Self {
        let is_in = |token: &&Token| range.start <= token.range.start && token.range.end <= range.end;
        Self::of_tokens(self.tokens.iter().filter(is_in).cloned().collect())
    }

    /// The share of English words that say nothing of what a text is about: a quarter or more in English, hardly any elsewhere.
    #[must_use]
    pub fn english(&self) -> f64 {
        let small = self.tokens.iter().filter(|token| token.is_small).count();
        if self.tokens.is_empty() { 0.0 } else { small as f64 / self.tokens.len() as f64 }
    }

    /// Whether they are in another language than English; none where they are too few, or names and commands, to tell.
    #[must_use]
    pub fn are_abroad(&self) -> Option<bool> {
        const FEW: usize = 4;
        const TELLING: f64 = 0.18;
        let abroad = self.tokens.iter().filter(|token| token.is_abroad).count() as f64 / self.tokens.len().max(1) as f64;
        match (self.tokens.len() >= FEW, abroad >= TELLING, self.english() >= TELLING) {
            (false, ..) | (true, false, false) => None,
            (true, is_abroad, _) => Some(is_abroad && abroad > self.english()),
        }
    }

    /// Whether they are in English and hardly anything of some text is, or the other way round: `abroad` is the share of its sentences
    /// that are in another language.
    #[must_use]
    pub fn is_foreign_to(&self, abroad: f64) -> bool {
        const HARDLY: f64 = 0.25;
        match self.are_abroad() {
            Some(true) => abroad < HARDLY,
            Some(false) => abroad > 1.0 - HARDLY,
            None => false,
        }
    }

    /// What is left when the words of others are taken out.
    #[must_use]
    pub fn without<'o>(&self, others: impl Iterator<Item = &'o Self> + Clone) -> Self {
        let is_there = |stem: &Hash64| others.clone().any(|other| other.stems.binary_search(stem).is_ok());
        let tokens = self.tokens.iter().filter(|token| !token.stem.is_some_and(|stem| is_there(&stem))).cloned().collect();
        let stems = self.stems.iter().filter(|stem| !is_there(stem)).copied().collect();
        Self { tokens, stems }
    }

    /// What these and others are about, as one text.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        Self::of_tokens(self.tokens.iter().chain(&others.tokens).cloned().collect())
    }

    /// How many of the things that they are about no page knows, each apart from one sentence, and no other words.
    pub fn count_new<'o>(&self, pages: &[(&Page, Option<usize>)], others: impl Iterator<Item = &'o Self> + Clone) -> usize {
        let is_known = |stem: &Hash64| {
            pages.iter().any(|(page, but)| page.knows(*stem, *but))
                || others.clone().any(|other| other.stems.binary_search(stem).is_ok())
        };
        self.stems.iter().filter(|stem| !is_known(stem)).count()
    }

    /// How many things the text is about.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stems.len()
    }

    /// Whether it is about nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }
}

/// Whether a hyphen joins a word that ends here to the next one.
fn goes_on(text: &str, end: usize) -> bool {
    text.get(end..).and_then(|rest| rest.strip_prefix('-')).is_some_and(|rest| rest.starts_with(is_letter))
}

/// Whether a mark stands between two words that follow each other.
fn is_apart_at(tokens: &[Token], before: usize, n: usize) -> bool {
    tokens.get(before).zip(tokens.get(n)).is_some_and(|(before, token)| token.is_apart_from(before))
}

/// What words are about, each once, in the order of hashes.
pub(super) fn stems(tokens: &[Token]) -> Vec<Hash64> {
    let mut stems: Vec<Hash64> = tokens.iter().filter_map(|token| token.stem).collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// A word as it stands in a text.
pub(super) struct Part<'t> {
    /// In small letters.
    pub(super) lower: Cow<'t, str>,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

impl Part<'_> {
    pub(super) fn hash(&self) -> Hash64 {
        Hash64::of(self.lower.as_bytes())
    }
}

/// The words of a text: runs of letters and digits, with `don't` as two, and arrows. Text that does not part words is cut into pairs
/// of characters.
pub(super) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut from = 0;
    let mut waiting: Vec<Part<'_>> = Vec::new();
    std::iter::from_fn(move || {
        loop {
            if let Some(part) = waiting.pop() {
                return Some(part);
            }
            let rest = text.get(from..)?;
            let first = rest.chars().next()?;
            if !is_letter(first) {
                let arrow = ARROWS.iter().find(|arrow| rest.starts_with(**arrow));
                let range = from..from + arrow.map_or(first.len_utf8(), |arrow| arrow.len());
                from = range.end;
                match arrow {
                    Some(arrow) => return Some(Part { lower: Cow::Borrowed(arrow), range }),
                    None => continue,
                }
            }
            let end = rest.find(|c| !is_letter(c) && !is_apostrophe(c)).unwrap_or(rest.len());
            let run = from..from + end;
            from = run.end;
            let word = text.get(run.clone()).unwrap_or_default();
            match word.chars().any(is_unspaced) {
                true => pairs(word, run.start, &mut waiting),
                false => contraction(word, run, &mut waiting),
            }
        }
    })
}

const ARROWS: &[&str] = &["->", "=>", "→", "⇒", "➜"];

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

/// Whether a character belongs to a script that puts no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}

/// The verbs that are written in short behind a word: `we've`, `I'll`.
const SHORT: &[(&str, &str)] = &[("'ve", "have"), ("'ll", "will"), ("'re", "are")];

/// `don't` is `do` and `not`; `user's` is `user`. The last is put in first.
fn contraction<'t>(word: &'t str, run: Range<usize>, out: &mut Vec<Part<'t>>) {
    // Nearly every word is this plain.
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !word.eq_ignore_ascii_case("cannot") {
        let is_lower = !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let lower = if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_ascii_lowercase()) };
        return out.push(Part { lower, range: run });
    }
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    let part = |lower: &str| Part { lower: Cow::Owned(lower.to_owned()), range: run.clone() };
    let trimmed = lower.trim_matches('\'');
    if trimmed == "cannot" {
        out.extend([part("not"), part("can")]);
    } else if let Some(verb) = trimmed.strip_suffix("n't") {
        out.extend([part("not"), part(if verb == "ca" { "can" } else { verb })]);
    } else if let Some((own, small)) = SHORT.iter().find_map(|(ending, word)| Some((trimmed.strip_suffix(ending)?, word))) {
        out.extend([part(small), part(own)]);
    } else {
        let own = trimmed.split('\'').next().unwrap_or(trimmed);
        if !own.is_empty() {
            out.push(part(own));
        }
    }
}

/// Each pair of characters, the last first.
fn pairs(word: &str, start: usize, out: &mut Vec<Part<'_>>) {
    let places: Vec<(usize, char)> = word.char_indices().collect();
    let pair = |pair: &[(usize, char)]| {
        let (from, last) = (pair.first()?.0, pair.last()?);
        let to = last.0 + last.1.len_utf8();
        Some(Part { lower: Cow::Owned(word.get(from..to)?.to_lowercase()), range: start + from..start + to })
    };
    out.extend(places.windows(2).rev().filter_map(pair));
}

/// The endings of English that say nothing of what a word is about, the longest first of those that end alike.
const ENDINGS: &[&str] =
    &["ations", "ation", "ating", "ated", "ates", "ate", "ions", "ion", "ings", "ing", "ies", "ied", "ed", "es", "s", "e"];

/// What a word in small letters is about: without the endings of English that say nothing of it.
pub(super) fn root(word: &str) -> Option<Hash64> {
    // "Room 4" is another one than room 3.
    let is_digit = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if (word.len() < 2 && !is_digit(word)) || says_nothing(word) {
        return None;
    }
    // "Uses" says as little as "use".
    if word.strip_suffix('s').is_some_and(says_nothing) {
        return None;
    }
    // The plural of German: "Buchungen".
    let word = word.strip_suffix("en").filter(|rest| rest.ends_with("ung")).unwrap_or(word);
    let word = &*verb_of(word);
    // Most words have none of them, and show it by their last letter.
    let last = word.as_bytes().last();
    let endings: &[&str] = if word.ends_with(['s', 'n', 'g', 'd', 'e']) { ENDINGS } else { &[] };
    let (stem, ending) = endings
        .iter()
        .filter(|ending| ending.as_bytes().last() == last && (**ending != "s" || !word.ends_with("ss")))
        .find_map(|ending| Some((word.strip_suffix(ending).filter(|stem| stem.chars().count() >= 3)?, *ending)))
        .unwrap_or((word, ""));
    let mut letters = stem.chars().rev();
    let last = letters.next();
    // "Dropped" is "drop"; and "added" is "add", whose own letters are doubled.
    let is_letter = last.is_some_and(|last| last.is_ascii_alphabetic());
    let doubled = matches!(ending, "ings" | "ing" | "ed" | "s" | "")
        && is_letter
        && last == letters.next()
        && !matches!(last, Some('s' | 'l' | 'e'));
    let stem = if doubled { stem.get(..stem.len() - 1).unwrap_or(stem) } else { stem };
    // "notifies", "notified", "notify": one word.
    let with_i = match ending {
        "ies" | "ied" => Some(stem),
        _ => stem.strip_suffix('y').filter(|rest| rest.len() > 2),
    };
    Some(with_i.map_or_else(|| Hash64::of(stem.as_bytes()), |stem| Hash64::of([stem, "i"].concat().as_bytes())))
}

/// The endings that make a noun of a verb, with what the verb has in their place, and the least that must stand before them:
/// "deployment", "submission", "verification", "auditor".
const NOUNS: &[(&str, &str, usize)] =
    &[("ments", "", 5), ("ment", "", 5), ("ification", "ify", 2), ("ission", "it", 3), ("ors", "", 5), ("or", "", 5)];

/// The verb that a noun in small letters is made of.
fn verb_of(word: &str) -> Cow<'_, str> {
    if !word.ends_with(['t', 's', 'n', 'r']) {
        return Cow::Borrowed(word);
    }
    let found = NOUNS
        .iter()
        .find_map(|(ending, verb, least)| Some((word.strip_suffix(ending).filter(|stem| stem.len() >= *least)?, *verb)));
    match found {
        Some((stem, "")) => Cow::Borrowed(stem),
        Some((stem, verb)) => Cow::Owned(format!("{stem}{verb}")),
        None => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<String> {
        parts(text).map(|part| part.lower.into_owned()).collect()
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(spelled("Don't drop `orders_v2`!"), ["do", "not", "drop", "orders", "v2"]);
        assert_eq!(spelled("We've sent it, I'll wait"), ["we", "have", "sent", "it", "i", "will", "wait"]);
        assert_eq!(spelled("The user\u{2019}s plan: a -> b, can't"), ["the", "user", "plan", "a", "->", "b", "can", "not"]);
        assert_eq!(spelled("不要删除"), ["不要", "要删", "删除"]);
    }

    #[test]
    fn a_word_is_about_the_same_in_any_form() {
        for forms in [
            &["notify", "notified", "notifies", "notifying"] as &[&str],
            &["migrate", "migration", "migrations", "migrated", "migrating"],
            &["drop", "drops", "dropped", "dropping"],
            &["push", "pushes", "pushed", "pushing"],
            &["delete", "deleted", "deletion"],
            &["pass", "passes", "passed"],
            &["deploy", "deployment", "deployments"],
            &["submit", "submission", "submitted"],
            &["verify", "verification", "verified"],
            &["audit", "auditors", "audited"],
        ] {
            assert!(forms.windows(2).all(|pair| root(pair[0]) == root(pair[1])), "{forms:?}");
        }
        assert_ne!(root("push"), root("pull"));
        assert_eq!(root("the"), None);
    }
}
