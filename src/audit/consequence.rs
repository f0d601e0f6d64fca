//! What a loss cost: a later event that went wrong because of it.

use crate::base::ids::EventIx;

/// An event after a boundary that went wrong because of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// What went wrong.
    pub class: ConsequenceClass,
    /// The event.
    pub event: EventIx,
    /// Its line.
    pub line: u32,
    /// What it says, on one line.
    pub text: String,
    /// How long after the boundary.
    pub distance: Distance,
}

/// How the consequences of one event are called, each class once.
#[must_use]
pub fn classes(of_one_event: &[Consequence]) -> Vec<ConsequenceClass> {
    let mut classes: Vec<ConsequenceClass> = of_one_event.iter().map(|consequence| consequence.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// How far an event is from the boundary that caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// Events of the lane.
    pub events: u32,
    /// Turns of the lane.
    pub turns: u32,
    /// Whole minutes by the session's own clock; none where a record says no time.
    pub minutes: Option<u32>,
}

/// What may go wrong after a loss (DESIGN section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConsequenceClass {
    /// The same action again.
    RepeatedAction,
    /// An action that was forbidden.
    ProhibitedAction,
    /// An order that was violated, also by running both ends at once.
    OrderViolated,
    /// A read of what was out of date.
    StaleRead,
    /// A value that came out different.
    ValueDiverged,
    /// A drifted identifier that was not found.
    DriftedIdentifierFailed,
    /// A drifted identifier that was created.
    DriftedIdentifierCreated,
    /// Something that was never done.
    NeverPerformed,
    /// A claim that no effect supports.
    UnsupportedClaim,
    /// A result without its call.
    Orphan,
    /// Work that was done again.
    WorkRedone,
    /// Acting on an unknown without looking first.
    ActedUnverified,
}

impl ConsequenceClass {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::RepeatedAction,
        Self::ProhibitedAction,
        Self::OrderViolated,
        Self::StaleRead,
        Self::ValueDiverged,
        Self::DriftedIdentifierFailed,
        Self::DriftedIdentifierCreated,
        Self::NeverPerformed,
        Self::UnsupportedClaim,
        Self::Orphan,
        Self::WorkRedone,
        Self::ActedUnverified,
    ];

    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::RepeatedAction => "repeated-action",
            Self::ProhibitedAction => "prohibited-action",
            Self::OrderViolated => "order-violated",
            Self::StaleRead => "stale-read",
            Self::ValueDiverged => "value-diverged",
            Self::DriftedIdentifierFailed => "drifted-identifier-failed",
            Self::DriftedIdentifierCreated => "drifted-identifier-created",
            Self::NeverPerformed => "never-performed",
            Self::UnsupportedClaim => "unsupported-claim",
            Self::Orphan => "orphan",
            Self::WorkRedone => "work-redone",
            Self::ActedUnverified => "acted-unverified",
        }
    }
}
