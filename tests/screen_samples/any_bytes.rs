//! Any bytes: the samples of all formats with bytes, lines and values in wrong places. Nothing panics, the same bytes say the same, and
//! nothing comes out that a terminal would obey.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use owed::base::text::is_unsafe;
use owed::base::time::Stamp;
use owed::compaction::Strictness;
use owed::ledger::{LaneSnapshot, Rulebook};
use owed::report::{AuditReport, Breadth, CheckReport, Subject, json};
use owed::session::{Audited, Feed, Options, Snapshot};
use owed::ui::{Judge as _, Question, Still};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{BuiltIn, look};

static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options::of(Arc::new(Rulebook::load(Default::default()).unwrap())));

static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(BuiltIn::default);

static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(samples);

/// Every sample; of a database, its bytes.
fn samples() -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ["json", "jsonl", "traj", "sql"].iter().any(|known| ending == *known)))
        .collect();
    paths.sort();
    let folder = tempfile::tempdir().unwrap();
    let bytes = |path: &PathBuf| {
        if path.extension().is_some_and(|ending| ending == "sql") {
            let database = folder.path().join(path.file_stem().unwrap());
            rusqlite::Connection::open(&database).unwrap().execute_batch(&fs::read_to_string(path).unwrap()).unwrap();
            return fs::read(database).unwrap();
        }
        fs::read(path).unwrap()
    };
    paths.iter().map(bytes).collect()
}

/// What happens to a file.
#[derive(Clone, Debug)]
enum Harm {
    /// A byte becomes another one.
    Byte(Index, u8),
    /// Bytes are put in.
    Inserted(Index, &'static str),
    /// Bytes are gone, up to so many.
    Gone(Index, usize),
    /// Lines change their places.
    Swapped(Index, Index),
    /// A line stands there again.
    Again(Index, Index),
    /// What stands behind a colon becomes something else.
    Value(Index, &'static str),
}

const INSERTED: &[&str] =
    &["\u{1b}[2J\u{1b}]0;x\u{7}", "\0", "\"", "}{", "\n", "\r", "\u{feff}", "\\ud800", "\u{202e}", "漢字", "[[[[[[[["];

const VALUES: &[&str] = &[
    "null",
    "true",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"\"",
    "[]",
    "{}",
    "[null]",
    "{\"type\":{}}",
    "\"\\u001b[31m\"",
    "\"2026-13-45T99:99:99Z\"",
    "\"../../../etc/passwd\"",
    "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
];

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    prop_oneof![
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Harm::Byte(at, byte)),
        1 => (at(), prop::sample::select(INSERTED)).prop_map(|(at, text)| Harm::Inserted(at, text)),
        1 => (at(), 1..400_usize).prop_map(|(at, count)| Harm::Gone(at, count)),
        2 => (at(), at()).prop_map(|(one, other)| Harm::Swapped(one, other)),
        2 => (at(), at()).prop_map(|(one, other)| Harm::Again(one, other)),
        6 => (at(), prop::sample::select(VALUES)).prop_map(|(at, value)| Harm::Value(at, value)),
    ]
}

impl Harm {
    fn done_to(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let place = |at: &Index| at.index(bytes.len());
        match self {
            Self::Byte(at, byte) => {
                let at = place(at);
                bytes[at] = *byte;
            }
            Self::Inserted(at, text) => {
                let at = place(at);
                _ = bytes.splice(at..at, text.bytes());
            }
            Self::Gone(at, count) => {
                let at = place(at);
                let end = (at + count).min(bytes.len());
                bytes.drain(at..end);
            }
            Self::Swapped(one, other) => {
                in_lines(bytes, |lines| {
                    let places = (one.index(lines.len()), other.index(lines.len()));
                    lines.swap(places.0, places.1);
                });
            }
            Self::Again(one, other) => {
                in_lines(bytes, |lines| {
                    let line = lines[one.index(lines.len())].clone();
                    lines.insert(other.index(lines.len()), line);
                });
            }
            Self::Value(at, value) => {
                let colons: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b':').collect();
                if let Some(colon) = (!colons.is_empty()).then(|| colons[at.index(colons.len())]) {
                    let end = colon + 1 + length(&bytes[colon + 1..]);
                    _ = bytes.splice(colon + 1..end, value.bytes());
                }
            }
        }
    }
}

fn in_lines(bytes: &mut Vec<u8>, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut lines);
    *bytes = lines.join(&b'\n');
}

/// How long the JSON value is with which these bytes begin; of a list or an object, its bracket.
fn length(bytes: &[u8]) -> usize {
    let space = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let value = &bytes[space..];
    let end = match value.first() {
        Some(b'"') => value.iter().skip(1).position(|byte| *byte == b'"').map_or(value.len(), |at| at + 2),
        Some(b'[' | b'{') => 1,
        _ => value.iter().position(|byte| b",}]\n".contains(byte)).unwrap_or(value.len()),
    };
    space + end
}

/// All that is said of a session to a program.
fn said(bytes: &[u8]) -> Result<(Feed, String), String> {
    let feed = Feed::whole_input(&mut &*bytes, &OPTIONS).map_err(|error| error.to_string())?;
    let audited = Audited::of(&feed, &OPTIONS.rules);
    let mut out = Vec::new();
    for lane in &audited.snapshot.lanes {
        out.extend(checked(&audited.snapshot, lane));
    }
    json::write_line(&mut out, &AuditReport::of(&audited)).unwrap();
    Ok((feed, String::from_utf8(out).unwrap()))
}

fn checked(snapshot: &Snapshot, lane: &LaneSnapshot) -> Vec<u8> {
    let judgement = BUILT_IN.judge(snapshot.facts.agent, lane, &Question::default());
    let subject = Subject { snapshot, lane, judgement: &judgement, strictness: Strictness::Normal };
    let mut out = Vec::new();
    json::write_line(&mut out, &CheckReport::of(&subject, Breadth::All)).unwrap();
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_bytes_are_read_judged_audited_and_shown(which in any::<Index>(), harms in prop::collection::vec(harm(), 1..12)) {
        let mut bytes = which.get(&SAMPLES).clone();
        harms.iter().for_each(|harm| harm.done_to(&mut bytes));
        match said(&bytes) {
            Ok((feed, first)) => {
                prop_assert_eq!(said(&bytes).map(|(_, again)| again), Ok(first));
                let mut still = Still::open(&feed, Box::new(BuiltIn::default()), &look(Stamp(1_790_000_000_000), None), (100, 30));
                for key in ["v", "G", "d", "O", "C", "*"] {
                    still.press(key).unwrap();
                    let shown = still.text();
                    prop_assert!(!shown.chars().any(|c| c != '\n' && is_unsafe(c)), "{shown}");
                }
            }
            Err(told) => prop_assert!(!told.is_empty() && !told.chars().any(is_unsafe), "{told:?}"),
        }
    }
}
