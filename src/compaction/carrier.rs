//! What a carrier holds, and what it costs: the typed record that re-states an entry verbatim (DESIGN section 7).

use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::ledger::entry::{Entry, Pointer};

/// The longest text that a carrier holds whole, in bytes. Of a longer one it holds the beginning, and a pointer to the rest.
pub const LONGEST_TEXT: usize = 2048;

/// What the fields of a carrier take beside their content, in bytes.
const FRAME: usize = 60;

/// Bytes of a carrier that a model reads as one token, of structured text.
const BYTES_A_TOKEN: f64 = 3.3;

/// The record that re-states one entry.
#[derive(Clone, Copy, Debug)]
pub struct Carrier<'a> {
    /// The entry that it holds.
    pub entry: &'a Entry,
    /// Its exact text or input, or the beginning of a long one.
    pub text: &'a str,
    /// Where the rest of a long text stands.
    pub pointer: Option<Pointer>,
    /// Estimated tokens of the record.
    pub tokens: u64,
}

impl<'a> Carrier<'a> {
    /// The carrier of an entry as it stood after event `at`.
    #[must_use]
    pub fn of(entry: &'a Entry, at: EventIx) -> Self {
        let (text, pointer) = held(entry);
        let ends = entry.discharge_at(at);
        let lists = [&entry.identifiers, &entry.preconditions, &ends.needs];
        let listed: usize = lists.into_iter().flatten().map(|item| item.len() + 4).sum();
        let done: usize = entry.progress_at(at).map(|part| part.len() + 4).sum();
        let action = entry.action.as_ref().map_or(0, |action| {
            let names = [Some(&action.intent), action.target.as_ref(), action.key.as_ref()];
            names.into_iter().flatten().map(|name| name.len() + 12).sum()
        });
        let edges = 16 * entry.edges_at(at).count();
        let bytes = FRAME + text.len() + entry.key.len() + ends.text.len() + listed + done + action + edges;
        Self { entry, text, pointer, tokens: tokens(bytes) }
    }
}

/// Whether a carrier can hold an entry as it stood after event `at`: whether its end can be told from what is retained plus the carrier.
#[must_use]
pub fn can_hold(entry: &Entry, at: EventIx) -> bool {
    entry.discharge_at(at).observable
}

/// What an entry comes to at the least, in tokens: its text alone, as a carrier holds it.
#[must_use]
pub fn floor(entry: &Entry) -> u64 {
    tokens(held(entry).0.len())
}

/// What a carrier holds of an entry's text, and where the rest stands.
fn held(entry: &Entry) -> (&str, Option<Pointer>) {
    match entry.pointer {
        Some(pointer) if entry.text.len() > LONGEST_TEXT => (prefix(&entry.text, LONGEST_TEXT), Some(pointer)),
        // Nowhere to point at: then it is held whole, however long.
        _ => (&*entry.text, None),
    }
}

fn tokens(bytes: usize) -> u64 {
    (bytes as f64 / BYTES_A_TOKEN).ceil() as u64
}
