//! `owed scan`: folders, patterns, lists; the order of its rows; what it says of what is no session.

use serde_json::Value;

use crate::harness::Machine;
use crate::transcript::{open, quiet};

fn machine() -> Machine {
    let machine = Machine::new();
    machine.file("work/b/quiet.jsonl", quiet().text());
    machine.file("work/a/open.jsonl", open().text());
    machine.file("work/a/open.owed.jsonl", "");
    machine.file("work/a/settings.json", "{\"theme\": \"dark\"}");
    machine.file("work/notes.md", "no session");
    machine
}

fn paths(out: &str) -> Vec<String> {
    let path = |line: &str| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned();
    out.lines().map(path).collect()
}

#[test]
fn a_folder_is_walked_and_rows_come_in_the_order_of_the_input() {
    let machine = machine();
    let (code, out, err) = machine.say(&["scan", "work", "--json", "--threads", "3"]);
    assert_eq!((code, err.as_str(), paths(&out)), (0, "", vec!["work/a/open.jsonl".into(), "work/b/quiet.jsonl".into()]));
    let row: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!((&row["schema"], &row["format"]), (&"owed.scan/1".into(), &"claude-code".into()));
    for key in
        ["agent_version", "events", "bytes", "started", "ended", "verdict", "live", "boundaries", "findings", "anomalies", "score"]
    {
        assert!(row.get(key).is_some(), "{key}");
    }
    let (_, out, _) = machine.say(&["scan", "work/b/quiet.jsonl", "work", "--json"]);
    assert_eq!(paths(&out), ["work/b/quiet.jsonl", "work/a/open.jsonl"], "each once, as it was named");
}

#[test]
fn patterns_and_lists_name_sessions_too() {
    let machine = machine();
    let (code, out, _) = machine.say(&["scan", "work/*/*t.jsonl", "--json"]);
    assert_eq!((code, paths(&out)), (0, vec!["work/b/quiet.jsonl".into()]));
    let output = machine.owed(&["scan", "-", "--json"]).write_stdin("work/b/quiet.jsonl\n\n work/a\n").output().unwrap();
    assert_eq!(paths(&machine.homely(&output.stdout)), ["work/b/quiet.jsonl", "work/a/open.jsonl"]);
}

#[test]
fn people_get_a_table_and_what_was_passed_over() {
    let machine = machine();
    let (code, out, err) = machine.say(&["scan", "work"]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(out);
}

#[test]
fn what_was_named_and_is_no_session_is_told() {
    let machine = machine();
    let (code, out, err) = machine.say(&["scan", "work/b/quiet.jsonl", "work/notes.md", "nowhere.jsonl", "no*.jsonl"]);
    assert_eq!(code, 0);
    assert!(out.contains("0 of 1 sessions"), "{out}");
    for told in ["work/notes.md", "nowhere.jsonl", "no*.jsonl: nothing matches"] {
        assert!(err.contains(told), "{err}");
    }
    for (alone, told) in [("nowhere.jsonl", "nowhere.jsonl: no such file"), ("work/notes.md", "found text that is no JSON")] {
        let (code, out, err) = machine.say(&["scan", alone]);
        assert_eq!((code, out.as_str(), err.matches("owed: ").count()), (3, "", 1), "{err}");
        assert!(err.contains(told), "{err}");
    }
    let (code, _, err) = machine.say(&["scan", "nowhere.jsonl", "work/notes.md"]);
    assert_eq!((code, err.matches("owed: ").count()), (3, 3), "{err}");
    assert!(err.contains("no session could be read"), "{err}");
    machine.file("empty/readme.txt", "");
    assert_eq!(machine.say(&["scan", "empty"]).0, 0);
    assert_eq!(machine.say(&["scan"]).0, 2);
}

#[test]
fn filters_say_what_is_shown_and_what_was_left_out() {
    let machine = machine();
    for (filter, shown) in [
        (&["--agent", "claude-code"][..], 2),
        (&["--agent", "codex"], 0),
        (&["--agent", "codex", "--agent", "claude-code"], 2),
        (&["--project", "work/a"], 1),
        (&["--class", "negation-loss"], 0),
        (&["--since", "2020-01-01"], 2),
        (&["--until", "2020-01-01"], 0),
    ] {
        let (code, out, _) = machine.say(&[&["scan", "work", "--json"], filter].concat());
        assert_eq!((code, out.lines().count()), (0, shown), "{filter:?}");
    }
    let (_, out, _) = machine.say(&["scan", "work", "--project", "work/a"]);
    assert!(out.contains("1 session left out by the filters"), "{out}");
    for (wrong, told) in [
        (&["--agent", "nobody"][..], "no agent is called `nobody`"),
        (&["--class", "loss"], "invalid value 'loss'"),
        (&["--since", "May"], "invalid value 'May'"),
        (&["--json", "--open"], "cannot be used with"),
        (&["--open"], "there is no terminal"),
    ] {
        let (code, out, err) = machine.say(&[&["scan", "work"], wrong].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(told), "{err}");
    }
}
