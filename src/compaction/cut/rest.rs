//! The primitives `rest` and `guards`: what a summariser never sees, and when nothing goes after all.

use crate::compaction::cut::messages::Message;
use crate::compaction::cut::{Fate, Hold};
use crate::compaction::expr::Env;
use crate::compaction::judgement::Action;
use crate::compaction::policy::Policy;
use crate::compaction::policy::rest::{Inflate, See};

/// Drops what goes and is too old for the summariser to see.
pub(super) fn unseen(see: &See, messages: &[Message], env: &Env, fates: &mut [Fate]) {
    let Some(mut left) = see.newest_tokens.as_ref().and_then(|newest| newest.count(env)) else { return };
    for (message, fate) in messages.iter().zip(fates).rev().filter(|(_, fate)| fate.hold == Hold::No) {
        match left.checked_sub(message.own_tokens()) {
            Some(after) => left = after,
            None => (left, fate.gone) = (0, Action::Dropped),
        }
    }
}

/// Whether nothing goes, because too little would, or because its summary would be longer.
pub(super) fn is_refused(policy: &Policy, messages: &[Message], fates: &[Fate]) -> bool {
    let gone = || messages.iter().zip(fates).filter(|(_, fate)| fate.hold == Hold::No);
    let too_few = policy.guards.min_progress.is_some_and(|least| (gone().count() as f64) < least * fates.len() as f64);
    let freed = || gone().map(|(message, _)| message.own_tokens()).sum::<u64>();
    too_few || (policy.guards.inflate == Inflate::Refused && freed() < policy.size.summary)
}
