//! `check` and `plan`: exit codes by verdict, the moment, the lane, and what is said.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::{Transcript, open, promised, quiet};

fn machine(transcript: &Transcript) -> Machine {
    let machine = Machine::new();
    machine.file("s.jsonl", transcript.text());
    machine
}

fn report(machine: &Machine, args: &[&str]) -> Value {
    let (_, out, err) = machine.say(args);
    assert_eq!(err, "", "{args:?}");
    assert!(out.ends_with('\n') && out.matches('\n').count() == 1, "JSON stands alone: {out}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn the_exit_code_is_the_verdict() {
    for (name, transcript, args, code, verdict) in [
        ("no events", Transcript::default(), &[] as &[&str], 0, "compact"),
        ("what a policy keeps is in nobody's way", promised(), &["--policy", "codex"], 0, "compact"),
        ("a commitment needs a carrier", promised(), &[], 10, "repair"),
        ("open, and no pressure", open(), &[], 11, "defer"),
        ("open, and it presses", open(), &["--window", "34k"], 12, "refuse"),
        ("less than what is owed", promised(), &["--budget", "1"], 13, "escalate"),
        ("open, pressed, and able to keep spans", open(), &["--window", "34k", "--policy", "pins"], 14, "around"),
    ] {
        let machine = machine(&transcript);
        machine.file(".config/owed/policies/pins.toml", PINS);
        for command in ["check", "plan"] {
            let args: Vec<&str> = [command, "s.jsonl"].iter().chain(args).copied().collect();
            let (exit, out, err) = machine.say(&args);
            let second = out.lines().nth(1).unwrap_or_default();
            assert_eq!((exit, err.as_str()), (code, ""), "{name}: {command}: {out}");
            assert!(second.starts_with(&format!("{}  ", verdict.to_uppercase())), "{name}: {second}");
            let printed = report(&machine, &[&args[..], &["--json"]].concat());
            assert_eq!(printed["verdict"]["verdict"], verdict, "{name}");
        }
    }
}

/// A policy like Claude Code's, of a runtime that can keep single spans.
const PINS: &str = r#"
title      = "Everything but what is pinned"
confidence = "generic"
recover    = "none"
can        = ["pin_spans"]
[trigger]
tokens = "W - 33000"
[rest]
do = "summarise"
[size]
summary = 500
"#;

#[test]
fn what_a_person_reads() {
    let machine = machine(&open().unknown("brand-new"));
    insta::assert_snapshot!("check", machine.say(&["check", "s.jsonl"]).1);
    insta::assert_snapshot!("plan", machine.say(&["plan", "s.jsonl"]).1);
    insta::assert_snapshot!("check after the prompt", machine.say(&["check", "s.jsonl", "--event", "0"]).1);
}

#[test]
fn what_a_script_reads() {
    let machine = machine(&open());
    let pretty = |args: &[&str]| serde_json::to_string_pretty(&report(&machine, args)).unwrap();
    insta::assert_snapshot!("check json", pretty(&["check", "s.jsonl", "--json"]));
}

#[test]
fn the_moment_is_an_event_or_a_line() {
    let transcript = quiet().unknown("brand-new");
    let machine = machine(&transcript);
    let lines = transcript.text().lines().count();
    let at = |args: &[&str]| report(&machine, &[&["check", "s.jsonl", "--json"], args].concat())["at"].clone();
    assert_eq!(at(&["--event", "0"]), serde_json::json!({"event": 0, "line": 1}));
    assert_eq!(at(&["--line", "3"]), serde_json::json!({"event": 2, "line": 3}));
    assert_eq!(at(&[]), at(&["--line", &lines.to_string()]), "the last line holds no event, or the last one");
    for (args, told) in [
        (["--event", "99"], "there is no event 99"),
        (["--line", "0"], "at or before line 0"),
        (["--line", "99"], "there is no line 99"),
        (["--cut", "99"], "there is no span 99 to cut at"),
    ] {
        let (code, out, err) = machine.say(&["check", "s.jsonl", args[0], args[1]]);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(told) && err.lines().count() == 2, "{err}");
    }
}

#[test]
fn a_prefix_does_not_know_the_future() {
    same_as_prefixes(&open(), 4);
    // Attempts that come later are not counted, nor is one of them the newest.
    let tried = |transcript: Transcript, id: &str| {
        transcript.call(id, "Bash", &json!({"command": "./migrate.sh orders"})).failure(id, "Exit code 137\nkilled")
    };
    let again = ["toolu_1", "toolu_2", "toolu_3", "toolu_4"].into_iter().fold(promised(), tried);
    same_as_prefixes(&again, u32::try_from(again.text().lines().count()).unwrap());
}

/// That the state after an event is the one of a file that ends there; for the events from the first answer on, which says the model.
fn same_as_prefixes(transcript: &Transcript, events: u32) {
    let whole = machine(transcript);
    for event in 1..events {
        let lines: Vec<&str> = transcript.text().lines().take(event as usize + 1).collect();
        let prefix = machine(&Transcript::default());
        prefix.file("s.jsonl", lines.join("\n"));
        let past = report(&whole, &["check", "s.jsonl", "--json", "--event", &event.to_string()]);
        let then = report(&prefix, &["check", "s.jsonl", "--json"]);
        for key in ["at", "context", "entries", "pending", "spans", "verdict", "guarantee"] {
            assert_eq!(past[key], then[key], "{key} after event {event}");
        }
    }
}

#[test]
fn closed_entries_are_listed_when_asked_for() {
    // A plain failure that nobody came back to settles by age.
    let failed = promised().call("toolu_a", "Bash", &json!({"command": "./frobnicate.sh"})).failure("toolu_a", "Exit code 3\noops");
    let machine = machine(&(0..40).fold(failed, |transcript, n| transcript.say(&format!("Step {n}."), 31_000)));
    let statuses = |args: &[&str]| {
        let printed = report(&machine, &[&["check", "s.jsonl", "--json"], args].concat());
        let statuses = printed["entries"].as_array().unwrap().iter().map(|entry| entry["status"].as_str().unwrap().to_owned());
        statuses.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(statuses(&[]), ["live"]);
    assert_eq!(statuses(&["--all"]), ["discharged", "live", "settled"]);
    assert_eq!(statuses(&["--strict"]), ["live", "settled"]);
}

#[test]
fn unknown_names_are_told_with_the_known_ones() {
    let machine = machine(&promised());
    for (args, told, known) in [
        (["--lane", "sub"], "no lane is called `sub`", "there are main"),
        (["--policy", "nobody"], "no policy is called `nobody`", "claude-code"),
        (["--format", "nobody"], "no format is called `nobody`", "there are claude-code, codex"),
    ] {
        let (code, out, err) = machine.say(&["check", "s.jsonl", args[0], args[1]]);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(told) && err.contains(known), "{err}");
    }
    assert_eq!(machine.say(&["check", "s.jsonl", "--lane", "ma"]).0, 10);
}

#[test]
fn the_settings_stand_behind_the_command_line() {
    let machine = machine(&open());
    assert_eq!(machine.say(&["check", "s.jsonl"]).0, 11);
    machine.file(".config/owed/config.toml", "[check]\nwindow = \"34k\"\n");
    assert_eq!(machine.say(&["check", "s.jsonl"]).0, 12);
    assert_eq!(machine.say(&["check", "s.jsonl", "--window", "200k"]).0, 11);
}

#[test]
fn rules_that_are_put_back_are_listed_only_among_all() {
    let machine = Machine::new();
    let item = |role: &str, text: &str| {
        let kind = if role == "assistant" { "output_text" } else { "input_text" };
        let item = json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
        json!({"timestamp": "2026-03-02T09:00:00.000Z", "type": "response_item", "payload": item}).to_string()
    };
    let meta = json!({"id": "0195b2c4-0000-7000-8000-000000000001", "timestamp": "2026-03-02T09:00:00.000Z", "cwd": "/w", "originator": "codex_cli_rs", "cli_version": "0.98.0", "instructions": null});
    let mut lines = vec![
        json!({"timestamp": "2026-03-02T09:00:00.000Z", "type": "session_meta", "payload": meta}).to_string(),
        item("developer", "<permissions instructions>\nNever ask for approval.\n</permissions instructions>"),
        item("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>"),
        item("user", "Sort the rows by date."),
    ];
    lines.extend((0..12).map(|n| item("assistant", &format!("Looking at row {n} of the table, which has a date of its own."))));
    machine.file("s.jsonl", format!("{}\n", lines.join("\n")));
    let rules = |args: &[&str]| {
        let report = report(&machine, &[&["check", "s.jsonl", "--json"], args].concat());
        let entries = report["entries"].as_array().cloned().unwrap_or_default();
        entries.iter().filter(|entry| entry["rule"] == "rules-file" && entry["status"] == "live").count()
    };
    assert_eq!(rules(&[]), 0, "Codex puts them back");
    assert_eq!(rules(&["--all"]), 2);
    assert_eq!(rules(&["--policy", "openai-compact"]), 2, "nobody puts them back");
    let (_, out, _) = machine.say(&["check", "s.jsonl"]);
    assert!(out.contains("· 1 live"), "{out}");
}
