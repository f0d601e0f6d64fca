//! An identifier that had drifted: it was not found, or it was created.
//!
//! Source: essay 001, "Identifier drift" (`src/legacy/parser_v2.py` became `parser.py`, and a new file).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::ledger::identifiers::identifiers;
use crate::ledger::rows::{CallRow, EndHow};

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    if finding.class != FindingClass::IdentifierDrift {
        return Vec::new();
    }
    let before = finding.before.as_deref().unwrap_or_default();
    let after = finding.after.as_deref().unwrap_or_default();
    let drifted: Vec<&str> = names(after).into_iter().filter(|name| !names(before).contains(name)).collect();
    let mut found = Vec::new();
    for call in later.calls() {
        let Some(name) = drifted.iter().find(|name| is_about(call, name, before)) else { continue };
        let class = match call.ended().map(|end| end.how) {
            Some(EndHow::Failed(_)) => ConsequenceClass::DriftedIdentifierFailed,
            Some(EndHow::Success | EndHow::Returned) if is_new(call, name, later) => ConsequenceClass::DriftedIdentifierCreated,
            _ => continue,
        };
        if !found.iter().any(|known: &Consequence| known.class == class) {
            found.push(later.at(call.event, class));
        }
    }
    found
}

fn names(text: &str) -> Vec<&str> {
    identifiers(text).into_iter().filter_map(|found| text.get(found.range)).collect()
}

/// Whether a call names the drifted identifier as a whole, and not the one that was meant.
fn is_about(call: &CallRow, name: &str, before: &str) -> bool {
    let meant = names(before).into_iter().filter(|meant| meant.ends_with(name) || meant.contains(name));
    let stands = |text: &str, name: &str| {
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        text.match_indices(name).any(|(at, _)| {
            !text.get(..at).is_some_and(|before| before.ends_with(is_inner))
                && !text.get(at + name.len()..).is_some_and(|behind| behind.starts_with(is_inner))
        })
    };
    stands(&call.input, name) && !meant.into_iter().any(|meant| call.input.contains(meant))
}

/// Whether a call makes something of a name that nobody had used before.
fn is_new(call: &CallRow, name: &str, later: &Later<'_>) -> bool {
    call.class.has_effect() && !later.before().any(|earlier| is_about(earlier, name, ""))
}
