//! The primitive `pair`: calls and results that a policy would part, and what its runtime does about it.

use crate::compaction::cut::messages::{Kind, Message};
use crate::compaction::cut::{Fate, Hold};
use crate::compaction::policy::{Orphan, Pair};

/// The two halves of a span: its calls, and its results.
#[derive(Clone, Copy, Debug, Default)]
struct Halves {
    calls: Option<Hold>,
    /// The result that is held least, and the one that is held most.
    results: Option<(Hold, Hold)>,
}

/// A span of which a call would be parted from its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compaction) struct Torn {
    /// The span, by its place in the context.
    pub(in crate::compaction) part: usize,
    /// Why one half stays.
    pub(in crate::compaction) stays: Hold,
}

/// Takes out the halves that the runtime does not send.
pub(super) fn drop_orphans(pair: Pair, messages: &[Message], fates: &mut [Fate], parts: usize) {
    if pair.orphan_call != Orphan::Dropped && pair.orphan_result != Orphan::Dropped {
        return;
    }
    let halves = halves(messages, fates, parts);
    for (message, fate) in messages.iter().zip(fates) {
        let of = halves.get(message.part).copied().unwrap_or_default();
        let orphan = match message.kind {
            Kind::Result => pair.orphan_result == Orphan::Dropped && of.calls == Some(Hold::No),
            _ => {
                pair.orphan_call == Orphan::Dropped && message.has_calls() && of.results.is_some_and(|(least, _)| least == Hold::No)
            }
        };
        if orphan {
            fate.hold = Hold::No;
        }
    }
}

/// The spans of which one half stays and the other goes.
pub(super) fn torn(messages: &[Message], fates: &[Fate], parts: usize) -> Vec<Torn> {
    let parted = |(part, halves): (usize, Halves)| {
        let (calls, (least, most)) = (halves.calls?, halves.results?);
        let torn = calls.min(least) == Hold::No && calls.max(most) != Hold::No;
        torn.then_some(Torn { part, stays: calls.max(most) })
    };
    halves(messages, fates, parts).into_iter().enumerate().filter_map(parted).collect()
}

fn halves(messages: &[Message], fates: &[Fate], parts: usize) -> Vec<Halves> {
    let mut halves = vec![Halves::default(); parts];
    for (message, fate) in messages.iter().zip(fates) {
        let Some(of) = halves.get_mut(message.part) else { continue };
        if message.kind == Kind::Result {
            let (least, most) = of.results.unwrap_or((fate.hold, fate.hold));
            of.results = Some((least.min(fate.hold), most.max(fate.hold)));
        } else if message.has_calls() {
            of.calls = Some(fate.hold);
        }
    }
    halves
}
