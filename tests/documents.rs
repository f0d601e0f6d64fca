//! Sessions that are not lines: a golden report of each sample, and of what is wrong with one that is broken.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "documents/broken.rs"]
mod broken;
#[path = "documents/followed.rs"]
mod followed;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use owed::compaction::Policies;
use owed::formats::registry::by_name;
use owed::ledger::Rulebook;
use owed::session::{Options, Snapshot, read};

/// The samples, by name and ending.
const SAMPLES: &[(&str, &str)] = &[
    ("opencode", "sql"),
    ("goose", "sql"),
    ("crush", "sql"),
    ("roo", "json"),
    ("cline", "json"),
    ("amp", "json"),
    ("anthropic", "json"),
    ("openai-chat", "json"),
    ("openai-responses", "json"),
    ("atif", "json"),
    ("inspect", "json"),
    ("swe-agent", "traj"),
    ("mini-swe-agent", "json"),
    ("openhands", "json"),
    ("langchain", "json"),
    ("autogen", "json"),
    ("managed-agents", "json"),
    ("langsmith", "json"),
    ("langfuse", "json"),
    ("otel", "json"),
];

fn sample(name: &str, ending: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(format!("{name}.{ending}"))
}

/// The sample as its agent would keep it: a database is made of its text.
fn laid_out(name: &str, ending: &str, folder: &Path) -> PathBuf {
    let source = sample(name, ending);
    if ending != "sql" {
        let path = folder.join(source.file_name().unwrap());
        fs::copy(&source, &path).unwrap();
        return path;
    }
    let path = folder.join(format!("{name}.db"));
    _ = fs::remove_file(&path);
    rusqlite::Connection::open(&path).unwrap().execute_batch(&fs::read_to_string(&source).unwrap()).unwrap();
    path
}

/// Loaded once: the catalogues take longer than a sample.
static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options::of(Arc::new(Rulebook::load(Default::default()).unwrap())));

fn options() -> Options {
    OPTIONS.clone()
}

/// What a session amounts to, for people.
fn report(snapshot: &Snapshot) -> String {
    let facts = &snapshot.facts;
    let mut page = format!("{} {:?} {:?}\n", facts.agent.0, facts.title, facts.directory);
    let mut line = |text: String| writeln!(page, "{text}").unwrap();
    line(format!("unrecognised {:?}, oddities {:?}", facts.unrecognised, facts.diagnostics));
    for lane in &snapshot.lanes {
        line(format!("lane {} of {:?}, model {:?}", lane.name, lane.parent, lane.model));
        for row in lane.events.iter() {
            let call = row.call.and_then(|call| lane.calls.get(call.index()));
            let call = call.map_or(String::new(), |call| {
                let end = call.ended().map(|end| format!("{:?} {:?}", end.how, end.effect));
                format!(" {} {} -> {}", call.id, call.tool, end.unwrap_or_else(|| "open".to_owned()))
            });
            line(format!("  {:>3} {:?}{call}", row.place.line, row.kind));
        }
        for boundary in lane.boundaries.iter() {
            line(format!("  boundary {} {} masked {}", boundary.kind.word(), boundary.trigger.word(), boundary.masked.len()));
        }
        for usage in lane.usage.iter() {
            line(format!("  charged {} in, {} out", usage.input, usage.output));
        }
        let live: Vec<String> = lane
            .end()
            .map(|at| lane.live_at(at))
            .unwrap_or_default()
            .iter()
            .map(|e| format!("{:?}: {}", e.kind, e.line_text))
            .collect();
        line(format!("  live {live:#?}"));
    }
    page
}

#[test]
fn every_sample_is_read_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (name, ending) in SAMPLES {
        let path = laid_out(name, ending, folder.path());
        let snapshot = read(&path, &options()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let format = by_name(name).unwrap_or_else(|| panic!("no format is called {name}"));
        assert_eq!(snapshot.facts.agent, format.agent, "{name}");
        assert!(snapshot.facts.unrecognised.is_empty(), "{name}: {:?}", snapshot.facts.unrecognised);
        assert!(Policies::load(&[]).unwrap().of_agent(format.agent.0).is_some(), "{name}");
        insta::assert_snapshot!(*name, report(&snapshot));
    }
}

#[test]
fn the_sub_agents_of_opencode_2_are_lanes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opencode.db");
    let schema = r#"create table session_v2 (id text, parent_id text, title text, directory text, time_updated integer);
        create table session_message (id text, session_id text, type text, seq integer, time_created integer, data text);
        insert into session_v2 values ('ses_1', null, 'Pier 4', '/w', 9), ('ses_2', 'ses_1', 'Look for it', '/w', 10);
        insert into session_message values
            ('m1', 'ses_1', 'user', 1, 100, '{"text":"When does the last ferry leave?"}'),
            ('m2', 'ses_1', 'assistant', 2, 200, '{"content":[{"type":"text","text":"I look."}],"time":{"created":200,"completed":210}}'),
            ('m3', 'ses_1', 'assistant', 3, 150, '{"content":[{"type":"text","text":"At 23:40."}],"time":{"created":400,"completed":410}}'),
            ('k1', 'ses_2', 'user', 1, 300, '{"text":"Find the timetable."}');"#;
    rusqlite::Connection::open(&path).unwrap().execute_batch(schema).unwrap();
    let snapshot = read(&path, &options()).unwrap();
    let lanes: Vec<_> = snapshot.lanes.iter().map(|lane| (&*lane.name, lane.parent.as_deref(), lane.events.len())).collect();
    assert_eq!((snapshot.facts.title.as_deref(), lanes), (Some("Pier 4"), vec![("main", None, 5), ("ses_2", Some("main"), 1)]));
    let mut rows: Vec<u32> = snapshot.lanes[0].events.iter().map(|row| row.place.line).collect();
    rows.dedup();
    assert_eq!(rows, [3, 4, 5], "in the order of their numbers, whatever their clock says");
}

#[test]
fn the_oldest_files_of_opencode_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("storage/session").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    };
    let info = write("info/ses_1.json", r#"{"id":"ses_1","title":"Pier 4","time":{"created":1,"updated":2}}"#);
    for (id, role) in [("msg_1", "user"), ("msg_2", "assistant")] {
        let message = format!(r#"{{"id":"{id}","role":"{role}","sessionID":"ses_1","time":{{"created":1,"completed":2}}}}"#);
        write(&format!("message/ses_1/{id}.json"), &message);
    }
    write("part/ses_1/msg_1/prt_1.json", r#"{"type":"text","text":"When does the last ferry leave?"}"#);
    write("part/ses_1/msg_2/prt_2.json", r#"{"type":"text","text":"At 23:40.","time":{"start":1,"end":2}}"#);
    write("message/ses_2/msg_3.json", r#"{"id":"msg_3","role":"user"}"#);
    let snapshot = read(&info, &options()).unwrap();
    let kinds: Vec<String> = snapshot.lanes[0].events.iter().map(|row| format!("{:?}", row.kind)).collect();
    assert_eq!(snapshot.facts.title.as_deref(), Some("Pier 4"));
    assert!(kinds.starts_with(&["Prompt".to_owned(), "Assistant".to_owned()]), "{kinds:?}");
}

#[test]
fn a_line_of_a_document_is_the_number_of_its_message() {
    let folder = tempfile::tempdir().unwrap();
    for (name, list) in [("cline", "messages"), ("roo", ""), ("amp", "messages"), ("anthropic", "messages"), ("atif", "steps")] {
        let path = laid_out(name, "json", folder.path());
        let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let messages = if list.is_empty() { &whole } else { &whole[list] }.as_array().unwrap();
        let snapshot = read(&path, &options()).unwrap();
        for row in snapshot.lanes[0].calls.iter() {
            let line = snapshot.lanes[0].events.get(row.event.index()).unwrap().place.line as usize;
            let message = messages[line - 1].to_string();
            // A call that has no id is named after its step.
            assert!(message.contains(&*row.id) || message.contains(&*row.tool), "{name}: {} at {line}", row.id);
        }
    }
}

#[test]
fn a_sample_is_the_same_however_it_is_packed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, ending) in SAMPLES.iter().filter(|(_, ending)| *ending != "sql") {
        let path = laid_out(name, ending, folder.path());
        let bytes = fs::read(&path).unwrap();
        let plain = report(&read(&path, &options()).unwrap());
        let packed = folder.path().join(format!("{name}.zst"));
        fs::write(&packed, zstd::encode_all(bytes.as_slice(), 1).unwrap()).unwrap();
        assert_eq!(report(&read(&packed, &options()).unwrap()), plain, "{name}");
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let compact = folder.path().join(format!("{name}.compact"));
        fs::write(&compact, value.to_string()).unwrap();
        assert_eq!(report(&read(&compact, &options()).unwrap()), plain, "{name}");
    }
}

#[test]
fn a_session_that_a_database_does_not_hold_is_told_with_those_that_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = laid_out("opencode", "sql", folder.path());
    let named = |id: &str| read(&PathBuf::from(format!("{}#{id}", path.display())), &options());
    assert_eq!(named("ses_01harbour").unwrap().facts.id.as_deref(), Some("ses_01harbour"));
    assert!(named("ses_none").map(|_| ()).unwrap_err().to_string().contains("its newest are ses_01harbour"));
}
