//! What a gate keeps of a session in the state folder: `SESSION.carriers.md`, the carriers of its newest compaction, and
//! `SESSION.gate.json` (`owed.shelf/1`), how often one was stopped and what was let through. A sub-agent's files are called
//! `SESSION.LANE.carriers.md` and `SESSION.LANE.gate.json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::hash::Hash64;
use crate::hooks::crossing::Crossing;
use crate::hooks::durable;
use crate::hooks::whose::Whose;
use crate::source::file::bytes_of;

/// The longest session id that a file is called after as it stands, in bytes.
const LONGEST_NAME: usize = 80;

const SCHEMA: &str = "owed.shelf/1";

/// The files of one context.
pub(super) struct Shelf {
    folder: PathBuf,
    name: String,
}

/// How often in a row compactions were stopped, what became of the newest, and which went on over something open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tally {
    /// `owed.shelf/1`.
    schema: String,
    /// Those that a human asked for.
    pub(super) manual: u32,
    /// Those that the runtime began by itself.
    pub(super) auto: u32,
    /// What was decided last: `pass`, `warn`, `block` or `forced`.
    pub(super) last: String,
    /// The verdict at that time.
    pub(super) verdict: String,
    /// The transcript's line at which that was.
    pub(super) line: Option<u32>,
    /// The sub-agent whose context was asked about last; none: the main agent's. Only in the session's own file.
    pub(super) lane: Option<String>,
    /// Compactions of the session that went on over something open, its sub-agents' too, the newest last. Only in its own file.
    pub(super) crossed: Vec<Crossing>,
}

impl Default for Tally {
    fn default() -> Self {
        let (schema, last, verdict) = (SCHEMA.to_owned(), String::new(), String::new());
        Self { schema, manual: 0, auto: 0, last, verdict, line: None, lane: None, crossed: Vec::new() }
    }
}

impl Shelf {
    /// The files of a context in `folder`.
    pub(super) fn of(folder: &Path, whose: Whose<'_>) -> Self {
        let mut name = file_name(whose.session);
        if let Some(lane) = whose.lane {
            // No name has a dot in it: a sub-agent's files are never those of another session.
            name = format!("{name}.{}", file_name(lane));
        }
        Self { folder: folder.to_path_buf(), name }
    }

    /// Where its carriers stand.
    pub(super) fn carriers(&self) -> PathBuf {
        self.folder.join(format!("{}.carriers.md", self.name))
    }

    /// Writes its carriers durably; nothing to carry leaves no file.
    pub(super) fn write(&self, carriers: &str) -> io::Result<Option<PathBuf>> {
        let path = self.carriers();
        if carriers.is_empty() {
            return durable::remove(&path).map(|()| None);
        }
        fs::create_dir_all(&self.folder)?;
        durable::write(&path, carriers.as_bytes())?;
        Ok(Some(path))
    }

    /// Its carriers as they were written.
    pub(super) fn read(&self) -> io::Result<Option<Vec<u8>>> {
        present(bytes_of(&self.carriers()))
    }

    /// What was counted. A file that says nothing sensible is an error: whoever cannot count must not stop anybody.
    pub(super) fn tally(&self) -> io::Result<Tally> {
        let Some(bytes) = present(bytes_of(&self.tally_path()))? else { return Ok(Tally::default()) };
        serde_json::from_slice(&bytes).map_err(io::Error::from)
    }

    /// Keeps what was counted.
    pub(super) fn keep(&self, tally: &Tally) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        durable::write(&self.tally_path(), &serde_json::to_vec(tally)?)
    }

    fn tally_path(&self) -> PathBuf {
        self.folder.join(format!("{}.gate.json", self.name))
    }
}

/// A session's id as the name of a file: as it stands where it is plain, else what is plain in it and a hash of the whole. No id leads
/// out of the folder, and no two share a file.
fn file_name(session: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !session.is_empty() && session.len() <= LONGEST_NAME && session.chars().all(is_plain) {
        return session.to_owned();
    }
    let plain: String = session.chars().filter(|c| is_plain(*c)).take(LONGEST_NAME / 2).collect();
    format!("{plain}~{:016x}", Hash64::of(session.as_bytes()).0)
}

fn present<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_leads_out_of_the_folder() {
        let uuid = "3e110024-9c1e-4b58-8d5b-0a6a7d3c1f00";
        assert_eq!(file_name(uuid), uuid);
        let long = "x".repeat(100_000);
        let odd = ["", ".", "..", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "a\0b", "..\u{202e}", "CON.txt", "日本", &long];
        let names: std::collections::BTreeSet<String> = odd.iter().map(|id| file_name(id)).collect();
        assert_eq!(names.len(), odd.len());
        for name in names {
            assert!(name.len() <= LONGEST_NAME && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_~".contains(c)), "{name}");
        }
    }
}
