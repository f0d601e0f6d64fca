//! From a path to a session: where its bytes are, and whose they are.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::formats::Format;
use crate::formats::detect::{HEAD, detect};
use crate::formats::registry::{FORMATS, by_name};
use crate::ledger::Rulebook;
use crate::session::error::Error;
use crate::source::balance::Balance;
use crate::source::file::read_at;
use crate::source::side::beside;
use crate::source::spool::spool;
use crate::source::{self, Origin};
use crate::transcript::Agent;

/// How to read a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its format, instead of what its bytes say.
    pub format: Option<Agent>,
    /// What the fold goes by.
    pub rules: Arc<Rulebook>,
    /// Where what its runtime wrote down itself is looked for.
    pub side: Side,
}

impl Options {
    /// A session of whatever format it is, with its side ledger beside it.
    #[must_use]
    pub fn of(rules: Arc<Rulebook>) -> Self {
        Self { format: None, rules, side: Side::default() }
    }
}

/// Where side ledgers are looked for. One that is not there may come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Beside the session's file.
    #[default]
    Beside,
    /// Beside the session's file, and under the same name in this folder.
    BesideAndIn(PathBuf),
    /// This file.
    At(PathBuf),
}

impl Side {
    /// The side ledgers of the session at `origin`, in the order in which they count.
    pub(super) fn of(&self, origin: &Origin) -> Vec<PathBuf> {
        let beside = match origin {
            Origin::Path(path) => beside(path),
            Origin::Held(_) => None,
        };
        match self {
            Self::At(path) => vec![path.clone()],
            Self::Beside => beside.into_iter().collect(),
            Self::BesideAndIn(folder) => {
                let there = beside.as_deref().and_then(Path::file_name).map(|name| folder.join(name));
                beside.iter().cloned().chain(there).collect()
            }
        }
    }
}

/// The most bytes that are looked at to know a format: a first line may hold an image.
const LONGEST_HEAD: usize = 64 << 20;

/// Where the bytes of `path` are. A pipe is read to its end, and kept where it can be read again.
///
/// # Errors
/// There is nothing, or nothing that can be read.
pub(super) fn origin_of(path: &Path) -> Result<Origin, Error> {
    let origin = Origin::Path(path.to_path_buf());
    match origin.stat() {
        Ok(_) => Ok(origin),
        Err(source::Error::NotAFile { .. }) if source::file::is_pipe(path) => {
            let mut pipe = std::fs::File::open(path).map_err(|error| source::Error::of(path, error))?;
            held(&mut pipe)
        }
        Err(error) => Err(error.into()),
    }
}

/// Keeps all of `input` where it can be read again.
///
/// # Errors
/// It cannot be read or kept.
pub(super) fn held(input: &mut dyn Read) -> Result<Origin, Error> {
    spool(input).map(Origin::Held).map_err(Error::Spool)
}

/// The format of the file at `origin`; none while it says nothing.
///
/// # Errors
/// It cannot be read, it is no transcript, or there is no format of the id that was asked for.
pub(super) fn recognise(origin: &Origin, options: &Options) -> Result<Option<&'static Format>, Error> {
    if let Some(agent) = options.format {
        let known = || FORMATS.iter().map(|format| format.agent.0).collect();
        let unknown = || Error::NoSuchFormat { name: agent.0.to_owned(), known: known() };
        return by_name(agent.0).map(Some).ok_or_else(unknown);
    }
    let head = head(origin)?;
    match detect(&head) {
        Ok(format) => Ok(Some(format)),
        Err(_) if is_beginning(&head) => Ok(None),
        Err(refusal) => Err(Error::Unknown { path: origin.path().to_path_buf(), refusal }),
    }
}

/// The first bytes of a file, with the first line whole.
fn head(origin: &Origin) -> Result<Vec<u8>, Error> {
    let (file, stat) = origin.open()?;
    let mut length = HEAD;
    loop {
        let mut head = vec![0; length];
        let count = read_at(&file, &mut head, 0).map_err(|error| source::Error::of(origin.path(), error))?;
        head.truncate(count);
        if head.contains(&b'\n') || count as u64 >= stat.size || length >= LONGEST_HEAD {
            return Ok(head);
        }
        length *= 8;
    }
}

/// Whether there may be a record when more bytes have come: there is nothing yet, or the beginning of an object.
fn is_beginning(head: &[u8]) -> bool {
    let head = head.trim_ascii();
    head.is_empty() || head.starts_with(b"{") && !head.contains(&b'\n') && Balance::default().end(head).is_none()
}
