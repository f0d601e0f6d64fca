//! Says when files may have changed. What has changed is for the follower to find out.
//!
//! The system's watches are used without a debouncer: those speak up only when a writer pauses. Changes that come while nobody
//! listens are one change. Where the system cannot watch, the files are to be looked at every [`Watch::interval`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::source::file::Identity;
use crate::source::mount;

/// How often files are looked at that cannot be watched.
const POLL: Duration = Duration::from_millis(100);

/// How changes are learnt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// The system announces them.
    Announced,
    /// By looking, several times a second.
    Polled {
        /// Why the system does not announce them.
        why: String,
    },
}

/// A watch on folders. It ends when it is dropped.
pub struct Watch {
    watcher: Option<RecommendedWatcher>,
    means: Means,
    /// The folders that are watched, and which ones they were: a folder that was made again is another one.
    covered: BTreeMap<PathBuf, Identity>,
    changes: Receiver<()>,
    poke: Poke,
}

/// Says that something may have changed. However often it is said, it is heard once.
#[derive(Clone, Debug)]
pub struct Poke(Sender<()>);

impl Poke {
    /// Says so.
    pub fn now(&self) {
        // Full means that it was said already; disconnected, that nobody wants to know.
        _ = self.0.try_send(());
    }
}

impl Watch {
    /// A watch that covers nothing yet. Only changes of paths for which `relevant` is true are told; it is asked on another thread.
    #[must_use]
    pub fn new(relevant: impl Fn(&Path) -> bool + Send + 'static) -> Self {
        let mut watch = Self::of(Means::Announced);
        let poke = watch.poke();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.map_or(true, |event| matters(&event, &relevant)) {
                poke.now();
            }
        });
        match watcher {
            Ok(watcher) => watch.watcher = Some(watcher),
            Err(error) => watch.means = Means::Polled { why: words(&error) },
        }
        watch
    }

    /// A watch that hears only what it is told by a [`Poke`].
    #[must_use]
    pub fn poked() -> Self {
        Self::of(Means::Announced)
    }

    /// A watch that only looks, because of `why`.
    #[must_use]
    pub fn polling(why: &str) -> Self {
        Self::of(Means::Polled { why: why.to_owned() })
    }

    fn of(means: Means) -> Self {
        let (poke, changes) = bounded(1);
        Self { watcher: None, means, covered: BTreeMap::new(), changes, poke: Poke(poke) }
    }

    /// Covers the files that lie directly in `folder`, if it exists. Whether its changes are announced from now on, and were not
    /// before. A folder that is covered already costs one look at it.
    pub fn cover(&mut self, folder: &Path) -> bool {
        let (Some(watcher), Some(identity)) = (self.watcher.as_mut(), Identity::of_folder(folder)) else { return false };
        if self.covered.get(folder) == Some(&identity) {
            return false;
        }
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let refused = match mount::silent(&mounts, &real) {
            Some(kind) => Some(format!("{kind} announces no changes")),
            None => watcher.watch(folder, RecursiveMode::NonRecursive).err().map(|error| words(&error)),
        };
        match refused {
            None => self.covered.insert(folder.to_path_buf(), identity) != Some(identity),
            // One folder that cannot be watched makes looking necessary, and looking sees the others too.
            Some(why) => {
                (self.watcher, self.means) = (None, Means::Polled { why });
                false
            }
        }
    }

    /// Receives when something may have changed.
    #[must_use]
    pub fn changes(&self) -> &Receiver<()> {
        &self.changes
    }

    /// For whoever writes what is read here.
    #[must_use]
    pub fn poke(&self) -> Poke {
        self.poke.clone()
    }

    /// How changes are learnt.
    #[must_use]
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// After what time to look without having been told; `None` where everything is announced.
    #[must_use]
    pub fn interval(&self) -> Option<Duration> {
        matches!(self.means, Means::Polled { .. }).then_some(POLL)
    }
}

/// Whether an event may mean that something can be read. Our own opening of a file is an event too.
fn matters(event: &notify::Event, relevant: &impl Fn(&Path) -> bool) -> bool {
    if event.need_rescan() {
        return true;
    }
    !matches!(event.kind, EventKind::Access(_)) && (event.paths.is_empty() || event.paths.iter().any(|path| relevant(path)))
}

/// Why the system will not watch, in words that say what could be done.
fn words(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "the system has no watches left (fs.inotify.max_user_watches)".to_owned(),
        notify::ErrorKind::Io(error) => match error.raw_os_error() {
            // EMFILE: the limit of watchers for one user.
            Some(24) => "the system has no watchers left (fs.inotify.max_user_instances)".to_owned(),
            _ => error.to_string(),
        },
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, AccessMode, CreateKind, DataChange, Flag, ModifyKind};

    #[test]
    fn only_what_may_be_readable_matters() {
        let ours = |path: &Path| path.ends_with("s.jsonl");
        let at = |kind: EventKind, name: &str| notify::Event::new(kind).add_path(PathBuf::from(name));
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        for (event, expected) in [
            (at(written, "/x/s.jsonl"), true),
            (at(EventKind::Create(CreateKind::File), "/x/s.jsonl"), true),
            (at(written, "/x/another.jsonl"), false),
            (at(EventKind::Access(AccessKind::Open(AccessMode::Read)), "/x/s.jsonl"), false),
            (notify::Event::new(written), true),
            (notify::Event::new(EventKind::Other).set_flag(Flag::Rescan), true),
        ] {
            assert_eq!(matters(&event, &ours), expected, "{event:?}");
        }
    }

    #[test]
    fn many_changes_are_heard_once() {
        let watch = Watch::polling("a test");
        for _ in 0..100 {
            watch.poke().now();
        }
        assert_eq!(watch.changes().try_iter().count(), 1);
        assert_eq!(watch.means(), &Means::Polled { why: "a test".into() });
        assert!(watch.interval().is_some());
    }

    #[test]
    fn a_write_into_a_covered_folder_is_announced() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = Watch::new(|path| path.ends_with("s.jsonl"));
        assert!(!watch.cover(&folder.path().join("not-there")));
        let newly = watch.cover(folder.path());
        if watch.means() != &Means::Announced {
            return; // This machine cannot watch; the follower is then asked at intervals.
        }
        assert!(newly && !watch.cover(folder.path()));
        std::fs::write(folder.path().join("s.jsonl"), "{}\n").unwrap();
        assert_eq!(watch.changes().recv_timeout(Duration::from_secs(30)), Ok(()));
    }
}
