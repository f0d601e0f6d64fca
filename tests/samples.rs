//! Every sample session against what must be true of it (`sample-sessions/README.md`).
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

#[path = "samples/check.rs"]
mod check;
#[path = "samples/expect.rs"]
mod expect;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use expect::{Expect, State};
use owed::ledger::Rulebook;
use owed::session::{Options, read};
use owed::transcript::DiagnosticKind;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions")
}

/// The names of the files whose names end so, without the ending.
fn named(ending: &str) -> BTreeSet<String> {
    let names = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let own = names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned));
    // `NAME.owed.jsonl` is the side ledger of NAME.
    own.filter(|name| !name.ends_with(".owed")).collect()
}

fn expected(name: &str) -> Expect {
    let path = folder().join(format!("{name}.expect.toml"));
    toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_sample_has_expectations_and_is_long_enough_to_scroll() {
    let samples = named(".jsonl");
    assert_eq!(samples, named(".expect.toml"));
    let long = samples.iter().filter(|name| expected(name).events >= 150).count();
    assert!(samples.len() >= 4 && long >= 4, "{long} of {samples:?} are long");
}

#[test]
fn expectations_name_lines_and_calls_that_are_there() {
    for name in named(".jsonl") {
        let expect = expected(&name);
        let text = fs::read_to_string(folder().join(format!("{name}.jsonl"))).unwrap();
        assert!(text.ends_with('\n'), "{name}: the last line is torn");
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{name}:{}: no JSON", n + 1);
        }
        let at = |line: u32| *lines.get(line as usize - 1).unwrap_or_else(|| panic!("{name} has no line {line}"));
        let states: Vec<&State> = expect.moments.iter().chain([&expect.end]).collect();
        for line in states.iter().flat_map(|state| state.barriers.iter().flatten()).chain(expect.ends.iter().map(|end| &end.line)) {
            let call = at(*line);
            let calls = [
                "\"tool_use\"",
                "_call\"",
                "\"functionCall\"",
                "\"toolCalls\"",
                "\"toolCall\"",
                "\"toolRequests\"",
                "\"tool_calls\"",
                "\"ActionEvent\"",
                "\"call\"",
            ];
            assert!(calls.iter().any(|mark| call.contains(mark)), "{name}:{line} makes no call");
        }
        for moment in &expect.moments {
            at(moment.line.unwrap_or_else(|| panic!("{name}: a moment without a line")));
        }
        for id in states.iter().flat_map(|state| state.open.iter().flatten()) {
            assert!(text.contains(id.as_str()), "{name}: {id} is nowhere");
        }
    }
}

#[test]
fn samples_are_what_they_are_expected_to_be() {
    let mut found = Vec::new();
    for name in named(".jsonl") {
        let path = folder().join(format!("{name}.jsonl"));
        found.extend(check::differences(&path, &expected(&name)).into_iter().map(|difference| format!("{name}: {difference}")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_sample_that_is_cut_off_says_so_once_and_keeps_the_rest() {
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    for name in named(".jsonl") {
        let bytes = fs::read(folder().join(format!("{name}.jsonl"))).unwrap();
        let whole_lines = &bytes[..bytes.len() - 1];
        let last = whole_lines.iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        let cut = tempfile::tempdir().unwrap();
        let told = |end: usize| {
            let path = cut.path().join("s.jsonl");
            fs::write(&path, &bytes[..end]).unwrap();
            read(&path, &options).unwrap()
        };
        let (without, torn) = (told(last), told(last + (bytes.len() - last) / 2));
        assert_eq!(torn.facts.diagnostics.iter().map(|odd| odd.kind).collect::<Vec<_>>(), [DiagnosticKind::Torn], "{name}");
        assert_eq!(torn.lanes[0].events.len(), without.lanes[0].events.len(), "{name}");
    }
}

#[test]
fn a_sample_without_its_first_line_is_still_known_and_a_wrong_file_is_refused() {
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    for name in named(".jsonl").into_iter().filter(|name| name != "native") {
        let bytes = fs::read(self::folder().join(format!("{name}.jsonl"))).unwrap();
        let second = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        fs::write(&path, &bytes[second..]).unwrap();
        assert_eq!(read(&path, &options).unwrap().facts.agent.0, expected(&name).format, "{name}");
    }
    fs::write(&path, "{\"type\":\"note\",\"text\":\"no session\"}\n").unwrap();
    let error = read(&path, &options).unwrap_err().to_string();
    assert!(error.contains("no session of ") && error.contains("found JSON of no known kind"), "{error}");
}
