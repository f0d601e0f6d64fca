//! Why a session cannot be read, and what to do next.

use std::io;
use std::path::PathBuf;

use crate::formats::detect::Refusal;
use crate::source;

/// A session that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its file cannot be read.
    #[error(transparent)]
    Source(#[from] source::Error),
    /// Its file can be read, and is no transcript that is known.
    #[error("{}: {refusal}", path.display())]
    Unknown {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// What was looked for, and what was found.
        refusal: Refusal,
    },
    /// It is a session, and not one of the format that was asked for.
    #[error("{}: looked for a session of {wanted}, found one of {found}", path.display())]
    Other {
        /// The file; `-` for standard input.
        path: PathBuf,
        /// The format that was asked for.
        wanted: &'static str,
        /// The format that it is of.
        found: &'static str,
    },
    /// There is no format of the id that was asked for.
    #[error("no format is called {name}")]
    NoSuchFormat {
        /// The id.
        name: String,
        /// The ids that there are.
        known: Vec<&'static str>,
    },
    /// Input that can be read only once could not be kept in a temporary file.
    #[error("the input cannot be kept in a temporary file: {0}")]
    Spool(#[source] io::Error),
    /// The system gave no thread.
    #[error("no thread can be started: {0}")]
    Thread(#[source] io::Error),
}

impl Error {
    /// What to do about it, for people.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::Source(source::Error::NotFound { .. }) => "`owed sessions` lists the sessions on this machine".to_owned(),
            Self::Source(source::Error::Denied { .. }) => "read it as the user who owns it, or copy it".to_owned(),
            Self::Source(source::Error::NotAFile { .. }) => {
                "name a session's file; `owed scan FOLDER` lists those of a folder, `owed sessions` those of this machine"
                    .to_owned()
            }
            Self::Source(source::Error::Malformed { .. }) | Self::Unknown { refusal: Refusal::Begun(_), .. } => {
                "its writer may not be done: try again, or export it anew".to_owned()
            }
            Self::Source(source::Error::TooLarge { .. }) => {
                "if you trust it, unpack it yourself, and name what comes out".to_owned()
            }
            Self::Source(source::Error::Spool(_)) => "make room in the temporary folder, or name another one in TMPDIR".to_owned(),
            Self::Source(source::Error::Io { .. }) => "copy the file to a local disk and try again".to_owned(),
            Self::Unknown { .. } => "`--format NAME` reads it as one of `owed formats`, whatever it looks like".to_owned(),
            Self::Other { .. } => "leave out `--format`".to_owned(),
            Self::NoSuchFormat { known, .. } => format!("there are {}", known.join(", ")),
            Self::Spool(_) => "make room in the temporary folder, or name another one in TMPDIR".to_owned(),
            Self::Thread(_) => "end some processes and try again".to_owned(),
        }
    }
}
