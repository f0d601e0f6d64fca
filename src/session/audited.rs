//! A session whose boundaries were audited.

use std::path::Path;
use std::sync::Arc;

use crate::audit::{Audit, Texts, audit, audit_here};
use crate::base::ids::EventIx;
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::session::bodies::Bodies;
use crate::session::error::Error;
use crate::session::feed::Feed;
use crate::session::opening::Options;
use crate::session::snapshot::Snapshot;
use crate::transcript::Payload;

/// A session, and what the boundaries of each of its lanes did.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The session.
    pub snapshot: Arc<Snapshot>,
    /// The audit of each lane, in the order of the lanes.
    pub audits: Vec<Audit>,
}

impl Audited {
    /// Reads the session at `path` with its sub-agents' files, and audits every boundary in it.
    ///
    /// # Errors
    /// It cannot be read, or is no transcript.
    pub fn read(path: &Path, options: &Options) -> Result<Self, Error> {
        Ok(Self::of(&Feed::whole(path, options)?, &options.rules))
    }

    /// Audits the newest snapshot of a session that was read.
    #[must_use]
    pub fn of(feed: &Feed, rules: &Rulebook) -> Self {
        Self::by(audit, feed, rules)
    }

    /// The same on this thread alone: for whoever audits many sessions at once.
    #[must_use]
    pub fn of_here(feed: &Feed, rules: &Rulebook) -> Self {
        Self::by(audit_here, feed, rules)
    }

    fn by(audit: fn(&LaneSnapshot, &dyn Texts, &Rulebook) -> Audit, feed: &Feed, rules: &Rulebook) -> Self {
        let (snapshot, bodies) = (feed.latest(), feed.bodies());
        let audits = snapshot.lanes.iter().map(|lane| audit(lane, &LaneTexts { lane, bodies: &bodies }, rules)).collect();
        Self { snapshot, audits }
    }
}

/// What the events of a lane say, read again from the session's files.
pub struct LaneTexts<'a> {
    /// The lane.
    pub lane: &'a LaneSnapshot,
    /// The session's bodies.
    pub bodies: &'a Bodies,
}

impl Texts for LaneTexts<'_> {
    fn payload(&self, event: EventIx) -> Option<Payload<'static>> {
        self.bodies.payload(self.lane.events.get(event.index())?).ok()
    }
}
