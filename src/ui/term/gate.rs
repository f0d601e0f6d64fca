//! While a program borrows the terminal, the keys are its own: the thread that reads them waits here.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_channel::Receiver;

use super::Input;

/// How long the thread is waited for: it is woken at once, or something is wrong with it.
const PATIENCE: Duration = Duration::from_millis(20);
const TRIES: usize = 100;

/// Open, closed, or closed with the thread waiting before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    Closed,
    WaitedAt,
}

/// How the thread came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    WasOpen,
    WasClosed,
}

/// Between the thread that reads keys and whoever reads them meanwhile.
#[derive(Debug, Default)]
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes it, and waits until the thread stands before it. What it had read before is dropped: nobody may wait for room.
    ///
    /// # Errors
    /// The thread cannot be woken here.
    pub(super) fn close(&self, input: &Receiver<Input>) -> io::Result<()> {
        *self.lock() = State::Closed;
        if let Err(error) = wake_reader() {
            self.open();
            return Err(error);
        }
        for _ in 0..TRIES {
            let mut state = self.lock();
            if *state == State::Closed {
                (state, _) = self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            }
            if *state == State::WaitedAt {
                return Ok(());
            }
            drop(state);
            while input.try_recv().is_ok() {}
        }
        self.open();
        Err(io::Error::other("the keys could not be lent"))
    }

    /// Whether somebody else reads the keys.
    pub(super) fn is_closed(&self) -> bool {
        *self.lock() != State::Open
    }

    pub(super) fn open(&self) {
        *self.lock() = State::Open;
        self.changed.notify_all();
    }

    /// The thread's side: it goes on when it is open.
    pub(super) fn wait(&self) -> Passage {
        let mut state = self.lock();
        if *state == State::Open {
            return Passage::WasOpen;
        }
        *state = State::WaitedAt;
        self.changed.notify_all();
        while *state != State::Open {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Passage::WasClosed
    }
}

/// Wakes the thread that reads keys from its sleep: a change of size is the one thing beside keys that it listens for.
#[cfg(unix)]
fn wake_reader() -> io::Result<()> {
    signal_hook::low_level::raise(signal_hook::consts::SIGWINCH)
}

#[cfg(not(unix))]
fn wake_reader() -> io::Result<()> {
    Err(io::Error::other("this system does not let the keys be lent"))
}
