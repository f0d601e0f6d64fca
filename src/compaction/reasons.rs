//! Why a verdict is what it is: the entries that stand in the way, worst first, each with what would clear it; and what a policy severs.

use crate::compaction::colour::weight_in;
use crate::compaction::context::Context;
use crate::compaction::demand::Demand;
use crate::compaction::judgement::{Action, Reason, Repair, Severed, Verdict};
use crate::compaction::policy::Policy;
use crate::compaction::range::Range;
use crate::compaction::standing::{Place, Standing};
use crate::ledger::entry::{Entry, EntryKind, Trust, Weight};

/// What stands in the way: barriers, then what must be carried, then what is lost already. Nothing stands in the way of a compaction
/// that may be.
pub(super) fn reasons(context: &Context<'_>, verdict: Verdict, demand: &Demand<'_>, standing: &Standing) -> Vec<Reason> {
    let (mut blocked, mut carried) = (Vec::new(), Vec::new());
    if verdict != Verdict::Compact {
        blocked.clone_from(&demand.blocked);
        carried.clone_from(&demand.carried);
    }
    blocked.sort_by_key(|entry| entry.gravity());
    carried.sort_by_key(|entry| entry.gravity());
    let barriers = blocked.into_iter().map(|entry| reason(context, entry, Weight::Barrier));
    let repairs = carried.into_iter().chain(standing.lost()).map(|entry| reason(context, entry, Weight::Repair));
    barriers.chain(repairs).collect()
}

fn reason(context: &Context<'_>, entry: &Entry, weight: Weight) -> Reason {
    let (lane, at) = (context.lane, context.at.unwrap_or_default());
    let call = entry.action.as_ref().and_then(|action| lane.calls.get(action.call?.index()));
    let repair = match (entry.kind, weight) {
        // A call that only a hook's line tells of gets no result.
        (EntryKind::Call, Weight::Barrier) if call.is_some_and(|call| call.ghost) => Repair::Abandon,
        (EntryKind::Call | EntryKind::Process, Weight::Barrier) => Repair::Wait,
        (EntryKind::Effect | EntryKind::Retry, Weight::Barrier) => Repair::Reconcile,
        (EntryKind::Transaction, _) => Repair::Close,
        (EntryKind::Binding | EntryKind::Reference, _) | (_, Weight::Barrier) => Repair::CoLocate,
        (_, Weight::Repair) => Repair::Carry,
    };
    let look = call.and_then(|call| call.reconcile_with.as_deref().map(str::to_owned));
    let with = match (entry.kind, repair) {
        (_, Repair::Reconcile | Repair::Close) => {
            // What a record says is nearer to the matter than the catalogue.
            let stated = entry.discharge_at(at).needs.first().filter(|_| look.is_none() || entry.trust_at(at) == Trust::Explicit);
            stated.cloned().or(look)
        }
        // A result that never comes, and a doubt that is carried on, are settled by looking all the same.
        (EntryKind::Call, Repair::Wait | Repair::Abandon) | (EntryKind::Effect, Repair::Carry) => look,
        (_, Repair::Wait | Repair::Abandon | Repair::Carry | Repair::CoLocate) => None,
    };
    Reason { entry: entry.id, repair, with }
}

/// What a policy severs: the entries that nothing of the context holds after it.
pub(super) fn severed(
    context: &Context<'_>,
    standing: &Standing,
    range: &Range,
    actions: &[Action],
    policy: &Policy,
) -> Vec<Severed> {
    let severs = |entry: &Entry, places: &[Place]| {
        let taken = |place: &&Place| range.takes(place);
        let barrier = weight_in(context, entry, places, range) == Some(Weight::Barrier);
        let gone = if barrier { places.iter().any(|place| taken(&place)) } else { places.iter().all(|place| taken(&place)) };
        let last = places.iter().filter(taken).max_by_key(|place| place.part).filter(|_| gone)?;
        let span = context.parts.get(last.part)?.span;
        let how = actions.get(last.part).copied().unwrap_or(Action::Dropped);
        Some(Severed { entry: entry.id, how, span, asked: policy.asks_for(entry.kind) })
    };
    standing.held().filter_map(|(entry, places)| severs(entry, places)).collect()
}
