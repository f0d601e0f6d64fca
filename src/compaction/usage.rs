//! What becomes of the exact values of a context when a range goes: where each was defined, whether what stays states it, and what
//! relies on it.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::base::ids::{EventIx, SpanIx, ValueIx};
use crate::compaction::carrier::Carrier;
use crate::compaction::context::Context;
use crate::compaction::range::Range;
use crate::compaction::standing::{HeldBy, Place, Standing};
use crate::ledger::effects::Class;
use crate::ledger::entry::{Entry, HolderForm};
use crate::ledger::rows::SpanKind;
use crate::ledger::values::{Relation, ValuePlace, ValueRole, ValueRow, ends, family, relation, spelled};
use crate::transcript::ResolutionStatus;

/// The values of a context, and what becomes of them.
pub(super) struct Usage<'a> {
    pub(super) context: &'a Context<'a>,
    standing: &'a Standing,
    /// Of each value of the lane.
    sights: Vec<Sight>,
    /// Those that stand in the context, by number.
    pub(super) touched: Vec<ValueIx>,
    /// The names that live entries use, by family, each with its entry.
    named: FxHashMap<u32, Vec<(&'a str, &'a Entry)>>,
    /// All that the carriers of live entries state, a line each, once somebody has asked for it.
    carried: OnceCell<String>,
    /// Whether what comes in the place of what goes states a value as it is spelt. Of a cut that nobody has made, nothing is known.
    pub(super) states: &'a dyn Fn(&str) -> bool,
}

/// What becomes of one value.
#[derive(Clone, Copy, Default)]
pub(super) struct Sight {
    /// The last place that goes in which it stands.
    pub(super) goes: Option<Spot>,
    /// The first span of the context in which it stands, and what that does with it.
    pub(super) first: Option<(SpanIx, ValueRole)>,
    /// Whether it stands in what stays.
    pub(super) stays: bool,
    /// Whether somebody said it or gave it to a tool: what only an output or the content of a file shows is nobody's.
    pub(super) is_meant: bool,
    /// The newest place in what stays that says it, or gives it to a tool.
    pub(super) used: Option<Spot>,
}

/// A place of the context in which a value stands.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) span: SpanIx,
    /// The event by which that is known.
    pub(super) since: EventIx,
}

impl<'a> Usage<'a> {
    /// What becomes of the values of `context` when `range` goes.
    pub(super) fn of(context: &'a Context<'a>, standing: &'a Standing, range: &Range) -> Self {
        let (sights, touched, named) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut usage = Self { context, standing, sights, touched, named, carried: OnceCell::new(), states: &|_| false };
        let (Some(at), Some(first)) = (context.at, context.parts.first()) else { return usage };
        usage.sights = vec![Sight::default(); context.lane.values.all.len()];
        // A span that was kept from before relies on nothing by itself: what of it still counts is a live entry.
        let tail = range.iter().next_back().map_or(0, |last| last + 1);
        for place in context.lane.values.places_between(first.first, at) {
            usage.note(place, range, tail);
        }
        usage.touched.sort_unstable();
        for (entry, _) in standing.all().filter(|(entry, _)| relies(entry)) {
            for name in names(entry, at) {
                let name = spelled(name);
                usage.named.entry(family(name)).or_default().push((name, entry));
            }
        }
        usage
    }

    /// The same where something comes in the place of what goes that `states` values.
    pub(super) fn beside(self, states: &'a dyn Fn(&str) -> bool) -> Self {
        Self { states, ..self }
    }

    fn note(&mut self, place: &ValuePlace, range: &Range, tail: usize) {
        let Some(part) = self.context.part_of(place.span) else { return };
        let kind = self.context.parts.get(part).map(|part| part.kind);
        let is_result = place.role == ValueRole::Shown && kind == Some(SpanKind::Step);
        let text = if is_result { HeldBy::Result } else { HeldBy::Text };
        let goes = range.takes(&Place { part, form: HolderForm::Verbatim, text });
        let Some(sight) = self.sights.get_mut(place.value.index()) else { return };
        if sight.goes.is_none() && !sight.stays {
            self.touched.push(place.value);
        }
        if sight.first.is_none_or(|(span, _)| place.span < span) {
            sight.first = Some((place.span, place.role));
        }
        sight.is_meant |= place.role != ValueRole::Shown;
        let spot = Spot { span: place.span, since: place.since };
        let newest = |old: Option<Spot>| old.filter(|old| old.span > spot.span).or(Some(spot));
        if goes {
            sight.goes = newest(sight.goes);
        } else {
            sight.stays = true;
            if part >= tail && place.role != ValueRole::Shown {
                sight.used = newest(sight.used);
            }
        }
    }

    /// A value, as it was known at the context's moment.
    pub(super) fn row(&self, value: ValueIx) -> Option<&'a ValueRow> {
        let row = self.context.lane.values.all.get(value.index())?;
        (row.since() <= self.context.at?).then_some(row)
    }

    /// A value in full.
    pub(super) fn full(&self, value: ValueIx) -> &'a str {
        self.row(value).map_or("", |row| row.full_at(self.context.at.unwrap_or_default()))
    }

    pub(super) fn sight(&self, value: ValueIx) -> Sight {
        self.sights.get(value.index()).copied().unwrap_or_default()
    }

    /// The live entries that use a value under this name.
    pub(super) fn users(&self, name: &str) -> impl Iterator<Item = &'a Entry> + '_ {
        let name = spelled(name).to_owned();
        let own = self.named.get(&family(&name)).map_or(&[][..], Vec::as_slice);
        own.iter().filter(move |(own, _)| relation(own, &name) == Relation::Same).map(|(_, entry)| *entry)
    }

    /// Whether a file stands in the folder from which the work is done, as far as the paths of the context show: above most of them,
    /// and not only beside them, or named itself. There its name is enough.
    pub(super) fn is_at_home(&self, path: &str) -> bool {
        let Some((folder, _)) = path.rsplit_once('/').filter(|_| path.starts_with('/')) else { return false };
        let (mut all, mut beside, mut below, mut is_named) = (0, 0, 0, false);
        for other in self.touched.iter().map(|value| self.full(*value)).filter(|other| other.starts_with('/')) {
            all += 1;
            is_named |= other == folder;
            match other.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
                Some(rest) if rest.contains('/') => below += 1,
                Some(_) => beside += 1,
                None => {}
            }
        }
        (below > 0 || is_named) && (below + beside) * 2 > all
    }

    /// Whether a file was found by its name alone: the name was said, nothing had shown where the file is, and a call gave it in full
    /// from the root. Who did that can do it again.
    pub(super) fn is_found_by_name(&self, path: &str, own: Sight, short: Sight) -> bool {
        let is_given = |(span, role)| (role == ValueRole::Given).then_some(span);
        let is_said = |(span, role)| (role == ValueRole::Said).then_some(span);
        let (given, said) = (own.first.and_then(is_given), short.first.and_then(is_said));
        path.starts_with('/') && given.zip(said).is_some_and(|(given, said)| said < given)
    }

    /// Whether the newest call that names a file removed it, or looked for it in vain.
    pub(super) fn is_gone(&self, path: &str, newest: Option<Spot>) -> bool {
        let (Some(at), Some(spot)) = (self.context.at, newest) else { return false };
        let lane = self.context.lane;
        let call = lane.events.get(spot.since.index()).and_then(|row| row.call).and_then(|call| lane.calls.get(call.index()));
        let Some((call, end)) = call.and_then(|call| Some((call, call.end_at(at)?))) else { return false };
        let path = spelled(path);
        let names = |target: &str| target.split(' ').any(|name| relation(spelled(name), path) == Relation::Same);
        match end.how.status() {
            ResolutionStatus::Result => call.aftermath.removes.iter().any(|removed| names(removed)),
            ResolutionStatus::Error => call.class == Class::Read && call.target.as_deref().is_some_and(names),
            ResolutionStatus::Abandoned => false,
        }
    }

    /// Whether a value stands in full after the cut: in a carrier of a live entry, or in what comes in the place of what goes.
    pub(super) fn is_known(&self, value: &str) -> bool {
        let value = spelled(value);
        std::iter::once(value).chain(ends(value)).any(|spelt| (self.states)(spelt)) || self.is_carried(value)
    }

    /// Whether a carrier of a live entry states a value: then the value comes with it.
    fn is_carried(&self, value: &str) -> bool {
        let value = spelled(value);
        let end = ends(value).next().unwrap_or(value);
        let carried = self.carried.get_or_init(|| self.all_carried());
        memchr::memmem::find(carried.as_bytes(), end.as_bytes()).is_some()
    }

    fn all_carried(&self) -> String {
        let Some(at) = self.context.at else { return String::new() };
        let mut all = String::new();
        for (entry, _) in self.standing.all() {
            all.push_str(&Carrier::of(entry, at).text);
            all.push('\n');
            for name in names(entry, at) {
                all.push_str(name);
                all.push('\n');
            }
        }
        all
    }
}

/// Whether an entry relies on what it names. The assistant's report of what it did does not: what is asked of that is an entry of its
/// own.
fn relies(entry: &Entry) -> bool {
    !entry.is_of_last_message()
}

/// The exact values that an entry names or acts on.
pub(super) fn names(entry: &Entry, at: EventIx) -> impl Iterator<Item = &str> {
    let action = entry.action.as_ref();
    let target = action.and_then(|action| action.target.as_deref());
    entry.names_at(at).chain(target).chain(action.and_then(|action| action.key.as_deref()))
}
