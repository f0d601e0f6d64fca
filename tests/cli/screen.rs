//! `owed [PATH]` and `owed demo`: a screen where there is a terminal, and what stands in for it where there is none.

use std::io::{Read, Write};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::harness::Machine;
use crate::transcript::{open, promised};

#[test]
fn without_a_terminal_a_session_is_checked() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    assert_eq!(machine.say(&["s.jsonl"]), machine.say(&["check", "s.jsonl"]));
    let piped = |args: &[&str]| machine.owed(args).write_stdin(open().text()).output().unwrap();
    assert_eq!(piped(&["-"]), piped(&["check", "-"]));
    assert_eq!(machine.say(&["missing.jsonl"]).0, 3);
}

#[test]
fn without_a_terminal_there_is_nothing_to_pick_or_play() {
    let machine = Machine::new();
    for args in [&[] as &[&str], &["demo"], &["replay", "s.jsonl"]] {
        let (code, out, err) = machine.say(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains("there is no terminal") && err.contains("owed check PATH"), "{err}");
    }
}

/// Runs the program on a terminal until it shows `text`, presses `keys`, and returns its exit code.
fn on_a_terminal(machine: &Machine, args: &[&str], text: &str, keys: &str) -> u32 {
    let (rows, cols) = (30, 110);
    let pair = native_pty_system().openpty(PtySize { rows, cols, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
    command.args(args);
    command.env_clear();
    command.env("HOME", machine.path(""));
    command.env("TERM", "xterm-256color");
    command.cwd(machine.path(""));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut screen = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
    let mut pressed = false;
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        screen.process(&bytes[..count]);
        if !pressed && screen.screen().contents().contains(text) {
            writer.write_all(keys.as_bytes()).unwrap();
            pressed = true;
        }
    }
    assert!(pressed, "{text:?} was never shown: {}", screen.screen().contents());
    assert!(!screen.screen().alternate_screen(), "the terminal is given back");
    child.wait().unwrap().exit_code()
}

#[test]
fn a_session_is_shown() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    assert_eq!(on_a_terminal(&machine, &["s.jsonl"], "DEFER", "q"), 0);
}

#[test]
fn a_machine_without_sessions_shows_the_demo_and_says_so() {
    assert_eq!(on_a_terminal(&Machine::new(), &[], "so this is the demo", "q"), 0);
}

#[test]
fn a_machine_with_sessions_lets_one_pick() {
    let machine = Machine::new();
    machine.file(".claude/projects/-work-orders/0b1f.jsonl", promised().text());
    assert_eq!(on_a_terminal(&machine, &[], "Move orders to the new schema", "q"), 0);
    assert_eq!(on_a_terminal(&machine, &["demo"], "as if it were live", "q"), 0);
}

#[test]
fn what_is_played_says_so_for_good_and_from_where() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    assert_eq!(on_a_terminal(&machine, &["demo"], "owed demo", "jkq"), 0);
    assert_eq!(on_a_terminal(&machine, &["replay", "s.jsonl", "--speed", "1000"], "the end, event", "q"), 0);
    assert_eq!(on_a_terminal(&machine, &["replay", "s.jsonl", "--from", "999"], "there is no line 999 to begin at", ""), 2);
    assert_eq!(on_a_terminal(&machine, &["replay", "missing.jsonl"], "no such file", ""), 3);
}

#[test]
fn from_a_session_a_key_leads_to_all_sessions_and_into_another() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    machine.file(".claude/projects/-work-orders/0b1f.jsonl", promised().text());
    machine.file(".claude/projects/-work-orders/notes.jsonl", "no transcript\n");
    assert_eq!(on_a_terminal(&machine, &["s.jsonl"], "DEFER", "A\rAqq"), 0, "whoever leaves the list goes back to what is open");
    let (_, out, _) = machine.say(&["sessions", "--json"]);
    assert_eq!(out.lines().count(), 1, "what is no transcript is not listed: {out}");
}

#[test]
fn what_cannot_be_shown_is_told_before_the_terminal_is_taken() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    machine.file(".config/owed/config.toml", "[screen]\ntheme = \"nobody\"\n");
    assert_eq!(on_a_terminal(&machine, &["s.jsonl"], "no theme is called `nobody`", ""), 2);
    assert_eq!(on_a_terminal(&machine, &["missing.jsonl"], "no such file", ""), 3);
    assert_eq!(on_a_terminal(&machine, &["-"], "standard input is the keyboard", ""), 2);
}
