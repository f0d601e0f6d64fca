//! What came after a boundary, as the search for consequences looks at it.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::audit::consequence::{Consequence, ConsequenceClass, Distance};
use crate::audit::consequences::shown::Shown;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::texts::Texts;
use crate::base::ids::{EntryId, EventIx, TurnIx};
use crate::base::text::prefix;
use crate::evidence::Phrasebook;
use crate::ledger::commit_in;
use crate::ledger::effects::Wordings;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::{BoundaryRow, CallRow, EventKind};
use crate::ledger::{LaneSnapshot, Rulebook};

const MILLISECONDS_IN_A_MINUTE: i64 = 60_000;

/// A commit is called by at least so many digits.
const SHORT_HASH: usize = 7;

/// A lane behind one of its boundaries.
pub(in crate::audit) struct Later<'a> {
    pub(super) lane: &'a LaneSnapshot,
    pub(super) texts: &'a dyn Texts,
    pub(super) words: &'a Wordings,
    pub(super) phrasebook: &'a Phrasebook,
    /// What its calls show.
    pub(super) shown: &'a Shown<'a>,
    /// The boundary's event.
    pub(super) from: EventIx,
    /// Number of calls made before it.
    earlier: usize,
    /// The first entry that was not open yet when it happened, once somebody has asked for it.
    first: OnceCell<EntryId>,
    /// What was live just before it, once somebody has asked for that.
    live: OnceCell<Vec<Arc<Entry>>>,
}

impl<'a> Later<'a> {
    /// What came after this boundary.
    pub(in crate::audit) fn than(
        boundary: &BoundaryRow,
        (lane, shown): (&'a LaneSnapshot, &'a Shown<'a>),
        texts: &'a dyn Texts,
        rules: &'a Rulebook,
    ) -> Self {
        let from = boundary.event;
        let earlier = shown.made_before(from);
        let (words, phrasebook) = (&*rules.wordings, &*rules.phrasebook);
        Self { lane, texts, words, phrasebook, shown, from, earlier, first: OnceCell::new(), live: OnceCell::new() }
    }

    /// The calls that were made and begun, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &'a CallRow> {
        self.shown.begun(self.earlier..self.lane.calls.len())
    }

    /// All that were made, also those that the runtime refused to begin.
    pub(super) fn made(&self) -> impl Iterator<Item = &'a CallRow> {
        self.lane.calls.range(self.earlier..self.lane.calls.len())
    }

    /// Those that may have changed the world.
    pub(super) fn acts(&self) -> impl Iterator<Item = &'a CallRow> {
        self.shown.acts(self.earlier..self.lane.calls.len())
    }

    /// The calls that had been made and begun before the boundary, in order.
    pub(super) fn before(&self) -> impl Iterator<Item = &'a CallRow> {
        self.shown.begun(0..self.earlier)
    }

    /// Whether a call does what an entry is about. A program without a target is known by its words: `pnpm --filter web dev` is none of
    /// `pnpm --filter api dev`.
    pub(super) fn does(&self, call: &CallRow, entry: &Entry) -> bool {
        let Some(action) = entry.action.as_ref().filter(|action| call.does(action)) else { return false };
        let own = action.call.and_then(|ix| self.lane.calls.get(ix.index()));
        let has_all = |own: &CallRow| plain_words(&own.label).all(|word| plain_words(&call.label).any(|other| other == word));
        let is_known_by_words = entry.kind == EntryKind::Process && action.target.is_none() && call.action != action.action;
        !is_known_by_words || own.is_none_or(has_all)
    }

    /// Whether a call tells of a commit that was made since the boundary: what reports new work repeats nothing.
    pub(super) fn reports_news(&self, call: &CallRow) -> bool {
        let commits = self.calls().take_while(|other| other.event < call.event).filter(|other| other.aftermath.commits());
        let made = commits.filter_map(CallRow::ended).map(|end| self.texts.text(end.event));
        made.into_iter().any(|text| commit_in(&text).is_some_and(|commit| call.input.contains(prefix(commit, SHORT_HASH))))
    }

    /// Whether a call does what one had done before the boundary, be it to something else.
    pub(super) fn was_done_alike(&self, call: &CallRow) -> bool {
        self.shown.is_alike_to_one_of(call, self.earlier)
    }

    /// Whether a call that may have changed the world gave a value.
    pub(super) fn is_acted_on(&self, value: &str) -> bool {
        self.shown.uses().is_acted_on(value, self.lane, self.earlier)
    }

    /// The calls before the boundary that had done just what a call does.
    pub(super) fn repeated_by(&self, call: &CallRow) -> impl Iterator<Item = &'a CallRow> {
        self.shown.repeated_by(call, self.earlier)
    }

    /// The entries that were live just before the boundary, by id.
    pub(super) fn live(&self) -> &[Arc<Entry>] {
        self.live.get_or_init(|| self.lane.live_at(EventIx(self.from.0.saturating_sub(1))))
    }

    /// Whether a human asked after the boundary for what a call does.
    pub(super) fn is_ordered(&self, call: &CallRow) -> bool {
        self.shown.is_ordered(call, self.first(), self.words)
    }

    /// Whether a human asked after the boundary for what a call does, in words that may speak of what is forbidden: "show me what the
    /// catch-up run would say" allows nothing that may not be sent.
    pub(super) fn is_allowed(&self, call: &CallRow, forbidden: &Speaks<'_>) -> bool {
        self.shown.is_allowed(call, forbidden, self.first(), self.words)
    }

    fn first(&self) -> EntryId {
        *self.first.get_or_init(|| self.lane.entries_at(self.from))
    }

    /// Whether a human typed anything after the boundary and before event `until`.
    pub(super) fn was_spoken_to(&self, until: EventIx) -> bool {
        self.of_kind(EventKind::Prompt).next().is_some_and(|event| event < until)
    }

    /// What the agent said, in order.
    pub(super) fn said(&self) -> impl Iterator<Item = EventIx> + '_ {
        self.of_kind(EventKind::Assistant)
    }

    /// Whether the agent went on at all.
    pub(super) fn end(&self) -> Option<EventIx> {
        let worked = self.calls().next().is_some() || self.of_kind(EventKind::Assistant).next().is_some();
        self.lane.end().filter(|_| worked)
    }

    /// A consequence that shows at an event.
    pub(super) fn at(&self, event: EventIx, class: ConsequenceClass) -> Consequence {
        let row = |event: EventIx| self.lane.events.get(event.index());
        let times = row(event).and_then(|row| row.at).zip(row(self.from).and_then(|row| row.at));
        let minutes = times.map(|(later, then)| later.millis_since(then).max(0) / MILLISECONDS_IN_A_MINUTE);
        Consequence {
            class,
            event,
            line: row(event).map_or(0, |row| row.place.line),
            text: self.lane.labels.get(event.index()).map(ToString::to_string).unwrap_or_default(),
            distance: Distance {
                events: event.0.saturating_sub(self.from.0),
                turns: self.turn(event).0.saturating_sub(self.turn(self.from).0),
                minutes: minutes.map(|minutes| u32::try_from(minutes).unwrap_or(u32::MAX)),
            },
        }
    }

    fn of_kind(&self, kind: EventKind) -> impl Iterator<Item = EventIx> + '_ {
        let first = self.from.index() + 1;
        let rows = self.lane.events.range(first..self.lane.events.len()).enumerate();
        rows.filter(move |(_, row)| row.kind == kind).map(move |(n, _)| EventIx::from_index(first + n))
    }

    /// The turn of an event.
    pub(super) fn turn(&self, event: EventIx) -> TurnIx {
        self.lane.turn_at(event)
    }
}

/// The words of a command line that are no options, settings or redirections.
fn plain_words(line: &str) -> impl Iterator<Item = &str> {
    let is_plain = |word: &&str| word.starts_with(char::is_alphanumeric) && !word.contains(['=', '>', '|']);
    line.split_whitespace().filter(is_plain)
}
