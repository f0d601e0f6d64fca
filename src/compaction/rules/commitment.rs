//! What was said and binds: prohibitions, requirements, orderings, decisions, values, and what nobody can classify. It is carried word
//! by word, never paraphrased; what stays word by word needs no carrier.

use crate::compaction::rules::{Rule, weighed};
use crate::ledger::entry::{EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: EntryKind::is_commitment, doubt: Weight::Repair, ask: weighed };
