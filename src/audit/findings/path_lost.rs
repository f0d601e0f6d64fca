//! Identifier drift, second kind: of a path that only a result had shown the file's name alone is left, and after the boundary another
//! path of that name is opened in vain (read off a real boundary: the tests' folder was guessed).
//!
//! Low: it is told only where it has cost that call.

use std::ops::Range;

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::base::ids::EventIx;
use crate::evidence::stands_whole;
use crate::ledger::effects::Class;
use crate::ledger::rows::{CallRow, EventKind};

/// A shorter name of a file is that of many.
const SHORT: usize = 8;

/// So many results before the boundary are looked through for the path.
const RESULTS: usize = 64;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for call in case.calls_after().filter(|call| is_in_vain(call)) {
        let Some(finding) = call.target.as_deref().and_then(|target| lost(case, target)) else { continue };
        if !found.iter().any(|other| other.before == finding.before) {
            found.push(finding);
        }
    }
    found
}

/// Whether a call asked for a file, and failed.
fn is_in_vain(call: &CallRow) -> bool {
    matches!(call.class, Class::Read | Class::Write) && call.ended().is_some_and(|end| end.how.is_in_vain())
}

/// The path that was meant by one that was asked for in vain: it was known before, and what stands has its end alone.
fn lost(case: &Case<'_>, target: &str) -> Option<Finding> {
    let name = target.rsplit('/').next().filter(|name| name.len() >= SHORT && name.contains('.') && *name != target)?;
    if case.page().names(target) || !case.page().spells(name) {
        return None;
    }
    let passage = case.first_passage(|text| stands_whole(text, name))?;
    let meant = shown(case, name, target)?;
    let found = Finding::of_passage(FindingClass::IdentifierDrift, Severity::Low, passage);
    (!case.page().names(&meant)).then_some(Finding { before: Some(meant), ..found })
}

/// The newest path of this name that a result before the boundary had shown, if that is another one than what was asked for.
fn shown(case: &Case<'_>, name: &str, target: &str) -> Option<String> {
    let is_result = |n: &usize| case.lane.events.get(*n).is_some_and(|row| row.kind == EventKind::Resolution);
    let results = (0..case.row.event.index()).rev().filter(is_result).take(RESULTS);
    let texts = results.map(|n| case.texts.text(EventIx::from_index(n)));
    let path = texts.into_iter().find_map(|text| path_at(&text, name).and_then(|at| text.get(at)).map(str::to_owned))?;
    (!target.ends_with(&path) && !path.ends_with(target)).then_some(path)
}

/// Where the last path that ends in a name stands in a text: it has a folder.
fn path_at(text: &str, name: &str) -> Option<Range<usize>> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~' | '@');
    let mut places = text.rmatch_indices(name).map(|(at, _)| {
        let start = text.get(..at).unwrap_or_default().trim_end_matches(is_inner).len();
        start..at + name.len()
    });
    let is_path = |at: &Range<usize>| {
        let folder = text.get(at.start..at.end - name.len()).unwrap_or_default();
        let goes_on = text.get(at.end..).unwrap_or_default().starts_with(char::is_alphanumeric);
        folder.len() > 1 && folder.ends_with('/') && !goes_on
    };
    places.find(is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_path_of_a_name_is_found() {
        for (text, path) in [
            ("src/a/lexer_test.go:80: FAIL", Some("src/a/lexer_test.go")),
            ("x/lexer_test.go and then b/lexer_test.go", Some("b/lexer_test.go")),
            ("only lexer_test.go, ./lexer_test.gone and lexer_test.go", None),
            ("", None),
        ] {
            assert_eq!(path_at(text, "lexer_test.go").and_then(|at| text.get(at)), path, "{text}");
        }
    }
}
