//! Databases that are read while they are written, left behind by a crash, or wrong.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use rusqlite::Connection;

use super::opened::{undoes, with};
use super::*;
use crate::source::render::{Change, Rendering, from_start};
use crate::transcript::Container;

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
    assert_eq!(text(&Rendering::new(&Origin::Path(path.clone()), &DATABASE).unwrap()), "{\"session\":\"New\"}\n{\"data\":{}}\n");
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
fn a_transaction_that_is_half_done_is_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (path, left) = (folder.path().join("a.db"), folder.path().join("left/a.db"));
    drop(make(&path));
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("pragma journal_mode = delete; pragma cache_size = 1; begin").unwrap();
    // So much that it is written before it is done.
    let many = "with recursive n(x) as (select 1 union all select x + 1 from n limit 3000)
        insert into message (session_id, data) select 'old', '\"' || hex(zeroblob(200)) || '\"' from n; delete from session;";
    writer.execute_batch(many).unwrap();
    assert!(undoes(&with(&path, "-journal")) && fs::metadata(&path).unwrap().len() > 500_000);
    fs::create_dir(left.parent().unwrap()).unwrap();
    for suffix in ["", "-journal"] {
        fs::copy(with(&path, suffix), with(&left, suffix)).unwrap();
    }
    for path in [&path, &left] {
        let before = names(path.parent().unwrap());
        let mut old = Rendering::new(&Origin::Part(path.clone(), "old".to_owned()), &DATABASE).unwrap();
        assert_eq!(text(&old).lines().count(), 3);
        assert_eq!((old.refresh().unwrap(), names(path.parent().unwrap())), (Change::None, before));
    }
    writer.execute_batch("commit").unwrap();
    let part = Origin::Part(path.clone(), "old".to_owned());
    assert_eq!(text(&Rendering::new(&part, &DATABASE).unwrap()).lines().count(), 3_002);
}

#[test]
fn a_row_is_listed_whatever_stands_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writer = make(&path);
    writer.execute_batch("insert into session values (7, x'ff', 'soon'), (null, 'No id', 3), ('real', '', 1e300)").unwrap();
    let listed = sessions(&path, database()).unwrap();
    let seen: Vec<_> = listed.iter().map(|l| (l.id.as_str(), l.title.as_deref(), l.updated.map(|at| at.0))).collect();
    let ends = [("new", Some("New"), Some(2)), ("old", Some("Old"), Some(1))];
    assert_eq!(seen, [&[("7", None, None), ("real", None, None)], ends.as_slice()].concat());
}

#[test]
fn a_log_is_looked_into_as_long_as_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writer = make(&path);
    let mut old = Rendering::new(&Origin::Part(path.clone(), "old".to_owned()), &DATABASE).unwrap();
    let pauses: Vec<u128> = (0..12)
        .map(|_| {
            assert_eq!(old.refresh().unwrap(), Change::None);
            old.pause().unwrap().as_millis()
        })
        .collect();
    assert_eq!(pauses, [20, 40, 80, 160, 320, 640, 1280, 2560, 2560, 2560, 2560, 2560]);
    drop(writer);
    old.refresh().unwrap();
    assert_eq!(old.pause(), None, "nobody writes");
}

#[test]
fn what_is_wrong_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(make(&path));
    let told = |path: &Path, id: &str| {
        Rendering::new(&Origin::Part(path.to_path_buf(), id.to_owned()), &DATABASE).unwrap_err().to_string()
    };
    assert!(told(&path, "none").ends_with("the database has no session none; its newest are new, old"), "{}", told(&path, "none"));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(told(&path, "old").contains("the database cannot be read"), "{}", told(&path, "old"));
    fs::write(&path, "no database, but text that is long enough to be looked at").unwrap();
    assert!(told(&path, "old").contains("not a database"), "{}", told(&path, "old"));
}
