//! A growing vector whose clone costs one pointer per 512 elements.
//!
//! One writer appends and edits; any number of readers hold clones that never change under them. An append or an edit copies at
//! most one chunk, and only when a reader still holds it.

use std::ops::Range;
use std::sync::Arc;

const CHUNK: usize = 512;

/// A copy-on-write vector. Cloning it is how a snapshot is published.
#[derive(Clone, Debug)]
pub struct Chunks<T> {
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T> Chunks<T> {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// The newest element.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.chunks.last()?.last()
    }

    /// All elements, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The elements of `range`, in order; what lies outside the vector is left out.
    pub fn range(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = &T> + '_ {
        let end = range.end.min(self.len);
        let start = range.start.min(end);
        let first = start / CHUNK;
        let last = end.div_ceil(CHUNK).max(first);
        self.chunks.get(first..last).unwrap_or_default().iter().enumerate().flat_map(move |(n, chunk)| {
            let base = (first + n) * CHUNK;
            let from = start.saturating_sub(base).min(chunk.len());
            let to = end.saturating_sub(base).min(chunk.len());
            chunk.get(from..to).unwrap_or_default().iter()
        })
    }
}

impl<T> Chunks<T> {
    /// The places at which this may differ from an older state of it; what lies outside them is shared, and so the same.
    pub fn changed_since<'a>(&'a self, older: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let shared = |n: usize| self.chunks.get(n).zip(older.chunks.get(n)).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        let differ = (0..self.chunks.len()).filter(move |n| !shared(*n));
        differ.flat_map(|n| n * CHUNK..((n + 1) * CHUNK).min(self.len))
    }
}

impl<T: Clone> Chunks<T> {
    /// The first `len` elements; copies at most one chunk.
    #[must_use]
    pub fn first(&self, len: usize) -> Self {
        let len = len.min(self.len);
        let mut chunks = self.chunks.get(..len.div_ceil(CHUNK)).unwrap_or_default().to_vec();
        let left = len % CHUNK;
        if let Some(last) = chunks.last_mut().filter(|chunk| left > 0 && chunk.len() > left) {
            Arc::make_mut(last).truncate(left);
        }
        Self { chunks, len }
    }

    /// Appends an element and returns its index.
    pub fn push(&mut self, value: T) -> usize {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(if self.len == 0 { 8 } else { CHUNK })));
        }
        if let Some(chunk) = self.chunks.last_mut() {
            Arc::make_mut(chunk).push(value);
            self.len += 1;
        }
        self.len - 1
    }

    /// The element at `index`, to change: copies its chunk when a reader holds it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let chunk = self.chunks.get_mut(index / CHUNK)?;
        if index % CHUNK >= chunk.len() {
            return None;
        }
        Arc::make_mut(chunk).get_mut(index % CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_clone_does_not_change_under_its_reader() {
        let mut rows = Chunks::default();
        for n in 0..1500 {
            rows.push(n);
        }
        let held = rows.clone();
        if let Some(row) = rows.get_mut(700) {
            *row = -1;
        }
        rows.push(9);
        assert_eq!((held.len(), held.get(700), held.get(1500)), (1500, Some(&700), None));
        assert_eq!((rows.len(), rows.get(700), rows.last()), (1501, Some(&-1), Some(&9)));
    }

    proptest! {
        #[test]
        fn a_range_is_the_same_slice_of_a_vector(len in 0usize..1800, a in 0usize..2000, b in 0usize..2000) {
            let mut rows = Chunks::default();
            let plain: Vec<usize> = (0..len).collect();
            for n in &plain { rows.push(*n); }
            let (from, to) = (a.min(b).min(len), a.max(b).min(len));
            let got: Vec<usize> = rows.range(a.min(b)..a.max(b)).copied().collect();
            prop_assert_eq!(got, plain[from..to].to_vec());
        }

        #[test]
        fn what_has_changed_is_among_what_may_have(len in 0usize..1800, edits in prop::collection::vec(0usize..2000, 0..4), more in 0usize..700) {
            let mut rows = Chunks::default();
            for n in 0..len { rows.push(n); }
            let older = rows.clone();
            for at in edits {
                if let Some(row) = rows.get_mut(at) { *row += 5000; }
            }
            for n in 0..more { rows.push(n); }
            let may: std::collections::BTreeSet<usize> = rows.changed_since(&older).collect();
            for n in 0..rows.len() {
                prop_assert!(rows.get(n) == older.get(n) || may.contains(&n));
            }
            prop_assert!(more > 0 || rows.clone().changed_since(&rows).count() == 0);
        }

        #[test]
        fn its_first_elements_are_a_vector_of_their_own(len in 0usize..1800, kept in 0usize..2000) {
            let mut rows = Chunks::default();
            for n in 0..len { rows.push(n); }
            let mut first = rows.first(kept);
            let kept = kept.min(len);
            prop_assert_eq!(first.push(9), kept);
            let plain: Vec<usize> = (0..kept).chain([9]).collect();
            prop_assert_eq!(first.iter().copied().collect::<Vec<_>>(), plain);
            prop_assert_eq!(rows.len(), len, "the whole is as it was");
        }
    }
}
