//! Drift: how a name stands that does not stand in full.

use crate::audit::values::{SHORT, is_name};
use crate::ledger::identifiers::identifiers;

/// How a value stands that does not stand in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drift {
    /// Only its end stands: a base name, a path without its beginning.
    Shortened,
    /// Something like it stands.
    Changed,
}

/// How a name stands in a text that does not hold it in full, if something like it does.
pub(super) fn drift(name: &str, text: &str) -> Option<Drift> {
    let spelled = identifiers(text).into_iter().filter_map(|found| text.get(found.range));
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut changed = None;
    for other in spelled.chain(words).filter(|other| other.len() >= SHORT && *other != name) {
        if is_end(name, other) {
            return Some(Drift::Shortened);
        }
        if is_like(name, other) {
            changed = Some(Drift::Changed);
        }
    }
    changed
}

/// Whether one name is the end of another: `parser.py` of `src/parser.py`.
fn is_end(name: &str, other: &str) -> bool {
    // "/build" is the command that others call "build"; and "4.2.0rc1" says which "larkspur-4.2.0rc1" is meant.
    let is_version = other.starts_with(|c: char| c.is_ascii_digit()) && other.contains('.');
    let name = name.trim_end_matches('*');
    let is_numbered = || name.strip_suffix(other).is_some_and(|rest| rest.ends_with(['-', '_', '@', 'v']));
    (is_version && is_numbered())
        || name.strip_suffix(other).is_some_and(|rest| rest.len() > 1 && rest.ends_with(['/', '\\', ':', '.', '#']))
}

/// Whether two names share most of their parts, as `src/legacy/parser_v2.py` and `parser.py` do in their ends.
fn is_like(name: &str, other: &str) -> bool {
    // Who writes at the same house is somebody else.
    let receiver = |name: &str| name.split_once('@').map(|(who, _)| who.to_lowercase());
    let are_two = receiver(name).zip(receiver(other)).is_some_and(|(one, other)| !one.contains(&other) && !other.contains(&one));
    if !is_name(other) || are_two {
        return false;
    }
    let (own, others) = (end_parts(name), end_parts(other));
    let shared = own.iter().filter(|part| others.contains(part)).count();
    let is_file = |parts: &[String]| parts.len() >= 2;
    is_file(&own) && is_file(&others) && own.last() == others.last() && shared * 2 >= own.len().max(others.len()) && own != others
}

/// The parts of the last component of a name, in small letters: `parser_v2.py` is parser, v2, py.
fn end_parts(name: &str) -> Vec<String> {
    let end = name.rsplit(['/', '\\']).next().unwrap_or(name);
    end.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_cut_or_changed_has_drifted() {
        let name = "src/legacy/parser_v2.py";
        for (text, expected) in [
            ("The date bug is in parser.py.", Some(Drift::Changed)),
            ("Fix `parser_v2.py` first", Some(Drift::Shortened)),
            ("legacy/parser_v2.py has a bug", Some(Drift::Shortened)),
            ("Fix the date bug in the parser", None),
            ("main.py was edited", None),
        ] {
            assert_eq!(drift(name, text), expected, "{text}");
        }
        assert_eq!(drift("release/2.4", "the branch is main"), None);
    }
}
