//! Why a file cannot be read.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::render::unpack::{LEAST, TIMES};

/// A file that cannot be read, and why.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at this path.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The path.
        path: PathBuf,
    },
    /// The file may not be read by this user.
    #[error("{}: permission denied", path.display())]
    Denied {
        /// The path.
        path: PathBuf,
    },
    /// What lies there is no file.
    #[error("{}: is {what}, not a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is: `a folder`, `a device`.
        what: &'static str,
    },
    /// It can be read, and is not what it should be: a document that ends in the middle, a database without the session.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The path.
        path: PathBuf,
        /// What was found, and where.
        what: String,
    },
    /// It is compressed, and holds more than anybody wants to unpack unasked.
    #[error("{}: unpacks to more than {}, where reading stops: {} times its own size, and at least {}", path.display(), size(*most), TIMES, size(LEAST))]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// The most bytes that it may unpack to.
        most: u64,
    },
    /// A file of our own, in which it is kept as it is read, cannot be written.
    #[error("what is read cannot be kept in a temporary file: {0}")]
    Spool(#[source] io::Error),
    /// Anything else that the system says.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

impl Error {
    /// The system's `error` about `path`, sorted by what its reader can do about it.
    #[must_use]
    pub fn of(path: &Path, error: io::Error) -> Self {
        let path = path.to_path_buf();
        match error.kind() {
            // A part of the path that is a file stands for "there is nothing here" too.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound { path },
            io::ErrorKind::PermissionDenied => Self::Denied { path },
            _ => Self::Io { path, error },
        }
    }

    /// What lies at `path` is not what it should be.
    pub(super) fn malformed(path: &Path, what: String) -> Self {
        Self::Malformed { path: path.to_path_buf(), what }
    }

    /// The file that the error is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::NotFound { path }
            | Self::Denied { path }
            | Self::NotAFile { path, .. }
            | Self::Malformed { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Io { path, .. } => path,
            Self::Spool(_) => Path::new("-"),
        }
    }
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    format!("{} GiB", bytes / GIB)
}
