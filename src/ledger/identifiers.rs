//! Exact values in a text: paths, URLs, ids, SHAs, ports, versions, flags, names (DESIGN section 5).
//!
//! One pass over the bytes, by hand: no pattern can hang on a line of base64. A value is its own text and nothing around it: quotes,
//! brackets, emphasis and the full stop that ends a sentence are left outside.

mod classify;
mod code;
mod hyphens;
mod kind;
mod numbers;
mod paths;
mod prose;
mod runs;
mod spoken;
mod symbols;
#[cfg(test)]
mod tests;
mod tokens;

use std::ops::Range;

pub use kind::IdentifierKind;
pub use spoken::spoken;

pub(super) use paths::without_line;
use tokens::{Cut, Tokens};

/// One exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// What it is.
    pub kind: IdentifierKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The exact values of a text, as they are written, by place.
#[must_use]
pub fn exact_values(text: &str) -> Vec<String> {
    identifiers(text).into_iter().filter_map(|found| text.get(found.range)).map(str::to_owned).collect()
}

/// The exact values of a text that show it by their own form, by place, without overlap: what the ledger may bind by.
#[must_use]
pub fn identifiers(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    find(text, &mut found);
    found
}

/// Adds the exact values of a text to those that were found in others.
pub(super) fn find(text: &str, found: &mut Vec<Identifier>) {
    let mut tokens = Tokens::new(text);
    let wide = tokens.is_wide();
    while let Some(cut) = tokens.next() {
        let identifier = match &cut {
            Cut::Code(range) => Some(Identifier { kind: code::kind(text, range), range: range.clone() }),
            Cut::Token(token) => runs::url(text, token)
                .or_else(|| runs::windows_path(text, token))
                .or_else(|| runs::variable(text, token))
                .or_else(|| classify::identifier(text, token))
                .or_else(|| runs::numbered(text, token))
                .or_else(|| runs::measured(text, token))
                .or_else(|| if wide { runs::latin(text, token) } else { None }),
        };
        match (identifier, cut) {
            (Some(identifier), _) => {
                tokens.skip_to(identifier.range.end);
                found.push(identifier);
            }
            (None, Cut::Token(token)) => tokens.split(&token),
            (None, Cut::Code(_)) => {}
        }
    }
}
