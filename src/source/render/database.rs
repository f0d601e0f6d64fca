//! SQLite databases of agents at work: looked at, never written to.
//!
//! Without a `-wal` beside it nobody is writing, and the file is opened as one that does not change. With a `-wal` and a `-shm` it is
//! opened read-only, for one short transaction. With a `-wal` alone it was left behind by a crash: SQLite would have to make the other
//! file, so that a copy of both is read.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::value::RawValue;

use crate::base::time::Stamp;
use crate::source::error::Error;
use crate::source::file::Origin;
use crate::source::render::{compact, kept};
use crate::transcript::Database;

/// How the file begins.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// How long a writer is waited for.
const PATIENCE: Duration = Duration::from_millis(250);

/// A column whose alias ends with this holds JSON.
const JSON: &str = ":json";

/// A session of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// The working directory.
    pub directory: Option<PathBuf>,
    /// When it was last written.
    pub updated: Option<Stamp>,
}

/// The columns of all tables, as `table.column`: by these a format is known.
///
/// # Errors
/// It cannot be read, or is no database.
pub fn columns(path: &Path) -> Result<BTreeSet<String>, Error> {
    let opened = Opened::of(path)?;
    let query = "select m.name || '.' || c.name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'";
    opened.all(query, &[], &mut |row| row.get(0)).map(BTreeSet::from_iter)
}

/// The sessions of a database, newest first.
///
/// # Errors
/// It cannot be read, or is not of this version.
pub fn sessions(path: &Path, database: &Database) -> Result<Vec<Listed>, Error> {
    Opened::of(path)?.sessions(database)
}

/// The session that is meant where none is named: the newest.
///
/// # Errors
/// The database cannot be read, or has no session.
pub(super) fn newest(path: &Path, database: &Database) -> Result<Origin, Error> {
    let newest = sessions(path, database)?.into_iter().next();
    let none = || Error::malformed(path, "the database has no session".to_owned());
    newest.map(|newest| Origin::Part(path.to_path_buf(), newest.id)).ok_or_else(none)
}

/// Renders one session.
///
/// # Errors
/// The database cannot be read, or has no such session; the records cannot be kept.
pub(super) fn render(origin: &Origin, database: &Database, out: &mut dyn Write) -> Result<(), Error> {
    let Origin::Part(path, id) = origin else {
        return Err(Error::malformed(origin.path(), "a database can only be read where it lies".to_owned()));
    };
    let opened = Opened::of(path)?;
    let mut lines = 0;
    let mut failed = None;
    let mut each = |row: &Row<'_>| {
        lines += 1;
        failed = failed.take().or_else(|| record(row, out).err());
        Ok(())
    };
    opened.all(database.records, &[id], &mut each)?;
    if let Some(error) = failed {
        return Err(kept(error));
    }
    if lines == 0 {
        let known: Vec<String> = opened.sessions(database)?.into_iter().map(|listed| listed.id).take(5).collect();
        return Err(Error::malformed(path, format!("the database has no session {id}; its newest are {}", known.join(", "))));
    }
    Ok(())
}

/// The files beside a database whose changes are changes of it.
pub(super) fn beside(path: &Path) -> [PathBuf; 1] {
    [with(path, "-wal")]
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// One row as a record.
fn record(row: &Row<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut open = "{";
    for (n, name) in row.as_ref().column_names().enumerate() {
        let Ok(value) = row.get_ref(n) else { continue };
        if value == ValueRef::Null {
            continue;
        }
        let (key, is_json) = name.strip_suffix(JSON).map_or((name, false), |key| (key, true));
        write!(out, "{open}{}:", serde_json::Value::from(key))?;
        open = ",";
        let text = match value {
            ValueRef::Text(text) => String::from_utf8_lossy(text),
            ValueRef::Integer(number) => {
                write!(out, "{number}")?;
                continue;
            }
            ValueRef::Real(number) => {
                write!(out, "{}", serde_json::Value::from(number))?;
                continue;
            }
            ValueRef::Blob(bytes) if is_json => String::from_utf8_lossy(bytes),
            ValueRef::Blob(bytes) => Cow::Owned(format!("({} bytes)", bytes.len())),
            ValueRef::Null => Cow::Borrowed(""),
        };
        match serde_json::from_str::<&RawValue>(&text) {
            Ok(json) if is_json => compact::write(json.get(), out)?,
            _ => write!(out, "{}", serde_json::Value::from(text.as_ref()))?,
        }
    }
    writeln!(out, "{}}}", if open == "{" { "{" } else { "" })
}

/// A database that is open for as long as it takes to read from it.
struct Opened {
    path: PathBuf,
    connection: Connection,
    /// Holds the copy that is read.
    _copy: Option<tempfile::TempDir>,
}

impl Opened {
    fn of(path: &Path) -> Result<Self, Error> {
        // What is no file, or may not be read, is told like that of any other file.
        Origin::Path(path.to_path_buf()).open()?;
        let written = |suffix: &str| fs::metadata(with(path, suffix)).is_ok_and(|metadata| metadata.len() > 0);
        let told = |error: rusqlite::Error| Error::malformed(path, format!("the database cannot be read: {error}"));
        match (written("-wal"), with(path, "-shm").exists()) {
            (false, _) => Self::connected(path, path, "?immutable=1", None).map_err(told),
            (true, true) => match Self::connected(path, path, "?mode=ro", None) {
                Ok(opened) => Ok(opened),
                Err(_) => Self::copied(path),
            },
            (true, false) => Self::copied(path),
        }
    }

    fn copied(path: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(kept)?;
        let copy = folder.path().join("copy.db");
        fs::copy(path, &copy).map_err(|error| Error::of(path, error))?;
        fs::copy(with(path, "-wal"), with(&copy, "-wal")).map_err(|error| Error::of(path, error))?;
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

    fn sessions(&self, database: &Database) -> Result<Vec<Listed>, Error> {
        self.all(database.sessions, &[], &mut |row| {
            Ok(Listed {
                id: row.get("id")?,
                title: row.get::<_, Option<String>>("title")?.filter(|title| !title.is_empty()),
                directory: row.get::<_, Option<String>>("directory")?.filter(|folder| !folder.is_empty()).map(PathBuf::from),
                updated: row.get::<_, Option<i64>>("updated")?.map(Stamp),
            })
        })
    }

    /// Every row of a query: one statement, so that it is one transaction.
    fn all<T>(
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

/// A path in an address.
fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::render::{Change, Rendering, from_start};
    use crate::transcript::Container;
    use std::io::Read as _;

    const DATABASE: Container = Container::Database(Database {
        columns: &["session.id", "message.data"],
        sessions: "select id, title, null as directory, at as updated from session order by at desc",
        records: "select title as session, null as 'data:json' from session where id = ?1
                  union all select null, data from (select data from message where session_id = ?1 order by n)",
    });

    fn database() -> &'static Database {
        match &DATABASE {
            Container::Database(database) => database,
            _ => panic!("it is one"),
        }
    }

    fn make(path: &Path) -> Connection {
        let made = Connection::open(path).unwrap();
        let schema = "pragma journal_mode = wal;
            create table session (id text, title text, at integer);
            create table message (n integer primary key, session_id text, data text);
            insert into session values ('old', 'Old', 1), ('new', 'New', 2);
            insert into message (session_id, data) values ('old', '{ \"a\": 1 }'), ('old', '[torn'), ('new', '{}');";
        made.execute_batch(schema).unwrap();
        made
    }

    fn text(rendering: &Rendering) -> String {
        let mut text = String::new();
        from_start(&rendering.lines()).read_to_string(&mut text).unwrap();
        text
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_session_is_rendered_and_followed_whoever_has_the_database_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b#1.db");
        let writer = make(&path);
        let part = Origin::Part(path.clone(), "old".to_owned());
        let mut old = Rendering::new(&part, &DATABASE).unwrap();
        assert_eq!(text(&old), "{\"session\":\"Old\"}\n{\"data\":{\"a\":1}}\n{\"data\":\"[torn\"}\n");
        assert_eq!(
            text(&Rendering::new(&Origin::Path(path.clone()), &DATABASE).unwrap()),
            "{\"session\":\"New\"}\n{\"data\":{}}\n"
        );
        assert_eq!(old.refresh().unwrap(), Change::None);
        writer.execute("insert into message (session_id, data) values ('old', '{\"b\":2}')", []).unwrap();
        assert_eq!(old.refresh().unwrap(), Change::Grown);
        assert!(text(&old).ends_with("{\"b\":2}}\n"));
        writer.execute("update message set data = '{}' where n = 1", []).unwrap();
        assert_eq!(old.refresh().unwrap(), Change::Other);
        let before = names(folder.path());
        drop(Rendering::new(&part, &DATABASE).unwrap());
        assert_eq!(names(folder.path()), before, "nothing is written beside a database");
        drop(writer);
        assert_eq!(names(folder.path()).len(), 1, "the last writer tidied up");
        assert_eq!(text(&Rendering::new(&part, &DATABASE).unwrap()).lines().count(), 4);
        assert_eq!(names(folder.path()).len(), 1);
    }

    #[test]
    fn what_a_crash_left_behind_is_read_from_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let (path, left) = (folder.path().join("a.db"), folder.path().join("left/a.db"));
        let writer = make(&path);
        fs::create_dir(left.parent().unwrap()).unwrap();
        for suffix in ["", "-wal"] {
            fs::copy(with(&path, suffix), with(&left, suffix)).unwrap();
        }
        drop(writer);
        let listed = sessions(&left, database()).unwrap();
        assert_eq!(listed.iter().map(|listed| listed.id.as_str()).collect::<Vec<_>>(), ["new", "old"]);
        assert_eq!(names(left.parent().unwrap()).len(), 2);
        assert!(columns(&left).unwrap().contains("message.session_id"));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        drop(make(&path));
        let told = |path: &Path, id: &str| {
            Rendering::new(&Origin::Part(path.to_path_buf(), id.to_owned()), &DATABASE).unwrap_err().to_string()
        };
        assert!(
            told(&path, "none").ends_with("the database has no session none; its newest are new, old"),
            "{}",
            told(&path, "none")
        );
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(told(&path, "old").contains("the database cannot be read"), "{}", told(&path, "old"));
        fs::write(&path, "no database, but text that is long enough to be looked at").unwrap();
        assert!(told(&path, "old").contains("not a database"), "{}", told(&path, "old"));
    }
}
