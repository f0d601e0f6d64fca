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
