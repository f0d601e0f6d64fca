//! What there is to filter the ledger's list by: of each kind and status how many entries there are.

use std::collections::BTreeMap;

use super::LedgerView;
use crate::ledger::Glance;
use crate::ledger::entry::{EntryKind, EntryStatus};

/// How many entries there are of each kind and status, under the other filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chips {
    pub(crate) kinds: BTreeMap<EntryKind, usize>,
    pub(crate) statuses: Vec<(EntryStatus, usize)>,
    /// The live ones that are owed, whatever the filter.
    pub(crate) live: usize,
    /// Those that have ended.
    pub(crate) closed: usize,
    /// All that were ever opened.
    pub(crate) all: usize,
}

impl Chips {
    pub(super) fn add(&mut self, glance: &Glance, asked: LedgerView) {
        if asked.status.is_none_or(|status| glance.status == status) {
            *self.kinds.entry(glance.kind).or_insert(0) += 1;
        }
        if asked.kind.is_none_or(|kind| glance.kind == kind) {
            match self.statuses.binary_search_by_key(&rank(glance.status), |(status, _)| rank(*status)) {
                Ok(at) => self.statuses.get_mut(at).into_iter().for_each(|(_, count)| *count += 1),
                Err(at) => self.statuses.insert(at, (glance.status, 1)),
            }
        }
    }

    /// How many entries pass both filters.
    pub(crate) fn passing(&self, asked: LedgerView) -> usize {
        self.kinds.iter().filter(|(kind, _)| asked.kind.is_none_or(|asked| asked == **kind)).map(|(_, count)| count).sum()
    }

    /// Counts an entry no more; none where it was not counted.
    pub(super) fn take(&mut self, glance: &Glance, asked: LedgerView) -> Option<()> {
        if asked.status.is_none_or(|status| glance.status == status) {
            let count = self.kinds.get_mut(&glance.kind)?;
            *count -= 1;
            if *count == 0 {
                self.kinds.remove(&glance.kind);
            }
        }
        if asked.kind.is_none_or(|kind| glance.kind == kind) {
            let at = self.statuses.binary_search_by_key(&rank(glance.status), |(status, _)| rank(*status)).ok()?;
            let (_, count) = self.statuses.get_mut(at)?;
            *count -= 1;
            if *count == 0 {
                self.statuses.remove(at);
            }
        }
        Some(())
    }
}

/// The order of statuses: what still counts first.
pub(super) fn rank(status: EntryStatus) -> u64 {
    status as u64
}
