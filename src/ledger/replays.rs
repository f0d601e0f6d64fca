//! Records that stand in a file twice: the first counts.
//!
//! Claude Code re-appends old rows under their old ids after a second compaction in one process, and when it resumes.

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{EventIx, FileIx};
use crate::base::range::ByteRange;
use crate::transcript::{Event, Place};

/// The records seen, by id.
#[derive(Default)]
pub(super) struct Replays {
    seen: FxHashMap<Hash64, First>,
}

/// Where a record stood first.
#[derive(Clone, Copy)]
struct First {
    file: FileIx,
    bytes: ByteRange,
    /// Its first event.
    event: EventIx,
}

impl Replays {
    /// Whether this event's record stood here before. `next` is the number that the event will have.
    pub(super) fn is_replay(&mut self, event: &Event<'_>, next: EventIx) -> bool {
        let Some(record) = &event.record else { return false };
        let Place { file, bytes, .. } = event.place;
        let first = *self.seen.entry(Hash64::of(record.as_bytes())).or_insert(First { file, bytes, event: next });
        (first.file, first.bytes) != (file, bytes)
    }

    /// The first event of the record of this id.
    pub(super) fn first_event(&self, record: &str) -> Option<EventIx> {
        self.seen.get(&Hash64::of(record.as_bytes())).map(|first| first.event)
    }
}
