//! Effects on real sessions, where `OWED_CORPUS` names a folder that holds some: nothing panics, and nearly every program is listed.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use owed::ledger::effects::{Catalogue, Classifier};
use owed::transcript::{Agent, Call, Input};
use serde_json::Value;

#[expect(clippy::disallowed_methods, reason = "a test asks where the sessions are")]
fn corpus() -> Option<PathBuf> {
    std::env::var_os("OWED_CORPUS").map(PathBuf::from)
}

/// Every tool call in the main messages of Claude Code's sessions: name and input.
fn calls(folder: &Path) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        for record in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let blocks = record["message"]["content"].as_array().cloned().unwrap_or_default();
            for block in blocks.iter().filter(|block| block["type"] == "tool_use") {
                calls.push((block["name"].as_str().unwrap_or_default().to_owned(), block["input"].to_string()));
            }
        }
    }
    calls
}

#[test]
fn nearly_every_program_of_real_sessions_is_listed() {
    let Some(corpus) = corpus() else { return };
    let mut classifier = Classifier::new(Arc::new(Catalogue::load(None).unwrap()));
    let (mut commands, mut listed) = (0, 0);
    let mut unlisted: BTreeMap<String, u32> = BTreeMap::new();
    let mut classes: BTreeMap<&str, u32> = BTreeMap::new();
    for (tool, input) in calls(&corpus.join("claude")) {
        let call = Call { id: "call".into(), tool: tool.as_str().into(), input: Input::Json(input.as_str().into()) };
        let action = classifier.explain(Agent("claude-code"), &call);
        *classes.entry(action.class.word()).or_default() += 1;
        assert!(!action.label.is_empty() && action.label.len() <= 160, "{tool} {input}");
        if tool == "Bash" {
            let missing: Vec<&str> = action.why.iter().filter_map(|why| Some(why.split_once(": not listed")?.0)).collect();
            commands += 1;
            listed += u32::from(missing.is_empty());
            for program in missing {
                *unlisted.entry(program.to_owned()).or_default() += 1;
            }
        }
    }
    let mut most: Vec<(u32, String)> = unlisted.into_iter().map(|(program, n)| (n, program)).collect();
    most.sort_by(|one, other| other.cmp(one));
    println!(
        "{listed} of {commands} commands hold listed programs only; the others: {:?}",
        most.iter().take(30).collect::<Vec<_>>()
    );
    println!("all calls by class: {classes:?}");
    assert!(f64::from(listed) >= 0.95 * f64::from(commands), "{listed} of {commands}; unlisted: {most:?}");
}
