//! What is known of a session beside its place: read and judged by a thread of its own, the newest question first.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::Sender;

use crate::compaction::judgement::Verdict;
use crate::ledger::entry::Entry;
use crate::ui::activity::Standing;
use crate::ui::msg::{Job, Msg};
use crate::ui::runtime::Ask;

/// What a session comes to now.
#[derive(Clone, Debug)]
pub struct Preview {
    /// How it stands: from that follows what its agent is doing.
    pub standing: Standing,
    /// Whether it may be compacted.
    pub verdict: Verdict,
    /// How many entries stand in the way as they are.
    pub open: usize,
    /// How many are live.
    pub live: usize,
    /// Tokens of its context, and of the window.
    pub tokens: (u64, u64),
    /// How many compactions have happened in it.
    pub boundaries: usize,
    /// What the verdict rests on, the most important first.
    pub reasons: Vec<Arc<Entry>>,
    /// The folder in which its agent works, from which paths are told.
    pub directory: Option<Arc<str>>,
    /// The newest prompt, and the newest message of the agent's, each in a line.
    pub last: [Option<String>; 2],
}

/// Looks into sessions.
pub trait Scout: Send {
    /// What the session of this row comes to; none: it cannot be read.
    fn look(&mut self, row: usize) -> Option<Preview>;
}

/// The thread's handle. Dropping it lets the thread end after the session at hand.
pub(crate) struct Scouting {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    rows: Mutex<Waiting>,
    wake: Condvar,
}

#[derive(Default)]
struct Waiting {
    rows: Vec<usize>,
    /// What has been looked into, or is now.
    taken: BTreeSet<usize>,
    over: bool,
}

impl Scouting {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives none.
    pub(crate) fn start(mut scout: Box<dyn Scout>, answers: Sender<Msg>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        thread::Builder::new().name("owed-scout".to_owned()).spawn(move || {
            while let Some(row) = own.next() {
                if answers.send(Msg::Scouted(row, scout.look(row))).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { shared })
    }
}

impl Ask for Scouting {
    fn ask(&self, job: Job) {
        if let Job::Scout(row) = job {
            let mut waiting = self.shared.rows.lock().unwrap_or_else(PoisonError::into_inner);
            if waiting.taken.contains(&row) {
                return;
            }
            waiting.rows.retain(|other| *other != row);
            waiting.rows.push(row);
            self.shared.wake.notify_one();
        }
    }
}

impl Drop for Scouting {
    fn drop(&mut self) {
        self.shared.rows.lock().unwrap_or_else(PoisonError::into_inner).over = true;
        self.shared.wake.notify_one();
    }
}

impl Shared {
    /// The row that was asked for last; none: it is over.
    fn next(&self) -> Option<usize> {
        let mut waiting = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if waiting.over {
                return None;
            }
            if let Some(row) = waiting.rows.pop() {
                waiting.taken.insert(row);
                return Some(row);
            }
            waiting = self.wake.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
