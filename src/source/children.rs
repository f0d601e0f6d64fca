//! The files that a session's sub-agents have of their own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::source::file::{Origin, read_at};
use crate::source::side::is_side_ledger;
use crate::source::walk::{Entry, walk};
use crate::transcript::{Brood, Whereabouts};

/// Bytes in which a record names its session: it does so before its message.
const HEAD: usize = 4096;

/// The least length of a session's id that is not in a file by chance.
const SESSION_ID: usize = 16;

/// The sub-agents' files of one session, as they are there now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Children {
    /// The files with their sub-agents' ids, by path.
    pub files: Vec<Child>,
    /// The folders in which a new one may appear, those that do not exist yet included.
    pub folders: Vec<PathBuf>,
}

/// A sub-agent's own file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Child {
    /// The file.
    pub path: PathBuf,
    /// The sub-agent's id, from the file's name.
    pub id: String,
}

impl Children {
    /// Looks for the sub-agents' files of the session whose main file is `main`.
    #[must_use]
    pub fn of(main: &Path, whereabouts: &Whereabouts) -> Self {
        let mut found = Self::default();
        let top = match (whereabouts.children, own_folder(main, whereabouts)) {
            (Some(Brood::Own { folder, .. }), Some(own)) => {
                let top = own.join(folder);
                found.folders.extend([own, top.clone()]);
                top
            }
            (Some(Brood::ById { characters, .. }), Some(own)) => match folder_by_id(&own, characters) {
                Some(top) => {
                    found.folders.push(top.clone());
                    top
                }
                None => return found,
            },
            _ => return found,
        };
        // What cannot be looked into holds nothing that could be read.
        walk(&top, Whereabouts::ANY_DEPTH, &mut |entry| match entry {
            Entry::Folder(path) => found.folders.push(path),
            Entry::File(path, _) => {
                if let Some(id) = child_id(&path, whereabouts) {
                    found.files.push(Child { path, id });
                }
            }
            Entry::Unreadable(_) => {}
        });
        found.files.sort();
        tell_apart(&mut found.files);
        found
    }
}

/// The sub-agents' files that lie beside the main file, where Claude Code 2.0 put them: files that are named like a sub-agent's, and
/// name this session in their first bytes. The main file's name is the session's id.
#[must_use]
pub fn beside(main: &Path, whereabouts: &Whereabouts) -> Vec<Child> {
    let stem = main.file_stem().map(|stem| stem.as_encoded_bytes().to_vec()).unwrap_or_default();
    if !matches!(whereabouts.children, Some(Brood::Own { .. })) || stem.len() < SESSION_ID || child_id(main, whereabouts).is_some()
    {
        return Vec::new();
    }
    let entries = main.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten();
    let children = entries.filter_map(|entry| child_id(&entry.path(), whereabouts).map(|id| Child { path: entry.path(), id }));
    let mut found: Vec<Child> = children.filter(|child| names(&child.path, &stem)).collect();
    found.sort();
    found
}

/// Whether a file names the session in its first bytes.
fn names(path: &Path, session: &[u8]) -> bool {
    let mut head = [0; HEAD];
    let Ok((file, _)) = Origin::Path(path.to_path_buf()).open() else { return false };
    let count = read_at(&file, &mut head, 0).unwrap_or(0);
    memmem::find(head.get(..count).unwrap_or_default(), session).is_some()
}

/// Of two files with one id, the later is called after its folder too.
fn tell_apart(files: &mut [Child]) {
    let mut ids = BTreeSet::new();
    for child in files {
        if !ids.insert(child.id.clone()) {
            let folder = child.path.parent().and_then(Path::file_name).unwrap_or_default();
            child.id = format!("{}/{}", folder.to_string_lossy(), child.id);
        }
    }
}

/// The id of the sub-agent whose own file this is, if its name is that of one.
#[must_use]
pub fn child_id(path: &Path, whereabouts: &Whereabouts) -> Option<String> {
    let prefix = match whereabouts.children.filter(|_| !is_side_ledger(path))? {
        Brood::Own { prefix, .. } => prefix,
        Brood::ById { below, .. } => path.parent()?.parent().filter(|folder| folder.ends_with(below)).map(|_| "")?,
    };
    let id = path.file_name()?.to_str()?.strip_prefix(prefix)?.strip_suffix(whereabouts.suffix)?;
    (!id.is_empty()).then(|| id.to_owned())
}

/// So many last characters of a session's name, with which its id begins.
pub(super) fn id_in(own: &Path, characters: usize) -> Option<&str> {
    let name = own.file_name()?.to_str()?;
    name.get(name.len().checked_sub(characters)?..)
}

/// The folder beside a session whose name begins with the last characters of the session's own name.
fn folder_by_id(own: &Path, characters: usize) -> Option<PathBuf> {
    let id = id_in(own, characters)?;
    let entries = fs::read_dir(own.parent()?).ok()?.flatten();
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(id)));
    named.map(|entry| entry.path()).filter(|path| path.is_dir()).min()
}

/// The folder that belongs to a session alone: beside its file, and named like it.
fn own_folder(main: &Path, whereabouts: &Whereabouts) -> Option<PathBuf> {
    let stem = main.file_name()?.to_str()?.strip_suffix(whereabouts.suffix)?;
    Some(main.with_file_name(stem))
}
