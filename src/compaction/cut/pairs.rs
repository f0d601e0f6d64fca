//! The primitive `pair`: calls and results that a policy would part, and what its runtime does about it.

use crate::compaction::cut::messages::{Kind, Message, Pending};
use crate::compaction::cut::{Fate, Hold};
use crate::compaction::judgement::Action;
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

/// Takes out the halves that the runtime does not send: calls first, then the results that are left without theirs.
pub(super) fn drop_halves(pair: Pair, messages: &[Message], fates: &mut [Fate], parts: usize) {
    if pair.open_call == Orphan::Dropped {
        // Of a message with other calls that were answered only the open one is taken out.
        let halves = halves(messages, fates, parts);
        let alone = |message: &Message| halves.get(message.part).is_some_and(|of| of.results.is_none());
        drop_where(messages, fates, |message| message.pending == Pending::Yes && alone(message));
    }
    if pair.orphan_call == Orphan::Dropped {
        let halves = halves(messages, fates, parts);
        let lacks =
            |message: &Message| halves.get(message.part).is_some_and(|of| of.results.is_some_and(|(least, _)| least == Hold::No));
        drop_where(messages, fates, |message| message.has_calls() && lacks(message));
    }
    if pair.orphan_result == Orphan::Dropped {
        let halves = halves(messages, fates, parts);
        let lacks = |message: &Message| halves.get(message.part).is_some_and(|of| of.calls == Some(Hold::No));
        drop_where(messages, fates, |message| message.kind == Kind::Result && lacks(message));
    }
}

/// What goes this way is in no summary.
fn drop_where(messages: &[Message], fates: &mut [Fate], goes: impl Fn(&Message) -> bool) {
    for (_, fate) in messages.iter().zip(fates).filter(|(message, fate)| fate.hold != Hold::No && goes(message)) {
        (fate.hold, fate.gone) = (Hold::No, Action::Dropped);
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
