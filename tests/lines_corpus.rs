//! Real recordings of the agents whose transcripts are JSON lines, where `OWED_CORPUS` names a folder that holds some: what is read of
//! each, against counts that do without the adapters.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use owed::base::ids::EventIx;
use owed::formats::detect::detect;
use owed::ledger::Rulebook;
use owed::ledger::rows::EventKind;
use owed::session::{Feed, Options, Snapshot};
use owed::transcript::BoundaryKind;
use serde_json::Value;

/// Folders of the corpus, and the format of the recordings in them.
const FOLDERS: &[(&str, &str)] = &[
    ("gemini", "gemini-cli"),
    ("qwen", "qwen-code"),
    ("pi", "pi"),
    ("copilot", "copilot-cli"),
    ("generic/claude_stream_json", "claude-stream-json"),
    ("handmade", "gemini-cli"),
];

#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn recordings() -> Vec<(PathBuf, &'static str)> {
    let Some(corpus) = std::env::var_os("OWED_CORPUS") else { return Vec::new() };
    let mut all = Vec::new();
    for (folder, format) in FOLDERS {
        let entries = fs::read_dir(Path::new(&corpus).join(folder)).unwrap().map(|entry| entry.unwrap().path());
        all.extend(entries.filter(|path| is_of(path, format)).map(|path| (path, *format)));
    }
    all.sort();
    all
}

fn is_of(path: &Path, format: &str) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
        && detect(&fs::read(path).unwrap()).is_ok_and(|found| found.agent.0 == format)
}

fn read(path: &Path) -> Arc<Snapshot> {
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    Feed::whole(path, &options).unwrap().latest()
}

/// What was counted in one recording.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    calls: usize,
    /// Calls of which the recording says how they ended.
    ended: usize,
    orphans: usize,
    boundaries: usize,
}

/// What the ledgers of a session say.
fn counted(snapshot: &Snapshot) -> Counts {
    let mut counts = Counts::default();
    for lane in &snapshot.lanes {
        counts.calls += lane.calls.len();
        let ended = |event: EventIx| lane.events.get(event.index()).is_some_and(|row| row.kind == EventKind::Resolution);
        counts.ended += lane.calls.iter().filter(|call| call.end.is_some_and(|end| ended(end.event))).count();
        counts.orphans += lane.anomalies.iter().filter(|anomaly| anomaly.kind.to_string() == "orphan").count();
        counts.boundaries += lane.boundaries.iter().filter(|row| row.kind != BoundaryKind::Rewound).count();
    }
    counts
}

/// The objects of a file: several may stand on a line.
fn objects(path: &Path) -> Vec<Value> {
    let bytes = fs::read(path).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .flat_map(|line| serde_json::Deserializer::from_slice(line).into_iter().map_while(Result::ok).collect::<Vec<Value>>())
        .collect()
}

/// The same counts, from the JSON alone: every call and every end by its id.
fn independently(path: &Path, format: &str) -> Counts {
    let mut counts = Counts::default();
    let (mut calls, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let id = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for object in objects(path) {
        let parts = |value: &Value| value.as_array().cloned().unwrap_or_default();
        match format {
            "gemini-cli" => {
                for call in parts(&object["toolCalls"]) {
                    calls.insert(id(&call["id"]));
                    if ["success", "error", "cancelled"].contains(&call["status"].as_str().unwrap_or_default()) {
                        ends.insert(id(&call["id"]));
                    }
                }
                let lists = parts(&object["$set"]["messages"]);
                counts.boundaries += usize::from(lists.iter().any(|message| message.to_string().contains("<state_snapshot")));
            }
            "qwen-code" => {
                for part in parts(&object["message"]["parts"]) {
                    if part["functionCall"].is_object() {
                        calls.insert(id(&part["functionCall"]["id"]));
                    }
                    if part["functionResponse"].is_object() {
                        ends.insert(id(&part["functionResponse"]["id"]));
                    }
                }
                counts.boundaries += usize::from(object["subtype"] == "chat_compression");
            }
            "pi" => {
                let stop = object["message"]["stopReason"].as_str().unwrap_or_default();
                for part in parts(&object["message"]["content"]).iter().filter(|part| part["type"] == "toolCall") {
                    calls.insert(id(&part["id"]));
                    // A message that was cut off is never acted on.
                    if ["aborted", "error"].contains(&stop) {
                        ends.insert(id(&part["id"]));
                    }
                }
                if object["message"]["role"] == "toolResult" {
                    ends.insert(id(&object["message"]["toolCallId"]));
                }
                counts.boundaries += usize::from(object["type"] == "compaction");
            }
            "copilot-cli" => {
                let data = &object["data"];
                match object["type"].as_str().unwrap_or_default() {
                    "tool.execution_start" => _ = calls.insert(id(&data["toolCallId"])),
                    "tool.execution_complete" => _ = ends.insert(id(&data["toolCallId"])),
                    "assistant.message" => {
                        calls.extend(parts(&data["toolRequests"]).iter().map(|request| id(&request["toolCallId"])));
                    }
                    "session.compaction_complete" => counts.boundaries += usize::from(data["success"] == true),
                    _ => {}
                }
            }
            "claude-stream-json" => {
                for part in parts(&object["message"]["content"]) {
                    match part["type"].as_str().unwrap_or_default() {
                        "tool_use" => _ = calls.insert(id(&part["id"])),
                        "tool_result" => _ = ends.insert(id(&part["tool_use_id"])),
                        _ => {}
                    }
                }
                counts.boundaries += usize::from(object["subtype"] == "compact_boundary");
            }
            other => panic!("{other}"),
        }
    }
    counts.calls = calls.len();
    counts.ended = ends.intersection(&calls).count();
    counts.orphans = ends.difference(&calls).count();
    counts
}

#[test]
fn every_recording_is_read_whole_and_counted_alike_by_other_means() {
    let all = recordings();
    let mut by_format: BTreeMap<&str, (usize, u64, u64, Counts)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (path, format) in &all {
        let snapshot = read(path);
        let (ours, theirs) = (counted(&snapshot), independently(path, format));
        if ours != theirs {
            wrong.push(format!("{}: {ours:?}, and by other means {theirs:?}", path.display()));
        }
        let records = objects(path).len() as u64;
        let unknown: u64 = snapshot.facts.unrecognised.values().sum();
        if unknown > 0 {
            println!("{}: {:?}", path.display(), snapshot.facts.unrecognised);
        }
        let row = by_format.entry(format).or_default();
        (row.0, row.1, row.2) = (row.0 + 1, row.1 + records, row.2 + unknown);
        row.3.calls += ours.calls;
        row.3.ended += ours.ended;
        row.3.orphans += ours.orphans;
        row.3.boundaries += ours.boundaries;
    }
    for (format, (files, records, unknown, counts)) in &by_format {
        println!("{format}: {files} files, {records} records, {unknown} unknown, {counts:?}, {} open", counts.calls - counts.ended);
        assert!(unknown * 100 <= *records, "{format}: {unknown} of {records} records are unknown");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(all.is_empty() || by_format.len() >= 5, "{:?}", by_format.keys());
}
