//! The rows of the dry run: what about it nobody can know, what would be severed, then every span of the context with the cut among them.

use super::List;
use super::narrow::{Narrow, entry_words};
use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::Unknown;
use crate::ledger::LaneSnapshot;
use crate::ui::assess::Assessment;
use crate::ui::words;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DryRunRow {
    /// The heading of what nobody can know.
    UnknownHeading,
    /// What about the policy's run a transcript does not tell.
    Unknown(Unknown),
    /// The heading of what would be severed.
    SeveredHeading,
    /// A severed entry, by its place in the judgement.
    Severed(usize),
    /// The heading of the spans.
    SpansHeading,
    /// A span of the context.
    Span(SpanIx),
    /// The cut: what stands below it is kept.
    Cut,
}

impl DryRunRow {
    /// Whether it is an entry or a span, and no heading.
    pub(crate) fn is_thing(self) -> bool {
        matches!(self, Self::Severed(_) | Self::Span(_))
    }
}

/// The rows and their cursor.
#[derive(Debug, Default)]
pub(crate) struct DryRunState {
    pub(crate) rows: Vec<DryRunRow>,
    /// How many entries and spans there are, whatever of them is shown.
    pub(crate) all: usize,
    pub(crate) narrow: Narrow,
    pub(crate) list: List,
    /// Of which judgement, by number, and by what narrowed.
    made: Option<(u64, Narrow)>,
}

impl DryRunState {
    /// Lists the rows again if the judgement, by number, is another one or words narrow them otherwise. The cursor stays on its row
    /// if that is still there.
    pub(crate) fn refresh(&mut self, lane: &LaneSnapshot, one: Option<(&Assessment, u64)>) {
        let made = one.map(|(_, number)| (number, self.narrow.clone()));
        if self.made == made {
            return;
        }
        let held = self.selected().filter(|_| self.made.as_ref().map(|(_, narrow)| narrow) != Some(&self.narrow));
        self.rows = one.map_or_else(Vec::new, |(assessment, _)| rows(lane, assessment, &self.narrow));
        self.all = one.map_or(0, |(assessment, _)| assessment.judgement.severed.len() + assessment.range.len());
        self.made = made;
        let is_new = self.list.selected == 0;
        let place = held.and_then(|held| self.rows.iter().position(|row| *row == held && row.is_thing()));
        // A heading says nothing more when it is looked at.
        let first = || self.rows.iter().position(|row| row.is_thing()).filter(|_| is_new);
        self.list.selected = place.or_else(first).unwrap_or(self.list.selected);
    }

    /// The row under the cursor.
    pub(crate) fn selected(&self) -> Option<DryRunRow> {
        self.rows.get(self.list.selected).copied()
    }

    /// Puts the cursor on the cut.
    pub(crate) fn select_cut(&mut self) {
        let cut = self.rows.iter().position(|row| *row == DryRunRow::Cut);
        self.list.selected = cut.unwrap_or(self.list.selected);
    }
}

/// The rows of a judgement. Words leave out entries and spans; the headings and the cut stay, for the rest is read by them.
fn rows(lane: &LaneSnapshot, assessment: &Assessment, narrow: &Narrow) -> Vec<DryRunRow> {
    let judgement = &assessment.judgement;
    let mut rows = Vec::new();
    if !judgement.unknown.is_empty() {
        rows.push(DryRunRow::UnknownHeading);
        rows.extend(judgement.unknown.iter().map(|unknown| DryRunRow::Unknown(*unknown)));
    }
    if !judgement.severed.is_empty() {
        rows.push(DryRunRow::SeveredHeading);
        let said = |id| judgement.entry(lane, id).map(|entry| entry_words(lane, &entry)).unwrap_or_default();
        let severed = judgement.severed.iter().enumerate().filter(|(_, severed)| narrow.leaves(|| said(severed.entry)));
        let mut severed: Vec<(usize, EntryId)> = severed.map(|(n, severed)| (n, severed.entry)).collect();
        let at = judgement.at.unwrap_or_default();
        severed.sort_by_cached_key(|(_, id)| judgement.entry(lane, *id).map(|entry| entry.rank_at(at)));
        rows.extend(severed.into_iter().map(|(n, _)| DryRunRow::Severed(n)));
    }
    rows.push(DryRunRow::SpansHeading);
    let (before, after) = assessment.range.split_at(assessment.range.partition_point(|span| *span < judgement.cut));
    let left = |spans: &[SpanIx]| -> Vec<DryRunRow> {
        let left = spans.iter().filter(|span| narrow.leaves(|| words::span(lane, **span, None)));
        left.map(|span| DryRunRow::Span(*span)).collect()
    };
    rows.extend(left(before));
    rows.push(DryRunRow::Cut);
    rows.extend(left(after));
    rows
}
