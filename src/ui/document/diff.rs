//! Changes as people read them: what went, what came, and a little of what stayed.

mod within;

use std::collections::BTreeMap;
use std::ops::Range;

use super::layout::{Block, CodeRow, Line, Stands};
use super::text;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// Unchanged lines that are shown on each side of a change.
const CONTEXT: usize = 3;
/// Comparing line by line costs the product of both lengths; above this the old text stands whole before the new one.
const MOST_PAIRS: usize = 400_000;

/// A line of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change<'a> {
    Stays(&'a str),
    Goes(&'a str),
    Comes(&'a str),
}

/// The change from one text to another, in the language of the new one.
pub(crate) fn between(old: &str, new: &str, language: Option<&str>) -> Block {
    let ((old, _), (new, _)) = (text::lines(old), text::lines(new));
    let changes = compare(&old, &new);
    let touched = |change: &Change<'_>| !matches!(change, Change::Stays(_));
    let near = |n: usize| {
        let window = n.saturating_sub(CONTEXT)..(n + CONTEXT + 1).min(changes.len());
        changes.get(window).unwrap_or_default().iter().any(touched)
    };
    let within = within(&changes);
    let mut rows = Vec::new();
    let mut left_out = 0;
    for (n, change) in changes.iter().enumerate() {
        if !near(n) {
            left_out += 1;
            continue;
        }
        rows.extend(gap(&mut left_out));
        rows.push(match change {
            Change::Stays(line) => CodeRow::new(*line).behind(Piece::new(Role::Dim, "  ")),
            Change::Comes(line) => added(line).changed(within.get(&n).cloned(), Role::Added),
            Change::Goes(line) => removed(line).changed(within.get(&n).cloned(), Role::Removed),
        });
    }
    rows.extend(gap(&mut left_out));
    Block::Code { language: language.map(str::to_owned), rows }
}

/// The parts of changed lines that are other ones now, by the change's number: where as many lines come as go, each against its own.
fn within(changes: &[Change<'_>]) -> BTreeMap<usize, Range<usize>> {
    let mut parts = BTreeMap::new();
    let mut start = 0;
    for run in changes.chunk_by(|one, next| {
        matches!((one, next), (Change::Goes(_), Change::Goes(_) | Change::Comes(_)) | (Change::Comes(_), Change::Comes(_)))
    }) {
        let gone = run.iter().take_while(|change| matches!(change, Change::Goes(_))).count();
        if gone * 2 == run.len() {
            let (goes, comes) = run.split_at(gone);
            for (n, pair) in goes.iter().zip(comes).enumerate() {
                if let (Change::Goes(old), Change::Comes(new)) = pair
                    && let Some((before, after)) = within::changed(old, new)
                {
                    parts.extend([(start + n, before), (start + gone + n, after)]);
                }
            }
        }
        start += run.len();
    }
    parts
}

/// A unified diff or an `apply_patch` text, as it stands.
pub(crate) fn patch(source: &str) -> Block {
    let rows = text::lines(source).0.into_iter().map(|line| {
        let header = ["diff --git", "--- ", "+++ ", "*** ", "index "].iter().any(|start| line.starts_with(start));
        match line.chars().next() {
            _ if header => CodeRow::painted(vec![Piece::new(Role::Strong, line)]),
            Some('@') => CodeRow::painted(vec![Piece::new(Role::Dim, line)]),
            Some('+') => added(line.get(1..).unwrap_or_default()),
            Some('-') => removed(line.get(1..).unwrap_or_default()),
            Some(' ') => CodeRow::new(line.get(1..).unwrap_or_default()).behind(Piece::new(Role::Dim, "  ")),
            _ => CodeRow::new(line),
        }
    });
    Block::Code { language: None, rows: rows.collect() }
}

/// Whether a text is a patch.
pub(crate) fn is_patch(source: &str) -> bool {
    let start = source.trim_start();
    start.starts_with("*** Begin Patch")
        || start.starts_with("diff --git ")
        || (start.starts_with("--- ") && start.contains("\n+++ ") && start.contains("\n@@ "))
}

fn removed(line: &str) -> CodeRow {
    let text = vec![Piece::owned(Role::Dim, line)];
    CodeRow::painted(text).behind(Piece::new(Role::Removed, "- ")).standing(Stands::Before)
}

fn added(line: &str) -> CodeRow {
    CodeRow::new(line).behind(Piece::new(Role::Added, "+ ")).standing(Stands::After)
}

fn gap(left_out: &mut usize) -> Option<CodeRow> {
    let n = std::mem::take(left_out);
    let told: Line = vec![Piece::new(Role::Dim, format!("⋯ {n} unchanged"))];
    (n > 0).then(|| CodeRow::painted(told).behind(Piece::new(Role::Dim, "  ")))
}

/// The shortest change, by longest common subsequence; common ends are taken off first.
fn compare<'a>(old: &'a [String], new: &'a [String]) -> Vec<Change<'a>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let a = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let b = new_rest.get(..new_rest.len() - tail).unwrap_or_default();

    let mut changes: Vec<Change<'a>> = old.iter().take(head).map(|line| Change::Stays(line)).collect();
    let common = if a.len() * b.len() > MOST_PAIRS { Vec::new() } else { lengths(a, b) };
    let longest = |i: usize, j: usize| common.get(i * (b.len() + 1) + j).copied().unwrap_or(0);
    let (mut i, mut j) = (0, 0);
    loop {
        match (a.get(i), b.get(j)) {
            (Some(gone), Some(come)) if gone == come && longest(i, j) > 0 => {
                changes.push(Change::Stays(gone));
                (i, j) = (i + 1, j + 1);
            }
            (Some(gone), come) if come.is_none() || longest(i + 1, j) >= longest(i, j + 1) => {
                changes.push(Change::Goes(gone));
                i += 1;
            }
            (_, Some(come)) => {
                changes.push(Change::Comes(come));
                j += 1;
            }
            (_, None) => break,
        }
    }
    changes.extend(old_rest.iter().skip(a.len()).map(|line| Change::Stays(line)));
    changes
}

/// For each pair of places, the length of the longest common subsequence of what follows.
fn lengths(a: &[String], b: &[String]) -> Vec<u32> {
    let row = b.len() + 1;
    let mut table = vec![0u32; (a.len() + 1) * row];
    for (i, gone) in a.iter().enumerate().rev() {
        for (j, come) in b.iter().enumerate().rev() {
            let at = |i: usize, j: usize| table.get(i * row + j).copied().unwrap_or(0);
            let best = if gone == come { at(i + 1, j + 1) + 1 } else { at(i + 1, j).max(at(i, j + 1)) };
            if let Some(cell) = table.get_mut(i * row + j) {
                *cell = best;
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn own(text: &str) -> Vec<String> {
        text.split_terminator('\n').map(str::to_owned).collect()
    }

    #[test]
    fn only_what_changed_changes() {
        let (old, new) = (own("a\nb\nc\nd\n"), own("a\nx\nc\nd\ne\n"));
        use Change::{Comes, Goes, Stays};
        assert_eq!(compare(&old, &new), [Stays("a"), Goes("b"), Comes("x"), Stays("c"), Stays("d"), Comes("e")]);
    }

    #[test]
    fn far_lines_are_counted_and_left_out() {
        let old: String = (0..20).map(|n| format!("{n}\n")).collect();
        let Block::Code { rows, .. } = between(&old, &old.replace("10\n", "ten\n"), None) else { unreachable!() };
        let signs: Vec<&str> = rows.iter().filter_map(|row| row.margin.as_ref()).map(|m| m.text.trim()).collect();
        assert_eq!((rows.len(), signs.iter().filter(|s| !s.is_empty()).count()), (2 + 3 + 2 + 3, 2));
    }

    #[test]
    fn patches_are_known_by_their_text() {
        for (source, yes) in [
            ("*** Begin Patch\n*** Update File: a.rs\n", true),
            ("diff --git a/x b/x\n", true),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", true),
            ("--- a list\n- item\n", false),
            ("plain", false),
        ] {
            assert_eq!(is_patch(source), yes, "{source}");
        }
    }

    proptest! {
        #[test]
        fn a_change_leads_from_the_old_text_to_the_new(old in "([abc]\n){0,12}", new in "([abc]\n){0,12}") {
            let (old, new) = (own(&old), own(&new));
            let changes = compare(&old, &new);
            let side = |goes: bool| changes.iter().filter_map(|c| match c {
                Change::Stays(line) => Some(*line),
                Change::Goes(line) => goes.then_some(*line),
                Change::Comes(line) => (!goes).then_some(*line),
            }).collect::<Vec<_>>();
            prop_assert_eq!(side(true), old.iter().map(String::as_str).collect::<Vec<_>>());
            prop_assert_eq!(side(false), new.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
