//! Two policies side by side: what each would sever, and what each would do to every span of the context.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::narrow::{Narrow, entry_words};
use super::{Judged, List};
use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::judgement::{Action, Judgement};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::ui::assess::{Assessment, PolicyName};
use crate::ui::words;

/// What is shown beside the judgement, and the rows of both.
#[derive(Debug)]
pub(crate) struct Versus {
    /// By the other policy.
    pub(crate) judged: Judged,
    pub(crate) which: Which,
    pub(crate) rows: Vec<VersusRow>,
    /// How many entries and spans there are, whatever words leave of them.
    pub(crate) all: usize,
    pub(crate) narrow: Narrow,
    pub(crate) list: List,
    made: Option<(u64, u64, Which, Narrow)>,
}

/// Which spans have a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those to which the two do something else.
    #[default]
    Differing,
    All,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum VersusRow {
    /// The heading of what would be severed, with how many entries are.
    SeveredHeading(usize),
    /// An entry that one of them severs, and how each does.
    Severed(Arc<Entry>, [Option<Action>; 2]),
    /// The heading of the spans, with how many of how many differ.
    SpansHeading(usize, usize),
    /// A span of the context, and what each does to it.
    Span(SpanIx, [Action; 2]),
}

impl VersusRow {
    /// Whether it is an entry or a span, and no heading.
    pub(crate) fn is_thing(&self) -> bool {
        matches!(self, Self::Severed(..) | Self::Span(..))
    }

    /// Whether both are of one entry, or of one span.
    fn stands_for(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Severed(one, _), Self::Severed(other, _)) => one.key == other.key,
            (Self::Span(one, _), Self::Span(other, _)) => one == other,
            _ => false,
        }
    }
}

impl Versus {
    pub(crate) fn new(policies: Vec<PolicyName>) -> Self {
        let (which, rows, narrow, list) = (Which::default(), Vec::new(), Narrow::default(), List::default());
        Self { judged: Judged::new(policies), which, rows, all: 0, narrow, list, made: None }
    }

    /// Other spans.
    pub(crate) fn turn_which(&mut self) {
        self.which = match self.which {
            Which::Differing => Which::All,
            Which::All => Which::Differing,
        };
    }

    /// Makes the rows anew if one of the judgements has changed; `taken` counts those of the first. Without both there is no row.
    pub(crate) fn refresh(&mut self, lane: &LaneSnapshot, one: Option<&Assessment>, taken: u64) {
        let made = (taken, self.judged.taken(), self.which, self.narrow.clone());
        let both = one.zip(self.judged.answer()).filter(|(one, other)| same_state(one, other));
        match both {
            None => (self.rows, self.made) = (Vec::new(), None),
            Some(_) if self.made.as_ref() == Some(&made) => {}
            Some((one, other)) => {
                let held = self.rows.get(self.list.selected).cloned();
                (self.rows, self.all) = rows(lane, [&one.judgement, &other.judgement], self.which, &self.narrow);
                self.made = Some(made);
                let place = held.and_then(|held| self.rows.iter().position(|row| row.stands_for(&held)));
                let first = || self.rows.iter().position(VersusRow::is_thing).filter(|_| self.list.selected == 0);
                self.list.selected = place.filter(|place| *place > 0).or_else(first).unwrap_or(self.list.selected);
            }
        }
    }
}

/// Whether two judgements are on one state of one lane.
pub(crate) fn same_state(one: &Assessment, other: &Assessment) -> bool {
    let state = |assessment: &Assessment| (assessment.ticket.epoch, assessment.ticket.lane, assessment.judgement.at);
    state(one) == state(other)
}

/// The rows that words leave, and how many entries and spans there are without them.
fn rows(lane: &LaneSnapshot, [one, other]: [&Judgement; 2], which: Which, narrow: &Narrow) -> (Vec<VersusRow>, usize) {
    let severed = severed(lane, one, other);
    let (mut rows, of_entries) = (Vec::new(), severed.len());
    if !severed.is_empty() {
        rows.push(VersusRow::SeveredHeading(severed.len()));
        let left = severed.into_iter().filter(|(entry, _)| narrow.leaves(|| entry_words(lane, entry)));
        rows.extend(left.map(|(entry, how)| VersusRow::Severed(entry, how)));
    }
    let spans = one.spans.context().zip(other.spans.context()).map(|(one, other)| (one.span, [one.action, other.action]));
    let (mut differing, mut all, heading) = (0, 0, rows.len());
    for (span, actions) in spans {
        let differs = actions[0] != actions[1];
        (all, differing) = (all + 1, differing + usize::from(differs));
        if (differs || which == Which::All) && narrow.leaves(|| words::span(lane, span, None)) {
            rows.push(VersusRow::Span(span, actions));
        }
    }
    rows.insert(heading, VersusRow::SpansHeading(differing, all));
    (rows, of_entries + if which == Which::All { all } else { differing })
}

/// An entry, and how each severs it.
type SeveredBy = (Arc<Entry>, [Option<Action>; 2]);

/// What either severs, worst first. The bindings of a cut have ids of their own in each judgement, and one key in both.
fn severed(lane: &LaneSnapshot, one: &Judgement, other: &Judgement) -> Vec<SeveredBy> {
    let mut found: BTreeMap<(Option<EntryId>, String), SeveredBy> = BTreeMap::new();
    for (n, judgement) in [one, other].into_iter().enumerate() {
        for severed in &judgement.severed {
            let Some(entry) = judgement.entry(lane, severed.entry) else { continue };
            let own = lane.entry(entry.id).is_some_and(|known| known.key == entry.key);
            let key = if own { (Some(entry.id), String::new()) } else { (None, entry.key.clone()) };
            let (_, how) = found.entry(key).or_insert_with(|| (entry, [None, None]));
            if let Some(how) = how.get_mut(n) {
                *how = Some(severed.how);
            }
        }
    }
    let mut found: Vec<SeveredBy> = found.into_values().collect();
    let at = one.at.unwrap_or_default();
    found.sort_by_cached_key(|(entry, _)| entry.rank_at(at));
    found
}
