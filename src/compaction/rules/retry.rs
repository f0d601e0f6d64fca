//! Attempts without a success. They are a barrier only while an attempt's effect is unknown and the world may count it twice: the
//! ledger says since when, and until when.

use crate::compaction::rules::{Answer, Case, Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Retry, doubt: Weight::Barrier, ask };

fn ask(case: &Case<'_>) -> Answer {
    if case.entry.action.is_none() { Answer::Unsure } else { weighed(case) }
}
