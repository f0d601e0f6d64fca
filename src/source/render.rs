//! Transcripts that are not lines, turned into lines: one JSON record a line, in a temporary file without a name.
//!
//! **Laws.** What is rendered depends on nothing but what was rendered from. While a rendering is followed, its file only ever grows:
//! what is no continuation of it is another rendering, and what was read of it means nothing any more.

mod attached;
mod chunks;
mod compact;
pub mod database;
mod document;
pub mod files;
pub mod sketch;
mod splice;
pub mod unpack;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::source::error::Error;
use crate::source::file::{Origin, Stat, read_at};
use crate::transcript::Container;

/// How soon a database is looked at after a change of its files. Each time it is left alone for twice as long, so many times.
const FIRST: Duration = Duration::from_millis(10);
const DOUBLINGS: u32 = 8;

/// Bytes that are rendered in about a millisecond.
const IN_A_MILLISECOND: u64 = 40_000;

/// One part in so many of a reader's time goes into looking at what does not change.
const SHARE: u32 = 50;

/// A transcript as lines, kept up to date with what it is rendered from.
#[derive(Debug)]
pub struct Rendering {
    origin: Origin,
    container: &'static Container,
    lines: Arc<File>,
    first: u32,
    /// What the files were like that it was rendered from.
    seen: Vec<(PathBuf, Option<Stat>)>,
    /// How often it was looked at since the files were last seen to change.
    looks: u32,
}

/// What a look at what is rendered from came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// There is nothing new in the lines.
    None,
    /// There are more lines, behind those that there were.
    Grown,
    /// The lines are others.
    Other,
}

impl Rendering {
    /// Renders what lies at `origin`.
    ///
    /// # Errors
    /// It cannot be read, or is not what the container says, or not all of it.
    pub fn new(origin: &Origin, container: &'static Container) -> Result<Self, Error> {
        let origin = match (container, origin) {
            (Container::Database(database), Origin::Path(path)) => &database::newest(path, database)?,
            _ => origin,
        };
        // Looked at before it is read, so that nothing is missed.
        let seen = looked_at(origin, container)?;
        let (lines, first) = lines(origin, container)?;
        Ok(Self { lines: Arc::new(lines), first, origin: origin.clone(), container, seen, looks: 0 })
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> Arc<File> {
        Arc::clone(&self.lines)
    }

    /// The number of the first line.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Renders again if there may be anything new. As long as nothing was written, that costs a look at each file.
    ///
    /// # Errors
    /// It cannot be read any more, or only a part of it. The lines stand, and it may be asked again.
    pub fn refresh(&mut self) -> Result<Change, Error> {
        let seen = looked_at(&self.origin, self.container)?;
        let is_same = seen == self.seen;
        if is_same && self.pause().is_none() {
            return Ok(Change::None);
        }
        let (new, _) = lines(&self.origin, self.container)?;
        self.seen = seen;
        self.looks = if is_same { self.looks.saturating_add(1) } else { 0 };
        let (old_length, length) = (length(&self.lines).map_err(kept)?, length(&new).map_err(kept)?);
        if length < old_length || !begins_alike(&self.lines, &new, old_length).map_err(kept)? {
            return Ok(Change::Other);
        }
        if length == old_length {
            return Ok(Change::None);
        }
        let mut from = &new;
        let mut to = &*self.lines;
        from.seek(SeekFrom::Start(old_length)).map_err(kept)?;
        to.seek(SeekFrom::End(0)).map_err(kept)?;
        io::copy(&mut from, &mut to).map_err(kept)?;
        Ok(Change::Grown)
    }

    /// After what time to look again although no file has changed; none: until one does, there is nothing new.
    ///
    /// A writer puts what it commits into a database's log first, waits for the disk, which may take seconds, and then lets readers see
    /// it, which no file tells. So as long as there is a log, there may be something new in it.
    #[must_use]
    pub fn pause(&self) -> Option<Duration> {
        let is_database = matches!(self.container, Container::Database(_));
        let is_written = |(_, stat): &(PathBuf, Option<Stat>)| stat.is_some_and(|stat| stat.size > 0);
        if !is_database || !self.seen.iter().skip(1).any(is_written) {
            return None;
        }
        let pause = FIRST * 2_u32.pow(self.looks.min(DOUBLINGS));
        let is_idle = self.looks >= DOUBLINGS;
        Some(if is_idle { pause.max(self.cost() * SHARE) } else { pause })
    }

    /// About how long it takes to render.
    #[must_use]
    pub fn cost(&self) -> Duration {
        Duration::from_millis(length(&self.lines).unwrap_or(0) / IN_A_MILLISECOND)
    }

    /// The folders in which files lie that it is rendered from, and those in which more of them may come to lie.
    pub fn folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let expected = match self.container {
            Container::Files(files) => files::folders(self.origin.path(), files),
            _ => Vec::new(),
        };
        self.seen.iter().filter_map(|(path, _)| path.parent()).filter_map(there).map(PathBuf::from).chain(expected)
    }
}

/// The folder, or the nearest one above it that is there: where it will be seen to come.
fn there(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.is_dir())
}

/// What the files are like that `origin` is rendered from.
fn looked_at(origin: &Origin, container: &Container) -> Result<Vec<(PathBuf, Option<Stat>)>, Error> {
    let main = origin.stat()?;
    let mut seen = vec![(origin.path().to_path_buf(), Some(main))];
    let also = match container {
        Container::Database(_) => database::beside(origin.path()).to_vec(),
        Container::Files(files) => files::paths(origin.path(), files),
        Container::Spliced(spliced) => splice::beside(origin.path(), spliced).into_iter().collect(),
        Container::Lines | Container::Document(_) => Vec::new(),
    };
    seen.extend(also.into_iter().map(|path| {
        let stat = Origin::Path(path.clone()).stat().ok();
        (path, stat)
    }));
    Ok(seen)
}

/// Renders into a new file, of which the first line has this number.
fn lines(origin: &Origin, container: &Container) -> Result<(File, u32), Error> {
    let mut file = tempfile::tempfile().map_err(kept)?;
    let mut out = BufWriter::new(&mut file);
    let mut first = 1;
    match container {
        Container::Lines => {
            let (plain, _) = unpack::unpacked(origin)?.open()?;
            io::copy(&mut Positioned::new(&plain), &mut out).map_err(kept)?;
        }
        Container::Document(document) => {
            let (plain, _) = unpack::unpacked(origin)?.open()?;
            first = document::render(origin.path(), &|| Box::new(from_start(&plain)), document, &mut out)?;
        }
        Container::Files(files) => {
            let gathered = files::gathered(origin, files)?;
            first = document::render(origin.path(), &|| Box::new(from_start(&gathered)), &files.document, &mut out)?;
        }
        Container::Spliced(spliced) => {
            let whole = splice::spliced(origin, spliced)?;
            first = document::render(origin.path(), &|| Box::new(from_start(&whole)), &spliced.document, &mut out)?;
        }
        Container::Database(database) => database::render(origin, database, &mut out)?,
    }
    out.flush().map_err(kept)?;
    drop(out);
    Ok((file, first))
}

/// A buffered reader of a file from its first byte, whatever its position.
pub(super) fn from_start(file: &Arc<File>) -> BufReader<Positioned> {
    BufReader::with_capacity(1 << 16, Positioned::new(file))
}

/// Reads a file without moving its position, which others may rely on.
pub(super) struct Positioned {
    file: Arc<File>,
    at: u64,
}

impl Positioned {
    fn new(file: &Arc<File>) -> Self {
        Self { file: Arc::clone(file), at: 0 }
    }
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_at(&self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

fn length(file: &File) -> io::Result<u64> {
    file.metadata().map(|metadata| metadata.len())
}

/// Whether both files hold the same first bytes.
fn begins_alike(one: &File, other: &File, mut left: u64) -> io::Result<bool> {
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut at = 0;
    while left > 0 {
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(a.len());
        let (Some(a), Some(b)) = (a.get_mut(..count), b.get_mut(..count)) else { return Ok(false) };
        if read_at(one, a, at)? != count || read_at(other, b, at)? != count || a != b {
            return Ok(false);
        }
        (at, left) = (at + count as u64, left - count as u64);
    }
    Ok(true)
}

/// Our own temporary file cannot be written.
pub(super) fn kept(error: io::Error) -> Error {
    Error::Spool(error)
}
