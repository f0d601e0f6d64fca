//! The verdict on a proposed compaction: the table of DESIGN section 6, in its order.

use std::borrow::Cow;

use crate::compaction::context::Context;
use crate::compaction::demand::{Demand, cost, savings};
use crate::compaction::judgement::{Cannot, Colour, Pressure, Verdict};
use crate::compaction::policy::Ability;
use crate::compaction::range::Range;
use crate::compaction::room::{Room, Setter};
use crate::compaction::standing::Standing;

/// What is judged.
pub(super) struct Proposal<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) standing: &'a Standing,
    /// The spans that would go.
    pub(super) range: &'a Range,
    /// What that puts at stake.
    pub(super) demand: &'a Demand<'a>,
    /// The colour of each span, by its place in the context.
    pub(super) colours: &'a [Colour],
    pub(super) room: Room,
    pub(super) pressure: Pressure,
    /// Whether the model can fetch back everything that goes.
    pub(super) loss: Loss,
}

/// Whether what goes can be fetched back by the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// By a handle that stays in the context.
    Lossless,
    /// It cannot.
    Lossy,
}

/// A verdict, and the range that it lets go.
#[derive(Debug)]
pub(super) struct Decision<'a> {
    pub(super) verdict: Verdict,
    /// What may go now; none where nothing may.
    pub(super) range: Option<Cow<'a, Range>>,
    /// What would have helped and the runtime cannot do.
    pub(super) cannot: Vec<Cannot>,
}

/// Which of two ways to defer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    Around,
    Older,
}

impl<'a> Proposal<'a> {
    /// The first verdict of the table that applies, for a runtime that is able to do `abilities`.
    pub(super) fn decide(&self, abilities: &[Ability]) -> Decision<'a> {
        let demand = self.demand;
        // Even with every barrier closed. Nobody has to decide what may be lost to reach what nobody asked for, as long as nothing
        // presses: carriers that are longer than the usual summary are no reason to cry out in a context that is a fifth full.
        let is_idle = self.room.setter == Setter::Left && self.pressure == Pressure::None;
        if !is_idle && !self.fits(self.range, demand) {
            return only(Verdict::Escalate);
        }
        // What an earlier boundary lost is safe nowhere: it needs its carrier, whatever is in range.
        let nothing_owed = demand.blocked.is_empty() && demand.carried.is_empty() && self.standing.lost().next().is_none();
        if self.loss == Loss::Lossless || nothing_owed {
            return self.let_go(Verdict::Compact);
        }
        if demand.blocked.is_empty() {
            return self.let_go(Verdict::Repair);
        }
        if self.pressure == Pressure::None {
            return only(Verdict::Defer);
        }
        let mut cannot = Vec::new();
        for (attempt, ability, lacking, verdict) in [
            (Try::Around, Ability::PinSpans, Cannot::PinSpans, Verdict::Around),
            (Try::Older, Ability::CompactOlder, Cannot::CompactOlder, Verdict::Defer),
        ] {
            let range = self.part(attempt);
            if !self.helps(&range) {
                continue;
            }
            if abilities.contains(&ability) {
                return Decision { verdict, range: Some(Cow::Owned(range)), cannot };
            }
            cannot.push(lacking);
        }
        Decision { verdict: Verdict::Refuse, range: None, cannot }
    }

    /// The part of the range that an attempt would let go: all but the barriers, or what stands before the first of them. What would
    /// cost more in carriers than it frees stays too: a barrier on it must not be what opens the way.
    fn part(&self, attempt: Try) -> Range {
        let barrier = |part: usize| self.range.has(part) && self.colours.get(part) == Some(&Colour::Barrier);
        match attempt {
            Try::Around => {
                let closed = self.range.without(barrier);
                let saved = self.savings(&closed);
                closed.without(|part| saved.get(part).is_some_and(|saved| *saved >= closed.freed_of(part)))
            }
            Try::Older => {
                let first = self.range.iter().find(|part| barrier(*part)).unwrap_or(0);
                let older = self.range.without(|part| part >= first);
                let end = most_freed(&older, &self.savings(&older));
                older.without(|part| part >= end)
            }
        }
    }

    fn savings(&self, range: &Range) -> Vec<u64> {
        savings(self.context, self.standing, range)
    }

    /// Whether a part of the range is closed and frees the need.
    fn helps(&self, range: &Range) -> bool {
        let demand = Demand::of(self.context, self.standing, range);
        range.freed() > 0 && demand.blocked.is_empty() && self.fits(range, &demand)
    }

    fn fits(&self, range: &Range, demand: &Demand<'_>) -> bool {
        self.room.fits(range, cost(self.context, demand.carried.iter().copied().chain(self.standing.lost())))
    }

    fn let_go(&self, verdict: Verdict) -> Decision<'a> {
        Decision { verdict, range: Some(Cow::Borrowed(self.range)), cannot: Vec::new() }
    }
}

/// Where a range must end to free most above the carriers that it needs; nothing goes where no end frees anything.
fn most_freed(range: &Range, saved: &[u64]) -> usize {
    let (mut freed, mut best, mut end) = (0i64, 0i64, 0);
    for part in range.iter() {
        let carriers = saved.get(part).copied().unwrap_or(0);
        freed += i64::try_from(range.freed_of(part)).unwrap_or(i64::MAX) - i64::try_from(carriers).unwrap_or(i64::MAX);
        if freed > best {
            (best, end) = (freed, part + 1);
        }
    }
    end
}

fn only(verdict: Verdict) -> Decision<'static> {
    Decision { verdict, range: None, cannot: Vec::new() }
}
