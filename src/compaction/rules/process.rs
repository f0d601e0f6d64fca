//! Something that runs: a barrier where its result is awaited, else carried with its handle. The ledger knows which.

use crate::compaction::rules::{Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind == EntryKind::Process, doubt: Weight::Barrier, ask: weighed };
