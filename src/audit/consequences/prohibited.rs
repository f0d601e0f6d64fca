//! An action that was forbidden, or that was done on an order which nobody gave.
//!
//! Source: essay 001, "Constraint evaporation" (`DROP COLUMN`); incidents "authority fabricated" (claude-code#20920, opencode#14923).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::consequences::speaks::Speaks;
use crate::audit::finding::{Finding, FindingClass};
use crate::base::ids::EventIx;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::identifiers::exact_values;
use crate::ledger::rows::CallRow;

/// More breaches of one rule say nothing new.
const TOLD: usize = 3;

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    let calls: Vec<&CallRow> = match (finding.class, &finding.entry) {
        (FindingClass::NegationLoss | FindingClass::ConstraintEvaporation | FindingClass::OrderingFlattening, Some(entry)) => {
            breaches(entry, later)
        }
        (FindingClass::AuthorityFabricated, entry) => {
            let text = finding.after.as_deref().unwrap_or_default();
            let made_up = Speaks::of(text, &exact_values(text), later.words);
            let open = entry.as_ref().map(|entry| Speaks::of(&entry.text, &entry.identifiers, later.words));
            let does = |call: &&CallRow| {
                made_up.is_done_by(call, later.shown) || open.as_ref().is_some_and(|open| open.is_done_by(call, later.shown))
            };
            later.acts().filter(|call| does(call) && !later.is_ordered(call)).take(TOLD).collect()
        }
        _ => return Vec::new(),
    };
    calls.into_iter().map(|call| later.at(call.event, ConsequenceClass::ProhibitedAction)).collect()
}

/// The calls that did what a rule forbids while it was in force.
fn breaches<'a>(entry: &Entry, later: &Later<'a>) -> Vec<&'a CallRow> {
    if entry.kind != EntryKind::Prohibition && !entry.also.contains(&EntryKind::Prohibition) {
        return Vec::new();
    }
    let forbidden = Speaks::of(later.words.without_exception(&entry.text), &entry.identifiers, later.words);
    let in_force = |call: &CallRow| entry.is_live_at(EventIx(call.event.0.saturating_sub(1)));
    later
        .acts()
        .filter(|call| in_force(call) && forbidden.is_done_by(call, later.shown) && !later.is_allowed(call, &forbidden))
        .take(TOLD)
        .collect()
}
