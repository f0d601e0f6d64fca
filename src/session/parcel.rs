//! What a reader reads, on its way to the thread that folds it.
//!
//! ```text
//! Dispatch --parcels, bounded--> Delivery
//!          <---spent parcels----
//! ```
//!
//! A parcel holds what a part of a file said, its texts and the words in them in a few buffers: to allocate and to free each text by
//! itself costs as much as to look at it. It goes back when it was told, and its buffers are filled again: what a thread has allocated
//! is freed by itself, or the two would wait for each other's memory.
//!
//! All its events are read, then all are spelled, then understood, then folded: the code of all this is more than a processor keeps at
//! hand, and would be fetched again for each event.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::base::ids::FileIx;
use crate::formats::Format;
use crate::ledger::{Meaning, Prepared, Preparer, Rulebook, Spellings};
use crate::session::fold::Session;
use crate::session::reader::{Amount, Intake, Opened};
use crate::transcript::{Diagnostic, Event, Fact, Place, Record, Sink};

/// Parcels that may wait for whoever folds them: as many as are read while that one reads the rules of the fold first.
const PARCELS: usize = 32;

/// While parcels wait, a reader finds out what the texts of the next one spell before it sends it; while so many wait, it takes over all
/// that it can of the fold's work. So both are done at about the same time, whichever has more to do.
const AHEAD: usize = 2;

/// A parcel of so many items is sent before its buffer has come to its end. The first is of few, and each behind it of twice as many:
/// the sooner there is something to fold, the better.
const FEW: usize = 8;
const ENOUGH: usize = 128;

/// Bytes of texts that a parcel keeps room for; what longer ones took is given back.
const KEPT: usize = 1 << 17;

/// What a reader sends.
pub(super) enum Parcel {
    /// What was read, in order; the amount if a buffer came to its end.
    Told(Items, Option<Amount>),
    /// Everything that is there was sent.
    CaughtUp,
}

/// What a session is told, in order.
#[derive(Default)]
pub(super) struct Items {
    all: Vec<Item>,
    /// The texts of its events and facts, in the same order.
    texts: Texts,
    /// What the reader found out.
    ahead: Ahead,
}

/// What events say by themselves, in their order, as far as it was asked.
#[derive(Default)]
struct Ahead {
    spellings: Spellings,
    meanings: Vec<Option<Box<Meaning>>>,
}

/// Texts, one behind the other.
#[derive(Default)]
struct Texts {
    joined: String,
    ends: Vec<usize>,
}

enum Item {
    Begun(&'static Format),
    Opened(Opened),
    Line(FileIx, u32),
    /// Without its texts.
    Event(Event<'static>),
    /// Without its texts.
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
    let (spares, items) = (Vec::new(), Items::default());
    let dispatch = Dispatch { parcels, spent, spares, items, enough: FEW, sent: false, rules: Arc::clone(&rules), preparer: None };
    (dispatch, Delivery { parcels: received, spent: give_back, rules, preparer: None, ahead: Ahead::default() })
}

/// The end of the reader: sends what it is told, a buffer at a time or less.
pub(super) struct Dispatch {
    parcels: Sender<Parcel>,
    spent: Receiver<Items>,
    spares: Vec<Items>,
    items: Items,
    /// How many of them are enough to be sent.
    enough: usize,
    /// Whether anything was sent since the session had caught up.
    sent: bool,
    rules: Arc<Rulebook>,
    /// Of the agent whose session it is.
    preparer: Option<Preparer>,
}

impl Dispatch {
    /// Sends what is left, and that it is all that is there; nothing if nothing was new. Break if nobody receives any more.
    pub(super) fn caught_up(&mut self) -> ControlFlow<()> {
        if !self.items.all.is_empty() {
            self.send(None)?;
        }
        self.enough = FEW;
        if !std::mem::take(&mut self.sent) || self.parcels.send(Parcel::CaughtUp).is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn send(&mut self, amount: Option<Amount>) -> ControlFlow<()> {
        let waiting = self.parcels.len();
        if let Some(preparer) = self.preparer.as_mut().filter(|_| waiting > 0) {
            let Items { all, texts, ahead } = &mut self.items;
            ahead.spell(with_texts(all, texts), preparer);
            if waiting >= AHEAD {
                ahead.understand(with_texts(all, texts), preparer);
            }
        }
        self.sent = true;
        self.enough = ENOUGH.min(self.enough * 2);
        // The one that came back last is still in the processor's memory.
        self.spares.extend(self.spent.try_iter());
        let mut next = self.spares.pop().unwrap_or_default();
        next.clear();
        let parcel = Parcel::Told(std::mem::replace(&mut self.items, next), amount);
        if self.parcels.send(parcel).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Sink for Dispatch {
    fn event(&mut self, event: Event<'_>) {
        let Items { all, texts, .. } = &mut self.items;
        all.push(Item::Event(event.map_texts(&mut |text| texts.take(&text))));
    }

    fn fact(&mut self, fact: Fact<'_>) {
        let Items { all, texts, .. } = &mut self.items;
        all.push(Item::Fact(fact.map_texts(&mut |text| texts.take(&text))));
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.items.all.push(Item::Diagnostic(diagnostic));
    }
}

impl Intake for Dispatch {
    fn begin(&mut self, format: &'static Format) {
        // What came before means nothing any more.
        self.items.clear();
        self.items.all.push(Item::Begun(format));
        self.preparer = Some(Preparer::new(format.agent, Arc::clone(&self.rules)));
    }

    fn open(&mut self, opened: Opened) {
        self.items.all.push(Item::Opened(opened));
    }

    fn line(&mut self, file: FileIx, line: u32) {
        if self.items.all.len() >= self.enough {
            // That nobody receives is noticed at the end of the buffer.
            _ = self.send(None);
        }
        self.items.all.push(Item::Line(file, line));
    }

    fn note(&mut self, path: &Path, record: Record<'_>) {
        self.items.all.push(Item::Note { path: path.to_path_buf(), bytes: record.bytes.to_vec(), place: record.place });
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
    rules: Arc<Rulebook>,
    /// Of the agent whose session it is.
    preparer: Option<Preparer>,
    /// What the reader left to be found out.
    ahead: Ahead,
}

impl Delivery {
    /// Tells a session what came, and gives it back.
    pub(super) fn tell(&mut self, session: &mut Session, items: Items, amount: Option<Amount>) {
        if let Some(Item::Begun(format)) = items.all.first() {
            self.preparer = Some(Preparer::new(format.agent, Arc::clone(&self.rules)));
        }
        self.ahead.clear();
        items.tell(session, &mut self.ahead, self.preparer.as_mut());
        if let Some(amount) = amount {
            // A session stops nobody.
            _ = session.read(amount);
        }
        // A reader that has come to its end takes nothing back.
        _ = self.spent.try_send(items);
    }
}

impl Items {
    /// Tells a session what is in it, once what the reader left was found out, too.
    fn tell(&self, session: &mut Session, rest: &mut Ahead, preparer: Option<&mut Preparer>) {
        let Self { all, texts, ahead } = self;
        if let Some(preparer) = preparer {
            if ahead.spellings.is_empty() {
                rest.spell(with_texts(all, texts), preparer);
            }
            if ahead.meanings.is_empty() {
                rest.understand(with_texts(all, texts), preparer);
            }
        }
        let mut spelled = ahead.spellings.iter().chain(rest.spellings.iter());
        let mut meanings = ahead.meanings.iter().chain(&rest.meanings);
        for told in with_texts(all, texts) {
            match told {
                Told::Event(event) => {
                    let meaning = meanings.next().and_then(Option::as_deref);
                    session.hear(&event, Prepared { spelled: spelled.next(), meaning });
                }
                Told::Fact(fact) => session.fact(fact),
                Told::Other(Item::Begun(format)) => session.begin(format),
                Told::Other(Item::Opened(opened)) => session.open(opened.clone()),
                Told::Other(Item::Line(file, line)) => session.line(*file, *line),
                Told::Other(Item::Diagnostic(diagnostic)) => session.diagnostic(diagnostic.clone()),
                Told::Other(Item::Note { path, bytes, place }) => session.note(path, Record { bytes, place: *place }),
                Told::Other(Item::Event(_) | Item::Fact(_)) => {}
            }
        }
    }

    fn clear(&mut self) {
        self.all.clear();
        self.texts.clear();
        self.ahead.clear();
    }
}

/// An item, with its texts if it has any.
#[expect(clippy::large_enum_variant, reason = "one at a time is made and told, and nearly all are events")]
enum Told<'i> {
    Event(Event<'i>),
    Fact(Fact<'i>),
    Other(&'i Item),
}

/// Some items with their texts. They are made one at a time: to put them all together first costs as much as to make them again.
fn with_texts<'i>(items: &'i [Item], texts: &'i Texts) -> impl Iterator<Item = Told<'i>> {
    let mut texts = texts.iter();
    items.iter().map(move |item| {
        let mut with_text = |_| Cow::Borrowed(texts.next().unwrap_or_default());
        match item {
            Item::Event(event) => Told::Event(event.clone().map_texts(&mut with_text)),
            Item::Fact(fact) => Told::Fact(fact.clone().map_texts(&mut with_text)),
            other => Told::Other(other),
        }
    })
}

impl Ahead {
    /// Finds out what the texts of events spell.
    fn spell<'i>(&mut self, told: impl Iterator<Item = Told<'i>>, preparer: &mut Preparer) {
        for told in told {
            if let Told::Event(event) = told {
                preparer.spell(&event.payload, &mut self.spellings);
            }
        }
    }

    /// Finds out what events mean.
    fn understand<'i>(&mut self, told: impl Iterator<Item = Told<'i>>, preparer: &mut Preparer) {
        for told in told {
            if let Told::Event(event) = told {
                self.meanings.push(preparer.read_ahead(&event.payload));
            }
        }
    }

    fn clear(&mut self) {
        self.spellings.clear();
        self.meanings.clear();
    }
}

impl Texts {
    /// Keeps a text, and leaves an empty one in its place.
    fn take(&mut self, text: &str) -> Cow<'static, str> {
        self.joined.push_str(text);
        self.ends.push(self.joined.len());
        Cow::Borrowed("")
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let mut from = 0;
        self.ends.iter().map(move |end| self.joined.get(std::mem::replace(&mut from, *end)..*end).unwrap_or_default())
    }

    fn clear(&mut self) {
        self.joined.clear();
        self.joined.shrink_to(KEPT);
        self.ends.clear();
    }
}
