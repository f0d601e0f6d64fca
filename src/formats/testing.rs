//! What an adapter says of a few lines, in words that a table of expectations can hold.

use super::adapter::{Format, Opening};
use crate::transcript::{Diagnostic, Event, Fact, LaneKey, Payload, Place, Record, Sink};

/// Everything that was told, in order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Told {
    pub(super) events: Vec<String>,
    pub(super) facts: Vec<String>,
    pub(super) oddities: Vec<String>,
    /// The number and the kind of each event.
    kinds: Vec<(u16, String)>,
}

impl Sink for Told {
    fn event(&mut self, event: Event<'_>) {
        let lane = if event.lane == LaneKey::Main { String::new() } else { format!("@{} ", event.lane.name()) };
        let kind = format!("{:?}", event.payload).split([' ', '(', '{']).next().unwrap_or_default().to_owned();
        self.kinds.push((event.place.nth, kind));
        self.events.push(lane + &words(&event.payload));
    }
    fn fact(&mut self, fact: Fact<'_>) {
        self.facts.push(match fact {
            Fact::Bookkeeping(name) => format!("bookkeeping {name}"),
            fact => format!("{fact:?}"),
        });
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.oddities.push(diagnostic.kind.to_string());
    }
}

/// What an event carries.
pub(super) fn words(payload: &Payload<'_>) -> String {
    match payload {
        Payload::User { speaker, text } => format!("{speaker:?}: {text}"),
        Payload::Assistant { text } => format!("Assistant: {text}"),
        Payload::Reasoning { text } => format!("Reasoning: {text}"),
        Payload::Call(call) => format!("Call {} {} {}", call.id, call.tool, call.input.as_str()),
        Payload::Resolution(end) => {
            let said = end.said.as_ref().map_or(String::new(), |said| format!(" said {said:?}"));
            format!("Resolution {} {:?}{said}: {}", end.call, end.outcome, end.text)
        }
        Payload::Boundary(b) => {
            let tokens = (b.tokens_before, b.tokens_after);
            format!("Boundary {:?} {:?} {tokens:?} {:?} masked {:?}", b.kind, b.trigger, b.kept, b.masked)
        }
        Payload::Summary { text, opaque: false } => format!("Summary: {text}"),
        Payload::Summary { .. } => "Summary, encrypted".to_owned(),
        Payload::Ran { call, tool } => format!("Ran {call} {tool}"),
        Payload::Job { handle, state, text } => format!("Job {handle} {state:?}: {text}"),
        Payload::Mark(mark) => format!("{mark:?}"),
        Payload::Unrecognised { name, text } => format!("Unrecognised {name}: {text}"),
    }
}

/// What a main file without sub-agents' files says.
pub(super) fn told(format: &Format, lines: &[&str]) -> Told {
    told_in(format, Opening { lane: LaneKey::Main, elsewhere: Vec::new() }, lines)
}

/// What a file says of which this much is known. Every record must say the same under the same numbers when it is read alone, as it is
/// for its bodies.
pub(super) fn told_in(format: &Format, opening: Opening, lines: &[&str]) -> Told {
    let mut told = Told::default();
    let mut adapter = (format.open)(&opening);
    for (line, n) in lines.iter().zip(1..) {
        let record = Record { bytes: line.as_bytes(), place: Place { line: n, ..Place::default() } };
        let before = told.kinds.len();
        adapter.record(record, &mut told);
        let mut alone = Told::default();
        (format.open)(&opening).record(record, &mut alone);
        for kind in told.kinds.get(before..).unwrap().iter().filter(|(nth, _)| *nth != Place::ASIDE) {
            assert!(alone.kinds.contains(kind), "{kind:?} does not stand in {line}, which has {:?}", alone.kinds);
        }
    }
    told
}

/// The events of a main file.
pub(super) fn events(format: &Format, lines: &[&str]) -> Vec<String> {
    told(format, lines).events
}
