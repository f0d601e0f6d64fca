//! The moment that is shown: now, or after one event of the lane; and how time goes on from there.
//!
//! A moment of the past is a snapshot of its own ([`LaneSnapshot::as_of`]): whatever shows a snapshot shows it, and nothing on the
//! screen can know what came later.

use std::sync::Arc;

use super::App;
use super::nested::first_after;
use crate::base::ids::{EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::session::{Progress, Snapshot};
use crate::ui::activity::Activity;

/// The session as far as it has been read, and which moment of it is shown.
#[derive(Debug)]
pub(crate) struct Time {
    pub(crate) newest: Arc<Snapshot>,
    /// The event of the lane after which it is shown; none: now.
    pub(crate) moment: Option<EventIx>,
    pub(crate) player: Player,
    made: Option<Made>,
}

/// What the snapshot that is shown was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    epoch: u32,
    /// Of the past, appends change nothing.
    revision: Option<u64>,
    progress: Progress,
    lane: LaneIx,
    moment: Option<EventIx>,
}

/// How time goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Player {
    /// Session time for one second of ours.
    pub(crate) speed: f64,
    pub(crate) state: Playing,
}

/// Whether it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Playing {
    /// Nobody has asked for it.
    Never,
    Paused,
    Running {
        /// When the next event comes, by this machine's clock.
        due: Stamp,
        /// The session's own pause before it in milliseconds, where it is cut short.
        cut: Option<i64>,
    },
    /// Everything has been played.
    Ended,
}

/// Which way the speed turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    Slower,
    Faster,
}

/// The longest pause, in our milliseconds: people went home in the middle of sessions.
pub(crate) const LONGEST_PAUSE: i64 = 2_000;
/// The pause before an event of which nobody knows when it came, at speed 1, in milliseconds.
const UNKNOWN_PAUSE: f64 = 200.0;
/// What happens faster than this is shown together, in milliseconds: nobody would see it apart.
const SHORTEST_STEP: i64 = 8;
/// The speeds that the keys turn through.
const SPEEDS: [f64; 13] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

impl Time {
    pub(crate) fn new(newest: Arc<Snapshot>) -> Self {
        Self { newest, moment: None, player: Player { speed: 1.0, state: Playing::Never }, made: None }
    }

    /// The lane with all that is known of it by now.
    pub(crate) fn lane(&self, ix: LaneIx) -> Option<&Arc<LaneSnapshot>> {
        self.newest.lane(ix)
    }
}

impl Player {
    /// Turns to the next speed.
    pub(crate) fn turn(&mut self, pace: Pace) {
        let next = match pace {
            Pace::Faster => SPEEDS.iter().find(|speed| **speed > self.speed),
            Pace::Slower => SPEEDS.iter().rev().find(|speed| **speed < self.speed),
        };
        self.speed = next.copied().unwrap_or(self.speed);
    }

    /// In how many of our milliseconds the event after `at` comes, and the session's own pause where that is cut short.
    pub(crate) fn pause(&self, lane: &LaneSnapshot, at: EventIx) -> (i64, Option<i64>) {
        let next = lane.events.get(at.index() + 1).and_then(|row| row.at);
        let Some((next, now)) = next.zip(time_of(lane, at)) else {
            return ((UNKNOWN_PAUSE / self.speed).min(LONGEST_PAUSE as f64) as i64, None);
        };
        // Clocks that jump back play nothing twice.
        let own = next.millis_since(now).max(0);
        let ours = own as f64 / self.speed;
        if ours > LONGEST_PAUSE as f64 { (LONGEST_PAUSE, Some(own)) } else { (ours as i64, None) }
    }

    /// How long to sleep before the next event, in milliseconds; none while nothing is played.
    pub(crate) fn sleep(&self, clock: Stamp) -> Option<i64> {
        match self.state {
            Playing::Running { due, .. } => Some(due.millis_since(clock).max(SHORTEST_STEP)),
            Playing::Never | Playing::Paused | Playing::Ended => None,
        }
    }
}

/// The session's own time after event `at`: of the newest event that states one.
pub(crate) fn time_of(lane: &LaneSnapshot, at: EventIx) -> Option<Stamp> {
    lane.events.range(0..at.index() + 1).rev().find_map(|row| row.at)
}

impl App {
    /// Brings what is shown to the moment that was chosen.
    pub(crate) fn show_moment(&mut self) {
        let newest = &self.time.newest;
        if let (Some(at), Some(end)) = (self.time.moment, newest.lane(self.lane).and_then(|lane| lane.end())) {
            self.time.moment = Some(at.min(end));
        }
        let moment = self.time.moment;
        let revision = moment.is_none().then_some(newest.revision);
        let made = Made { epoch: newest.epoch, revision, progress: newest.progress, lane: self.lane, moment };
        if self.time.made != Some(made) {
            let then = self.as_of(moment);
            self.snapshot = then;
            self.time.made = Some(made);
            self.pending.refill(&self.snapshot, self.lane);
        }
        // Ages are told as they were then.
        let then = moment.and_then(|at| time_of(self.time.lane(self.lane)?, at));
        self.now = then.unwrap_or(self.clock);
    }

    /// Up to when what is open has grown older.
    pub(crate) fn grown(&self) -> Stamp {
        self.lane().map_or(self.now, |lane| Activity::until(lane, self.now))
    }

    /// The session as it was after an event of the lane that is shown: each other lane as far as it had come by then.
    fn as_of(&self, moment: Option<EventIx>) -> Arc<Snapshot> {
        let newest = &self.time.newest;
        let Some(at) = moment else { return Arc::clone(newest) };
        let mut then = Snapshot::clone(newest);
        for (n, lane) in then.lanes.iter_mut().enumerate() {
            let ix = LaneIx::from_index(n);
            let until = if ix == self.lane { Some(at) } else { self.moment_in(ix) };
            match until {
                Some(until) if lane.end() == Some(until) => {}
                Some(until) => *lane = Arc::new(lane.as_of(until)),
                None => {
                    *lane = Arc::new(LaneSnapshot { name: lane.name.clone(), parent: lane.parent.clone(), ..Default::default() });
                }
            }
        }
        Arc::new(then)
    }

    /// The moment of another lane that belongs to the one that is shown; none: now, or it had not begun then.
    pub(crate) fn moment_in(&self, lane: LaneIx) -> Option<EventIx> {
        let then = time_of(self.time.lane(self.lane)?, self.time.moment?)?;
        let other = self.time.lane(lane)?;
        first_after(other, then).checked_sub(1).map(EventIx::from_index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::Script;

    #[test]
    fn pauses_follow_the_sessions_clock_and_long_ones_are_cut() {
        let mut script = Script::new();
        script.prompt("one");
        script.wait(1).prompt("two");
        script.wait(3_600).prompt("three");
        script.wait(-9_000).prompt("four");
        let pause = |speed: f64, at: u32| Player { speed, state: Playing::Paused }.pause(&script.lane, EventIx(at));
        for (speed, at, expected) in [
            (1.0, 0, (1_000, None)),
            (4.0, 0, (250, None)),
            (1.0, 1, (2_000, Some(3_600_000))),
            (4_000.0, 1, (900, None)),
            (1.0, 2, (0, None)),
            (1.0, 3, (200, None)),
            (f64::MIN_POSITIVE, 0, (2_000, Some(1_000))),
        ] {
            assert_eq!(pause(speed, at), expected, "speed {speed}, after event {at}");
        }
    }

    #[test]
    fn speeds_turn_up_and_down_and_stop_at_their_ends() {
        let mut player = Player { speed: 3.0, state: Playing::Paused };
        player.turn(Pace::Faster);
        assert_eq!(player.speed, 4.0);
        (0..20).for_each(|_| player.turn(Pace::Slower));
        assert_eq!(player.speed, 0.25);
        (0..20).for_each(|_| player.turn(Pace::Faster));
        assert_eq!(player.speed, 1024.0);
    }
}
