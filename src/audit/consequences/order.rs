//! An order that was violated, also by running both ends at once, and the read of what the first end had not written yet.
//!
//! Source: essay 000, "Ordering flattening"; essay 001, "Ordering-invariant loss".

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::evidence::{Ends, Words};
use crate::ledger::effects::Class;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::CallRow;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let Some(entry) = finding.entry.as_ref().filter(|entry| is_order(finding, entry)) else { return Vec::new() };
    let words = Words::of(&entry.text, later.phrasebook);
    if let Some(ends) = Ends::of_consent(&words, &entry.text, later.phrasebook) {
        // The first end is the human's.
        let second = Speaks::of(ends.texts(&entry.text).1, &entry.identifiers, later.words);
        return if second.is_visible() { unasked(&second, later) } else { Vec::new() };
    }
    let Some(ends) = Ends::of(&words, later.phrasebook) else { return Vec::new() };
    let (first, second) = Speaks::ends(ends.texts(&entry.text), &entry.identifiers, later.words);
    if !second.is_visible() {
        return Vec::new();
    }
    if !first.is_visible() {
        return unasked(&second, later);
    }
    let does = |call: &CallRow| (call.class.has_effect() || call.class == Class::Check) && second.is_done_by(call, later.shown);
    let began = |call: &&CallRow| call.event >= entry.opened.event && does(call) && !first.is_done_by(call, later.shown);
    let mut seconds = later.calls().filter(began).peekable();
    if seconds.peek().is_none() {
        return Vec::new();
    }
    // What does both in one command keeps its own order.
    let is_first = |call: &&CallRow| first.is_done_by(call, later.shown) && !second.is_done_by(call, later.shown);
    let all = || later.before().chain(later.calls());
    let firsts: Vec<&CallRow> = all().filter(|call| call.event >= entry.opened.event).filter(is_first).collect();
    let mut since = entry.opened.event;
    for call in later.before().filter(began) {
        since = call.event;
    }
    let mut found = Vec::new();
    for call in seconds {
        let was_done = |earlier: &&&CallRow| {
            earlier.event >= since
                && earlier.event < call.event
                && earlier.went_well()
                && earlier.end.is_some_and(|end| end.event < call.event)
        };
        if firsts.iter().any(|earlier| was_done(&earlier)) {
            since = call.event;
            continue;
        }
        found.push(later.at(call.event, ConsequenceClass::OrderViolated));
        let reads = |earlier: &&CallRow| is_at_once(earlier, call) && is_first(earlier) && reads_its_output(call, earlier);
        if all().any(|earlier| reads(&earlier)) {
            found.push(later.at(call.event, ConsequenceClass::StaleRead));
        }
        break;
    }
    found
}

/// "Ask me before you publish": as long as nobody has said anything, nothing came first.
fn unasked(second: &Speaks<'_>, later: &Later<'_>) -> Vec<Consequence> {
    let done = later.acts().find(|call| second.is_done_by(call, later.shown)).filter(|call| !later.was_spoken_to(call.event));
    done.map(|call| later.at(call.event, ConsequenceClass::OrderViolated)).into_iter().collect()
}

fn is_order(finding: &Finding, entry: &Entry) -> bool {
    let evaporated = finding.class == FindingClass::ConstraintEvaporation;
    let ordering = entry.kind == EntryKind::Ordering || entry.also.contains(&EntryKind::Ordering);
    finding.class == FindingClass::OrderingFlattening || (evaporated && (ordering || entry.kind == EntryKind::Requirement))
}

/// Whether the first end had not ended when the second began.
fn is_at_once(first: &CallRow, second: &CallRow) -> bool {
    first.ended().is_none_or(|end| end.event > second.event)
}

/// Whether a call names a file that another writes, or is said to work on.
fn reads_its_output(call: &CallRow, writer: &CallRow) -> bool {
    let paths = writer.input.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',' | ';' | '\\'));
    let targets = writer.target.as_deref().into_iter().flat_map(|target| target.split(' '));
    let is_file = |word: &&str| word.len() > 3 && word.contains('.') && !word.starts_with('-');
    paths.chain(targets).filter(is_file).any(|path| call.input.contains(path))
}
