//! The ledger as a list: every entry of the lane, sorted and filtered when something changes, and never while drawing.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{List, Sight};
use crate::base::ids::{EntryId, EventIx};
use crate::compaction::carrier::Carrier;
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Weight};
use crate::ledger::{Glance, LaneSnapshot};
use crate::report::Breadth;

/// The list and its cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct LedgerState {
    pub(crate) asked: LedgerView,
    /// What is shown of it, in order.
    pub(crate) rows: Vec<Glance>,
    /// What there is to filter by.
    pub(crate) chips: Chips,
    pub(crate) list: List,
    made: Option<(Sight, LedgerView)>,
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
    /// Barriers, then what needs a carrier, then what is closed; of each the newest first.
    #[default]
    Colour,
    Newest,
    Oldest,
    Kind,
    Status,
    /// What their carriers cost.
    Tokens,
}

/// How many entries there are of each kind and status, under the other filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chips {
    pub(crate) kinds: BTreeMap<EntryKind, usize>,
    pub(crate) statuses: Vec<(EntryStatus, usize)>,
    /// The live ones, whatever the filter.
    pub(crate) live: usize,
    /// All that were ever opened.
    pub(crate) all: usize,
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
    /// Makes the list again, if what there is or what is asked has changed. The cursor stays on its entry.
    pub(crate) fn refresh(&mut self, sight: Sight, lane: &LaneSnapshot, bindings: &[Arc<Entry>]) {
        let made = (sight, self.asked);
        if self.made == Some(made) {
            return;
        }
        let held = self.selected();
        self.made = Some(made);
        let at = lane.end().unwrap_or_default();
        let mut all: Vec<Glance> = match self.asked.breadth {
            Breadth::Live => lane.live.iter().filter_map(|id| lane.glance(*id, at)).collect(),
            Breadth::All => (0..lane.entries.len()).filter_map(|n| lane.glance(EntryId::from_index(n), at)).collect(),
        };
        all.extend(bindings.iter().filter_map(|binding| Glance::of(binding, at)));
        let (live, ever) = (lane.live.len() + bindings.len(), lane.entries.len() + bindings.len());
        self.chips = Chips { live, all: ever, ..Chips::of(&all, self.asked) };
        let LedgerView { kind, status, sort, .. } = self.asked;
        self.rows = all;
        self.rows.retain(|row| kind.is_none_or(|kind| row.kind == kind) && status.is_none_or(|status| row.status == status));
        let entry = |id| bindings.iter().find(|binding| binding.id == id).cloned().or_else(|| lane.entry(id));
        order(&mut self.rows, sort, |row| entry(row.id).map_or(0, |entry| Carrier::of(&entry, at).tokens));
        if let Some(row) = held.and_then(|id| self.rows.iter().position(|row| row.id == id)) {
            self.list.selected = row;
        }
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

impl Chips {
    fn of(all: &[Glance], asked: LedgerView) -> Self {
        let mut chips = Self::default();
        for row in all {
            if asked.status.is_none_or(|status| row.status == status) {
                *chips.kinds.entry(row.kind).or_insert(0) += 1;
            }
            if asked.kind.is_none_or(|kind| row.kind == kind) {
                match chips.statuses.iter_mut().find(|(status, _)| *status == row.status) {
                    Some((_, count)) => *count += 1,
                    None => chips.statuses.push((row.status, 1)),
                }
            }
        }
        chips.statuses.sort_unstable_by_key(|(status, _)| rank(*status));
        chips
    }
}

fn order(rows: &mut [Glance], sort: Sort, tokens: impl Fn(&Glance) -> u64) {
    type Key = (u64, Reverse<EventIx>);
    let newest = |row: &Glance| Reverse(row.opened);
    let key = |row: &Glance| -> Key {
        let first = match sort {
            Sort::Colour => match (row.status.is_live(), row.weight) {
                (true, Weight::Barrier) => 0,
                (true, Weight::Repair) => 1,
                (false, _) => 2,
            },
            Sort::Newest => 0,
            Sort::Oldest => u64::from(row.opened.0),
            Sort::Kind => row.kind as u64,
            Sort::Status => rank(row.status),
            Sort::Tokens => u64::MAX - tokens(row),
        };
        (first, newest(row))
    };
    rows.sort_by_cached_key(|row| (!row.lost, key(row), row.id));
}

/// The order of statuses: what still counts first.
fn rank(status: EntryStatus) -> u64 {
    status as u64
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

    fn state(change: impl FnOnce(&mut LedgerView)) -> LedgerState {
        let script = migration();
        let mut state = LedgerState::default();
        change(&mut state.asked);
        state.refresh(Sight { epoch: 0, revision: 1, lane: LaneIx(0), moment: None, judgements: 1 }, &script.lane, &[]);
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
        state.refresh(Sight { epoch: 0, revision: 2, lane: LaneIx(0), moment: None, judgements: 2 }, &script.lane, &[]);
        assert_eq!(state.selected(), held);
    }
}
