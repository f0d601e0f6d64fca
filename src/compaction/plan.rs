//! The plan that stands beside a policy's: the same budget, and every barrier respected.

use std::borrow::Cow;

use crate::compaction::demand::{Demand, cost};
use crate::compaction::judgement::{Action, Colour, Plan, Tokens};
use crate::compaction::policy::{Ability, Policy};
use crate::compaction::range::Range;
use crate::compaction::room::outcome;
use crate::compaction::verdict::Proposal;

/// What a runtime could do that can pin single spans and compact an older range.
pub(super) fn plan(proposal: &Proposal<'_>, policy: &Policy) -> Plan {
    let decision = proposal.decide(&[Ability::PinSpans, Ability::CompactOlder]);
    let range = decision.range.unwrap_or_else(|| Cow::Owned(proposal.range.without(|_| true)));
    let demand = Demand::of(proposal.context, proposal.standing, &range);
    let lost: Vec<_> = proposal.standing.lost().collect();
    let spans = |goes: bool| {
        let parts = proposal.context.parts.iter().enumerate().filter(|(n, _)| range.has(*n) == goes);
        parts.map(|(_, part)| part.span).collect()
    };
    let (keep, summarise) = (spans(false), spans(true));
    let carriers = cost(proposal.context, demand.carried.iter().copied().chain(lost.iter().copied()));
    let floor = demand.floor();
    let carry = lost.into_iter().chain(demand.carried).map(|entry| entry.id).collect();
    let tokens = Tokens { carriers, floor, ..outcome(policy, proposal.room.before, freed(&range, proposal.colours)) };
    Plan { verdict: decision.verdict, keep, summarise, carry, tokens }
}

/// What goes with each span of a range.
fn freed<'a>(range: &'a Range, colours: &'a [Colour]) -> impl Iterator<Item = (Action, Colour, u64)> + 'a {
    let colour = |part: usize| colours.get(part).copied().unwrap_or(Colour::Barrier);
    range.iter().map(move |part| (Action::Summarised, colour(part), range.freed_of(part)))
}
