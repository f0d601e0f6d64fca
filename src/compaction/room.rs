//! How much room there is: pressure, target and need, and what a compaction comes to in tokens.

use crate::compaction::context::Context;
use crate::compaction::cut::messages::{Kind, Message};
use crate::compaction::expr::Env;
use crate::compaction::judgement::{Action, Colour, Pressure, Tokens};
use crate::compaction::policy::{Count, Does, Policy, Threshold};
use crate::compaction::range::Range;

/// What a run must get under, and what stands in for what goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Tokens now.
    pub(super) before: u64,
    /// What the run must get under.
    pub(super) target: u64,
    /// How much must go to get there.
    pub(super) need: u64,
    /// Who set the target.
    pub(super) setter: Setter,
    /// What is put back.
    reinjected: u64,
}

/// Who set a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setter {
    /// Whoever asked, or the policy: it is what must be reached.
    Set,
    /// Nobody: it is what the policy would happen to leave.
    Left,
}

impl Room {
    /// The target is the budget asked for, else the policy's own, else what the policy would leave: what it keeps, what it puts back,
    /// and as much as its summary may have.
    pub(super) fn of(context: &Context<'_>, policy: &Policy, env: &Env, range: &Range, budget: Option<u64>) -> Self {
        let reinjected = if policy.rest.is_some() { policy.size.reinjected } else { 0 };
        let summary = policy.rest.as_ref().and_then(|rest| rest.out.as_ref()?.count(env)).unwrap_or(0).max(policy.size.summary);
        let left = context.tokens.saturating_sub(range.freed()) + reinjected + summary;
        let own = policy.target.as_ref().and_then(|target| target.count(env));
        let (setter, target) = budget.or(own).map_or((Setter::Left, left), |target| (Setter::Set, target));
        Self { before: context.tokens, target, need: context.tokens.saturating_sub(target), setter, reinjected }
    }

    /// Whether the run gets under its target when `range` goes and `carriers` tokens of carriers come. A summary takes what is left
    /// then. Nothing has to fit where nothing has to go.
    pub(super) fn fits(&self, range: &Range, carriers: u64) -> bool {
        let left = self.before.saturating_sub(range.freed()) + self.reinjected + carriers;
        self.need == 0 || left <= self.target
    }
}

/// How hard a policy presses.
pub(super) fn pressure(context: &Context<'_>, messages: &[Message], policy: &Policy, env: &Env) -> Pressure {
    let of_kind = |kind: Kind| messages.iter().filter(|message| message.kind == kind).count() as u64;
    let trigger = &policy.trigger;
    let tokens = match policy.count {
        Count::Usage => context.tokens,
        Count::Estimate => env.tokens as u64,
    };
    let items = || messages.iter().filter(|message| matches!(message.kind, Kind::Assistant | Kind::Result));
    let reached = |at: &Option<Threshold>, now: &dyn Fn() -> u64| at.as_ref().is_some_and(|at| at.is_reached(now(), env));
    let due = reached(&trigger.tokens, &|| tokens)
        || reached(&trigger.messages, &|| messages.len() as u64)
        || reached(&trigger.events, &|| env.events as u64)
        || reached(&trigger.items, &|| items().map(|message| u64::from(message.events)).sum())
        || reached(&trigger.turns, &|| of_kind(Kind::User))
        || reached(&trigger.tool_uses, &|| of_kind(Kind::Result));
    match due {
        _ if reached(&trigger.block, &|| tokens) => Pressure::Critical,
        true => Pressure::Due,
        false => Pressure::None,
    }
}

/// What a compaction comes to that frees `freed` tokens of each span that something is done to: without carriers, with a summary of
/// the policy's usual size.
pub(super) fn outcome(policy: &Policy, before: u64, freed: impl Iterator<Item = (Action, Colour, u64)>) -> Tokens {
    let (mut safe, mut all, mut masked, mut gone) = (0, 0, 0, 0);
    for (action, colour, tokens) in freed {
        match action {
            Action::Kept => continue,
            Action::Masked => masked += tokens,
            Action::Summarised | Action::Dropped => gone += tokens,
        }
        all += tokens;
        safe += if colour == Colour::Opportunity { tokens } else { 0 };
    }
    let stands_in = match policy.rest.as_ref().map(|rest| rest.does) {
        Some(Does::Summarise | Does::Opaque | Does::Digest) => policy.size.summary + policy.size.reinjected,
        Some(Does::Drop) => policy.size.reinjected,
        None => 0,
    };
    // What stands in for a text is never longer than the text; both shares pay for it by their size.
    let stands_in = stands_in.min(gone);
    let net = masked + gone - stands_in;
    let reclaimed_safely = (u128::from(net) * u128::from(safe) / u128::from(all.max(1))) as u64;
    let after = before.saturating_sub(net);
    Tokens { before, after, stands_in, reclaimed_safely, at_risk: before - after - reclaimed_safely, ..Tokens::default() }
}
