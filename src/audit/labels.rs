//! Labels: short names that a list gives to its items, and that everything after it uses instead of them: `L2`, `P1`, `F7`.
//!
//! A label says nothing by itself. It stands as long as what it was given for stands beside it, in whatever words.

use std::borrow::Cow;
use std::ops::Range;

use crate::base::text::prefix;
use crate::evidence::{Phrasebook, stands_whole};

/// A label, and what it was given for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition<'t> {
    pub(super) label: &'t str,
    pub(super) says: &'t str,
}

/// Of what a label was given for, so many bytes say what it is.
const SAYS_BYTES: usize = 200;

/// Of what stands below a heading.
const BELOW_BYTES: usize = 320;

/// The labels of a text with their places: one or two capitals and one or two digits, and nothing else in the word.
pub(super) fn labels(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let digits = bytes.iter().enumerate().filter(|(at, byte)| byte.is_ascii_digit() && is_capital(bytes.get(at.wrapping_sub(1))));
    digits.filter_map(move |(digit, _)| {
        let start = digit - bytes.get(..digit)?.iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
        let end = digit + bytes.get(digit..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let before = text.get(..start)?.chars().next_back();
        let mut after = text.get(end..)?.chars();
        let goes_on = match after.next() {
            // A full stop ends the sentence; a dot goes on.
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            next => next.is_some_and(is_inner),
        };
        let is_word = !before.is_some_and(is_inner) && !goes_on;
        (is_word && digit - start <= 2 && end - digit <= 2).then_some(start..end)
    })
}

fn is_capital(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_uppercase)
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '$' | '=')
}

/// What a text gives its labels for: `L2: the key is not zeroed`, `| M1 | name in clear |`, `M5 (silent failures)`, and a heading with
/// what stands below it.
pub(super) fn definitions<'t>(text: &'t str, phrasebook: &Phrasebook) -> Vec<Definition<'t>> {
    let places: Vec<Range<usize>> = labels(text).collect();
    let mut found = Vec::new();
    for (n, place) in places.iter().enumerate() {
        let next = places.get(n + 1).map_or(text.len(), |next| next.start);
        let (Some(label), Some(before)) = (text.get(place.clone()), text.get(..place.start)) else { continue };
        let line = before.rsplit('\n').next().unwrap_or_default();
        let rest = text.get(place.end..).unwrap_or_default();
        if line.trim_start().starts_with('#') {
            let below = rest.split_once('\n').map_or("", |(_, below)| prefix(below, BELOW_BYTES));
            let says = prefix(rest, below_end(rest, below)).trim_start_matches(|c: char| !c.is_alphanumeric());
            found.push(Definition { label, says });
        } else if let Some(says) = text.get(place.end..next).and_then(|own| given(line, own, phrasebook)) {
            found.push(Definition { label, says });
        }
    }
    found
}

/// An input with its line breaks, which end what a label is given for: in JSON they are written as two characters.
pub(super) fn unescaped(input: &str) -> Cow<'_, str> {
    if input.contains("\\n") { Cow::Owned(input.replace("\\n", "\n")) } else { Cow::Borrowed(input) }
}

/// How far a heading reaches, with what stands below it.
fn below_end(rest: &str, below: &str) -> usize {
    let head = rest.len() - rest.split_once('\n').map_or("", |(_, below)| below).len();
    head + below.split("\n#").next().unwrap_or(below).len()
}

/// What a label is given for by what stands before it in its line and behind it up to the next label.
fn given<'t>(line: &str, own: &'t str, phrasebook: &Phrasebook) -> Option<&'t str> {
    let own = own.split('\n').next().unwrap_or(own).trim_start_matches(['*', '`', '_', ']']);
    if let Some(inner) = own.strip_prefix(" (") {
        return inner.split(')').next().filter(|inner| has_words(inner));
    }
    let lead = line.trim_end_matches([' ', '*', '`', '_', '>', '|', '(', '[', '"', '+']);
    let lead = lead.strip_suffix('-').filter(|lead| lead.trim().is_empty()).unwrap_or(lead);
    let is_head = lead.is_empty() || lead.ends_with(['.', ';', ':', '!', '?', '"']) || line.ends_with(['(', '[']);
    let marks = [":", ".", ")", " -", " \u{2013}", " \u{2014}", " |", " ="];
    let says = marks.iter().find_map(|mark| own.strip_prefix(mark)).or_else(|| phrasebook.given(own)).filter(|_| is_head)?;
    let says = prefix(says.trim_start_matches(['*', ' ', '-']), SAYS_BYTES);
    // One sentence says it; what is behind the end of a text in an input is another text.
    let says =
        [". ", "\",\"", "\"}", "\"]"].iter().filter_map(|end| says.find(end)).min().and_then(|end| says.get(..end)).unwrap_or(says);
    has_words(says).then_some(says.trim_end_matches(['*', ' ', '-', '#', '|', '"', '(', '/', '.', ';', ',']))
}

/// Whether something is said at all.
fn has_words(text: &str) -> bool {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).nth(1).is_some()
}

/// What a text says beside each place of a label: its line, where no other label stands there; else what is said of it up to the next.
/// A line that only leads in what is below it comes with that.
pub(super) fn beside<'t>(text: &'t str, label: &str, phrasebook: &Phrasebook) -> Vec<&'t str> {
    let mut found = Vec::new();
    for place in labels(text).filter(|place| text.get(place.clone()) == Some(label)) {
        let start = text.get(..place.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = text.get(place.end..).unwrap_or_default();
        let end = place.end + rest.find('\n').unwrap_or(rest.len());
        let line = text.get(start..end).unwrap_or_default();
        let is_alone = labels(line).all(|other| line.get(other) == Some(label));
        if !is_alone {
            let own = text.get(place.end..end).unwrap_or_default();
            let own = own.get(..labels(own).next().map_or(own.len(), |next| next.start)).unwrap_or(own);
            found.extend(given("", own, phrasebook));
            continue;
        }
        let leads = line.trim_end_matches(['*', ' ']).ends_with(':') || line.trim_start().starts_with('#');
        let whole = text.get(start..).unwrap_or_default();
        let below = prefix(whole, line.len() + BELOW_BYTES);
        found.push(if leads { below.get(..line.len() + below_of(below, line)).unwrap_or(line) } else { line });
    }
    found
}

/// What stands below the first line that names something and leads in a list: `Fixed in c2b0273:`.
pub(super) fn below<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let leads = |line: &str| stands_whole(line, name) && line.trim_end_matches(['*', ' ']).ends_with(':');
    let line = text.lines().find(|line| leads(line))?;
    let whole = text.get(text.find(line)?..)?;
    let held = prefix(whole, line.len() + BELOW_BYTES);
    held.get(line.len()..line.len() + below_of(held, line)).filter(|held| has_words(held))
}

/// How many bytes of what stands below a line still belong to it: up to the next empty line behind something.
fn below_of(below: &str, line: &str) -> usize {
    let rest = below.get(line.len()..).unwrap_or_default();
    let skip = rest.len() - rest.trim_start().len();
    rest.get(skip..).and_then(|rest| rest.find("\n\n")).map_or(rest.len(), |at| skip + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<&str> {
        labels(text).filter_map(|place| text.get(place)).collect()
    }

    #[test]
    fn a_label_is_a_short_word_of_capitals_and_digits() {
        assert_eq!(spelled("fix H1, L2/L3 and AC12 (P1)"), ["H1", "L2", "L3", "AC12", "P1"]);
        assert_eq!(spelled("utf8 UTF8 v2 X264 R2D2 src/A1.rs A_1 0xF1 e2e ABC1 T123"), Vec::<&str>::new());
    }

    #[test]
    fn what_a_label_is_given_for_stands_behind_it() {
        let phrasebook = Phrasebook::load(None).unwrap();
        for (text, expected) in [
            ("- **L2**: key is not zeroed\n", vec![("L2", "key is not zeroed")]),
            (
                "L3: silent truncation, fixed. L4: no pages on the list",
                vec![("L3", "silent truncation, fixed"), ("L4", "no pages on the list")],
            ),
            ("| M1 | name in clear | LOW |", vec![("M1", "name in clear | LOW")]),
            ("Deferred: M1 (name in clear), M5 (silent failures)", vec![("M1", "name in clear"), ("M5", "silent failures")]),
            (
                "#### H1. Keys are not wrapped\nThe folder skips files.\n## Next",
                vec![("H1", "Keys are not wrapped\nThe folder skips files.")],
            ),
            ("L2 = the retry loop; L3 means the wait behind it", vec![("L2", "the retry loop"), ("L3", "the wait behind it")]),
            ("address H1, H2 and L3", vec![]),
            ("L1-L4: various things", vec![]),
            ("F7: open", vec![]),
        ] {
            let found = definitions(text, &phrasebook);
            assert_eq!(found.iter().map(|one| (one.label, one.says)).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_said_beside_a_label() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let beside = |text, label| super::beside(text, label, &phrasebook);
        assert_eq!(beside("a\n- M2 Fix: documented the contract\nb", "M2"), ["- M2 Fix: documented the contract"]);
        assert_eq!(beside("**H2 Fix**:\n- three inputs\n\nother", "H2"), ["**H2 Fix**:\n- three inputs"]);
        assert_eq!(beside("fix M1, L4 with a todo", "L4"), Vec::<&str>::new());
        assert_eq!(beside("fix M1 (name in clear), L4", "M1"), ["name in clear"]);
    }
}
