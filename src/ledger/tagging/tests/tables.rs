//! What people say to agents and what it is: `tests/tagging/*.toml`, a file a language. All of it was labelled before a rule first read it.
//!
//! A table is `[language.kind]`; its lists name who speaks: `user`, `eot` (an agent's last message of a turn), `assistant`, `tool`,
//! `system`. `head ¦ item` is an item below the head of a list. Kinds are those of entries, and what [`is_right`] lists.

use std::collections::BTreeMap;

use super::{CUES, EntryKind, Said, Scope, Setting, Source};
use crate::base::data::{DataFile, parse};
use crate::ledger::tagging::{Act, Region};

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

/// Whether a line was read as what it is. `kind` as in the tables.
pub(super) fn is_right(kind: &str, regions: &[Region]) -> bool {
    let is =
        |wanted: &str| regions.iter().any(|r| r.kind.is_some() && r.kind.iter().chain(&r.also).any(|kind| kind.word() == wanted));
    match kind {
        "narrative" => regions.iter().all(|r| r.kind.is_none()),
        "kept" => regions.iter().any(|r| r.kind.is_some()),
        "revokes" => regions.iter().any(|r| r.acts.contains(&Act::Revokes)),
        // To be let off something may be read as either.
        "waiver" => is("prohibition") || is_right("revokes", regions),
        "standing" => regions.iter().any(|r| r.kind.is_some() && r.scope == Scope::Standing),
        "passing" => regions.iter().all(|r| r.scope == Scope::OneShot),
        "harmless" => !regions.iter().any(|r| r.kind == Some(EntryKind::Prohibition) || r.acts.contains(&Act::Revokes)),
        "undecided" => !is("decision"),
        wanted => is(wanted),
    }
}

fn source(role: &str) -> Source {
    match role {
        "user" => Source::Typed,
        "eot" => Source::LastOfTurn,
        "assistant" => Source::Assistant,
        "tool" => Source::Tool,
        "system" => Source::Rules,
        _ => Source::Injected,
    }
}

fn score(text: &str, setting: Setting) -> Score {
    let table: Table = parse(DataFile { name: "table", text }).unwrap();
    let mut score = Score::default();
    for (language, kinds) in &table {
        for (kind, role, line) in kinds
            .iter()
            .flat_map(|(kind, roles)| roles.iter().flat_map(move |(role, lines)| lines.iter().map(move |line| (kind, role, line))))
        {
            let (head, text) = line.split_once(" ¦ ").unwrap_or(("", line));
            let regions = CUES.read(&Said { text, source: source(role), before: "", head }, setting);
            let kept = is_right("kept", &regions);
            let is_commitment = !matches!(kind.as_str(), "narrative" | "harmless" | "passing" | "undecided");
            score.all += 1;
            score.commitments += usize::from(is_commitment);
            score.kept += usize::from(is_commitment && kept);
            if is_right(kind, &regions) {
                score.right += 1;
            } else {
                let seen = regions
                    .iter()
                    .map(|r| format!("{} {:?} {} {:?}", r.kind.map_or("narrative", EntryKind::word), r.also, r.rule, r.acts));
                let lost = if kept || !is_commitment { "" } else { "LOST " };
                score.wrong.push(format!("{lost}{language} {role} {kind}: {line:?} -> {}", seen.collect::<Vec<_>>().join(" | ")));
            }
        }
    }
    score
}

/// Keeps every commitment of a table, with either setting, and reads all but so many lines as what they are.
#[track_caller]
fn holds(table: &str, wrong: usize) {
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
    assert_eq!((keep.kept, lean.kept), (keep.commitments, lean.commitments));
    assert!(keep.all - keep.right <= wrong);
}

/// So many lines of a language may be read otherwise than a reader would, without being left behind.
#[test]
fn what_people_say_is_read_as_what_it_is() {
    for (table, wrong) in [
        (include_str!("../../../../tests/tagging/english.toml"), 12),
        (include_str!("../../../../tests/tagging/chinese.toml"), 0),
        (include_str!("../../../../tests/tagging/french.toml"), 0),
        (include_str!("../../../../tests/tagging/german.toml"), 0),
        (include_str!("../../../../tests/tagging/japanese.toml"), 0),
        (include_str!("../../../../tests/tagging/korean.toml"), 0),
        (include_str!("../../../../tests/tagging/portuguese.toml"), 0),
        (include_str!("../../../../tests/tagging/russian.toml"), 0),
        (include_str!("../../../../tests/tagging/spanish.toml"), 0),
        (include_str!("../../../../tests/tagging/other.toml"), 1),
    ] {
        holds(table, wrong);
    }
}
