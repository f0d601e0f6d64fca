//! The gate, played by a script in the agent's place: it sends what the agent's hooks send, compacts the file and starts again.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::Machine;
use crate::transcript::{Transcript, open, promised, quiet};

const SESSION: &str = "3e110024-9c1e-4b58-8d5b-0a6a7d3c1f00";

/// What a hook says: exit code, standard output, standard error.
type Said = (i32, String, String);

/// An agent with one session.
struct Agent {
    machine: Machine,
    compactions: u32,
}

impl Agent {
    fn new(session: &Transcript, config: &str) -> Self {
        let machine = Machine::new();
        machine.file("s.jsonl", session.text());
        machine.file(".config/owed/config.toml", config);
        Self { machine, compactions: 0 }
    }

    fn hook(&self, input: &Value) -> Said {
        said(&self.machine, &["hook", "claude-code"], &input.to_string())
    }

    fn pre_compact(&self, trigger: &str) -> Said {
        let path = self.machine.path("s.jsonl");
        self.hook(&json!({"session_id": SESSION, "transcript_path": path, "cwd": "/w", "hook_event_name": "PreCompact",
            "trigger": trigger, "custom_instructions": ""}))
    }

    fn session_start(&self, source: &str) -> Said {
        let path = self.machine.path("s.jsonl");
        self.hook(&json!({"session_id": SESSION, "transcript_path": path, "hook_event_name": "SessionStart", "source": source}))
    }

    /// The agent compacts: a summary that forgets everything, then what the hook gives back.
    fn compact(&mut self) -> String {
        self.compactions += 1;
        let boundary = Transcript::after(1000 * self.compactions).compacted("Work went on.");
        self.append(boundary.text());
        let (code, given, _) = self.session_start("compact");
        assert_eq!(code, 0);
        if !given.is_empty() {
            self.append(Transcript::after(1000 * self.compactions + 100).injected(&given).text());
        }
        given
    }

    fn append(&self, text: &str) {
        let own = fs::read_to_string(self.machine.path("s.jsonl")).unwrap();
        self.machine.file("s.jsonl", own + text);
    }

    fn lost(&self) -> usize {
        let (_, out, _) = self.machine.say(&["check", "s.jsonl", "--json"]);
        let check: Value = serde_json::from_str(&out).unwrap();
        check["verdict"]["lost"].as_array().unwrap().len()
    }

    fn carriers(&self) -> PathBuf {
        self.machine.path(&format!(".local/state/owed/{SESSION}.carriers.md"))
    }

    fn tally(&self) -> Value {
        let path = self.machine.path(&format!(".local/state/owed/{SESSION}.gate.json"));
        serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
    }
}

fn said(machine: &Machine, args: &[&str], input: &str) -> Said {
    let output = machine.owed(args).write_stdin(input).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn nothing_owed_passes_in_silence() {
    let mut agent = Agent::new(&quiet(), "");
    let (code, _, err) = agent.pre_compact("auto");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(agent.tally()["last"], "pass");
    agent.compact();
    assert_eq!(agent.lost(), 0);
}

#[test]
fn what_is_carried_comes_back_byte_for_byte() {
    let mut agent = Agent::new(&promised(), "");
    let (code, _, err) = agent.pre_compact("manual");
    assert_eq!((code, err.as_str()), (0, ""));
    let written = fs::read_to_string(agent.carriers()).unwrap();
    assert!(written.contains("Do not drop columns."));
    // Nothing is computed again: not even the transcript is looked at.
    let transcript = fs::read(agent.machine.path("s.jsonl")).unwrap();
    fs::remove_file(agent.machine.path("s.jsonl")).unwrap();
    assert_eq!(agent.session_start("compact"), (0, written.clone(), String::new()));
    agent.machine.file("s.jsonl", transcript);
    assert_eq!(agent.compact(), written);
    assert_eq!(agent.lost(), 0);
    for source in ["startup", "resume", "clear"] {
        assert_eq!(agent.session_start(source), (0, String::new(), String::new()), "{source}");
    }
    // A second one carries what came back, and what came since.
    agent.append(Transcript::after(700).prompt("Never touch the replica.").text());
    agent.pre_compact("auto");
    let second = agent.compact();
    assert!(second.contains("Do not drop columns.") && second.contains("Never touch the replica."), "{second}");
    assert_eq!((agent.lost(), second.matches("Do not drop columns.").count()), (0, 1), "{second}");
}

#[test]
fn a_danger_is_a_warning_unless_its_owner_opted_in() {
    let mut agent = Agent::new(&open(), "");
    for trigger in ["manual", "auto", "auto", "auto"] {
        let (code, out, err) = agent.pre_compact(trigger);
        assert_eq!(code, 0);
        assert!(err.starts_with("owed: ") && err.lines().count() == 1 && err.contains("git push"), "{err}");
        // The summariser is given data, to be copied.
        assert!(out.contains("do not restate"), "{out}");
        let block = out.split_once("```json\n").unwrap().1.split_once("\n```").unwrap().0;
        let data: Value = serde_json::from_str(block).unwrap();
        let pending: Vec<&Value> = data["pending"].as_array().unwrap().iter().map(|row| &row["call"]).collect();
        assert_eq!(pending, [&json!("toolu_a"), &json!("toolu_b")]);
        assert!(data["open"].as_array().unwrap().iter().any(|entry| entry["effect"] == "unknown"));
        assert_eq!(agent.tally()["last"], "warn");
    }
    let given = agent.compact();
    assert!(given.contains("unverified, check first") && given.contains("git ls-remote"), "{given}");
    assert_eq!(agent.lost(), 0);
}

#[test]
fn refusals_are_opted_in_to_bounded_and_then_forced() {
    let mut agent = Agent::new(&open(), "[gate]\nauto = \"block\"\nrefusals = 2\n");
    // Opting in is for one kind of compaction, and so is counting.
    assert_eq!(agent.pre_compact("manual").0, 0);
    for left in [1, 0] {
        let (code, out, err) = agent.pre_compact("auto");
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains(&format!("stopped, {left} more before it is let through")), "{err}");
        assert_eq!(err.lines().count(), 1, "one stated reason: {err}");
    }
    assert_eq!(agent.tally()["auto"], 2);
    let (code, out, err) = agent.pre_compact("auto");
    assert_eq!(code, 0);
    assert!(err.contains("let through after 2 refusals") && !out.is_empty(), "{err}");
    assert_eq!((&agent.tally()["last"], &agent.tally()["auto"]), (&json!("forced"), &json!(0)));
    let verdict = agent.tally()["verdict"].clone();
    assert!(["defer", "refuse", "escalate"].contains(&verdict.as_str().unwrap()), "no decision changes a verdict: {verdict}");
    let given = agent.compact();
    assert!(given.contains("unverified, check first"));
    // Then it counts anew.
    agent.append(Transcript::after(900).call("toolu_z", "Write", &json!({"file_path": "/work/z", "content": "z"})).text());
    assert_eq!(agent.pre_compact("auto").0, 2);
}

#[test]
fn refusals_end_with_what_was_open() {
    let agent = Agent::new(&open(), "[gate]\nmanual = \"block\"\n");
    assert_eq!(agent.pre_compact("manual").0, 2);
    let closed = Transcript::after(800)
        .result("toolu_b", "File created successfully at: /work/config.yaml")
        .call("toolu_l", "Bash", &json!({"command": "git ls-remote origin main"}))
        .result("toolu_l", "41d8c7a\trefs/heads/main");
    agent.append(closed.text());
    let (code, _, err) = agent.pre_compact("manual");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(agent.tally()["manual"], 0);
}

/// A main agent that waits for a sub-agent, of which the context is full and a write is open.
fn with_a_full_sub_agent(config: &str) -> Agent {
    let task = json!({"description": "Look", "prompt": "Find every reader of the configuration.", "subagent_type": "Explore"});
    let agent = Agent::new(&promised().call("toolu_t", "Task", &task), config);
    let sub = Transcript::after(60)
        .prompt("Find every reader of the configuration. Never edit config.yaml.")
        .say("I shall look.", 170_000)
        .call("toolu_x", "Bash", &json!({"command": "git push origin notes"}))
        .failure("toolu_x", "Exit code 124\nCommand timed out after 2m 0s")
        .say("I go on.", 171_000);
    agent.machine.file("s/subagents/agent-a7.jsonl", sub.of_agent("a7"));
    agent
}

#[test]
fn a_sub_agents_compaction_is_judged_by_its_own_context_and_leaves_the_main_agents_files_alone() {
    let agent = with_a_full_sub_agent("[gate]\nauto = \"block\"\nrefusals = 1\n");
    let file = |name: &str| agent.machine.path(&format!(".local/state/owed/{SESSION}{name}"));
    // Nobody says whose it is. The main agent waits for a call and makes no request: it is the sub-agent's.
    let (code, _, err) = agent.pre_compact("auto");
    assert!(code == 2 && err.contains("git push origin notes") && !err.contains("Task"), "{code} {err}");
    let (code, out, err) = agent.pre_compact("auto");
    assert!(code == 0 && err.contains("let through after 1 refusals") && out.contains("git push origin notes"), "{code} {err}");
    let carriers = fs::read_to_string(file(".a7.carriers.md")).unwrap();
    assert!(carriers.contains("Never edit config.yaml.") && !carriers.contains("Do not drop columns."), "{carriers}");
    assert!(!agent.carriers().exists());
    assert_eq!(agent.session_start("compact").1, carriers, "what was asked about last");
    let tally = agent.tally();
    assert_eq!((&tally["schema"], &tally["lane"], &tally["auto"]), (&json!("owed.shelf/1"), &json!("a7"), &json!(0)));
    assert_eq!((&tally["crossed"][0]["decision"], &tally["crossed"][0]["lane"]), (&json!("forced"), &json!("a7")));
    // A human asks for the main agent's, whose open call is what it waits for.
    let (code, _, err) = agent.pre_compact("manual");
    assert!(code == 0 && err.contains("Look"), "{code} {err}");
    assert!(fs::read_to_string(agent.carriers()).unwrap().contains("Do not drop columns."));
    assert_eq!((agent.tally()["lane"].clone(), file(".a7.carriers.md").exists()), (Value::Null, true));
    assert!(agent.session_start("compact").1.contains("Do not drop columns."));
}

#[test]
fn a_sub_agent_is_named_or_its_own_file_is() {
    let agent = with_a_full_sub_agent("");
    let own = agent.machine.path("s/subagents/agent-a7.jsonl");
    let base = json!({"session_id": SESSION, "transcript_path": agent.machine.path("s.jsonl"), "hook_event_name": "PreCompact", "trigger": "manual"});
    for (key, value) in [("agent_id", json!("a7")), ("transcript_path", json!(own))] {
        let mut input = base.clone();
        input[key] = value;
        let (code, _, err) = agent.hook(&input);
        assert!(code == 0 && err.contains("git push origin notes"), "{key}: {code} {err}");
        assert!(agent.machine.path(&format!(".local/state/owed/{SESSION}.a7.carriers.md")).exists());
        fs::remove_dir_all(agent.machine.path(".local/state/owed")).unwrap();
    }
    let mut input = base.clone();
    input["agent_id"] = json!("nobody");
    let (code, out, err) = agent.hook(&input);
    assert!(code == 1 && out.is_empty() && err.contains("no sub-agent `nobody`"), "{code} {err}");
}

#[test]
fn a_main_agent_that_is_full_itself_is_not_taken_for_its_sub_agent() {
    let agent = with_a_full_sub_agent("");
    let full = promised().say("So far.", 170_000).call("toolu_t", "Task", &json!({"description": "Look", "prompt": "Find it."}));
    agent.machine.file("s.jsonl", full.text().replace("30000", "170000"));
    agent.pre_compact("auto");
    assert!(agent.carriers().exists() && agent.tally()["lane"].is_null());
}

#[test]
fn what_was_let_through_over_something_open_is_recorded_for_an_audit() {
    let mut agent = Agent::new(&open(), "[gate]\nauto = \"block\"\nrefusals = 1\n");
    assert_eq!((agent.pre_compact("auto").0, agent.pre_compact("auto").0), (2, 0));
    agent.pre_compact("manual");
    let crossed = agent.tally()["crossed"].clone();
    let told: Vec<_> = crossed.as_array().unwrap().iter().map(|row| (row["decision"].clone(), row["trigger"].clone())).collect();
    assert_eq!(told, [(json!("forced"), json!("auto")), (json!("warn"), json!("manual"))]);
    let forced = crossed[0].as_object().unwrap();
    let keys: Vec<&str> = forced.keys().map(String::as_str).collect();
    assert_eq!(keys, ["at", "decision", "lane", "line", "policy", "trigger", "unverified", "verdict"]);
    assert_eq!((&forced["lane"], &forced["policy"], &forced["line"]), (&json!("main"), &json!("claude-code"), &json!(5)));
    let push = forced["unverified"].as_array().unwrap().iter().find(|row| row["kind"] == "effect").unwrap();
    assert_eq!((&push["effect"], &push["line"]), (&json!("unknown"), &json!(4)));
    assert!(push["check"].as_str().unwrap().starts_with("git ls-remote"), "{push}");
    // What passes later does not take it away, and it is not counted against anybody.
    agent.compact();
    agent.append(Transcript::after(900).text());
    agent.pre_compact("auto");
    assert!(agent.tally()["crossed"].as_array().unwrap().len() >= 2);
}

#[test]
fn a_failure_of_ours_lets_the_agent_go_on() {
    let mut agent = Agent::new(&promised(), "[gate]\nmanual = \"block\"\nauto = \"block\"\n");
    assert_eq!(agent.pre_compact("auto").0, 0);
    assert!(agent.carriers().exists());
    let path = agent.machine.path("s.jsonl");
    let base = json!({"session_id": SESSION, "transcript_path": path, "hook_event_name": "PreCompact", "trigger": "auto"});
    let with = |key: &str, value: Value| {
        let mut input = base.clone();
        input[key] = value;
        input.to_string()
    };
    agent.machine.file("notes.txt", "This is no transcript.\n");
    for (input, told) in [
        (String::new(), "no hook's JSON"),
        ("{\"hook_event_name\":".to_owned(), "no hook's JSON"),
        (with("transcript_path", Value::Null), "has no `transcript_path`"),
        (with("transcript_path", json!("/nowhere/s.jsonl")), "/nowhere/s.jsonl"),
        (with("transcript_path", json!(agent.machine.path("notes.txt"))), "notes.txt"),
        (with("transcript_path", json!(agent.machine.path(""))), "is a folder"),
        (with("session_id", json!(7)), "no hook's JSON"),
    ] {
        let (code, out, err) = said(&agent.machine, &["hook", "claude-code"], &input);
        assert_eq!((code, out.as_str()), (1, ""), "{input}: {err}");
        assert!(err.contains(told), "{input}: {err}");
    }
    // What the compaction before left is not taken for what this one carries.
    assert!(!agent.carriers().exists());
    assert_eq!(agent.compact(), "");
    // Neither a mistake in the settings nor one on the command line stops anybody.
    agent.machine.file(".config/owed/config.toml", "[gate]\nauto = \"maybe\"\n");
    let (code, _, err) = agent.pre_compact("auto");
    assert!(code == 1 && err.contains("gate.auto"), "{code} {err}");
    for args in [&["hook", "claude-code", "--now"][..], &["hook"], &["hook", "else"]] {
        assert_eq!(said(&agent.machine, args, "").0, 1, "{args:?}");
    }
    assert_eq!(said(&agent.machine, &["hook", "--help"], "").0, 0);
}

#[test]
fn whoever_cannot_write_stops_nobody() {
    let agent = Agent::new(&open(), "[gate]\nauto = \"block\"\n");
    // A file in the place of the folder: nothing can be written there, also not by root.
    agent.machine.file(".local/state/owed", "");
    let (code, out, err) = agent.pre_compact("auto");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("the carriers cannot be written"), "{err}");
    fs::remove_file(agent.machine.path(".local/state/owed")).unwrap();
    // What was counted cannot be read: then there is no bound, and so no refusal.
    agent.machine.file(&format!(".local/state/owed/{SESSION}.gate.json"), "{");
    assert_eq!(agent.pre_compact("auto").0, 0);
    assert_eq!(agent.pre_compact("auto").0, 2, "it is written anew");
}

#[test]
fn no_session_id_leads_out_of_the_folder() {
    let agent = Agent::new(&promised(), "");
    let path = agent.machine.path("s.jsonl");
    let long = "x".repeat(300_000);
    for id in ["../../../s", "/etc/passwd", "..", "a/b\u{0}c", &long] {
        let hook = |event: &str| {
            agent.hook(&json!({"session_id": id, "transcript_path": path, "hook_event_name": event, "trigger": "auto", "source": "compact"}))
        };
        assert_eq!(hook("PreCompact").0, 0);
        let (code, out, _) = hook("SessionStart");
        assert!(code == 0 && out.contains("Do not drop columns."), "{out}");
    }
    let files = fs::read_dir(agent.machine.path(".local/state/owed")).unwrap().count();
    assert_eq!(files, 5 * 2);
    assert_eq!(fs::read_to_string(path).unwrap(), promised().text(), "nothing else is written");
}

#[test]
fn a_transcript_that_is_being_written_is_read_as_far_as_it_goes() {
    let agent = Agent::new(&open(), "");
    agent.append("{\"type\":\"assistant\",\"message\":{\"ro");
    let (code, _, err) = agent.pre_compact("auto");
    assert!(code == 0 && err.contains("git push"), "{err}");
}

#[test]
fn any_runtime_has_the_same_gate() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    machine.file(".config/owed/config.toml", "[gate]\nauto = \"block\"\nrefusals = 1\n");
    let ask = |input: &str| {
        let (code, out, err) = said(&machine, &["hook", "generic"], input);
        assert_eq!(err, "");
        (code, serde_json::from_str::<Value>(&out).unwrap())
    };
    let before = r#"{"event":"before","session":"s","transcript":"s.jsonl","trigger":"auto"}"#;
    let (code, answer) = ask(before);
    assert!((11..=13).contains(&code), "{code} {answer}");
    assert_eq!((&answer["schema"], &answer["decision"]), (&json!("owed.gate/1"), &json!("block")));
    let (code, answer) = ask(before);
    assert_eq!((code, &answer["decision"]), (0, &json!("forced")));
    assert!(answer["reason"].is_string() && answer["briefing"].as_str().unwrap().contains("do not restate"));
    let (code, restored) = ask(r#"{"event":"after","session":"s"}"#);
    let written = fs::read_to_string(answer["carriers"].as_str().unwrap()).unwrap();
    assert_eq!((code, restored["inject"].as_str()), (0, Some(written.as_str())));
    assert_eq!(ask(r#"{"event":"after","session":"other"}"#).1["inject"], Value::Null);
    let (code, out, err) = said(&machine, &["hook", "generic"], r#"{"event":"before"}"#);
    assert!(code == 1 && out.is_empty() && err.contains("not what a gate is asked"), "{err}");
}

/// The blocks of README's section, by language.
fn readme(language: &str) -> Vec<&'static str> {
    let section = include_str!("../../README.md").split_once("## Use it as a gate").unwrap().1.split_once("\n## ").unwrap().0;
    let fence = format!("```{language}\n");
    section.split(&fence).skip(1).map(|block| block.split_once("```").unwrap().0).collect()
}

#[test]
fn readme_says_what_is_so() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    machine.file(".config/owed/config.toml", readme("toml")[0]);
    let commands: Vec<&str> = readme("sh").iter().flat_map(|block| block.lines()).collect();
    let (installs, asks): (Vec<&str>, Vec<&str>) = commands.iter().partition(|line| line.starts_with("owed hook install"));
    assert_eq!((installs.len(), asks.len()), (3, 2));
    for line in installs {
        let args: Vec<&str> = line.split('#').next().unwrap().split_whitespace().skip(1).collect();
        assert_eq!(machine.say(&args).0, 0, "{line}");
    }
    let answers: Vec<Value> = asks
        .iter()
        .map(|line| {
            let (input, command) = line.strip_prefix("echo '").unwrap().split_once("' | owed ").unwrap();
            let (code, out, _) = said(&machine, &command.split(' ').collect::<Vec<_>>(), input);
            assert_eq!(code, 0, "{line}");
            serde_json::from_str(&out).unwrap()
        })
        .collect();
    let keys = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answers[0]), ["briefing", "carriers", "decision", "event", "reason", "schema", "verdict"]);
    assert_eq!((&answers[0]["decision"], keys(&answers[1]).join(" ").as_str()), (&json!("warn"), "event inject schema"));
    assert!(answers[1]["inject"].as_str().unwrap().contains("unverified, check first"));
    let manual = r#"{"event":"before","session":"s2","transcript":"s.jsonl","trigger":"manual"}"#;
    let codes: Vec<i32> = (0..3).map(|_| said(&machine, &["hook", "generic"], manual).0).collect();
    assert!(codes[..2].iter().all(|code| (11..=13).contains(code)) && codes[2] == 0, "{codes:?}");
}

#[test]
fn installing_is_idempotent_and_reversible() {
    let machine = Machine::new();
    let (code, snippet, _) = machine.say(&["hook", "install"]);
    assert_eq!(code, 0);
    let snippet: Value = serde_json::from_str(&snippet).unwrap();
    assert!(!machine.path(".claude").exists());
    // Where there was nothing.
    machine.say(&["hook", "install", "--write"]);
    let settings = machine.path(".claude/settings.json");
    let read = || fs::read_to_string(&settings).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read()).unwrap(), snippet);
    machine.say(&["hook", "install", "--remove"]);
    assert_eq!(read(), "{}\n");
    // Beside what is there.
    let own = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": []}]\n  }\n}\n";
    machine.file(".claude/settings.json", own);
    let (_, out, _) = machine.say(&["hook", "install", "--write"]);
    assert!(out.contains("hooks added") && out.contains("settings.json.before-owed"), "{out}");
    let with = read();
    assert!(with.contains("\"Stop\": [{\"hooks\": []}]") && with.contains("PreCompact"));
    assert_eq!(fs::read_to_string(machine.path(".claude/settings.json.before-owed")).unwrap(), own);
    let (_, out, _) = machine.say(&["hook", "install", "--write"]);
    assert!(out.contains("are there already"), "{out}");
    assert_eq!(read(), with);
    machine.say(&["hook", "install", "--remove"]);
    assert_eq!(read(), own);
    // What is no settings file is left alone.
    machine.file("mine.json", "// mine\n{}");
    let (code, _, err) = machine.say(&["hook", "install", "--write", "--settings", "mine.json"]);
    assert!(code == 2 && err.contains("no JSON object"), "{err}");
    assert_eq!(fs::read_to_string(machine.path("mine.json")).unwrap(), "// mine\n{}");
}
