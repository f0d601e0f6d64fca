//! What the screen is fed with: published snapshots, and the bodies of events on demand.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::ledger::rows::EventRow;
use crate::session::Snapshot;
use crate::transcript::Payload;

/// A session that may still be growing.
pub trait Feed {
    /// The newest snapshot.
    fn latest(&self) -> Arc<Snapshot>;

    /// Receives something whenever [`Feed::latest`] has become a newer one. One slot: several at once are one.
    fn changed(&self) -> &Receiver<()>;

    /// A reader of bodies, for the worker.
    fn bodies(&self) -> Box<dyn ReadBody>;
}

/// Reads the body of one event again.
pub trait ReadBody: Send {
    /// The record as it stands, and what it says.
    ///
    /// # Errors
    /// In words for the reader: the source changed, or it cannot be read.
    fn read(&mut self, row: &EventRow) -> Result<Body, String>;
}

/// An event as it stands in its file.
#[derive(Debug)]
pub struct Body {
    /// The whole record.
    pub raw: String,
    /// What it says.
    pub payload: Payload<'static>,
}
