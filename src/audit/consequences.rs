//! What a finding cost: the events after its boundary are searched for what went wrong because of it (DESIGN section 8).
//!
//! **Invariant:** nothing that a human asked for after the boundary is a consequence of what the boundary lost.

mod claims;
mod diverged;
mod drifted;
pub(in crate::audit) mod later;
mod order;
mod orphan;
mod prohibited;
mod repeated;
mod shown;
mod speaks;
#[cfg(test)]
mod tests;
mod unperformed;
mod unverified;
mod value;

use crate::audit::consequence::Consequence;
use crate::audit::finding::Finding;

pub(super) use later::Later;
pub(super) use shown::Shown;

/// The consequences of a finding, by place.
pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let searches: [fn(&Finding, &Later<'_>) -> Vec<Consequence>; 9] = [
        repeated::search,
        prohibited::search,
        order::search,
        diverged::search,
        drifted::search,
        unperformed::search,
        claims::search,
        orphan::search,
        unverified::search,
    ];
    let mut found: Vec<Consequence> = searches.into_iter().flat_map(|search| search(finding, later)).collect();
    found.sort_by_key(|consequence| (consequence.event, consequence.class));
    found.dedup();
    found
}
