//! A result whose call is not in the context any more.
//!
//! Source: essay 004; incidents "pairing severed" (pi#8667, langchain#38352).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::base::ids::EventIx;
use crate::ledger::anomaly::AnomalyKind;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    if !matches!(finding.class, FindingClass::PairingSevered | FindingClass::ObligationErased) {
        return Vec::new();
    }
    let call = finding.entry.as_ref().and_then(|entry| entry.action.as_ref()?.call);
    let Some(call) = call.and_then(|ix| later.lane.calls.get(ix.index())) else { return Vec::new() };
    let answered = call.end.map(|end| end.event).filter(|event| *event > later.from);
    let is_its = |kind: AnomalyKind| matches!(kind, AnomalyKind::Orphan | AnomalyKind::Late | AnomalyKind::SecondResolution);
    let anomalies = later.lane.anomalies.iter().filter(|anomaly| is_its(anomaly.kind) && anomaly.call.as_ref() == Some(&call.id));
    let shown = anomalies.map(|anomaly| anomaly.event).find(|event| *event > later.from);
    let event: Option<EventIx> = answered.or(shown);
    event.map(|event| later.at(event, ConsequenceClass::Orphan)).into_iter().collect()
}
