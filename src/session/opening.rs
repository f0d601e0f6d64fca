//! From a path to a session: where its bytes are, and whose they are.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::formats::Format;
use crate::formats::detect::{self, HEAD, Refusal};
use crate::formats::registry::{FORMATS, by_name};
use crate::ledger::Rulebook;
use crate::session::error::Error;
use crate::source::balance::Balance;
use crate::source::file::read_at;
use crate::source::render::database::{MAGIC, columns};
use crate::source::render::files::paths;
use crate::source::render::sketch::Sketch;
use crate::source::render::unpack::{method, unpacked};
use crate::source::side::beside;
use crate::source::spool::spool;
use crate::source::{self, Origin};
use crate::transcript::{Agent, Container, Document};

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
            // A database holds many sessions, and standard input has no folder.
            Origin::Part(..) | Origin::Held(_) => None,
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

/// The most bytes that are held to know a format. A longer first line counts as far as it goes.
const LONGEST_HEAD: usize = 4 << 20;

/// Where the bytes of `path` are. A pipe is read to its end, and kept where it can be read again. `FILE#SESSION` is a session of a
/// database, if there is no file of that name.
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
        Err(error) => match part_of(path) {
            Some(part) if part.stat().is_ok() => Ok(part),
            _ => Err(error.into()),
        },
    }
}

/// What `FILE#SESSION` names.
pub(super) fn part_of(path: &Path) -> Option<Origin> {
    let (file, part) = path.to_str()?.rsplit_once('#').filter(|(_, part)| !part.is_empty())?;
    Some(Origin::Part(PathBuf::from(file), part.to_owned()))
}

/// Keeps all of `input` where it can be read again.
///
/// # Errors
/// It cannot be read or kept.
pub(super) fn held(input: &mut dyn Read) -> Result<Origin, Error> {
    spool(input).map(Origin::Held).map_err(Error::Spool)
}

/// How a session is read.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) format: &'static Format,
    pub(super) reading: Reading,
}

/// How the records of a file are got at.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// Its lines are the records.
    AsItStands,
    /// It is rendered.
    Rendered(&'static Container),
}

/// The lines of whatever keeps lines, or was compressed.
static LINES: Container = Container::Lines;

/// The format of the file at `origin`; none while it says nothing.
///
/// # Errors
/// It cannot be read, it is no transcript, or there is no format of the id that was asked for.
pub(super) fn recognise(origin: &Origin, options: &Options) -> Result<Option<Known>, Error> {
    let asked = match options.format {
        None => None,
        Some(agent) => Some(by_name(agent.0).ok_or_else(|| {
            let known = FORMATS.iter().map(|format| format.agent.0).collect();
            Error::NoSuchFormat { name: agent.0.to_owned(), known }
        })?),
    };
    let refused = |refusal| Error::Unknown { path: origin.path().to_path_buf(), refusal };
    let start = start(origin, HEAD)?;
    if start.starts_with(MAGIC) {
        let columns = columns(origin.path()).map_err(|error| looked_for("a database of an agent", error))?;
        let (format, container) = detect::database(&columns).map_err(refused)?;
        return Ok(Some(Known { format, reading: Reading::Rendered(container) }));
    }
    let is_packed = method(&start).is_some();
    let plain = if is_packed { unpacked(origin).map_err(|error| looked_for("a session", error))? } else { origin.clone() };
    let start = if is_packed { self::start(&plain, HEAD)? } else { start };
    let head = head(&plain, start)?;
    let by_lines = asked.map_or_else(|| detect::detect(&head), Ok);
    let lines = |format: &'static Format| {
        let reading = if is_packed { Reading::Rendered(&LINES) } else { Reading::AsItStands };
        Known { format, reading }
    };
    let first = first_line(&head);
    match &by_lines {
        // A value alone on the first of several lines: one record a line.
        Ok(format) if first == First::OfMany => return Ok(Some(lines(format))),
        Err(refusal) if first == First::OfMany => return Err(refused(refusal.clone())),
        _ if first == First::Nothing => return Ok(asked.map(lines)),
        _ => {}
    }
    let sketch = Sketch::of(&plain)?;
    let by_document = asked.map_or_else(|| detect::document(&sketch.objects(), &head), Ok);
    let is_line = !head.trim_ascii().contains(&b'\n');
    let document = by_document.as_ref().ok().and_then(|format| Some((*format, rendered(format, &sketch, is_line, &plain)?)));
    match (document, by_lines, sketch.broken) {
        (Some((format, container)), _, None) => Ok(Some(Known { format, reading: Reading::Rendered(container) })),
        (None, Ok(format), _) => Ok(Some(lines(format))),
        // Lines of which the first is torn, or the beginning of one.
        (_, Ok(format), Some(_)) if has_lines(format) => Ok(Some(lines(format))),
        (_, _, Some(_))
            if head.len() < LONGEST_HEAD
                && is_beginning(&head)
                && by_document.as_ref().map_or(true, |format| has_lines(format)) =>
        {
            Ok(None)
        }
        (Some((format, _)), _, Some(what)) => {
            let broken = source::Error::Malformed { path: origin.path().to_path_buf(), what };
            Err(looked_for(&session_of(format), broken).into())
        }
        (None, Err(_), broken) => match by_document {
            Ok(format) => Ok(Some(lines(format))),
            Err(refusal) => Err(refused(refusal.of_part(broken))),
        },
    }
}

/// What a file of a format is.
pub(super) fn session_of(format: &Format) -> String {
    format!("a session of {}", format.title)
}

/// The same error, which says what was looked for too.
pub(super) fn looked_for(wanted: &str, error: source::Error) -> source::Error {
    match error {
        source::Error::Malformed { path, what } => source::Error::Malformed { path, what: format!("looked for {wanted}: {what}") },
        error => error,
    }
}

/// That the file at `origin`, of which no format is known, is an empty one. For who does not wait for more.
///
/// # Errors
/// It cannot be read, or there is the beginning of something.
pub(super) fn expect_empty(origin: &Origin) -> Result<(), Error> {
    match first_line(&start(&unpacked(origin)?, HEAD)?) {
        First::Nothing => Ok(()),
        First::OfMany | First::Other => {
            let refusal = Refusal::Begun("the first record ends in the middle".to_owned());
            Err(Error::Unknown { path: origin.path().to_path_buf(), refusal })
        }
    }
}

/// That the file at `origin`, of which the format that was asked for makes nothing, looks like that format.
///
/// # Errors
/// It is no transcript, or one of another format.
pub(super) fn expect_asked(origin: &Origin, options: &Options) -> Result<(), Error> {
    let Some(asked) = options.format.and_then(|agent| by_name(agent.0)) else { return Ok(()) };
    match recognise(origin, &Options { format: None, ..options.clone() })? {
        Some(Known { format, .. }) if format.agent != asked.agent => {
            Err(Error::Other { path: origin.path().to_path_buf(), wanted: asked.title, found: format.title })
        }
        _ => Ok(()),
    }
}

fn has_lines(format: &Format) -> bool {
    format.containers.iter().any(|container| matches!(container, Container::Lines))
}

/// How a document of a format is rendered; none if it may be the first of several records, one a line.
fn rendered(format: &'static Format, sketch: &Sketch, is_line: bool, origin: &Origin) -> Option<&'static Container> {
    let key = |path: &str| path.split('.').next().is_some_and(|key| sketch.value.get(key).is_some_and(|value| !value.is_null()));
    let holds = |document: &Document| sketch.value.is_array() || document.lists.iter().any(|path| key(path));
    let mut containers = format.containers.iter();
    // What lies beside a file can be told by the file's path alone.
    let lies = matches!(origin, Origin::Path(_)) && sketch.value.is_object();
    let document = |container: &&Container| match container {
        Container::Document(document) => holds(document),
        Container::Spliced(spliced) => lies && holds(&spliced.document),
        _ => false,
    };
    let files = |container: &&Container| matches!(container, Container::Files(_));
    let found = |container: &&Container| matches!(container, Container::Files(files) if !paths(origin.path(), files).is_empty());
    let any = |container: &&Container| matches!(container, Container::Document(_));
    let first = containers.clone().find(document).or_else(|| containers.clone().find(found));
    let first = first.or_else(|| containers.clone().find(files));
    first.or_else(|| containers.find(|container| any(container) && !(is_line && has_lines(format))))
}

/// What the first line of a file is that is not empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// There is none.
    Nothing,
    /// It is, or begins with, a whole object, and others follow.
    OfMany,
    /// Anything else: a document, alone on its line or on many; a torn record.
    Other,
}

fn first_line(head: &[u8]) -> First {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let line = head.iter().position(|byte| *byte == b'\n');
    match line {
        None if head.is_empty() => First::Nothing,
        Some(end) => {
            let (line, rest) = (head.get(..end).unwrap_or_default(), head.get(end..).unwrap_or_default());
            let is_whole = line.starts_with(b"{") && Balance::default().end(line).is_some();
            let is_of_many = (is_whole && !rest.trim_ascii().is_empty()) || detect::is_line_of_many(head);
            if is_of_many { First::OfMany } else { First::Other }
        }
        None => First::Other,
    }
}

/// At most so many first bytes of a file.
fn start(origin: &Origin, length: usize) -> Result<Vec<u8>, Error> {
    let (file, _) = origin.open()?;
    let mut head = vec![0; length];
    let count = read_at(&file, &mut head, 0).map_err(|error| source::Error::of(origin.path(), error))?;
    head.truncate(count);
    Ok(head)
}

/// The first bytes of a file that begins with these, with the first line whole.
fn head(origin: &Origin, mut head: Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut length = HEAD;
    while head.len() == length && !head.contains(&b'\n') && length < LONGEST_HEAD {
        length *= 8;
        head = start(origin, length)?;
    }
    Ok(head)
}

/// Whether there may be a record when more bytes have come: there is nothing yet, or the beginning of an object.
fn is_beginning(head: &[u8]) -> bool {
    let head = head.trim_ascii();
    head.is_empty() || head.starts_with(b"{") && !head.contains(&b'\n') && Balance::default().end(head).is_none()
}
