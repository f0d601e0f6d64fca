//! The side ledger on the command line: README's example, where it is looked for, how mistakes are told; and how much of human text counts.

use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::Transcript;

/// The lines of README's example.
fn example() -> Vec<&'static str> {
    let text = include_str!("../../README.md");
    let block = text.split_once("```jsonl\n").unwrap().1.split_once("```").unwrap().0;
    block.lines().collect()
}

/// What README's example is about: a call that ran into its time limit. A minute passes between records.
fn session() -> Transcript {
    Transcript::default()
        .prompt("Refund the duplicates.")
        .call("toolu_01", "Bash", &json!({"command": "bin/refund --order 88148"}))
        .failure("toolu_01", "Exit code 143\nCommand timed out after 2m 0s")
}

fn check(machine: &Machine, args: &[&str]) -> Value {
    let (_, out, err) = machine.say(&[&["check", "s.jsonl", "--json", "--all"], args].concat());
    assert_eq!(err, "", "{args:?}");
    serde_json::from_str(&out).unwrap()
}

/// The entries that no fold made by itself, as `key status trust`, and the effects.
fn told(report: &Value) -> Vec<String> {
    let own = report["entries"].as_array().unwrap().iter();
    let own = own.filter(|entry| entry["trust"] == "explicit" || entry["kind"] == "effect");
    let words = |entry: &Value| format!("{} {} {}", entry["kind"], entry["status"], entry["trust"]).replace('"', "");
    own.map(words).collect()
}

#[test]
fn the_example_does_what_is_said_of_it() {
    let machine = Machine::new();
    machine.file("s.jsonl", session().text());
    for (lines, expected) in [
        (0, vec!["effect live inferred"]),
        (1, vec!["effect live inferred", "prohibition live explicit"]),
        (3, vec!["effect live explicit", "prohibition live explicit"]),
        (4, vec!["effect reconciled explicit", "prohibition live explicit"]),
    ] {
        machine.file("s.owed.jsonl", example()[..lines].join("\n"));
        let report = check(&machine, &[]);
        let mut is = told(&report);
        is.sort();
        assert_eq!(is, expected, "{lines} lines");
        assert_eq!(report["session"]["anomalies"], json!([]));
        let ledgers = report["session"]["side_ledgers"].as_array().unwrap().clone();
        assert_eq!(ledgers.first().map(|ledger| &ledger["records"]), (lines > 0).then_some(&json!(lines)));
    }
}

#[test]
fn a_side_ledger_is_looked_for_beside_in_the_state_folder_and_where_it_is_named() {
    let machine = Machine::new();
    machine.file("s.jsonl", session().text());
    let line = example()[0];
    machine.file(".local/state/owed/s.owed.jsonl", line);
    assert_eq!(told(&check(&machine, &[])).len(), 2);
    let elsewhere = machine.file("elsewhere/mine.jsonl", example()[..2].join("\n"));
    let report = check(&machine, &["--side-ledger", elsewhere.to_str().unwrap()]);
    assert_eq!(report["session"]["side_ledgers"].as_array().unwrap().len(), 1);
    assert_eq!(report["session"]["side_ledgers"][0]["records"], 2);
    let (code, out, err) = machine.say(&["check", "s.jsonl", "--side-ledger", "nowhere.jsonl"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(err.starts_with("owed: nowhere.jsonl"), "{err}");
}

#[test]
fn a_mistake_is_told_with_file_line_and_field() {
    let machine = Machine::new();
    machine.file("s.jsonl", session().text());
    machine.file("s.owed.jsonl", [example()[0], &example()[0].replace("prohibition", "ban")].join("\n"));
    let report = check(&machine, &[]);
    let anomaly = &report["session"]["anomalies"][0];
    assert_eq!((&anomaly["kind"], &anomaly["line"], &anomaly["field"]), (&json!("side-ledger"), &json!(2), &json!("kind")));
    assert!(anomaly["file"].as_str().unwrap().ends_with("s.owed.jsonl"));
    let text = machine.say(&["check", "s.jsonl"]).1;
    assert!(text.contains("line 2: kind: `ban` is none of call, effect"), "{text}");
}

#[test]
fn a_side_ledger_is_no_session() {
    let machine = Machine::new();
    machine.file(".claude/projects/p/s.jsonl", session().text());
    machine.file(".claude/projects/p/s.owed.jsonl", example().join("\n"));
    let (code, out, _) = machine.say(&["sessions", "--json"]);
    assert_eq!((code, out.matches("s.jsonl").count(), out.matches("owed.jsonl").count()), (0, 1, 0), "{out}");
}

#[test]
fn how_much_of_human_text_counts_is_a_setting() {
    let machine = Machine::new();
    machine.file("s.jsonl", Transcript::default().prompt("i saw it on the train").text());
    let live = |args: &[&str]| check(&machine, args)["entries"].as_array().unwrap().len();
    assert_eq!((live(&[]), live(&["--human", "keep"]), live(&["--human", "lean"])), (1, 1, 0));
    machine.file(".config/owed/config.toml", "[check]\nhuman = \"lean\"\n");
    assert_eq!((live(&[]), live(&["--human", "keep"])), (0, 1));
}
