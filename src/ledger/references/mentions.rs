//! Words of a human that point at an item of a list: a noun or a verb with a label ("option 2", "do 1 and 3"), an ordinal with what it
//! counts ("the second one"), or what is left when some were named ("skip 5 and do the rest").

use std::borrow::Cow;
use std::ops::Range;

use super::lists::words;
use crate::base::words::WordSet;

/// Words that point at an item.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// Their bytes.
    pub(super) range: Range<usize>,
    /// Which item.
    pub(super) what: What,
}

/// Which item is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Those that are called so: one, or what a range or a list without spaces stands for.
    Labels(Vec<String>),
    /// The nth of the newest list, from 0.
    Nth(usize),
    /// The last of it.
    Last,
    /// All of it that no other words of the same text point at.
    Rest,
}

/// What an item may be called. In front of a label it needs nothing else.
static NOUNS: WordSet<64> = WordSet::new(&[
    "alternative",
    "approach",
    "bug",
    "choice",
    "comment",
    "finding",
    "idea",
    "issue",
    "item",
    "number",
    "option",
    "part",
    "path",
    "phase",
    "point",
    "problem",
    "proposal",
    "question",
    "recommendation",
    "solution",
    "step",
    "suggestion",
    "task",
    "variant",
]);

/// What of them is only told where there is another.
const CHOICES: &[&str] = &["alternative", "approach", "option", "proposal", "solution", "variant"];

/// What a human does with an item. Behind it a number is a label only if it counts nothing.
const VERBS: &[&str] =
    &["apply", "choose", "do", "drop", "fix", "implement", "pick", "prefer", "skip", "take", "think", "want", "with", "yes"];

/// What may follow a label that counts nothing.
const AFTER: &[&str] = &["and", "as", "but", "first", "for", "is", "next", "now", "only", "or", "please", "then", "too"];

/// Between two labels.
const JOINS: &[&str] = &["&", "and", "or", "plus"];

/// A range of more items than this is none: `8000-8443`.
const LONGEST_RANGE: u32 = 20;

const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth", "sixth"];

/// What is left of a list, behind the word that says so.
const RESTS: &[(&str, &str)] =
    &[("the", "rest"), ("the", "others"), ("the", "remaining"), ("everything", "else"), ("all", "others")];

/// Whether a word names an item, in the singular or the plural.
pub(super) fn is_noun(word: &str) -> bool {
    let word = core(word);
    NOUNS.has_any_case(word) || word.strip_suffix(['s', 'S']).is_some_and(|one| NOUNS.has_any_case(one))
}

/// Whether a word names one of several that somebody may choose.
pub(super) fn is_choice(word: &str) -> bool {
    CHOICES.iter().any(|choice| core(word).eq_ignore_ascii_case(choice))
}

/// Everything in a text that may point at an item of another.
pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let words: Vec<(usize, &str)> = words(text).collect();
    let mut found: Vec<Mention> = Vec::new();
    let mut n = 0;
    while let Some(&(start, word)) = words.get(n) {
        let (lead, next) = (bare(word), words.get(n + 1));
        if let Some(what) = ordinal(&lead, next.map(|(_, next)| *next)) {
            let end =
                next.filter(|_| !matches!(&*lead, "former" | "latter")).map_or(start + word.len(), |(at, next)| at + trimmed(next));
            found.push(Mention { range: start..end.max(start + trimmed(word)), what });
        } else if is_noun(word) || VERBS.contains(&&*lead) || words.len() == 1 {
            n = labels(&words, n, is_noun(word), &mut found);
        }
        n += 1;
    }
    // A heading and the number of the item below it are no mention.
    found.retain(|mention| text.get(mention.range.clone()).is_some_and(|words| !words.contains('\n')));
    // What is left is left of something.
    if !found.is_empty() {
        found.extend(rest(&words));
    }
    found
}

/// The words that point at what is left of a list.
fn rest(words: &[(usize, &str)]) -> Option<Mention> {
    words.windows(2).find_map(|pair| {
        let [(start, lead), (at, word)] = pair else { return None };
        let is_rest = RESTS.contains(&(&*bare(lead), &*bare(word)));
        is_rest.then(|| Mention { range: *start..at + trimmed(word), what: What::Rest })
    })
}

/// The labels behind a lead word at `n`, joined by "and". Returns the place of the last word that was read.
fn labels(words: &[(usize, &str)], n: usize, by_noun: bool, found: &mut Vec<Mention>) -> usize {
    let Some(&(lead_at, _)) = words.get(n) else { return n };
    let alone = words.len() == 1;
    let mut at = if alone { n } else { n + 1 };
    let mut read = n;
    let first = found.len();
    while let Some(&(start, word)) = words.get(at) {
        let labels = labels_of(word, by_noun);
        if labels.is_empty() {
            break;
        }
        let next = words.get(at + 1).map(|(_, next)| bare(next));
        let stops = word.ends_with(['.', ',', ';', '!', '?', ')', ':']) && word.len() > 1;
        let counts_nothing = by_noun || stops || next.as_ref().is_none_or(|next| AFTER.contains(&&**next) || *next == "&");
        if !counts_nothing {
            break;
        }
        let from = if found.len() == first && by_noun { lead_at } else { start };
        found.push(Mention { range: from..start + trimmed(word), what: What::Labels(labels) });
        read = at;
        let joined = next.is_some_and(|next| JOINS.contains(&&*next));
        at += match (joined, word.ends_with(',')) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => break,
        };
    }
    read
}

/// The item that an ordinal means, with the word that it counts.
fn ordinal(word: &str, next: Option<&str>) -> Option<What> {
    match word {
        "former" => return Some(What::Nth(0)),
        "latter" => return Some(What::Last),
        _ => {}
    }
    let counted = next.map(bare)?;
    if counted != "one" && !is_noun(&counted) {
        return None;
    }
    if word == "last" {
        return Some(What::Last);
    }
    ORDINALS.iter().position(|ordinal| *ordinal == word).map(What::Nth)
}

/// The labels in one word: `2`, `B`, `1-4`, `6,7,8`.
fn labels_of(word: &str, by_noun: bool) -> Vec<String> {
    let mut found = Vec::new();
    if word.contains('%') {
        return found;
    }
    for part in word.trim_end_matches(|c: char| !c.is_alphanumeric()).split(',') {
        let ends = part.split_once(['-', '–']).and_then(|(from, to)| Some((from.parse::<u32>().ok()?, to.parse::<u32>().ok()?)));
        match ends {
            Some((from, to)) if from < to && to - from < LONGEST_RANGE => found.extend((from..=to).map(|n| n.to_string())),
            Some(_) => return Vec::new(),
            None => match label(part, by_noun) {
                Some(label) => found.push(label),
                None => return Vec::new(),
            },
        }
    }
    found
}

/// A label as lists write it: a short number, or one letter. A small letter counts only behind a noun; "a" is an article.
fn label(word: &str, by_noun: bool) -> Option<String> {
    let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.contains(['%', '.', '/']) && !word.ends_with(['.', ',']) {
        return None;
    }
    let is_number = !plain.is_empty() && plain.len() <= 3 && plain.bytes().all(|b| b.is_ascii_digit());
    let is_letter = plain.len() == 1 && plain.bytes().all(|b| b.is_ascii_uppercase() || (by_noun && b.is_ascii_lowercase()));
    let is_pronoun = plain == "I" || (plain == "A" && !by_noun);
    (is_number || (is_letter && !is_pronoun)).then(|| plain.to_ascii_lowercase())
}

/// A word without the marks around it.
fn core(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&')
}

/// The same in small letters, which most words are.
fn bare(word: &str) -> Cow<'_, str> {
    let core = core(word);
    if core.bytes().any(|byte| byte.is_ascii_uppercase()) { core.to_ascii_lowercase().into() } else { core.into() }
}

/// Bytes of a word without the marks behind it.
fn trimmed(word: &str) -> usize {
    word.trim_end_matches(|c: char| !c.is_alphanumeric()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_at_an_item() {
        for (text, expected) in [
            ("Go with option 2, please.", vec!["option 2"]),
            ("do 1 and 3", vec!["1", "3"]),
            ("Do 1, 2 and 4 now", vec!["1", "2", "4"]),
            ("Fix findings 3 and 64.", vec!["findings 3", "64"]),
            ("the second one", vec!["second one"]),
            ("I like the latter", vec!["latter"]),
            ("2", vec!["2"]),
            ("Option B!", vec!["Option B"]),
            ("implement suggestions 1-4 first", vec!["suggestions 1-4"]),
            ("okay now let's do 6,7,8,10", vec!["6,7,8,10"]),
            ("I think 2 is the right approach", vec!["2"]),
            ("skip 5, 7 and do the rest", vec!["5", "7", "the rest"]),
            ("do the rest", vec![]),
            ("Bug #3 first, then everything else.", vec!["Bug #3", "everything else"]),
            ("use ports 8000-8443", vec![]),
            ("do 8000-8443", vec![]),
            ("I think 2 workers are enough", vec![]),
            ("skip 2 for now", vec!["2"]),
            ("let's go with B", vec!["B"]),
            ("yes, 2", vec!["2"]),
            ("fix 2 bugs", vec![]),
            ("run it with 3 workers", vec![]),
            ("Steps\n1. Lock\n2. Queue", vec![]),
            ("wait a second", vec![]),
            ("use the last commit", vec![]),
            ("With a bit of luck I do it", vec![]),
            ("drop to 50%", vec![]),
            ("fix 50%.", vec![]),
            ("", vec![]),
        ] {
            let found = mentions(text);
            let found: Vec<_> = found.iter().map(|mention| &text[mention.range.clone()]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
