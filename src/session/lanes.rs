//! The lanes of a session, and which file speaks for which.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::base::ids::FileIx;
use crate::ledger::Rulebook;
use crate::ledger::{Lane, LaneSnapshot};
use crate::transcript::{Agent, Event, LaneKey};

/// All lanes of a session, by order of appearance; the main one first and always there.
pub(super) struct Lanes {
    agent: Agent,
    rules: Arc<Rulebook>,
    main: Row,
    subs: IndexMap<Arc<str>, Row>,
}

struct Row {
    lane: Lane,
    /// The file that holds nothing but this lane. What other files repeat of the lane is left out.
    own: Option<FileIx>,
    /// As it was last published; none when it has changed since.
    published: Option<Arc<LaneSnapshot>>,
}

impl Lanes {
    pub(super) fn new(agent: Agent, rules: Arc<Rulebook>) -> Self {
        let main = Row::new("main", agent, &rules);
        Self { agent, rules, main, subs: IndexMap::new() }
    }

    /// Folds one event of `file` into its lane.
    pub(super) fn apply(&mut self, file: FileIx, event: &Event<'_>) {
        let row = self.row(&event.lane);
        if row.own.is_none_or(|own| own == file) {
            row.published = None;
            // What changed is read off the next snapshot.
            _ = row.lane.apply(event);
        }
    }

    /// A sub-agent turns out to have a file of its own. What the main file said of it before is superseded, as if the file had been
    /// there from the beginning.
    pub(super) fn give(&mut self, id: &str, file: FileIx) {
        let fresh = Row::new(id, self.agent, &self.rules);
        let row = self.row(&LaneKey::Sub(id.into()));
        *row = fresh;
        row.own = Some(file);
        row.lane.set_parent(LaneKey::Main.name());
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
            None => self.subs.insert_full(id.as_ref().into(), Row::new(id, self.agent, &self.rules)).0,
        };
        self.subs.get_index_mut(n).map_or(&mut self.main, |(_, row)| row)
    }
}

impl Row {
    fn new(name: &str, agent: Agent, rules: &Arc<Rulebook>) -> Self {
        Self { lane: Lane::new(name, agent, Arc::clone(rules)), own: None, published: None }
    }
}
