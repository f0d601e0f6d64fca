//! Files: which one a path names now, and reading it at a position.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::source::error::Error;

/// Where a file's bytes come from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Whatever file lies at this path when it is looked at.
    Path(PathBuf),
    /// A part of the file at this path: the session of this id in a database.
    Part(PathBuf, String),
    /// A file that is held open and has no path: input that was spooled.
    Held(Arc<File>),
}

/// Which file this is, whatever its path: what another file at the same path would not share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

/// What the system says of a file without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Which file it is.
    pub identity: Identity,
    /// Its length in bytes.
    pub size: u64,
    /// When it was last written, by the clock of its file system.
    pub modified: Option<SystemTime>,
}

impl Origin {
    /// What the system says of the file that is there now.
    ///
    /// # Errors
    /// There is none, it may not be looked at, or it is no file.
    pub fn stat(&self) -> Result<Stat, Error> {
        match self {
            Self::Path(path) | Self::Part(path, _) => regular(path, fs::metadata(path).map_err(|e| Error::of(path, e))?),
            Self::Held(file) => regular(Path::new("-"), file.metadata().map_err(|e| Error::of(Path::new("-"), e))?),
        }
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    /// There is none, it may not be read, or it is no file.
    pub fn open(&self) -> Result<(Arc<File>, Stat), Error> {
        match self {
            Self::Path(path) | Self::Part(path, _) => {
                // Asked before it is opened: opening a pipe would wait for its writer.
                self.stat()?;
                let file = File::open(path).map_err(|e| Error::of(path, e))?;
                let stat = regular(path, file.metadata().map_err(|e| Error::of(path, e))?)?;
                Ok((Arc::new(file), stat))
            }
            Self::Held(file) => Ok((Arc::clone(file), self.stat()?)),
        }
    }

    /// The path that messages name; `-` for a file without one.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Path(path) | Self::Part(path, _) => path,
            Self::Held(_) => Path::new("-"),
        }
    }
}

/// Whether `path` is a pipe: input that can be read only once.
#[must_use]
pub fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    return fs::metadata(path).is_ok_and(|metadata| std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()));
    #[cfg(not(unix))]
    return false;
}

/// The bytes of a file that is no device and no pipe: a device may have no end, and opening a pipe would wait for its writer.
///
/// # Errors
/// It is none, or whatever the system says.
pub fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a folder, a device or a pipe, and no file"));
    }
    fs::read(path)
}

/// The text of such a file.
///
/// # Errors
/// It is none, is no UTF-8, or whatever the system says.
pub fn text_of(path: &Path) -> io::Result<String> {
    let no_text = |error: std::string::FromUtf8Error| {
        let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no UTF-8 text"))
    };
    String::from_utf8(bytes_of(path)?).map_err(no_text)
}

/// Fills `buffer` from `offset` of the file, as far as the file goes; the number of bytes read. Moves no file position.
///
/// # Errors
/// Whatever the system says; never for a file that ends early.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match read_once_at(file, rest, offset + done as u64) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

#[cfg(unix)]
fn read_once_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_once_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

fn regular(path: &Path, metadata: Metadata) -> Result<Stat, Error> {
    if !metadata.is_file() {
        return Err(Error::NotAFile {
            path: path.to_path_buf(),
            what: if metadata.is_dir() { "a folder" } else { "a device or a pipe" },
        });
    }
    Ok(Stat { identity: Identity::of(&metadata), size: metadata.len(), modified: metadata.modified().ok() })
}

impl Identity {
    /// Which folder lies at `path` now; none if there is no folder.
    #[must_use]
    pub fn of_folder(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().filter(Metadata::is_dir).map(|metadata| Self::of(&metadata))
    }

    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    /// Without inodes, a file is recognised by when it was created.
    #[cfg(windows)]
    fn of(metadata: &Metadata) -> Self {
        Self { device: 0, inode: std::os::windows::fs::MetadataExt::creation_time(metadata) }
    }
}
