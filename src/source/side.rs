//! Side ledgers: the file beside a session in which its runtime writes down what it owes. It is never a session itself.

use std::path::{Path, PathBuf};

/// What a side ledger's name ends with; before it stands the name of its session's file, without that one's ending.
pub const SUFFIX: &str = ".owed.jsonl";

/// The side ledger beside the session at `main`, whether it is there or not.
#[must_use]
pub fn beside(main: &Path) -> Option<PathBuf> {
    let mut name = main.file_stem()?.to_owned();
    name.push(SUFFIX);
    Some(main.with_file_name(name))
}

/// Whether a file is a side ledger by its name.
#[must_use]
pub fn is_side_ledger(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(SUFFIX.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_ledger_is_known_by_its_name() {
        for (main, side) in [("/w/s.jsonl", "/w/s.owed.jsonl"), ("s.jsonl", "s.owed.jsonl"), ("/w/a.b.jsonl", "/w/a.b.owed.jsonl")]
        {
            assert_eq!(beside(Path::new(main)).as_deref(), Some(Path::new(side)));
            assert!(is_side_ledger(Path::new(side)) && !is_side_ledger(Path::new(main)));
        }
        assert_eq!(beside(Path::new("/")), None);
    }
}
