//! Each agent that writes as it goes, followed while somebody writes in its way: until its calls and their results are seen.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::bounded;
use owed::session::{Feed, Progress, Snapshot, read};

use crate::{options, report, sample};

/// Agents that append lines.
const APPEND: &[&str] = &["healthy", "codex", "gemini", "qwen", "pi", "copilot", "stream-json", "native"];

/// Agents that write a document anew, and the list that grows in it.
const REWRITE: &[(&str, &str)] = &[("cline", "messages"), ("roo", ""), ("amp", "messages")];

/// Into so many parts a session is written.
const PARTS: usize = 6;

/// What there is to see: all but that the last line is unfinished, for which only who follows waits.
fn seen(snapshot: &Snapshot) -> String {
    report(snapshot).lines().filter(|line| !line.starts_with("unrecognised")).collect::<Vec<_>>().join("\n")
}

/// Follows `path` while `write` writes one part after the other; each is seen before the next is written.
fn follow(path: &Path, write: &mut dyn FnMut(usize)) {
    write(1);
    let (send, woken) = bounded(1);
    let feed = Feed::open(path, &options(), Arc::new(move || _ = send.try_send(()))).unwrap();
    for part in 1..=PARTS {
        if part > 1 {
            write(part);
        }
        let fresh = seen(&read(path, &options()).unwrap());
        loop {
            let latest = feed.latest();
            if latest.progress == Progress::Complete && seen(&latest) == fresh {
                break;
            }
            let has_news = woken.recv_timeout(Duration::from_secs(120)).is_ok();
            assert!(has_news, "{}: part {part} is not seen: {:?}", path.display(), feed.following());
        }
    }
    let ended = |snapshot: &Snapshot| snapshot.lanes.iter().flat_map(|lane| lane.calls.iter()).any(|call| call.ended().is_some());
    assert!(ended(&feed.latest()), "{}: no call with its result", path.display());
}

#[test]
fn lines_are_followed_as_they_are_appended() {
    let folder = tempfile::tempdir().unwrap();
    for name in APPEND {
        let whole = fs::read(sample(name, "jsonl")).unwrap();
        let path = folder.path().join(format!("{name}.jsonl"));
        let mut file = fs::File::create(&path).unwrap();
        let mut at = 0;
        follow(&path, &mut |part| {
            // Cut anywhere, but for the first record.
            let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            let to = (whole.len() * part / PARTS).max(first);
            file.write_all(&whole[at..to]).unwrap();
            at = to;
        });
    }
}

#[test]
fn documents_are_followed_as_they_are_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    for (name, list) in REWRITE {
        let whole: serde_json::Value = serde_json::from_slice(&fs::read(sample(name, "json")).unwrap()).unwrap();
        let path = folder.path().join(format!("{name}.json"));
        follow(&path, &mut |part| {
            let mut document = whole.clone();
            let elements = if list.is_empty() { &mut document } else { &mut document[*list] }.as_array_mut().unwrap();
            elements.truncate((elements.len() * part / PARTS).max(1));
            let new = folder.path().join("new");
            fs::write(&new, document.to_string()).unwrap();
            fs::rename(&new, &path).unwrap();
        });
    }
}

/// A session of older versions of Goose.
const GOOSE: &[&str] = &[
    r#"{"working_dir":"/home/mira/harbour","description":"Read the board","message_count":3}"#,
    r#"{"role":"user","created":1777971600,"content":[{"type":"text","text":"Who reads data/ferries.csv?"}]}"#,
    r#"{"role":"assistant","created":1777971601,"content":[{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"developer__shell","arguments":{"command":"rg ferries.csv"}}}}]}"#,
    r#"{"role":"user","created":1777971602,"content":[{"type":"toolResponse","id":"c1","toolResult":{"status":"success","value":[{"type":"text","text":"board.py:4"}]}}]}"#,
    r#"{"role":"assistant","created":1777971603,"content":[{"type":"text","text":"Only board.py does."}]}"#,
    r#"{"role":"user","created":1777971604,"content":[{"type":"text","text":"Then change its format."}]}"#,
];

#[test]
fn older_sessions_of_goose_are_followed_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("20260505_090000.jsonl");
    let mut file = fs::File::create(&path).unwrap();
    follow(&path, &mut |part| writeln!(file, "{}", GOOSE[part - 1]).unwrap());
}

/// Writes a file that others may read at any time, with its folders.
fn put(path: &Path, json: &serde_json::Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, json.to_string()).unwrap();
}

/// A conversation of OpenHands, an event a file.
const OPENHANDS: &[&str] = &[
    r#"{"id":"e0","kind":"MessageEvent","source":"user","timestamp":"2026-05-05T09:00:00","llm_message":{"role":"user","content":[{"type":"text","text":"Show the departures in local time."}]}}"#,
    r#"{"id":"e1","kind":"ActionEvent","source":"agent","timestamp":"2026-05-05T09:00:02","llm_response_id":"r1","tool_name":"terminal","tool_call_id":"c1","tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"cat board.py\"}"},"action":{"kind":"TerminalAction","command":"cat board.py"}}"#,
    r#"{"id":"e2","kind":"ObservationEvent","source":"environment","timestamp":"2026-05-05T09:00:03","tool_name":"terminal","tool_call_id":"c1","action_id":"e1","observation":{"kind":"TerminalObservation","content":[{"type":"text","text":"def board(rows):"}],"exit_code":0}}"#,
    r#"{"id":"e3","kind":"MessageEvent","source":"agent","timestamp":"2026-05-05T09:00:05","llm_message":{"role":"assistant","content":[{"type":"text","text":"The board yields UTC."}]}}"#,
    r#"{"id":"e4","kind":"MessageEvent","source":"user","timestamp":"2026-05-05T09:00:07","llm_message":{"role":"user","content":[{"type":"text","text":"Do not change the file format."}]}}"#,
];

#[test]
fn conversations_of_openhands_are_followed_event_by_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base_state.json");
    let state = serde_json::json!({ "id": "s1", "execution_status": "running", "persistence_dir": "/w" });
    follow(&path, &mut |part| match part.checked_sub(2) {
        None => put(&path, &state),
        Some(n) => {
            let event = folder.path().join(format!("events/event-{n:05}-e{n}.json"));
            put(&event, &serde_json::from_str(OPENHANDS[n]).unwrap());
        }
    });
}

#[test]
fn the_files_of_opencode_are_followed_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let database = rusqlite::Connection::open_in_memory().unwrap();
    database.execute_batch(&fs::read_to_string(sample("opencode", "sql")).unwrap()).unwrap();
    let (session, root) = ("ses_01harbour", folder.path().join("storage"));
    let query =
        "select 'message/' || session_id || '/' || id, id, session_id, data, time_created from message where session_id = ?1
        union all select 'part/' || message_id || '/' || id, id, session_id, data, time_created from part where session_id = ?1
        order by 5, 1";
    let mut rows = database.prepare(query).unwrap();
    let rows = rows.query_map([session], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    let files: Vec<(PathBuf, serde_json::Value)> = rows
        .map(|row| {
            let (place, id, session, data): (String, String, String, String) = row.unwrap();
            let mut json: serde_json::Value = serde_json::from_str(&data).unwrap();
            (json["id"], json["sessionID"]) = (id.into(), session.into());
            (root.join(format!("{place}.json")), json)
        })
        .collect();
    let path = root.join(format!("session/harbour/{session}.json"));
    let info = serde_json::json!({
        "id": session, "projectID": "harbour", "directory": "/home/mira/harbour", "title": "Departures",
        "version": "0.9.1", "time": { "created": 1, "updated": 2 }
    });
    let mut at = 0;
    follow(&path, &mut |part| {
        if part == 1 {
            put(&path, &info);
        }
        let to = files.len() * part / PARTS;
        files[at..to].iter().for_each(|(path, json)| put(path, json));
        at = to;
    });
}

#[test]
fn databases_are_followed_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["opencode", "goose", "crush"] {
        let text = fs::read_to_string(sample(name, "sql")).unwrap();
        let (rows, schema): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("insert"));
        let path: PathBuf = folder.path().join(format!("{name}.db"));
        let writer = rusqlite::Connection::open(&path).unwrap();
        writer.execute_batch(&format!("pragma journal_mode = wal; {}", schema.join("\n"))).unwrap();
        let mut at = 0;
        follow(&path, &mut |part| {
            let to = rows.len() * part / PARTS;
            rows[at..to].iter().for_each(|row| writer.execute_batch(row).unwrap());
            at = to;
        });
    }
}
