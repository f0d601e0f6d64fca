//! A file of each format that is cut off, empty, or something else under the right name: one clear error, or what can be read of it.

use std::fs;
use std::path::{Path, PathBuf};

use owed::formats::registry::{FORMATS, by_name};
use owed::session::{Snapshot, read};
use owed::transcript::DiagnosticKind;

use crate::{SAMPLES, laid_out, options, report};

/// The samples whose lines are records.
const LINES: &[(&str, &str)] = &[
    ("healthy", "claude-code"),
    ("codex", "codex"),
    ("gemini", "gemini-cli"),
    ("qwen", "qwen-code"),
    ("pi", "pi"),
    ("copilot", "copilot-cli"),
    ("stream-json", "claude-stream-json"),
    ("native", "owed"),
];

/// Into so many parts a sample is cut.
const CUTS: usize = 8;

fn tried(path: &Path) -> Result<Snapshot, String> {
    read(path, &options()).map_err(|error| error.to_string())
}

/// That an error names the file, and in one line what was looked for and what was found: one of `found`.
fn assert_told(told: &str, path: &Path, found: &[&str]) {
    let of_file = told.starts_with(&format!("{}: ", path.display()));
    let wanted = told.contains(": looked for a ") || told.contains(": no session of Claude Code, Codex, ");
    assert!(of_file && wanted && !told.contains('\n') && found.iter().any(|part| told.contains(part)), "{told}");
}

/// All but the first cut, and one a byte before the end.
fn cuts(length: usize) -> impl Iterator<Item = usize> {
    (0..CUTS).map(move |n| length * n / CUTS).chain([1, 17, length - 3]).filter(|at| *at > 0)
}

#[test]
fn every_format_has_a_sample() {
    let known = |name: &str| by_name(name).unwrap_or_else(|| panic!("no format is called {name}")).agent;
    let mut sampled: Vec<_> =
        SAMPLES.iter().map(|(name, _)| known(name)).chain(LINES.iter().map(|(_, name)| known(name))).collect();
    let mut all: Vec<_> = FORMATS.iter().map(|format| format.agent).collect();
    sampled.sort();
    all.sort();
    assert_eq!(sampled, all);
}

#[test]
fn a_document_or_a_database_that_is_cut_off_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    for (name, ending) in SAMPLES {
        let path = laid_out(name, ending, folder.path());
        let whole = fs::read(&path).unwrap();
        let untouched = report(&tried(&path).unwrap());
        for at in cuts(whole.trim_ascii_end().len()) {
            fs::write(&path, &whole[..at]).unwrap();
            match tried(&path) {
                // Of a database's last pages nothing may be needed.
                Ok(snapshot) => assert_eq!((report(&snapshot), *ending), (untouched.clone(), "sql"), "{name} at {at}"),
                Err(told) => {
                    assert_told(&told, &path, &["ends in the middle", "the database cannot be read", "text that is no JSON"]);
                }
            }
        }
    }
}

#[test]
fn lines_that_are_cut_off_are_read_as_far_as_they_go() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in LINES {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("sample-sessions/{name}.jsonl"));
        let whole = fs::read(sample).unwrap();
        let path = folder.path().join(format!("{name}.jsonl"));
        for at in cuts(whole.len()) {
            fs::write(&path, &whole[..at]).unwrap();
            match tried(&path) {
                Ok(snapshot) => {
                    let oddities: Vec<_> = snapshot.facts.diagnostics.iter().map(|oddity| oddity.kind).collect();
                    assert_eq!(snapshot.facts.agent.0, *format, "{name} at {at}");
                    assert!(oddities.is_empty() || oddities == [DiagnosticKind::Torn], "{name} at {at}: {oddities:?}");
                }
                Err(told) => {
                    assert!(!whole[..at].contains(&b'\n'), "{told}");
                    assert_told(&told, &path, &["found too little: the first record ends in the middle"]);
                }
            }
        }
    }
}

#[test]
fn something_else_under_the_right_name_is_told_as_what_it_is() {
    let others: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01", "found binary data"),
        (b"#!/bin/sh\nset -e\nmake\n", "found text that is no JSON"),
        (b"id,name\n1,pier\n", "found text that is no JSON"),
        (b"<html><body>Sign in</body></html>", "found text that is no JSON"),
        (b"{\"name\":\"harbour\",\"version\":\"1.0.0\",\"dependencies\":{}}", "found JSON of no known kind"),
        (b"{\n  \"name\": \"harbour\",\n  \"private\": true\n}\n", "found JSON of no known kind"),
        (b"{\"level\":\"info\",\"msg\":\"up\"}\n{\"level\":\"info\",\"msg\":\"down\"}\n", "found JSON of no known kind"),
        (b"[1,2,3]", "found JSON of no known kind"),
        (b"[]", "found JSON with nothing in it"),
        (b"[]\n", "found JSON with nothing in it"),
        (b"{}", "found JSON with nothing in it"),
        (b"{\"error\":{\"type\":\"overloaded_error\",\"message\":\"try later\"}}", "found an error of a model's API"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "found a Git LFS pointer"),
        (b"SQLite format 3\0 and no more", "the database cannot be read"),
        (b"\x1F\x8B and no more", "broken or cut off"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let names = SAMPLES.iter().map(|(name, ending)| format!("{name}.{}", if *ending == "sql" { "db" } else { ending }));
    for name in names.chain(LINES.iter().map(|(name, _)| format!("{name}.jsonl"))) {
        let path = folder.path().join(name);
        for (bytes, found) in others {
            fs::write(&path, bytes).unwrap();
            assert_told(&tried(&path).map(|_| found).unwrap_err(), &path, &[found]);
        }
        fs::write(&path, "").unwrap();
        let empty = tried(&path).unwrap();
        assert_eq!((empty.lanes.len(), empty.lanes[0].events.len()), (1, 0), "{}", path.display());
    }
}

#[test]
fn a_database_of_somebody_else_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("opencode.db");
    let made = rusqlite::Connection::open(&path).unwrap();
    made.execute_batch("create table session (id text, title text)").unwrap();
    assert_told(&tried(&path).map(|_| ()).unwrap_err(), &path, &["found an SQLite database of no known agent"]);
    made.execute_batch("drop table session").unwrap();
    assert_told(&tried(&path).map(|_| ()).unwrap_err(), &path, &["found an SQLite database without tables"]);
    drop(made);
    for name in ["opencode", "goose", "crush"] {
        let path = laid_out(name, "sql", folder.path());
        let made = rusqlite::Connection::open(&path).unwrap();
        let table = if name == "opencode" { "session" } else { "sessions" };
        made.execute_batch(&format!("delete from {table}")).unwrap();
        assert_told(&tried(&path).map(|_| ()).unwrap_err(), &path, &["the database has no session that another one did not start"]);
        // Each was started by the other one.
        let parent = if name == "opencode" { "parent_id" } else { "parent_session_id" };
        let path = laid_out(name, "sql", folder.path());
        let made = rusqlite::Connection::open(&path).unwrap();
        made.execute_batch(&format!("update {table} set {parent} = id")).unwrap();
        assert_told(&tried(&path).map(|_| ()).unwrap_err(), &path, &["the database has no session that another one did not start"]);
        let id: String = made.query_row(&format!("select id from {table}"), [], |row| row.get(0)).unwrap();
        let named = tried(&PathBuf::from(format!("{}#{id}", path.display()))).unwrap();
        assert!(named.lanes[0].events.len() > 1, "who names it can still read it");
    }
}
