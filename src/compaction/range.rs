//! What is in range of a compaction: the spans of the context that would go, and what that frees.

use crate::base::ids::SpanIx;
use crate::compaction::context::{Context, Part};
use crate::compaction::cut::{Hold, Simulation, Taken};
use crate::compaction::judgement::Action;
use crate::compaction::standing::{HeldBy, Place};
use crate::ledger::rows::BoundaryRow;

/// The spans that would go. No call in it is parted from its result.
#[derive(Clone, Debug)]
pub(super) struct Range {
    parts: Vec<Going>,
    freed: u64,
}

/// How much of a span goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    Nothing,
    /// Its reasoning, which holds no entry; so many tokens.
    Thinking(u32),
    /// The bodies of its results; so many tokens.
    Results(u32),
    /// All of it, or its middle; so many tokens.
    All(u32),
}

impl Range {
    /// What a policy would take, moved so that it tears no span: over the results that would stay in its tail; never into what it must
    /// keep.
    pub(super) fn of(context: &Context<'_>, simulation: &Simulation) -> Self {
        let of = simulation.actions.iter().zip(&simulation.taken).zip(&simulation.left);
        let going = context.parts.iter().zip(of).map(|(part, ((action, taken), left))| {
            let freed = freed(part.tokens, part.raw, *left);
            match (action, taken) {
                (Action::Kept, _) => Going::Nothing,
                (Action::Masked, Taken::Nothing) => Going::Thinking(freed),
                (Action::Masked, Taken::Results) => Going::Results(freed),
                (Action::Masked, Taken::Words) => Going::All(freed),
                (Action::Summarised | Action::Dropped, _) => Going::All(part.tokens),
            }
        });
        let parts: Vec<Going> = going.collect();
        let mut range = Self { freed: parts.iter().map(|going| going.tokens()).sum(), parts };
        for torn in simulation.torn.iter().filter(|torn| torn.stays == Hold::Must) {
            range.spare(torn.part);
        }
        range
    }

    /// What a compaction that happened took: all that it did not keep.
    pub(super) fn of_boundary(context: &Context<'_>, boundary: &BoundaryRow) -> Self {
        let going = |part: &Part| if boundary.kept.contains(&part.span) { Going::Nothing } else { Going::All(part.tokens) };
        let parts: Vec<Going> = context.parts.iter().map(going).collect();
        Self { freed: parts.iter().map(|going| going.tokens()).sum(), parts }
    }

    /// The same range without the spans that `stays` names.
    pub(super) fn without(&self, stays: impl Fn(usize) -> bool) -> Self {
        let mut range = self.clone();
        for part in (0..self.parts.len()).filter(|part| stays(*part)) {
            range.spare(part);
        }
        range
    }

    /// Whether anything of a span goes.
    pub(super) fn has(&self, part: usize) -> bool {
        self.parts.get(part).is_some_and(|going| *going != Going::Nothing)
    }

    /// Whether it takes the very text by which an entry stands at a place.
    pub(super) fn takes(&self, place: &Place) -> bool {
        match self.parts.get(place.part) {
            Some(Going::All(_)) => true,
            Some(Going::Results(_)) => place.text == HeldBy::Result,
            Some(Going::Thinking(_) | Going::Nothing) | None => false,
        }
    }

    /// The spans in it, by their place in the context.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.parts.len()).filter(|part| self.has(*part))
    }

    /// Tokens that go with a span.
    pub(super) fn freed_of(&self, part: usize) -> u64 {
        self.parts.get(part).map_or(0, |going| going.tokens())
    }

    /// Tokens that go with all of it.
    pub(super) fn freed(&self) -> u64 {
        self.freed
    }

    /// The first span that stays for good: everything in range stands before it.
    pub(super) fn cut(&self, context: &Context<'_>) -> SpanIx {
        match self.iter().next_back() {
            Some(last) => context.parts.get(last + 1).map_or(SpanIx::from_index(context.begun), |part| part.span),
            None => context.parts.first().map_or(SpanIx::default(), |part| part.span),
        }
    }

    fn spare(&mut self, part: usize) {
        if let Some(going) = self.parts.get_mut(part) {
            self.freed -= going.tokens();
            *going = Going::Nothing;
        }
    }
}

impl Going {
    fn tokens(self) -> u64 {
        match self {
            Self::Thinking(tokens) | Self::Results(tokens) | Self::All(tokens) => u64::from(tokens),
            Self::Nothing => 0,
        }
    }
}

/// Tokens that go with a span of which `left` of `raw` stays.
pub(super) fn freed(tokens: u32, raw: u32, left: u32) -> u32 {
    match left {
        0 => tokens,
        left if left >= raw => 0,
        left => tokens - (u64::from(tokens) * u64::from(left) / u64::from(raw)) as u32,
    }
}
