//! What an adapter says of a few records, in words that a table of expectations can hold.

use crate::formats::adapter::{Format, Opening};
use crate::formats::testing::words;
use crate::transcript::{Diagnostic, Event, Fact, LaneKey, Place, Record, Sink};

#[derive(Default)]
struct Told(Vec<String>);

impl Sink for Told {
    fn event(&mut self, event: Event<'_>) {
        let lane = if event.lane == LaneKey::Main { String::new() } else { format!("@{} ", event.lane.name()) };
        self.0.push(lane + &words(&event.payload));
    }
    fn fact(&mut self, _: Fact<'_>) {}
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic.kind.to_string());
    }
}

/// The events of a main file.
pub(in crate::formats) fn told(format: &Format, lines: &[&str]) -> Vec<String> {
    let mut told = Told::default();
    let mut adapter = (format.open)(&Opening { lane: LaneKey::Main, elsewhere: Vec::new() });
    for (n, line) in lines.iter().enumerate() {
        let place = Place { line: u32::try_from(n).unwrap() + 1, ..Place::default() };
        adapter.record(Record { bytes: line.as_bytes(), place }, &mut told);
    }
    told.0
}
