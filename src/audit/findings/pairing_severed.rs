//! Pairing severed: the boundary between a call and its resolution (essay 004: the call was told as "configuring the service", its bare
//! result came behind the summary, and the model wrote the file again). The commonest fault in public reports: 31 of 122.
//!
//! High where the call may change the world; low where it only looked.

use std::sync::Arc;

use super::{Loss, cost};
use crate::audit::Passage;
use crate::audit::case::Case;
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::owed::Owed;
use crate::ledger::anomaly::AnomalyKind;
use crate::ledger::effects::Class;
use crate::ledger::entry::{Entry, EntryKind};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.entry.kind != EntryKind::Call || owed.is_held {
        return None;
    }
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()))?;
    let end = call.end.filter(|end| end.event > case.row.event)?;
    let line = case.lane.events.get(end.event.index())?.place.line;
    let label = case.lane.labels.get(end.event.index()).map(ToString::to_string).unwrap_or_default();
    let after = Some(Passage { event: end.event, line, text: label });
    Some(Loss { severity: severity(&owed.entry), fate: Fate::Altered, after })
}

/// Results that stand after the boundary, and whose calls stand nowhere: up to the next boundary.
pub(super) fn orphans(case: &Case<'_>) -> Vec<Finding> {
    let next = case.lane.boundaries.iter().map(|row| row.event).find(|event| *event > case.row.event);
    let is_here = |event| event > case.row.event && next.is_none_or(|next| event < next);
    let orphans = case
        .lane
        .anomalies
        .iter()
        .filter(|anomaly| anomaly.kind == AnomalyKind::Orphan && anomaly.until.is_none() && is_here(anomaly.event));
    let passages = orphans.map(|orphan| Passage {
        event: orphan.event,
        line: orphan.line,
        text: case.lane.labels.get(orphan.event.index()).map(ToString::to_string).unwrap_or_default(),
    });
    passages.map(|passage| Finding::of_passage(FindingClass::PairingSevered, Severity::Medium, passage)).collect()
}

fn severity(entry: &Arc<Entry>) -> Severity {
    match entry.action.as_ref().map(|action| action.class) {
        Some(Class::Read | Class::Check | Class::Control) => Severity::Low,
        _ => cost(entry).max(Severity::Medium),
    }
}
