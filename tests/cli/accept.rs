//! `owed audit --summary`: what `carry` writes is accepted, and what is left out of it is named.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::Machine;

/// Says nothing of any session.
const NEUTRAL: &str = "Work went on, and the notes are in the usual place.";

const SAMPLES: [&str; 5] = ["stopped-mid-call", "healthy", "instrumented", "compacted", "codex"];

fn machine() -> Machine {
    let machine = Machine::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    for name in SAMPLES {
        for file in [format!("{name}.jsonl"), format!("{name}.owed.jsonl")] {
            if let Ok(text) = fs::read(folder.join(&file)) {
                machine.file(&file, text);
            }
        }
    }
    machine.file("s.txt", NEUTRAL);
    machine
}

fn asked(machine: &Machine, session: &str, more: &[&str]) -> (i32, Value) {
    let (code, out, err) = machine.say(&[&["audit", session, "--summary", "s.txt", "--json"], more].concat());
    assert_eq!(err, "", "{session}");
    (code, serde_json::from_str(&out).unwrap())
}

#[test]
fn what_carry_writes_is_accepted() {
    let machine = machine();
    for name in SAMPLES {
        let session = format!("{name}.jsonl");
        for (form, file) in [("json", "c.json"), ("markdown", "c.md")] {
            machine.file(file, machine.say(&["carry", &session, "--format", form]).1);
            let (code, report) = asked(&machine, &session, &["--carriers", file]);
            assert_eq!((code, &report["accepted"]), (0, &Value::Bool(true)), "{name}, {form}: {report:#}");
            assert_eq!(report["next"], Value::Null);
        }
    }
}

#[test]
fn a_carrier_that_is_left_out_is_named() {
    let machine = machine();
    for name in ["stopped-mid-call", "instrumented"] {
        let session = format!("{name}.jsonl");
        let all: Value = serde_json::from_str(&machine.say(&["carry", &session, "--format", "json"]).1).unwrap();
        let count = all["carriers"].as_array().unwrap().len();
        assert!(count > 3);
        for n in 0..count {
            let mut rest = all.clone();
            let left = rest["carriers"].as_array_mut().unwrap().remove(n);
            machine.file("c.json", rest.to_string());
            let (code, report) = asked(&machine, &session, &["--carriers", "c.json"]);
            assert_eq!((code, &report["missing"]), (21, &Value::from(vec![left["key"].clone()])), "{name}: {report:#}");
            assert_eq!(
                (&report["altered"], &report["added"]),
                (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new()))
            );
            assert_eq!(report["next"], "write-carriers");
        }
    }
}

#[test]
fn it_asks_of_any_moment() {
    let machine = machine();
    let (code, early) = asked(&machine, "stopped-mid-call.jsonl", &["--line", "3"]);
    assert_eq!((code, &early["at"]["line"]), (21, &Value::from(3)));
    let (_, late) = asked(&machine, "stopped-mid-call.jsonl", &[]);
    let keys = |report: &Value| report["missing"].as_array().unwrap().len();
    assert!(keys(&early) < keys(&late));
}

#[test]
fn what_a_person_reads() {
    let machine = machine();
    machine.file("s.txt", "# Rules\n- Drop any column of orders.\n- Never touch the vendored code.\n");
    let (code, out, _) = machine.say(&["audit", "stopped-mid-call.jsonl", "--summary", "s.txt"]);
    assert_eq!(code, 21);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    insta::assert_snapshot!(out);
}

#[test]
fn summaries_come_from_standard_input_too() {
    let machine = machine();
    let run = |args: &[&str]| machine.owed(args).write_stdin(NEUTRAL).output().unwrap().status.code();
    assert_eq!(run(&["audit", "stopped-mid-call.jsonl", "--summary", "-"]), Some(21));
    assert_eq!(run(&["audit", "stopped-mid-call.jsonl", "--summary", "-", "--carriers", "-"]), Some(2));
    assert_eq!(run(&["audit", "stopped-mid-call.jsonl", "--summary", "none.txt"]), Some(3));
    assert_eq!(run(&["audit", "stopped-mid-call.jsonl", "--carriers", "s.txt"]), Some(2));
}

#[test]
fn a_carrier_with_a_mistake_in_it_is_told() {
    let machine = machine();
    let strange = r#"{"schema":"owed.carrier/1","key":"k","kind":"prohibition","text":"Never push.","mood":"good"}"#;
    machine.file("c.md", format!("# Carried\n\n{strange}\n"));
    let (code, report) = asked(&machine, "healthy.jsonl", &["--carriers", "c.md"]);
    let mistake = &report["mistakes"][0];
    assert!(code == 0 || code == 21);
    assert_eq!(
        (&mistake["file"], &mistake["line"], &mistake["field"]),
        (&"carriers".into(), &3.into(), &"mood".into()),
        "{report:#}"
    );
    let (_, out, _) = machine.say(&["audit", "healthy.jsonl", "--summary", "s.txt", "--carriers", "c.md"]);
    assert!(out.contains("they hold nothing") && out.contains("carriers, line 3: mood: "), "{out}");
    let (_, whole) = asked(&machine, "healthy.jsonl", &[]);
    assert_eq!(whole["mistakes"], Value::Array(Vec::new()));
}
