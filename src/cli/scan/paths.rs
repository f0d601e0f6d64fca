//! What is to be scanned: files, folders, patterns, and lists of them on standard input.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::cli::failure::Failure;
use crate::cli::input::is_standard_input;
use crate::cli::io::Io;
use crate::cli::scan::{File, How};
use crate::formats::registry::FORMATS;
use crate::source::gather::gather;

/// What the paths lead to.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Each file once, in the order in which it was named or found.
    pub(super) files: Vec<File>,
    /// What could not be looked at, in words.
    pub(super) unreadable: Vec<String>,
    known: FxHashSet<PathBuf>,
}

impl Wanted {
    /// Follows the paths; `-` is a list of paths on standard input, one a line.
    ///
    /// # Errors
    /// A pattern is none, or standard input cannot be read.
    pub(super) fn of(paths: &[PathBuf], io: &mut Io) -> Result<Self, Failure> {
        let mut wanted = Self::default();
        for path in paths {
            if is_standard_input(path) {
                let mut list = String::new();
                io.stdin.read_to_string(&mut list).map_err(|error| Failure::input(format!("standard input: {error}")))?;
                for line in list.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    wanted.add(Path::new(line));
                }
            } else {
                wanted.matching(path)?;
            }
        }
        Ok(wanted)
    }

    /// A path that is not there may be a pattern that no shell has looked at.
    fn matching(&mut self, path: &Path) -> Result<(), Failure> {
        match path.to_str().filter(|text| !path.exists() && text.contains(['*', '?', '['])) {
            None => self.add(path),
            Some(pattern) => {
                let matches = glob::glob(pattern).map_err(|error| Failure::usage(format!("`{pattern}` is no pattern: {error}")))?;
                let before = self.files.len();
                for found in matches {
                    match found {
                        Ok(path) => self.add(&path),
                        Err(error) => self.unreadable.push(error.to_string()),
                    }
                }
                if self.files.len() == before {
                    self.unreadable.push(format!("{pattern}: nothing matches"));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path) {
        if path.is_dir() {
            let gathered = gather(path, FORMATS.iter().flat_map(|format| format.whereabouts));
            self.unreadable.extend(gathered.unreadable.iter().map(ToString::to_string));
            for path in gathered.files {
                self.take(path, How::Found);
            }
        } else if path.exists() && !path.is_file() {
            self.unreadable.push(format!("{}: a device or a pipe, not a file", path.display()));
        } else {
            self.take(path.to_path_buf(), How::Named);
        }
    }

    fn take(&mut self, path: PathBuf, how: How) {
        if self.known.insert(path.clone()) {
            self.files.push(File { path, how });
        }
    }
}
