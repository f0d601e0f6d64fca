//! Binding severed, third kind: a commit is named, and what is in it is not. The summary before had told it; whoever refers to the
//! commit afterwards has to guess ("Fixed in ..." was answered with the wrong one, and put right in public).
//!
//! Medium, and only where the commit was referred to afterwards by something that left the machine.

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::labels::below;
use crate::evidence::{Words, stands_whole};
use crate::ledger::effects::Class;

/// A commit is called by at least so many digits, and by at most so many.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=12;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let Some(summary) = case.standing.pieces.iter().position(|piece| Some(piece.event) == case.row.summary) else {
        return Vec::new();
    };
    let Some(earlier) = case.lane.boundaries.iter().rev().filter(|row| row.event < case.row.event).find_map(|row| row.summary)
    else {
        return Vec::new();
    };
    let mut named: Vec<&str> = commits(case.page().text(summary)).filter(|commit| is_referred_to(case, commit)).collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Vec::new();
    }
    let before = case.texts.text(earlier);
    let severed = named.into_iter().filter_map(|commit| severed(case, commit, &before));
    severed.collect()
}

/// The words of a text that are called as commits are.
fn commits(text: &str) -> impl Iterator<Item = &str> {
    let is_commit = |word: &&str| {
        let is_hex = word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hex
            && DIGITS.contains(&word.len())
            && word.bytes().any(|byte| byte.is_ascii_digit())
            && word.contains(char::is_alphabetic)
    };
    text.split(|c: char| !c.is_alphanumeric()).filter(is_commit)
}

/// Whether something that left the machine refers to a commit afterwards.
fn is_referred_to(case: &Case<'_>, commit: &str) -> bool {
    case.calls_after().any(|call| call.class == Class::External && stands_whole(&call.input, commit))
}

fn severed(case: &Case<'_>, commit: &str, before: &str) -> Option<Finding> {
    let held = below(before, commit)?;
    let words = Words::of(held, case.phrasebook);
    let shares = |text: &str| case.words_beside(text, commit).share_of(&words) > 0.0;
    let says = |text: &str| text.lines().filter(|line| stands_whole(line, commit)).any(shares);
    let pages = || (0..case.standing.pieces.len()).map(|n| case.page().text(n));
    if pages().any(says)
        || pages().filter_map(|text| below(text, commit)).any(|held| words.share_of(&case.words_beside(held, commit)) > 0.0)
    {
        return None;
    }
    let passage = case.first_passage(|text| stands_whole(text, commit))?;
    let found = Finding::of_passage(FindingClass::BindingSevered, Severity::Medium, passage);
    Some(Finding { before: Some(format!("{commit}: {}", held.trim())), ..found })
}
