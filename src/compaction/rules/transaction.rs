//! Something half done in the world: a barrier for what opened it and for what acts in it, until it is closed.

use crate::compaction::rules::{Answer, Rule};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule =
    Rule { about: |kind| kind == EntryKind::Transaction, doubt: Weight::Barrier, ask: |_| Answer::Blocks(Weight::Barrier) };
