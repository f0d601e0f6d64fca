//! How well words are read: scores every `*.jsonl` of labelled segments in the folder that `OWED_GOLD` names, and prints what was
//! missed. Without it there is nothing to do.
//!
//! A line is an object with `id`, `role`, `text`, `kind` (a kind of commitment, `narrative`, or `ambiguous`, which counts as a
//! commitment), `also`, `identifiers`, and if they are known `lang`, `revokes`, `prev`, `head`, `injected`, `eot`.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]
#![expect(clippy::print_stdout, reason = "its figures are what it is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use owed::ledger::identifiers::spoken;
use owed::ledger::tagging::{Act, Cues, Region, Said, Setting, Source};
use serde::Deserialize;

/// A labelled segment.
#[derive(Deserialize)]
#[serde(default)]
struct Labelled {
    id: serde_json::Value,
    role: String,
    lang: String,
    text: String,
    kind: String,
    also: Vec<String>,
    identifiers: Vec<String>,
    revokes: bool,
    prev: Option<String>,
    head: Option<String>,
    injected: bool,
    eot: bool,
}

impl Default for Labelled {
    fn default() -> Self {
        let empty = String::new;
        Self {
            id: serde_json::Value::Null,
            role: empty(),
            lang: empty(),
            text: empty(),
            kind: empty(),
            also: Vec::new(),
            identifiers: Vec::new(),
            revokes: false,
            prev: None,
            head: None,
            injected: false,
            eot: false,
        }
    }
}

impl Labelled {
    fn source(&self) -> Source {
        match self.role.as_str() {
            "tool" => Source::Tool,
            _ if self.injected => Source::Injected,
            "system" => Source::Rules,
            "assistant" if self.eot => Source::LastOfTurn,
            "assistant" => Source::Assistant,
            "thinking" => Source::Reasoning,
            _ => Source::Typed,
        }
    }

    fn read(&self, cues: &Cues, setting: Setting) -> Vec<Region> {
        let (before, head) = (self.prev.as_deref().unwrap_or(""), self.head.as_deref().unwrap_or(""));
        cues.read(&Said { text: &self.text, source: self.source(), before, head }, setting)
    }

    fn is_commitment(&self) -> bool {
        !matches!(self.kind.as_str(), "narrative" | "")
    }

    fn is_clear(&self) -> bool {
        self.is_commitment() && self.kind != "ambiguous"
    }

    fn forbids(&self) -> bool {
        self.kind == "prohibition" || self.also.iter().any(|kind| kind == "prohibition")
    }
}

/// A share: how many of how many.
#[derive(Clone, Copy, Default)]
struct Share {
    good: usize,
    all: usize,
}

impl Share {
    fn count(&mut self, good: bool) {
        self.all += 1;
        self.good += usize::from(good);
    }

    fn value(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.good as f64 / self.all as f64 }
    }
}

/// The scores of one set, by name.
#[derive(Default)]
struct Scores {
    shares: BTreeMap<String, Share>,
    misses: Vec<String>,
}

impl Scores {
    fn count(&mut self, name: &str, good: bool) {
        self.shares.entry(name.to_owned()).or_default().count(good);
    }

    fn score(&mut self, cues: &Cues, row: &Labelled) {
        for (name, setting) in [("keep", Setting::Keep), ("lean", Setting::Lean)] {
            let regions = row.read(cues, setting);
            let kept = regions.iter().any(|region| region.kind.is_some());
            let human = row.source() == Source::Typed;
            if row.is_clear() && human {
                self.count(&format!("{name}: clear commitments of humans"), kept);
                self.count(&format!("{name}: clear commitments of humans, {}", row.lang), kept);
            }
            if row.is_commitment() && human {
                self.count(&format!("{name}: all commitments of humans"), kept);
            }
            if row.is_clear() {
                self.count(&format!("{name}: clear commitments of all roles"), kept);
                self.count(&format!("{name}: clear {}s", row.kind), kept);
            }
            if !row.is_commitment() {
                self.count(&format!("{name}: narrative let go"), !kept);
            }
            if row.is_commitment() && !kept {
                self.misses.push(format!("{name:5} {:12} {:9} {} {}: {:?}", row.kind, row.role, row.lang, row.id, row.text));
            }
        }
        let regions = row.read(cues, Setting::Keep);
        if row.source() == Source::Tool {
            self.count("tool output let go", regions.iter().all(|region| region.kind.is_none()));
        }
        if row.is_clear() && row.forbids() && row.source() != Source::Tool {
            let kinds = |region: &Region| region.kind.into_iter().chain(region.also.iter().copied()).collect::<Vec<_>>();
            let seen = regions.iter().flat_map(kinds).any(|kind| kind.word() == "prohibition");
            self.count("prohibitions as such", seen);
            self.miss(seen, "forbids", row);
        }
        let lifts = regions.iter().any(|region| region.acts.contains(&Act::Revokes));
        if row.revokes {
            self.count("revocations as such", lifts);
            self.miss(lifts, "revokes", row);
        } else if row.source() == Source::Typed {
            self.count("no revocation where there is none", !lifts);
        }
        self.values(row);
    }

    fn miss(&mut self, seen: bool, what: &str, row: &Labelled) {
        if !seen {
            self.misses.push(format!("{what:8} {:12} {:9} {} {}: {:?}", row.kind, row.role, row.lang, row.id, row.text));
        }
    }

    /// Exact values, without the marks that a label may have around them.
    fn values(&mut self, row: &Labelled) {
        let plain = |text: &str| text.trim_matches(['`', '"', '\'', ' ']).to_owned();
        let labelled: BTreeSet<String> = row.identifiers.iter().map(|value| plain(value)).collect();
        let found: BTreeSet<String> =
            spoken(&row.text).into_iter().filter_map(|value| row.text.get(value.range)).map(plain).collect();
        for value in &labelled {
            let seen = found.contains(value);
            self.count("exact values found", seen);
            if !seen {
                self.misses.push(format!("value    {value:?} of {}: {:?}, not in {found:?}", row.id, row.text));
            }
        }
        // Only where somebody looked for them.
        for value in found.iter().filter(|_| !labelled.is_empty()) {
            let right = labelled.contains(value);
            self.count("exact values that are some", right);
            if !right {
                self.misses.push(format!("extra    {value:?} of {}: {:?}", row.id, row.text));
            }
        }
    }

    fn print(&self, set: &str) {
        println!("== {set}");
        for (name, share) in &self.shares {
            println!("{:7.2} %  {:5} of {:5}  {name}", 100.0 * share.value(), share.good, share.all);
        }
        for miss in &self.misses {
            println!("  missed  {miss}");
        }
    }
}

fn sets(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    found.sort();
    found
}

fn rows(path: &Path) -> Vec<Labelled> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let rows: Vec<Labelled> = lines.clone().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(rows.len() * 10 >= lines.count() * 9, "{}: not the lines that are scored here", path.display());
    rows
}

/// The levels that every set must reach.
const LEVELS: &[(&str, f64)] = &[
    ("keep: clear commitments of humans", 1.0),
    ("lean: clear commitments of humans", 0.97),
    ("keep: clear commitments of all roles", 0.97),
    ("lean: clear commitments of all roles", 0.97),
    ("prohibitions as such", 0.97),
    ("revocations as such", 0.90),
    ("no revocation where there is none", 0.98),
    ("tool output let go", 1.0),
    ("exact values found", 0.95),
    ("exact values that are some", 0.85),
];

#[test]
#[expect(clippy::disallowed_methods, reason = "the sets are named by the environment")]
fn labelled_segments_are_read() {
    let Some(folder) = std::env::var_os("OWED_GOLD") else { return };
    let cues = Cues::load(None).unwrap();
    let mut below = Vec::new();
    for path in sets(Path::new(&folder)) {
        let mut scores = Scores::default();
        rows(&path).iter().for_each(|row| scores.score(&cues, row));
        let set = path.file_stem().unwrap().to_string_lossy().into_owned();
        scores.print(&set);
        for (name, level) in LEVELS {
            let share = scores.shares.get(*name).copied().unwrap_or_default().value();
            if share < *level {
                below.push(format!("{set}: {name}: {share:.3}, not {level}"));
            }
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

#[test]
fn the_scores_count_what_they_say() {
    let cues = Cues::load(None).unwrap();
    let mut scores = Scores::default();
    for row in [
        r#"{"role":"user","lang":"en","text":"never push to main","kind":"prohibition"}"#,
        r#"{"role":"user","lang":"en","text":"thanks","kind":"decision"}"#,
        r#"{"role":"tool","text":"Do not edit `a.rs`","kind":"narrative","identifiers":["`a.rs`"],"note":"x"}"#,
        r#"{"role":"user","lang":"en","text":"never mind","kind":"ambiguous","revokes":true}"#,
    ] {
        scores.score(&cues, &serde_json::from_str(row).unwrap());
    }
    let share = |name: &str| scores.shares.get(name).map(|share| (share.good, share.all));
    assert_eq!(share("keep: clear commitments of humans"), Some((1, 2)));
    assert_eq!(share("keep: all commitments of humans"), Some((2, 3)));
    assert_eq!(share("prohibitions as such"), Some((1, 1)));
    assert_eq!(share("revocations as such"), Some((1, 1)));
    assert_eq!(share("tool output let go"), Some((1, 1)));
    assert_eq!(share("exact values found"), Some((1, 1)));
    assert_eq!(scores.misses.len(), 2);
}
