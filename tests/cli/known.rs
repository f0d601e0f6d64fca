//! `effects`, `policies`, `formats` and `sessions`: what is known, in words and as JSON.

use serde_json::Value;

use crate::harness::Machine;
use crate::transcript::promised;

fn lines(machine: &Machine, args: &[&str]) -> Vec<Value> {
    let (code, out, err) = machine.say(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_command_is_classified_and_the_reason_is_told() {
    let machine = Machine::new();
    let (code, out, _) = machine.say(&["effects", "--", "git", "push", "origin", "main"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(out);
    for (command, class) in [
        (&["git", "push", "origin", "main"] as &[&str], "external"),
        (&["git status && git push origin main"], "external"),
        (&["cat", "a.txt"], "read"),
        (&["echo x >> notes.txt"], "create"),
        (&["./unheard-of"], "execute"),
    ] {
        let said = lines(&machine, &[&["effects", "--json", "--"], command].concat());
        assert_eq!(said[0]["class"], class, "{command:?}: {}", said[0]);
        assert_eq!(said[0]["schema"], "owed.effect/1");
        assert!(!said[0]["why"].as_array().unwrap().is_empty(), "{command:?}");
    }
}

#[test]
fn a_tool_is_classified_for_the_agents_that_have_it() {
    let machine = Machine::new();
    let said = lines(&machine, &["effects", "Edit", "--json"]);
    assert_eq!((&said[0]["agent"], &said[0]["class"], &said[0]["known"]), (&"claude-code".into(), &"write".into(), &true.into()));
    assert_eq!(lines(&machine, &["effects", "no_such_tool", "--json"])[0]["known"], false);
}

#[test]
fn the_users_effects_win() {
    let machine = Machine::new();
    machine.file(".config/owed/effects.toml", "[command.\"./unheard-of\"]\nclass = \"read\"\n");
    assert_eq!(lines(&machine, &["effects", "--json", "--", "./unheard-of"])[0]["class"], "read");
}

#[test]
fn what_is_known_is_listed() {
    let machine = Machine::new();
    machine.file(".config/owed/policies/mine.toml", "title = \"Mine\"\nconfidence = \"generic\"\nrecover = \"none\"\n");
    for (command, key, id) in [("formats", "formats", "codex"), ("policies", "policies", "mine"), ("effects", "tools", "Edit")] {
        let report = lines(&machine, &[command, "--json"]);
        assert_eq!(report[0]["schema"], format!("owed.{command}/1"));
        let rows = report[0][key].as_array().unwrap();
        assert!(rows.iter().any(|row| row["id"] == id || row["name"] == id), "{command}: {id}");
        let (code, text, _) = machine.say(&[command]);
        assert!(code == 0 && text.contains(id), "{command}: {text}");
    }
}

#[test]
fn a_policy_is_explained_by_any_of_its_names() {
    let machine = Machine::new();
    let (code, out, _) = machine.say(&["policies", "langchain"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(out);
    let said = lines(&machine, &["policies", "codex", "--json"]);
    let policy = &said[0]["policies"][0];
    assert_eq!((&policy["id"], &policy["family"]), (&"codex-remote-v2".into(), &"agent".into()));
    assert_eq!(policy["stays"], "what the human typed, up to 64000 tokens from the newest on, the last of it without its middle");
    assert_eq!(policy["unknown"][0]["what"], "summary");
    let (code, _, err) = machine.say(&["policies", "codx"]);
    assert!(code == 2 && err.contains("no policy is called `codx`") && err.contains("`owed policies` lists them"), "{err}");
}

#[test]
fn sessions_are_found_where_agents_keep_them() {
    let machine = Machine::new();
    let (code, out, err) = machine.say(&["sessions"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("owed demo"), "an empty list teaches: {out}");
    assert_eq!(machine.say(&["sessions", "--json"]), (0, String::new(), String::new()));
    machine.file(".claude/projects/-work-orders/0b1f.jsonl", promised().text());
    let found = lines(&machine, &["sessions", "--json"]);
    assert_eq!(found.len(), 1);
    for (key, value) in [("agent", "claude-code"), ("project", "/work/orders"), ("schema", "owed.session/1")] {
        assert_eq!(found[0][key], value, "{key}");
    }
    assert_eq!(found[0]["bytes"], promised().text().len());
    let (_, text, _) = machine.say(&["sessions"]);
    assert!(text.contains("Move orders to the new schema") && text.contains("orders"), "{text}");
    let elsewhere = machine.owed(&["sessions", "--json"]).env("CLAUDE_CONFIG_DIR", machine.path("elsewhere")).output().unwrap();
    assert!(elsewhere.stdout.is_empty(), "the agent's own variable is honoured");
}
