//! Where a policy would cut: what it would do to each span of the context, as its runtime does it.
//!
//! One function for each primitive. The simulation is true to the runtime, its lack of a guard included: a span of which a call would
//! be parted from its result is *torn*.

mod keep;
mod mask;
pub(super) mod messages;
mod pairs;
mod rest;
mod tail;
#[cfg(test)]
mod tests;

use crate::base::ids::SpanIx;
use crate::compaction::context::Context;
use crate::compaction::cut::keep::Share;
use crate::compaction::cut::mask::Then;
use crate::compaction::cut::messages::{Kind, Message};
use crate::compaction::expr::Env;
use crate::compaction::judgement::Action;
use crate::compaction::policy::keep::HeadKind;
use crate::compaction::policy::{Does, Policy, Reinjected};
use crate::ledger::rows::EventKind;
use crate::ledger::tokens::of_bytes;

pub(super) use pairs::Torn;

/// What a policy would do to the spans of a context, by their place in it.
#[derive(Debug)]
pub(super) struct Simulation {
    /// What to each.
    pub(super) actions: Vec<Action>,
    /// What of each that is masked would be gone.
    pub(super) taken: Vec<Taken>,
    /// How much of each would be left, in raw tokens.
    pub(super) left: Vec<u32>,
    /// The spans that would be torn.
    pub(super) torn: Vec<Torn>,
}

/// What is gone of something that stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Taken {
    /// At most reasoning.
    #[default]
    Nothing,
    /// Bodies of results.
    Results,
    /// Words of a prompt, of the model, or of what its calls were given.
    Words,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug)]
struct Fate {
    hold: Hold,
    /// What is done to it if it goes.
    gone: Action,
    /// How much of it is left if it stays, in raw tokens.
    left: u32,
    /// What is gone of it if it stays.
    taken: Taken,
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
    let torn = if policy.parts_spans() { pairs::torn(messages, &fates, parts) } else { Vec::new() };
    let mut run = Simulation { actions: vec![Action::Kept; parts], taken: vec![Taken::Nothing; parts], left: vec![0; parts], torn };
    for (message, fate) in messages.iter().zip(&fates) {
        run.add(message, fate);
    }
    run
}

/// What becomes of each message: the primitives in their order.
fn fates(context: &Context<'_>, messages: &[Message], policy: &Policy, env: &Env, cut: Option<SpanIx>) -> Vec<Fate> {
    let by_hand = |message: &Message| cut.is_some_and(|cut| context.parts.get(message.part).is_some_and(|part| part.span >= cut));
    let masked = mask::masked(&policy.mask, messages, env, context.lane, by_hand);
    let seen = &*masked.messages;
    let goes = policy.rest.is_some() && masked.then == Then::GoOn;
    let mut fates: Vec<Fate> = messages
        .iter()
        .zip(seen)
        .map(|(whole, seen)| Fate {
            hold: if by_hand(whole) || !goes { Hold::Tail } else { Hold::No },
            gone: gone(policy),
            left: seen.raw,
            taken: taken(whole, seen),
        })
        .collect();
    keep(policy, seen, env, cut, &mut fates);
    if policy.parts_spans() {
        pairs::drop_halves(policy.pair, messages, &mut fates, context.parts.len());
    }
    if let Some(rest) = &policy.rest {
        rest::unseen(&rest.see, seen, env, &mut fates);
    }
    if rest::is_refused(policy, seen, &fates) {
        hold(&mut fates, 0..seen.len(), Hold::Tail);
    }
    fates
}

/// The primitive `keep`.
fn keep(policy: &Policy, messages: &[Message], env: &Env, cut: Option<SpanIx>, fates: &mut [Fate]) {
    let head = &policy.keep.head;
    let low = keep::head(head, messages);
    hold(fates, 0..low, Hold::Must);
    // Rules files that are put back are as good as kept.
    if head.kinds.contains(&HeadKind::System) || policy.after.contains(&Reinjected::Rules) {
        hold(fates, keep::system(messages), Hold::Must);
    }
    if let Some(roles) = &policy.keep.roles {
        for (n, share) in keep::roles(roles, messages, env) {
            hold(fates, [n], Hold::Must);
            if let Share::Part(raw) = share {
                shorten(fates, n, raw, Taken::Words);
            }
        }
    }
    for pin in &policy.keep.pin {
        hold(fates, keep::pin(*pin, messages), Hold::Must);
    }
    if let (Some(ends), None) = (&policy.keep.ends, cut) {
        let (before, after) = tail::ends(ends, messages, env);
        hold(fates, (0..before).chain(after..messages.len()), Hold::Tail);
    }
    if let (Some(tail), None) = (&policy.keep.tail, cut) {
        let start = tail::start(tail, policy.cut.as_ref(), messages, low, env);
        hold(fates, start..messages.len(), Hold::Tail);
        let most = tail.as_text.map(|characters| of_bytes(EventKind::Resolution, characters));
        for (n, message) in messages.iter().enumerate().skip(start).filter(|(_, message)| message.kind == Kind::Result) {
            if let Some(most) = most.filter(|most| message.raw > *most) {
                shorten(fates, n, most, Taken::Results);
            }
        }
    }
}

fn hold(fates: &mut [Fate], messages: impl IntoIterator<Item = usize>, why: Hold) {
    for n in messages {
        if let Some(fate) = fates.get_mut(n) {
            fate.hold = why.max(fate.hold);
        }
    }
}

fn shorten(fates: &mut [Fate], n: usize, left: u32, taken: Taken) {
    if let Some(fate) = fates.get_mut(n) {
        fate.left = left;
        fate.taken = taken.max(fate.taken);
    }
}

/// What happens to a message that is not kept.
fn gone(policy: &Policy) -> Action {
    match policy.rest.as_ref().map(|rest| rest.does) {
        Some(Does::Summarise | Does::Opaque | Does::Digest) => Action::Summarised,
        Some(Does::Drop) | None => Action::Dropped,
    }
}

/// What of a message its masking took.
fn taken(whole: &Message, seen: &Message) -> Taken {
    let lost = whole.raw - seen.raw;
    match whole.kind {
        _ if lost == whole.thinking - seen.thinking => Taken::Nothing,
        Kind::Result => Taken::Results,
        _ => Taken::Words,
    }
}

impl Simulation {
    /// Joins a message's fate to that of its span: a span of which anything goes is as good as gone.
    fn add(&mut self, message: &Message, fate: &Fate) {
        let n = message.part;
        let (Some(action), Some(taken), Some(left)) = (self.actions.get_mut(n), self.taken.get_mut(n), self.left.get_mut(n)) else {
            return;
        };
        if fate.hold == Hold::No {
            *action = action.worse(fate.gone);
            return;
        }
        *left += fate.left;
        if fate.left < message.raw {
            *action = action.worse(Action::Masked);
            *taken = fate.taken.max(*taken);
        }
    }
}
