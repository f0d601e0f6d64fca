//! Reads all files of a session, its own and its sub-agents', and translates their records.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::base::ids::FileIx;
use crate::formats::Format;
use crate::formats::adapter::Opening;
use crate::session::error::Error;
use crate::session::opening::{Known, Options, Reading, expect_asked, expect_empty, looked_for, recognise, session_of};
use crate::session::translator::Translator;
use crate::source::children::{Child, Children, beside};
use crate::source::render::Change;
use crate::source::{Follower, Origin, Rendering, Step};
use crate::transcript::{LaneKey, Record, Sink};

/// Whoever takes what a reader reads, in this order: a beginning, the files, what they say. A new beginning voids what came before.
pub(super) trait Intake: Sink {
    /// A session of this format begins, or begins again.
    fn begin(&mut self, format: &'static Format);
    /// One more file of it.
    fn open(&mut self, opened: Opened);
    /// What comes next stands in this line of a file that was opened.
    fn line(&mut self, file: FileIx, line: u32);
    /// A record of the side ledger at `path`. Those that are there come before the records of the files.
    fn note(&mut self, path: &Path, record: Record<'_>);
    /// That much was read. Break stops the reader.
    fn read(&mut self, amount: Amount) -> ControlFlow<()>;
}

/// A file of a session. Files are numbered in the order in which they are opened, from 0 after a beginning.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) origin: Origin,
    pub(super) opening: Opening,
}

/// Bytes read of all files, and the bytes that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) done: u64,
    pub(super) total: u64,
}

/// The reader of one session.
pub(super) struct Reader {
    origin: Origin,
    options: Options,
    known: Option<Known>,
    /// The main file, then the sub-agents', in the order in which they were found.
    files: Vec<Source>,
    /// The side ledgers, numbered in the order in which they count; they may not be there.
    side: Vec<Follower>,
    children: Children,
    /// Sub-agents' files where old versions put them. New ones do not come there.
    beside: Vec<Child>,
    opened: BTreeSet<PathBuf>,
    buffer: Vec<u8>,
}

/// One file of a session.
struct Source {
    follower: Follower,
    /// What its lines are rendered from; none if they are the file's own.
    rendering: Option<Rendering>,
    translator: Translator,
}

/// What became of the side ledgers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Same,
    Grown,
    /// One of them is not the file that it was.
    Void,
}

/// How a pass over the files ended.
enum Pass {
    Done,
    /// One of them is not the file that it was.
    Void,
    /// Nobody wants to know any more.
    Stopped,
}

impl Reader {
    /// A reader of the session whose main file is at `origin`.
    pub(super) fn new(origin: Origin, options: &Options) -> Self {
        let side = options.side.of(&origin).into_iter().enumerate();
        Self {
            side: side.map(|(n, path)| Follower::new(Origin::Path(path), FileIx::from_index(n))).collect(),
            origin,
            options: options.clone(),
            known: None,
            files: Vec::new(),
            children: Children::default(),
            beside: Vec::new(),
            opened: BTreeSet::new(),
            buffer: Vec::new(),
        }
    }

    /// The session's format, once its file says anything.
    ///
    /// # Errors
    /// The file cannot be read, or is no transcript.
    pub(super) fn known(&mut self) -> Result<Option<Known>, Error> {
        if self.known.is_none() {
            self.known = recognise(&self.origin, &self.options)?;
        }
        Ok(self.known)
    }

    /// Reads everything that is new in all files.
    ///
    /// # Errors
    /// The main file cannot be read, or is no transcript. A sub-agent's file that cannot be read is passed over until it can.
    pub(super) fn catch_up(&mut self, intake: &mut dyn Intake) -> Result<ControlFlow<()>, Error> {
        loop {
            match self.pass(intake)? {
                Pass::Done => return Ok(ControlFlow::Continue(())),
                Pass::Stopped => return Ok(ControlFlow::Break(())),
                Pass::Void => self.begin_again(intake),
            }
        }
    }

    /// Forgets everything: what was read means nothing any more, also when nothing has come in its place yet.
    pub(super) fn begin_again(&mut self, intake: &mut dyn Intake) {
        if let Some(known) = self.known.take() {
            intake.begin(known.format);
        }
        self.side.iter_mut().for_each(Follower::rewind);
        self.files.clear();
        self.opened.clear();
    }

    /// That there is nothing to read, if it is not known what is read.
    ///
    /// # Errors
    /// There is the beginning of something, or it cannot be read.
    pub(super) fn expect_all(&self) -> Result<(), Error> {
        if self.known.is_none() { expect_empty(&self.origin) } else { Ok(()) }
    }

    /// For a reader that came to the end and made nothing of any record: that they are what was asked for.
    ///
    /// # Errors
    /// They are something else.
    pub(super) fn expect_asked(&self) -> Result<(), Error> {
        expect_asked(&self.origin, &self.options)
    }

    /// The lines in which files end, of those that end in the middle of one.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = u32> + '_ {
        self.files.iter().filter_map(|file| file.follower.unfinished())
    }

    /// The main file's length in bytes; zero where it cannot be told.
    pub(super) fn size(&self) -> u64 {
        self.origin.stat().map_or(0, |stat| stat.size)
    }

    /// The folders in which files of the session lie, or may appear.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let (Origin::Path(path) | Origin::Part(path, _)) = &self.origin else { return Vec::new() };
        // A link is one place where the file may change, what it leads to is another.
        let real = if path.is_symlink() { path.canonicalize().ok() } else { None };
        let side = self.side.iter().map(|side| side.origin().path());
        let own = std::iter::once(path).chain(&real).map(PathBuf::as_path).chain(side).filter_map(Path::parent);
        let own = own.map(|folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() });
        let rendered = self.files.iter().filter_map(|file| file.rendering.as_ref()).flat_map(Rendering::folders);
        own.chain(self.children.folders.iter().cloned()).chain(rendered).collect()
    }

    /// After what time to look again although no file has changed; none: until one does, there is nothing new.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.files.iter().filter_map(|file| file.rendering.as_ref()).filter_map(Rendering::pause).min()
    }

    /// How long to leave the files alone after this: what is rendered as a whole at each change must not take all of a processor.
    pub(super) fn rest(&self) -> Duration {
        self.files.iter().filter_map(|file| file.rendering.as_ref()).map(Rendering::cost).sum()
    }

    fn pass(&mut self, intake: &mut dyn Intake) -> Result<Pass, Error> {
        let Some(known) = self.known()? else { return Ok(Pass::Done) };
        // What is opened below is rendered as it is opened.
        for rendering in self.files.iter_mut().filter_map(|file| file.rendering.as_mut()) {
            if rendering.refresh()? == Change::Other {
                return Ok(Pass::Void);
            }
        }
        self.open_new(known, intake)?;
        let total = self.files.iter().map(|file| file.follower.size()).sum();
        match self.read_side(intake) {
            Side::Same => {}
            Side::Void => return Ok(Pass::Void),
            Side::Grown if intake.read(self.amount(total)).is_break() => return Ok(Pass::Stopped),
            Side::Grown => {}
        }
        let mut n = 0;
        while let Some(Source { follower, translator, .. }) = self.files.get_mut(n) {
            let step = match follower.step(&mut self.buffer, &mut |record| translator.take(record, intake)) {
                Err(error) if n == 0 => return Err(error.into()),
                Err(_) | Ok(Step::Idle) => {
                    n += 1;
                    continue;
                }
                Ok(Step::Reset(_)) => return Ok(Pass::Void),
                Ok(step) => step,
            };
            if intake.read(self.amount(total)).is_break() {
                return Ok(Pass::Stopped);
            }
            n += usize::from(step == Step::CaughtUp);
        }
        Ok(Pass::Done)
    }

    /// Reads what is new in the side ledgers. One that cannot be read is passed over until it can.
    fn read_side(&mut self, intake: &mut dyn Intake) -> Side {
        let mut side = Side::Same;
        for follower in &mut self.side {
            let path = follower.origin().path().to_path_buf();
            loop {
                match follower.step(&mut self.buffer, &mut |record| intake.note(&path, record)) {
                    Err(_) | Ok(Step::Idle) => break,
                    Ok(Step::Reset(_)) => return Side::Void,
                    Ok(Step::More) => side = Side::Grown,
                    Ok(Step::CaughtUp) => {
                        side = Side::Grown;
                        break;
                    }
                }
            }
        }
        side
    }

    /// Opens the files that were not open yet. A sub-agent's comes before the main file's records, so that what these repeat of it is
    /// left out.
    ///
    /// # Errors
    /// The main file cannot be rendered.
    fn open_new(&mut self, known: Known, intake: &mut dyn Intake) -> Result<(), Error> {
        let format = known.format;
        if let (Origin::Path(path), Some(family)) = (&self.origin, format.family()) {
            self.children = Children::of(path, family);
            if self.files.is_empty() {
                self.beside = beside(path, family);
            }
        }
        let children = || self.beside.iter().chain(&self.children.files);
        let new: Vec<Child> = children().filter(|child| !self.opened.contains(&child.path)).cloned().collect();
        if new.is_empty() && !self.files.is_empty() {
            return Ok(());
        }
        let elsewhere: Vec<String> = children().map(|child| child.id.clone()).collect();
        if self.files.is_empty() {
            let rendering = match known.reading {
                Reading::AsItStands => None,
                Reading::Rendered(container) => {
                    let told = |error| looked_for(&session_of(format), error);
                    Some(Rendering::new(&self.origin, container).map_err(told)?)
                }
            };
            intake.begin(format);
            let opening = Opening { lane: LaneKey::Main, elsewhere: elsewhere.clone() };
            self.open(format, (self.origin.clone(), rendering), opening, intake);
        }
        for Child { path, id } in new {
            self.opened.insert(path.clone());
            let opening = Opening { lane: LaneKey::Sub(id.into()), elsewhere: elsewhere.clone() };
            self.open(format, (Origin::Path(path), None), opening, intake);
        }
        Ok(())
    }

    fn open(
        &mut self,
        format: &'static Format,
        (origin, rendering): (Origin, Option<Rendering>),
        opening: Opening,
        intake: &mut dyn Intake,
    ) {
        let first = rendering.as_ref().map_or(1, Rendering::first);
        // Bodies are read again from where the records stand.
        let origin = rendering.as_ref().map_or(origin, |rendering| Origin::Held(rendering.lines()));
        let follower = Follower::numbered(origin.clone(), FileIx::from_index(self.files.len()), first);
        self.files.push(Source { follower, rendering, translator: Translator::new((format.open)(&opening)) });
        intake.open(Opened { origin, opening });
    }

    /// How much was read, of `total` bytes or of what they have grown to.
    fn amount(&self, total: u64) -> Amount {
        let done = self.files.iter().map(|file| file.follower.offset()).sum();
        Amount { done, total: total.max(done) }
    }
}
