//! A session played by its own clock: the same feed as a live one, from records that are all there already.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::base::ids::FileIx;
use crate::base::time::Stamp;
use crate::formats::{Adapter, Format};
use crate::session::bodies::record_at;
use crate::session::error::Error;
use crate::session::feed::{Feed, Following, Mailbox, Stop, Wake};
use crate::session::fold::Session;
use crate::session::opening::{Options, held, origin_of};
use crate::session::reader::{Amount, Intake, Opened, Reader};
use crate::session::snapshot::Progress;
use crate::source::Origin;
use crate::source::lines::hash;
use crate::transcript::{Diagnostic, Event, Fact, Place, Record, Sink};

/// How a session is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tempo {
    /// Session time for one second of ours; 1 is as it was. What is no positive number plays without pauses.
    pub speed: f64,
    /// 1-based line of the main file at which playing begins; what stands before is there from the start.
    pub from: u32,
    /// The longest pause, in our time: people went home in the middle of sessions.
    pub longest_gap: Duration,
}

impl Default for Tempo {
    /// As it was, from the beginning, with pauses of two seconds at most.
    fn default() -> Self {
        Self { speed: 1.0, from: 1, longest_gap: Duration::from_secs(2) }
    }
}

/// Pauses shorter than this are saved up: nobody sees them, and each would cost a publication.
const SHORTEST_GAP: Duration = Duration::from_millis(8);

impl Feed {
    /// Plays the session at `path`, with its sub-agents.
    ///
    /// # Errors
    /// It cannot be read, or is no transcript.
    pub fn replay(path: &Path, tempo: Tempo, options: &Options, wake: Wake) -> Result<Self, Error> {
        Self::play(path, origin_of(path)?, tempo, options, wake)
    }

    /// Plays a session that is held in memory and has no file, under a name for people.
    ///
    /// # Errors
    /// It is no transcript, or there is no place to keep it.
    pub fn replay_bytes(name: &str, bytes: &'static [u8], tempo: Tempo, options: &Options, wake: Wake) -> Result<Self, Error> {
        Self::play(Path::new(name), held(&mut Cursor::new(bytes))?, tempo, options, wake)
    }

    fn play(path: &Path, origin: Origin, tempo: Tempo, options: &Options, wake: Wake) -> Result<Self, Error> {
        let mut reader = Reader::new(origin, options);
        reader.format()?;
        let mut session = Session::new(path, Arc::clone(&options.rules));
        let bodies = session.bodies();
        let first = session.snapshot(Progress::Reading { done: 0, total: reader.size() });
        let mut feed = Self::new(first, bodies, Following::Playing, wake);
        let mailbox = feed.mailbox();
        feed.spawn("owed-replay", move |stop| {
            let mut script = Script::default();
            let following = match reader.catch_up(&mut script) {
                Ok(_) => script.play(tempo, &mut session, &mailbox, &stop),
                Err(error) => Following::Lost { why: error.to_string() },
            };
            mailbox.follow(following);
        })?;
        Ok(feed)
    }
}

/// All records of a session in the order of their times; of each file, in the order of the file.
#[derive(Default)]
struct Script {
    format: Option<&'static Format>,
    files: Vec<File>,
    lines: Vec<Line>,
    amount: Amount,
}

struct File {
    origin: Origin,
    opening: crate::formats::adapter::Opening,
    adapter: Box<dyn Adapter>,
    newest: Newest,
}

#[derive(Clone, Copy)]
struct Line {
    place: Place,
    /// The latest time that its file has stated so far: clocks that jump back play nothing twice.
    at: Option<Stamp>,
}

impl Intake for Script {
    fn begin(&mut self, format: &'static Format) {
        *self = Self { format: Some(format), ..Self::default() };
    }

    fn open(&mut self, opened: Opened) {
        let adapter = (opened.format.open)(&opened.opening);
        self.files.push(File { origin: opened.origin, opening: opened.opening, adapter, newest: Newest(None) });
    }

    fn take(&mut self, record: Record<'_>) {
        let Some(file) = self.files.get_mut(record.place.file.index()) else { return };
        file.adapter.record(record, &mut file.newest);
        self.lines.push(Line { place: record.place, at: file.newest.0 });
    }

    fn read(&mut self, amount: Amount) -> ControlFlow<()> {
        self.amount = amount;
        ControlFlow::Continue(())
    }
}

impl Script {
    /// Plays it to its end, or until it is time to stop; how it ended.
    fn play(mut self, tempo: Tempo, session: &mut Session, mailbox: &Mailbox, stop: &Stop) -> Following {
        let Some(format) = self.format else { return Following::Ended };
        self.lines.sort_by_key(|line| line.at);
        session.begin(format);
        for file in &self.files {
            session.open(Opened { format, origin: file.origin.clone(), opening: file.opening.clone() });
        }
        let begin = self.lines.iter().position(|line| line.place.file == FileIx(0) && line.place.line >= tempo.from);
        let (mut done, mut saved) = (0, Duration::ZERO);
        let mut before: Option<Stamp> = None;
        for (n, line) in self.lines.iter().enumerate() {
            if begin.is_some_and(|begin| n > begin) {
                saved += tempo.gap(before, line.at);
            }
            if saved >= SHORTEST_GAP || Some(n) == begin {
                mailbox.publish(session.snapshot(Progress::Complete));
                if stop.wait(saved) {
                    return Following::Ended;
                }
                saved = Duration::ZERO;
            }
            before = line.at.or(before);
            if stop.is_due() {
                return Following::Ended;
            }
            if let Err(why) = self.take(line.place, session) {
                return Following::Lost { why };
            }
            done += u64::from(line.place.bytes.len);
            _ = session.read(Amount { done, ..self.amount });
        }
        _ = session.read(self.amount);
        mailbox.publish(session.snapshot(Progress::Complete));
        Following::Ended
    }

    /// Reads a record again, and folds it.
    fn take(&self, place: Place, session: &mut Session) -> Result<(), String> {
        let Some(file) = self.files.get(place.file.index()) else { return Ok(()) };
        let bytes = record_at(&file.origin, place).map_err(|error| error.to_string())?;
        if hash(&bytes) != place.hash {
            return Err(format!("{}: line {} is not what it was", file.origin.path().display(), place.line));
        }
        session.take(Record { bytes: &bytes, place });
        Ok(())
    }
}

impl Tempo {
    /// How long to pause between two records.
    fn gap(self, before: Option<Stamp>, at: Option<Stamp>) -> Duration {
        let (Some(before), Some(at)) = (before, at) else { return Duration::ZERO };
        let seconds = at.millis_since(before).max(0) as f64 / 1000.0 / self.speed;
        match self.speed {
            speed if speed > 0.0 => Duration::try_from_secs_f64(seconds).unwrap_or(self.longest_gap).min(self.longest_gap),
            _ => Duration::ZERO,
        }
    }
}

/// Keeps the latest time that events state.
struct Newest(Option<Stamp>);

impl Sink for Newest {
    fn event(&mut self, event: Event<'_>) {
        self.0 = self.0.max(event.at);
    }

    fn fact(&mut self, _: Fact<'_>) {}

    fn diagnostic(&mut self, _: Diagnostic) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::read;
    use crate::session::testing::{Screen, append, digest, note, note_at, options};

    #[test]
    fn a_replay_ends_as_the_whole_session() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        for n in 0..20 {
            append(&path, format!("{}\n", note_at(n * 1000, &format!("note {n}"))));
        }
        let tempo = Tempo { speed: 100.0, ..Tempo::default() };
        let screen = Screen::of(|wake| Feed::replay(&path, tempo, &options(), wake));
        let latest = screen.until(|_| screen.feed.following() == Following::Ended);
        assert_eq!(digest(&latest), digest(&read(&path, &options()).unwrap()));
        assert!(latest.revision > 10, "the steps were shown: {}", latest.revision);
    }

    #[test]
    fn an_embedded_session_has_bodies() {
        let text: &'static str = Box::leak(format!("{}\n{}\n", note("one"), note("two")).into_boxed_str());
        let screen = Screen::of(|wake| Feed::replay_bytes("the demo", text.as_bytes(), Tempo::default(), &options(), wake));
        let latest = screen.until(|s| s.lanes[0].events.len() == 2);
        assert_eq!(latest.facts.path, Path::new("the demo"));
        let row = latest.lanes[0].events.get(1).cloned().unwrap();
        assert_eq!(screen.feed.bodies().read(&row).unwrap().raw, note("two"));
    }

    #[test]
    fn files_are_played_together_each_in_its_own_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        std::fs::create_dir_all(folder.path().join("s/subagents")).unwrap();
        let child = folder.path().join("s/subagents/agent-a.jsonl");
        for (path, at) in [(&path, 10), (&path, 40), (&path, 30), (&path, 60), (&child, 20), (&child, 50), (&child, 70)] {
            append(path, format!("{}\n", note_at(at * 1000, &format!("at {at}"))));
        }
        let mut script = Script::default();
        _ = Reader::new(Origin::Path(path), &options()).catch_up(&mut script).unwrap();
        script.lines.sort_by_key(|line| line.at);
        let order: Vec<_> = script.lines.iter().map(|line| (line.place.file.0, line.place.line)).collect();
        assert_eq!(order, [(0, 1), (1, 1), (0, 2), (0, 3), (1, 2), (0, 4), (1, 3)]);
    }

    #[test]
    fn pauses_follow_the_sessions_clock() {
        let gap = |tempo: Tempo, millis: i64| tempo.gap(Some(Stamp(5_000)), Some(Stamp(5_000 + millis))).as_millis();
        let tempo = Tempo::default();
        let cases = [(tempo, 500, 500), (tempo, 60_000, 2_000), (tempo, -3_000, 0), (tempo, i64::MAX - 9_000, 2_000)];
        for (tempo, millis, expected) in cases {
            assert_eq!(gap(tempo, millis), expected, "{millis}");
        }
        for (speed, expected) in [(10.0, 50), (0.5, 1_000), (f64::INFINITY, 0), (0.0, 0), (-1.0, 0), (f64::NAN, 0), (1e-300, 2_000)]
        {
            assert_eq!(gap(Tempo { speed, ..tempo }, 500), expected, "{speed}");
        }
        assert_eq!(tempo.gap(None, Some(Stamp(1))), Duration::ZERO);
    }
}
