//! A session that is followed while it is written.
//!
//! ```text
//! system or input --poke--> owed-reader --parcels, bounded--> owed-analyst --one slot--> whoever looks
//! ```
//!
//! The reader waits for a change, reads what is new and hands on what it says; a full channel makes it wait, and the file is the
//! queue. The analyst folds that and is the only one who touches the ledgers. Without a change, both sleep.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, after, bounded, never, select};

use crate::session::analyst::Analyst;
use crate::session::error::Error;
use crate::session::feed::{Feed, Following, Mailbox, Stop, Wake};
use crate::session::fold::Session;
use crate::session::opening::{Known, Options, Reading, origin_of};
use crate::session::parcel::{Dispatch, way};
use crate::session::reader::Reader;
use crate::session::snapshot::Progress;
use crate::source::Origin;
use crate::source::render::database::BESIDE;
use crate::source::watch::{Means, Poke, Watch};
use crate::transcript::Container;

/// How often it is looked whether a file that could not be read can be: its folder may have gone with it, and its watch.
const LOST: Duration = Duration::from_millis(500);

impl Feed {
    /// Follows the session at `path`. What is there is read while the feed already shows; `wake` is called after each publication.
    ///
    /// # Errors
    /// The file cannot be read, or is no transcript. An empty one may become a transcript later.
    pub fn open(path: &Path, options: &Options, wake: Wake) -> Result<Self, Error> {
        let origin = origin_of(path)?;
        let mut reader = Reader::new(origin.clone(), options);
        let gathered =
            matches!(reader.known()?, Some(Known { reading: Reading::Rendered(Container::Files(_) | Container::Spliced(_)), .. }));
        let watch = match &origin {
            // What is put together from files is in folders of its own.
            Origin::Path(_) if gathered => Watch::new(|_| true),
            Origin::Path(path) | Origin::Part(path, _) => Watch::new(concerns(path, options.side.of(&origin))),
            Origin::Held(_) => Watch::poked(),
        };
        Self::start(path, reader, watch, options, wake)
    }

    /// Follows input that can be read only once, as it comes.
    ///
    /// # Errors
    /// There is no place to keep it.
    pub fn input(input: Box<dyn Read + Send>, options: &Options, wake: Wake) -> Result<Self, Error> {
        let file = Arc::new(tempfile::tempfile().map_err(Error::Spool)?);
        let watch = Watch::poked();
        let poke = watch.poke();
        let reader = Reader::new(Origin::Held(Arc::clone(&file)), options);
        // Not one of the feed's threads: nothing can wake it from waiting for its input.
        let copy = std::thread::Builder::new().name("owed-input".to_owned());
        copy.spawn(move || copy_to(&file, input, &poke)).map_err(Error::Thread)?;
        Self::start(Path::new("-"), reader, watch, options, wake)
    }

    fn start(path: &Path, reader: Reader, watch: Watch, options: &Options, wake: Wake) -> Result<Self, Error> {
        let mut session = Session::new(path, Arc::clone(&options.rules));
        let bodies = session.bodies();
        let total = reader.size();
        let progress = if total == 0 { Progress::Complete } else { Progress::Reading { done: 0, total } };
        let mut feed = Self::new(session.snapshot(progress), bodies, following(watch.means()), wake);
        let (dispatch, delivery) = way(Arc::clone(&options.rules));
        let mailbox = feed.mailbox();
        let (again, asked) = bounded(1);
        feed.spawn("owed-analyst", move |stop| Analyst::new(session, mailbox, again).run(delivery, &stop))?;
        let mailbox = feed.mailbox();
        feed.spawn("owed-reader", move |stop| follow(reader, watch, (dispatch, &asked), &mailbox, &stop))?;
        Ok(feed)
    }
}

/// Whether a change concerns the session at `path` or one of its side ledgers: other sessions are written in the same folder.
fn concerns(path: &Path, side: Vec<PathBuf>) -> impl Fn(&Path) -> bool + Send + 'static {
    let real = path.canonicalize().unwrap_or_default();
    let own = [path, &real].into_iter().chain(side.iter().map(PathBuf::as_path));
    let names: Vec<_> = own.map(|path| path.file_name().map(ToOwned::to_owned)).collect();
    let own = path.file_stem().map(ToOwned::to_owned);
    move |changed| {
        let name = changed.file_name();
        // Of a database's own, its log and its journal too.
        let own_name = |name: &OsStr| {
            let ours = |suffix: &&str| name.to_str()?.strip_suffix(*suffix).map(ToOwned::to_owned);
            BESIDE.iter().find_map(ours)
        };
        let beside = name.and_then(own_name).map(OsString::from);
        names.iter().flatten().any(|known| Some(known.as_os_str()) == name || Some(known) == beside.as_ref())
            || changed.iter().any(|part| Some(part) == own.as_deref())
    }
}

/// Reads whatever is new whenever there may be something, until it is time to stop.
fn follow(mut reader: Reader, mut watch: Watch, (mut dispatch, again): (Dispatch, &Receiver<()>), mailbox: &Mailbox, stop: &Stop) {
    let mut anew = false;
    loop {
        if std::mem::take(&mut anew) || again.try_recv().is_ok() {
            reader.begin_again(&mut dispatch);
        }
        let outcome = reader.catch_up(&mut dispatch);
        if stop.is_due() || matches!(outcome, Ok(ControlFlow::Break(()))) || dispatch.caught_up().is_break() {
            return;
        }
        let mut newly = false;
        for folder in reader.folders() {
            newly |= watch.cover(&folder);
        }
        if newly {
            // What was written before its folder was covered was not announced.
            continue;
        }
        mailbox.follow(match &outcome {
            Ok(_) => following(watch.means()),
            Err(error) => Following::Lost { why: error.to_string() },
        });
        let interval = match &outcome {
            Err(_) => Some(LOST),
            Ok(_) => reader.pause().or(watch.interval()),
        };
        let rest = reader.rest();
        if !rest.is_zero() {
            select! {
                recv(stop.0) -> _ => return,
                recv(after(rest)) -> _ => {}
            }
        }
        select! {
            recv(watch.changes()) -> _ => {}
            recv(again) -> asked => match asked {
                Ok(()) => anew = true,
                Err(_) => return,
            },
            recv(stop.0) -> _ => return,
            recv(interval.map_or_else(never, after)) -> _ => {}
        }
    }
}

fn following(means: &Means) -> Following {
    match means {
        Means::Announced => Following::Announced,
        Means::Polled { why } => Following::Polled { why: why.clone() },
    }
}

/// Copies input to where it can be read again, and says so, until it ends.
fn copy_to(mut file: &std::fs::File, mut input: Box<dyn Read + Send>, poke: &Poke) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                if file.write_all(buffer.get(..count).unwrap_or_default()).is_err() {
                    return;
                }
                poke.now();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::read;
    use crate::session::testing::{Screen, append, call, digest, done, note, options, sub};
    use std::fs;

    /// Appends whole lines.
    fn add(path: &Path, lines: &[String]) {
        append(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    }

    #[test]
    fn a_session_is_followed_while_another_thread_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("first")]);
        let screen = Screen::open(&path);
        screen.until_events(1);
        let writer = {
            let path = path.clone();
            std::thread::Builder::new().spawn(move || {
                for n in 0..300 {
                    add(&path, &[call(&format!("c{n}"))]);
                    append(&path, done(&format!("c{n}")) + if n % 7 == 0 { "" } else { "\n" });
                }
            })
        };
        writer.unwrap().join().unwrap();
        let live = screen.until_events(601);
        assert_eq!(digest(&live), digest(&read(&path, &options()).unwrap()), "live is whole");
        assert!(live.lanes[0].open_calls.is_empty());
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["s.jsonl"], "nothing is written beside a watched file");
    }

    #[test]
    fn an_old_snapshot_does_not_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[call("c")]);
        let screen = Screen::open(&path);
        let held = screen.until_events(1);
        let before = digest(&held);
        add(&path, &[done("c")]);
        screen.until_events(2);
        assert_eq!(digest(&held), before);
    }

    #[test]
    fn a_file_that_begins_again_is_a_new_epoch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("one"), note("two")]);
        let screen = Screen::open(&path);
        let old = screen.until_events(2);
        fs::write(&path, note("new") + "\n").unwrap();
        let new = screen.until(|s| s.epoch > old.epoch && s.lanes[0].events.len() == 1);
        add(&folder.path().join("other"), &["a", "b", "c"].map(note));
        fs::rename(folder.path().join("other"), &path).unwrap();
        screen.until(|s| s.epoch > new.epoch && s.lanes[0].events.len() == 3);
    }

    #[test]
    fn a_file_that_was_emptied_is_a_session_without_events() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("one"), note("two")]);
        let screen = Screen::open(&path);
        screen.until_events(2);
        fs::write(&path, "").unwrap();
        let emptied = screen.until_events(0);
        add(&path, &[note("three")]);
        let again = screen.until_events(1);
        assert_eq!((emptied.epoch, again.epoch), (1, 1));
    }

    #[test]
    fn a_session_that_cannot_be_watched_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("one")]);
        let reader = Reader::new(Origin::Path(path.clone()), &options());
        let screen = Screen::of(|wake| Feed::start(&path, reader, Watch::polling("a test"), &options(), wake));
        screen.until_events(1);
        assert_eq!(screen.feed.following(), Following::Polled { why: "a test".into() });
        add(&path, &[note("two")]);
        screen.until_events(2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_to_its_file_and_to_another() {
        let folder = tempfile::tempdir().unwrap();
        let [link, one, two] = ["link.jsonl", "a/one.jsonl", "b/two.jsonl"].map(|name| folder.path().join(name));
        for file in [&one, &two] {
            fs::create_dir(file.parent().unwrap()).unwrap();
            add(file, &[note("first")]);
        }
        std::os::unix::fs::symlink(&one, &link).unwrap();
        let screen = Screen::open(&link);
        screen.until_events(1);
        add(&one, &[note("second")]);
        screen.until_events(2);
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&two, &link).unwrap();
        screen.until(|s| s.epoch == 1 && s.lanes[0].events.len() == 1);
    }

    #[test]
    fn a_lost_file_is_told_and_taken_up_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("one")]);
        let screen = Screen::open(&path);
        screen.until_events(1);
        fs::remove_file(&path).unwrap();
        screen.until(|_| matches!(screen.feed.following(), Following::Lost { .. }));
        assert_eq!(screen.feed.latest().lanes[0].events.len(), 1, "what was read stands");
        add(&path, &["a", "b"].map(note));
        screen.until_events(2);
        screen.until(|_| !matches!(screen.feed.following(), Following::Lost { .. }));
    }

    #[test]
    fn sub_agents_that_start_later_become_lanes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        add(&path, &[note("go"), sub("a", "told by the main file")]);
        let screen = Screen::open(&path);
        screen.until_events(2);
        fs::create_dir_all(folder.path().join("s/subagents")).unwrap();
        add(&folder.path().join("s/subagents/agent-a.jsonl"), &["1", "2"].map(note));
        let live = screen.until_events(3);
        add(&folder.path().join("s/subagents/agent-a.jsonl"), &[note("3")]);
        add(&path, &[note("on")]);
        let later = screen.until_events(5);
        assert_eq!((live.epoch, later.epoch), (0, 0));
        assert_eq!(digest(&later), digest(&read(&path, &options()).unwrap()));
    }

    #[test]
    fn an_empty_file_becomes_a_session() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        append(&path, "");
        let screen = Screen::open(&path);
        assert_eq!(screen.until_events(0).facts.agent, crate::session::fold::UNKNOWN);
        add(&path, &[note("one")]);
        assert_eq!(screen.until_events(1).facts.agent.0, "claude-code");
    }

    #[test]
    fn input_is_followed_as_it_comes() {
        let (reader, mut writer) = io::pipe().unwrap();
        let screen = Screen::of(|wake| Feed::input(Box::new(reader), &options(), wake));
        let (one, two) = (note("one"), note("two"));
        let (front, back) = two.split_at(7);
        write!(writer, "{one}\n{front}").unwrap();
        screen.until_events(1);
        writer.write_all(back.as_bytes()).unwrap();
        let latest = screen.until_events(2);
        let row = latest.lanes[0].events.get(1).cloned().unwrap();
        assert_eq!(screen.feed.bodies().read(&row).unwrap().raw, two);
    }

    #[test]
    fn a_feed_that_is_dropped_while_it_reads_stops() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, (note("one of many") + "\n").repeat(400_000)).unwrap();
        let screen = Screen::open(&path);
        screen.until(|s| s.revision > 1);
        drop(screen);
    }
}
