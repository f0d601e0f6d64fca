//! What has changed in the last seconds: marked on the time line, and told of the verdict.

use crate::base::ids::EventIx;
use crate::base::time::Stamp;
use crate::compaction::judgement::Verdict;

/// How long something is new, in milliseconds.
const LASTS: i64 = 5_000;

/// Events that came while somebody looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recent {
    /// The first of them.
    from: EventIx,
    /// When the newest of them was first shown, by this machine's clock; none: it has not been.
    shown: Option<Stamp>,
}

/// A verdict that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turned {
    /// What it was.
    pub(crate) from: Verdict,
    /// When that was first shown, by this machine's clock; none: it has not been.
    shown: Option<Stamp>,
}

impl Recent {
    /// Takes note of the events from number `from` on.
    pub(crate) fn noted(known: Option<Self>, from: usize) -> Self {
        Self { from: known.map_or(EventIx::from_index(from), |known| known.from), shown: None }
    }

    /// Whether an event is among them.
    pub(crate) fn holds(self, event: EventIx) -> bool {
        event >= self.from
    }

    /// It, if it is still new now.
    pub(crate) fn at(self, now: Stamp) -> Option<Self> {
        let shown = self.shown.unwrap_or(now);
        left(shown, now).map(|_| Self { shown: Some(shown), ..self })
    }

    /// For how many milliseconds it is still new.
    pub(crate) fn left(self, now: Stamp) -> Option<i64> {
        left(self.shown?, now)
    }
}

impl Turned {
    pub(crate) fn new(from: Verdict) -> Self {
        Self { from, shown: None }
    }

    /// It, if it is still new now.
    pub(crate) fn at(self, now: Stamp) -> Option<Self> {
        let shown = self.shown.unwrap_or(now);
        left(shown, now).map(|_| Self { shown: Some(shown), ..self })
    }

    /// For how many milliseconds it is still new.
    pub(crate) fn left(self, now: Stamp) -> Option<i64> {
        left(self.shown?, now)
    }
}

fn left(shown: Stamp, now: Stamp) -> Option<i64> {
    Some(LASTS - now.millis_since(shown)).filter(|left| *left > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_a_burst_is_new_together_and_not_for_ever() {
        let first = Recent::noted(None, 10).at(Stamp(1_000)).unwrap();
        let second = Recent::noted(Some(first), 20).at(Stamp(3_000)).unwrap();
        assert_eq!((second.from, second.left(Stamp(7_000))), (EventIx(10), Some(1_000)));
        assert_eq!(second.at(Stamp(8_000)), None);
        assert!(second.holds(EventIx(10)) && !second.holds(EventIx(9)));
    }
}
