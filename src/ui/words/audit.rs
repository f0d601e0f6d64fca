//! The words of the audit: what was lost, how, and what it cost.

use crate::audit::{BoundaryAudit, Consequence, ConsequenceClass, Distance, Fate, Finding, FindingClass, classes};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EntryKind;
use crate::report::audit::{DistanceReport, FatesReport};
use crate::ui::app::{Link, Station, Tie, TiePart};
use crate::ui::words::boundary;

/// The sign of an event with which something began that was lost later.
pub(crate) const CAUSE: &str = "◇";
/// The sign of an event that went wrong because of a loss.
pub(crate) const COST: &str = "◆";

/// What became of what was owed, the fullest first: `9 owed: 5 verbatim, 3 restated, 1 missing`.
pub(crate) fn fates(audit: &BoundaryAudit) -> [String; 2] {
    let fates = FatesReport::of(audit);
    [fates.words(), fates.owed()]
}

/// What a fate means.
pub(crate) fn fate_means(fate: Fate) -> &'static str {
    match fate {
        Fate::Verbatim => "stand word by word",
        Fate::Restated => "stand in other words, with all that matters",
        Fate::Altered => "something that matters is gone or different",
        Fate::Missing => "nothing of them stands",
        Fate::Contradicted => "the opposite stands",
        Fate::Unverifiable => "whether they stand cannot be decided without a model",
        Fate::Unobserved => "what stands cannot be read",
    }
}

/// The name of a class of findings: `negation loss`.
pub(crate) fn finding(class: FindingClass) -> String {
    class.word().replace('-', " ")
}

/// What a class of findings means, for somebody who meets it for the first time.
pub(crate) fn finding_means(class: FindingClass) -> &'static str {
    match class {
        FindingClass::ConfirmationCollapse => "It was open or not begun, and now reads as done.",
        FindingClass::AmbiguousOutcomeErasure => "Nobody knew how it ended, and now it reads as settled.",
        FindingClass::CompletionErasure => "It was done, and is now gone or listed as still to do.",
        FindingClass::ObligationErased => "It was still owed, and nothing mentions it any more.",
        FindingClass::NegationLoss => "It was forbidden, and its \"not\" or its force is gone.",
        FindingClass::ConstraintEvaporation => "It still counted, and nothing says it any more.",
        FindingClass::ConstraintInflation => "A rule stands that nobody gave, or a narrow one was made general.",
        FindingClass::OrderingFlattening => "Both steps stand, and which comes first does not.",
        FindingClass::IdentifierDrift => "An exact name was shortened or changed.",
        FindingClass::CommittedValueLoss => "A confirmed value is gone or different.",
        FindingClass::PairingSevered => "It fell between a call and its result.",
        FindingClass::BindingSevered => "What is kept leans on a value that is not.",
        FindingClass::StaleDirective => "It was settled or lifted, and reads as an order again.",
        FindingClass::AuthorityFabricated => "An approval or order stands that no human gave.",
        FindingClass::PromptLost => "What a human asked stands nowhere any more.",
        FindingClass::BoundaryUnannounced => "Something was taken out, and the model was not told.",
    }
}

/// What a boundary did to what a finding is about, as a step of its chain.
pub(crate) fn hurt(finding: &Finding) -> &'static str {
    match (finding.class, finding.fate) {
        (FindingClass::ConstraintInflation | FindingClass::AuthorityFabricated, _) => "made up",
        (FindingClass::StaleDirective, _) => "revived",
        (FindingClass::PairingSevered | FindingClass::BindingSevered, _) => "severed",
        (FindingClass::BoundaryUnannounced, _) => "masked",
        (_, Some(Fate::Altered)) => "altered",
        (_, Some(Fate::Contradicted)) => "reversed",
        _ => "lost",
    }
}

/// A link of a chain in one word.
pub(crate) fn station_verb(station: &Station<'_>) -> &'static str {
    match station {
        Station::Cause(entry) => match entry.kind {
            EntryKind::Call | EntryKind::Effect | EntryKind::Retry | EntryKind::Process => "called",
            EntryKind::Done => "done",
            kind if kind.is_commitment() => "asked",
            _ => "began",
        },
        Station::Boundary(_) => "lost",
        Station::After => "stands",
        Station::Cost(_) => "then",
    }
}

/// A link of a chain, for the line that says where a key has led.
pub(crate) fn station(lane: &LaneSnapshot, link: &Link<'_>) -> String {
    let said = match &link.station {
        Station::Cause(_) => "where it began".to_owned(),
        Station::Boundary(ix) => boundary(lane, *ix),
        Station::After => "what stands instead".to_owned(),
        Station::Cost(cost) => consequences(cost),
    };
    format!("{said}, line {}", link.line)
}

/// The name of a class of consequences: `prohibited action`.
pub(crate) fn consequence(class: ConsequenceClass) -> String {
    class.word().replace('-', " ")
}

/// All that went wrong in one event: `prohibited action, work redone`.
pub(crate) fn consequences(cost: &[Consequence]) -> String {
    classes(cost).into_iter().map(consequence).collect::<Vec<_>>().join(", ")
}

/// How long after the boundary: `3 turns, 12 min later`.
pub(crate) fn distance(distance: Distance) -> String {
    DistanceReport::of(distance).briefly()
}

/// What an event has to do with a finding: `◇ began here: negation loss, compaction 1`.
pub(crate) fn tie(lane: &LaneSnapshot, tie: Tie) -> String {
    let (at, class) = (boundary(lane, tie.boundary), finding(tie.class));
    match tie.part {
        TiePart::Cause => format!("{CAUSE} began here: {class}, {at}"),
        TiePart::Cost(cost) => format!("{COST} {}: {class}, {at}", consequence(cost)),
    }
}

/// The sign of what an event has to do with a finding.
pub(crate) fn tie_sign(part: TiePart) -> &'static str {
    match part {
        TiePart::Cause => CAUSE,
        TiePart::Cost(_) => COST,
    }
}
