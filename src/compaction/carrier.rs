//! What a carrier holds, and what it costs: the typed record that re-states an entry verbatim (DESIGN section 7).

use std::borrow::Cow;

use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::ledger::entry::{Entry, EntryKind, Pointer};

/// The longest text that a carrier holds whole, in bytes. Of a longer one it holds what in it holds on or forbids, else the beginning,
/// and a pointer to the whole.
pub const LONGEST_TEXT: usize = 2048;

/// So much of the input of what was done is held. Nobody does it again from its carrier: that it is done, its key and its action say.
pub const DONE_TEXT: usize = 240;

/// What the fields of a carrier take beside their content, in bytes.
const FRAME: usize = 60;

/// Bytes of a carrier that a model reads as one token, of structured text.
const BYTES_A_TOKEN: f64 = 3.3;

/// The record that re-states one entry.
#[derive(Clone, Debug)]
pub struct Carrier<'a> {
    /// The entry that it holds.
    pub entry: &'a Entry,
    /// Its exact text or input; of a long one, parts of it.
    pub text: Cow<'a, str>,
    /// Where the whole of a long text stands.
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

/// What a carrier holds of an entry's text, and where the whole stands.
fn held(entry: &Entry) -> (Cow<'_, str>, Option<Pointer>) {
    match entry.pointer {
        pointer if entry.kind == EntryKind::Done && entry.text.len() > DONE_TEXT => {
            (Cow::Borrowed(prefix(&entry.text, DONE_TEXT)), pointer)
        }
        Some(pointer) if entry.text.len() > LONGEST_TEXT => (parts(entry), Some(pointer)),
        // Nowhere to point at: then it is held whole, however long.
        _ => (Cow::Borrowed(&*entry.text), None),
    }
}

/// What in a long text must be held word by word, part by part on lines of their own; where nothing must, the beginning.
fn parts(entry: &Entry) -> Cow<'_, str> {
    let parts: Vec<&str> = entry.marked.iter().filter_map(|range| entry.text.get(range.clone())).collect();
    if parts.is_empty() { Cow::Borrowed(prefix(&entry.text, LONGEST_TEXT)) } else { Cow::Owned(parts.join("\n")) }
}

/// What a text comes to by itself, in estimated tokens.
#[must_use]
pub fn text_tokens(text: &str) -> u64 {
    tokens(text.len())
}

fn tokens(bytes: usize) -> u64 {
    (bytes as f64 / BYTES_A_TOKEN).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::EntryId;
    use crate::ledger::testing::fold;

    #[test]
    fn a_long_text_is_held_by_what_in_it_holds_on() {
        let filler = "Look at the page about the orders and tell me what it says of them. ".repeat(40);
        let held = |text: &str| {
            let lane = fold(&format!("prompt {text}"));
            let entry = lane.entry(EntryId(0)).unwrap();
            let carrier = Carrier::of(&entry, EventIx(0));
            (carrier.text.into_owned(), carrier.pointer.is_some())
        };
        let (rule, other) = ("Never drop a column of orders.", "From now on always run the tests first.");
        assert_eq!(held(&format!("{filler}{rule} {filler}{other}")), (format!("{rule}\n{other}"), true));
        let (beginning, is_pointed_at) = held(&filler);
        assert_eq!((beginning.as_str(), is_pointed_at), (prefix(&filler, LONGEST_TEXT), true));
        assert_eq!(held(rule), (rule.to_owned(), false));
    }

    #[test]
    fn what_was_done_is_held_by_its_identity() {
        let body = "The retry of the upload waits three seconds now, and gives up after five attempts. ".repeat(30);
        let input = format!(r#"{{"command":"gh pr comment 12 --body '{body}'"}}"#);
        let lane = fold(&format!("prompt Comment.\nstep m1\ncall a Bash {input}\nresult a ok"));
        let done = lane.live_at(lane.end().unwrap()).into_iter().find(|entry| entry.kind == EntryKind::Done).unwrap();
        let carrier = Carrier::of(&done, lane.end().unwrap());
        assert_eq!(&*done.text, input, "the entry itself keeps all");
        assert_eq!(carrier.text, prefix(&input, DONE_TEXT));
        assert!(carrier.tokens < 250, "{}", carrier.tokens);
    }
}
