//! The Claude Code adapter on real sessions, where `OWED_CORPUS` names a folder that holds some.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use owed::base::hash::Hash64;
use owed::base::range::ByteRange;
use owed::formats::adapter::Opening;
use owed::formats::claude::FORMAT;
use owed::transcript::{Diagnostic, DiagnosticKind, Event, Fact, LaneKey, Payload, Place, Record, Sink};
use serde_json::Value;

#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn sessions() -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("OWED_CORPUS") else { return Vec::new() };
    let files = fs::read_dir(PathBuf::from(corpus).join("claude")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    files.sort();
    assert!(!files.is_empty(), "the corpus holds no session");
    files
}

#[derive(Default)]
struct Told {
    /// Place and payload of each event; of the lane only whether it is the main one.
    events: Vec<(Place, bool, String)>,
    calls: u64,
    resolutions: u64,
    unrecognised: BTreeMap<String, u64>,
    oddities: Vec<DiagnosticKind>,
}

impl Sink for Told {
    fn event(&mut self, event: Event<'_>) {
        let main = event.lane == LaneKey::Main;
        match &event.payload {
            Payload::Call(_) if main => self.calls += 1,
            Payload::Resolution(_) if main => self.resolutions += 1,
            Payload::Unrecognised { name, .. } => *self.unrecognised.entry(name.to_string()).or_default() += 1,
            _ => {}
        }
        self.events.push((event.place, main, format!("{:?}", event.payload)));
    }
    fn fact(&mut self, _: Fact<'_>) {}
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.oddities.push(diagnostic.kind);
    }
}

fn opening() -> Opening {
    Opening { lane: LaneKey::Main, elsewhere: Vec::new() }
}

fn read(bytes: &[u8]) -> Told {
    let (mut told, mut adapter, mut start) = (Told::default(), (FORMAT.open)(&opening()), 0);
    for (n, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let place = Place {
            line: u32::try_from(n).unwrap() + 1,
            bytes: ByteRange::new(start, line.len()),
            hash: Hash64::of(line).0 as u32,
            ..Place::default()
        };
        adapter.record(Record { bytes: line, place }, &mut told);
        start += line.len() as u64 + 1;
    }
    told
}

/// Counts the blocks of this type in the main lane's messages, without the adapter.
fn blocks(bytes: &[u8], kind: &str) -> u64 {
    let lines: Vec<Value> = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let first = lines.iter().find(|line| line["uuid"].is_string());
    let own = first.filter(|line| line["isSidechain"] == true).map_or(Value::Null, |line| line["agentId"].clone());
    let messages = lines.iter().filter(|line| line["type"] == "user" || line["type"] == "assistant");
    messages
        .filter(|line| line["isSidechain"] != true || (own.is_string() && line["agentId"] == own))
        .filter_map(|line| line["message"]["content"].as_array())
        .flatten()
        .filter(|block| block["type"] == kind)
        .count() as u64
}

#[test]
fn every_call_and_resolution_is_told_and_every_type_is_known() {
    for path in sessions() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        let told = read(&bytes);
        assert_eq!(told.calls, blocks(&bytes, "tool_use"), "calls of {name}");
        assert_eq!(told.resolutions, blocks(&bytes, "tool_result"), "resolutions of {name}");
        assert_eq!(told.unrecognised, BTreeMap::new(), "{name}");
        let torn = name.starts_with("DERIVED");
        let allowed = |kind: &DiagnosticKind| *kind == DiagnosticKind::Glued || (torn && *kind == DiagnosticKind::Garbage);
        assert!(told.oddities.iter().all(allowed), "{name}: {:?}", told.oddities);
    }
}

#[test]
fn a_record_says_the_same_to_a_fresh_adapter() {
    for path in sessions() {
        let bytes = fs::read(&path).unwrap();
        let told = read(&bytes);
        let mut from = 0;
        while let Some((place, ..)) = told.events.get(from) {
            let count = told.events[from..].iter().take_while(|(next, ..)| next.bytes == place.bytes).count();
            let (start, end) = (usize::try_from(place.bytes.start).unwrap(), usize::try_from(place.bytes.end()).unwrap());
            let mut again = Told::default();
            let record = Record { bytes: &bytes[start..end], place: Place { nth: 0, ..*place } };
            assert_eq!(Hash64::of(record.bytes).0 as u32, place.hash);
            (FORMAT.open)(&opening()).record(record, &mut again);
            let whole: Vec<_> = told.events[from..from + count].iter().map(|(place, _, payload)| (place, payload)).collect();
            let single: Vec<_> = again.events.iter().map(|(place, _, payload)| (place, payload)).collect();
            assert_eq!(single, whole, "{}:{}", path.display(), place.line);
            from += count;
        }
    }
}
