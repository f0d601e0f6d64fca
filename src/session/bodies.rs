//! Bodies of events, read again from where they stand.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::formats::Format;
use crate::formats::adapter::Opening;
use crate::ledger::rows::EventRow;
use crate::source;
use crate::source::Origin;
use crate::source::file::read_at;
use crate::source::lines::hash;
use crate::transcript::{Diagnostic, Event, Fact, Mark, Payload, Place, Record, Sink};

/// Reads the bodies of a session's events. Clones read the same session.
#[derive(Clone)]
pub struct Bodies(Arc<Mutex<Files>>);

/// An event as it stands in its file.
#[derive(Clone, Debug)]
pub struct Body {
    /// The whole record, what is no UTF-8 replaced.
    pub raw: String,
    /// What the event says.
    pub payload: Payload<'static>,
}

/// Why a body cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// Its file cannot be read any more.
    #[error(transparent)]
    Source(#[from] source::Error),
    /// Other bytes stand in its place now.
    #[error("{}: line {line} is not what it was when it was read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: u32,
    },
    /// The row is of no file of the session.
    #[error("the session has no such file")]
    NoSuchFile,
}

/// The session's files, as its writer opens them.
#[derive(Clone, Default)]
pub(super) struct Shelf(Arc<Mutex<Files>>);

#[derive(Default)]
struct Files {
    format: Option<&'static Format>,
    files: Vec<(Origin, Opening)>,
}

impl Shelf {
    pub(super) fn clear(&self, format: &'static Format) {
        *lock(&self.0) = Files { format: Some(format), files: Vec::new() };
    }

    pub(super) fn add(&self, origin: Origin, opening: Opening) {
        lock(&self.0).files.push((origin, opening));
    }

    pub(super) fn bodies(&self) -> Bodies {
        Bodies(Arc::clone(&self.0))
    }
}

impl Bodies {
    /// Reads one event's record again, at its place, and translates it.
    ///
    /// # Errors
    /// The file is gone or cannot be read, or the record does not stand there any more.
    pub fn read(&self, row: &EventRow) -> Result<Body, BodyError> {
        let (bytes, payload) = self.again(row)?;
        Ok(Body { raw: String::from_utf8_lossy(&bytes).into_owned(), payload })
    }

    /// The same without the record: for whoever wants to know only what the event says.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub fn payload(&self, row: &EventRow) -> Result<Payload<'static>, BodyError> {
        Ok(self.again(row)?.1)
    }

    fn again(&self, row: &EventRow) -> Result<(Vec<u8>, Payload<'static>), BodyError> {
        let place = row.place;
        let (format, origin, opening) = self.file(place).ok_or(BodyError::NoSuchFile)?;
        let bytes = unchanged(&origin, place)?;
        let mut wanted = Nth { place, payload: None };
        (format.open)(&opening).record(Record { bytes: &bytes, place: Place { nth: 0, ..place } }, &mut wanted);
        let payload = match wanted.payload {
            Some(payload) => payload,
            // It stands in no record, and has no body.
            None if place.nth == Place::ASIDE => Payload::Mark(Mark::Counted),
            None => return Err(changed(&origin, place)),
        };
        Ok((bytes, payload))
    }

    /// Reads one event's record again, at its place.
    ///
    /// # Errors
    /// The file is gone or cannot be read, or the record does not stand there any more.
    pub fn record(&self, row: &EventRow) -> Result<Vec<u8>, BodyError> {
        let (_, origin, _) = self.file(row.place).ok_or(BodyError::NoSuchFile)?;
        unchanged(&origin, row.place)
    }

    fn file(&self, place: Place) -> Option<(&'static Format, Origin, Opening)> {
        let files = lock(&self.0);
        let (origin, opening) = files.files.get(place.file.index())?;
        Some((files.format?, origin.clone(), opening.clone()))
    }
}

/// The record at a place, if it is the one that was read there.
fn unchanged(origin: &Origin, place: Place) -> Result<Vec<u8>, BodyError> {
    let bytes = record_at(origin, place)?;
    if hash(&bytes) == place.hash { Ok(bytes) } else { Err(changed(origin, place)) }
}

fn changed(origin: &Origin, place: Place) -> BodyError {
    BodyError::Changed { path: origin.path().to_path_buf(), line: place.line }
}

/// The bytes at a place of a file, as far as the file goes.
pub(super) fn record_at(origin: &Origin, place: Place) -> Result<Vec<u8>, source::Error> {
    let (file, stat) = origin.open()?;
    // A file that was cut off meanwhile must not make room for what it held.
    let there = stat.size.saturating_sub(place.bytes.start).min(u64::from(place.bytes.len));
    let mut bytes = vec![0; usize::try_from(there).unwrap_or(0)];
    let count =
        read_at(&file, &mut bytes, place.bytes.start).map_err(|error: io::Error| source::Error::of(origin.path(), error))?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Keeps the one event of a record that was asked for.
struct Nth {
    place: Place,
    payload: Option<Payload<'static>>,
}

impl Sink for Nth {
    fn event(&mut self, event: Event<'_>) {
        if event.place == self.place {
            self.payload = Some(event.payload.into_owned());
        }
    }

    fn fact(&mut self, _: Fact<'_>) {}

    fn diagnostic(&mut self, _: Diagnostic) {}
}

fn lock(files: &Mutex<Files>) -> MutexGuard<'_, Files> {
    // Whoever panicked while it held the lock left a list that is still one.
    files.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{append, call, done, note, options};
    use crate::session::{Feed, Session};
    use crate::source::lines::hash;
    use std::fs;

    #[test]
    fn a_body_is_read_again_from_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        append(&path, [note("say \\u00e9"), call("c") + &done("c")].join("\n"));
        let feed = Feed::whole(&path, &options()).unwrap();
        let rows: Vec<_> = feed.latest().lanes[0].events.iter().cloned().collect();
        let bodies: Vec<_> = rows.iter().map(|row| feed.bodies().read(row).unwrap()).collect();
        assert!(matches!(&bodies[0].payload, Payload::User { text, .. } if text == "say é"), "{:?}", bodies[0]);
        assert!(matches!(&bodies[1].payload, Payload::Call(call) if call.id == "c"), "{:?}", bodies[1]);
        assert!(matches!(&bodies[2].payload, Payload::Resolution(end) if end.call == "c"), "{:?}", bodies[2]);
        assert_eq!(bodies.iter().map(|b| b.raw.as_str()).collect::<Vec<_>>(), [note("say \\u00e9"), call("c"), done("c")]);
    }

    #[test]
    fn a_body_that_is_not_there_any_more_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        append(&path, [note("one"), note("two")].join("\n"));
        let feed = Feed::whole(&path, &options()).unwrap();
        let row = feed.latest().lanes[0].events.get(1).cloned().unwrap();
        for text in [[note("one"), note("owt")].join("\n"), note("one"), String::new()] {
            fs::write(&path, text).unwrap();
            assert!(matches!(feed.bodies().read(&row), Err(BodyError::Changed { line: 2, .. })));
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(feed.bodies().read(&row), Err(BodyError::Source(source::Error::NotFound { .. }))));
        let empty = Session::new(&path, options().rules);
        assert!(matches!(empty.bodies().read(&row), Err(BodyError::NoSuchFile)));
    }

    #[test]
    fn a_place_beyond_the_end_of_a_file_takes_no_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        append(&path, "{}\n");
        let bytes = crate::base::range::ByteRange { start: 1 << 60, len: u32::MAX };
        let place = Place { bytes, hash: hash(b""), ..Place::default() };
        assert_eq!(record_at(&Origin::Path(path), place).unwrap(), b"");
    }
}
