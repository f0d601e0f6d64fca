//! Committed-value loss: a confirmed value is gone or different; it is derived again, and comes out otherwise (essay 001; in the field
//! anthropics/claude-code#88753, the wrong database).
//!
//! High where another value stands in its place or it was tagged; medium where it is gone.

use super::Loss;
use crate::audit::case::{Case, SAID};
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::audit::replaced::Replaced;
use crate::audit::values::{is_name, numbers};
use crate::ledger::entry::EntryKind;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() || !owed.entry.kind.is_commitment() || case.is_unobserved() {
        return None;
    }
    if let Some(replaced) = Replaced::of(case, owed) {
        return Some(Loss::altered(case, Severity::Medium, replaced.saying));
    }
    if owed.is_foreign {
        return None;
    }
    let states_a_value = owed.entry.kind == EntryKind::Value || owed.entry.also.contains(&EntryKind::Value);
    let is_rule = owed.is_rule();
    let counts = |value: &&str| states_a_value || is_rule || !is_name(value);
    let named = owed.entry.names_at(case.before).filter(counts).map(str::to_owned);
    let values: Vec<String> = named.chain(numbers(&owed.entry.text)).collect();
    let gone = |value: &&String| case.page().names(value).is_none() && !case.standing.names_loosely(value);
    let gone: Vec<&String> = values.iter().filter(gone).collect();
    if gone.is_empty() {
        return None;
    }
    let saying = case.said(owed).find(|saying| saying.share >= SAID);
    match saying {
        Some(saying) => {
            let other = !numbers(case.page().text_of(saying.sentence)).is_empty();
            let severity = if other && states_a_value { Severity::High } else { Severity::Medium };
            Some(Loss::altered(case, severity, saying))
        }
        None => (states_a_value && !owed.forbids())
            .then(|| Loss::missing(if owed.is_explicit() { Severity::High } else { Severity::Medium })),
    }
}
