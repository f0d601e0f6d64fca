//! A loss, as somebody on an incident reads it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::audit::consequence::Consequence;
use crate::audit::fate::Fate;
use crate::base::ids::EventIx;
use crate::ledger::entry::Entry;

/// Something that a boundary lost, changed or made up.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of loss.
    pub class: FindingClass,
    /// What it can cost.
    pub severity: Severity,
    /// The entry that was hurt; none where something was made up, or a prompt lost.
    pub entry: Option<Arc<Entry>>,
    /// What became of the entry.
    pub fate: Option<Fate>,
    /// What stood before; none where something was made up.
    pub before: Option<String>,
    /// What stands instead, if anything does.
    pub after: Option<String>,
    /// The event that holds what stands instead.
    pub after_event: Option<EventIx>,
    /// That event's line.
    pub after_line: Option<u32>,
    /// What it cost later.
    pub consequences: Vec<Consequence>,
}

impl Finding {
    /// What it cost, each event once: all that went wrong in it.
    pub fn costs(&self) -> impl Iterator<Item = &[Consequence]> {
        self.consequences.chunk_by(|one, other| one.event == other.event)
    }

    /// Its place among others, the worst first: by what it can cost, of equals those that did cost something.
    #[must_use]
    pub fn gravity(&self) -> (Reverse<Severity>, bool) {
        (Reverse(self.severity), self.consequences.is_empty())
    }
}

/// The kinds of loss (DESIGN section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingClass {
    /// Open or not started before, done after.
    ConfirmationCollapse,
    /// Unknown before, failed or succeeded after.
    AmbiguousOutcomeErasure,
    /// A committed effect is gone, or listed as still to do.
    CompletionErasure,
    /// Something owed that nothing mentions.
    ObligationErased,
    /// A prohibition whose "not" is gone, or whose force is.
    NegationLoss,
    /// A commitment that is not there at all.
    ConstraintEvaporation,
    /// A rule that nobody gave, or a scoped one made general.
    ConstraintInflation,
    /// Both ends are there, and their relation is not.
    OrderingFlattening,
    /// An exact value that was shortened or changed.
    IdentifierDrift,
    /// A confirmed value that is gone or different.
    CommittedValueLoss,
    /// The boundary fell between a call and its resolution.
    PairingSevered,
    /// A value that something retained relies on stands in neither half.
    BindingSevered,
    /// A request that was discharged, or lifted, comes back as live.
    StaleDirective,
    /// An approval, answer or order that no human prompt contains.
    AuthorityFabricated,
    /// A human prompt near the boundary that stands in neither half.
    PromptLost,
    /// Something was masked or replaced, and the model was not told.
    BoundaryUnannounced,
}

impl FindingClass {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::ConfirmationCollapse,
        Self::AmbiguousOutcomeErasure,
        Self::CompletionErasure,
        Self::ObligationErased,
        Self::NegationLoss,
        Self::ConstraintEvaporation,
        Self::ConstraintInflation,
        Self::OrderingFlattening,
        Self::IdentifierDrift,
        Self::CommittedValueLoss,
        Self::PairingSevered,
        Self::BindingSevered,
        Self::StaleDirective,
        Self::AuthorityFabricated,
        Self::PromptLost,
        Self::BoundaryUnannounced,
    ];

    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ConfirmationCollapse => "confirmation-collapse",
            Self::AmbiguousOutcomeErasure => "ambiguous-outcome-erasure",
            Self::CompletionErasure => "completion-erasure",
            Self::ObligationErased => "obligation-erased",
            Self::NegationLoss => "negation-loss",
            Self::ConstraintEvaporation => "constraint-evaporation",
            Self::ConstraintInflation => "constraint-inflation",
            Self::OrderingFlattening => "ordering-flattening",
            Self::IdentifierDrift => "identifier-drift",
            Self::CommittedValueLoss => "committed-value-loss",
            Self::PairingSevered => "pairing-severed",
            Self::BindingSevered => "binding-severed",
            Self::StaleDirective => "stale-directive",
            Self::AuthorityFabricated => "authority-fabricated",
            Self::PromptLost => "prompt-lost",
            Self::BoundaryUnannounced => "boundary-unannounced",
        }
    }
}

/// What a loss can cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Tokens, or a question asked again.
    Low,
    /// Work done again, or left undone.
    Medium,
    /// Harm that cannot be taken back: an effect that is not idempotent done twice, something forbidden done.
    High,
}

impl Severity {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
