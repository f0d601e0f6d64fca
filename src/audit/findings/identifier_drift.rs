//! Identifier drift: `src/legacy/parser_v2.py` became `parser.py`; it is not found, and a new file is made (essay 001; in the field
//! anthropics/claude-code#22405, an absolute path that became a relative one).
//!
//! Medium: the wrong thing is edited, or one is made.

use super::{Loss, changes_something};
use crate::audit::case::{Case, HARDLY};
use crate::audit::drift::{Drift, drift};
use crate::audit::fate::Fate;
use crate::audit::finding::Severity;
use crate::audit::mention;
use crate::audit::owed::Owed;
use crate::audit::replaced::Replaced;
use crate::audit::values::{is_name, is_slip};
use crate::evidence::{Clause, Section, Sentence, Status};
use crate::ledger::entry::EntryKind;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() || !changes_something(&owed.entry) {
        return None;
    }
    if let Some(told) = told_otherwise(case, owed) {
        return Some(Loss { severity: Severity::Medium, fate: Fate::Altered, after: case.passage(told) });
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

/// The sentence that tells of an effect that happened with another id than its result shows, where none has that: "pull request #621 was
/// opened" of #612.
pub(super) fn told_otherwise<'c>(case: &'c Case<'_>, owed: &Owed) -> Option<&'c Sentence> {
    if owed.entry.kind != EntryKind::Done {
        return None;
    }
    let proofs = mention::proofs(case, owed);
    let ids = proofs.iter().filter_map(|proof| proof.rsplit(|c: char| !c.is_ascii_alphanumeric()).next());
    let ids: Vec<&str> = ids.filter(|id| id.bytes().any(|byte| byte.is_ascii_digit())).collect();
    if ids.is_empty() || ids.iter().any(|id| case.page().names(id)) {
        return None;
    }
    let is_known = |word: &str| {
        let shows =
            |other: &Owed| other.entry.id != owed.entry.id && mention::proofs(case, other).iter().any(|proof| proof.contains(word));
        case.humans.page.names(word) || case.humans.others.names(word) || case.was_given(word) || case.owed.iter().any(shows)
    };
    // What anything before the boundary shows is the id of something else; and a short number is an id behind a mark alone.
    let is_id = |word: &str, text: &str| {
        word.len() >= LONG || ["#", "!", "PR ", "MR "].iter().any(|mark| text.contains(&format!("{mark}{word}")))
    };
    let has_other = |sentence: &Sentence| {
        let text = case.page().text_of(sentence);
        let is_other = |word: &str| ids.iter().any(|own| is_one_like(own, word)) && is_id(word, text) && !is_known(word);
        text.split(|c: char| !c.is_alphanumeric()).any(is_other)
    };
    let tells = |clause: &Clause| case.status(clause) == Some(Status::Done) || clause.claim.tells_past;
    let is_told = |sentence: &&Sentence| {
        has_other(sentence)
            && case.page().clauses_of(sentence).iter().any(tells)
            && mention::does(case, owed, sentence)
            && sentence.section != Section::Quotes
    };
    case.page().sentences().iter().find(is_told)
}

/// A number of so many digits is an id wherever it stands.
const LONG: usize = 6;

/// Whether one id is the other with a slip: two letters changed places, one is another or too much.
fn is_one_like(own: &str, other: &str) -> bool {
    let digits = |id: &str| id.bytes().filter(u8::is_ascii_digit).count();
    let letters = |id: &str| {
        let mut letters: Vec<char> = id.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_longer =
        || other.len() == own.len() + 1 && other.starts_with(own) || own.len() == other.len() + 1 && own.starts_with(other);
    let differ = || own.chars().zip(other.chars()).filter(|(one, two)| one != two).count() == 1 && own.len() == other.len();
    own.len() >= 3
        && own != other
        && digits(own) >= 2
        && digits(other) >= 2
        && (is_slip(own, other) || differ() || letters(own) == letters(other) || is_longer())
}

/// Whether a value is a path: an address that is another one is another value, and `/build` a command that others call "build".
fn is_path(value: &str) -> bool {
    value.trim_start_matches('/').contains('/') && !value.contains("://")
}
