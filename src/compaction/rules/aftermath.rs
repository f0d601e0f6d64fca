//! What was done and still matters: what must be undone, what must not be done again, what no check has passed yet. A carrier holds it.

use crate::compaction::rules::{Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule {
    about: |kind| matches!(kind, EntryKind::Resource | EntryKind::Done | EntryKind::Unverified),
    doubt: Weight::Barrier,
    ask: weighed,
};
