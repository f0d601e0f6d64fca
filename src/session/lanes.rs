//! The lanes of a session, and which file speaks for which.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::base::ids::FileIx;
use crate::base::time::Stamp;
use crate::ledger::Rulebook;
use crate::ledger::record::{Mistake, Record};
use crate::ledger::{Lane, LaneSnapshot, Prepared};
use crate::session::notes::{Due, Note, Notes, Order, OutOfOrder};
use crate::transcript::{Agent, Event, LaneKey};

/// All lanes of a session, by order of appearance; the main one first and always there.
pub(super) struct Lanes {
    agent: Agent,
    rules: Arc<Rulebook>,
    main: Row,
    subs: IndexMap<Arc<str>, Row>,
    /// Records about lanes that are not there yet.
    strays: BTreeMap<Box<str>, Notes>,
    complaints: Vec<Complaint>,
    out_of_order: Option<OutOfOrder>,
}

struct Row {
    lane: Lane,
    /// The file that holds nothing but this lane. What other files repeat of the lane is left out.
    own: Option<FileIx>,
    /// As it was last published; none when it has changed since.
    published: Option<Arc<LaneSnapshot>>,
    /// What its side ledgers say, and does not count yet.
    notes: Notes,
}

/// A record that says something about nothing, where it stands.
#[derive(Clone, Debug)]
pub(super) struct Complaint {
    pub(super) order: Order,
    /// Its line in its side ledger.
    pub(super) line: u32,
    pub(super) mistake: Mistake,
}

impl Lanes {
    pub(super) fn new(agent: Agent, rules: Arc<Rulebook>) -> Self {
        let main = Row::new("main", agent, &rules);
        let (strays, complaints) = (BTreeMap::new(), Vec::new());
        Self { agent, rules, main, subs: IndexMap::new(), strays, complaints, out_of_order: None }
    }

    /// Folds one event into its lane, behind the records that count before it. What was not prepared is now.
    pub(super) fn apply(&mut self, event: &Event<'_>, prepared: Prepared<'_>) {
        let row = self.row(&event.lane);
        if row.own.is_none_or(|own| own == event.place.file) {
            row.published = None;
            let due = row.notes.before(event.place.line, event.at);
            let counted = row.count(due);
            // What changed is read off the next snapshot.
            _ = row.lane.apply_prepared(event, prepared);
            self.counted(counted);
        }
    }

    /// Takes a record of a side ledger.
    pub(super) fn note(&mut self, order: Order, line: u32, record: Record) {
        let Record { lane, anchor, says } = record;
        let row = if lane == LaneKey::Main.name() { Some(&mut self.main) } else { self.subs.get_mut(lane.as_str()) };
        let notes = match row {
            Some(row) => &mut row.notes,
            None => self.strays.entry(lane.into()).or_default(),
        };
        if let Err(late) = notes.add(order, anchor, Note { line, says }) {
            self.out_of_order = Some(late);
        }
    }

    /// Everything that is there was read; `lines` tells up to which line of each file. What has no later event counts now, if its time
    /// has come.
    pub(super) fn at_end(&mut self, lines: impl Fn(FileIx) -> u32, now: Stamp) {
        for n in 0..=self.subs.len() {
            let row = match n.checked_sub(1) {
                None => Some(&mut self.main),
                Some(n) => self.subs.get_index_mut(n).map(|(_, row)| row),
            };
            let Some(row) = row else { continue };
            let due = row.notes.at_end(lines(row.own.unwrap_or_default()), now);
            let counted = row.count(due);
            self.counted(counted);
        }
    }

    /// Whether something came too late for what was folded: then nothing here is to be shown, and reading must begin again.
    pub(super) fn is_out_of_order(&self) -> bool {
        self.out_of_order.is_some()
    }

    /// What records said about nothing, and the records that still wait.
    pub(super) fn complaints(&self) -> Vec<Complaint> {
        let told = |order: Order, note: &Note, why: &str| Complaint { order, line: note.line, mistake: Mistake::whole(why) };
        let rows = std::iter::once(&self.main).chain(self.subs.values());
        let ahead = rows.flat_map(|row| row.notes.waiting()).map(|(order, note, why)| told(order, note, why));
        let strays = self.strays.iter().flat_map(|(lane, notes)| notes.waiting().map(move |(order, note, _)| (lane, order, note)));
        let strays = strays.map(|(lane, order, note)| told(order, note, &format!("no lane is called `{lane}`")));
        let mut all: Vec<Complaint> = self.complaints.iter().cloned().chain(ahead).chain(strays).collect();
        all.sort_by_key(|complaint| complaint.order);
        all
    }

    /// A sub-agent turns out to have a file of its own. What the main file said of it before is superseded, as if the file had been
    /// there from the beginning.
    pub(super) fn give(&mut self, id: &str, file: FileIx) {
        let fresh = Row::new(id, self.agent, &self.rules);
        let row = self.row(&LaneKey::Sub(id.into()));
        let old = std::mem::replace(row, fresh);
        row.own = Some(file);
        row.lane.set_parent(LaneKey::Main.name());
        match old.notes.restart() {
            Ok(notes) => row.notes = notes,
            Err(late) => self.out_of_order = Some(late),
        }
    }

    pub(super) fn set_parent(&mut self, lane: &LaneKey<'_>, parent: &LaneKey<'_>) {
        let row = self.row(lane);
        row.published = None;
        row.lane.set_parent(parent.name());
    }

    pub(super) fn set_model(&mut self, lane: &LaneKey<'_>, model: &str) {
        let row = self.row(lane);
        row.published = None;
        row.lane.set_model(model);
    }

    /// All lanes, for readers; those that have not changed are shared with the last publication.
    pub(super) fn publish(&mut self) -> Vec<Arc<LaneSnapshot>> {
        let publish = |row: &mut Row| Arc::clone(row.published.get_or_insert_with(|| Arc::new(row.lane.snapshot())));
        std::iter::once(&mut self.main).chain(self.subs.values_mut()).map(publish).collect()
    }

    /// The lane of this key, made where it is new.
    fn row(&mut self, key: &LaneKey<'_>) -> &mut Row {
        let LaneKey::Sub(id) = key else { return &mut self.main };
        let n = match self.subs.get_index_of(id.as_ref()) {
            Some(n) => n,
            None => {
                let notes = self.strays.remove(id.as_ref()).unwrap_or_default();
                let row = Row { notes, ..Row::new(id, self.agent, &self.rules) };
                self.subs.insert_full(id.as_ref().into(), row).0
            }
        };
        self.subs.get_index_mut(n).map_or(&mut self.main, |(_, row)| row)
    }

    fn counted(&mut self, counted: Result<Vec<Complaint>, OutOfOrder>) {
        match counted {
            Ok(complaints) => self.complaints.extend(complaints),
            Err(late) => self.out_of_order = Some(late),
        }
    }
}

impl Row {
    fn new(name: &str, agent: Agent, rules: &Arc<Rulebook>) -> Self {
        Self { lane: Lane::new(name, agent, Arc::clone(rules)), own: None, published: None, notes: Notes::default() }
    }

    /// Counts the records whose turn it is.
    fn count(&mut self, due: Due) -> Result<Vec<Complaint>, OutOfOrder> {
        let mut complaints = Vec::new();
        for (order, Note { line, says }) in due? {
            self.published = None;
            if let Err(mistake) = self.lane.record(&says) {
                complaints.push(Complaint { order, line, mistake });
            }
        }
        Ok(complaints)
    }
}
