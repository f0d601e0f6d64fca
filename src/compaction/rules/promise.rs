//! What is still to be done, and what is still to be answered: carried, the question as unanswered.

use crate::compaction::rules::{Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule =
    Rule { about: |kind| matches!(kind, EntryKind::Task | EntryKind::Question), doubt: Weight::Repair, ask: weighed };
