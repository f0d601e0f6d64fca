//! The samples, and real sessions where this machine has some (`OWED_CORPUS`): every command ends by its contract.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use owed::source::side::is_side_ledger;
use serde_json::Value;

use crate::harness::Machine;

fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_session = |path: &Path| path.extension().is_some_and(|extension| extension == "jsonl") && !is_side_ledger(path);
    found.retain(|path| is_session(path));
    found.sort();
    found
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions")
}

/// Checks a session, and what must hold in every report.
fn is_sound(machine: &Machine, path: &Path) {
    let (code, out, err) = machine.say(&["check", path.to_str().unwrap(), "--json"]);
    assert_eq!(err, "", "{}", path.display());
    let report: Value = serde_json::from_str(&out).unwrap();
    let verdict = &report["verdict"];
    let codes = [("compact", 0), ("repair", 10), ("defer", 11), ("refuse", 12), ("escalate", 13), ("around", 14)];
    assert!(codes.contains(&(verdict["verdict"].as_str().unwrap(), code)), "{}: {code}", path.display());
    let n = |key: &str| verdict["tokens"][key].as_u64().unwrap();
    assert_eq!(n("before") - n("after"), n("reclaimed_safely") + n("at_risk"), "{}", path.display());
    let ids = |list: &Value, key: &str| list.as_array().unwrap().iter().map(|row| row[key].to_string()).collect::<BTreeSet<_>>();
    let entries = ids(&report["entries"], "id");
    assert!(ids(&verdict["reasons"], "entry").is_subset(&entries), "{}: a reason cites an entry", path.display());
    assert!(ids(&report["pending"], "entry").is_subset(&entries), "{}", path.display());
}

#[test]
fn samples_are_sound() {
    let machine = Machine::new();
    let all = transcripts(&samples());
    assert!(all.len() >= 5);
    for path in all {
        is_sound(&machine, &path);
    }
}

#[test]
fn a_line_of_another_file_says_which() {
    let machine = Machine::new();
    let path = samples().join("with-subagent.jsonl");
    let (code, out, _) = machine.say(&["events", path.to_str().unwrap()]);
    assert_eq!(code, 0);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.iter().any(|event| event["lane"] != "main"));
    for event in &events {
        let file = event["file"].as_str();
        assert_eq!(file.is_some(), event["lane"] != "main", "{event}");
        assert!(file.is_none_or(|file| file.contains("subagents")), "{event}");
    }
    let lane = events.iter().find(|event| event["lane"] != "main").unwrap()["lane"].as_str().unwrap();
    let (_, out, _) = machine.say(&["check", path.to_str().unwrap(), "--lane", lane, "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["lane"], lane);
    assert!(report["at"]["file"].as_str().unwrap().contains("subagents"), "{}", report["at"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the variable says where real sessions are")]
fn real_sessions_are_sound() {
    let Some(corpus) = std::env::var_os("OWED_CORPUS").map(PathBuf::from) else { return };
    let machine = Machine::new();
    // Chat messages, and a list of prompts: neither is a rollout.
    let others = ["codex_api_design", "codex_history"];
    for path in ["claude", "codex"].iter().flat_map(|agent| transcripts(&corpus.join(agent))) {
        let name = path.to_str().unwrap();
        if others.iter().any(|other| name.contains(other)) {
            assert_eq!(machine.say(&["check", name]).0, 3, "{name}");
        } else {
            is_sound(&machine, &path);
        }
    }
}
