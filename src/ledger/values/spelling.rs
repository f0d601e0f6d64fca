//! The spellings of one value: with its line or without, from the root or from a folder on, and shortened.

use crate::base::hash::Hash64;
use crate::base::words::WordSet;
use crate::ledger::identifiers::IdentifierKind;

/// How many hexadecimal digits at the least name a commit, or an id that begins with them.
const SHORT_HEX: usize = 7;

/// Names of files that stand in many folders, and of places that everybody knows.
#[rustfmt::skip]
static COMMON: WordSet<128> = WordSet::new(&[
    "__init__", "__main__", "agents", "app", "build", "cargo", "changelog", "claude", "conftest", "config", "dev", "dockerfile",
    "env", "example", "gitignore", "go", "head", "index", "init", "layout", "lib", "license", "localhost", "main", "makefile",
    "master", "mod", "node_modules", "origin", "output", "package", "package-lock", "page", "pnpm-lock", "pyproject", "readme",
    "requirements", "route", "schema", "setup", "src", "styles", "test", "tests", "tmp", "tsconfig", "types", "utils", "yarn",
]);

/// A word without what says nothing of the value: a line (`:12`), where it starts (`/`, `./`, `a/` of a diff), what ends a sentence,
/// what is asked of a URL.
#[must_use]
pub fn cut(word: &str) -> &str {
    let word = trim_end(word);
    let bytes = word.as_bytes();
    // Words are short: a plain loop is over before a search has begun.
    let Some(colon) = bytes.iter().position(|byte| *byte == b':') else { return from_folder(word) };
    if bytes.get(colon + 1..colon + 3) == Some(b"//") {
        let asks = bytes.iter().position(|byte| matches!(byte, b'?' | b'#'));
        let end = asks.filter(|end| *end > colon).unwrap_or(word.len());
        return trim_end(word.get(..end).unwrap_or(word));
    }
    let is_line = |pair: &[u8]| matches!(pair, [b':', digit] if digit.is_ascii_digit());
    let line = bytes.get(colon..).and_then(|rest| rest.windows(2).position(is_line)).map(|at| colon + at);
    from_folder(word.get(..line.unwrap_or(word.len())).unwrap_or(word))
}

/// A word without what ends a sentence, or a folder.
fn trim_end(word: &str) -> &str {
    let ends = |byte: &&u8| matches!(byte, b'.' | b':' | b'-' | b'/' | b',');
    let trailing = word.as_bytes().iter().rev().take_while(ends).count();
    word.get(..word.len() - trailing).unwrap_or(word)
}

/// A path without where it starts.
fn from_folder(path: &str) -> &str {
    let mut path = path;
    loop {
        let is_diff = path.len() > 4;
        path = match path.as_bytes() {
            [b'/' | b'~' | b'-' | b':', ..] => path.get(1..).unwrap_or(path),
            [b'.', b'/', ..] => path.get(2..).unwrap_or(path),
            [b'.', b'.', b'/', ..] => path.get(3..).unwrap_or(path),
            [b'a' | b'b', b'/', ..] if is_diff => return path.get(2..).unwrap_or(path),
            _ => return path,
        };
    }
}

/// What stands behind the `:` of a word that was cut there, if it may be a port.
pub(super) fn port(word: &str) -> Option<&str> {
    let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, port) = word.split_at_checked(word.len() - digits)?;
    ((4..=5).contains(&digits) && before.ends_with(':')).then_some(port)
}

/// The number by which a spelling is looked up; never 0.
pub(super) fn hash(word: &str) -> u32 {
    (Hash64::of(word.as_bytes()).0 as u32).max(1)
}

/// The number that all spellings of a value share: of a path that of its last two names, of a commit that of its first digits.
#[must_use]
pub fn family(word: &str) -> u32 {
    hash(shared(word))
}

/// The number of a spelling, and that of its family.
pub(super) fn numbers(word: &str) -> (u32, u32) {
    let (own, shared) = (hash(word), shared(word));
    (own, if shared.len() == word.len() { own } else { hash(shared) })
}

/// The part of a spelling that all of a value share.
fn shared(word: &str) -> &str {
    let Some(base) = slash_before(word, word.len()) else { return head(word).unwrap_or(word) };
    slash_before(word, base).and_then(|at| word.get(at + 1..)).unwrap_or(word)
}

/// The last slash before `end`.
fn slash_before(path: &str, end: usize) -> Option<usize> {
    path.as_bytes().get(..end)?.iter().rposition(|byte| *byte == b'/')
}

/// The ends of a path that still name it, the shortest first: `legacy/a.py`, `src/legacy/a.py`.
pub fn ends(path: &str) -> impl Iterator<Item = &str> {
    let base = slash_before(path, path.len());
    let inner = std::iter::successors(base.and_then(|base| slash_before(path, base)), |at| slash_before(path, *at));
    inner.filter_map(|at| path.get(at + 1..)).chain(base.map(|_| path))
}

/// The form under which a value is known for short: the last name of a path, where it names a file and says which; the first digits
/// of a commit, or of an id; the digits in which an id ends.
pub(super) fn short(word: &str, kind: IdentifierKind) -> Option<&str> {
    match kind {
        IdentifierKind::Path => word.rsplit_once('/').map(|(_, base)| base).filter(|base| base.contains('.') && !is_common(base)),
        IdentifierKind::Sha | IdentifierKind::Id => match head(word) {
            Some(head) => Some(head).filter(|head| head.len() < word.len()),
            None => word.rsplit_once(['-', '_']).map(|(_, end)| end).filter(|end| head(end).is_some()),
        },
        _ => None,
    }
}

/// Whether a name is that of a file in many folders: it says nothing without its folder.
pub(super) fn is_common(name: &str) -> bool {
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
    COMMON.has_any_case(stem)
}

/// How a word relates to a value; both are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is the value, or a spelling that says as much.
    Same,
    /// It is the beginning of it.
    Shortened,
    /// It is something else.
    Other,
}

/// How `word` relates to `value`.
#[must_use]
pub fn relation(word: &str, value: &str) -> Relation {
    if is_same(word, value) {
        return Relation::Same;
    }
    match head(value) {
        Some(_) if word.starts_with(value) => Relation::Same,
        Some(_) if word.len() >= SHORT_HEX && value.starts_with(word) => Relation::Shortened,
        _ => Relation::Other,
    }
}

/// Whether two words spell one value, at the most from different folders.
#[must_use]
pub fn is_same(word: &str, value: &str) -> bool {
    word == value || is_end(word, value) || is_end(value, word)
}

/// Whether `short` is `long` from one of its folders on.
fn is_end(short: &str, long: &str) -> bool {
    // Nearly all are out by the one byte before it.
    let start = long.len().checked_sub(short.len() + 1);
    start.is_some_and(|at| long.as_bytes().get(at) == Some(&b'/')) && long.ends_with(short) && short.contains('/')
}

/// The first digits of a word that is hexadecimal, or whose first group is.
fn head(word: &str) -> Option<&str> {
    let digits = word.bytes().take_while(u8::is_ascii_hexdigit).count();
    let is_hex = digits == word.len() && digits <= 40 || (digits == 8 && word.as_bytes().get(8) == Some(&b'-'));
    let head = word.get(..SHORT_HEX)?;
    (is_hex && digits >= SHORT_HEX && word.bytes().take(digits).any(|byte| byte.is_ascii_digit())).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::identifiers::IdentifierKind as Kind;

    #[test]
    fn what_says_nothing_of_a_value_is_cut() {
        for (word, value) in [
            ("src/a.rs:12", "src/a.rs"),
            ("src/a.rs:12:use", "src/a.rs"),
            ("./src/a.rs", "src/a.rs"),
            ("../b/src/a.rs", "src/a.rs"),
            ("a/src/a.rs", "src/a.rs"),
            ("/home/u/a.rs.", "home/u/a.rs"),
            ("~/.config/app/", ".config/app"),
            (".env", ".env"),
            ("http://localhost:3000/a/?q=1#x", "http://localhost:3000/a"),
            ("std::fs", "std::fs"),
            ("batch=37", "batch=37"),
            ("localhost:8443", "localhost"),
        ] {
            assert_eq!(cut(word), value, "{word}");
        }
        assert_eq!(port("localhost:8443"), Some("8443"));
    }

    #[test]
    fn spellings_of_a_value_are_one_family() {
        let value = "home/u/src/legacy/parser_v2.py";
        for same in ["src/legacy/parser_v2.py", "legacy/parser_v2.py", "w/home/u/src/legacy/parser_v2.py"] {
            assert_eq!((relation(same, value), family(same)), (Relation::Same, family(value)), "{same}");
        }
        for other in ["parser_v2.py", "new/parser_v2.py", "cy/parser_v2.py"] {
            assert_eq!(relation(other, value), Relation::Other, "{other}");
        }
        assert_eq!(short(value, Kind::Path), Some("parser_v2.py"));
        assert_eq!(short("src/app/mod.rs", Kind::Path), None, "a name of many files");
        assert_eq!(ends("a/b/c").collect::<Vec<_>>(), ["b/c", "a/b/c"]);
        assert_eq!(ends("abc").count(), 0);
    }

    #[test]
    fn a_commit_and_an_id_are_known_by_their_first_digits() {
        let commit = "4f2a91c07be3d5a1908877665544332211ffeedd";
        assert_eq!((relation("4f2a91c0", commit), family("4f2a91c0")), (Relation::Shortened, family(commit)));
        assert_eq!(relation(commit, "4f2a91c"), Relation::Same, "a longer form says more");
        assert_eq!(short(commit, Kind::Sha), Some("4f2a91c"));
        let id = "2f1c9a80-17aa-4f0e-9b1c-aa55bb66cc77";
        assert_eq!((relation("2f1c9a80", id), family("2f1c9a80")), (Relation::Shortened, family(id)));
        assert_eq!(short("deadbeef", Kind::Sha), None, "a word, not a number");
        assert_eq!(short("run-20260914-c04e77b2", Kind::Id), Some("c04e77b2"));
        assert_eq!(short("run-2026-09-14", Kind::Id), None);
    }
}
