//! The README: each command of its section on audits is run, and ends with the code that stands beside it; its example of a check is what
//! a check prints.

use std::fs;
use std::path::Path;

use crate::harness::Machine;

/// The command lines of a section, each with its exit code.
fn commands(section: &str) -> Vec<(String, i32)> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let (_, rest) = page.split_once(&format!("\n## {section}\n")).unwrap();
    let own = rest.split("\n## ").next().unwrap();
    let blocks = own.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let told = blocks.flat_map(str::lines).filter_map(|line| line.split_once(" # "));
    told.map(|(command, code)| (command.trim().to_owned(), code.split(':').next().unwrap().trim().parse().unwrap())).collect()
}

#[test]
fn what_it_says_of_audits_is_true() {
    let machine = Machine::new();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions")).unwrap() {
        let file = file.unwrap();
        if file.path().is_file() {
            machine.file(&format!("sample-sessions/{}", file.file_name().display()), fs::read(file.path()).unwrap());
        }
    }
    let commands = commands("After a compaction: what did it lose");
    assert!(commands.len() >= 8, "{commands:?}");
    for (command, expected) in commands {
        let (run, into) = command.split_once(" > ").unwrap_or((&command, ""));
        let (code, out) = match run.strip_prefix("echo ") {
            Some(text) => (0, text.trim_matches('"').to_owned()),
            None => {
                let (code, out, _) = machine.say(&run.split_whitespace().skip(1).collect::<Vec<_>>());
                (code, out)
            }
        };
        assert_eq!(code, expected, "{command}: {out}");
        if !into.is_empty() {
            machine.file(into.trim(), out);
        }
    }
    assert!(fs::metadata(machine.path("incident.html")).unwrap().len() > 1_000);
}

#[test]
fn its_example_of_a_check_is_what_a_check_prints() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(here.join("README.md")).unwrap();
    let example = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let sample = here.join("sample-sessions/stopped-mid-call.jsonl");
    let (_, out, _) = Machine::new().say(&["check", sample.to_str().unwrap()]);
    let printed: Vec<&str> = out.lines().map(str::trim_end).collect();
    for line in example.lines().map(str::trim_end).filter(|line| line.trim() != "…") {
        assert!(printed.contains(&line), "{line}\nis not in\n{out}");
    }
}
