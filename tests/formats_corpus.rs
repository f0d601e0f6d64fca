//! Real recordings, where this machine has some (`OWED_CORPUS`: a folder with `claude/*.jsonl`, `codex/*.jsonl` and others).
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use owed::base::range::ByteRange;
use owed::formats::adapter::Opening;
use owed::formats::detect::{HEAD, detect};
use owed::formats::{Format, codex, registry};
use owed::transcript::{Diagnostic, Event, Fact, LaneKey, Payload, Place, Record, Sink};
use serde_json::Value;

#[expect(clippy::disallowed_methods, reason = "a test asks where the recordings are")]
fn corpus() -> Option<PathBuf> {
    std::env::var_os("OWED_CORPUS").map(PathBuf::from)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
    found.sort();
}

/// The recordings of one agent.
fn recordings(agent: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(corpus) = corpus() {
        files(&corpus.join(agent), &mut found);
    }
    found.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Files that lie with a format's recordings and are none.
const NO_ROLLOUTS: &[&str] = &["codex_history", "codex_api_design"];

/// Agents whose transcripts are lines.
const LINES: &[&str] = &["claude-code", "codex", "gemini-cli", "qwen-code", "pi", "copilot-cli", "claude-stream-json"];

#[test]
fn detection_accepts_rollouts_and_sessions_of_claude_code_and_nothing_else_as_such() {
    let Some(corpus) = corpus() else { return };
    let mut found = Vec::new();
    files(&corpus, &mut found);
    let mut wrong = Vec::new();
    for path in &found {
        let bytes = fs::read(path).unwrap();
        // As a reader would: the first bytes, and the first line whole.
        let first_line = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let head = bytes.get(..HEAD.max(first_line).min(bytes.len())).unwrap();
        let folder = path.strip_prefix(&corpus).unwrap().components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let rollout =
            path.extension().is_some_and(|ending| ending == "jsonl") && !NO_ROLLOUTS.iter().any(|part| name(path).contains(part));
        let lines = path.extension().is_some_and(|ending| ending == "jsonl");
        let expected = match folder.as_str() {
            "claude" if rollout => registry::by_name("claude-code").map(|format| format.agent.0),
            "codex" if rollout => Some("codex"),
            "handmade" if name(path).starts_with("codex-") => Some("codex"),
            "handmade" if name(path).starts_with("gemini-") => Some("gemini-cli"),
            "gemini" if lines => Some("gemini-cli"),
            "qwen" if lines => Some("qwen-code"),
            "pi" if lines => Some("pi"),
            "copilot" if lines => Some("copilot-cli"),
            "generic" if lines && path.parent().unwrap().ends_with("claude_stream_json") => Some("claude-stream-json"),
            _ => None,
        };
        let seen = detect(head);
        // What else it is, `generic_corpus` looks at.
        let own = seen.as_ref().ok().map(|format| format.agent.0).filter(|agent| LINES.contains(agent));
        if own != expected {
            wrong.push(format!(
                "{}: {}",
                path.display(),
                seen.map_or_else(|refusal| refusal.to_string(), |format| format.agent.0.to_owned())
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What an adapter made of a file, counted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    calls: usize,
    ends: usize,
    orphans: usize,
    /// Calls without an end, and how many ids they have.
    open: usize,
    open_ids: usize,
    boundaries: usize,
}

#[derive(Default)]
struct Counter {
    counts: Counts,
    waiting: BTreeMap<String, usize>,
    unrecognised: BTreeMap<String, usize>,
    outcomes: BTreeMap<String, usize>,
    events: usize,
}

impl Counter {
    fn call(&mut self, id: &str) {
        self.counts.calls += 1;
        *self.waiting.entry(id.to_owned()).or_default() += 1;
    }

    fn end(&mut self, id: &str) {
        self.counts.ends += 1;
        match self.waiting.get_mut(id).filter(|waiting| **waiting > 0) {
            Some(waiting) => *waiting -= 1,
            None => self.counts.orphans += 1,
        }
    }

    fn done(mut self) -> Self {
        self.counts.open = self.waiting.values().sum();
        self.counts.open_ids = self.waiting.values().filter(|waiting| **waiting > 0).count();
        self
    }
}

impl Sink for Counter {
    fn event(&mut self, event: Event<'_>) {
        self.events += 1;
        match event.payload {
            Payload::Call(call) => self.call(&call.id),
            Payload::Resolution(end) => {
                self.end(&end.call);
                let words = format!("{:?}", end.outcome);
                *self.outcomes.entry(words.split([' ', '{']).next().unwrap().to_owned()).or_default() += 1;
            }
            Payload::Boundary(_) => self.counts.boundaries += 1,
            Payload::Unrecognised { name, .. } => *self.unrecognised.entry(name.into_owned()).or_default() += 1,
            _ => {}
        }
    }
    fn fact(&mut self, _: Fact<'_>) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
}

fn main_lane() -> Opening {
    Opening { lane: LaneKey::Main, elsewhere: Vec::new() }
}

/// Gives a file's lines to an adapter; checks that each record yields the same kinds of events to a fresh one.
fn read(format: &Format, bytes: &[u8]) -> Counter {
    let (mut adapter, mut counter) = ((format.open)(&main_lane()), Counter::default());
    let mut start = 0;
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        let place = Place { line: number, bytes: ByteRange::new(start, line.len()), ..Place::default() };
        let before = counter.events;
        adapter.record(Record { bytes: line, place }, &mut counter);
        let mut alone = Counter::default();
        (format.open)(&main_lane()).record(Record { bytes: line, place }, &mut alone);
        assert!(counter.events - before <= alone.events, "line {number} yields more in its file than alone");
        start += line.len() as u64 + 1;
    }
    counter.done()
}

/// The same counts, from the JSON alone and without the adapter: what has a `call_id`, by the ending of its type.
fn independently(bytes: &[u8]) -> Counts {
    let mut counter = Counter::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
        let item = value.get("payload").unwrap_or(&value);
        let envelope = value.get("type").and_then(Value::as_str).filter(|_| value.get("payload").is_some());
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
        let id = item.get("call_id").and_then(Value::as_str);
        match envelope {
            Some("compacted") => counter.counts.boundaries += 1,
            Some("response_item") | None => match id {
                Some(id) if kind.ends_with("_output") => counter.end(id),
                Some(id) if kind.ends_with("_call") => counter.call(id),
                _ => {}
            },
            Some(_) => {}
        }
    }
    counter.done().counts
}

/// Types that no Codex ever wrote: inventions of other programs' tests.
const INVENTED: &[&str] = &["event_msg/tool_call", "future_record_type", "message/assistant", "message/function"];

#[test]
fn codex_is_read_whole_and_counted_alike_by_other_means() {
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for path in recordings("codex").into_iter().chain(recordings("handmade")) {
        let bytes = fs::read(&path).unwrap();
        if !detect(&bytes).is_ok_and(|format| format.agent == codex::FORMAT.agent) {
            continue;
        }
        let told = read(&codex::FORMAT, &bytes);
        assert_eq!(told.counts, independently(&bytes), "{}", path.display());
        assert!(
            told.unrecognised.keys().all(|name| INVENTED.contains(&name.as_str()) || name.ends_with("(no object)")),
            "{}: {:?}",
            path.display(),
            told.unrecognised
        );
        for (name, count) in told.outcomes {
            *outcomes.entry(name).or_default() += count;
        }
    }
    println!("{outcomes:?}");
}

#[test]
fn codex_calls_are_those_of_the_manifest() {
    let Some(corpus) = corpus() else { return };
    let manifest = fs::read_to_string(corpus.join("codex/MANIFEST.tsv")).unwrap();
    for row in manifest.lines().skip(1) {
        let mut columns = row.split('\t');
        let (file, features) = (columns.next().unwrap(), columns.next_back().unwrap());
        let feature =
            |name: &str| features.split(' ').find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok());
        if NO_ROLLOUTS.iter().any(|part| file.contains(part)) {
            continue;
        }
        let told = read(&codex::FORMAT, &fs::read(corpus.join("codex").join(file)).unwrap());
        let seen = (Some(told.counts.calls), Some(told.counts.open_ids), told.counts.boundaries);
        assert_eq!(seen, (feature("calls"), feature("unpaired"), feature("compacted").unwrap_or(0)), "{file}");
    }
}
