//! Exact values: whether one stands, drifted, or is gone.

use crate::base::words::WordSet;

/// A name shorter than this is like too many others.
pub(super) const SHORT: usize = 4;

/// Whether a value is the name of something that can be opened: a path, a file, a URL, a branch, a symbol.
pub(super) fn is_name(value: &str) -> bool {
    let named = value.contains(['/', '\\', '_', '.', '-']) || value.chars().any(char::is_uppercase);
    value.len() >= SHORT && named && value.chars().any(char::is_alphabetic) && !value.contains(['=', ' '])
}

/// The numbers of a text that are values and no ordinals: of two digits or more, or behind a mark such as `=`.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut from = 0;
    let bytes = text.as_bytes();
    while let Some(start) = bytes.iter().skip(from).position(u8::is_ascii_digit).map(|at| from + at) {
        let end = bytes.iter().skip(start).position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |len| start + len);
        from = end;
        let before = start.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
        let after = bytes.get(end).copied().unwrap_or(b' ');
        let is_alone = !before.is_ascii_alphanumeric() && !matches!(before, b'_' | b'-' | b'.' | b'/' | b'#');
        let ends = !after.is_ascii_alphanumeric() && !matches!(after, b'_' | b'-' | b'/') || after == b'%';
        if is_alone && ends && (end - start >= 2 || before == b'=') {
            found.extend(text.get(start..end).map(str::to_owned));
        }
    }
    found.dedup();
    found
}

/// The values in the input of an action by which it may be called: numbers of four digits and more, addresses, ids, channels.
pub(super) fn marks(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '(' | ')' | '{' | '}' | '\\' | '='));
    words.filter_map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        let is_plain = bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@'));
        // "#it-notices" is a channel, and "#7" too little to be known by.
        let is_channel = word.starts_with('#') && bare.contains(char::is_alphabetic);
        // The version of what is spoken of stands in many texts.
        let is_version = bare.matches('.').count() >= 2 && bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let is_mark = is_plain && bare.len() <= LONG && !is_version && (digits >= 3 || bare.contains('@') || is_channel);
        (is_mark && bare.len() >= SHORT).then_some(bare)
    })
}

/// How people call the requests and issues to which the addresses in a text lead: "#482", "PR 482".
pub(super) fn requests(text: &str) -> impl Iterator<Item = String> {
    const PLACES: [&str; 4] = ["/pull/", "/pulls/", "/issues/", "/merge_requests/"];
    let numbers = PLACES.iter().flat_map(|place| text.split(place).skip(1)).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).filter(|number| !number.is_empty())
    });
    numbers.flat_map(|number| {
        ["#", "!", "PR ", "PR #", "pull request ", "pull request #", "issue "].map(|word| format!("{word}{number}"))
    })
}

/// A mark that nobody would repeat.
const LONG: usize = 64;

/// The paths of files in the input of an action.
pub(super) fn paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\' | '='));
    words.filter(|word| word.len() >= SHORT && word.contains('/') && word.rsplit('/').next().is_some_and(|end| end.contains('.')))
}

/// The value that stands in a text where another one stood: of the same kind, alike, or with the same word beside it.
pub(super) fn sibling<'t>(value: &str, text: &'t str) -> Option<&'t str> {
    let others = words(text);
    if others.iter().any(|other| other.eq_ignore_ascii_case(value)) {
        return None;
    }
    others.into_iter().find(|other| is_alike(value, other))
}

/// Whether a text has a value, as it is spelled, as the command that it is (what calls "/build" is "build" to others), or as the words
/// that it is made of.
pub(super) fn stands(value: &str, text: &str) -> bool {
    let is_command = || value.strip_prefix('/').is_some_and(|bare| !bare.contains('/') && is_spelled(bare, text));
    is_spelled(value, text) || is_command() || has_words(value, text)
}

/// Whether a text has the words of a name that is made of words: "cut-over", "Cut-over", "mass erase".
pub(super) fn has_words(value: &str, text: &str) -> bool {
    let is_of_words = value.contains('-') && value.chars().all(|c| c.is_alphabetic() || c == '-');
    let plain = |text: &str| text.to_lowercase().replace('-', " ");
    is_of_words && plain(text).contains(&plain(value))
}

/// The first value of one text that a second one gives otherwise: the old one and the new one.
pub(super) fn replaced<'o, 't>(own: &'o str, text: &'t str) -> Option<(&'o str, &'t str)> {
    let own: Vec<Spelt<'_>> = spelled(own).collect();
    let mut gone = own.iter().filter(|at| at.is_value() && !stands(at.word, text)).peekable();
    gone.peek()?;
    let others: Vec<Spelt<'_>> = spelled(text).collect();
    gone.find_map(|value| {
        let is_other = |other: &&Spelt<'_>| {
            let is_beside = || {
                let is_one = |own: &str, other: &str| !own.is_empty() && alike(own, other);
                is_one(value.after, other.after) || is_one(value.before, other.before)
            };
            let is_near = |at: &Spelt<'_>| alike(at.before, other.before) || alike(at.after, other.after);
            let is_old = || own.iter().any(|at| at.word == other.word && (other.shape != Shape::Number || is_near(at)));
            let is_one = match value.shape {
                Shape::Number | Shape::Month | Shape::Capitals => other.shape == value.shape && is_beside(),
                Shape::Name => is_alike(value.word, other.word) || (other.shape == Shape::Name && is_beside()),
                Shape::Word => false,
            };
            is_one && !is_old()
        };
        others.iter().find(is_other).map(|other| (value.word, other.word))
    })
}

/// Whether two ids of one length differ in a character or two: `HS-2210` and `HS-2201`.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let differ = one.chars().zip(other.chars()).filter(|(a, b)| a != b).count();
    let is_id = |value: &str| value.len() >= SHORT && value.bytes().any(|byte| byte.is_ascii_digit());
    one.len() == other.len() && is_id(one) && is_id(other) && (1..=2).contains(&differ)
}

/// A value with what it counts, as a text has it: "5 percent"; alone where it is a name, or longer.
pub(super) fn counted<'t>(value: &'t str, text: &'t str) -> &'t str {
    let is_short = value.len() <= 2 && value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_short {
        return value;
    }
    let Some(at) = place_of(value, text) else { return value };
    let end = at + value.len();
    let rest = text.get(end..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    let word = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().map_or(0, str::len);
    text.get(at..end + gap + word).map_or(value, str::trim_end)
}

/// A value behind the word before it: "page 4".
pub(super) fn labelled<'t>(value: &'t str, text: &'t str) -> &'t str {
    let before = place_of(value, text).and_then(|at| text.get(..at + value.len()));
    let from = before.and_then(|before| before.trim_end_matches(value).trim_end().rfind(' '));
    before.and_then(|before| before.get(from.map_or(0, |at| at + 1)..)).unwrap_or(value)
}

/// Where a value stands as a word of its own.
fn place_of(value: &str, text: &str) -> Option<usize> {
    text.match_indices(value).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '.')
    })
}

/// The only value of one text and the only one of a second, where they are two of one sort.
pub(super) fn sole<'o, 't>(own: &'o str, text: &'t str) -> Option<(&'o str, &'t str)> {
    fn only(text: &str) -> Option<&str> {
        let mut values = self::own(text);
        values.next().filter(|_| values.next().is_none())
    }
    let (own, other) = (only(own)?, only(text)?);
    // "Force-pushing" is no other value than "force-push".
    let is_plain = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '-') && shape(word) == Shape::Name;
    (shape(own) == shape(other) && !stands(own, text) && !is_plain(own)).then_some((own, other))
}

/// Whether a value stands in a text as a word, or inside of one behind a mark.
pub(super) fn is_spelled(value: &str, text: &str) -> bool {
    let is_end = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_dot = |rest: &str| rest.starts_with('.') && !rest.get(1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    // Most values stand nowhere in most texts.
    text.contains(value)
        && text.match_indices(value).any(|(at, _)| {
            let rest = text.get(at + value.len()..).unwrap_or_default();
            is_end(text.get(..at).and_then(|before| before.chars().next_back())) && (is_end(rest.chars().next()) || is_dot(rest))
        })
}

/// The values of a text.
pub(super) fn own(text: &str) -> impl Iterator<Item = &str> {
    spelled(text).filter(Spelt::is_value).map(|at| at.word)
}

/// The words of a text that can be values, wherever they stand.
pub(super) fn possible(text: &str) -> impl Iterator<Item = &str> {
    spelled(text).filter(|at| at.shape != Shape::Word).map(|at| at.word)
}

/// A word as it is written.
#[derive(Clone, Copy)]
struct Spelt<'t> {
    word: &'t str,
    /// The word before it, and the one after it; empty where there is none.
    before: &'t str,
    after: &'t str,
    shape: Shape,
}

impl Spelt<'_> {
    /// Whether it is a value where it stands: a month is one beside a day or a year.
    fn is_value(&self) -> bool {
        let is_number = |word: &str| shape(word) == Shape::Number;
        match self.shape {
            Shape::Word => false,
            Shape::Month => is_number(self.before) || is_number(self.after),
            Shape::Number | Shape::Capitals | Shape::Name => true,
        }
    }
}

/// The words of a text, but those that were cut: such a one is no value.
fn words(text: &str) -> Vec<&str> {
    let is_cut = |text: &str| text.contains("...") || text.contains('…');
    let is_any_cut = is_cut(text);
    let is_whole = |word: &&str| !is_any_cut || !is_cut(word);
    text.split_whitespace().filter(is_whole).map(bare).filter(|word| !word.is_empty()).collect()
}

/// The same with what stands beside each.
fn spelled(text: &str) -> impl Iterator<Item = Spelt<'_>> {
    let words = words(text);
    (0..words.len()).map(move |n| {
        let beside = |n: Option<usize>| n.and_then(|n| words.get(n)).copied().unwrap_or_default();
        let word = beside(Some(n));
        Spelt { word, before: beside(n.checked_sub(1)), after: beside(Some(n + 1)), shape: shape(word) }
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '%' | '~')).trim_end_matches('/')
}

/// What a word looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Number,
    Month,
    Capitals,
    Name,
    Word,
}

/// The months as they are written beside a day.
static MONTHS: WordSet<128> = WordSet::new(&[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Januar",
    "Februar",
    "März",
    "Mai",
    "Juni",
    "Juli",
    "Oktober",
    "Dezember",
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]);

fn shape(word: &str) -> Shape {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_plain = || word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%'));
    // "3e-4".
    let is_numeric = || is_plain() || (word.contains("e-") && word.parse::<f64>().is_ok());
    let is_capital = || word.len() >= 3 && word.chars().all(char::is_uppercase);
    match () {
        () if has_digit && is_numeric() => Shape::Number,
        () if MONTHS.has(word) => Shape::Month,
        () if is_capital() => Shape::Capitals,
        () if has_digit || word.contains(['_', '/', '@', ':', '\\', '-', '.']) => Shape::Name,
        () => Shape::Word,
    }
}

fn alike(one: &str, other: &str) -> bool {
    let plain = |word: &str| word.trim_end_matches('s').to_lowercase();
    plain(one) == plain(other)
}

/// The shortest part of a name that is called by it.
const PART: usize = 3;

/// Whether two names begin alike or end alike, and are two.
fn is_alike(one: &str, other: &str) -> bool {
    let prefix = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let suffix = one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
    let least = one.len().min(other.len());
    let is_part = least >= PART && (prefix == least || suffix == least);
    let is_pair = || shape(one) == Shape::Name && (shape(other) == Shape::Name || is_part);
    one != other && (least >= SHORT || is_part) && prefix.max(suffix) * 2 >= least && is_pair()
}

/// A value without the marks between its letters and digits, in small letters: "PR #68" and "PR#68" are one.
pub(super) fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_ascii() { out.push(c.to_ascii_lowercase()) } else { out.extend(c.to_lowercase()) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_called_by_its_number() {
        let shown: Vec<String> = requests("https://github.com/guild/game/pull/92 and /issues/").collect();
        assert!(shown.contains(&"#92".to_owned()) && shown.contains(&"PR 92".to_owned()), "{shown:?}");
        assert_eq!(requests("https://github.com/guild/game/tree/92").count(), 0);
    }

    #[test]
    fn a_command_is_called_by_its_name() {
        let asked = "/build-feature mode: drain";
        assert_eq!(replaced(asked, "The `build-feature` skill was invoked with `mode: drain`"), None);
        assert_eq!(replaced(asked, "The `/build-fixture` skill was invoked"), Some(("/build-feature", "/build-fixture")));
        assert_eq!(sole(asked, "The `build-feature` skill was invoked"), None);
        assert_eq!(sole(asked, "The `/build-fixture` skill was invoked"), Some(("/build-feature", "/build-fixture")));
    }

    #[test]
    fn numbers_are_values_where_they_stand_alone() {
        assert_eq!(numbers("batch=7, 250 rows, v2.1, PR #12, line-40, 85%"), ["7", "250", "85"]);
    }
}
