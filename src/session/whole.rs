//! A session read once, to its end.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crate::base::ids::FileIx;
use crate::formats::Format;
use crate::session::clock::wall;
use crate::session::error::Error;
use crate::session::feed::{Feed, Following};
use crate::session::fold::Session;
use crate::session::opening::{Options, held, origin_of};
use crate::session::parcel::{Parcel, way};
use crate::session::reader::{Amount, Intake, Opened, Reader};
use crate::session::snapshot::{Progress, Snapshot};
use crate::source::Origin;
use crate::transcript::{Diagnostic, Event, Fact, Record, Sink};

/// A session of so many bytes takes longer to read than a thread to start.
const WORTH_A_THREAD: u64 = 1 << 18;

/// Reads the session at `path`, with its sub-agents' files. An empty file is a session without events.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub fn read(path: &Path, options: &Options) -> Result<Snapshot, Error> {
    Ok(fold(origin_of(path)?, path, options)?.snapshot(Progress::Complete))
}

/// Reads a session from input that can be read only once.
///
/// # Errors
/// It cannot be read or kept, or is no transcript.
pub fn read_input(input: &mut dyn Read, options: &Options) -> Result<Snapshot, Error> {
    Ok(fold(held(input)?, Path::new("-"), options)?.snapshot(Progress::Complete))
}

/// Translates the session at `path` without folding it: every event, fact and oddity, file by file, goes to `sink`.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub fn translate(path: &Path, options: &Options, sink: &mut dyn Sink) -> Result<(), Error> {
    let mut reader = Reader::new(origin_of(path)?, options);
    _ = reader.catch_up(&mut Translation(sink))?;
    reader.expect_all()
}

impl Feed {
    /// A session that is read once, to its end, before it is shown.
    ///
    /// # Errors
    /// It cannot be read, or is no transcript.
    pub fn whole(path: &Path, options: &Options) -> Result<Self, Error> {
        Ok(Self::of_whole(fold(origin_of(path)?, path, options)?))
    }

    /// The same on this thread alone: for whoever reads many sessions at once.
    ///
    /// # Errors
    /// It cannot be read, or is no transcript.
    pub fn whole_here(path: &Path, options: &Options) -> Result<Self, Error> {
        let session = Session::new(path, Arc::clone(&options.rules));
        Ok(Self::of_whole(fold_here(Reader::new(origin_of(path)?, options), session)?))
    }

    /// The same, of input that can be read only once.
    ///
    /// # Errors
    /// It cannot be read or kept, or is no transcript.
    pub fn whole_input(input: &mut dyn Read, options: &Options) -> Result<Self, Error> {
        Ok(Self::of_whole(fold(held(input)?, Path::new("-"), options)?))
    }

    fn of_whole(mut session: Session) -> Self {
        let bodies = session.bodies();
        Self::new(session.snapshot(Progress::Complete), bodies, Following::Ended, Arc::new(|| {}))
    }
}

fn fold(origin: Origin, path: &Path, options: &Options) -> Result<Session, Error> {
    let mut session = Session::new(path, Arc::clone(&options.rules));
    let mut reader = Reader::new(origin, options);
    if reader.size() < WORTH_A_THREAD {
        return fold_here(reader, session);
    }
    fold_while_reading(&mut reader, &mut session, options)?;
    ended(&reader, session)
}

/// Reads and folds on this thread.
fn fold_here(mut reader: Reader, mut session: Session) -> Result<Session, Error> {
    // A session stops nobody.
    _ = reader.catch_up(&mut session)?;
    ended(&reader, session)
}

/// A session of which everything was read.
///
/// # Errors
/// That is too little to be one.
fn ended(reader: &Reader, mut session: Session) -> Result<Session, Error> {
    reader.expect_all()?;
    if session.is_mute() {
        reader.expect_asked()?;
    }
    session.at_end(wall());
    // Whoever follows a file waits for the rest of its last line; here nobody does.
    for line in reader.unfinished() {
        session.torn(line);
    }
    Ok(session)
}

/// Reads on a thread of its own, and folds here.
fn fold_while_reading(reader: &mut Reader, session: &mut Session, options: &Options) -> Result<(), Error> {
    let (mut dispatch, mut delivery) = way(Arc::clone(&options.rules));
    thread::scope(|scope| {
        let read = move || {
            let outcome = reader.catch_up(&mut dispatch);
            // Nobody stops receiving before that.
            _ = dispatch.caught_up();
            outcome
        };
        let reading = thread::Builder::new().name("owed-reader".to_owned()).spawn_scoped(scope, read).map_err(Error::Thread)?;
        while let Ok(parcel) = delivery.parcels.recv() {
            if let Parcel::Told(items, amount) = parcel {
                delivery.tell(session, items, amount);
            }
        }
        match reading.join() {
            Ok(outcome) => outcome.map(|_| ()),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Hands on events, facts and oddities, and nothing else.
struct Translation<'s>(&'s mut dyn Sink);

impl Sink for Translation<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.0.event(event);
    }

    fn fact(&mut self, fact: Fact<'_>) {
        self.0.fact(fact);
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.0.diagnostic(diagnostic);
    }
}

impl Intake for Translation<'_> {
    fn begin(&mut self, _: &'static Format) {}

    fn open(&mut self, _: Opened) {}

    fn line(&mut self, _: FileIx, _: u32) {}

    fn note(&mut self, _: &Path, _: Record<'_>) {}

    fn read(&mut self, _: Amount) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{append, call, digest, done, note, options, sub, title};
    use crate::transcript::{Diagnostic, DiagnosticKind};

    #[test]
    fn a_session_is_read_with_its_sub_agents() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("s.jsonl");
        append(&main, [note("go"), title("A title"), sub("b", "repeated"), sub("c", "only here")].join("\n") + "\n");
        std::fs::create_dir_all(folder.path().join("s/subagents")).unwrap();
        append(&folder.path().join("s/subagents/agent-b.jsonl"), [note("one"), title("Not it"), note("two")].join("\n"));
        append(&folder.path().join("s/subagents/agent-a.jsonl"), call("x"));
        let snapshot = read(&main, &options()).unwrap();
        let lanes: Vec<_> = snapshot.lanes.iter().map(|l| (l.name.as_ref(), l.parent.as_deref(), l.events.len())).collect();
        assert_eq!(lanes, [("main", None, 1), ("a", Some("main"), 1), ("b", Some("main"), 2), ("c", Some("main"), 1)]);
        assert_eq!(snapshot.facts.title.as_deref(), Some("A title"));
        assert_eq!(snapshot.progress, Progress::Complete);
        let sizes = ["s.jsonl", "s/subagents/agent-a.jsonl", "s/subagents/agent-b.jsonl"];
        let size = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().len();
        assert_eq!(snapshot.facts.bytes, sizes.map(size).iter().sum::<u64>());
    }

    #[test]
    fn what_is_no_session_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let said = |path: &Path| read(path, &options()).map(|_| ()).unwrap_err();
        assert!(matches!(said(&path), Error::Source(crate::source::Error::NotFound { .. })));
        assert!(said(folder.path()).to_string().ends_with("is a folder, not a file"));
        append(&path, "{\"what\":\"else\"}\n");
        // What is asked for is looked for all the same, and not found.
        let asked = Options { format: Some(crate::transcript::Agent("codex")), ..options() };
        assert!(matches!(read(&path, &asked).map(|_| ()).unwrap_err(), Error::Unknown { .. }));
        let other = folder.path().join("s.jsonl");
        append(&other, note("go"));
        let told = read(&other, &asked).map(|_| ()).unwrap_err().to_string();
        assert!(told.ends_with(": looked for a session of Codex, found one of Claude Code"), "{told}");
        assert!(matches!(said(&path), Error::Unknown { .. }));
        assert!(said(&path).next().contains("--format"), "{}", said(&path).next());
    }

    #[test]
    fn a_file_that_ends_in_the_middle_of_a_record_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        append(&path, note("whole") + "\n" + note("torn").split_at(20).0);
        let snapshot = read(&path, &options()).unwrap();
        assert_eq!(snapshot.facts.diagnostics, [Diagnostic { kind: DiagnosticKind::Torn, line: 2 }]);
        append(&path, note("torn").split_at(20).1);
        let snapshot = read(&path, &options()).unwrap();
        assert_eq!((snapshot.facts.diagnostics.len(), snapshot.lanes[0].events.len()), (0, 2));
    }

    #[test]
    fn an_empty_file_is_a_session_without_events() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        for text in ["", "\u{FEFF}", "\n\n"] {
            append(&path, text);
            let snapshot = read(&path, &options()).unwrap();
            assert_eq!((snapshot.lanes.len(), snapshot.lanes[0].events.len()), (1, 0));
            assert_eq!(snapshot.facts.agent, crate::session::fold::UNKNOWN);
        }
    }

    #[test]
    fn the_beginning_of_something_is_no_session_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        let note = note("not finished");
        let deep = r#"{"a":"#.repeat(200);
        let begun: [(&str, &str); 5] = [
            (note.split_at(9).0, "the first record ends in the middle"),
            (r#"{"a":1,"#, "the first record ends in the middle"),
            (&deep, "the first record ends in the middle"),
            ("{\n \"model\": \"m\",\n \"messages\": [", "ends in the middle, at line 3, column 14"),
            ("[", "ends in the middle, at line 1, column 1"),
        ];
        for (text, part) in begun {
            std::fs::write(&path, text).unwrap();
            let error = read(&path, &options()).map(|_| ()).unwrap_err();
            let told = error.to_string();
            assert!(told.contains("no session of Claude Code") && told.contains("found too little: "), "{told}");
            assert!(told.contains(part) && error.next().starts_with("its writer may not be done"), "{told}");
            let translated = translate(&path, &options(), &mut Session::new(&path, options().rules));
            assert_eq!(translated.unwrap_err().to_string(), told);
        }
        for nothing in ["{}", "[]", "{}\n{}\n", "[{}]"] {
            std::fs::write(&path, nothing).unwrap();
            let told = read(&path, &options()).map(|_| ()).unwrap_err().to_string();
            assert!(told.ends_with("found JSON with nothing in it"), "{told}");
        }
    }

    #[test]
    fn standard_input_is_read_like_a_file_and_its_bodies_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let text = [note("one"), note("two")].join("\n");
        append(&path, &text);
        let feed = Feed::whole_input(&mut text.as_bytes(), &options()).unwrap();
        assert_eq!(digest(&feed.latest()), digest(&read(&path, &options()).unwrap()));
        assert_eq!(feed.latest().facts.path, Path::new("-"));
        let row = feed.latest().lanes[0].events.get(1).cloned().unwrap();
        assert_eq!(feed.bodies().read(&row).unwrap().raw, note("two"));
    }

    #[test]
    fn it_does_not_matter_whether_a_session_is_folded_while_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let long = |n: usize| format!("{n}-{}", "src/a.rs ".repeat(300));
        let pair = |n: usize| [call(&long(n)), done(&long(n))].join("\n") + "\n";
        append(&path, note("begin") + "\n" + &(0..500).map(pair).collect::<String>() + &note("torn")[..20]);
        std::fs::create_dir_all(folder.path().join("s/subagents")).unwrap();
        append(&folder.path().join("s/subagents/agent-a.jsonl"), [note("one"), title("Not it")].join("\n"));
        assert!(std::fs::metadata(&path).unwrap().len() > 2 * crate::source::follow::BUFFER as u64, "several parcels");
        let mut session = Session::new(&path, options().rules);
        let mut reader = Reader::new(Origin::Path(path.clone()), &options());
        _ = reader.catch_up(&mut session).unwrap();
        reader.unfinished().for_each(|line| session.torn(line));
        assert_eq!(digest(&read(&path, &options()).unwrap()), digest(&session.snapshot(Progress::Complete)));
    }

    #[test]
    fn two_records_on_a_line_are_told_once_however_they_came() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mut session = Session::new(&path, options().rules);
        let mut reader = Reader::new(Origin::Path(path.clone()), &options());
        for piece in [note("one"), note("two"), note("three") + "junk\n"] {
            append(&path, &piece);
            _ = reader.catch_up(&mut session).unwrap();
        }
        assert_eq!(digest(&session.snapshot(Progress::Complete)), digest(&read(&path, &options()).unwrap()));
    }
}
