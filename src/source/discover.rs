//! The sessions that lie on this machine, of every agent whose whereabouts are known.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::base::time::Stamp;
use crate::source::children::{child_id, id_in};
use crate::source::error::Error;
use crate::source::file::text_of;
use crate::source::side::is_side_ledger;
use crate::source::walk::{Entry, walk};
use crate::transcript::{Agent, Brood, Listing, Whereabouts};

/// A session that was written to within this time is live, in milliseconds.
const RECENT: i64 = 30_000;

/// The world around the search: injected, so that nothing here asks the process or a clock.
pub struct Surroundings<'a> {
    /// The user's home folder.
    pub home: Option<&'a Path>,
    /// Looks up a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// This machine's time now.
    pub now: Stamp,
}

/// What the search came to.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The sessions: live ones first, then by last activity, newest first.
    pub sessions: Vec<Found>,
    /// Folders that could not be looked into.
    pub unreadable: Vec<Error>,
}

/// One session, known without having been opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whose it is, by where it lies.
    pub agent: Agent,
    /// Its main file.
    pub path: PathBuf,
    /// Length of the main file in bytes.
    pub size: u64,
    /// When it, or a sub-agent's file of it, was last written.
    pub modified: Stamp,
    /// Number of its sub-agents that have files of their own.
    pub children: u32,
    /// Whether an agent is at work on it.
    pub life: Life,
}

/// Whether an agent is at work on a session, as far as files can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Life {
    /// It was written to a moment ago, or a process holds its lock.
    Live,
    /// Neither.
    Quiet,
}

/// Looks for the sessions of all agents. Each folder is listed once and no file is opened: ten thousand sessions are routine.
#[must_use]
pub fn discover<'a>(all: impl IntoIterator<Item = &'a Whereabouts>, around: &Surroundings<'_>) -> Discovery {
    let mut discovery = Discovery::default();
    for whereabouts in all {
        if let Some(home) = home_of(whereabouts, around) {
            search(whereabouts, &home, around.now, &mut discovery);
        }
    }
    discovery.sort();
    discovery
}

impl Discovery {
    /// Puts the sessions into their order, each once.
    pub fn sort(&mut self) {
        self.sessions.sort_by(|a, b| (a.life, b.modified, &a.path).cmp(&(b.life, a.modified, &b.path)));
        self.sessions.dedup_by(|a, b| a.path == b.path);
    }
}

impl Life {
    /// By when a session was last written.
    #[must_use]
    pub fn of(modified: Stamp, now: Stamp) -> Self {
        if now.millis_since(modified) < RECENT { Self::Live } else { Self::Quiet }
    }
}

/// The agent's own folder: what its variable names, else the usual one below the home folder.
fn home_of(whereabouts: &Whereabouts, around: &Surroundings<'_>) -> Option<PathBuf> {
    let named = if whereabouts.variable.is_empty() { None } else { (around.variable)(whereabouts.variable) };
    match named.filter(|value| !value.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => around.home.map(|home| home.join(whereabouts.home)),
    }
}

fn search(whereabouts: &Whereabouts, home: &Path, now: Stamp, discovery: &mut Discovery) {
    let locks = locks(whereabouts, home);
    let mut families = BTreeMap::<PathBuf, Family>::new();
    let mut sessions = Vec::new();
    for folder in whereabouts.folders {
        walk(&home.join(folder), whereabouts.depth, &mut |entry| match entry {
            Entry::File(path, metadata) => match place_of(&path, whereabouts) {
                Some(Kind::Session) => sessions.push((path, metadata)),
                Some(Kind::ChildOf(own)) => families.entry(own).or_default().add(&metadata),
                None => {}
            },
            Entry::Folder(_) => {}
            Entry::Unreadable(error) => discovery.unreadable.push(error),
        });
    }
    for folder in whereabouts.listing.iter().flat_map(|listing| listed(listing, home)) {
        walk(&folder, 0, &mut |entry| match entry {
            Entry::File(path, metadata) if place_of(&path, whereabouts).is_some_and(|kind| matches!(kind, Kind::Session)) => {
                sessions.push((path, metadata));
            }
            Entry::File(..) | Entry::Folder(_) => {}
            Entry::Unreadable(error) => discovery.unreadable.push(error),
        });
    }
    discovery.sessions.extend(sessions.into_iter().map(|(path, metadata)| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(whereabouts.suffix).unwrap_or(name);
        let family = family_of(&path.with_file_name(stem), whereabouts, &families).unwrap_or_default();
        let modified = family.modified.map_or(modified(&metadata), |at| at.max(modified(&metadata)));
        let is_locked = locks.iter().any(|lock| stem.contains(lock));
        Found {
            agent: whereabouts.agent,
            size: metadata.len(),
            modified,
            children: family.children,
            life: if is_locked { Life::Live } else { Life::of(modified, now) },
            path,
        }
    }));
}

/// The folders that an agent lists; none if it keeps no list, or one that cannot be read.
fn listed(listing: &Listing, home: &Path) -> Vec<PathBuf> {
    let text = text_of(&home.join(listing.file)).unwrap_or_default();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let folders = value.get(listing.list).and_then(serde_json::Value::as_array).into_iter().flatten();
    let folders = folders.filter_map(|entry| entry.get(listing.folder)?.as_str());
    folders.map(PathBuf::from).filter(|folder| folder.is_absolute()).collect()
}

/// The family of the session whose own folder would be `own`.
fn family_of(own: &Path, whereabouts: &Whereabouts, families: &BTreeMap<PathBuf, Family>) -> Option<Family> {
    let Some(Brood::ById { characters, .. }) = whereabouts.children else { return families.get(own).copied() };
    let id = id_in(own, characters)?;
    let mut beside = families.iter().filter(|(folder, _)| folder.parent() == own.parent());
    let is_ours = |folder: &Path| folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(id));
    beside.find(|(folder, _)| is_ours(folder)).map(|(_, family)| *family)
}

/// What the files of a session's sub-agents say about it.
#[derive(Clone, Copy, Default)]
struct Family {
    children: u32,
    modified: Option<Stamp>,
}

impl Family {
    fn add(&mut self, metadata: &Metadata) {
        self.children += 1;
        self.modified = self.modified.max(Some(modified(metadata)));
    }
}

enum Kind {
    Session,
    /// A sub-agent's file, of the session with this folder of its own.
    ChildOf(PathBuf),
}

/// What a file is, by its name and its place.
fn place_of(path: &Path, whereabouts: &Whereabouts) -> Option<Kind> {
    let below = whereabouts.not_below.and_then(|part| path.ancestors().skip(1).find(|folder| folder.ends_with(part)));
    let child = child_id(path, whereabouts).is_some();
    match below {
        Some(folder) if child => Some(Kind::ChildOf(folder.parent()?.to_path_buf())),
        Some(_) => None,
        None if child && matches!(whereabouts.children, Some(Brood::ById { .. })) => {
            Some(Kind::ChildOf(path.parent()?.to_path_buf()))
        }
        None if child => None,
        None => {
            let name = path.file_name()?.to_str()?;
            let is_session = name.starts_with(whereabouts.prefix) && name.ends_with(whereabouts.suffix) && !is_side_ledger(path);
            is_session.then_some(Kind::Session)
        }
    }
}

/// The names, without their endings, of the locks that processes hold on sessions of this agent.
fn locks(whereabouts: &Whereabouts, home: &Path) -> Vec<String> {
    let Some(folder) = whereabouts.locks else { return Vec::new() };
    let entries = fs::read_dir(home.join(folder)).into_iter().flatten().flatten();
    let stem = |entry: fs::DirEntry| entry.path().file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    entries.filter_map(stem).filter(|stem| !stem.is_empty()).collect()
}

fn modified(metadata: &Metadata) -> Stamp {
    let at = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let millis = at.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    Stamp(millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::children::{Child, Children, beside};
    use crate::source::testing::{CLAUDE, CODEX, GEMINI};

    /// Writes an empty file, last written so many seconds after 1970.
    fn file(root: &Path, path: &str, seconds: u64) -> PathBuf {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(&path).unwrap();
        file.set_modified(UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
        path
    }

    fn found(home: &Path, variables: &[(&str, &Path)], now: i64) -> Vec<(&'static str, String, u32, Life)> {
        let variable = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, path)| path.as_os_str().to_owned());
        let around = Surroundings { home: Some(home), variable: &variable, now: Stamp(now) };
        let discovery = discover([&CLAUDE, &CODEX], &around);
        assert!(discovery.unreadable.is_empty(), "{:?}", discovery.unreadable);
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        discovery.sessions.into_iter().map(|f| (f.agent.0, name(&f.path), f.children, f.life)).collect()
    }

    #[test]
    fn live_sessions_come_first_then_the_newest() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        file(root, ".claude/projects/-w-shop/aa.jsonl", 100);
        file(root, ".claude/projects/-w-shop/aa/subagents/agent-1.jsonl", 990);
        file(root, ".claude/projects/-w-shop/aa/subagents/workflows/r1/agent-2.jsonl", 110);
        file(root, ".claude/projects/-w-shop/aa/subagents/workflows/r1/journal.jsonl", 110);
        file(root, ".claude/projects/-w-shop/aa/tool-results/t.txt", 110);
        file(root, ".claude/projects/-w-shop/agent-9.jsonl", 999);
        file(root, ".claude/projects/-w-shop/bb.jsonl", 500);
        file(root, ".claude/history.jsonl", 999);
        file(root, ".codex/sessions/2026/05/04/rollout-2026-05-04T09-00-00-u1.jsonl", 300);
        file(root, ".codex/sessions/2026/05/04/rollout-2026-05-04T09-00-00-u2.jsonl", 200);
        file(root, ".codex/archived_sessions/rollout-2026-05-03T09-00-00-u3.jsonl", 400);
        file(root, ".codex/thread-writer-locks/u2.lock", 1);
        let rollout = |day: u32, id: &str| format!("rollout-2026-05-0{day}T09-00-00-{id}.jsonl");
        assert_eq!(
            found(root, &[], 1_000_000),
            [
                ("claude-code", "aa.jsonl".to_owned(), 2, Life::Live),
                ("codex", rollout(4, "u2"), 0, Life::Live),
                ("claude-code", "bb.jsonl".to_owned(), 0, Life::Quiet),
                ("codex", rollout(3, "u3"), 0, Life::Quiet),
                ("codex", rollout(4, "u1"), 0, Life::Quiet),
            ]
        );
    }

    #[test]
    fn a_variable_of_the_agent_names_its_folder() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        file(root, ".claude/projects/p/old.jsonl", 1);
        file(root, "elsewhere/projects/p/new.jsonl", 1);
        let names = |variables: &[(&str, &Path)]| found(root, variables, 1_000_000).into_iter().map(|f| f.1).collect::<Vec<_>>();
        assert_eq!(names(&[("CLAUDE_CONFIG_DIR", &root.join("elsewhere"))]), ["new.jsonl"]);
        assert_eq!(names(&[("CLAUDE_CONFIG_DIR", Path::new(""))]), ["old.jsonl"], "an empty variable is not set");
        assert_eq!(found(&root.join("nobody"), &[], 0), [], "no folder, no sessions");
    }

    #[test]
    fn children_in_a_folder_named_by_the_sessions_id_are_found() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        let main = file(root, ".gemini/tmp/shop/chats/session-2026-09-14T08-12-0b9c1d2e.jsonl", 100);
        let child = file(root, ".gemini/tmp/shop/chats/0b9c1d2e-0000-4000-8000-000000000001/7f-sub.jsonl", 990);
        file(root, ".gemini/tmp/shop/chats/11111111-0000-4000-8000-000000000001/8f-sub.jsonl", 990);
        file(root, ".gemini/tmp/shop/logs.json", 1);
        let children = Children::of(&main, &GEMINI);
        assert_eq!(children.files, [Child { path: child, id: "7f-sub".into() }]);
        let sessions = |variables: &[(&str, &Path)]| {
            let variable = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, path)| path.as_os_str().to_owned());
            let around = Surroundings { home: Some(Path::new("/nowhere")), variable: &variable, now: Stamp(1_000_000) };
            discover([&GEMINI], &around)
                .sessions
                .into_iter()
                .map(|found| (found.path, found.children, found.life))
                .collect::<Vec<_>>()
        };
        assert_eq!(sessions(&[("GEMINI_CLI_HOME", root)]), [(main, 1, Life::Live)], "the variable stands for the home folder");
        assert_eq!(sessions(&[]), []);
    }

    #[test]
    fn sessions_lie_in_the_folders_that_an_agent_lists() {
        let home = tempfile::tempdir().unwrap();
        const LISTING: Listing = Listing { file: "crush/projects.json", list: "projects", folder: "data_dir" };
        let crush = Whereabouts {
            home: "share",
            folders: &["crush"],
            suffix: ".db",
            listing: Some(LISTING),
            ..Whereabouts::new(Agent("crush"))
        };
        let found = || {
            let around = Surroundings { home: Some(home.path()), variable: &|_| None, now: Stamp(0) };
            let mut paths: Vec<PathBuf> = discover([&crush], &around).sessions.into_iter().map(|found| found.path).collect();
            paths.sort();
            paths
        };
        let project = file(home.path(), "work/harbour/.crush/crush.db", 1);
        file(home.path(), "work/harbour/.crush/logs/other.db", 1);
        let own = file(home.path(), "share/crush/crush.db", 1);
        assert_eq!(found(), std::slice::from_ref(&own));
        let folder = project.parent().unwrap().to_str().unwrap();
        let list =
            format!(r#"{{"projects":[{{"path":"/w","data_dir":"{folder}"}},{{"data_dir":"/gone"}},{{"data_dir":".crush"}},7]}}"#);
        fs::write(home.path().join("share/crush/projects.json"), list).unwrap();
        assert_eq!(found(), [own.clone(), project]);
        fs::write(home.path().join("share/crush/projects.json"), "{").unwrap();
        assert_eq!(found(), [own]);
    }

    #[test]
    fn the_children_of_a_session_are_found_with_their_ids() {
        let home = tempfile::tempdir().unwrap();
        let main = file(home.path(), "p/aa.jsonl", 1);
        assert_eq!(Children::of(&main, &CLAUDE).files, []);
        let one = file(home.path(), "p/aa/subagents/agent-one.jsonl", 1);
        let two = file(home.path(), "p/aa/subagents/workflows/r/agent-two.jsonl", 1);
        file(home.path(), "p/aa/subagents/agent-one.meta.json", 1);
        file(home.path(), "p/bb/subagents/agent-other.jsonl", 1);
        let children = Children::of(&main, &CLAUDE);
        assert_eq!(children.files, [Child { path: one, id: "one".into() }, Child { path: two, id: "two".into() }]);
        assert_eq!(children.folders.len(), 4, "{:?}", children.folders);
        assert_eq!(Children::of(&main, &CODEX), Children::default());
    }

    #[test]
    fn sub_agents_beside_a_session_are_those_that_name_it() {
        let home = tempfile::tempdir().unwrap();
        let main = file(home.path(), "p/0b9c1d2e-0000-4000-8000-000000000001.jsonl", 1);
        let ours = file(home.path(), "p/agent-ours.jsonl", 1);
        fs::write(&ours, "{\"sessionId\":\"0b9c1d2e-0000-4000-8000-000000000001\"}\n").unwrap();
        fs::write(file(home.path(), "p/agent-other.jsonl", 1), "{\"sessionId\":\"0b9c1d2e-0000-4000-8000-000000000002\"}\n")
            .unwrap();
        assert_eq!(beside(&main, &CLAUDE), [Child { path: ours.clone(), id: "ours".into() }]);
        assert_eq!(beside(&ours, &CLAUDE), [], "a sub-agent has none");
        assert_eq!(beside(&main, &CODEX), []);
    }
}
