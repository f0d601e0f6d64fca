//! What a proposal states that is not owed: what nobody gave, and what had ended.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::audit::acceptance::carried::Carried;
use crate::audit::acceptance::{Added, Line, Unheld, Why};
use crate::audit::case::Case;
use crate::audit::findings;
use crate::compaction::Judgement;
use crate::ledger::Rulebook;
use crate::ledger::entry::{Entry, EntryKind, EntryStatus};
use crate::ledger::tagging::{Said, Setting, Source};

/// What had ended and is stated as live: by a carrier, or as a request in the summary.
pub(super) fn back(case: &Case<'_>, carried: &Carried<'_>, summary: &str) -> Vec<Unheld> {
    let live: BTreeSet<&str> = case.owed.iter().map(|owed| owed.entry.key.as_str()).collect();
    let ended = case.lane.entries_until(case.before).filter(|entry| {
        let is_over = entry.status_at(case.before).is_some_and(is_over);
        is_over && !live.contains(entry.key.as_str()) && carried.names(&entry.key)
    });
    let carried = ended.map(|entry| Unheld { entry, why: Why::Ended, stands: None });
    let told = findings::directives(case).into_iter().filter_map(|finding| {
        let stands = finding.after.map(|text| Line::of(summary, &text));
        Some(Unheld { entry: finding.entry?, why: Why::Told(finding.class), stands })
    });
    let mut back: Vec<Unheld> = carried.chain(told).collect();
    back.sort_by_key(|one| one.entry.id);
    back.dedup_by(|one, other| one.entry.key == other.entry.key);
    back
}

/// Whether what ended so was seen to end: what settled by age may be stated as long as somebody likes.
fn is_over(status: EntryStatus) -> bool {
    use EntryStatus::{Abandoned, Discharged, Reconciled, Revoked, Superseded};
    matches!(status, Discharged | Abandoned | Reconciled | Superseded | Revoked)
}

/// What nobody gave: carriers that no entry has the key of, and rules, approvals and orders in the summary that have no source.
pub(super) fn added(case: &Case<'_>, carried: &Carried<'_>, judgement: &Judgement, rules: &Rulebook, summary: &str) -> Vec<Added> {
    let all: Vec<Arc<Entry>> = case.lane.entries_until(case.before).chain(judgement.bindings.iter().cloned()).collect();
    let known: BTreeSet<&str> = all.iter().map(|entry| entry.key.as_str()).collect();
    let strange = carried.all.iter().filter(|carrier| !known.contains(carrier.key.as_str()));
    let carriers = strange.map(|carrier| Added { key: carrier.key.clone(), says: Line { line: 0, text: carrier.text.clone() } });
    let told = findings::inventions(case).into_iter().filter_map(|finding| finding.after).filter_map(|text| {
        let key = key(&text, rules);
        (!known.contains(key.as_str())).then(|| Added { key, says: Line::of(summary, &text) })
    });
    let mut added: Vec<Added> = Vec::new();
    for one in carriers.chain(told) {
        if !added.iter().any(|other| other.key == one.key) {
            added.push(one);
        }
    }
    added
}

/// The key that the ledger would give to a sentence, were it a human's.
fn key(text: &str, rules: &Rulebook) -> String {
    let said = Said { text, source: Source::Typed, before: "", head: "" };
    let regions = rules.cues.read(&said, Setting::Keep);
    let kind = regions.iter().find_map(|region| region.kind).unwrap_or(EntryKind::Unclassified);
    crate::ledger::commitment_key(kind, text).into_owned()
}
