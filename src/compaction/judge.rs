//! The judgement on one lane at one moment: what a policy would do to it now, what that would sever, and the verdict.

use std::sync::Arc;

use crate::base::ids::{EventIx, SpanIx};
use crate::compaction::bindings::bindings;
use crate::compaction::colour::{Colours, colours};
use crate::compaction::context::Context;
use crate::compaction::cut::{self, Simulation, messages};
use crate::compaction::demand::{Demand, cost};
use crate::compaction::judgement::{Action, Colour, ContextFacts, Judgement, Pressure, Tokens, Verdict};
use crate::compaction::models::Window;
use crate::compaction::names::live_identifiers;
use crate::compaction::plan::plan;
use crate::compaction::policy::Policy;
use crate::compaction::range::{Range, freed};
use crate::compaction::reasons::{reasons, severed};
use crate::compaction::room::{Room, outcome, pressure};
use crate::compaction::spans::{Row, Spans};
use crate::compaction::standing::{Standing, Strictness};
use crate::compaction::usage::Usage;
use crate::compaction::verdict::{Loss, Proposal};
use crate::ledger::LaneSnapshot;

/// What is asked about a lane.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The moment: the state after this event; none for the end. Nothing that came later is looked at.
    pub at: Option<EventIx>,
    /// Whose compaction.
    pub policy: &'a Policy,
    /// The model's limits.
    pub window: Window,
    /// What the run must get under, in tokens; none for what the policy would get under.
    pub budget: Option<u64>,
    /// The first span that stays, where the cut is moved by hand.
    pub cut: Option<SpanIx>,
    /// Whether settled entries count.
    pub strictness: Strictness,
    /// Whether a compaction is happening, or may come.
    pub urgency: Urgency,
}

/// How hard the budget presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// As the policy's trigger says.
    Measured,
    /// A compaction is forced now.
    Forced,
}

/// Judges a lane. Takes time in proportion to the spans of the context and the live entries, not to the length of the lane.
#[must_use]
pub fn judge(lane: &LaneSnapshot, ask: &Ask<'_>) -> Judgement {
    let policy = ask.policy;
    let context = Context::of(lane, ask.at);
    let messages = if policy.parts_spans() { messages::by_event(&context) } else { messages::by_span(&context) };
    let env = policy.env(ask.window, messages::load(&messages));
    let simulation = cut::simulate(&context, &messages, policy, &env, ask.cut);
    let range = Range::of(&context, &simulation);
    let mut standing = Standing::of(&context, ask.strictness);
    let usage = Usage::of(&context, &standing, &range);
    let (bindings, live_identifiers) = (bindings(&usage), live_identifiers(&usage, &standing));
    standing.add(&context, &bindings);
    let colours = colours(&context, &standing, &range);
    let room = Room::of(&context, policy, &env, &range, ask.budget);
    let pressure = match ask.urgency {
        Urgency::Measured => pressure(&context, &messages, policy, &env),
        Urgency::Forced => Pressure::Critical,
    };
    let loss = if policy.is_lossless() { Loss::Lossless } else { Loss::Lossy };
    let demand = Demand::of(&context, &standing, &range);
    let proposal = Proposal {
        context: &context,
        standing: &standing,
        range: &range,
        demand: &demand,
        colours: &colours.of,
        room,
        pressure,
        loss,
    };
    let decision = proposal.decide(&policy.can);
    let plan = plan(&proposal, policy);
    Judgement {
        at: context.at,
        policy: Arc::clone(&policy.id),
        context: ContextFacts {
            tokens: context.tokens,
            estimated: context.estimated,
            window: ask.window.tokens,
            window_assumed: ask.window.assumed,
            trigger: policy.trigger_tokens(ask.window),
            pressure,
        },
        target: room.target,
        need: room.need,
        cut: ask.cut.map_or_else(|| range.cut(&context), |cut| cut.min(SpanIx::from_index(context.begun))),
        torn: simulation.torn.iter().filter_map(|torn| Some(context.parts.get(torn.part)?.span)).collect(),
        verdict: decision.verdict,
        older: decision.range.filter(|_| decision.verdict == Verdict::Defer).map(|range| range.cut(&context)),
        cannot: decision.cannot,
        unknown: policy.unknown(ask.window),
        reasons: reasons(&context, decision.verdict, &demand, &standing),
        severed: severed(&context, &standing, &range, &simulation.actions, policy),
        lost: standing.lost().map(|entry| entry.id).collect(),
        bindings,
        live_identifiers,
        tokens: tokens(&context, policy, &simulation, &colours, &demand, &standing),
        plan,
        spans: spans(&context, &simulation, colours),
    }
}

/// What the policy's own run comes to.
fn tokens(
    context: &Context<'_>,
    policy: &Policy,
    simulation: &Simulation,
    colours: &Colours,
    demand: &Demand<'_>,
    standing: &Standing,
) -> Tokens {
    let parts = context.parts.iter().zip(&simulation.actions).zip(&simulation.left).zip(&colours.of);
    let freed = parts.map(|(((part, action), left), colour)| (*action, *colour, u64::from(freed(part.tokens, part.raw, *left))));
    let carried = demand.carried.iter().chain(&demand.blocked).copied().chain(standing.lost());
    Tokens { carriers: cost(context, carried), floor: demand.floor(), ..outcome(policy, context.tokens, freed) }
}

fn spans(context: &Context<'_>, simulation: &Simulation, colours: Colours) -> Spans {
    let rows = context.parts.iter().enumerate().map(|(n, part)| Row {
        span: part.span,
        tokens: part.tokens,
        colour: colours.of.get(n).copied().unwrap_or(Colour::Barrier),
        action: simulation.actions.get(n).copied().unwrap_or(Action::Kept),
    });
    Spans::new(context.begun, rows.collect(), &colours.reasons)
}
