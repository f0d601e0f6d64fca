//! How an entry stands at a moment, without making the entry: for lists of thousands.

use crate::base::ids::{EntryId, EventIx};
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Weight};
use crate::ledger::gravity::Gravity;
use crate::ledger::open_call;
use crate::ledger::snapshot::{LaneSnapshot, Slot};

/// What a list says of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The entry.
    pub id: EntryId,
    /// What it is.
    pub kind: EntryKind,
    /// Where it is in its life.
    pub status: EntryStatus,
    /// The weight that it gives to what it touches while it is live.
    pub weight: Weight,
    /// Whether it is live and nothing in the context holds it.
    pub lost: bool,
    /// Whether it binds the agent and is owed by nobody, and stands where it was said.
    pub given: bool,
    /// The event with which it opened.
    pub opened: EventIx,
    /// Its place among others of its colour, the worst to lose first.
    pub gravity: Gravity,
}

impl Glance {
    /// An entry after event `at`; none where it was not known yet.
    #[must_use]
    pub fn of(entry: &Entry, at: EventIx) -> Option<Self> {
        let status = entry.status_at(at)?;
        let lost = status.is_live() && entry.lost_at(at).is_some();
        let weight = entry.weight_at(at);
        let given = entry.is_given() && !lost;
        let (kind, opened, gravity) = (entry.kind, entry.opened.event, entry.gravity());
        Some(Self { id: entry.id, kind, status, weight, lost, given, opened, gravity })
    }
}

impl LaneSnapshot {
    /// The entries that are live at the end, besides those that are only given.
    pub fn owed(&self) -> impl Iterator<Item = EntryId> + '_ {
        let end = self.end().unwrap_or_default();
        let is_given = move |id: &EntryId| {
            let own = self.entries.get(id.index()).and_then(Slot::own);
            own.is_some_and(|entry| entry.is_given() && entry.lost_at(end).is_none())
        };
        self.live.iter().copied().filter(move |id| !is_given(id))
    }

    /// An entry after event `at`; none where it was not known yet.
    #[must_use]
    pub fn glance(&self, id: EntryId, at: EventIx) -> Option<Glance> {
        match self.entries.get(id.index())? {
            Slot::Entry(entry) => Glance::of(entry, at),
            Slot::Call(ix) => {
                let call = self.calls.get(ix.index()).filter(|call| call.event <= at)?;
                let status = call.end_at(at).map_or(EntryStatus::Live, open_call::status);
                let weight = open_call::weight(call);
                let gravity = Gravity::of(EntryKind::Call, Some((call.class, call.idempotency)), id);
                let (kind, opened) = (EntryKind::Call, call.event);
                Some(Glance { id, kind, status, weight, lost: false, given: false, opened, gravity })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::testing::fold;

    #[test]
    fn a_glance_says_what_the_entry_says_at_every_moment() {
        let lane = fold(
            r#"
            prompt Do not force it.
            step m1
            call c1 Bash {"command":"git push origin main"}
            result c1 timeout
            boundary
            summary nothing
            step m2
            call c2 Bash {"command":"git push origin main"}
            result c2 ok
            call c3 Read {"file_path":"/w/a.rs"}
            "#,
        );
        for (id, at) in (0..lane.entries.len()).flat_map(|id| (0..lane.events.len()).map(move |at| (id, at))) {
            let (id, at) = (EntryId::from_index(id), EventIx::from_index(at));
            let entry = lane.entry(id).unwrap();
            let said = lane.glance(id, at).map(|glance| (glance.kind, glance.status, glance.weight, glance.lost, glance.opened));
            let lost = entry.is_live_at(at) && entry.lost_at(at).is_some();
            let is = entry.status_at(at).map(|status| (entry.kind, status, entry.weight_at(at), lost, entry.opened.event));
            assert_eq!(said, is, "{id} after {at}");
        }
    }
}
