//! When to publish: a lone append at once, a burst a few times and then at its end.

use std::time::Duration;

/// In any stretch of this length ...
const WINDOW: Duration = Duration::from_millis(20);

/// ... there are at most this many publications. Four let an agent that writes a hundred lines a second through without delay, and
/// one that writes ten thousand costs no more than a screen can show.
const MOST: usize = 4;

/// Spreads publications. Times are those of one clock that only goes forward.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The newest publications, oldest first.
    recent: [Option<Duration>; MOST],
}

impl Pace {
    /// How long to wait from `now` before the next publication: zero for at once.
    pub(super) fn wait(&self, now: Duration) -> Duration {
        match self.recent.first() {
            Some(Some(oldest)) => (*oldest + WINDOW).saturating_sub(now),
            _ => Duration::ZERO,
        }
    }

    /// Notes a publication.
    pub(super) fn published(&mut self, now: Duration) {
        self.recent.rotate_left(1);
        if let Some(newest) = self.recent.last_mut() {
            *newest = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_append_does_not_wait_and_a_burst_is_thinned() {
        let ms = Duration::from_millis;
        let mut pace = Pace::default();
        let mut shown = Vec::new();
        // A burst: something to publish every millisecond for 50 ms; then quiet, then one more.
        for now in (0..50).chain([200]).map(ms) {
            if pace.wait(now).is_zero() {
                pace.published(now);
                shown.push(now.as_millis());
            }
        }
        assert_eq!(shown, [0, 1, 2, 3, 20, 21, 22, 23, 40, 41, 42, 43, 200]);
        // Something every 10 ms never waits.
        let mut pace = Pace::default();
        assert!((0..100).map(|n| ms(n * 10)).all(|now| {
            let at_once = pace.wait(now).is_zero();
            pace.published(now);
            at_once
        }));
    }
}
