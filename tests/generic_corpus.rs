//! Real recordings of every format that is not lines, counted and compared with an oracle, where this machine has both: `OWED_CORPUS`,
//! and `OWED_PAIRS`, a table of file, calls and resolutions.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use owed::ledger::Rulebook;
use owed::ledger::rows::EventKind;
use owed::session::{Options, Snapshot, read};

#[expect(clippy::disallowed_methods, reason = "a test asks where the recordings are")]
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
    found.sort();
}

/// What a session amounts to, over all of its lanes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    calls: usize,
    resolved: usize,
    orphans: usize,
    boundaries: usize,
    records: u32,
    unrecognised: u64,
}

fn counts(snapshot: &Snapshot) -> Counts {
    let mut counts = Counts { unrecognised: snapshot.facts.unrecognised.values().sum(), ..Counts::default() };
    counts.records = snapshot.facts.files.iter().map(|file| file.lines).sum();
    for lane in &snapshot.lanes {
        counts.calls += lane.calls.len();
        counts.resolved += lane
            .calls
            .iter()
            .filter(|call| call.ended().is_some_and(|end| !format!("{:?}", end.how).starts_with("Abandoned")))
            .count();
        counts.orphans += lane.anomalies.iter().filter(|anomaly| anomaly.kind.to_string() == "orphan").count();
        counts.boundaries += lane.events.iter().filter(|row| row.kind == EventKind::Boundary).count();
    }
    counts
}

/// Prints a row a file (`--nocapture`): what was found against what the oracle says.
#[test]
fn recordings_are_counted_as_the_oracle_counts_them() {
    let Some(corpus) = named("OWED_CORPUS") else { return };
    let oracle = named("OWED_PAIRS").map(|path| fs::read_to_string(path).unwrap()).unwrap_or_default();
    let oracle: BTreeMap<&str, Vec<&str>> =
        oracle.lines().map(|line| line.split('\t').collect::<Vec<_>>()).map(|row| (row[0], row)).collect();
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let mut found = Vec::new();
    for folder in ["generic", "opencode", "goose", "crush", "cline", "roo", "amp", "handmade", "gemini", "misc"] {
        files(&corpus.join(folder), &mut found);
    }
    let mut differ = Vec::new();
    for path in found.iter().filter(|path| path.extension().is_none_or(|ending| ending != "tsv")) {
        let name = path.strip_prefix(&corpus).unwrap().to_string_lossy().into_owned();
        let name = name.strip_prefix("generic/").unwrap_or(&name).to_owned();
        let expected = oracle.get(name.as_str());
        let number = |column: usize| expected.and_then(|row| row.get(column)?.parse::<usize>().ok()).unwrap_or_default();
        match read(path, &options) {
            Err(error) => {
                let told = error.to_string().replace(&*path.to_string_lossy(), "");
                println!("{name}\tREFUSED\t{}", told.rsplit(": ").take(2).collect::<Vec<_>>().join(" < "));
                if number(3) > 0 {
                    differ.push(format!("{name}: refused, {} calls expected", number(3)));
                }
            }
            Ok(snapshot) => {
                let is = counts(&snapshot);
                println!("{name}\t{}\t{is:?}\t{:?}", snapshot.facts.agent.0, snapshot.facts.unrecognised);
                let should = (number(3), number(4), number(7), number(9));
                if expected.is_some() && (is.calls, is.resolved, is.orphans, is.boundaries) != should {
                    differ.push(format!("{name}: {is:?}, the oracle says calls, resolved, orphans, compactions {should:?}"));
                }
            }
        }
    }
    println!("{differ:#?}");
}
