//! The house rules that a compiler does not hold: who may use whom, how long a file may be, what the architecture page names.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Top modules and their floors (src/ARCHITECTURE.md). A module uses only modules on lower floors.
const FLOORS: &[(&str, u8)] = &[
    ("cli", 9),
    ("ui", 8),
    ("hooks", 8),
    ("report", 7),
    ("session", 6),
    ("audit", 5),
    ("compaction", 4),
    ("formats", 3),
    ("source", 3),
    ("ledger", 3),
    ("evidence", 2),
    ("transcript", 1),
    ("base", 0),
];

const LONGEST: usize = 600;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

fn all() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    assert!(found.len() > 20, "the sources were not found");
    found.into_iter().map(|p| (p.strip_prefix(&root).unwrap().to_path_buf(), fs::read_to_string(&p).unwrap())).collect()
}

fn top(path: &Path) -> String {
    path.components().next().unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

#[test]
fn data_flows_one_way() {
    let floors: BTreeMap<&str, u8> = FLOORS.iter().copied().collect();
    let mut wrong = Vec::new();
    let mut uses = 0;
    for (path, text) in all() {
        let own = top(&path);
        let Some(&floor) = floors.get(own.as_str()) else {
            assert!(matches!(own.as_str(), "lib" | "main"), "{} stands on no floor", path.display());
            continue;
        };
        for part in text.split("crate::").skip(1) {
            let used: String = part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            let Some(&below) = floors.get(used.as_str()) else { continue };
            uses += 1;
            if used != own && below >= floor {
                wrong.push(format!("{} (floor {floor}) uses {used} (floor {below})", path.display()));
            }
        }
    }
    assert!(uses > 20, "no use of another module was found: the test does not see them any more");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_holds_more_than_one_idea() {
    for (path, text) in all() {
        assert!(!path.ends_with("mod.rs"), "{}: name the file after its module", path.display());
        let lines = text.lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines, {LONGEST} are allowed: split it by idea", path.display());
        assert!(
            path.ends_with("main.rs") || text.starts_with("//!") || text.starts_with("#!["),
            "{} does not say what it is",
            path.display()
        );
    }
}

#[test]
fn the_architecture_page_names_every_module() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ARCHITECTURE.md")).unwrap();
    for (path, _) in all() {
        let own = top(&path);
        if FLOORS.iter().any(|(name, _)| *name == own) {
            assert!(page.contains(&format!("`{own}`")), "src/ARCHITECTURE.md does not name {own}");
        }
    }
}
