//! The conversation as a recording leaves it: a message that is written again replaces itself, a list of messages replaces them all.
//!
//! Nothing here is ever taken back line by line. What a later line adds to a message is told where it stands; what it leaves out is a
//! rewind or a boundary. So the fold of a file that grows is the fold of the file.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use crate::base::hash::Hash64;

/// The messages that stand, in order.
#[derive(Debug, Default)]
pub(super) struct Replay {
    messages: IndexMap<String, Message>,
    /// What was told of results: their lengths, by the call's id.
    results: IndexMap<String, usize>,
}

/// What is known of one message.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// The id of the record that told it first.
    record: String,
    /// Whether it holds a prompt that opened a turn.
    pub(super) is_prompt: bool,
    /// What it says, apart from its id.
    pub(super) content: Option<Hash64>,
    told: FxHashSet<Hash64>,
}

impl Message {
    /// Whether a part of it is told for the first time.
    pub(super) fn is_new(&mut self, kind: &str, part: &str) -> bool {
        let mut key = kind.as_bytes().to_vec();
        key.push(0);
        key.extend_from_slice(part.as_bytes());
        self.told.insert(Hash64::of(&key))
    }
}

/// What leaves the conversation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Nothing.
    Nothing,
    /// The newest turns.
    Turns(u32),
    /// Something else: only these records stay.
    AllBut(Vec<String>),
}

impl Replay {
    /// The message of this id.
    pub(super) fn message(&mut self, id: &str) -> &mut Message {
        self.messages.entry(id.to_owned()).or_insert_with(|| Message { record: id.to_owned(), ..Message::default() })
    }

    /// Whether the conversation holds a message of this id.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.messages.contains_key(id)
    }

    /// The id under which a message is known that says this: its own, or that of the newest message that says the same.
    pub(super) fn known(&self, id: &str, content: Hash64) -> Option<String> {
        if self.messages.contains_key(id) {
            return Some(id.to_owned());
        }
        self.messages.iter().rev().find(|(_, message)| message.content == Some(content)).map(|(id, _)| id.clone())
    }

    /// Takes back the message of this id, and everything behind it; everything, where there is no such message.
    pub(super) fn rewind(&mut self, id: &str) -> Leaves {
        let first = self.messages.get_index_of(id).unwrap_or(0);
        let gone = self.messages.split_off(first);
        self.without(&gone.values().map(|message| message.is_prompt).collect::<Vec<_>>())
    }

    /// Leaves only these messages, in this order.
    pub(super) fn replace(&mut self, ids: &[String]) -> Leaves {
        let mut old = std::mem::take(&mut self.messages);
        let stays: Vec<bool> = old.keys().map(|id| ids.contains(id)).collect();
        let is_gone: Vec<bool> =
            old.values().zip(&stays).filter(|(_, stays)| !**stays).map(|(message, _)| message.is_prompt).collect();
        let at_end = stays.iter().skip_while(|stays| **stays).all(|stays| !stays);
        for id in ids {
            if let Some(message) = old.shift_remove(id) {
                self.messages.insert(id.clone(), message);
            }
        }
        match self.without(&is_gone) {
            Leaves::Turns(_) if !at_end => Leaves::AllBut(self.records()),
            leaves => leaves,
        }
    }

    /// The records of the messages that stand.
    pub(super) fn records(&self) -> Vec<String> {
        self.messages.values().map(|message| message.record.clone()).collect()
    }

    /// Notes that a message is known by another id from now on.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        if let Some((at, _, message)) = self.messages.shift_remove_full(old) {
            self.messages.shift_insert(at, new.to_owned(), message);
        }
    }

    /// Notes a result of so many bytes; whether it is the call's first one.
    pub(super) fn ends(&mut self, call: &str, length: usize) -> bool {
        let is_first = !self.results.contains_key(call);
        if is_first {
            self.results.insert(call.to_owned(), length);
        }
        is_first
    }

    /// Notes how long a result is now; whether it was longer before.
    pub(super) fn shortens(&mut self, call: &str, length: usize) -> bool {
        self.results.get_mut(call).is_some_and(|before| length < std::mem::replace(before, length))
    }

    /// What the loss of messages comes to, of which each is a prompt or is none.
    fn without(&self, gone: &[bool]) -> Leaves {
        let turns = gone.iter().filter(|is_prompt| **is_prompt).count();
        match (gone.is_empty(), turns) {
            (true, _) => Leaves::Nothing,
            (false, 0) => Leaves::AllBut(self.records()),
            (false, turns) => Leaves::Turns(u32::try_from(turns).unwrap_or(u32::MAX)),
        }
    }
}
