//! The bindings that a cut makes: exact values that what stays relies on and does not state in full (DESIGN section 5).
//!
//! `parser_v2.py` says which file only as long as `src/legacy/parser_v2.py` stands somewhere; the set of the columns that were
//! rewritten is not the two of them that somebody mentions. What stays, or what a carrier states, binds nothing. Of a compaction that
//! happened, what came in the place of what went stays too: it may state a value, and rely on one.

mod draft;

use std::sync::Arc;

use crate::base::ids::{EntryId, EventIx, ValueIx};
use crate::compaction::context::Context;
use crate::compaction::range::Range;
use crate::compaction::standing::{Standing, Strictness};
use crate::compaction::usage::{Spot, Usage};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::ledger::rows::BoundaryRow;
use crate::ledger::values::ValueSet;

use draft::Draft;

/// The most bindings of one cut: the newest. More would be a flood, and no help.
const MOST: usize = 24;

/// The bindings that a compaction that happened has severed: what went with it, as far as what stays relies on it. `states` says whether
/// the texts that came in its place state a value as it is spelt.
#[must_use]
pub fn severed_by(lane: &LaneSnapshot, boundary: &BoundaryRow, states: &dyn Fn(&str) -> bool) -> Vec<Arc<Entry>> {
    let Some(before) = boundary.event.0.checked_sub(1).map(EventIx) else { return Vec::new() };
    let context = Context::of(lane, Some(before));
    let standing = Standing::of(&context, Strictness::Normal);
    let range = Range::of_boundary(&context, boundary);
    bindings(&Usage::of(&context, &standing, &range).beside(states))
}

/// The bindings of a cut, by id.
pub(super) fn bindings(usage: &Usage<'_>) -> Vec<Arc<Entry>> {
    let Some(at) = usage.context.at else { return Vec::new() };
    let mut drafts: Vec<Draft<'_>> = shortened(usage).into_iter().chain(parted(usage)).collect();
    drafts.sort_by_key(|draft| draft.defined.span);
    let older = drafts.len().saturating_sub(MOST);
    let first = usage.context.lane.entries_at(at);
    let drafts = drafts.into_iter().skip(older).enumerate();
    drafts.filter_map(|(n, draft)| draft.entry(usage.context, EntryId::from_index(first.index() + n)).map(Arc::new)).collect()
}

/// The values of which only the shortened form is used.
fn shortened<'a>(usage: &Usage<'a>) -> Vec<Draft<'a>> {
    // Of the values that are known under one short form, the newest that goes; none if one of them stays.
    let mut candidates: Vec<(ValueIx, ValueIx, Option<Spot>)> = Vec::new();
    for value in &usage.touched {
        let Some(short) = usage.row(*value).and_then(|row| row.short) else { continue };
        let sight = usage.sight(*value);
        if !sight.is_meant || usage.is_gone(usage.full(*value), sight.goes) {
            continue;
        }
        candidates.push((short, *value, sight.goes.filter(|_| !sight.stays)));
    }
    candidates.sort_unstable_by_key(|(short, value, _)| (*short, *value));
    let groups = candidates.chunk_by(|one, other| one.0 == other.0);
    groups.filter(|group| group.iter().all(|(_, _, goes)| goes.is_some())).filter_map(|group| newest(usage, group)).collect()
}

fn newest<'a>(usage: &Usage<'a>, group: &[(ValueIx, ValueIx, Option<Spot>)]) -> Option<Draft<'a>> {
    let (short, value, goes) = group.iter().max_by_key(|(_, value, goes)| (goes.map(|spot| spot.span), *value))?;
    let (own, name) = (usage.sight(*value), usage.sight(*short));
    let (short, full) = (usage.full(*short), usage.full(*value));
    let used = name.used;
    let users = once_each(usage.users(short).map(|entry| entry.id));
    let is_needed = used.is_some() || !users.is_empty() || (usage.states)(short);
    let is_known = || usage.is_known(full) || usage.is_at_home(full) || usage.is_found_by_name(full, own, name);
    (is_needed && !is_known()).then(|| Draft {
        line: format!("{short} is {full}"),
        values: vec![full],
        defined: goes.unwrap_or(Spot { span: Default::default(), since: Default::default() }),
        used,
        users,
        kind: draft::Kind::Shortened,
    })
}

/// The sets of which a part is used, and the rest is stated nowhere.
fn parted<'a>(usage: &Usage<'a>) -> Vec<Draft<'a>> {
    let Some(at) = usage.context.at else { return Vec::new() };
    let mut drafts: Vec<Draft<'a>> = Vec::new();
    let sets = usage.context.lane.values.sets.iter().rev().skip_while(|set| set.since > at);
    let first = usage.context.parts.first().map(|part| part.first).unwrap_or_default();
    for set in sets.take_while(|set| set.since >= first) {
        let known = |draft: &Draft<'_>| set.members.iter().all(|member| draft.values.contains(&usage.full(*member)));
        if let Some(draft) = part(usage, set).filter(|_| !drafts.iter().any(known)) {
            drafts.push(draft);
        }
    }
    drafts
}

fn part<'a>(usage: &Usage<'a>, set: &ValueSet) -> Option<Draft<'a>> {
    let goes = |member: &ValueIx| usage.sight(*member).goes.is_some_and(|spot| spot.span >= set.span);
    if set.members.len() < 3 || !set.members.iter().any(goes) || set.members.iter().all(|member| usage.sight(*member).stays) {
        return None;
    }
    let used = set.members.iter().filter_map(|member| usage.sight(*member).used).max_by_key(|spot| spot.span);
    let is_used = |member: &&ValueIx| usage.sight(**member).used.is_some() || usage.users(usage.full(**member)).next().is_some();
    let lost = |member: &ValueIx| !usage.sight(*member).stays && !usage.is_known(usage.full(*member));
    if set.members.iter().filter(is_used).count() < 2 || !set.members.iter().any(lost) {
        return None;
    }
    let users = once_each(set.members.iter().flat_map(|member| usage.users(usage.full(*member))).map(|entry| entry.id));
    let values: Vec<&str> = set.members.iter().map(|member| usage.full(*member)).collect();
    let defined = Spot { span: set.span, since: set.since };
    Some(Draft { line: format!("together: {}", values.join(", ")), values, defined, used, users, kind: draft::Kind::Set })
}

fn once_each(entries: impl Iterator<Item = EntryId>) -> Vec<EntryId> {
    let mut entries: Vec<EntryId> = entries.collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}
