//! A database that is open for as long as it takes to read from it, and how it is opened.
//!
//! Without a `-wal` beside it nobody is writing, and the file is opened as one that does not change. With one, a copy of both is read:
//! SQLite makes a `-wal` and a `-shm` where it finds none, and a writer may take them away at any moment. Only a database that is too
//! large to be copied at every change is opened read-only while both are there, for one short transaction. A copy is also read where a
//! `-journal` says what to undo: a transaction that is half done, or that a crash left so.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row};

use crate::source::error::Error;
use crate::source::file::Origin;
use crate::source::render::kept;

/// How long a writer is waited for.
const PATIENCE: Duration = Duration::from_millis(250);

/// What the names of a database's log and of its journal end with.
pub const BESIDE: [&str; 2] = ["-wal", "-journal"];

/// The longest database that is copied at every change, in bytes.
const SMALL: u64 = 64 << 20;

/// How often a copy is made anew because the database was written to meanwhile.
const COPIES: usize = 3;

/// A database that is open for as long as it takes to read from it.
pub(super) struct Opened {
    path: PathBuf,
    connection: Connection,
    /// Holds the copy that is read.
    _copy: Option<tempfile::TempDir>,
}

impl Opened {
    pub(super) fn of(path: &Path) -> Result<Self, Error> {
        // What is no file, or may not be read, is told like that of any other file.
        let (_, stat) = Origin::Path(path.to_path_buf()).open()?;
        let written = |suffix: &str| fs::metadata(with(path, suffix)).is_ok_and(|metadata| metadata.len() > 0);
        let told = |error: rusqlite::Error| Error::malformed(path, format!("the database cannot be read: {error}"));
        if undoes(&with(path, "-journal")) {
            return Self::copied(path);
        }
        match (written("-wal"), stat.size > SMALL && with(path, "-shm").exists()) {
            (false, _) => Self::connected(path, path, "?immutable=1", None).map_err(told)?.whole(),
            (true, true) => match Self::connected(path, path, "?mode=ro", None) {
                Ok(opened) => Ok(opened),
                Err(_) => Self::copied(path),
            },
            (true, false) => Self::copied(path),
        }
    }

    /// The same, if its file ends where a page does. SQLite takes what is missing of the last one for zeros.
    fn whole(self) -> Result<Self, Error> {
        let length = Origin::Path(self.path.clone()).stat()?.size;
        let cut =
            self.all("pragma page_size", &[], &mut |row| row.get::<_, u32>(0))?.iter().any(|size| length % u64::from(*size) != 0);
        if cut {
            return Err(Error::malformed(
                &self.path,
                format!("the database cannot be read: it ends in the middle, after {length} bytes"),
            ));
        }
        Ok(self)
    }

    fn copied(path: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(kept)?;
        let copy = folder.path().join("copy.db");
        let origin = Origin::Path(path.to_path_buf());
        for _ in 0..COPIES {
            let before = origin.stat()?;
            // What a journal undoes is written into it before it is done.
            fs::copy(path, &copy).map_err(|error| Error::of(path, error))?;
            let beside = BESIDE.map(|suffix| copied_to(&with(path, suffix), &with(&copy, suffix)));
            beside.into_iter().collect::<io::Result<Vec<()>>>().map_err(|error| Error::of(path, error))?;
            if origin.stat()? == before {
                break;
            }
        }
        let told = |error: rusqlite::Error| Error::malformed(path, format!("a copy of the database cannot be read: {error}"));
        Self::connected(path, &copy, "", Some(folder)).map_err(told)
    }

    fn connected(path: &Path, real: &Path, how: &str, copy: Option<tempfile::TempDir>) -> Result<Self, rusqlite::Error> {
        let access = if copy.is_some() { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
        let address = format!("file:{}{how}", escaped(real));
        let connection =
            Connection::open_with_flags(address, access | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(PATIENCE)?;
        // Nothing that stands in the file may make anything happen.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update(None, "query_only", true)?;
        // The first look at the file: whether it is a database, and can be read in this way.
        connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
        Ok(Self { path: path.to_path_buf(), connection, _copy: copy })
    }

    /// Every row of a query: one statement, so that it is one transaction.
    pub(super) fn all<T>(
        &self,
        query: &str,
        with: &[&str],
        each: &mut dyn FnMut(&Row<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<Vec<T>, Error> {
        let mut read = || -> Result<Vec<T>, rusqlite::Error> {
            let mut statement = self.connection.prepare(query)?;
            statement.query_map(rusqlite::params_from_iter(with), |row| each(row))?.collect()
        };
        read().map_err(|error| Error::malformed(&self.path, format!("the database cannot be read: {error}")))
    }
}

/// The files beside a database whose changes are changes of it.
pub(in crate::source::render) fn beside(path: &Path) -> [PathBuf; 2] {
    BESIDE.map(|suffix| with(path, suffix))
}

pub(super) fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether a journal says what to undo: it is there, and its header was not wiped when the transaction ended.
pub(super) fn undoes(journal: &Path) -> bool {
    let mut first = [0];
    fs::File::open(journal).and_then(|mut file| file.read(&mut first)).is_ok_and(|count| count > 0) && first != [0]
}

/// Copies a file; nothing is left where there is none.
fn copied_to(from: &Path, to: &Path) -> io::Result<()> {
    match fs::copy(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::remove_file(to).or(Ok(())),
        copied => copied.map(|_| ()),
    }
}

/// A path in an address.
fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
