//! The data: every row is well formed, and a user's rows win.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::catalogue::TEXT;
use super::super::data::{EffectsFile, Row};
use super::super::{Catalogue, Classifier};
use super::{CATALOGUE, command, line};
use crate::base::data::{DataFile, parse};

fn file() -> EffectsFile {
    parse(DataFile { name: "effects.toml", text: TEXT }).unwrap()
}

fn with(overlay: &str) -> Classifier {
    Classifier::new(Arc::new(Catalogue::load(Some(DataFile { name: "mine.toml", text: overlay })).unwrap()))
}

#[test]
fn every_row_of_a_command_is_read_when_it_is_needed() {
    let file = file();
    let listed = CATALOGUE.commands();
    assert!(listed.len() > 2000, "{} commands", listed.len());
    let names: BTreeSet<&str> = listed.iter().map(|row| row.name.as_str()).collect();
    let missing: Vec<&String> = file.command.keys().filter(|key| !names.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "rows that are not found any more: {missing:?}");
}

#[test]
fn a_command_is_one_line_and_the_last_table() {
    let (_, commands) = TEXT.split_once("\n[command]\n").unwrap();
    for line in commands.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, value) = line.split_once(" = ").unwrap_or_else(|| panic!("no row: {line}"));
        assert!(!key.contains('{') && (value.ends_with('"') || value.ends_with('}')), "{line}");
    }
}

#[test]
fn every_row_says_what_to_do_and_where() {
    let file = file();
    let worlds: BTreeSet<&str> = file.world.keys().map(String::as_str).chain(["", "redis", "mongo"]).collect();
    let rows = |table: &'static str, rows: Vec<(String, Row)>| rows.into_iter().map(move |(key, row)| (table, key, row.0));
    let tools = file.tool.into_values().flatten().collect();
    for (table, key, row) in rows("command", file.command.into_iter().collect()).chain(rows("tool", tools)) {
        assert!(row.class.is_some() || row.runs.is_some() || row.like.is_some(), "{table} {key} says nothing");
        assert!(row.world.as_deref().is_none_or(|world| worlds.contains(world)), "{table} {key} is nowhere");
        let alike = row.like.as_deref().is_none_or(|like| table == "tool" || CATALOGUE.commands.lists(like));
        assert!(alike, "{table} {key} is like nothing");
    }
}

#[test]
fn what_leaves_the_machine_says_whether_it_may_be_repeated() {
    let file = file();
    let silent = |row: &Row| row.0.class == Some(super::super::Class::External) && row.0.again.is_none();
    // A program whose sub-commands are judged one by one need not.
    let open = |row: &Row| row.0.runs.is_some() || row.0.world.is_some();
    let silent: Vec<&String> = file.command.iter().filter(|(_, row)| silent(row) && !open(row)).map(|(key, _)| key).collect();
    assert_eq!(silent, ["kubectl edit"]);
}

#[test]
fn a_users_row_wins_key_by_key() {
    let mut own = with(
        "[command]\n\"git push\" = { again = \"harm\" }\n\"git fetch\" = { again = \"safe\" }\n\"deploy-it\" = { class = \"external\", target = \"1\" }\n\
         \"ls\" = \"check\"\n[script]\nfrob = \"check\"\n[tool.claude-code]\nMine = { class = \"write\", target = \"place\" }\n",
    );
    for (text, expected) in [
        ("git push origin main", "external harm [git push origin main] origin main"),
        ("git status", "read [git status]"),
        ("git fetch", "read [git fetch]"),
        ("deploy-it prod", "external unknown [deploy-it prod] prod"),
        ("ls", "check [ls]"),
        ("make frob", "check [make frob]"),
    ] {
        assert_eq!(line(&command(&mut own, text)), expected, "{text}");
    }
    let action = own.classify(super::CLAUDE, &super::call("Mine", r#"{"place":"here"}"#));
    assert_eq!(line(&action), "write safe [Mine here] here");
}

#[test]
fn a_mistake_is_told_with_file_line_and_field() {
    for (overlay, line, field, message) in [
        ("[command]\n\"git push\" = { clas = \"read\" }\n", 2, "command.\"git push\"", "unknown field `clas`"),
        ("[command]\nls = \"reed\"\n", 2, "command.ls", "unknown variant `reed`"),
        ("[comand]\nls = \"read\"\n", 1, "comand", "unknown field `comand`"),
        ("[command]\n\nmine = { like = \"nothing\" }\n", 3, "command.\"mine\"", "is like \"nothing\", which is no command"),
        ("[command]\nmine = { target = \"1\" }\n", 2, "command.\"mine\"", "says neither"),
        ("[tool.claude-code]\nMine = { target = \"1\" }\n", 2, "tool.claude-code.\"Mine\"", "says neither"),
        ("[command]\nls = 3\n", 2, "command.ls", "expected a class"),
    ] {
        let error = Catalogue::load(Some(DataFile { name: "mine.toml", text: overlay }))
            .err()
            .unwrap_or_else(|| panic!("no mistake in {overlay}"));
        assert_eq!((error.file.as_str(), error.line, error.field.as_deref()), ("mine.toml", Some(line), Some(field)), "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}

#[test]
fn the_tools_of_both_agents_are_listed() {
    let tools = CATALOGUE.tools();
    for (agent, name) in
        [("claude-code", "Bash"), ("claude-code", "NotebookEdit"), ("codex", "exec_command"), ("any", "apply_patch")]
    {
        assert!(tools.iter().any(|tool| tool.of == agent && tool.name == name), "{agent} {name}");
    }
}
