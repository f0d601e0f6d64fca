//! The files below a folder that may be sessions, whoever wrote them and wherever they were copied to.

use std::path::{Path, PathBuf};

use crate::source::children::child_id;
use crate::source::error::Error;
use crate::source::side::is_side_ledger;
use crate::source::walk::{Entry, walk};
use crate::transcript::Whereabouts;

/// Endings of files in which agents keep their transcripts, beside those of their whereabouts.
const ENDINGS: [&str; 9] = ["jsonl", "ndjson", "json", "traj", "eval", "db", "gz", "zst", "zip"];

/// What a folder holds.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The files that may be sessions, by path. A sub-agent's file is a part of its session, a side ledger lies beside one.
    pub files: Vec<PathBuf>,
    /// What could not be looked at.
    pub unreadable: Vec<Error>,
}

/// Looks below `folder`. No file is opened: whether one is a transcript, its content decides.
#[must_use]
pub fn gather<'a>(folder: &Path, all: impl IntoIterator<Item = &'a Whereabouts>) -> Gathered {
    let all: Vec<&Whereabouts> = all.into_iter().collect();
    let mut gathered = Gathered::default();
    walk(folder, Whereabouts::ANY_DEPTH, &mut |entry| match entry {
        Entry::File(path, _) if may_be_session(&path, &all) => gathered.files.push(path),
        Entry::File(..) | Entry::Folder(_) => {}
        Entry::Unreadable(error) => gathered.unreadable.push(error),
    });
    gathered.files.sort();
    gathered
}

fn may_be_session(path: &Path, all: &[&Whereabouts]) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ends = path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    let ends = ends || all.iter().any(|whereabouts| name.ends_with(whereabouts.suffix));
    ends && !is_side_ledger(path) && !all.iter().any(|whereabouts| child_id(path, whereabouts).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::testing::CLAUDE;

    #[test]
    fn what_may_be_a_session_is_found_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        for path in
            ["b/two.jsonl", "a/one.json", "a/one/subagents/agent-1.jsonl", "a/one.owed.jsonl", "a/notes.md", "c/.x/three.JSONL"]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let gathered = gather(folder.path(), [&CLAUDE]);
        let names: Vec<_> = gathered.files.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a/one.json", "b/two.jsonl", "c/.x/three.JSONL"]);
        assert!(gather(&folder.path().join("nowhere"), [&CLAUDE]).files.is_empty());
    }
}
