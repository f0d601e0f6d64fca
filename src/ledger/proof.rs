//! Proof in a result: the exact values by which what was done can be found again. Addresses, commits, ids; nothing is guessed.

use memchr::memmem::{self, Finder};
use serde::Deserialize;

use crate::base::text::prefix;

/// Of a result only this many bytes at its head and at its end are looked at.
const LOOKED_AT: usize = 8 * 1024;
/// At most this many proofs are kept.
const PROOFS: usize = 4;

/// The proofs in the result of something that was done. Each sort of proof has a mark, and most lines have none of them.
pub(super) fn of_result(text: &str) -> Vec<String> {
    let mut proofs = Vec::new();
    for line in looked_at(text) {
        let found = commit(line).or_else(|| url(line)).or_else(|| field(line)).or_else(|| whole_id(line));
        if let Some(found) = found.filter(|found| !proofs.iter().any(|own: &String| own == found)) {
            proofs.push(found.to_owned());
        }
        if proofs.len() == PROOFS {
            break;
        }
    }
    proofs
}

/// The commit that a result says was made, at its head or at its end.
#[must_use]
pub fn of_commit(text: &str) -> Option<&str> {
    looked_at(text).find_map(commit)
}

/// Texts that are looked for in results, each made ready once.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Marks(Vec<Finder<'static>>);

impl From<Vec<String>> for Marks {
    fn from(texts: Vec<String>) -> Self {
        Self(texts.iter().map(|text| Finder::new(text).into_owned()).collect())
    }
}

impl Marks {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them stands at the head or at the end of a result.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        let parts = ends(text);
        self.0.iter().any(|mark| parts.iter().any(|part| mark.find(part.as_bytes()).is_some()))
    }
}

/// The values that stand behind a mark, at the head or at the end of a result, each once.
pub(super) fn behind<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    for line in looked_at(text) {
        let value = line.split_once(mark).map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default());
        found.extend(value.filter(|value| !value.is_empty() && !found.contains(value)));
    }
    found
}

/// The last line of a result that says something.
pub(super) fn last_line(text: &str) -> Option<&str> {
    let [head, tail] = ends(text);
    if tail.is_empty() { head } else { tail }.lines().rev().map(str::trim).find(|line| !line.is_empty())
}

/// Whether two names mean one thing: a number and an address that ends with it, a path and its end, an id and its beginning.
pub(super) fn same_handle(name: &str, other: &str) -> bool {
    fn plain(text: &str) -> &str {
        text.trim_end_matches('/').trim_start_matches("./").trim_start_matches('#')
    }
    let (name, other) = (plain(name), plain(other));
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    let begins = |long: &str, short: &str| short.len() >= 7 && is_hex(long) && long.starts_with(short);
    !name.is_empty()
        && !other.is_empty()
        && (name == other || ends(name, other) || ends(other, name) || begins(name, other) || begins(other, name))
}

/// The head of a result and its end, which do not overlap: a short one is all head.
fn ends(text: &str) -> [&str; 2] {
    let head = prefix(text, LOOKED_AT);
    let mut from = text.len().saturating_sub(LOOKED_AT).max(head.len());
    while !text.is_char_boundary(from) {
        from += 1;
    }
    [head, text.get(from..).unwrap_or_default()]
}

/// The lines at the head of a result and at its end.
fn looked_at(text: &str) -> impl Iterator<Item = &str> {
    ends(text).into_iter().flat_map(str::lines)
}

/// `[main 1a2b3c4] message`: what `git commit` answers.
fn commit(line: &str) -> Option<&str> {
    let inside = line.trim_start().strip_prefix('[')?.split_once(']')?.0;
    let sha = inside.rsplit(' ').next()?;
    (inside.contains(' ') && (7..=40).contains(&sha.len()) && is_hex(sha)).then_some(sha)
}

fn url(line: &str) -> Option<&str> {
    memmem::find(line.as_bytes(), b"://")?;
    let from = line.find("https://").or_else(|| line.find("http://"))?;
    let rest = line.get(from..)?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ')' | '>' | '<' | ',')).unwrap_or(rest.len());
    rest.get(..end).map(|url| url.trim_end_matches('.'))
}

/// `"id": "msg_123"`, `"number": 12`: what an API answers.
fn field(line: &str) -> Option<&str> {
    const NAMES: &[&str] =
        &["\"html_url\":", "\"url\":", "\"number\":", "\"id\":", "\"message_id\":", "\"messageId\":", "\"ts\":", "\"key\":"];
    memmem::find(line.as_bytes(), b"\":")?;
    let behind = NAMES.iter().find_map(|name| line.split_once(name))?.1.trim_start().trim_start_matches('"');
    let end = behind.find(['"', ',', '}', ' ']).unwrap_or(behind.len());
    behind.get(..end).filter(|value| (1..=120).contains(&value.len()) && *value != "null")
}

/// A line that is nothing but an id, as `docker run -d` answers.
fn whole_id(line: &str) -> Option<&str> {
    let line = line.trim();
    ((12..=64).contains(&line.len()) && is_hex(line)).then_some(line)
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_names_what_was_made() {
        for (text, expected) in [
            ("[main 1a2b3c4] Add the lock\n 1 file changed", vec!["1a2b3c4"]),
            ("[feat/x (root-commit) 1a2b3c4d] First", vec!["1a2b3c4d"]),
            ("Creating pull request for x into main\n\nhttps://github.com/o/r/pull/12\n", vec!["https://github.com/o/r/pull/12"]),
            ("{\n  \"id\": \"msg_8\",\n  \"number\": 12\n}", vec!["msg_8", "12"]),
            (
                "9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c",
                vec!["9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c4a1b7d3e9f2c"],
            ),
            ("[1/3] Installing", vec![]),
            ("done", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(of_result(text), expected, "{text}");
        }
    }

    #[test]
    fn one_thing_has_many_names() {
        assert!(same_handle("https://github.com/o/r/pull/12", "12") && same_handle("#12", "12") && same_handle("/w/../wt", "wt"));
        assert!(same_handle("9f2c4a1b7d3e9f2c", "9f2c4a1b7d3e") && same_handle("web", "web"));
        assert!(!same_handle("112", "12") && !same_handle("https://github.com/o/r/pull/112", "12") && !same_handle("", ""));
    }

    #[test]
    fn a_long_result_is_looked_at_where_it_begins_and_ends() {
        let log = format!("{}https://example.org/x/1\n", "ä line of a log\n".repeat(5000));
        assert_eq!(of_result(&log), ["https://example.org/x/1"]);
        assert_eq!(last_line(&log), Some("https://example.org/x/1"));
    }
}
