//! A side effect of which nobody knows whether it happened: a summary would tell it as failed, and invite a second one, or as done.
//! Only a plain failure of something local is carried; what the world may count twice is a barrier whatever left it unknown.

use crate::compaction::rules::{Answer, Case, Rule, weighed};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Effect, doubt: Weight::Barrier, ask };

fn ask(case: &Case<'_>) -> Answer {
    let Some(action) = &case.entry.action else { return Answer::Unsure };
    match (action.effect, action.class) {
        (Some(EffectStatus::Unknown), Class::Execute | Class::Write) => weighed(case),
        (Some(EffectStatus::Unknown), Class::Create | Class::External) => Answer::Blocks(Weight::Barrier),
        // A live unknown that is none, or of a class without effects: the ledger is at odds with itself.
        (_, _) => Answer::Unsure,
    }
}
