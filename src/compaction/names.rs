//! The live identifiers: the exact values that every summary must name (DESIGN section 5; essay "unresolved tool-call obligations").

use rustc_hash::FxHashMap;

use crate::base::ids::ValueIx;
use crate::compaction::standing::Standing;
use crate::compaction::usage::{Usage, names};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EntryKind;
use crate::ledger::rows::CallRow;
use crate::ledger::values::{ValueRole, is_same, spelled};

/// The most of them: more is a list that nobody repeats.
const MOST: usize = 64;

/// The most files that are open at once.
const OPEN_FILES: usize = 8;

/// So many calls back a branch is looked for.
const CALLS_BACK: usize = 400;

/// Every value that a live entry or what stays uses in any form, each in full, and the open files and the branch; sorted. Where they
/// are too many, what live entries use comes first, then what was used last.
pub(super) fn live_identifiers(usage: &Usage<'_>, standing: &Standing) -> Vec<String> {
    let Some(at) = usage.context.at else { return Vec::new() };
    let full = in_full(usage);
    let in_entries = standing.all().flat_map(|(entry, _)| names(entry, at));
    let mut used: Vec<ValueIx> = usage.touched.iter().copied().filter(|value| usage.sight(*value).used.is_some()).collect();
    used.sort_by_key(|value| std::cmp::Reverse((usage.sight(*value).used.map(|spot| spot.span), *value)));
    let in_words = used.into_iter().map(|value| usage.full(value));
    let calls = newest_calls(usage);
    let open = calls.iter().copied().filter_map(open_file).take(OPEN_FILES);
    let all = in_entries.chain(given(usage, standing)).chain(branch(&calls)).chain(open).chain(in_words);
    let mut named: Vec<&str> = Vec::new();
    for value in all.map(|value| full.get(spelled(value)).copied().unwrap_or(value)).filter(|value| !value.trim().is_empty()) {
        let count = named.len();
        match named.iter_mut().find(|known| **known == value || is_same(spelled(known), spelled(value))) {
            Some(known) if value.len() > known.len() => *known = value,
            Some(_) => {}
            None if count == MOST => break,
            None => named.push(value),
        }
    }
    named.sort_unstable();
    named.into_iter().map(str::to_owned).collect()
}

/// What the calls were given that nobody knows the outcome of: of a long input, the exact values.
fn given<'a>(usage: &'a Usage<'a>, standing: &'a Standing) -> impl Iterator<Item = &'a str> + 'a {
    let lane = usage.context.lane;
    let in_doubt = standing.all().filter(|(entry, _)| matches!(entry.kind, EntryKind::Call | EntryKind::Effect));
    let calls = in_doubt.filter_map(|(entry, _)| lane.calls.get(entry.action.as_ref()?.call?.index()));
    let places = calls.flat_map(|call| lane.values.places_between(call.event, call.event));
    places.filter(|place| place.role == ValueRole::Given).map(|place| usage.full(place.value))
}

/// The values of the context by their shortened form: of several with one, the newest.
fn in_full<'a>(usage: &Usage<'a>) -> FxHashMap<&'a str, &'a str> {
    let shortened = |value: &ValueIx| Some((usage.full(usage.row(*value)?.short?), usage.full(*value)));
    usage.touched.iter().filter_map(shortened).collect()
}

/// The calls of the context, the newest first.
fn newest_calls<'a>(usage: &Usage<'a>) -> Vec<&'a CallRow> {
    let (lane, context): (&LaneSnapshot, _) = (usage.context.lane, usage.context);
    let known = |call: &&CallRow| context.at.is_some_and(|at| call.event <= at);
    let calls = lane.calls.iter().rev().filter(known).take(CALLS_BACK);
    calls.take_while(|call| context.part_of(call.span).is_some()).collect()
}

/// The file that a call of the newest turn has opened.
fn open_file(call: &CallRow) -> Option<&str> {
    call.target.as_deref().filter(|_| call.world.as_deref() == Some("file"))
}

/// The branch that was switched to, or pushed, last.
fn branch<'a>(calls: &[&'a CallRow]) -> Option<&'a str> {
    let names_one = |intent: &str| ["git checkout ", "git switch ", "git push "].iter().any(|verb| intent.starts_with(verb));
    let target = calls.iter().find(|call| names_one(&call.intent)).and_then(|call| call.target.as_deref())?;
    target.split(' ').next_back().filter(|name| !name.starts_with('-'))
}
