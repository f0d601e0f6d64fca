//! What the time line leaves out: filters, each of which narrows what the others left, and turns that are folded to their prompt.
//!
//! The rows that are left are listed once for a state of the lane, not once a frame. Where nothing is left out there is no list.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::search::is_place;
use super::{App, Sight};
use crate::base::ids::EventIx;
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::rows::{CallRow, EndHow, EventKind, EventRow};
use crate::ui::assess::Assessment;
use crate::ui::rows::{Rows, shows};

/// One filter. Compactions are never filtered: they are what one orients oneself by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Chip {
    /// Only what failed, or may have.
    Errors,
    /// Only calls that do something to the world.
    Effects,
    /// Only what is open: no result, or an effect in doubt.
    Open,
    /// Only spans that must be carried or must stay.
    Owed,
    /// Only what people and the agent said.
    Said,
    /// Only calls of this tool.
    Tool(Arc<str>),
    /// Only events of this kind.
    Kind(EventKind),
    /// Only places of what was searched for.
    Matches,
}

/// So many hidden rows are counted, for a frame counts them.
pub(crate) const MOST_COUNTED: usize = 999;

/// Filters and folds, and the rows that they leave.
#[derive(Debug, Default)]
pub(crate) struct Sieve {
    chips: BTreeSet<Chip>,
    /// Turns of which only the first row is shown, by their first event.
    folded: BTreeSet<EventIx>,
    left: Option<Vec<EventIx>>,
    made: Option<Made>,
    /// How often filters or folds have changed.
    changes: u64,
}

/// What the list was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    sight: Sight,
    changes: u64,
    found: usize,
}

impl Sieve {
    pub(crate) fn chips(&self) -> impl Iterator<Item = &Chip> {
        self.chips.iter()
    }

    pub(crate) fn is_filtered(&self) -> bool {
        !self.chips.is_empty()
    }

    /// The rows that are left; none: all are.
    pub(crate) fn left(&self) -> Option<&[EventIx]> {
        self.left.as_deref()
    }

    /// Puts a filter in, or takes it out; there is only one tool or kind.
    pub(crate) fn turn(&mut self, chip: Chip) {
        self.changes += 1;
        if self.chips.remove(&chip) {
            return;
        }
        if chip.is_of_row() {
            self.chips.retain(|other| !other.is_of_row());
        }
        self.chips.insert(chip);
    }

    /// Takes all filters out.
    pub(crate) fn clear(&mut self) {
        self.changes += 1;
        self.chips.clear();
    }

    /// Shows every turn whole, and everything in it: the lane is another one.
    pub(crate) fn forget(&mut self) {
        self.clear();
        self.folded.clear();
    }

    /// Whether of the turn that begins with `first` only that is shown.
    pub(crate) fn is_folded(&self, first: EventIx) -> bool {
        self.folded.contains(&first)
    }

    pub(crate) fn fold(&mut self, first: EventIx) {
        self.changes += u64::from(self.folded.insert(first));
    }

    pub(crate) fn unfold(&mut self, first: EventIx) {
        self.changes += u64::from(self.folded.remove(&first));
    }

    /// Folds every turn, or unfolds all of them if all were folded.
    pub(crate) fn turn_all(&mut self, lane: &LaneSnapshot) {
        self.changes += 1;
        let turns: BTreeSet<EventIx> = lane.turns.iter().map(|turn| turn.first).collect();
        self.folded = if turns.is_subset(&self.folded) { BTreeSet::new() } else { turns };
    }

    /// The rows of a lane, as they were left when the list was made.
    pub(crate) fn rows<'a>(&'a self, lane: &'a LaneSnapshot) -> Rows<'a> {
        Rows::left(lane, self.left.as_deref())
    }

    /// Makes the list again if what it was made of has changed.
    pub(crate) fn refresh(&mut self, sight: Sight, lane: &LaneSnapshot, assessment: Option<&Assessment>, found: &[EventIx]) {
        let made = Made { sight, changes: self.changes, found: found.len() };
        if self.made == Some(made) {
            return;
        }
        self.made = Some(made);
        if self.chips.is_empty() && self.folded.is_empty() {
            self.left = None;
            return;
        }
        let passes = |n: usize, row: &EventRow| {
            row.kind == EventKind::Boundary
                || self.chips.iter().all(|chip| chip.keeps(lane, (EventIx::from_index(n), row), assessment, found))
        };
        let mut left = Vec::new();
        let mut turns = lane.turns.iter().map(|turn| turn.first).peekable();
        let (mut folded, mut told) = (false, false);
        for (n, row) in lane.events.iter().enumerate() {
            while let Some(first) = turns.next_if(|first| first.index() <= n) {
                (folded, told) = (self.folded.contains(&first), false);
            }
            if (folded && told && row.kind != EventKind::Boundary) || !shows(lane, n, row) || !passes(n, row) {
                continue;
            }
            told |= row.kind != EventKind::Boundary;
            left.push(EventIx::from_index(n));
        }
        self.left = Some(left);
    }
}

impl Chip {
    /// Whether it is taken from a row: its tool, or its kind.
    pub(crate) fn is_of_row(&self) -> bool {
        matches!(self, Self::Tool(_) | Self::Kind(_))
    }

    fn keeps(
        &self,
        lane: &LaneSnapshot,
        (event, row): (EventIx, &EventRow),
        assessment: Option<&Assessment>,
        found: &[EventIx],
    ) -> bool {
        let call = || row.call.and_then(|ix| lane.calls.get(ix.index())).filter(|_| row.kind == EventKind::Call);
        match self {
            Self::Errors => match row.kind {
                EventKind::RequestFailed | EventKind::Interrupted => true,
                _ => call().is_some_and(went_wrong),
            },
            Self::Effects => call().is_some_and(|call| call.class.has_effect()),
            Self::Open => call().is_some_and(is_open),
            Self::Owed => {
                let view = row.span.and_then(|span| assessment?.span(span)).filter(|view| view.in_context);
                view.is_some_and(|view| view.colour != Colour::Opportunity)
            }
            Self::Said => matches!(row.kind, EventKind::Prompt | EventKind::Task | EventKind::Assistant | EventKind::Summary),
            Self::Tool(tool) => call().is_some_and(|call| call.tool == *tool),
            Self::Kind(kind) => row.kind == *kind,
            Self::Matches => is_place(found, event, call()),
        }
    }
}

fn is_open(call: &CallRow) -> bool {
    call.ended().is_none_or(|end| end.effect == Some(EffectStatus::Unknown))
}

fn went_wrong(call: &CallRow) -> bool {
    let how = call.ended().map(|end| end.how);
    how.is_some_and(|how| !matches!(how, EndHow::Success | EndHow::Returned | EndHow::Started | EndHow::NotRecorded))
}

impl App {
    /// The first event of the turn in which an event stands.
    pub(crate) fn turn_of(&self, event: EventIx) -> Option<EventIx> {
        let lane = self.lane()?;
        let after = turns_until(lane, event);
        Some(lane.turns.get(after.checked_sub(1)?)?.first)
    }

    /// The rows that a folded turn hides.
    pub(crate) fn hidden_in(&self, first: EventIx) -> usize {
        let Some(lane) = self.lane() else { return 0 };
        let until = lane.turns.get(turns_until(lane, first)).map_or(lane.events.len(), |next| next.first.index());
        let rows = lane.events.range(first.index()..until);
        rows.enumerate().filter(|(n, row)| shows(lane, first.index() + n, row)).take(MOST_COUNTED + 1).count().saturating_sub(1)
    }
}

/// Number of turns that had begun at an event.
fn turns_until(lane: &LaneSnapshot, event: EventIx) -> usize {
    let (mut low, mut high) = (0, lane.turns.len());
    while low < high {
        let middle = low.midpoint(high);
        match lane.turns.get(middle) {
            Some(turn) if turn.first <= event => low = middle + 1,
            _ => high = middle,
        }
    }
    low
}
