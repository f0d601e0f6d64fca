//! Whole records on their way from one thread to another.

use crate::transcript::{Place, Record};

/// Records in order, in two allocations however many they are.
#[derive(Debug, Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    /// Each record's place, and where it ends in `bytes`.
    rows: Vec<(Place, usize)>,
}

impl Batch {
    /// Copies a record to the end.
    pub(super) fn push(&mut self, record: Record<'_>) {
        self.bytes.extend_from_slice(record.bytes);
        self.rows.push((record.place, self.bytes.len()));
    }

    /// The records, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        let mut from = 0;
        self.rows.iter().map(move |&(place, end)| {
            let bytes = self.bytes.get(from..end).unwrap_or_default();
            from = end;
            Record { bytes, place }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_as_they_went_in() {
        let place = |line| Place { line, ..Place::default() };
        let mut batch = Batch::default();
        for (line, bytes) in [(1, &b"one"[..]), (2, b""), (3, b"three")] {
            batch.push(Record { bytes, place: place(line) });
        }
        let out: Vec<_> = batch.records().map(|record| (record.place.line, record.bytes)).collect();
        assert_eq!(out, [(1, &b"one"[..]), (2, b""), (3, b"three")]);
    }
}
