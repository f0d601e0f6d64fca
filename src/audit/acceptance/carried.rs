//! The carriers of a proposal: which entries they hold.

use std::borrow::Cow;

use crate::audit::acceptance::Proposal;
use crate::base::ids::EventIx;
use crate::compaction::carrier::{Carrier, can_hold};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::record::{Carriers, Misread, Opening, read_carriers};

/// The carriers beside a summary, and in it.
pub(super) struct Carried<'a> {
    pub(super) all: Vec<Cow<'a, Opening>>,
    /// What is wrong with others in the summary.
    pub(super) misread: Vec<Misread>,
}

impl<'a> Carried<'a> {
    pub(super) fn of(proposal: &Proposal<'a>) -> Self {
        let (beside, Carriers { held, misread }) = (proposal.carriers.iter().map(Cow::Borrowed), read_carriers(proposal.summary));
        Self { all: beside.chain(held.into_iter().map(Cow::Owned)).collect(), misread }
    }

    /// Whether one of them has this key.
    pub(super) fn names(&self, key: &str) -> bool {
        self.of_key(key).next().is_some()
    }

    /// Whether one of them says what the entry says, and its end can be told from it.
    pub(super) fn holds(&self, entry: &Entry, at: EventIx) -> bool {
        can_hold(entry, at) && self.of_key(&entry.key).any(|carrier| is_same(carrier, entry))
    }

    /// Whether one of them has the entry's key, and says what no live entry of this key does.
    pub(super) fn is_otherwise(&self, entry: &Entry, lane: &LaneSnapshot) -> bool {
        let Some(at) = lane.end() else { return false };
        let mut strange = self.of_key(&entry.key).filter(|carrier| !is_same(carrier, entry)).peekable();
        strange.peek().is_some() && {
            let others: Vec<_> = lane.live_at(at).into_iter().filter(|other| other.key == entry.key).collect();
            strange.any(|carrier| !others.iter().any(|other| is_same(carrier, other)))
        }
    }

    fn of_key<'c>(&'c self, key: &'c str) -> impl Iterator<Item = &'c Opening> {
        self.all.iter().map(|carrier| &**carrier).filter(move |carrier| carrier.key == key)
    }
}

/// Whether a carrier states an entry as it is: in kind, in every word, and in what was done.
fn is_same(carrier: &Opening, entry: &Entry) -> bool {
    let is_text = *carrier.text == *entry.text || carrier.text == Carrier::of(entry, entry.known()).text;
    let effect = entry.action.as_ref().filter(|_| entry.kind != EntryKind::Call).and_then(|action| action.effect);
    carrier.kind == entry.kind && is_text && is_told(carrier.effect, effect)
}

/// Whether a carrier tells of an effect what is known of it. What a carrier is silent about it does not change.
fn is_told(carried: Option<EffectStatus>, known: Option<EffectStatus>) -> bool {
    carried.is_none_or(|carried| Some(carried) == known)
}
