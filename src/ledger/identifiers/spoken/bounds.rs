//! Versions with what bounds them (`>= 0.1.0`, `1.1.3+`, `^18.0`), and those of two numbers behind the name of a thing.

use super::words::{Word, is_number};
use super::{Identifier, Kind, Spoken};
use crate::ledger::identifiers::prose;

/// What stands before a version and says which others will do; the longest first.
const MARKS: &[&str] = &[">=", "<=", "==", "~>", "^", "~"];

/// What stands before the name of a thing and its version.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "in", "on", "to", "from", "for", "with", "since", "until", "use", "using", "than", "bump", "upgrade", "pin", "install",
    "requires", "require", "needs", "target", "support", "via", "auf", "mit", "ab", "avec", "sous", "con", "en", "com", "em", "на",
    "с",
];

/// What a number behind is no version of.
#[rustfmt::skip]
const NO_THING: &[&str] = &[
    "about", "only", "roughly", "under", "over", "than", "around", "nearly", "the", "least", "most", "factor", "score", "ratio",
    "average", "line", "and", "below", "above", "exactly", "just", "almost", "up", "down", "its", "their", "another", "chapter",
    "figure", "table", "page",
];

/// What is done to a version, and within how many words it is named.
const UPGRADES: &[&str] = &["bump", "upgrade", "downgrade", "pin", "pinned", "update", "bumped", "upgraded"];
const UPGRADE: usize = 5;

/// Takes what bounds a version in with it.
pub(super) fn widen(spoken: &mut Spoken<'_>) {
    let text = spoken.text;
    for version in spoken.found.iter_mut().filter(|found| found.kind == Kind::Version) {
        version.range.start -= mark(text, version.range.start);
        version.range.end += open_end(text, version.range.end);
    }
}

/// Versions of one or two numbers that their marks make, or the name before them.
pub(super) fn versions(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for (n, word) in spoken.words.iter().enumerate() {
        let Some((major, minor)) = word.text.split_once('.').or(Some((word.text, ""))) else { continue };
        let is_version = is_number(major, 4) && (minor.is_empty() || is_number(minor, 3));
        if !is_version || spoken.is_taken(&word.range) {
            continue;
        }
        let name = spoken.before(n);
        let known = prose::takes_version(name);
        let (mark, open) = (mark(spoken.text, word.range.start), open_end(spoken.text, word.range.end));
        let bounded = (mark > 0 || open > 0) && (known || !minor.is_empty());
        let of_a_thing = !minor.is_empty()
            && name.len() >= 3
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !NO_THING.contains(&name)
            && n.checked_sub(1).is_some_and(|n| BEFORE.contains(&spoken.before(n)));
        let begin = n.saturating_sub(UPGRADE);
        let is_upgrade = |word: &Word<'_>| UPGRADES.contains(&word.lower.as_str());
        let upgraded = !minor.is_empty() && matches!(name, "to" | "at") && spoken.words.iter().take(n).skip(begin).any(is_upgrade);
        if bounded || of_a_thing || upgraded {
            found.push(Identifier { kind: Kind::Version, range: word.range.start - mark..word.range.end + open });
        }
    }
    found
}

/// How many bytes before `start` bound what stands there.
fn mark(text: &str, start: usize) -> usize {
    let Some(before) = text.get(..start) else { return 0 };
    let near = before.strip_suffix(' ').unwrap_or(before);
    let found = MARKS.iter().find(|mark| near.ends_with(**mark) && (mark.len() > 1 || near.len() == before.len()));
    found.map_or(0, |mark| mark.len() + before.len() - near.len())
}

/// The `+` of `1.1.3+`.
fn open_end(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or("");
    let next = rest.get(1..).and_then(|rest| rest.chars().next());
    usize::from(rest.starts_with('+') && next.is_none_or(|c| !c.is_alphanumeric() && c != '+'))
}
