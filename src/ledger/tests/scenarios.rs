//! Scenarios as files: a session in the language of `ledger::testing`, with what must hold where a line begins with `=`.
//!
//! `= live KIND COLOUR: WORDS`, `= not live KIND: WORDS`, `= edge RELATION: WORDS > WORDS`, `= condition: WORDS of WORDS`,
//! `= names VALUE: WORDS`, `= calm` (nothing live is a barrier). Words are a part of an entry's text or line.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, Weight};
use crate::ledger::testing::fold;

fn has(entry: &Entry, words: &str) -> bool {
    entry.text.contains(words) || entry.line_text.contains(words)
}

fn live(lane: &LaneSnapshot) -> Vec<Arc<Entry>> {
    lane.end().map(|end| lane.live_at(end)).unwrap_or_default()
}

/// Whether an expectation holds.
fn holds(lane: &LaneSnapshot, expected: &str) -> bool {
    let end = lane.end().unwrap();
    let (what, words) = expected.split_once(": ").unwrap_or((expected, ""));
    let mut parts = what.split(' ');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("live"), Some(kind), Some(colour)) => {
            live(lane).iter().any(|e| e.kind.word() == kind && e.weight_at(end).word() == colour && has(e, words))
        }
        (Some("not"), Some("live"), Some(kind)) => !live(lane).iter().any(|e| e.kind.word() == kind && has(e, words)),
        (Some("edge"), Some(relation), None) => {
            let (from, to) = words.split_once(" > ").unwrap();
            let all: Vec<_> = lane.entries_until(end).collect();
            all.iter()
                .filter(|e| has(e, from))
                .flat_map(|e| e.edges_at(end).collect::<Vec<_>>())
                .any(|edge| edge.kind.word() == relation && lane.entry(edge.to).is_some_and(|other| has(&other, to)))
        }
        (Some("condition"), None, None) => {
            let (condition, of) = words.split_once(" of ").unwrap();
            live(lane).iter().any(|e| has(e, of) && e.preconditions.iter().any(|text| text.contains(condition)))
        }
        (Some("names"), Some(value), None) => {
            live(lane).iter().any(|e| has(e, words) && e.identifiers.iter().any(|known| known == value))
        }
        (Some("calm"), None, None) => live(lane).iter().all(|e| e.weight_at(end) == Weight::Repair),
        _ => panic!("no such expectation: {expected}"),
    }
}

#[test]
fn every_scenario_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ledger/tests/scenarios");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10);
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (mut script, mut expectations) = (String::new(), 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let Some(expected) = line.strip_prefix("= ") else {
                script.push_str(line);
                script.push('\n');
                continue;
            };
            expectations += 1;
            let lane = fold(&script);
            if !holds(&lane, expected) {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let stands: Vec<String> = live(&lane)
                    .iter()
                    .map(|e| format!("{} {}: {}", e.kind.word(), e.weight_at(lane.end().unwrap()).word(), e.line_text))
                    .collect();
                wrong.push(format!("{name}: {expected}\n    live: {stands:#?}"));
            }
        }
        assert!(expectations > 0, "{} expects nothing", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
