//! The user's folder of settings: where it is, and the files in it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::base::data::DataFile;
use crate::cli::failure::Failure;
use crate::cli::io::Io;
use crate::source::file::text_of;

/// The user's files, beside the folders of them.
pub(super) const FILES: [&str; 8] =
    ["config.toml", "cues.toml", "effects.toml", "transactions.toml", "wordings.toml", "models.toml", "keys.toml", "redact.toml"];
/// The user's folders of files.
pub(super) const FOLDERS: [&str; 2] = ["policies", "themes"];

/// The user's folder of settings.
#[derive(Debug)]
pub(super) struct Folder {
    /// `$XDG_CONFIG_HOME/owed`; none when there is no home folder.
    path: Option<PathBuf>,
}

/// A file of the user's.
#[derive(Debug)]
pub(super) struct Overlay {
    /// Its path.
    path: PathBuf,
    name: String,
    text: String,
}

impl Overlay {
    /// It, as data.
    pub(super) fn as_file(&self) -> DataFile<'_> {
        DataFile { name: &self.name, text: &self.text }
    }

    /// Its name without `.toml`.
    pub(super) fn stem(&self) -> String {
        self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// Where what is written for sessions lies: `$XDG_STATE_HOME/owed`; none when there is no home folder.
pub(super) fn state(io: &Io) -> Option<PathBuf> {
    own(io, "XDG_STATE_HOME", ".local/state")
}

/// Our folder below the one that the environment names (XDG Base Directory Specification: a relative path counts as unset).
fn own(io: &Io, variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = (io.env)(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| io.home.as_ref().map(|home| home.join(below_home))).map(|folder| folder.join("owed"))
}

impl Folder {
    /// The folder that the environment names.
    pub(super) fn of(io: &Io) -> Self {
        Self { path: own(io, "XDG_CONFIG_HOME", ".config") }
    }

    /// Where a file of it would be.
    pub(super) fn place(&self, name: &str) -> Option<PathBuf> {
        self.path.as_ref().map(|folder| folder.join(name))
    }

    /// A file of it, if it is there.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub(super) fn file(&self, name: &str) -> Result<Option<Overlay>, Failure> {
        self.place(name).map_or(Ok(None), |path| read(&path))
    }

    /// The `*.toml` files in a folder of it, by name.
    ///
    /// # Errors
    /// One of them, or the folder, cannot be read.
    pub(super) fn files(&self, name: &str) -> Result<Vec<Overlay>, Failure> {
        let Some(folder) = self.place(name) else { return Ok(Vec::new()) };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(&folder, &error)),
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        paths.iter().filter_map(|path| read(path).transpose()).collect()
    }
}

fn read(path: &Path) -> Result<Option<Overlay>, Failure> {
    match text_of(path) {
        Ok(text) => Ok(Some(Overlay { path: path.to_path_buf(), name: path.display().to_string(), text })),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{} cannot be read: {error}", path.display())).next("put it right, or move it away")
}
