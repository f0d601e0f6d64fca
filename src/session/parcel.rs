//! What a reader reads, on its way to the thread that folds it.
//!
//! ```text
//! Dispatch --parcels, bounded--> Delivery
//!          <---spent parcels----
//! ```
//!
//! A parcel holds what a part of a file said, and goes back when it was told: what a thread has allocated is freed by itself, or
//! the two would wait for each other's memory.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::base::ids::FileIx;
use crate::formats::Format;
use crate::ledger::{Prepared, Preparer, Rulebook};
use crate::session::fold::Session;
use crate::session::reader::{Amount, Intake, Opened};
use crate::transcript::{Diagnostic, Event, Fact, Place, Record, Sink};

/// Parcels that may wait for whoever folds them.
const PARCELS: usize = 8;

/// While so many parcels wait, a reader is ahead: it takes over what it can of the fold's work, so that both are done at about the
/// same time.
const AHEAD: usize = 2;

/// A parcel of so many items is sent before its buffer has come to its end: the sooner there is something to fold, the better.
const ENOUGH: usize = 128;

/// What a reader sends.
pub(super) enum Parcel {
    /// What was read, in order; the amount if a buffer came to its end.
    Told(Items, Option<Amount>),
    /// Everything that is there was sent.
    CaughtUp,
}

/// What a session is told, in order.
#[derive(Default)]
pub(super) struct Items(Vec<Item>);

#[expect(clippy::large_enum_variant, reason = "nearly every item is an event")]
enum Item {
    Begun(&'static Format),
    Opened(Opened),
    Line(FileIx, u32),
    /// Prepared as far as there was time for it.
    Event(Event<'static>, Prepared),
    Fact(Fact<'static>),
    Diagnostic(Diagnostic),
    Note {
        path: PathBuf,
        bytes: Vec<u8>,
        place: Place,
    },
}

/// A way from a reader to a session.
/// `rules` are those of the session.
pub(super) fn way(rules: Arc<Rulebook>) -> (Dispatch, Delivery) {
    let (parcels, received) = bounded(PARCELS);
    // As many as there can be: giving one back never waits.
    let (give_back, spent) = bounded(PARCELS + 2);
    let dispatch = Dispatch { parcels, spent, items: Items::default(), sent: false, rules, preparer: None };
    (dispatch, Delivery { parcels: received, spent: give_back })
}

/// The end of the reader: sends what it is told, a buffer at a time or less.
pub(super) struct Dispatch {
    parcels: Sender<Parcel>,
    spent: Receiver<Items>,
    items: Items,
    /// Whether anything was sent since the session had caught up.
    sent: bool,
    rules: Arc<Rulebook>,
    /// Of the agent whose session it is.
    preparer: Option<Preparer>,
}

impl Dispatch {
    /// Sends what is left, and that it is all that is there; nothing if nothing was new. Break if nobody receives any more.
    pub(super) fn caught_up(&mut self) -> ControlFlow<()> {
        if !self.items.0.is_empty() {
            self.send(None)?;
        }
        if !std::mem::take(&mut self.sent) || self.parcels.send(Parcel::CaughtUp).is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn send(&mut self, amount: Option<Amount>) -> ControlFlow<()> {
        self.sent = true;
        let mut next = self.spent.try_recv().unwrap_or_default();
        next.0.clear();
        let parcel = Parcel::Told(std::mem::replace(&mut self.items, next), amount);
        if self.parcels.send(parcel).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Sink for Dispatch {
    fn event(&mut self, event: Event<'_>) {
        // What a text spells is read here, where the text has just been looked at. What it means is read here too while whoever folds
        // has other work.
        let prepared = match self.preparer.as_mut().filter(|_| self.parcels.len() >= AHEAD) {
            Some(preparer) => preparer.prepare(&event.payload),
            None => Prepared::spelled(&event.payload),
        };
        self.items.0.push(Item::Event(event.into_owned(), prepared));
    }

    fn fact(&mut self, fact: Fact<'_>) {
        self.items.0.push(Item::Fact(fact.into_owned()));
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.items.0.push(Item::Diagnostic(diagnostic));
    }
}

impl Intake for Dispatch {
    fn begin(&mut self, format: &'static Format) {
        // What came before means nothing any more.
        self.items.0.clear();
        self.items.0.push(Item::Begun(format));
        self.preparer = Some(Preparer::new(format.agent, Arc::clone(&self.rules)));
    }

    fn open(&mut self, opened: Opened) {
        self.items.0.push(Item::Opened(opened));
    }

    fn line(&mut self, file: FileIx, line: u32) {
        if self.items.0.len() >= ENOUGH {
            // That nobody receives is noticed at the end of the buffer.
            _ = self.send(None);
        }
        self.items.0.push(Item::Line(file, line));
    }

    fn note(&mut self, path: &Path, record: Record<'_>) {
        self.items.0.push(Item::Note { path: path.to_path_buf(), bytes: record.bytes.to_vec(), place: record.place });
    }

    fn read(&mut self, amount: Amount) -> ControlFlow<()> {
        self.send(Some(amount))
    }
}

/// The end of whoever folds.
pub(super) struct Delivery {
    /// What was sent.
    pub(super) parcels: Receiver<Parcel>,
    spent: Sender<Items>,
}

impl Delivery {
    /// Tells a session what came, and gives it back.
    pub(super) fn tell(&self, session: &mut Session, items: Items, amount: Option<Amount>) {
        items.0.iter().for_each(|item| item.tell(session));
        if let Some(amount) = amount {
            // A session stops nobody.
            _ = session.read(amount);
        }
        // A reader that has come to its end takes nothing back.
        _ = self.spent.try_send(items);
    }
}

impl Item {
    fn tell(&self, session: &mut Session) {
        match self {
            Self::Begun(format) => session.begin(format),
            Self::Opened(opened) => session.open(opened.clone()),
            Self::Line(file, line) => session.line(*file, *line),
            Self::Event(event, prepared) => session.hear(event, Some(prepared)),
            Self::Fact(fact) => session.fact(fact.clone()),
            Self::Diagnostic(diagnostic) => session.diagnostic(diagnostic.clone()),
            Self::Note { path, bytes, place } => session.note(path, Record { bytes, place: *place }),
        }
    }
}
