//! What no carrier can hold, since its end could not be told from what is retained plus the carrier: it must stay where it stands.

use crate::compaction::carrier::can_hold;
use crate::compaction::rules::{Answer, Case, Retained, Rule};
use crate::ledger::entry::Weight;

pub(super) const RULE: Rule = Rule { about: |_| true, doubt: Weight::Repair, ask };

fn ask(case: &Case<'_>) -> Answer {
    match (can_hold(case.entry, case.at), case.retained) {
        (true, _) | (_, Retained::Held) => Answer::Clear,
        (false, Retained::NotHeld) => Answer::Blocks(Weight::Barrier),
    }
}
