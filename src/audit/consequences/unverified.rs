//! Acting on an unknown without looking first, and handing on work that no check has passed.
//!
//! Source: essay 000, "Ambiguous-outcome erasure" and "The boundary is observable"; noise.md, "state that people would call owed".

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::ledger::effects::{Class, observes};
use crate::ledger::entry::{ActionFacts, EntryKind};
use crate::ledger::rows::CallRow;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let Some(entry) = &finding.entry else { return Vec::new() };
    let acted = match (finding.class, entry.kind) {
        (_, EntryKind::Unverified) => later.calls().take_while(|call| call.class != Class::Check).find(|call| hands_on(call)),
        (FindingClass::AmbiguousOutcomeErasure | FindingClass::ObligationErased | FindingClass::BindingSevered, _) => {
            let Some(action) = &entry.action else { return Vec::new() };
            let looks = |call: &&CallRow| looks_at(call, action, later);
            let relies = |call: &&CallRow| later.does(call, entry);
            later.calls().take_while(|call| !looks(call)).find(relies)
        }
        _ => return Vec::new(),
    };
    acted.map(|call| later.at(call.event, ConsequenceClass::ActedUnverified)).into_iter().collect()
}

/// Whether a call shows what became of an action.
pub(super) fn looks_at(call: &CallRow, action: &ActionFacts, later: &Later<'_>) -> bool {
    let known = action.call.and_then(|ix| later.lane.calls.get(ix.index()));
    observes(call.class, &call.sees, known.and_then(|call| call.world.as_deref()), action.target.as_deref())
}

/// Whether a call gives work out of hand: it is recorded, or leaves this machine.
fn hands_on(call: &CallRow) -> bool {
    call.class == Class::External || call.aftermath.commits()
}
