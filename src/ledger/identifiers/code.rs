//! What stands in backticks is one value, whatever it looks like; what it is, its only token may say.

use std::ops::Range;

use super::classify;
use super::kind::IdentifierKind;
use super::tokens::Token;

/// What a text in backticks is.
pub(super) fn kind(text: &str, range: &Range<usize>) -> IdentifierKind {
    let token = Token::at(range.clone());
    let is_one = text.get(range.clone()).is_some_and(|text| !text.contains(' '));
    let whole = classify::identifier(text, &token).filter(|found| is_one && found.range == *range);
    whole.map_or(IdentifierKind::Code, |found| found.kind)
}
