//! A call without a resolution: the runtime still owes a result, and a summary would tell it as done (essay "unresolved tool-call
//! obligations"). One that only looks is carried: it can be made again.

use crate::compaction::rules::{Answer, Case, Rule, weighed};
use crate::ledger::effects::Class;
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Call, doubt: Weight::Barrier, ask };

fn ask(case: &Case<'_>) -> Answer {
    match case.entry.action.as_ref().map(|action| action.class) {
        Some(Class::Read | Class::Check) => weighed(case),
        Some(Class::Control | Class::Execute | Class::Write | Class::Create | Class::External) => Answer::Blocks(Weight::Barrier),
        None => Answer::Unsure,
    }
}
