//! An identifier that had drifted: it was not found, or it was created.
//!
//! Source: essay 001, "Identifier drift" (`src/legacy/parser_v2.py` became `parser.py`, and a new file).

use crate::audit::consequence::{Consequence, ConsequenceClass};
use crate::audit::consequences::later::Later;
use crate::audit::finding::{Finding, FindingClass};
use crate::audit::findings::{is_in_vain, shortened};
use crate::evidence::Exact;
use crate::ledger::entry::EntryKind;
use crate::ledger::identifiers::exact_values;
use crate::ledger::rows::{CallRow, EndHow};

pub(super) fn search(finding: &Finding, later: &Later<'_>) -> Vec<Consequence> {
    if let Some((short, full)) = finding.entry.as_deref().filter(|entry| entry.kind == EntryKind::Binding).and_then(shortened) {
        let in_vain = later.made().find(|call| is_in_vain(call, short, full));
        return in_vain.map(|call| later.at(call.event, ConsequenceClass::DriftedIdentifierFailed)).into_iter().collect();
    }
    if finding.class != FindingClass::IdentifierDrift {
        return Vec::new();
    }
    if finding.entry.is_none() {
        let path = finding.before.as_deref().unwrap_or_default();
        let in_vain = later.made().find(|call| is_of_file(call, path));
        return in_vain.map(|call| later.at(call.event, ConsequenceClass::DriftedIdentifierFailed)).into_iter().collect();
    }
    let meant = exact_values(finding.before.as_deref().unwrap_or_default());
    let mut drifted = exact_values(finding.after.as_deref().unwrap_or_default());
    drifted.retain(|name| !meant.contains(name));
    let names: Vec<Exact<'_>> = drifted.iter().map(|name| Exact::new(name)).collect();
    let mut found = Vec::new();
    for call in later.made() {
        let Some(name) = names.iter().find(|name| is_about(call, name, &meant)) else { continue };
        let class = match call.ended().map(|end| end.how) {
            Some(how) if how.is_in_vain() => ConsequenceClass::DriftedIdentifierFailed,
            Some(EndHow::Success | EndHow::Returned) if is_new(call, name, later) => ConsequenceClass::DriftedIdentifierCreated,
            _ => continue,
        };
        if !found.iter().any(|known: &Consequence| known.class == class) {
            found.push(later.at(call.event, class));
        }
    }
    found
}

/// Whether a call was made in vain for another file of a path's name.
fn is_of_file(call: &CallRow, path: &str) -> bool {
    let target = call.target.as_deref().filter(|target| !target.ends_with(path));
    target.is_some_and(|target| file_name(target) == file_name(path)) && call.ended().is_some_and(|end| end.how.is_in_vain())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a call names the drifted identifier as a whole, and not the one that was meant.
fn is_about(call: &CallRow, name: &Exact<'_>, meant: &[String]) -> bool {
    let is_meant = |meant: &String| meant.contains(name.value()) && call.input.contains(meant.as_str());
    name.stands_in(&call.input) && !meant.iter().any(is_meant)
}

/// Whether a call makes something of a name that nobody had used before.
fn is_new(call: &CallRow, name: &Exact<'_>, later: &Later<'_>) -> bool {
    call.class.has_effect() && !later.before().any(|earlier| is_about(earlier, name, &[]))
}
