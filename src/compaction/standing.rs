//! Where the live entries stand in the context: the join of the ledger and the spans.

use std::ops::Range;
use std::sync::Arc;

use crate::base::ids::EventIx;
use crate::compaction::context::Context;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryStatus, HolderForm};
use crate::ledger::rows::EventKind;
use crate::transcript::BoundaryKind;

/// Whether an entry that ended by age, and not by observation, still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// It does not.
    Normal,
    /// It does: `--strict`.
    Strict,
}

/// The live entries of a moment, each with the places in the context where it stands.
#[derive(Debug, Default)]
pub(super) struct Standing {
    entries: Vec<Arc<Entry>>,
    places: Vec<Place>,
    /// For each entry, where its places are.
    runs: Vec<Range<usize>>,
}

/// One place where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The span, by its place in the context.
    pub(super) part: usize,
    pub(super) form: HolderForm,
    pub(super) text: HeldBy,
}

/// What in a span holds an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HeldBy {
    /// The body of a result: a masking takes it.
    Result,
    /// Anything else.
    Text,
}

impl Standing {
    /// The live entries of the context's moment.
    pub(super) fn of(context: &Context<'_>, strictness: Strictness) -> Self {
        let Some(at) = context.at else { return Self::default() };
        let entries = live(context.lane, strictness, at);
        let mut standing = Self::default();
        standing.add(context, &entries);
        standing
    }

    /// Adds entries of later ids.
    pub(super) fn add(&mut self, context: &Context<'_>, entries: &[Arc<Entry>]) {
        let Some(at) = context.at else { return };
        for entry in entries {
            let start = self.places.len();
            places(context, entry, at, &mut self.places);
            self.runs.push(start..self.places.len());
            self.entries.push(Arc::clone(entry));
        }
    }

    /// The entries that the context holds, each with where.
    pub(super) fn held(&self) -> impl Iterator<Item = (&Entry, &[Place])> + '_ {
        self.all().filter(|(_, places)| !places.is_empty())
    }

    /// The entries that the context no longer holds: they colour nothing.
    pub(super) fn lost(&self) -> impl Iterator<Item = &Entry> + '_ {
        self.all().filter(|(_, places)| places.is_empty()).map(|(entry, _)| entry)
    }

    /// All of them, by id.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Entry, &[Place])> + '_ {
        let places = |run: &Range<usize>| self.places.get(run.clone()).unwrap_or_default();
        self.entries.iter().zip(&self.runs).map(move |(entry, run)| (&**entry, places(run)))
    }
}

/// The entries of a lane that count after event `at`, by id.
#[must_use]
pub fn live(lane: &LaneSnapshot, strictness: Strictness, at: EventIx) -> Vec<Arc<Entry>> {
    match strictness {
        Strictness::Normal => lane.live_at(at),
        Strictness::Strict => {
            let counts =
                |entry: &Arc<Entry>| entry.status_at(at).is_some_and(|status| status.is_live() || status == EntryStatus::Settled);
            lane.entries_until(at).filter(counts).collect()
        }
    }
}

/// Adds the places where an entry stands, each once; none where it is lost.
fn places(context: &Context<'_>, entry: &Entry, at: EventIx, places: &mut Vec<Place>) {
    if entry.lost_at(at).is_some() {
        return;
    }
    let in_results = in_results(context, entry, at);
    let held_by = |part| if in_results.binary_search(&part).is_ok() { HeldBy::Result } else { HeldBy::Text };
    let own = entry.places_at(at).filter_map(|holder| Some((context.part_of(holder.span)?, holder.form)));
    let mut own: Vec<Place> = own.map(|(part, form)| Place { part, form, text: held_by(part) }).collect();
    own.sort_unstable();
    own.dedup();
    if own.is_empty() {
        // Not lost, and nowhere to be seen: an encrypted summary may hold it.
        own.extend(opaque_summary(context, at));
    }
    places.append(&mut own);
}

/// The spans in which it is a result that shows an entry, by their place in the context, in order.
fn in_results(context: &Context<'_>, entry: &Entry, at: EventIx) -> Vec<usize> {
    let rows = entry.evidence.iter().filter(|event| **event <= at).filter_map(|event| context.lane.events.get(event.index()));
    let results = rows.filter(|row| row.kind == EventKind::Resolution);
    let mut parts: Vec<usize> = results.filter_map(|row| context.part_of(row.span?)).collect();
    parts.sort_unstable();
    parts
}

/// The summary that nobody can read, if the last boundary left one.
fn opaque_summary(context: &Context<'_>, at: EventIx) -> Option<Place> {
    let boundary = context.lane.boundaries.iter().rev().find(|row| row.event <= at && row.kind != BoundaryKind::Masking)?;
    let summary = boundary.summary.filter(|summary| boundary.opaque && *summary <= at)?;
    let part = context.part_of(context.lane.events.get(summary.index())?.span?)?;
    Some(Place { part, form: HolderForm::Restated, text: HeldBy::Text })
}
