//! What the screen is fed with: published snapshots, and the bodies of events on demand.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::ledger::rows::EventRow;
use crate::session::{Bodies, Body, Feed, Following, Snapshot, Wake};

/// A session that may still be growing. A [`Feed`] is one.
pub trait Supply {
    /// The newest snapshot.
    fn latest(&self) -> Arc<Snapshot>;
    /// How it learns of what is new.
    fn following(&self) -> Following;
    /// A reader of bodies, for the worker.
    fn bodies(&self) -> Box<dyn ReadBody>;
}

/// Reads the body of one event again.
pub trait ReadBody: Send + Sync {
    /// The record as it stands, and what it says.
    ///
    /// # Errors
    /// In words for the reader: it is not there any more, or cannot be read.
    fn read(&self, row: &EventRow) -> Result<Body, String>;

    /// The bytes of its record alone: what a search looks through.
    ///
    /// # Errors
    /// As of `read`.
    fn record(&self, row: &EventRow) -> Result<Vec<u8>, String> {
        self.read(row).map(|body| body.raw.into_bytes())
    }
}

impl Supply for Feed {
    fn latest(&self) -> Arc<Snapshot> {
        self.latest()
    }

    fn following(&self) -> Following {
        self.following()
    }

    fn bodies(&self) -> Box<dyn ReadBody> {
        Box::new(self.bodies())
    }
}

impl ReadBody for Bodies {
    fn read(&self, row: &EventRow) -> Result<Body, String> {
        self.read(row).map_err(|error| error.to_string())
    }

    fn record(&self, row: &EventRow) -> Result<Vec<u8>, String> {
        self.record(row).map_err(|error| error.to_string())
    }
}

/// Rings when there is something new. One slot: rung several times before anybody looks, it is heard once.
pub struct Bell {
    ring: Sender<()>,
    rung: Receiver<()>,
}

impl Default for Bell {
    fn default() -> Self {
        let (ring, rung) = bounded(1);
        Self { ring, rung }
    }
}

impl Bell {
    /// What rings it: for whoever opens a [`Feed`].
    #[must_use]
    pub fn wake(&self) -> Wake {
        let ring = self.ring.clone();
        Arc::new(move || {
            // A full slot has been rung already.
            _ = ring.try_send(());
        })
    }

    pub(crate) fn rung(&self) -> &Receiver<()> {
        &self.rung
    }
}
