//! Pieces of text with a role: what documents are made of and what views draw.

use std::borrow::Cow;

use super::theme::{Ink, Role};
use crate::base::text;

/// A piece of a line with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) role: Role,
    pub(crate) text: Cow<'a, str>,
    /// The region of its event's text in which it stands.
    pub(crate) mark: Option<Mark>,
    /// How a tool wanted it to look.
    pub(crate) ink: Ink,
}

/// Which region a piece is of, and how that is underlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) region: u16,
    pub(crate) role: Role,
}

impl Mark {
    /// Of what is marked for another reason than that it is a region.
    pub(crate) const NO_REGION: u16 = u16::MAX;
}

impl<'a> Piece<'a> {
    pub(crate) fn new(role: Role, text: impl Into<Cow<'a, str>>) -> Self {
        Self { role, text: text.into(), mark: None, ink: Ink::default() }
    }

    /// A piece with a copy of the text.
    pub(crate) fn owned(role: Role, text: &str) -> Piece<'static> {
        Piece::new(role, text.to_owned())
    }

    /// A part of it, looking as all of it does.
    pub(crate) fn part(&self, text: &str) -> Piece<'static> {
        Piece { text: Cow::Owned(text.to_owned()), role: self.role, mark: self.mark, ink: self.ink }
    }

    /// The same in a region.
    pub(crate) fn marked(self, mark: Option<Mark>) -> Self {
        Self { mark, ..self }
    }

    /// The same as a tool wanted it to look.
    pub(crate) fn inked(self, ink: Ink) -> Self {
        Self { ink, ..self }
    }

    /// Whether it looks like another one.
    pub(crate) fn looks_like(&self, other: &Piece<'_>) -> bool {
        (self.role, self.mark, self.ink) == (other.role, other.mark, other.ink)
    }

    pub(crate) fn width(&self) -> usize {
        text::width(&self.text)
    }
}

/// The cells that a line of pieces takes.
pub(crate) fn width(line: &[Piece<'_>]) -> usize {
    line.iter().map(Piece::width).sum()
}
