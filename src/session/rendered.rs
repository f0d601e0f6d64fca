//! Laws of what is rendered: followed while it is written anew, it is what a fresh reading of it is.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;

use crate::session::opening::origin_of;
use crate::session::reader::Reader;
use crate::session::testing::{Screen, digest, options};
use crate::session::{Progress, Session, read};

/// What is done to a session between two looks at it.
#[derive(Clone, Debug)]
enum Change {
    Say(String),
    Call(u8),
    End(u8),
    /// A message becomes another one, as long as there are any.
    Amend(prop::sample::Index),
    /// The last messages go.
    Cut,
    Title(String),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => "[a-c ]{1,9}".prop_map(Change::Say),
        4 => (0..3_u8).prop_map(Change::Call),
        4 => (0..3_u8).prop_map(Change::End),
        1 => any::<prop::sample::Index>().prop_map(Change::Amend),
        1 => Just(Change::Cut),
        1 => "[a-c]{1,3}".prop_map(Change::Title),
    ]
}

/// A session so far: a title, and its messages as JSON of Amp.
#[derive(Default)]
struct Thread {
    title: String,
    messages: Vec<String>,
}

impl Thread {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Say(text) => self.messages.push(format!(r#"{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}"#)),
            Change::Call(n) => self.messages.push(format!(
                r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"cmd":"make"}}}}]}}"#
            )),
            Change::End(n) => self.messages.push(format!(
                r#"{{"role":"user","content":[{{"type":"tool_result","toolUseID":"t{n}","run":{{"status":"done","result":"ok"}}}}]}}"#
            )),
            Change::Amend(at) if !self.messages.is_empty() => {
                let at = at.index(self.messages.len());
                self.messages[at] = r#"{"role":"info","content":"amended"}"#.to_owned();
            }
            Change::Amend(_) => {}
            Change::Cut => self.messages.truncate(self.messages.len().saturating_sub(2)),
            Change::Title(title) => self.title.clone_from(title),
        }
    }

    fn document(&self) -> String {
        format!("{{\n \"id\": \"T-1\",\n \"title\": \"{}\",\n \"messages\": [{}]\n}}\n", self.title, self.messages.join(",\n"))
    }
}

/// Follows a session through its changes; after each it must be what a fresh reading is.
fn followed(path: &Path, changes: &[Change], write: &mut dyn FnMut(&Change)) -> Result<(), TestCaseError> {
    let mut session = Session::new(path, options().rules);
    let mut reader = Reader::new(origin_of(path).unwrap(), &options());
    for change in changes {
        write(change);
        _ = reader.catch_up(&mut session).unwrap();
        let live = digest(&session.snapshot(Progress::Complete));
        prop_assert_eq!(live, digest(&read(path, &options()).unwrap()), "after {:?}", change);
    }
    Ok(())
}

/// A database of Crush without messages, whose writer is at work.
fn database(path: &Path) -> Connection {
    let writer = Connection::open(path).unwrap();
    let schema = "pragma journal_mode = wal;
        create table sessions (id text, parent_session_id text, title text, updated_at integer);
        create table messages (id text, session_id text, role text, parts text, model text, created_at integer,
            finished_at integer, is_summary_message integer default 0);
        insert into sessions values ('s', null, 'T', 1);";
    writer.execute_batch(schema).unwrap();
    writer
}

fn insert(writer: &Connection, n: i64, role: &str, part: &str) {
    let values = (format!("m{n}"), role, format!("[{part}]"), n);
    let insert = "insert into messages (id, session_id, role, parts, created_at, finished_at) values (?1, 's', ?2, ?3, ?4, ?4)";
    writer.execute(insert, values).unwrap();
}

#[test]
fn a_document_and_a_database_are_followed_while_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("T-1.json");
    let mut thread = Thread::default();
    fs::write(&path, thread.document()).unwrap();
    let screen = Screen::open(&path);
    screen.until_events(0);
    for n in 1..4 {
        thread.apply(&Change::Say(format!("word {n}")));
        fs::write(folder.path().join("new"), thread.document()).unwrap();
        fs::rename(folder.path().join("new"), &path).unwrap();
        assert_eq!(screen.until_events(n).epoch, 0, "what continues is appended");
    }
    thread.apply(&Change::Cut);
    fs::write(&path, thread.document()).unwrap();
    assert!(screen.until_events(1).epoch > 0, "what does not begins again");

    let path = folder.path().join("crush.db");
    let writer = database(&path);
    let screen = Screen::open(&path);
    screen.until_events(0);
    for n in 1..4 {
        insert(&writer, n, "user", r#"{"type":"text","data":{"text":"word"}}"#);
        screen.until_events(usize::try_from(n).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_document_that_is_written_anew_is_what_a_fresh_reading_is(changes in prop::collection::vec(change(), 1..10)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("T-1.json");
        let mut thread = Thread::default();
        fs::write(&path, thread.document()).unwrap();
        followed(&path, &changes, &mut |change| {
            thread.apply(change);
            // As the agent does: beside it first, and then in its place.
            let new = folder.path().join("new");
            fs::write(&new, thread.document()).unwrap();
            fs::rename(&new, &path).unwrap();
        })?;
    }

    #[test]
    fn a_database_that_is_written_to_is_what_a_fresh_reading_is(changes in prop::collection::vec(change(), 1..10)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("crush.db");
        let writer = database(&path);
        let mut n = 0;
        let mut insert = |role: &str, part: String| {
            n += 1;
            insert(&writer, n, role, &part);
        };
        followed(&path, &changes, &mut |change| match change {
            Change::Say(text) => insert("user", format!(r#"{{"type":"text","data":{{"text":"{text}"}}}}"#)),
            Change::Call(n) => insert("assistant", format!(r#"{{"type":"tool_call","data":{{"id":"t{n}","name":"bash","input":"{{}}"}}}}"#)),
            Change::End(n) => insert("tool", format!(r#"{{"type":"tool_result","data":{{"tool_call_id":"t{n}","content":"ok"}}}}"#)),
            Change::Amend(at) => {
                let row = i64::try_from(at.index(8)).unwrap();
                writer.execute("update messages set parts = '[]' where rowid = ?1", [row]).unwrap();
            }
            Change::Cut => _ = writer.execute("delete from messages where rowid = (select max(rowid) from messages)", []).unwrap(),
            Change::Title(title) => _ = writer.execute("update sessions set title = ?1", [title]).unwrap(),
        })?;
    }
}
