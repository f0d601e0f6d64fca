//! The fold of a whole session: one ledger a lane.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::ids::FileIx;
use crate::base::time::Stamp;
use crate::formats::Format;
use crate::ledger::{Prepared, Rulebook};
use crate::session::bodies::{Bodies, Shelf};
use crate::session::lanes::Lanes;
use crate::session::reader::{Amount, Intake, Opened};
use crate::session::side::Side;
use crate::session::snapshot::{Facts, Progress, SessionFile, Snapshot};
use crate::transcript::{Agent, Diagnostic, DiagnosticKind, Event, Fact, LaneKey, Payload, Place, Record, Sink};

/// A session that is being read: the one owner of its ledgers.
pub struct Session {
    rules: Arc<Rulebook>,
    epoch: u32,
    revision: u64,
    lanes: Lanes,
    facts: Facts,
    side: Side,
    shelf: Shelf,
    /// The events that its format made something of.
    recognised: u64,
}

impl Session {
    /// A session without files, whose main file will be at `path`.
    #[must_use]
    pub fn new(path: &Path, rules: Arc<Rulebook>) -> Self {
        Self {
            lanes: Lanes::new(UNKNOWN, Arc::clone(&rules)),
            rules,
            epoch: 0,
            revision: 0,
            facts: no_facts(path.to_path_buf(), UNKNOWN),
            side: Side::default(),
            shelf: Shelf::default(),
            recognised: 0,
        }
    }

    /// Folds an event, which may have been prepared.
    pub(super) fn hear(&mut self, event: &Event<'_>, prepared: Prepared<'_>) {
        if let Payload::Unrecognised { name, .. } = &event.payload {
            count(&mut self.facts.unrecognised, name);
        } else {
            self.recognised += 1;
        }
        self.lanes.apply(event, prepared);
    }

    /// Everything that is there was read, and it is `now`: what has no later event counts at the end.
    pub(super) fn at_end(&mut self, now: Stamp) {
        let files = &self.facts.files;
        self.lanes.at_end(|file| files.get(file.index()).map_or(0, |file| file.lines), now);
    }

    /// Whether something came too late for what was folded: then nothing here is to be shown, and reading must begin again.
    pub(super) fn is_out_of_order(&self) -> bool {
        self.lanes.is_out_of_order()
    }

    /// Whether its format made nothing of any record.
    pub(super) fn is_mute(&self) -> bool {
        self.recognised == 0
    }

    /// Notes that a file ends in the middle of a record. Only who reads a session once, to its end, may say that.
    pub(super) fn torn(&mut self, line: u32) {
        insert(&mut self.facts.diagnostics, Diagnostic { kind: DiagnosticKind::Torn, line });
    }

    /// The session as it stands, for readers. What has not changed since the last one is shared with it.
    pub fn snapshot(&mut self, progress: Progress) -> Snapshot {
        self.revision += 1;
        self.facts.side = self.side.ledgers();
        self.facts.mistakes = self.side.mistakes(self.lanes.complaints());
        Snapshot {
            revision: self.revision,
            epoch: self.epoch,
            progress,
            facts: Arc::new(self.facts.clone()),
            lanes: self.lanes.publish(),
        }
    }

    /// The reader of its events' bodies.
    #[must_use]
    pub fn bodies(&self) -> Bodies {
        self.shelf.bodies()
    }
}

impl Intake for Session {
    fn begin(&mut self, format: &'static Format) {
        // Rows that somebody may hold mean nothing any more.
        if !self.facts.files.is_empty() {
            (self.epoch, self.revision) = (self.epoch + 1, 0);
        }
        self.side = Side::default();
        self.recognised = 0;
        self.shelf.clear(format);
        self.lanes = Lanes::new(format.agent, Arc::clone(&self.rules));
        self.facts = no_facts(std::mem::take(&mut self.facts.path), format.agent);
    }

    fn open(&mut self, opened: Opened) {
        if let LaneKey::Sub(id) = &opened.opening.lane {
            self.lanes.give(id, FileIx::from_index(self.facts.files.len()));
        }
        let path = if self.facts.files.is_empty() { &self.facts.path } else { opened.origin.path() };
        self.facts.files.push(SessionFile { path: path.to_path_buf(), lines: 0 });
        self.shelf.add(opened.origin, opened.opening);
    }

    fn line(&mut self, file: FileIx, line: u32) {
        if let Some(told) = self.facts.files.get_mut(file.index()) {
            told.lines = line;
        }
    }

    /// Takes what a side ledger says. A line of it that cannot be read is told, and stops nothing.
    fn note(&mut self, path: &Path, record: Record<'_>) {
        self.side.read(path, record, &mut self.lanes);
    }

    fn read(&mut self, amount: Amount) -> ControlFlow<()> {
        self.facts.bytes = amount.done;
        ControlFlow::Continue(())
    }
}

impl Sink for Session {
    fn event(&mut self, event: Event<'_>) {
        self.hear(&event, Prepared::default());
    }

    fn fact(&mut self, fact: Fact<'_>) {
        match fact {
            Fact::Lane { lane, parent } => self.lanes.set_parent(&lane, &parent),
            Fact::Model(lane, model) => self.lanes.set_model(&lane, &model),
            Fact::Bookkeeping(name) => count(&mut self.facts.bookkeeping, &name),
            Fact::Session(id) => set(&mut self.facts.id, &id),
            Fact::Version(version) => set(&mut self.facts.version, &version),
            Fact::Directory(directory) => set(&mut self.facts.directory, &directory),
            Fact::Branch(branch) => set(&mut self.facts.branch, &branch),
            Fact::Title(title) => set(&mut self.facts.title, &title),
            Fact::Ledger { json, place } => {
                let record = Record { bytes: json.as_bytes(), place: Place { file: AMONG_EVENTS, ..place } };
                self.side.read(&self.facts.path, record, &mut self.lanes);
            }
        }
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        insert(&mut self.facts.diagnostics, diagnostic);
    }
}

/// Records of the ledger that stand among the events count behind those of every side ledger.
const AMONG_EVENTS: FileIx = FileIx(u32::MAX);

/// The agent of a session that has no record yet.
pub(super) const UNKNOWN: Agent = Agent("unknown");

/// Adds an oddity, in order of lines.
fn insert(all: &mut Vec<Diagnostic>, diagnostic: Diagnostic) {
    let at = all.partition_point(|known| (known.line, known.kind) <= (diagnostic.line, diagnostic.kind));
    all.insert(at, diagnostic);
}

fn set(known: &mut Option<String>, said: &str) {
    if known.as_deref() != Some(said) {
        *known = Some(said.to_owned());
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => _ = counts.insert(name.to_owned(), 1),
    }
}

fn no_facts(path: PathBuf, agent: Agent) -> Facts {
    Facts {
        path,
        files: Vec::new(),
        agent,
        id: None,
        version: None,
        directory: None,
        branch: None,
        title: None,
        unrecognised: Default::default(),
        bookkeeping: Default::default(),
        diagnostics: Vec::new(),
        side: Vec::new(),
        mistakes: Vec::new(),
        bytes: 0,
    }
}
