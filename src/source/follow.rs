//! Reads what a file has grown by, and notices when it is not the same file any more.
//!
//! A file is the same if its identity is, it has not become shorter than what was read of it, and the first and the last bytes that
//! were read of it still stand in their places: that also catches one that was truncated and has grown past its old length.

use std::fs::File;
use std::sync::Arc;

use crate::base::ids::FileIx;
use crate::source::error::Error;
use crate::source::file::{Origin, Stat, read_at};
use crate::source::lines::{Each, Lines};

/// Bytes that are read at once: as many as stay in a processor's own memory while they are looked at, several times.
pub const BUFFER: usize = 1 << 18;

/// Bytes at either end of what was read that the file is recognised by.
const SAMPLE: usize = 256;

/// The reader of one file, however often it grows.
#[derive(Debug)]
pub struct Follower {
    origin: Origin,
    file: FileIx,
    /// The number of its first line.
    first: u32,
    lines: Lines,
    /// The file as it was when it was last opened.
    seen: Option<Stat>,
    /// Whether everything that was there then has been read.
    caught_up: bool,
    /// Held open while there is more to read.
    open: Option<Arc<File>>,
    /// The file's first bytes.
    head: Vec<u8>,
    /// The last bytes that were read.
    tail: Vec<u8>,
}

/// What one step of reading came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The file has not changed.
    Idle,
    /// One buffer was read, and there is more.
    More,
    /// Everything that is there has been read.
    CaughtUp,
    /// It is not the same file any more: nothing that was read of it holds. The follower stands at its beginning again.
    Reset(Why),
}

/// Why a file is not the one that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another file lies at its path.
    Replaced,
    /// It is shorter than what was read of it.
    Truncated,
    /// Other bytes stand where it was read.
    Rewritten,
}

impl Follower {
    /// A reader that stands at the beginning of the file at `origin`.
    #[must_use]
    pub fn new(origin: Origin, file: FileIx) -> Self {
        Self::numbered(origin, file, 1)
    }

    /// The same, where the first line is the one of this number.
    #[must_use]
    pub fn numbered(origin: Origin, file: FileIx, first: u32) -> Self {
        Self {
            origin,
            file,
            first,
            lines: Lines::numbered(file, first),
            seen: None,
            caught_up: false,
            open: None,
            head: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Where the bytes come from.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The line that is unfinished, if anything of it is held back.
    #[must_use]
    pub fn unfinished(&self) -> Option<u32> {
        self.lines.unfinished()
    }

    /// Bytes read so far.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// The file's length in bytes, as it was when it was last opened; at least what was read of it.
    #[must_use]
    pub fn size(&self) -> u64 {
        let size = match self.seen {
            Some(seen) => seen.size,
            None => self.origin.stat().map_or(0, |now| now.size),
        };
        size.max(self.offset())
    }

    /// Reads at most one buffer of what is new, and hands out the records in it. An unchanged file is not opened.
    ///
    /// # Errors
    /// The file is gone, or may not be read. The follower keeps its place, and may be asked again.
    pub fn step(&mut self, buffer: &mut Vec<u8>, each: &mut Each<'_>) -> Result<Step, Error> {
        let file = match self.open.take() {
            Some(file) => file,
            None if self.is_unchanged() => return Ok(Step::Idle),
            None => {
                let (file, now) = self.origin.open()?;
                if let Some(why) = self.differs(&file, now)? {
                    self.rewind();
                    return Ok(Step::Reset(why));
                }
                (self.seen, self.caught_up) = (Some(now), false);
                file
            }
        };
        buffer.resize(BUFFER, 0);
        let count = read_at(&file, buffer, self.offset()).map_err(|e| self.io(e))?;
        let bytes = buffer.get(..count).unwrap_or_default();
        self.remember(bytes);
        self.lines.feed(bytes, each);
        if count == BUFFER {
            self.open = Some(file);
            return Ok(Step::More);
        }
        self.lines.settle(each);
        self.caught_up = true;
        Ok(Step::CaughtUp)
    }

    /// Forgets everything: the next step begins at the file's first byte.
    pub fn rewind(&mut self) {
        *self = Self::numbered(self.origin.clone(), self.file, self.first);
    }

    /// Whether the file is as it was when everything was read. Once it was not, or was not there, it is opened and looked at.
    fn is_unchanged(&mut self) -> bool {
        self.caught_up &= self.origin.stat().is_ok_and(|now| Some(now) == self.seen);
        self.caught_up
    }

    /// Whether the file is another one than what was read of it.
    fn differs(&self, file: &File, now: Stat) -> Result<Option<Why>, Error> {
        let Some(seen) = self.seen else { return Ok(None) };
        if now.identity != seen.identity {
            return Ok(Some(Why::Replaced));
        }
        if now.size < self.offset() {
            return Ok(Some(Why::Truncated));
        }
        for (sample, offset) in [(&self.head, 0), (&self.tail, self.offset() - self.tail.len() as u64)] {
            let mut there = [0; SAMPLE];
            let there = there.get_mut(..sample.len()).unwrap_or_default();
            let count = read_at(file, there, offset).map_err(|e| self.io(e))?;
            if there.get(..count) != Some(sample) {
                return Ok(Some(Why::Rewritten));
            }
        }
        Ok(None)
    }

    /// Keeps the bytes that the file is recognised by.
    fn remember(&mut self, bytes: &[u8]) {
        let wanted = (SAMPLE - self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..wanted).unwrap_or_default());
        self.tail.extend_from_slice(bytes.get(bytes.len().saturating_sub(SAMPLE)..).unwrap_or_default());
        self.tail.drain(..self.tail.len().saturating_sub(SAMPLE));
    }

    fn io(&self, error: std::io::Error) -> Error {
        Error::of(self.origin.path(), error)
    }
}
