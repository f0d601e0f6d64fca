//! The ledger as a list: every entry of the lane, sorted and filtered when something changes, and never while drawing.

mod chips;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use self::chips::{Chips, rank};
use super::narrow::{Narrow, entry_words};
use super::{Foot, List, Sight};
use crate::base::ids::{EntryId, EventIx};
use crate::compaction::carrier::Carrier;
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Weight};
use crate::ledger::{Glance, Gravity, LaneSnapshot};
use crate::report::Breadth;

/// The list and its cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct LedgerState {
    pub(crate) asked: LedgerView,
    /// What is shown of it, in order.
    pub(crate) rows: Vec<Glance>,
    /// What there is to filter by.
    pub(crate) chips: Chips,
    pub(crate) narrow: Narrow,
    pub(crate) list: List,
    /// What is told of the selected entry.
    pub(crate) foot: Foot<EntryId>,
    made: Option<Made>,
}

/// What the list was made of.
#[derive(Clone, Debug)]
struct Made {
    sight: Sight,
    asked: LedgerView,
    narrow: Narrow,
    lane: Arc<LaneSnapshot>,
    bindings: Vec<Glance>,
}

/// Which entries, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LedgerView {
    pub(crate) breadth: Breadth,
    pub(crate) kind: Option<EntryKind>,
    pub(crate) status: Option<EntryStatus>,
    pub(crate) sort: Sort,
}

impl Default for LedgerView {
    fn default() -> Self {
        Self { breadth: Breadth::Live, kind: None, status: None, sort: Sort::default() }
    }
}

/// By what the list is sorted. What is lost stands first in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Barriers, then what needs a carrier, then what is closed; of each the worst to lose first.
    #[default]
    Colour,
    Newest,
    Oldest,
    Kind,
    Status,
    /// What their carriers cost.
    Tokens,
}

impl Sort {
    pub(crate) const ALL: [Self; 6] = [Self::Colour, Self::Newest, Self::Oldest, Self::Kind, Self::Status, Self::Tokens];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Colour => "worst first",
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
            Self::Kind => "by kind",
            Self::Status => "by status",
            Self::Tokens => "by tokens",
        }
    }
}

impl LedgerState {
    /// Brings the list up to date, if what there is or what is asked has changed. Where the lane has only grown, what has changed
    /// in it is all that is looked at. The cursor stays on its entry.
    pub(crate) fn refresh(&mut self, sight: Sight, lane: &Arc<LaneSnapshot>, bindings: &[Arc<Entry>]) {
        let is_made = |made: &Made| (made.sight, made.asked, &made.narrow) == (sight, self.asked, &self.narrow);
        if self.made.as_ref().is_some_and(is_made) {
            return;
        }
        let held = self.selected();
        let at = lane.end().unwrap_or_default();
        let added: Vec<Glance> = bindings.iter().filter_map(|binding| Glance::of(binding, at)).collect();
        let grown =
            self.made.take().filter(|made| self.asked.sort != Sort::Tokens && made.has_grown_into(sight, self.asked, &self.narrow));
        if grown.is_none_or(|made| self.grow(&made, lane, bindings, &added).is_none()) {
            self.rebuild(lane, bindings, &added);
        }
        self.chips.live = lane.owed().count() + added.len();
        self.chips.closed = lane.entries.len().saturating_sub(lane.live.len());
        self.chips.all = lane.entries.len() + added.len();
        let (asked, narrow) = (self.asked, self.narrow.clone());
        self.made = Some(Made { sight, asked, narrow, lane: Arc::clone(lane), bindings: added });
        if let Some(row) = held.and_then(|id| self.rows.iter().position(|row| row.id == id)) {
            self.list.selected = row;
        }
    }

    /// Makes the list from nothing.
    fn rebuild(&mut self, lane: &LaneSnapshot, bindings: &[Arc<Entry>], added: &[Glance]) {
        let at = lane.end().unwrap_or_default();
        let asked = self.asked;
        let mut all: Vec<Glance> = match asked.breadth {
            Breadth::Live => lane.owed().filter_map(|id| lane.glance(id, at)).collect(),
            Breadth::All => (0..lane.entries.len()).filter_map(|n| lane.glance(EntryId::from_index(n), at)).collect(),
        };
        all.extend(added.iter().filter(|glance| asked.breadth == Breadth::All || glance.status.is_live()));
        self.chips = Chips::default();
        all.iter().for_each(|glance| self.chips.add(glance, asked));
        self.rows = all;
        let narrow = &self.narrow;
        self.rows.retain(|row| asked.shows(row) && narrow.leaves(|| said(lane, bindings, row.id)));
        match asked.sort {
            Sort::Tokens => {
                let tokens = |row: &Glance| entry(lane, bindings, row.id).map_or(0, |entry| Carrier::of(&entry, at).tokens);
                self.rows.sort_by_cached_key(|row| (!row.lost, Reverse(tokens(row)), Reverse(row.opened), row.id));
            }
            sort => self.rows.sort_unstable_by_key(|row| place(row, sort)),
        }
    }

    /// Takes what has changed since the list was made into it. None: the list is not what it was thought to be.
    fn grow(&mut self, made: &Made, lane: &LaneSnapshot, bindings: &[Arc<Entry>], added: &[Glance]) -> Option<()> {
        let old = &made.lane;
        let mut changed: BTreeSet<EntryId> = lane.entries.changed_since(&old.entries).map(EntryId::from_index).collect();
        changed.extend(lane.calls.changed_since(&old.calls).filter_map(|n| lane.calls.get(n)).map(|call| call.entry));
        let (then, now) = (old.end(), lane.end());
        made.bindings.iter().try_for_each(|glance| self.remove(glance))?;
        for id in changed {
            let before = then.and_then(|at| old.glance(id, at));
            let after = now.and_then(|at| lane.glance(id, at));
            if before == after {
                continue;
            }
            before.iter().try_for_each(|glance| self.remove(glance))?;
            after.iter().for_each(|glance| self.insert(glance, || said(lane, &[], id)));
        }
        added.iter().for_each(|glance| self.insert(glance, || said(lane, bindings, glance.id)));
        Some(())
    }

    fn insert(&mut self, glance: &Glance, words: impl FnOnce() -> String) {
        if !self.asked.reaches(glance) {
            return;
        }
        self.chips.add(glance, self.asked);
        if self.asked.shows(glance) && self.narrow.leaves(words) {
            let key = place(glance, self.asked.sort);
            let at = self.rows.partition_point(|row| place(row, self.asked.sort) < key);
            self.rows.insert(at, *glance);
        }
    }

    /// Takes a row out; none where it is not there.
    fn remove(&mut self, glance: &Glance) -> Option<()> {
        if !self.asked.reaches(glance) {
            return Some(());
        }
        self.chips.take(glance, self.asked)?;
        if self.asked.shows(glance) {
            let key = place(glance, self.asked.sort);
            match self.rows.binary_search_by(|row| place(row, self.asked.sort).cmp(&key)) {
                Ok(at) => _ = self.rows.remove(at),
                // Words had left it out.
                Err(_) if self.narrow.is_on() => {}
                Err(_) => return None,
            }
        }
        Some(())
    }

    /// The entry under the cursor.
    pub(crate) fn selected(&self) -> Option<EntryId> {
        self.rows.get(self.list.selected).map(|row| row.id)
    }

    /// Empties the list: nothing is known of the entries yet.
    pub(crate) fn clear(&mut self) {
        (self.rows, self.chips, self.made) = (Vec::new(), Chips::default(), None);
    }

    /// Filters by the kind that stands `steps` after the present one, among those that there are.
    pub(crate) fn turn_kind(&mut self, steps: isize) {
        let kinds: Vec<EntryKind> = self.chips.kinds.keys().copied().collect();
        self.asked.kind = turned(&kinds, self.asked.kind, steps);
    }

    /// The same by status.
    pub(crate) fn turn_status(&mut self, steps: isize) {
        let statuses: Vec<EntryStatus> = self.chips.statuses.iter().map(|(status, _)| *status).collect();
        self.asked.status = turned(&statuses, self.asked.status, steps);
    }

    pub(crate) fn turn_sort(&mut self, steps: isize) {
        let count = isize::try_from(Sort::ALL.len()).unwrap_or(1);
        let at = Sort::ALL.iter().position(|sort| *sort == self.asked.sort).and_then(|at| isize::try_from(at).ok()).unwrap_or(0);
        let next = usize::try_from((at + steps).rem_euclid(count)).unwrap_or(0);
        self.asked.sort = Sort::ALL.get(next).copied().unwrap_or_default();
    }

    /// Shows the live entries only, or all.
    pub(crate) fn turn_breadth(&mut self) {
        self.asked.breadth = match self.asked.breadth {
            Breadth::Live => Breadth::All,
            Breadth::All => Breadth::Live,
        };
        self.asked.status = None;
    }
}

impl Made {
    /// Whether the lane that is seen now is this one, grown by some events, and asked for in the same way.
    fn has_grown_into(&self, sight: Sight, asked: LedgerView, narrow: &Narrow) -> bool {
        let lineage = |sight: Sight| (sight.epoch, sight.lane, sight.moment);
        lineage(self.sight) == lineage(sight) && sight.moment.is_none() && self.asked == asked && self.narrow == *narrow
    }
}

impl LedgerView {
    /// Whether an entry is among those that are listed and counted.
    fn reaches(&self, glance: &Glance) -> bool {
        self.breadth == Breadth::All || (glance.status.is_live() && !glance.given)
    }

    /// Whether an entry that is passes the filters.
    fn shows(&self, glance: &Glance) -> bool {
        self.kind.is_none_or(|kind| glance.kind == kind) && self.status.is_none_or(|status| glance.status == status)
    }
}

/// An entry of the lane, or a binding of the cut.
fn entry(lane: &LaneSnapshot, bindings: &[Arc<Entry>], id: EntryId) -> Option<Arc<Entry>> {
    bindings.iter().find(|binding| binding.id == id).cloned().or_else(|| lane.entry(id))
}

/// What an entry is found by.
fn said(lane: &LaneSnapshot, bindings: &[Arc<Entry>], id: EntryId) -> String {
    entry(lane, bindings, id).map(|entry| entry_words(lane, &entry)).unwrap_or_default()
}

/// Where a row stands: what is lost first, then as asked, of equals the worst to lose first where that is asked, else the newest. By
/// tokens nothing can be told from a glance.
fn place(row: &Glance, sort: Sort) -> (bool, u64, Option<Gravity>, Reverse<EventIx>, EntryId) {
    let first = match sort {
        Sort::Colour => match (row.status.is_live(), row.weight) {
            (true, Weight::Barrier) => 0,
            (true, Weight::Repair) => 1,
            (false, _) => 2,
        },
        Sort::Newest | Sort::Tokens => 0,
        Sort::Oldest => u64::from(row.opened.0),
        Sort::Kind => row.kind as u64,
        Sort::Status => rank(row.status),
    };
    (!row.lost, first, (sort == Sort::Colour).then_some(row.gravity), Reverse(row.opened), row.id)
}

/// What stands `steps` after `now` among `all` and "none of them", round and round.
fn turned<T: Copy + PartialEq>(all: &[T], now: Option<T>, steps: isize) -> Option<T> {
    let count = isize::try_from(all.len() + 1).unwrap_or(1);
    let at = now.and_then(|now| all.iter().position(|one| *one == now)).map_or(0, |at| at + 1);
    let next = usize::try_from((isize::try_from(at).unwrap_or(0) + steps).rem_euclid(count)).unwrap_or(0);
    all.get(next.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::LaneIx;
    use crate::ui::testing::migration;

    fn sight(revision: u64) -> Sight {
        Sight { epoch: 0, revision, lane: LaneIx(0), moment: None, judgements: 1 }
    }

    fn state(change: impl FnOnce(&mut LedgerView)) -> LedgerState {
        let script = migration();
        let mut state = LedgerState::default();
        change(&mut state.asked);
        state.refresh(sight(1), &Arc::new(script.lane), &[]);
        state
    }

    #[test]
    fn what_is_lost_stands_first_however_the_list_is_sorted() {
        for sort in Sort::ALL {
            let state = state(|view| view.sort = sort);
            assert!(state.rows.first().is_some_and(|row| row.lost), "{}", sort.words());
            assert!(state.rows.iter().skip(1).all(|row| !row.lost), "{}", sort.words());
        }
    }

    #[test]
    fn the_worst_stand_first() {
        let weights: Vec<Weight> = state(|_| ()).rows.iter().skip(1).map(|row| row.weight).collect();
        assert!(weights.len() > 2 && weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    }

    #[test]
    fn closed_entries_show_on_demand_and_filters_turn_through_what_there_is() {
        let mut state = state(|view| view.breadth = Breadth::All);
        let (all, live) = (state.rows.len(), state.chips.live);
        assert!(all > live, "{all} of {live}");
        state.turn_status(2);
        assert_eq!(state.asked.status, Some(EntryStatus::Discharged));
        state.turn_status(1);
        assert_eq!(state.asked.status, None, "round again");
        state.turn_kind(-1);
        assert_eq!(state.asked.kind, state.chips.kinds.keys().last().copied());
    }

    #[test]
    fn the_cursor_stays_on_its_entry() {
        let script = migration();
        let mut state = state(|_| ());
        state.list.selected = 2;
        let held = state.selected();
        state.turn_sort(2);
        state.refresh(sight(2), &Arc::new(script.lane), &[]);
        assert_eq!(state.selected(), held);
    }

    #[test]
    fn a_list_that_grows_is_the_list_that_is_made_from_nothing() {
        for sort in Sort::ALL {
            for (breadth, typed) in [(Breadth::Live, ""), (Breadth::All, ""), (Breadth::All, "one more"), (Breadth::Live, "read")] {
                let narrow = Narrow::of(typed);
                let asked = LedgerView { sort, breadth, ..LedgerView::default() };
                let mut script = migration();
                let mut grown = LedgerState { asked, narrow: narrow.clone(), ..LedgerState::default() };
                for n in 0..600u64 {
                    match n % 6 {
                        0 => _ = script.wait(1).prompt("And now this."),
                        1 => _ = script.entry(EntryKind::Requirement, Weight::Repair, "one more"),
                        2 => _ = script.call("Read", crate::ledger::effects::Class::Read, "a.rs", "{}"),
                        3 => {
                            let last = crate::base::ids::CallIx::from_index(script.lane.calls.len() - 1);
                            script.ok(last, "read");
                        }
                        4 => {
                            let end = script.lane.end().unwrap();
                            let id = EntryId::from_index((n * 7) as usize % script.lane.entries.len());
                            script.change(id, |entry| entry.history.push((end, EntryStatus::Settled)));
                            if script.lane.entry(id).is_some_and(|entry| !entry.status().is_live()) {
                                Arc::make_mut(&mut script.lane.live).remove(&id);
                            }
                        }
                        _ => _ = script.says("Done."),
                    }
                    let lane = Arc::new(script.lane.clone());
                    grown.refresh(sight(n + 1), &lane, &[]);
                    if n % 50 == 0 || n > 590 {
                        let mut fresh = LedgerState { asked, narrow: narrow.clone(), ..LedgerState::default() };
                        fresh.refresh(sight(n + 1), &lane, &[]);
                        assert_eq!((&grown.rows, &grown.chips), (&fresh.rows, &fresh.chips), "{} after {n}", sort.words());
                    }
                }
            }
        }
    }
}
