//! The sessions of this machine as a list: what files tell for all of them, and what a look into one tells of it.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::ids::FileIx;
use crate::base::text::cut_end;
use crate::base::time::Stamp;
use crate::formats::adapter::Opening;
use crate::formats::detect;
use crate::formats::registry::{FORMATS, by_name};
use crate::session::error::Error;
use crate::session::opening::{Known, Options, Reading, origin_of, part_of, recognise};
use crate::source::file::{read_at, text_of};
use crate::source::render::database;
use crate::source::{self, Discovery, Found, Life, Lines, Origin, Rendering, Surroundings, discover};
use crate::transcript::{Agent, Container, Diagnostic, Event, Fact, LaneKey, Payload, Project, Record, Sink, Speaker};

/// Bytes that are looked at from the beginning: who, where, and what was asked first.
const BEGINNING: usize = 256 << 10;

/// Bytes that are looked at from the end: titles are given late, and again.
const END: usize = 64 << 10;

/// The longest file beside a session that is looked into, in bytes: it holds a few fields.
const LONGEST_BESIDE: u64 = 1 << 20;

/// Cells of a prompt that stand in for a title.
const TITLE: usize = 120;

/// What a look into a session tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// Whose it is, by what stands in it; none for a session without a record.
    pub agent: Option<Agent>,
    /// The working directory.
    pub directory: Option<PathBuf>,
    /// Its title; where it has none, how its first prompt begins.
    pub title: Option<String>,
    /// Its own id.
    pub id: Option<String>,
    /// When the last thing happened in it, as far as its last records say.
    pub last: Option<Stamp>,
}

/// The sessions of every known agent on this machine, live ones first, then the newest. No file is opened but databases, whose
/// sessions are listed one by one: `FILE#SESSION`.
#[must_use]
pub fn sessions(around: &Surroundings<'_>) -> Discovery {
    let mut discovery = discover(FORMATS.iter().flat_map(|format| format.whereabouts), around);
    let (databases, mut sessions): (Vec<_>, Vec<_>) = discovery.sessions.drain(..).partition(is_database);
    for found in databases {
        match listed(&found, around.now) {
            Ok(listed) => {
                // Files that a database took the place of are left beside it.
                let moved = |file: &Found| file.agent == found.agent && listed.iter().any(|row| is_session(&row.path, &file.path));
                sessions.retain(|file| !moved(file));
                sessions.extend(listed);
            }
            Err(error) => discovery.unreadable.push(error),
        }
    }
    discovery.sessions = sessions;
    discovery.sort();
    discovery
}

/// Whether the session of a database, `FILE#SESSION`, is the one that a file is named after.
fn is_session(row: &Path, file: &Path) -> bool {
    matches!(part_of(row), Some(Origin::Part(_, id)) if file.file_stem() == Some(OsStr::new(&id)))
}

fn is_database(found: &Found) -> bool {
    let has_databases =
        by_name(found.agent.0).is_some_and(|format| format.containers.iter().any(|c| matches!(c, Container::Database(_))));
    has_databases && found.path.extension().is_some_and(|ending| ending == "db")
}

/// The sessions of a database; none of one that no known agent keeps.
fn listed(found: &Found, now: Stamp) -> Result<Vec<Found>, source::Error> {
    let Ok((format, Container::Database(version))) = detect::database(&database::columns(&found.path)?) else {
        return Ok(Vec::new());
    };
    let listed = database::sessions(&found.path, version)?.into_iter();
    Ok(listed
        .map(|session| {
            let modified = session.updated.unwrap_or(found.modified);
            let path = PathBuf::from(format!("{}#{}", found.path.display(), session.id));
            Found { agent: format.agent, path, modified, life: Life::of(modified, now), ..*found }
        })
        .collect())
}

/// Looks into the beginning and the end of a session: to be done only for those that are shown.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub fn glimpse(found: &Found, options: &Options) -> Result<Glimpse, Error> {
    let origin = origin_of(&found.path)?;
    let path = origin.path().to_path_buf();
    let Some(Known { format, reading }) = recognise(&origin, options)? else { return Ok(Glimpse::default()) };
    let origin = match reading {
        Reading::AsItStands => origin,
        Reading::Rendered(container) => Origin::Held(Rendering::new(&origin, container)?.lines()),
    };
    let (file, stat) = origin.open()?;
    let opening = Opening { lane: LaneKey::Main, elsewhere: Vec::new() };
    let mut adapter = (format.open)(&opening);
    let mut look = Look::default();
    let beginning = piece(&file, 0, BEGINNING, &origin)?;
    let end = piece(&file, stat.size.saturating_sub(END as u64).max(beginning.len() as u64), END, &origin)?;
    // Where reading begins in the middle, the first line is cut off.
    let whole = end.iter().position(|byte| *byte == b'\n').and_then(|at| end.get(at + 1..)).unwrap_or_default();
    for bytes in [beginning.as_slice(), whole] {
        let mut lines = Lines::new(FileIx(0));
        let mut each = |record: Record<'_>| adapter.record(record, &mut look);
        lines.feed(bytes, &mut each);
        lines.settle(&mut each);
    }
    let Look { glimpse, prompt } = look;
    // Many places of an agent say it in the same way, and that is looked at once.
    let mut told: Vec<Project> = format.whereabouts.iter().map(|place| place.project).collect();
    told.dedup();
    let directory = glimpse.directory.or_else(|| told.into_iter().find_map(|told| project(&path, told)));
    Ok(Glimpse { agent: Some(format.agent), title: glimpse.title.or(prompt), directory, ..glimpse })
}

/// The folder in which the agent of the session at `path` works, where that stands outside of its records.
fn project(path: &Path, project: Project) -> Option<PathBuf> {
    match project {
        Project::Recorded => None,
        Project::Holds(name) => path.parent().filter(|folder| folder.ends_with(name)).and_then(Path::parent).map(Path::to_path_buf),
        Project::Beside { file, key } => {
            let own = path.file_name()?.to_str()?.split('.').next()?;
            let beside = path.with_file_name(file.replace("{}", own));
            let text = std::fs::metadata(&beside)
                .ok()
                .filter(|found| found.len() <= LONGEST_BESIDE)
                .and_then(|_| text_of(&beside).ok())?;
            let value: serde_json::Value = serde_json::from_str(&text).ok()?;
            value.get(key)?.as_str().filter(|folder| !folder.is_empty()).map(PathBuf::from)
        }
    }
}

fn piece(file: &Arc<File>, offset: u64, length: usize, origin: &Origin) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; length];
    let count = read_at(file, &mut bytes, offset).map_err(|error| source::Error::of(origin.path(), error))?;
    bytes.truncate(count);
    Ok(bytes)
}

#[derive(Default)]
struct Look {
    glimpse: Glimpse,
    /// The beginning of the first prompt.
    prompt: Option<String>,
}

impl Sink for Look {
    fn event(&mut self, event: Event<'_>) {
        if let (None, LaneKey::Main, Payload::User { speaker: Speaker::Human, text }) = (&self.prompt, &event.lane, &event.payload)
        {
            self.prompt = text.lines().find(|line| !line.trim().is_empty()).map(|line| cut_end(line.trim(), TITLE).into_owned());
        }
        self.glimpse.last = event.at.or(self.glimpse.last);
    }

    fn fact(&mut self, fact: Fact<'_>) {
        match fact {
            Fact::Session(id) => self.glimpse.id = Some(id.into_owned()),
            Fact::Directory(directory) => self.glimpse.directory = Some(PathBuf::from(directory.into_owned())),
            Fact::Title(title) => self.glimpse.title = Some(title.into_owned()),
            _ => {}
        }
    }

    fn diagnostic(&mut self, _: Diagnostic) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{append, call, note, note_at, options, title};
    use crate::source::Life;

    fn of(text: &str) -> Result<Glimpse, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        append(&path, text);
        let found = Found { agent: Agent("claude-code"), path, size: 0, modified: Stamp(0), children: 0, life: Life::Quiet };
        glimpse(&found, &options())
    }

    #[test]
    fn a_title_is_found_at_either_end_or_made_of_the_first_prompt() {
        let titled = |text: &str| of(text).unwrap().title;
        let many = (call("c") + "\n").repeat(30_000);
        assert_eq!(titled(&[note("  Fix it"), note("now")].join("\n")).as_deref(), Some("Fix it"));
        assert_eq!(titled(&[note("Fix it"), title("Repair")].join("\n")).as_deref(), Some("Repair"));
        assert_eq!(titled(&format!("{}\n{}\n{many}", note("Fix it"), title("Early"))).as_deref(), Some("Early"));
        assert_eq!(titled(&format!("{}\n{many}{}", note("Fix it"), title("Late"))).as_deref(), Some("Late"));
        let long = titled(&format!("{}\n", note(&"long ".repeat(99)))).unwrap();
        assert!(long.chars().count() == TITLE && long.ends_with("long…"), "{long}");
        assert_eq!(of("").unwrap(), Glimpse::default());
        assert!(of("no transcript\n").is_err());
    }

    #[test]
    fn when_something_last_happened_is_told_by_the_last_record_that_says() {
        let last = |text: &str| of(text).unwrap().last;
        let many = (call("c") + "\n").repeat(30_000);
        let first = last(&note("Fix it")).unwrap();
        assert_eq!(last(&format!("{}\n{many}{}\n", note("Fix it"), note_at(90_000, "now"))), Some(Stamp(first.0 + 90_000)));
        assert_eq!(last(&format!("{}\n{}\n", note_at(90_000, "Fix it"), title("Repair"))), Some(Stamp(first.0 + 90_000)));
    }

    #[test]
    fn a_project_is_told_by_where_a_session_lies_or_by_a_file_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("task/api_conversation_history.json");
        let beside = Project::Beside { file: "history_item.json", key: "workspace" };
        assert_eq!(project(&path, beside), None);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        append(&path.with_file_name("history_item.json"), r#"{"id":"t","workspace":"/w/quay"}"#);
        append(&path.with_file_name("s1.json"), r#"{"cwd":"/w/pier"}"#);
        assert_eq!(project(&path, beside), Some("/w/quay".into()));
        let own = Project::Beside { file: "{}.json", key: "cwd" };
        assert_eq!(project(&path.with_file_name("s1.messages.json"), own), Some("/w/pier".into()));
        for (path, told) in [("/w/.crush/crush.db", Some("/w")), ("/w/crush/crush.db", None), ("crush.db", None)] {
            assert_eq!(project(Path::new(path), Project::Holds(".crush")), told.map(PathBuf::from), "{path}");
        }
    }

    #[test]
    fn the_sessions_of_a_database_are_listed_and_not_the_files_that_it_replaced() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".local/share/opencode");
        let old = folder.join("storage/session/p");
        std::fs::create_dir_all(&old).unwrap();
        append(&old.join("ses_1.json"), r#"{"id":"ses_1","projectID":"p","directory":"/w","title":"One","time":{}}"#);
        append(&old.join("ses_0.json"), r#"{"id":"ses_0","projectID":"p","directory":"/w","title":"Nought","time":{}}"#);
        let writer = rusqlite::Connection::open(folder.join("opencode.db")).unwrap();
        let schema = "create table session (id text, parent_id text, directory text, title text, version text, revert text, time_updated integer);
            create table message (id text, session_id text, time_created integer, data text);
            create table part (id text, message_id text, session_id text, time_created integer, data text);
            insert into session values ('ses_1', null, '/w', 'One', '1.2', null, 10), ('ses_2', null, '/w', 'Two', '1.2', null, 20),
                ('ses_3', 'ses_2', '/w', 'Below two', '1.2', null, 30);";
        writer.execute_batch(schema).unwrap();
        let around = Surroundings { home: Some(home.path()), variable: &|_| None, now: Stamp(i64::MAX) };
        let listed = sessions(&around);
        assert!(listed.unreadable.is_empty(), "{:?}", listed.unreadable);
        let name = |found: &Found| found.path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let names: Vec<String> = listed.sessions.iter().map(name).collect();
        assert_eq!(names, ["storage/session/p/ses_0.json", "opencode.db#ses_2", "opencode.db#ses_1"]);
        let two = listed.sessions.iter().find(|found| name(found).ends_with("ses_2")).unwrap();
        let glimpse = glimpse(two, &options()).unwrap();
        assert_eq!((glimpse.title.as_deref(), glimpse.agent), (Some("Two"), Some(Agent("opencode"))));
    }

    #[test]
    fn the_sessions_of_known_agents_are_listed() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(FORMATS[0].whereabouts[0].home).join(FORMATS[0].whereabouts[0].folders[0]);
        std::fs::create_dir_all(&folder).unwrap();
        append(&folder.join("s.jsonl"), note("hello"));
        let around = Surroundings { home: Some(home.path()), variable: &|_| None, now: Stamp(0) };
        let listed = sessions(&around).sessions;
        assert_eq!(listed.iter().map(|found| found.path.as_path()).collect::<Vec<&Path>>(), [folder.join("s.jsonl")]);
    }
}
