//! What a screen is fed with: the newest snapshot, and the bodies of its events.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

use crate::session::bodies::Bodies;
use crate::session::error::Error;
use crate::session::snapshot::Snapshot;

/// Called after each publication, on the thread that publishes. It must not wait.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// A session that is being read: live or whole. Its threads end when it is dropped.
pub struct Feed {
    mailbox: Arc<Mailbox>,
    bodies: Bodies,
    /// Dropped to stop the threads.
    running: Option<Sender<Infallible>>,
    stop: Stop,
    threads: Vec<JoinHandle<()>>,
}

/// How a feed learns of what is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Following {
    /// The system announces changes.
    Announced,
    /// By looking at the files several times a second.
    Polled {
        /// Why changes are not announced.
        why: String,
    },
    /// Nothing comes any more: everything was read.
    Ended,
    /// The file cannot be read now. What was read of it stands; it is taken up again when it can be.
    Lost {
        /// Why not.
        why: String,
    },
}

impl Feed {
    /// A feed that shows `first`, and has no thread yet.
    pub(super) fn new(first: Snapshot, bodies: Bodies, following: Following, wake: Wake) -> Self {
        let mailbox = Mailbox { latest: Mutex::new(Arc::new(first)), following: Mutex::new(following), wake };
        let (running, stop) = bounded(0);
        Self { mailbox: Arc::new(mailbox), bodies, running: Some(running), stop: Stop(stop), threads: Vec::new() }
    }

    /// The newest snapshot.
    #[must_use]
    pub fn latest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.mailbox.latest.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The reader of bodies.
    #[must_use]
    pub fn bodies(&self) -> Bodies {
        self.bodies.clone()
    }

    /// How it learns of what is new, to be told to people where it is not the usual way. A change of it wakes too.
    #[must_use]
    pub fn following(&self) -> Following {
        self.mailbox.following.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where its threads publish.
    pub(super) fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// Starts a thread, which must end when it is told to stop.
    ///
    /// # Errors
    /// The system gives none.
    pub(super) fn spawn(&mut self, name: &str, run: impl FnOnce(Stop) + Send + 'static) -> Result<(), Error> {
        let stop = self.stop.clone();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || run(stop)).map_err(Error::Thread)?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.running = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended too.
            _ = thread.join();
        }
    }
}

/// Tells a thread to stop: it disconnects, and nothing is ever sent.
#[derive(Clone)]
pub(super) struct Stop(pub(super) Receiver<Infallible>);

impl Stop {
    /// Whether it is time to stop.
    pub(super) fn is_due(&self) -> bool {
        self.0.try_recv() == Err(TryRecvError::Disconnected)
    }
}

/// One slot: a slow reader sees the newest snapshot, and nothing is lost, because the ledgers hold it.
pub(super) struct Mailbox {
    latest: Mutex<Arc<Snapshot>>,
    following: Mutex<Following>,
    wake: Wake,
}

impl Mailbox {
    /// Replaces the snapshot.
    pub(super) fn publish(&self, snapshot: Snapshot) {
        // The old one is let go outside the lock: it may be the last to hold its rows.
        let snapshot = Arc::new(snapshot);
        let old = std::mem::replace(&mut *self.latest.lock().unwrap_or_else(PoisonError::into_inner), snapshot);
        (self.wake)();
        drop(old);
    }

    /// Says how changes are learnt, if that is new.
    pub(super) fn follow(&self, following: Following) {
        let mut known = self.following.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != following {
            *known = following;
            drop(known);
            (self.wake)();
        }
    }
}
