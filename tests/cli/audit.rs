//! `owed audit`: what a person reads, and what is pasted.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::Transcript;

fn sample(machine: &Machine) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    machine.file("compacted.jsonl", fs::read(folder.join("compacted.jsonl")).unwrap());
}

/// A session whose words try to get out of whatever they stand in.
fn hostile() -> Transcript {
    let rule = "Never push to main. ``` </code> ````\n# Heading | <script>x</script> \u{1b}[31m `";
    Transcript::default().prompt(rule).compacted("The work went on. ```\n# Nothing").say("ok", 9)
}

#[test]
fn a_person_reads_what_was_lost_and_what_it_cost() {
    let machine = Machine::new();
    sample(&machine);
    let (code, out, _) = machine.say(&["audit", "compacted.jsonl"]);
    assert_eq!(code, 20);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("1 boundary, ") && last.contains(" high") && last.contains("consequence"), "{last}");
    assert!(out.lines().any(|line| line.contains("event") && line.ends_with(" later")), "{out}");
}

#[test]
fn it_says_where_nothing_was_lost() {
    let machine = Machine::new();
    let kept = Transcript::default()
        .prompt("Never push to main.")
        .compacted("This is a summary. All user messages: - \"Never push to main.\"")
        .say("ok", 9);
    // A summary follows its boundary.
    let text = kept.text().replace("\"isCompactSummary\":true", "\"isCompactSummary\":true,\"parentUuid\":\"b1\"");
    machine.file("s.jsonl", text);
    let (code, out, _) = machine.say(&["audit", "s.jsonl"]);
    assert_eq!((code, out.lines().last()), (0, Some("1 boundary: nothing was lost")), "{out}");
}

#[test]
fn an_incident_report_has_chain_evidence_and_records() {
    let machine = Machine::new();
    sample(&machine);
    let (code, out, _) = machine.say(&["audit", "compacted.jsonl", "--markdown"]);
    assert_eq!(code, 20);
    let chain = "**asked at line 306 -> lost at boundary 1 (line 382) -> prohibited-action, work-redone at line 400";
    assert!(out.contains(chain), "{out}");
    assert!(out.contains("Cause, event") && out.contains("```json\n{"), "{out}");
}

#[test]
fn no_transcript_breaks_the_markdown() {
    let machine = Machine::new();
    machine.file("s.jsonl", hostile().text());
    let (_, out, _) = machine.say(&["audit", "s.jsonl", "--markdown"]);
    let mut fence: Option<String> = None;
    for line in out.lines() {
        let mark: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => assert!(!line.starts_with("```"), "{line}"),
            None if mark.len() >= 3 => fence = Some(mark),
            None => assert!(!line.starts_with("# Heading") && !line.starts_with("# Nothing"), "{out}"),
        }
    }
    assert_eq!(fence, None, "{out}");
    assert!(!out.contains('\u{1b}'));
    insta::assert_snapshot!(out);
}

#[test]
fn what_the_gate_let_through_is_looked_at_first() {
    const RECORD: &str = ".local/state/owed/8f1c2b7e-5d0a-4c61-9a37-2e64b1f0c9d3.gate.json";
    const OPEN: &str = "call:toolu_01oo4NfxNA5EwcoaKrhKbyig";
    let machine = Machine::new();
    sample(&machine);
    let read = |machine: &Machine| -> Value {
        let (code, out, _) = machine.say(&["audit", "compacted.jsonl", "--json"]);
        assert_eq!(code, 20);
        serde_json::from_str::<Value>(&out).unwrap()["boundaries"][0].clone()
    };
    let boundary = read(&machine);
    assert_eq!(boundary["crossed"], Value::Null);
    assert_ne!(boundary["findings"][0]["entry"]["key"], OPEN);

    let open = json!({"key": OPEN, "kind": "call", "what": "git push origin main", "effect": "unknown", "discharge": "its result comes",
        "check": "git ls-remote origin main", "line": 377});
    let crossing = json!({"decision": "forced", "trigger": "auto", "verdict": "refuse", "policy": "claude-code", "lane": "main",
        "line": 380, "at": null, "unverified": [open]});
    machine
        .file(RECORD, json!({"schema": "owed.shelf/1", "last": "forced", "verdict": "refuse", "crossed": [crossing]}).to_string());
    let boundary = read(&machine);
    assert_eq!((&boundary["crossed"]["decision"], &boundary["crossed"]["verdict"]), (&json!("forced"), &json!("refuse")));
    assert_eq!(boundary["findings"][0]["entry"]["key"], OPEN);
    let (_, out, _) = machine.say(&["audit", "compacted.jsonl"]);
    assert!(out.contains("forced past the gate (refuse): unverified, check first"), "{out}");
    assert!(out.contains("git ls-remote origin main") && out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let (_, out, _) = machine.say(&["audit", "compacted.jsonl", "--markdown"]);
    assert!(out.contains("Forced past the gate (refuse). Unverified, to be checked first:"), "{out}");

    machine.file(RECORD, "{");
    let (code, _, err) = machine.say(&["audit", "compacted.jsonl"]);
    assert!(code == 20 && err.contains("record of this session cannot be read"), "{code} {err}");
}
