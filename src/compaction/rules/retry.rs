//! Attempts without a success. They are a barrier only while an attempt's effect is unknown and the world may count it twice.

use crate::compaction::rules::{Answer, Case, Rule, weighed};
use crate::ledger::effects::{Class, EffectStatus, Idempotency};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Retry, doubt: Weight::Barrier, ask };

fn ask(case: &Case<'_>) -> Answer {
    let Some(action) = &case.entry.action else { return Answer::Unsure };
    let counts_twice = action.class == Class::External || action.idempotency == Idempotency::NotIdempotent;
    if action.effect == Some(EffectStatus::Unknown) && counts_twice {
        return Answer::Blocks(Weight::Barrier);
    }
    weighed(case)
}
