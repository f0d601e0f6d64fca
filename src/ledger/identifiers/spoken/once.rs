//! What is no value of its own: a name beside its longer form, and what everybody knows.

use super::super::prose;
use super::{Identifier, Kind};

/// Without the names whose longer form stands in the text as well (`run` beside `run()`, `Parse` beside `lexer.Parse`, the text of a
/// link whose target spells it), the keys of a line of JSON, how long something took: `(4.2s)`, the urgency of a finding: `[P1]`, and
/// the names that a language gives to everybody.
pub(super) fn once(text: &str, found: Vec<Identifier>) -> Vec<Identifier> {
    let word = |identifier: &Identifier| text.get(identifier.range.clone()).unwrap_or("");
    let around = |one: &Identifier| (text.get(..one.range.start).unwrap_or(""), text.get(one.range.end..).unwrap_or(""));
    let symbols: Vec<&str> = found.iter().filter(|one| one.kind == Kind::Symbol).map(word).collect();
    let is_short = |name: &str| {
        symbols.iter().any(|long| {
            let called = long.strip_suffix("()").unwrap_or(long);
            called.len() + 2 == long.len() && called == name
                || called.strip_suffix(name).is_some_and(|rest| rest.ends_with(['.', ':']))
        })
    };
    let is_key = |one: &Identifier| {
        let (before, behind) = around(one);
        before.ends_with('"') && behind.starts_with("\":")
    };
    let is_time = |one: &Identifier| {
        let (before, behind) = around(one);
        word(one).contains('.') && before.ends_with('(') && behind.starts_with(')')
    };
    let is_urgency = |one: &Identifier| {
        let (before, behind) = around(one);
        matches!(word(one), "P0" | "P1" | "P2" | "P3" | "P4") && before.ends_with('[') && behind.starts_with(']')
    };
    let is_link = |one: &Identifier| {
        let (before, behind) = around(one);
        let target = behind.trim_start_matches('`').strip_prefix("](").and_then(|behind| behind.split(')').next());
        before.trim_end_matches('`').ends_with('[') && target.is_some_and(|target| target.contains(word(one)))
    };
    let is_left_out = |one: &Identifier| match one.kind {
        Kind::Symbol => is_short(word(one)) || is_key(one) || is_link(one),
        Kind::Code => prose::is_language(word(one)) || is_link(one),
        Kind::Path | Kind::File => is_link(one),
        Kind::Quantity => is_time(one),
        Kind::Label => is_urgency(one),
        _ => false,
    };
    let left: Vec<bool> = found.iter().map(is_left_out).collect();
    found.into_iter().zip(left).filter_map(|(one, left)| (!left).then_some(one)).collect()
}
