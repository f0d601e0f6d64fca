//! What the live entries demand of a compaction: which must be carried, which forbid it, and what that comes to.

use crate::compaction::carrier::{self, Carrier};
use crate::compaction::colour::weight_in;
use crate::compaction::context::Context;
use crate::compaction::range::Range;
use crate::compaction::standing::Standing;
use crate::ledger::entry::{Entry, HolderForm, Weight};

/// The entries that are at stake when a range goes, by id.
#[derive(Debug, Default)]
pub(super) struct Demand<'a> {
    /// Those that need a carrier.
    pub(super) carried: Vec<&'a Entry>,
    /// Those that must stay verbatim.
    pub(super) blocked: Vec<&'a Entry>,
}

impl<'a> Demand<'a> {
    /// What `range` puts at stake.
    pub(super) fn of(context: &Context<'_>, standing: &'a Standing, range: &Range) -> Self {
        let mut demand = Self::default();
        for (entry, places) in standing.held().filter(|(_, places)| places.iter().any(|place| range.has(place.part))) {
            match weight_in(context, entry, places, range) {
                Some(Weight::Repair) => demand.carried.push(entry),
                Some(Weight::Barrier) => demand.blocked.push(entry),
                None => {}
            }
        }
        demand
    }

    /// Tokens of the texts alone of all that is at stake: what no compaction can reclaim.
    pub(super) fn floor(&self) -> u64 {
        self.carried.iter().chain(&self.blocked).map(|entry| carrier::floor(entry)).sum()
    }
}

/// What it would save to keep each span of `range`, by its place in the context: tokens of the carriers that would not be needed.
pub(super) fn savings(context: &Context<'_>, standing: &Standing, range: &Range) -> Vec<u64> {
    let mut saved = vec![0; context.parts.len()];
    let at = context.at.unwrap_or_default();
    for (entry, places) in standing.held() {
        if weight_in(context, entry, places, range) != Some(Weight::Repair) {
            continue;
        }
        let exact = places.iter().filter(|place| place.form != HolderForm::Restated && range.takes(place));
        for place in exact {
            if let Some(saved) = saved.get_mut(place.part) {
                *saved += Carrier::of(entry, at).tokens;
            }
        }
    }
    saved
}

/// Tokens of the carriers of `entries`, at the context's moment.
pub(super) fn cost<'a>(context: &Context<'_>, entries: impl IntoIterator<Item = &'a Entry>) -> u64 {
    let at = context.at.unwrap_or_default();
    entries.into_iter().map(|entry| Carrier::of(entry, at).tokens).sum()
}
