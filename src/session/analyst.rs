//! The thread that owns the ledgers: folds what the reader sends, and publishes.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender};

use crate::session::clock::{Clock, wall};
use crate::session::feed::{Mailbox, Stop};
use crate::session::fold::Session;
use crate::session::pace::Pace;
use crate::session::parcel::{Delivery, Parcel};
use crate::session::reader::Amount;
use crate::session::snapshot::Progress;

/// How soon the first screen of a session that takes longer to read is shown.
const FIRST: Duration = Duration::from_millis(30);

/// How often what was read so far is shown after that.
const AGAIN: Duration = Duration::from_millis(100);

/// The one writer.
pub(super) struct Analyst {
    session: Session,
    mailbox: Arc<Mailbox>,
    clock: Clock,
    pace: Pace,
    pending: Pending,
    /// Asks the reader to begin again.
    again: Sender<()>,
}

/// What is folded and not published yet.
#[derive(Clone, Copy)]
enum Pending {
    Nothing,
    /// A part of what is there; when to show it.
    Part {
        amount: Amount,
        due: Duration,
    },
    All,
}

impl Analyst {
    pub(super) fn new(session: Session, mailbox: Arc<Mailbox>, again: Sender<()>) -> Self {
        Self { session, mailbox, clock: Clock::start(), pace: Pace::default(), pending: Pending::Nothing, again }
    }

    /// Folds and publishes until no more parcels can come, or it is time to stop.
    pub(super) fn run(mut self, mut delivery: Delivery, stop: &Stop) {
        loop {
            let parcel = match self.wait() {
                None => delivery.parcels.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => delivery.parcels.recv_timeout(time),
            };
            match parcel {
                Ok(parcel) => self.take(parcel, &mut delivery),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if stop.is_due() {
                return;
            }
            if self.wait().is_some_and(|time| time.is_zero()) {
                self.publish();
            }
        }
    }

    fn take(&mut self, parcel: Parcel, delivery: &mut Delivery) {
        match parcel {
            Parcel::Told(items, amount) => {
                delivery.tell(&mut self.session, items, amount);
                if let Some(amount) = amount {
                    let due = match self.pending {
                        Pending::Part { due, .. } => due,
                        Pending::Nothing | Pending::All => self.clock.elapsed() + FIRST,
                    };
                    self.pending = Pending::Part { amount, due };
                }
            }
            Parcel::CaughtUp => {
                self.session.at_end(wall());
                self.pending = Pending::All;
            }
        }
        if self.session.is_out_of_order() {
            // Until it begins again there is nothing to show. Full means that this was asked for already.
            self.pending = Pending::Nothing;
            _ = self.again.try_send(());
        }
    }

    /// How long the next publication can wait; none while there is nothing to publish.
    fn wait(&self) -> Option<Duration> {
        let now = self.clock.elapsed();
        match self.pending {
            Pending::Nothing => None,
            Pending::Part { due, .. } => Some(due.saturating_sub(now)),
            Pending::All => Some(self.pace.wait(now)),
        }
    }

    fn publish(&mut self) {
        let now = self.clock.elapsed();
        let progress = match self.pending {
            Pending::Part { amount, .. } => {
                self.pending = Pending::Part { amount, due: now + AGAIN };
                Progress::Reading { done: amount.done, total: amount.total }
            }
            Pending::Nothing | Pending::All => {
                self.pending = Pending::Nothing;
                Progress::Complete
            }
        };
        self.pace.published(now);
        self.mailbox.publish(self.session.snapshot(progress));
    }
}
