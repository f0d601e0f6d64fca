//! Where a policy would cut: what it would do to each span of the context, as its runtime does it.
//!
//! One function for each primitive. The simulation is true to the runtime, its lack of a guard included: a span of which a call would
//! be parted from its result is *torn*.

mod keep;
mod mask;
pub(super) mod messages;
mod pairs;
mod tail;
#[cfg(test)]
mod tests;

use crate::base::ids::SpanIx;
use crate::compaction::context::Context;
use crate::compaction::cut::keep::Share;
use crate::compaction::cut::messages::Message;
use crate::compaction::expr::Env;
use crate::compaction::judgement::Action;
use crate::compaction::policy::keep::HeadKind;
use crate::compaction::policy::{Does, Policy, Reinjected};

pub(super) use pairs::Torn;

/// What a policy would do to the spans of a context, by their place in it.
#[derive(Debug)]
pub(super) struct Simulation {
    /// What to each.
    pub(super) actions: Vec<Action>,
    /// How much of each would be left, in raw tokens.
    pub(super) left: Vec<u32>,
    /// The spans that would be torn.
    pub(super) torn: Vec<Torn>,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug)]
struct Fate {
    hold: Hold,
    /// How much of it is left if it stays, in raw tokens.
    left: u32,
}

/// Why a message stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hold {
    /// It does not.
    No,
    /// It stands in the tail.
    Tail,
    /// It stays wherever the cut falls.
    Must,
}

/// Runs `policy` over the context's messages. A `cut` by hand takes the place of its tail: everything from that span on stays.
pub(super) fn simulate(context: &Context<'_>, messages: &[Message], policy: &Policy, env: &Env, cut: Option<SpanIx>) -> Simulation {
    let parts = context.parts.len();
    let fates = fates(context, messages, policy, env, cut);
    let (actions, left) = join(policy, messages, &fates, parts);
    let torn = if policy.parts_spans() { pairs::torn(messages, &fates, parts) } else { Vec::new() };
    Simulation { actions, left, torn }
}

/// What becomes of each message: the primitives in their order.
fn fates(context: &Context<'_>, messages: &[Message], policy: &Policy, env: &Env, cut: Option<SpanIx>) -> Vec<Fate> {
    let by_hand = |message: &Message| cut.is_some_and(|cut| context.parts.get(message.part).is_some_and(|part| part.span >= cut));
    let unless_kept = if policy.rest.is_some() { Hold::No } else { Hold::Tail };
    let mut fates: Vec<Fate> = messages
        .iter()
        .map(|message| Fate { hold: if by_hand(message) { Hold::Tail } else { unless_kept }, left: message.raw })
        .collect();
    for n in mask::masked(&policy.mask, messages, env, context.lane) {
        if !messages.get(n).is_some_and(by_hand) {
            shorten(&mut fates, n, 0);
        }
    }
    let head = &policy.keep.head;
    let low = keep::head(head, messages);
    hold(&mut fates, 0..low, Hold::Must);
    // Rules files that are put back are as good as kept.
    if head.kinds.contains(&HeadKind::System) || policy.after.contains(&Reinjected::Rules) {
        hold(&mut fates, keep::system(messages), Hold::Must);
    }
    if let Some(roles) = &policy.keep.roles {
        for (n, share) in keep::roles(roles, messages, env) {
            hold(&mut fates, [n], Hold::Must);
            if let Share::Part(raw) = share {
                shorten(&mut fates, n, raw);
            }
        }
    }
    for pin in &policy.keep.pin {
        hold(&mut fates, keep::pin(*pin, messages), Hold::Must);
    }
    if let (Some(tail), None) = (&policy.keep.tail, cut) {
        let start = tail::start(tail, policy.cut.as_ref(), messages, low, env);
        hold(&mut fates, start..messages.len(), Hold::Tail);
    }
    if policy.parts_spans() {
        pairs::drop_orphans(policy.pair, messages, &mut fates, context.parts.len());
    }
    refrain(policy, &mut fates);
    fates
}

fn hold(fates: &mut [Fate], messages: impl IntoIterator<Item = usize>, why: Hold) {
    for n in messages {
        if let Some(fate) = fates.get_mut(n) {
            fate.hold = why.max(fate.hold);
        }
    }
}

fn shorten(fates: &mut [Fate], n: usize, left: u32) {
    if let Some(fate) = fates.get_mut(n) {
        fate.left = left;
    }
}

/// The primitive `guards`: nothing goes where too little would.
fn refrain(policy: &Policy, fates: &mut [Fate]) {
    let Some(least) = policy.guards.min_progress else { return };
    let gone = fates.iter().filter(|fate| fate.hold == Hold::No).count();
    if (gone as f64) < least * fates.len() as f64 {
        hold(fates, 0..fates.len(), Hold::Tail);
    }
}

/// Joins the fates of messages to those of spans: a span of which anything goes is as good as gone.
fn join(policy: &Policy, messages: &[Message], fates: &[Fate], parts: usize) -> (Vec<Action>, Vec<u32>) {
    let gone = match policy.rest.as_ref().map(|rest| rest.does) {
        Some(Does::Drop) => Action::Dropped,
        Some(Does::Summarise | Does::Opaque | Does::Digest) | None => Action::Summarised,
    };
    let (mut actions, mut left) = (vec![Action::Kept; parts], vec![0u32; parts]);
    for (message, fate) in messages.iter().zip(fates) {
        let (Some(action), Some(left)) = (actions.get_mut(message.part), left.get_mut(message.part)) else { continue };
        if fate.hold == Hold::No {
            *action = gone;
            continue;
        }
        *left += fate.left;
        if fate.left < message.raw && *action == Action::Kept {
            *action = Action::Masked;
        }
    }
    (actions, left)
}
