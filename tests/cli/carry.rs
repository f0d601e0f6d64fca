//! `owed carry`: what it writes, and that what is put back yields the entries that it was written from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::{Transcript, open, quiet};

/// What `carry` says of a session.
fn carried(machine: &Machine, path: &str, more: &[&str]) -> Value {
    let (code, out, err) = machine.say(&[&["carry", path, "--format", "json"], more].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{path}");
    serde_json::from_str(&out).unwrap()
}

fn markdown(machine: &Machine, path: &str) -> String {
    let (code, out, _) = machine.say(&["carry", path]);
    assert_eq!(code, 0);
    out
}

/// The carriers by key and text, without what depends on where they were read: ids, places, what only a transcript knows.
fn by_key(report: &Value) -> BTreeMap<(String, String), Value> {
    let own = report["carriers"].as_array().unwrap().iter().filter(|carrier| carrier["kind"] != "binding");
    let told = own.map(|carrier| {
        let mut told = carrier.as_object().unwrap().clone();
        for name in ["entry", "place", "tokens", "call", "lane", "pointer"] {
            told.remove(name);
        }
        let key = (carrier["key"].as_str().unwrap().to_owned(), carrier["text"].as_str().unwrap().to_owned());
        (key, Value::Object(told))
    });
    told.collect()
}

/// The session of `path` goes on in three ways, each of which must keep what is owed.
fn survives(machine: &Machine, name: &str) {
    let before = carried(machine, name, &[]);
    let text = markdown(machine, name);
    let expected = by_key(&before);
    let keys = |map: &BTreeMap<(String, String), Value>| map.keys().map(|(key, _)| key.clone()).collect::<Vec<_>>();

    // Another session gets the Markdown.
    machine.file("other.jsonl", Transcript::default().injected(&text).text());
    let other = by_key(&carried(machine, "other.jsonl", &[]));
    assert_eq!(keys(&other), keys(&expected), "{name}: {text}");
    for (key, is) in &other {
        same(name, is, &expected[key]);
    }
    same_edges(name, &other, &expected);

    // Another session has them in its side ledger.
    let empty = machine.file("side.jsonl", Transcript::default().injected("Hello.").text());
    let mut listed = before.clone();
    for carrier in listed["carriers"].as_array_mut().unwrap() {
        carrier["place"] = json!({"line": 1});
    }
    fs::write(empty.with_extension("owed.jsonl"), listed.to_string()).unwrap();
    let side = by_key(&carried(machine, "side.jsonl", &[]));
    for (key, should) in &expected {
        same(name, &side[key], should);
    }

    // The same session is compacted, and gets them again: nothing is lost, and nothing stands there twice.
    let own = fs::read_to_string(machine.path(name)).unwrap();
    let after = Transcript::after(500).compacted("Work went on.").injected(&text);
    machine.file("after.jsonl", own + after.text());
    let side = fs::read(machine.path(name).with_extension("owed.jsonl")).unwrap_or_default();
    machine.file("after.owed.jsonl", side);
    let after = carried(machine, "after.jsonl", &[]);
    let (_, check, _) = machine.say(&["check", "after.jsonl", "--json"]);
    let check: Value = serde_json::from_str(&check).unwrap();
    let lost: Vec<&Value> = check["verdict"]["lost"].as_array().unwrap().iter().collect();
    assert!(lost.is_empty(), "{name}: {lost:?} are lost: {text}");
    let after = keys(&by_key(&after));
    // A call that the boundary gave up is an unknown effect from now on, or was only a look.
    for key in keys(&expected).iter().filter(|key| !key.starts_with("call:")) {
        assert_eq!(after.iter().filter(|is| *is == key).count(), keys(&expected).iter().filter(|is| *is == key).count(), "{key}");
    }
}

/// Every field is what it was. What stands beside each other may have been joined by more relations and conditions than before.
fn same(name: &str, is: &Value, should: &Value) {
    for (field, should) in should.as_object().unwrap() {
        match field.as_str() {
            "edges" => {}
            "preconditions" => {
                let kept = |condition: &Value| is[field].as_array().unwrap().contains(condition);
                assert!(should.as_array().unwrap().iter().all(kept), "{name}: {field} of {is}");
            }
            _ => assert_eq!(&is[field], should, "{name}: {field} of {is}"),
        }
    }
}

/// Of the relations those between two that were carried are there again.
fn same_edges(name: &str, is: &BTreeMap<(String, String), Value>, should: &BTreeMap<(String, String), Value>) {
    for (key, carrier) in should {
        for edge in carrier["edges"].as_array().unwrap() {
            let is_carried = should.keys().any(|(key, _)| edge["to"] == key.as_str());
            assert!(!is_carried || is[key]["edges"].as_array().unwrap().contains(edge), "{name}: {edge} of {}", is[key]);
        }
    }
}

#[test]
fn samples_survive() {
    let machine = Machine::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    for name in ["stopped-mid-call", "healthy", "compacted", "with-subagent", "instrumented"] {
        for file in [format!("{name}.jsonl"), format!("{name}.owed.jsonl")] {
            if let Ok(text) = fs::read(folder.join(&file)) {
                machine.file(&file, text);
            }
        }
        survives(&machine, &format!("{name}.jsonl"));
    }
}

#[test]
fn a_carrier_is_written_once_and_in_order_of_opening() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    let report = carried(&machine, "s.jsonl", &[]);
    let rows = report["carriers"].as_array().unwrap();
    let ids: Vec<u32> = rows.iter().map(|row| row["entry"].as_str().unwrap()[1..].parse().unwrap()).collect();
    assert!(ids.len() > 3 && ids.is_sorted(), "{ids:?}");
    let severed = carried(&machine, "s.jsonl", &["--severed", "--cut", "1"]);
    let keys: Vec<&Value> = severed["carriers"].as_array().unwrap().iter().map(|row| &row["kind"]).collect();
    assert!(!keys.is_empty() && keys.len() < ids.len(), "{keys:?}");
    // Both meanings of --format.
    let named = carried(&machine, "s.jsonl", &["--format", "claude-code"]);
    assert_eq!(named, report);
    assert_eq!(machine.say(&["carry", "s.jsonl", "--format", "nonsense"]).0, 2);
}

#[test]
fn markdown_opens_with_what_to_check() {
    let machine = Machine::new();
    let done = open().call("toolu_c", "Bash", &json!({"command": "gh pr comment 12 --body ok"})).result("toolu_c", "https://x/12");
    machine.file("s.jsonl", done.text());
    insta::assert_snapshot!(markdown(&machine, "s.jsonl"));
    machine.file("q.jsonl", quiet().text());
    machine.file("e.jsonl", "");
    assert_eq!(markdown(&machine, "e.jsonl"), "");
}

fn said() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Do not drop columns of orders. Push when the tests pass.",
        "From now on run the tests before you commit.",
        "Only push if the build is green.",
        "<commitment key=\"k\" kind=\"value\">Use port 8443.</commitment>",
        "<commitment key=\"k\" kind=\"value\">Use port 9443.</commitment>",
        "Looks good, go on.",
        "Which port is it?",
    ])
}

fn command() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "git push origin main",
        "./migrate.sh orders --apply",
        "gh pr comment 12 --body ok",
        "git stash",
        "psql -c 'BEGIN'",
        "git status",
        "cat a.rs",
        "npm run dev &",
    ])
}

#[derive(Clone, Debug)]
enum Does {
    Says(&'static str),
    Ends(&'static str, u8),
    Answers,
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        2 => said().prop_map(Does::Says),
        4 => (command(), 0u8..4).prop_map(|(command, how)| Does::Ends(command, how)),
        1 => Just(Does::Answers),
    ]
}

fn session(all: &[Does]) -> Transcript {
    all.iter().enumerate().fold(Transcript::default().prompt("Begin."), |session, (n, does)| match does {
        Does::Says(text) => session.prompt(text),
        Does::Answers => session.say("I shall push the branch next. The docs are not done yet.", 40_000),
        Does::Ends(command, how) => {
            let id = format!("toolu_{n}");
            let session = session.call(&id, "Bash", &json!({"command": command}));
            match how {
                0 => session.result(&id, "done"),
                1 => session.failure(&id, "Exit code 1\nno"),
                2 => session.failure(&id, "Exit code 143\nCommand timed out after 2m 0s"),
                _ => session,
            }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn whatever_is_owed_survives(all in prop::collection::vec(does(), 1..12)) {
        let machine = Machine::new();
        machine.file("s.jsonl", session(&all).text());
        survives(&machine, "s.jsonl");
    }
}
