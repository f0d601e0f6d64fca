//! Folders, to their full depth: one listing each, and nothing opened.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::source::error::Error;

/// Something that lies below a folder.
#[derive(Debug)]
pub enum Entry {
    /// A file.
    File(PathBuf, Metadata),
    /// A folder, which is looked into next.
    Folder(PathBuf),
    /// Something that cannot be looked at.
    Unreadable(Error),
}

/// Gives everything below `folder` to `each`, in no order, down to `deepest` folders below it. A folder that is not there holds
/// nothing. A link to a file counts as the file; a link to a folder is not followed, so that no loop can be walked into.
pub fn walk(folder: &Path, deepest: usize, each: &mut dyn FnMut(Entry)) {
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                let error = Error::of(&folder, error);
                if !matches!(error, Error::NotFound { .. }) {
                    each(Entry::Unreadable(error));
                }
                continue;
            }
        };
        // An entry that vanished while the folder was being listed is not there.
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < deepest => {
                    open.push((path.clone(), depth + 1));
                    each(Entry::Folder(path));
                }
                Ok(kind) if kind.is_file() || kind.is_symlink() => {
                    let metadata = if kind.is_symlink() { fs::metadata(&path) } else { entry.metadata() };
                    if let Ok(metadata) = metadata
                        && metadata.is_file()
                    {
                        each(Entry::File(path, metadata));
                    }
                }
                _ => {}
            }
        }
    }
}
