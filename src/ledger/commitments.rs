//! Commitments: what a human said and nobody has lifted (DESIGN section 4).
//!
//! Human text is opt-out: every segment is a commitment unless hard evidence says otherwise. As long as no cue says what kind it is it
//! counts as `unclassified`, which is carried like any other.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::EntryId;
use crate::base::text::prefix;
use crate::ledger::book::{self, Draft};
use crate::ledger::delta::Delta;
use crate::ledger::entry::{Check, Discharge, EntryKind, Holder, HolderForm, Moment, Pointer, Scope, Trust, Weight};
use crate::ledger::label::first_line;
use crate::ledger::segments::{SegmentKind, segments};
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::Place;

/// A prompt of more than this many bytes, or of more than [`LONG_SEGMENTS`], is one entry (5 % of prompts, 77 % of human bytes).
const LONG_BYTES: usize = 1_500;

/// See [`LONG_BYTES`].
const LONG_SEGMENTS: usize = 12;

/// Where a human speaks, and why that is known.
#[derive(Clone, Copy)]
pub(super) enum Voice {
    /// In a prompt of their own.
    Typed,
    /// In a structured record: an answer, an approval, the reason of a rejection.
    Structured,
    /// Nobody can tell: text of an unknown record that the model saw.
    Unknown,
}

/// The commitments by key: the same words said again are one entry with one more place.
#[derive(Default)]
pub(super) struct Commitments {
    by_key: FxHashMap<String, EntryId>,
}

impl Commitments {
    /// Opens the entries of one human text.
    pub(super) fn hear(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, voice: Voice, text: &str, at: Moment, place: Place) {
        let found = segments(text);
        if text.len() > LONG_BYTES || found.len() > LONG_SEGMENTS {
            let pointer = Pointer { event: at.event, bytes: place.bytes };
            self.note(rows, delta, voice, text.trim(), at, Some(pointer));
            return;
        }
        for segment in found {
            // A pasted block is evidence for what is said around it, not an order of its own.
            if segment.kind != SegmentKind::Block {
                self.note(rows, delta, voice, text.get(segment.start..segment.end).unwrap_or(""), at, None);
            }
        }
    }

    fn note(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, voice: Voice, text: &str, at: Moment, pointer: Option<Pointer>) {
        let key = key("unclassified", text);
        match self.by_key.get(&key).copied() {
            Some(id) if rows.live.contains(&id) => again(rows, id, at),
            Some(_) | None => {
                let id = book::open(rows, delta, draft(key.clone(), voice, text, at, pointer));
                self.by_key.insert(key, id);
            }
        }
    }
}

/// Adds a place at which a live entry was said again.
fn again(rows: &mut LaneSnapshot, id: EntryId, at: Moment) {
    book::edit(rows, id, |entry| {
        entry.evidence.push(at.event);
        entry.holders.push(Holder { span: at.span, form: HolderForm::Verbatim, since: at.event });
        if entry.lost_at(at.event).is_some() {
            entry.lost.push((at.event, None));
        }
    });
}

fn draft(key: String, voice: Voice, text: &str, at: Moment, pointer: Option<Pointer>) -> Draft {
    let (trust, rule) = match voice {
        Voice::Typed => (Trust::Inferred, "human-text"),
        Voice::Structured => (Trust::Structured, "human-answer"),
        Voice::Unknown => (Trust::Inferred, "unknown-record"),
    };
    Draft {
        kind: EntryKind::Unclassified,
        key,
        line_text: first_line(text),
        text: Arc::from(text),
        trust,
        rule: rule.into(),
        scope: Scope::OneShot,
        opened: at,
        action: None,
        identifiers: Vec::new(),
        discharge: Discharge {
            text: "a later prompt that lifts it, or replaces it".to_owned(),
            check: Check::Revoked,
            needs: Vec::new(),
            observable: true,
        },
        weight: Weight::Repair,
        pointer,
    }
}

/// `kind:slug~hash`: readable, and the same for the same words however they are spaced or cased.
fn key(kind: &str, text: &str) -> String {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let slug = words.iter().take(5).map(|word| prefix(word, 16)).collect::<Vec<_>>().join("-");
    let hash = Hash64::of_parts(words.iter().map(String::as_bytes));
    format!("{kind}:{slug}~{}", hash.short())
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn the_same_words_have_the_same_key() {
        assert_eq!(key("prohibition", "Do not drop  columns."), key("prohibition", "do not drop columns"));
        assert_ne!(key("prohibition", "Do not drop columns."), key("prohibition", "Do drop columns."));
        assert!(key("prohibition", "Do not drop or rename any column").starts_with("prohibition:do-not-drop-or-rename~"));
    }
}
