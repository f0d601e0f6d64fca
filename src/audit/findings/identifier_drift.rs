//! Identifier drift: `src/legacy/parser_v2.py` became `parser.py`; it is not found, and a new file is made (essay 001; in the field
//! anthropics/claude-code#22405, an absolute path that became a relative one).
//!
//! Medium: the wrong thing is edited, or one is made.

use super::{Loss, changes_something};
use crate::audit::case::{Case, HARDLY};
use crate::audit::fate::Fate;
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::audit::replaced::Replaced;
use crate::audit::values::{Drift, drift, is_name};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() || !changes_something(&owed.entry) {
        return None;
    }
    let replaced = if owed.entry.kind.is_commitment() { Replaced::of(case, owed) } else { None };
    if let Some(replaced) = replaced.filter(|replaced| is_path(replaced.old)) {
        return Some(Loss::altered(case, Severity::Medium, replaced.saying));
    }
    for name in owed.entry.names_at(case.before).filter(|name| is_name(name)) {
        if case.standing.names(name) {
            continue;
        }
        let said = case.said(owed).filter(|saying| saying.share >= HARDLY && case.states(owed, saying));
        let drifted = said.filter_map(|saying| {
            let text = case.page().text_of(saying.sentence);
            let drift = drift(name, text)?;
            // Of an action the end of its path says enough, and of what is told as done.
            let is_told = !owed.entry.kind.is_commitment() || saying.clause.claim.tells_past;
            (drift == Drift::Changed || !is_told).then_some(saying)
        });
        if let Some(saying) = drifted.into_iter().next() {
            return Some(Loss { severity: Severity::Medium, fate: Fate::Altered, after: case.passage(saying.sentence) });
        }
    }
    None
}

/// Whether a value is a path: an address that is another one is another value, and `/build` a command that others call "build".
fn is_path(value: &str) -> bool {
    value.trim_start_matches('/').contains('/') && !value.contains("://")
}
