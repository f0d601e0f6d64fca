//! Exact values in a text: paths, URLs, ids, SHAs, ports, versions, branches, names (DESIGN section 5).

use std::ops::Range;

/// One exact value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// What it is.
    pub kind: IdentifierKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// The kinds of exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdentifierKind {
    /// A file or folder.
    Path,
    /// A URL.
    Url,
}

/// The exact values of a text, by place, without overlap.
#[must_use]
pub fn identifiers(_text: &str) -> Vec<Identifier> {
    Vec::new()
}
