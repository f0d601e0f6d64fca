//! Pieces of text with a role: what documents are made of and what views draw.

use std::borrow::Cow;

use super::theme::Role;
use crate::base::text;

/// A piece of a line with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) role: Role,
    pub(crate) text: Cow<'a, str>,
}

impl<'a> Piece<'a> {
    pub(crate) fn new(role: Role, text: impl Into<Cow<'a, str>>) -> Self {
        Self { role, text: text.into() }
    }

    /// A piece with a copy of the text.
    pub(crate) fn owned(role: Role, text: &str) -> Piece<'static> {
        Piece { role, text: Cow::Owned(text.to_owned()) }
    }

    pub(crate) fn width(&self) -> usize {
        text::width(&self.text)
    }
}

/// The cells that a line of pieces takes.
pub(crate) fn width(line: &[Piece<'_>]) -> usize {
    line.iter().map(Piece::width).sum()
}
