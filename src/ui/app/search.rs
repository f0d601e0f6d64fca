//! The search: what is typed, what it was found in, and whether somebody waits for the next place.
//!
//! Records are looked through in parts, by the worker, from the first to the newest; what is appended later is looked through too.

use regex::bytes::{Regex, RegexBuilder};

use crate::base::ids::{EventIx, LaneIx};
use crate::ledger::rows::CallRow;

/// Events that are looked through at once: between two parts the worker does what is more urgent.
pub(crate) const PART: usize = 4_000;

/// A part of a search.
#[derive(Clone, Debug)]
pub(crate) struct SearchKey {
    /// Which search it belongs to: of one lane.
    number: u32,
    /// The first event to look at.
    pub(crate) from: usize,
    pub(crate) pattern: Regex,
}

/// What the reader searches for.
#[derive(Debug, Default)]
pub(crate) struct Search {
    current: Option<Current>,
    /// How many searches there were.
    number: u32,
}

/// The newest search.
#[derive(Debug)]
struct Current {
    words: String,
    pattern: Regex,
    epoch: u32,
    lane: LaneIx,
    /// The events that hold it, of those that were looked through.
    found: Vec<EventIx>,
    /// So many events were looked through.
    until: usize,
    is_asked: bool,
    /// Whether the cursor is to go to the next place as soon as it is known.
    is_awaited: bool,
}

/// What there is to know of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'a> {
    /// What was searched for.
    pub(crate) words: &'a str,
    /// The events that hold it, in order.
    pub(crate) events: &'a [EventIx],
    /// How many events were looked through.
    pub(crate) until: usize,
}

impl Found<'_> {
    /// Whether an event holds it, or of a call its end.
    pub(crate) fn is_in(&self, event: EventIx, call: Option<&CallRow>) -> bool {
        is_place(self.events, event, call)
    }
}

/// Whether an event is among those that were found, or of a call its end is.
pub(crate) fn is_place(found: &[EventIx], event: EventIx, call: Option<&CallRow>) -> bool {
    let holds = |event: EventIx| found.binary_search(&event).is_ok();
    holds(event) || call.and_then(|call| call.end).is_some_and(|end| holds(end.event))
}

impl Search {
    /// Begins a search for words in a lane: as they stand in its records, in any case unless they have a capital letter.
    pub(crate) fn begin(&mut self, words: &str, epoch: u32, lane: LaneIx) {
        self.number += 1;
        let pattern = pattern(words);
        self.current = pattern.map(|pattern| Current {
            words: words.to_owned(),
            pattern,
            epoch,
            lane,
            found: Vec::new(),
            until: 0,
            is_asked: false,
            is_awaited: true,
        });
    }

    /// Searches for nothing any more.
    pub(crate) fn end(&mut self) {
        self.number += 1;
        self.current = None;
    }

    /// What is known of the search in a lane; none: nothing is searched for there.
    pub(crate) fn found(&self, epoch: u32, lane: LaneIx) -> Option<Found<'_>> {
        let current = self.current.as_ref().filter(|current| (current.epoch, current.lane) == (epoch, lane))?;
        Some(Found { words: &current.words, events: &current.found, until: current.until })
    }

    /// The words that were searched for last, wherever.
    pub(crate) fn words(&self) -> Option<&str> {
        self.current.as_ref().map(|current| current.words.as_str())
    }

    /// The next part to look through of a lane of so many events, if it has not been asked for.
    pub(crate) fn ask(&mut self, epoch: u32, lane: LaneIx, events: usize) -> Option<SearchKey> {
        let number = self.number;
        let current = self.current.as_mut().filter(|current| (current.epoch, current.lane) == (epoch, lane))?;
        if current.is_asked || current.until >= events {
            return None;
        }
        current.is_asked = true;
        Some(SearchKey { number, from: current.until, pattern: current.pattern.clone() })
    }

    /// Takes what a part came to; whether it belongs to the newest search.
    pub(crate) fn take(&mut self, key: &SearchKey, found: &[EventIx], until: usize) -> bool {
        let is_newest = key.number == self.number;
        match self.current.as_mut().filter(|current| is_newest && current.until == key.from) {
            Some(current) => {
                current.found.extend_from_slice(found);
                (current.until, current.is_asked) = (until, false);
                true
            }
            None => false,
        }
    }

    /// Waits for the next place, or not any more.
    pub(crate) fn wait(&mut self, awaited: bool) {
        if let Some(current) = &mut self.current {
            current.is_awaited = awaited;
        }
    }

    /// Whether the cursor is to go to the next place.
    pub(crate) fn is_awaited(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.is_awaited)
    }
}

/// The words as they stand in a JSON string; none where there are none.
fn pattern(words: &str) -> Option<Regex> {
    let quoted = serde_json::to_string(words).ok()?;
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).filter(|inner| !inner.is_empty())?;
    let any_case = !words.chars().any(char::is_uppercase);
    // Without Unicode's tables only ASCII has cases, which is what the words of tools and code are written in.
    RegexBuilder::new(&regex::escape(inner)).unicode(false).case_insensitive(any_case).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_they_stand_in_records() {
        for (words, record, holds) in [
            ("push", r#"{"command":"git Push origin"}"#, true),
            ("Push", r#"{"command":"git push origin"}"#, false),
            ("say \"no\"", r#"{"text":"say \"no\" to it"}"#, true),
            ("a.b", r#"{"text":"axb"}"#, false),
            ("größe", r#"{"text":"die größe"}"#, true),
        ] {
            assert_eq!(pattern(words).is_some_and(|pattern| pattern.is_match(record.as_bytes())), holds, "{words}");
        }
        assert!(pattern("").is_none());
    }

    #[test]
    fn a_lane_is_looked_through_once_and_what_is_new_later() {
        let mut search = Search::default();
        assert!(search.ask(0, LaneIx(0), 9).is_none(), "nobody searches");
        search.begin("push", 0, LaneIx(0));
        let first = search.ask(0, LaneIx(0), 9).unwrap();
        assert!(search.ask(0, LaneIx(0), 9).is_none(), "one part at a time");
        assert!(search.ask(0, LaneIx(1), 9).is_none(), "another lane");
        assert!(search.take(&first, &[EventIx(3)], 9));
        assert!(!search.take(&first, &[EventIx(3)], 9), "once");
        assert!(search.ask(0, LaneIx(0), 9).is_none(), "all of it was looked through");
        assert_eq!(search.ask(0, LaneIx(0), 12).map(|key| key.from), Some(9));
        search.begin("pull", 0, LaneIx(0));
        assert!(!search.take(&first, &[EventIx(3)], 9), "of an older search");
    }
}
