//! The keys that OUTPUT's examples show are there, whatever else is.

use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::{Transcript, open, promised};

/// Every path of `documented` is one of `printed`: keys may be added, never dropped.
fn covers(documented: &Value, printed: &Value, path: &str) {
    match (documented, printed) {
        (Value::Object(keys), Value::Object(found)) => {
            for (key, value) in keys {
                assert!(found.contains_key(key), "{path}.{key} is not printed: {printed}");
                covers(value, &found[key], &format!("{path}.{key}"));
            }
        }
        (Value::Array(rows), Value::Array(found)) => {
            if let (Some(row), Some(first)) = (rows.first(), found.first()) {
                covers(row, first, &format!("{path}[0]"));
            }
        }
        // What is not known is null, whatever the example shows.
        (_, Value::Null) | (Value::Null, _) => {}
        (documented, printed) => {
            assert_eq!(std::mem::discriminant(documented), std::mem::discriminant(printed), "{path}: {printed} for {documented}");
        }
    }
}

fn entry() -> Value {
    json!({"id": "e17", "kind": "prohibition", "also": ["requirement"], "status": "live", "trust": "inferred", "rule": "P1",
        "key": "prohibition:drop-rename-column~9f31c2d0", "text": "Do not drop or rename any column of orders.",
        "line_text": "Do not drop or rename any column of orders.", "scope": "standing", "lane": "main", "effect": null, "class": null,
        "action": null, "intent": null, "target": null, "idempotency_key": null, "idempotent": null, "attempts": null,
        "identifiers": ["orders"], "preconditions": [],
        "discharge": {"text": "a later prompt that lifts it", "check": "revoked", "needs": [], "observable": true},
        "edges": [{"type": "guards", "to": "e21"}], "holders": [{"where": "verbatim", "span": 4}], "lost_at": null, "colour": "repair",
        "opened": {"event": 12, "line": 31, "span": 4, "turn": 2, "at": "2026-05-04T09:02:11Z"}, "closed": null,
        "evidence": [{"event": 12, "line": 31}]})
}

fn check() -> Value {
    json!({"schema": "owed.check/1",
        "session": {"path": "...", "format": "claude-code", "agent_version": "2.1.34", "model": "...", "events": 812,
            "lanes": [{"id": "main", "events": 700, "parent": null}], "boundaries": 1, "unrecognised": {"some-type": 3},
            "anomalies": [{"kind": "orphan", "line": 77, "call": "toolu_..."}]},
        "at": {"event": 811, "line": 640}, "lane": "main",
        "context": {"tokens": 142_000, "window": 200_000, "window_assumed": false, "estimated": false, "trigger": 167_000,
            "pressure": "none"},
        "guarantee": {"explicit": 0.0, "structured": 0.12, "inferred": 0.88, "text": "best effort: tags were inferred"},
        "entries": [entry()],
        "spans": [{"span": 4, "turn": 2, "kind": "step", "events": [[12, 19]], "lines": [[31, 44]], "tokens": 1830, "estimated": true,
            "in_context": true, "colour": "repair", "reasons": ["e17"]}],
        "verdict": {"verdict": "repair", "policy": "claude-code", "cut": 61,
            "reasons": [{"entry": "e17", "repair": "carry", "with": null}], "live_identifiers": ["src/a.rs"],
            "tokens": {"before": 142_000, "after": 31_000, "reclaimed_safely": 97_000, "at_risk": 14_000, "carriers": 420, "floor": 380}}})
}

fn carrier() -> Value {
    let entry = entry();
    json!({"entry": "e17", "key": entry["key"], "kind": entry["kind"], "text": entry["text"], "effect": null, "action": null,
        "target": null, "idempotency_key": null, "attempts": null, "progress": [], "preconditions": [], "discharge": entry["discharge"],
        "edges": entry["edges"], "place": {"line": 31, "at": "2026-05-04T09:02:11Z"}, "pointer": null, "tokens": 40})
}

fn plan() -> Value {
    let mut plan = check();
    plan["schema"] = json!("owed.plan/1");
    plan["spans"][0]["action"] = json!("kept");
    plan["severed"] = json!([{"entry": "e17", "how": "summarised away", "span": 4}]);
    plan["plan"] = json!({"verdict": "repair", "keep": [61], "summarise": [4], "carriers": [carrier()], "live_identifiers": ["src/a.rs"],
        "tokens": plan["verdict"]["tokens"].clone()});
    plan
}

fn audit() -> Value {
    json!({"schema": "owed.audit/1", "session": check()["session"],
        "boundaries": [{"event": 512, "line": 400, "lane": "main", "kind": "summary", "trigger": "auto",
            "tokens": {"before": 155_000, "after": 21_000}, "obligations": {"before": 420, "floor": 380, "after": 120},
            "entries": {"live": 9, "verbatim": 2, "restated": 3, "altered": 1, "missing": 2, "contradicted": 1, "unverifiable": 0,
                "unobserved": 0},
            "findings": [{"class": "negation-loss", "severity": "high", "entry": entry(), "fate": "altered",
                "before": "do not drop columns", "after": "columns were reviewed", "after_line": 402,
                "consequences": [{"class": "prohibited-action", "event": 540, "line": 431, "text": "psql ... DROP COLUMN"}]}]}]})
}

/// What a command prints of a session.
fn printed(command: &str, transcript: &Transcript) -> Value {
    let machine = Machine::new();
    machine.file("s.jsonl", transcript.text());
    let (_, out, _) = machine.say(&[command, "s.jsonl", "--json"]);
    serde_json::from_str(&out).unwrap()
}

/// A session with something open, something odd and something unknown.
fn eventful() -> Transcript {
    open().result("toolu_nobody", "late").unknown("some-type")
}

fn is_filled(printed: &Value, list: &str) {
    assert!(!printed.pointer(list).unwrap().as_array().unwrap().is_empty(), "{list} is empty: nothing was compared");
}

#[test]
fn check_prints_what_is_documented() {
    let printed = printed("check", &eventful());
    assert_eq!(printed["schema"], "owed.check/1");
    covers(&check(), &printed, "check");
    for list in ["session/lanes", "session/anomalies", "entries", "spans", "verdict/reasons", "verdict/live_identifiers", "pending"]
    {
        is_filled(&printed, &format!("/{list}"));
    }
}

#[test]
fn with_all_the_graph_is_printed_and_its_ends_are_there() {
    let machine = Machine::new();
    machine.file("s.jsonl", eventful().text());
    let printed = |args: &[&str]| -> Value {
        let (_, out, _) = machine.say(&[&["check", "s.jsonl", "--json"], args].concat());
        serde_json::from_str(&out).unwrap()
    };
    assert!(printed(&[]).get("graph").is_none());
    let whole = printed(&["--all"]);
    covers(&json!([{"from": "e21", "type": "guards", "to": "e17", "event": 12, "line": 31}]), &whole["graph"], "graph");
    let ids: Vec<&Value> = whole["entries"].as_array().unwrap().iter().map(|entry| &entry["id"]).collect();
    for link in whole["graph"].as_array().unwrap() {
        assert!(ids.contains(&&link["to"]) && (link["from"].is_null() || ids.contains(&&link["from"])), "{link}");
    }
    let opened = |id: &&Value| whole["graph"].as_array().unwrap().iter().any(|link| link["to"] == **id && link["type"] == "opens");
    assert!(ids.iter().all(opened), "every entry came from something: {}", whole["graph"]);
}

#[test]
fn plan_prints_what_is_documented() {
    for (transcript, filled) in [(eventful(), "/severed"), (promised().unknown("some-type"), "/plan/carriers")] {
        let printed = printed("plan", &transcript);
        assert_eq!(printed["schema"], "owed.plan/1");
        covers(&plan(), &printed, "plan");
        is_filled(&printed, filled);
    }
}

#[test]
fn audit_prints_what_is_documented() {
    let printed = printed("audit", &eventful().prompt("Never push to main.").compacted("The work went on.").say("ok", 9));
    assert_eq!(printed["schema"], "owed.audit/1");
    covers(&audit(), &printed, "audit");
    is_filled(&printed, "/boundaries");
}

#[test]
fn what_is_reclaimed_is_what_is_gone() {
    for transcript in [eventful(), promised()] {
        let tokens = &printed("plan", &transcript)["verdict"]["tokens"];
        let n = |key: &str| tokens[key].as_u64().unwrap();
        assert_eq!(n("before") - n("after"), n("reclaimed_safely") + n("at_risk"));
    }
}

#[test]
fn shares_of_the_guarantee_add_up() {
    let guarantee = &printed("check", &eventful())["guarantee"];
    let sum: f64 = ["explicit", "structured", "inferred"].iter().map(|key| guarantee[key].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 0.02, "{guarantee}");
}

#[test]
fn events_are_one_object_a_line() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    let (code, out, _) = machine.say(&["events", "s.jsonl"]);
    assert_eq!(code, 0);
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<u64> = events.iter().map(|event| event["event"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
    insta::assert_snapshot!(out);
}
