//! What a finding cost: the events after the boundary are searched for what went wrong because of it, one file a class.

use crate::audit::consequence::Consequence;
use crate::audit::finding::Finding;
use crate::audit::texts::Texts;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::BoundaryRow;

/// The consequences of a finding, by place.
pub(super) fn search(finding: &Finding, boundary: &BoundaryRow, lane: &LaneSnapshot, texts: &dyn Texts) -> Vec<Consequence> {
    _ = (finding, boundary, lane, texts);
    Vec::new()
}
