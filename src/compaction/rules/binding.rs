//! One exact value that two places share, and what names something that stands elsewhere: carried, or both ends kept together.

use crate::compaction::rules::{Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule =
    Rule { about: |kind| matches!(kind, EntryKind::Binding | EntryKind::Reference), doubt: Weight::Repair, ask: weighed };
