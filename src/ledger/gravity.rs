//! How bad it is to lose an entry: the one order in which reasons, the ledger and the pending calls stand.

use std::cmp::Reverse;

use crate::base::ids::{EntryId, EventIx};
use crate::ledger::effects::{Class, Idempotency};
use crate::ledger::entry::{Entry, EntryKind, Weight};

/// Kinds of entry, the worst to lose first.
const WORST_FIRST: [EntryKind; 18] = [
    EntryKind::Effect,
    EntryKind::Call,
    EntryKind::Transaction,
    EntryKind::Process,
    EntryKind::Retry,
    EntryKind::Prohibition,
    EntryKind::Ordering,
    EntryKind::Done,
    EntryKind::Resource,
    EntryKind::Requirement,
    EntryKind::Decision,
    EntryKind::Value,
    EntryKind::Task,
    EntryKind::Question,
    EntryKind::Binding,
    EntryKind::Reference,
    EntryKind::Unverified,
    EntryKind::Unclassified,
];

/// The place of an entry among others of its colour; the least is the worst to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gravity {
    kind: u8,
    /// Of two unknowns the one that the world would count twice is worse.
    once: bool,
    id: EntryId,
}

impl Gravity {
    /// Of an entry of this kind, about an action that the world would count twice, or not.
    pub(super) fn of(kind: EntryKind, class: Option<(Class, Idempotency)>, id: EntryId) -> Self {
        let place = WORST_FIRST.iter().position(|one| *one == kind).unwrap_or(WORST_FIRST.len());
        let twice = class.is_some_and(|(class, idempotency)| {
            matches!(class, Class::Create | Class::External) || idempotency == Idempotency::NotIdempotent
        });
        Self { kind: u8::try_from(place).unwrap_or(u8::MAX), once: !twice, id }
    }
}

impl Entry {
    /// Its place among others of its colour.
    #[must_use]
    pub fn gravity(&self) -> Gravity {
        Gravity::of(self.kind, self.action.as_ref().map(|action| (action.class, action.idempotency)), self.id)
    }

    /// Its place among all that is live after event `at`: barriers first, of one colour the worst to lose.
    #[must_use]
    pub fn rank_at(&self, at: EventIx) -> (Reverse<Weight>, Gravity) {
        (Reverse(self.weight_at(at)), self.gravity())
    }
}
