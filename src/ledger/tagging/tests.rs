//! What people type and what it is (`tests/tagging/*.toml`), what only looks like it, and what must hold of any text.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::base::data::{DataFile, parse};

/// Lines by language, kind and speaker.
type Table = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>;

/// How many lines of a table were kept, and read as what they are.
#[derive(Default)]
struct Score {
    kept: usize,
    commitments: usize,
    right: usize,
    all: usize,
    wrong: Vec<String>,
}

fn said(text: &str, source: Source) -> Said<'_> {
    Said { text, source, before: "", head: "" }
}

fn read(text: &str, source: Source) -> Vec<Region> {
    Cues::default().read(&said(text, source), Setting::Keep)
}

/// Whether a line was read as what it is. `kind` as in the tables.
fn is_right(kind: &str, regions: &[Region]) -> bool {
    let is =
        |wanted: &str| regions.iter().any(|r| r.kind.is_some() && r.kind.iter().chain(&r.also).any(|kind| kind.word() == wanted));
    match kind {
        "narrative" => regions.iter().all(|r| r.kind.is_none()),
        "kept" => regions.iter().any(|r| r.kind.is_some()),
        "revokes" => regions.iter().any(|r| r.acts.contains(&Act::Revokes)),
        wanted => is(wanted),
    }
}

fn source(role: &str) -> Source {
    match role {
        "user" => Source::Typed,
        "eot" => Source::LastOfTurn,
        "assistant" => Source::Assistant,
        "tool" => Source::Tool,
        _ => Source::Injected,
    }
}

fn score(text: &str, setting: Setting) -> Score {
    let cues = Cues::default();
    let table: Table = parse(DataFile { name: "table", text }).unwrap();
    let mut score = Score::default();
    for (language, kinds) in &table {
        for (kind, role, line) in kinds
            .iter()
            .flat_map(|(kind, roles)| roles.iter().flat_map(move |(role, lines)| lines.iter().map(move |line| (kind, role, line))))
        {
            let (head, text) = line.split_once(" ¦ ").unwrap_or(("", line));
            let regions = cues.read(&Said { text, source: source(role), before: "", head }, setting);
            let kept = is_right("kept", &regions);
            score.all += 1;
            score.commitments += usize::from(kind != "narrative");
            score.kept += usize::from(kind != "narrative" && kept);
            if is_right(kind, &regions) {
                score.right += 1;
            } else {
                let seen = regions
                    .iter()
                    .map(|r| format!("{} {:?} {} {:?}", r.kind.map_or("narrative", EntryKind::word), r.also, r.rule, r.acts));
                let lost = if kept || kind == "narrative" { "" } else { "LOST " };
                score.wrong.push(format!("{lost}{language} {role} {kind}: {line:?} -> {}", seen.collect::<Vec<_>>().join(" | ")));
            }
        }
    }
    score
}

/// Keeps every commitment of a table, and reads most lines as what they are.
#[track_caller]
fn holds(table: &str, wrong: usize, lost_when_lean: usize) {
    let keep = score(table, Setting::Keep);
    for line in &keep.wrong {
        println!("{line}");
    }
    println!("keep: kept {} of {}, right {} of {}", keep.kept, keep.commitments, keep.right, keep.all);
    let lean = score(table, Setting::Lean);
    println!("lean: kept {} of {}", lean.kept, lean.commitments);
    for line in lean.wrong.iter().filter(|line| line.starts_with("LOST")) {
        println!("{line}");
    }
    assert_eq!(keep.kept, keep.commitments);
    assert!(keep.all - keep.right <= wrong && lean.commitments - lean.kept <= lost_when_lean);
}

#[test]
fn the_first_table() {
    holds(include_str!("../../../tests/tagging/first.toml"), 5, 1);
}
