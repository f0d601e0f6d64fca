//! What people type, and what it is (`tests/tagging/*.toml`).

use std::collections::BTreeMap;

use super::*;
use crate::base::data::{DataFile, parse};

type Table = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<String>>>>;

/// Whether a line was read as what it is. `kind` as in the tables.
fn right(kind: &str, regions: &[Region]) -> bool {
    let is = |wanted: &str| {
        regions.iter().any(|r| r.kind.is_some_and(|k| k.word() == wanted) || r.also.iter().any(|k| k.word() == wanted))
    };
    match kind {
        "narrative" => regions.iter().all(|r| r.kind.is_none()),
        "kept" => regions.iter().any(|r| r.kind.is_some()),
        "revokes" => regions.iter().any(|r| r.kind.is_some() && r.acts.contains(&Act::Revokes)),
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

/// Reads every line of a table; returns `(kept, right, all)` by language and kind, and prints what went wrong.
fn score(name: &str, text: &str, setting: Setting) -> (usize, usize, usize, usize) {
    let cues = Cues::default();
    let table: Table = parse(DataFile { name, text }).unwrap();
    let (mut kept, mut commitments, mut good, mut all) = (0, 0, 0, 0);
    for (language, kinds) in &table {
        for (kind, roles) in kinds {
            for (role, lines) in roles {
                for line in lines {
                    let (head, text) = line.split_once(" ¦ ").unwrap_or(("", line));
                    let said = Said { text, source: source(role), before: "", head };
                    let regions = cues.read(&said, setting);
                    let ok = right(kind, &regions);
                    all += 1;
                    good += usize::from(ok);
                    if kind != "narrative" {
                        commitments += 1;
                        kept += usize::from(right("kept", &regions));
                    }
                    if !ok {
                        let seen: Vec<String> = regions
                            .iter()
                            .map(|r| {
                                format!("{} {:?} {} {:?}", r.kind.map_or("narrative", EntryKind::word), r.also, r.rule, r.acts)
                            })
                            .collect();
                        let lost = if kind != "narrative" && !right("kept", &regions) { "LOST" } else { "" };
                        println!("{lost:4} {language} {role} {kind}: {line:?} -> {}", seen.join(" | "));
                    }
                }
            }
        }
    }
    println!("{name} {setting:?}: kept {kept}/{commitments}, right {good}/{all}");
    (kept, commitments, good, all)
}

#[test]
fn first_table() {
    for setting in [Setting::Keep, Setting::Lean] {
        score("first.toml", include_str!("../../../tests/tagging/first.toml"), setting);
    }
}
