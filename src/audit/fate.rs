//! What became of an entry at a boundary.

/// The fates of an entry that was live before a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// It stands word by word, or in a carrier.
    Verbatim,
    /// It stands in other words that keep its identifiers, polarity, order, status and force.
    Restated,
    /// Something of it stands, and something that matters is gone or different.
    Altered,
    /// Nothing of it stands.
    Missing,
    /// The opposite stands.
    Contradicted,
    /// Whether it stands cannot be decided without a model. Never called kept.
    Unverifiable,
    /// What stands cannot be read: it is encrypted, or was not recorded.
    Unobserved,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Verbatim, Self::Restated, Self::Altered, Self::Missing, Self::Contradicted, Self::Unverifiable, Self::Unobserved];

    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim",
            Self::Restated => "restated",
            Self::Altered => "altered",
            Self::Missing => "missing",
            Self::Contradicted => "contradicted",
            Self::Unverifiable => "unverifiable",
            Self::Unobserved => "unobserved",
        }
    }

    /// Whether the entry is safe: it stands, with everything that matters.
    #[must_use]
    pub fn is_kept(self) -> bool {
        matches!(self, Self::Verbatim | Self::Restated)
    }
}
