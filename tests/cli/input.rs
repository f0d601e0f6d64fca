//! Input that is not nice: what cannot be read ends with 3 and says so; what can is read as far as it goes.

use std::fs;
use std::process::{Command, Stdio};

use predicates::prelude::*;

use crate::harness::Machine;
use crate::transcript::{open, promised};

#[test]
fn what_is_no_transcript_is_told() {
    let machine = Machine::new();
    machine.file("text.txt", "hello\nworld\n");
    machine.file("binary", [0_u8, 159, 146, 150, 255, 0, 1, 2]);
    machine.file("other.jsonl", "{\"a\":1}\n{\"a\":2}\n");
    fs::create_dir(machine.path("folder")).unwrap();
    for command in ["check", "plan", "events"] {
        for (name, told) in [
            ("missing.jsonl", "no such file"),
            ("folder", "a folder"),
            ("text.txt", "found"),
            ("binary", "found"),
            ("other.jsonl", "found"),
        ] {
            let (code, out, err) = machine.say(&[command, name]);
            assert_eq!((code, out.as_str()), (3, ""), "{command} {name}: {err}");
            assert!(err.starts_with("owed: ") && err.contains(name) && err.contains(told), "{command} {name}: {err}");
            assert_eq!(err.lines().count(), 2, "what happened, and what to do next: {err}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let path = machine.file("s.jsonl", promised().text());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // Root may read everything.
    }
    let (code, _, err) = machine.say(&["check", "s.jsonl"]);
    assert_eq!(code, 3);
    assert!(err.contains("permission denied"), "{err}");
}

#[test]
fn an_empty_file_is_a_session_without_events() {
    let machine = Machine::new();
    machine.file("s.jsonl", "");
    let (code, out, err) = machine.say(&["check", "s.jsonl"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("no events yet"), "{out}");
    assert_eq!(machine.say(&["events", "s.jsonl"]), (0, String::new(), String::new()));
    assert_eq!(machine.say(&["check", "s.jsonl", "--event", "0"]).0, 2);
}

#[test]
fn a_damaged_transcript_is_read_as_far_as_it_goes() {
    let machine = Machine::new();
    let text = open().text().replacen("}\n{", "}{", 1);
    let torn = &text[..text.len() - 40];
    let mut bytes = torn.as_bytes().to_vec();
    bytes.extend_from_slice(b"\nno json at all\n\xff\xfe\n");
    machine.file("s.jsonl", bytes);
    let (code, out, err) = machine.say(&["check", "s.jsonl", "--json"]);
    assert_eq!(err, "");
    assert!([0, 10, 11].contains(&code), "{code}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let kinds: Vec<&str> = report["session"]["anomalies"].as_array().unwrap().iter().map(|a| a["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"glued-records") && kinds.contains(&"garbage"), "{kinds:?}");
}

#[test]
fn standard_input_is_read_like_a_file() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    for command in ["check", "plan", "events"] {
        let file = machine.owed(&[command, "s.jsonl"]).output().unwrap();
        let piped = machine.owed(&[command, "-"]).write_stdin(open().text()).output().unwrap();
        assert_eq!(piped.status, file.status, "{command}");
        assert_eq!(String::from_utf8(piped.stdout).unwrap(), String::from_utf8(file.stdout).unwrap(), "{command}");
    }
    let report = machine.owed(&["check", "-", "--json"]).write_stdin(open().text()).output().unwrap();
    assert!(predicate::str::contains("\"path\":\"-\"").eval(&String::from_utf8(report.stdout).unwrap()));
    machine.owed(&["check", "-"]).write_stdin("hello").assert().code(3);
}

#[test]
fn a_reader_who_goes_away_is_no_failure() {
    let machine = Machine::new();
    let many = (0..3_000).fold(promised(), |transcript, n| transcript.prompt(&format!("And {n}.")));
    machine.file("many.jsonl", many.text());
    for args in [&["events", "many.jsonl"] as &[&str], &["check", "many.jsonl", "--json"]] {
        let (code, ..) = machine.say(args);
        let mut child = Command::new(env!("CARGO_BIN_EXE_owed"))
            .args(args)
            .current_dir(machine.path(""))
            .env_clear()
            .env("HOME", machine.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let machine = Machine::new();
    machine.file("s.jsonl", promised().text());
    let run = Command::new(env!("CARGO_BIN_EXE_owed"))
        .args(["check", "s.jsonl"])
        .current_dir(machine.path(""))
        .env_clear()
        .stdout(full)
        .output();
    let output = run.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("owed: the output cannot be written"));
}

#[test]
fn colour_is_given_when_asked_for_and_never_into_a_pipe() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    let coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let args = [&["check", "s.jsonl"], args].concat();
        let output = machine.owed(&args).envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]));
    assert!(!coloured(&["--color", "auto"], &[]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "who asks for it gets it");
    assert!(!coloured(&[], &[("NO_COLOR", "1"), ("TERM", "xterm-256color")]));
    machine.file(".config/owed/config.toml", "color = \"always\"\n");
    assert!(coloured(&[], &[]));
    assert!(!coloured(&["--color", "never"], &[]));
    assert!(!coloured(&["--json"], &[]));
}

#[test]
fn the_same_bytes_give_the_same_output() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    for args in [
        &["check", "s.jsonl"] as &[&str],
        &["check", "s.jsonl", "--json", "--all"],
        &["plan", "s.jsonl"],
        &["plan", "s.jsonl", "--json"],
        &["events", "s.jsonl"],
    ] {
        // Each run is a process of its own, with hash seeds of its own.
        let first = machine.say(args);
        for _ in 0..3 {
            assert_eq!(machine.say(args), first, "{args:?}");
        }
    }
}
