//! What is made from the table of arguments: help, man page, completions.

use clap_complete::Shell;

use crate::harness::Machine;

const COMMANDS: [&str; 14] = [
    "demo",
    "replay",
    "sessions",
    "check",
    "plan",
    "audit",
    "events",
    "formats",
    "policies",
    "effects",
    "tag",
    "config",
    "completions",
    "man",
];

#[test]
fn help() {
    let machine = Machine::new();
    let root = machine.say(&["--help"]).1;
    let mut pages = root.clone();
    for command in COMMANDS {
        assert!(root.contains(&format!("\n  {command} ")), "{command}");
        let (code, page, err) = machine.say(&[command, "--help"]);
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        pages.push_str(&format!("\n{:-<100}\n{page}", format!("owed {command} ")));
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn short_help() {
    insta::assert_snapshot!(Machine::new().say(&["-h"]).1);
}

#[test]
fn the_man_page() {
    let (code, page, _) = Machine::new().say(&["man"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(page.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn completions_for_every_shell() {
    let machine = Machine::new();
    for shell in <Shell as clap::ValueEnum>::value_variants() {
        let shell = shell.to_string();
        let (code, script, err) = machine.say(&["completions", &shell]);
        assert_eq!((code, err.as_str()), (0, ""), "{shell}");
        assert!(script.contains("policy") && script.contains("sessions"), "{shell}: {script}");
    }
}

#[test]
fn the_version() {
    let (code, out, _) = Machine::new().say(&["--version"]);
    assert_eq!((code, out), (0, format!("owed {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_usage_says_so_on_standard_error() {
    let machine = Machine::new();
    for args in [
        &["check"] as &[&str],
        &["check", "--no-such-flag", "x"],
        &["check", "x", "--event", "3", "--line", "4"],
        &["check", "x", "--window", "big"],
        &["check", "x", "--budget", "0"],
        &["completions", "tcsh"],
        &["events", "x", "--color", "sometimes"],
        &["effects", "Bash", "--", "ls"],
        &["replay", "x", "--speed", "0"],
        &["replay", "x", "--from", "0"],
    ] {
        let (code, out, err) = machine.say(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.starts_with("error: ") && !err.contains('\u{1b}'), "{args:?}: {err}");
    }
}
