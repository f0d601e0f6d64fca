//! Exact values that only the words around them make: the `B` of "go with B", the `users` of "fields: users, roles", the quoted
//! `draft`, "10 minutes", `>= 1.2`.
//!
//! They matter to whoever reads what a human said, and they are too weak to bind by: a `B` stands everywhere. So they are found only
//! where somebody asks for them, and never in what tools print.

mod bounds;
mod choices;
mod constants;
mod fields;
mod measures;
mod names;
mod once;
mod words;

use std::ops::Range;

use super::{Identifier, IdentifierKind as Kind, identifiers};
use once::once;
use words::{Word, words};

/// A text, cut for those who look for what its words make a value.
struct Spoken<'t> {
    text: &'t str,
    words: Vec<Word<'t>>,
    /// What was found so far, by place.
    found: Vec<Identifier>,
}

/// The exact values of a text as somebody says it: those of [`identifiers`], and those that the words around them make. By place; in
/// what stands in backticks there may be further ones.
#[must_use]
pub fn spoken(text: &str) -> Vec<Identifier> {
    let mut spoken = Spoken { text, words: words(text), found: identifiers(text) };
    bounds::widen(&mut spoken);
    for find in [
        bounds::versions,
        choices::numbered,
        choices::chosen,
        measures::measured,
        constants::constants,
        fields::fields,
        names::quoted,
        names::labels,
        names::hyphenated,
        names::named,
        names::dotted,
    ] {
        let more = find(&spoken);
        more.into_iter().for_each(|identifier| spoken.add(identifier));
    }
    let inner = inner(text, &spoken.found);
    let mut found = spoken.found;
    found.extend(inner);
    found.sort_by_key(|identifier| (identifier.range.start, std::cmp::Reverse(identifier.range.end)));
    once(text, found)
}

impl Spoken<'_> {
    /// Adds what overlaps nothing that is there.
    fn add(&mut self, identifier: Identifier) {
        let at = self.found.partition_point(|other| other.range.end <= identifier.range.start);
        let is_free = self.found.get(at).is_none_or(|other| other.range.start >= identifier.range.end);
        if is_free && !identifier.range.is_empty() {
            self.found.insert(at, identifier);
        }
    }

    /// Whether something was found that overlaps a range.
    fn is_taken(&self, range: &Range<usize>) -> bool {
        let at = self.found.partition_point(|other| other.range.end <= range.start);
        self.found.get(at).is_some_and(|other| other.range.start < range.end)
    }

    /// The word before the `n`th; empty where there is none, or a clause ends between.
    fn before(&self, n: usize) -> &str {
        n.checked_sub(1).and_then(|n| self.words.get(n)).filter(|word| !word.ends_clause).map_or("", |word| &word.lower)
    }

    /// The word behind the `n`th; empty where there is none, or a clause ends between.
    fn after(&self, n: usize) -> &str {
        let goes_on = self.words.get(n).is_some_and(|word| !word.ends_clause);
        self.words.get(n + 1).filter(|_| goes_on).map_or("", |word| &word.lower)
    }
}

/// What stands in the commands and expressions in backticks: a path, a name with its value.
fn inner(text: &str, found: &[Identifier]) -> Vec<Identifier> {
    let mut inner = Vec::new();
    for code in found.iter().filter(|code| code.kind == Kind::Code) {
        let Some(words) = text.get(code.range.clone()).filter(|words| words.contains(' ')) else { continue };
        let mut own = Spoken { text: words, words: Vec::new(), found: identifiers(words) };
        bounds::widen(&mut own);
        let is_strong = |value: &Identifier| match value.kind {
            Kind::Path => words.get(value.range.clone()).is_some_and(|path| path.trim_matches('/').contains('/')),
            Kind::Url | Kind::Assignment | Kind::Version => true,
            _ => false,
        };
        // A program is not what its command is about.
        for value in own.found.into_iter().filter(|value| value.range.start > 0 && is_strong(value)) {
            inner.push(Identifier { range: value.range.start + code.range.start..value.range.end + code.range.start, ..value });
        }
    }
    inner
}
