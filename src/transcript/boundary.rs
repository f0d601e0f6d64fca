//! Boundaries: compactions and maskings that happened.

use std::borrow::Cow;

/// A boundary as its record tells it.
#[derive(Clone, Debug)]
pub struct Boundary<'a> {
    /// What was done to the context.
    pub kind: BoundaryKind,
    /// Who asked for it.
    pub trigger: Trigger,
    /// Tokens of the context just before, where the record says it.
    pub tokens_before: Option<u64>,
    /// Tokens of the context just after, where the record says it.
    pub tokens_after: Option<u64>,
    /// What stays in the context verbatim.
    pub kept: Kept<'a>,
    /// The calls whose results the model can no longer see ([`BoundaryKind::Masking`]).
    pub masked: Vec<Cow<'a, str>>,
    /// Bytes of re-injected text that the boundary's own record holds beside the summary and the kept messages.
    pub reinjected_bytes: u64,
}

impl Boundary<'_> {
    /// A boundary of which nothing is known but its kind.
    #[must_use]
    pub fn of(kind: BoundaryKind) -> Self {
        Self {
            kind,
            trigger: Trigger::Unknown,
            tokens_before: None,
            tokens_after: None,
            kept: Kept::Nothing,
            masked: Vec::new(),
            reinjected_bytes: 0,
        }
    }
}

/// What a boundary did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundaryKind {
    /// What stood before is replaced by a summary.
    Summary,
    /// What stood before is gone, and nothing stands in for it.
    Dropped,
    /// Messages stay; the bodies of some results are gone.
    Masking,
    /// The newest turns were taken back; what stood before them stays. No adapter says this: it says
    /// [`Mark::RolledBack`](super::event::Mark::RolledBack).
    Rewound,
}

impl BoundaryKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Dropped => "dropped",
            Self::Masking => "masking",
            Self::Rewound => "rewound",
        }
    }
}

/// Who asked for a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The runtime, by itself.
    Auto,
    /// The human.
    Manual,
    /// The record does not say.
    Unknown,
}

impl Trigger {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
            Self::Unknown => "unknown",
        }
    }
}

/// What of the earlier context stays, verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept<'a> {
    /// Nothing.
    Nothing,
    /// The records of these ids.
    Records(Vec<Cow<'a, str>>),
    /// The user's texts, listed whole. One that was cut on the way is not among them.
    Texts(Vec<Cow<'a, str>>),
    /// The prompts of the context, newest first, as far as they fit in this many tokens. The runtime's rule, where a record does not
    /// list what it kept.
    Prompts {
        /// The most that they may take together, in tokens.
        tokens: u64,
    },
}
