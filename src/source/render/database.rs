//! SQLite databases of agents at work: looked at, never written to.

mod opened;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::value::RawValue;

pub use self::opened::BESIDE;
use self::opened::Opened;
pub(super) use self::opened::beside;
use crate::base::time::Stamp;
use crate::source::error::Error;
use crate::source::file::Origin;
use crate::source::render::{compact, kept};
use crate::transcript::Database;

/// How the file begins.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

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
    listed(&Opened::of(path)?, database)
}

/// The session that is meant where none is named: the newest.
///
/// # Errors
/// The database cannot be read, or has no session.
pub(super) fn newest(path: &Path, database: &Database) -> Result<Origin, Error> {
    let newest = sessions(path, database)?.into_iter().next();
    let none = || Error::malformed(path, "the database has no session that another one did not start".to_owned());
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
        let known: Vec<String> = listed(&opened, database)?.into_iter().map(|listed| listed.id).take(5).collect();
        return Err(Error::malformed(path, format!("the database has no session {id}; its newest are {}", known.join(", "))));
    }
    Ok(())
}

fn listed(opened: &Opened, database: &Database) -> Result<Vec<Listed>, Error> {
    let listed = opened.all(database.sessions, &[], &mut |row| {
        let text = |column| row.get_ref(column).ok().and_then(text).filter(|text| !text.is_empty());
        let updated = row.get_ref("updated").ok().and_then(|value| value.as_i64().ok());
        let id = text("id").unwrap_or_default();
        Ok(Listed { id, title: text("title"), directory: text("directory").map(PathBuf::from), updated: updated.map(Stamp) })
    })?;
    Ok(listed.into_iter().filter(|listed| !listed.id.is_empty()).collect())
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

/// A value as text: an agent may have put anything anywhere.
fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}
