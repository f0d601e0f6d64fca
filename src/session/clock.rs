//! The only place that reads this machine's clocks. Whoever needs the time is given it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::base::time::Stamp;

/// A clock that only goes forward, from zero when it was started.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// Starts a clock.
    #[expect(clippy::disallowed_methods, reason = "this module owns the clock")]
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since it was started.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// This machine's date and time: for ages and for what was written "just now", never for the order of events.
#[expect(clippy::disallowed_methods, reason = "this module owns the clock")]
#[must_use]
pub fn wall() -> Stamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Stamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
