//! What the agent is doing now, as far as its transcript tells.

use crate::base::time::{Stamp, duration_words};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;

const MINUTE: i64 = 60_000;
/// A call that is open for so long may be one that nobody answers.
const STUCK: i64 = 4 * MINUTE;
const DAY: i64 = 24 * 60 * MINUTE;

/// What the agent is doing. Ages are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// Nothing has happened yet.
    Nothing,
    /// A call is running, or nobody will ever answer it.
    CallOpen { age: i64, calls: usize },
    /// The model is thinking or writing.
    Working { age: i64 },
    /// The turn is over: it is the human's.
    WaitingForYou { age: i64 },
    /// In mid turn, and nothing came for a while.
    Idle { age: i64 },
    /// It ended, or nothing has come for days.
    Over { age: i64, calls: usize },
}

/// How a lane stands, from which follows at any moment what its agent is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// When the last thing happened; none: no record of the last says.
    pub(crate) newest: Option<Stamp>,
    is_empty: bool,
    has_ended: bool,
    is_humans: bool,
    /// Calls without a result, and when the newest of them was made.
    calls: usize,
    called: Option<Stamp>,
}

impl Standing {
    /// Reads it off a lane.
    #[must_use]
    pub fn of(lane: &LaneSnapshot) -> Self {
        let call = lane.open_calls.keys().next_back().and_then(|ix| lane.calls.get(ix.index()));
        Self {
            newest: newest(lane),
            is_empty: lane.events.is_empty(),
            has_ended: lane.events.last().is_some_and(|last| last.kind == EventKind::SessionEnded),
            is_humans: lane.turns.last().is_some_and(|turn| turn.end.is_some()),
            calls: lane.open_calls.len(),
            called: call.and_then(|call| lane.events.get(call.event.index())).and_then(|row| row.at),
        }
    }
}

impl Activity {
    /// Reads it off a lane at a moment.
    pub(crate) fn of(lane: &LaneSnapshot, now: Stamp) -> Self {
        Self::at(&Standing::of(lane), now)
    }

    /// What it is at a moment.
    pub(crate) fn at(standing: &Standing, now: Stamp) -> Self {
        let since = |at: Option<Stamp>| at.map(|at| now.millis_since(at).max(0));
        let (age, calls) = (since(standing.newest).unwrap_or(0), standing.calls);
        match () {
            () if standing.is_empty => Self::Nothing,
            () if standing.has_ended || age > DAY => Self::Over { age, calls },
            () if calls > 0 => Self::CallOpen { age: since(standing.called).unwrap_or(age), calls },
            () if standing.is_humans => Self::WaitingForYou { age },
            () if age < 2 * MINUTE => Self::Working { age },
            () => Self::Idle { age },
        }
    }

    /// Up to when what is open grows older: now, and in a session that is over its end. That a call is open for months tells nobody
    /// more than that the session is that old.
    pub(crate) fn until(lane: &LaneSnapshot, now: Stamp) -> Stamp {
        match Self::of(lane, now) {
            Self::Over { .. } => newest(lane).unwrap_or(now),
            _ => now,
        }
    }

    /// Whether something may happen at any moment.
    pub(crate) fn is_live(self) -> bool {
        matches!(self, Self::CallOpen { .. } | Self::Working { .. })
    }

    /// In words: `call open 41 s`.
    pub(crate) fn words(self) -> String {
        let call = |n: usize| if n == 1 { "1 call".to_owned() } else { format!("{n} calls") };
        match self {
            Self::Nothing => "no event yet".to_owned(),
            Self::CallOpen { age, calls } => {
                let stuck = if age >= STUCK { "stuck? " } else { "" };
                match calls {
                    0 | 1 => format!("{stuck}call open {}", duration_words(age)),
                    _ => format!("{stuck}{calls} calls open {}", duration_words(age)),
                }
            }
            Self::Working { age } => format!("working {}", duration_words(age)),
            Self::WaitingForYou { age } => format!("waiting for you {}", duration_words(age)),
            Self::Idle { age } => format!("idle {}", duration_words(age)),
            Self::Over { age, calls: 0 } => format!("over, {} ago", duration_words(age)),
            Self::Over { age, calls } => format!("stopped {} ago, {} open", duration_words(age), call(calls)),
        }
    }

    /// In a word or two, without its age.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Nothing => "empty",
            Self::CallOpen { age, .. } if age >= STUCK => "stuck?",
            Self::CallOpen { .. } => "call open",
            Self::Working { .. } => "working",
            Self::WaitingForYou { .. } => "waiting for you",
            Self::Idle { .. } => "idle",
            Self::Over { .. } => "over",
        }
    }

    /// The age that its words show, in milliseconds.
    pub(crate) fn age(self) -> Option<i64> {
        match self {
            Self::Nothing => None,
            Self::CallOpen { age, .. }
            | Self::Working { age }
            | Self::WaitingForYou { age }
            | Self::Idle { age }
            | Self::Over { age, .. } => Some(age),
        }
    }
}

/// When the last thing happened. Some records at the end may have no time.
fn newest(lane: &LaneSnapshot) -> Option<Stamp> {
    lane.events.iter().rev().take(16).find_map(|row| row.at)
}
