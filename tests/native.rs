//! `owed`'s own format: its schema, and the examples that write it.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "../examples/instrument.rs"]
#[expect(dead_code, unreachable_pub, reason = "an example is a program of its own")]
mod instrument;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use owed::ledger::Rulebook;
use owed::ledger::effects::EffectStatus;
use owed::ledger::entry::EntryKind;
use owed::session::{Options, Snapshot, read};
use serde_json::Value;

fn session(text: &str) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, text).unwrap();
    read(&path, &Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()))).unwrap()
}

fn written() -> String {
    let mut out = Vec::new();
    instrument::run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What the example's session must come to.
fn check(text: &str) {
    let snapshot = session(text);
    let lane = &snapshot.lanes[0];
    assert_eq!((snapshot.facts.agent.0, snapshot.facts.id.as_deref()), ("owed", Some("refund-88148")));
    assert!(snapshot.facts.unrecognised.is_empty() && snapshot.facts.mistakes.is_empty(), "{:?}", snapshot.facts);
    assert_eq!(lane.model.as_deref(), Some("claude-opus-4-6"));
    let effects: Vec<Option<EffectStatus>> = lane.calls.iter().map(|call| call.end.and_then(|end| end.effect)).collect();
    assert_eq!(effects.last(), Some(&Some(EffectStatus::Unknown)));
    assert_eq!(lane.calls.iter().last().unwrap().key.as_deref(), Some("dup-88148"));
    let live = lane.live_at(lane.end().unwrap());
    let rule = live.iter().find(|entry| entry.key == "ticket-311").unwrap();
    assert_eq!(rule.kind, EntryKind::Prohibition);
}

#[test]
fn the_example_in_rust_writes_a_session() {
    check(&written());
}

#[test]
fn the_example_in_python_writes_the_same_session() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/instrument.py");
    // A machine without Python cannot tell.
    let Ok(output) = Command::new("python3").arg(script).output() else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    check(&text);
    let values = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    assert_eq!(values(&text), values(&written()));
}

#[test]
fn the_schema_knows_every_type_and_field_of_the_sample() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(root.join("assets/session.schema.json")).unwrap()).unwrap();
    let fields = |kind: &str| -> BTreeSet<String> {
        let own = schema["$defs"][kind]["properties"].as_object().unwrap_or_else(|| panic!("no {kind}"));
        own.keys().chain(schema["$defs"]["common"]["properties"].as_object().unwrap().keys()).cloned().collect()
    };
    let sample = fs::read_to_string(root.join("sample-sessions/native.jsonl")).unwrap();
    for line in sample.lines().chain(written().lines()) {
        let value: Value = serde_json::from_str(line).unwrap();
        let Some(kind) = value["type"].as_str() else { continue };
        let known = fields(kind);
        for field in value.as_object().unwrap().keys() {
            assert!(known.contains(field), "{kind}.{field} is not in the schema");
        }
    }
}
