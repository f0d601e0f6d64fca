//! One boundary: the ledger just before it against all that stands after it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::audit::consequences::{self, Later};
use crate::audit::fate::Fate;
use crate::audit::finding::Finding;
use crate::audit::standing::Standing;
use crate::audit::texts::Texts;
use crate::audit::{BoundaryAudit, Obligations, Passage, Told};
use crate::base::ids::{BoundaryIx, EntryId, EventIx};
use crate::compaction::carrier::{Carrier, floor};
use crate::evidence::Haystack;
use crate::ledger::entry::Entry;
use crate::ledger::rows::BoundaryRow;
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::transcript::BoundaryKind;

/// Every compaction and masking of a lane, by place.
pub(super) fn all(lane: &LaneSnapshot, texts: &dyn Texts, rules: &Rulebook) -> Vec<BoundaryAudit> {
    let mut past = Past::default();
    let boundaries = lane.boundaries.iter().enumerate().filter(|(_, row)| row.kind != BoundaryKind::Rewound);
    boundaries.map(|(n, row)| one(BoundaryIx::from_index(n), row, (lane, texts, rules), &mut past)).collect()
}

/// What earlier boundaries have done: what one has lost, the next cannot lose.
#[derive(Default)]
struct Past {
    lost: FxHashMap<EntryId, EventIx>,
}

fn one(
    ix: BoundaryIx,
    row: &BoundaryRow,
    (lane, texts, rules): (&LaneSnapshot, &dyn Texts, &Rulebook),
    past: &mut Past,
) -> BoundaryAudit {
    let before = EventIx(row.event.0.saturating_sub(1));
    let standing = Standing::after(row, lane, texts);
    let stood = lane.live_at(before).into_iter().filter(|entry| past.stood(entry, before));
    let entries: Vec<Told> = stood.map(|entry| told(entry, row, &standing, lane)).collect();
    for told in entries.iter().filter(|told| matches!(told.fate, Fate::Missing | Fate::Contradicted)) {
        past.lost.insert(told.entry.id, row.event);
    }
    let mut findings: Vec<Finding> = Vec::new();
    let later = Later::than(row, lane, texts, &rules.wordings);
    for finding in &mut findings {
        finding.consequences = consequences::search(finding, &later);
    }
    BoundaryAudit { boundary: ix, obligations: obligations(&entries, before), entries, findings }
}

impl Past {
    /// Whether an entry stood in the context: no earlier boundary has lost it, or it was said again since.
    fn stood(&self, entry: &Entry, before: EventIx) -> bool {
        let again = |lost: &EventIx| entry.places_at(before).any(|holder| holder.since > *lost);
        self.lost.get(&entry.id).is_none_or(again)
    }
}

fn told(entry: Arc<Entry>, row: &BoundaryRow, standing: &Standing, lane: &LaneSnapshot) -> Told {
    let is_held = lane.holders_at(&entry, standing.until).next().is_some();
    let stands = standing.pieces.iter().find(|piece| Haystack::new(&piece.text).holds(&entry.text));
    let fate = match (is_held || stands.is_some(), row.opaque) {
        (true, _) => Fate::Verbatim,
        (false, true) => Fate::Unobserved,
        (false, false) => Fate::Unverifiable,
    };
    let stands = stands.map(|piece| Passage { event: piece.event, line: piece.line, text: entry.text.to_string() });
    Told { entry, fate, stands }
}

fn obligations(entries: &[Told], at: EventIx) -> Obligations {
    let mut sum = Obligations::default();
    for told in entries {
        let tokens = Carrier::of(&told.entry, at).tokens;
        sum.before += tokens;
        sum.floor += floor(&told.entry);
        sum.after += if told.fate.is_kept() { tokens } else { 0 };
    }
    sum
}
