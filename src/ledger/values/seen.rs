//! Where every spelling was first seen and where it was seen last, in a table that never grows beyond a bound.

use crate::base::ids::{EventIx, SpanIx};

/// Slots that a spelling may take.
const WAYS: usize = 4;

/// Sets of slots at the beginning, and at the most: two million bytes a lane.
const FEWEST: usize = 1 << 4;
const MOST: usize = 1 << 15;

/// The spellings seen. When it is full, the one that was not seen for longest makes room.
pub(super) struct Seen {
    sets: Vec<Set>,
    taken: usize,
}

/// The slots that a spelling may take: together in one line of the processor's cache.
#[derive(Clone)]
#[repr(align(64))]
struct Set([Slot; WAYS]);

/// Where a spelling was seen.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// The spelling's number; 0 where there is none.
    hash: u32,
    /// The event in which it was first seen.
    pub(super) first: EventIx,
    /// The newest span in which it was seen.
    pub(super) newest: SpanIx,
}

const FREE: Slot = Slot { hash: 0, first: EventIx(0), newest: SpanIx(0) };

impl Default for Seen {
    fn default() -> Self {
        Self { sets: vec![Set([FREE; WAYS]); FEWEST], taken: 0 }
    }
}

impl Seen {
    /// Where a spelling was seen.
    pub(super) fn get(&self, hash: u32) -> Option<Slot> {
        self.sets.get(self.set_of(hash))?.0.iter().copied().find(|slot| slot.hash == hash)
    }

    /// A spelling is seen.
    pub(super) fn touch(&mut self, hash: u32, event: EventIx, span: SpanIx) {
        let at = self.set_of(hash);
        let may_grow = self.sets.len() < MOST && self.taken * 2 > self.sets.len() * WAYS;
        let Some(Set(set)) = self.sets.get_mut(at) else { return };
        if let Some(slot) = set.iter_mut().find(|slot| slot.hash == hash) {
            slot.newest = span;
            return;
        }
        let new = Slot { hash, first: event, newest: span };
        if let Some(slot) = set.iter_mut().find(|slot| slot.hash == 0) {
            self.taken += 1;
            *slot = new;
        } else if may_grow {
            self.grow();
            self.touch(hash, event, span);
        } else if let Some(oldest) = set.iter_mut().min_by_key(|slot| slot.newest) {
            *oldest = new;
        }
    }

    fn set_of(&self, hash: u32) -> usize {
        hash as usize & (self.sets.len() - 1)
    }

    fn grow(&mut self) {
        let sets = self.sets.len() * 2;
        let old = std::mem::replace(&mut self.sets, vec![Set([FREE; WAYS]); sets]);
        // Each set parts in two, so that there is room for all.
        for slot in old.into_iter().flat_map(|Set(slots)| slots).filter(|slot| slot.hash != 0) {
            let at = self.set_of(slot.hash);
            if let Some(free) = self.sets.get_mut(at).and_then(|Set(set)| set.iter_mut().find(|free| free.hash == 0)) {
                *free = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_keeps_its_first_event_and_its_newest_span() {
        let mut seen = Seen::default();
        seen.touch(7, EventIx(1), SpanIx(1));
        seen.touch(7, EventIx(5), SpanIx(4));
        assert_eq!(seen.get(7).map(|slot| (slot.first, slot.newest)), Some((EventIx(1), SpanIx(4))));
        assert!(seen.get(8).is_none());
    }

    #[test]
    fn the_table_is_bounded_and_what_is_used_stays() {
        let mut seen = Seen::default();
        let spread = |n: u32| (n + 1).wrapping_mul(0x9E37_79B9);
        for n in 0..1_000_000 {
            seen.touch(spread(n), EventIx(n), SpanIx(n));
            if n % 100 == 0 {
                seen.touch(spread(3), EventIx(n), SpanIx(n));
            }
        }
        assert_eq!(seen.sets.len(), MOST);
        assert_eq!(seen.get(spread(3)).map(|slot| slot.first), Some(EventIx(0)));
        assert!(seen.get(spread(999_999)).is_some());
    }
}
