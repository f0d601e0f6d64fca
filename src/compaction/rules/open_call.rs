//! A call without a resolution: the runtime still owes a result, and a summary would tell it as done (essay "unresolved tool-call
//! obligations"). One that only looks, or keeps the agent's own list, is carried: it can be made again.

use crate::compaction::rules::{Answer, Case, Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Call, doubt: Weight::Barrier, ask };

fn ask(case: &Case<'_>) -> Answer {
    if case.entry.action.is_some() { weighed(case) } else { Answer::Unsure }
}
