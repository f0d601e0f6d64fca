//! The path from the root of a session's tree to its newest entry, by which a compaction says what it kept.

use rustc_hash::FxHashMap;

/// The entries so far.
#[derive(Debug, Default)]
pub(super) struct Path {
    entries: Vec<(String, Option<usize>)>,
    at: FxHashMap<String, usize>,
}

impl Path {
    /// The id of the next entry, where it has none: in version 1 entries are known by their place, the header's being 0.
    pub(super) fn next_id(&self) -> String {
        Self::by_place(self.entries.len() as u64)
    }

    /// The id of the entry at a place.
    pub(super) fn by_place(place: u64) -> String {
        format!("#{place}")
    }

    /// Adds an entry behind its parent; behind the newest, where it names none.
    pub(super) fn add(&mut self, id: String, parent: Option<&str>) {
        let newest = self.entries.len().checked_sub(1);
        let parent = parent.map_or(newest, |parent| self.at.get(parent).copied());
        self.at.insert(id.clone(), self.entries.len());
        self.entries.push((id, parent));
    }

    /// The entries from `first` to the newest, in order; none where `first` is not on the way to it.
    pub(super) fn from(&self, first: &str) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = self.entries.len().checked_sub(1);
        while let Some((id, parent)) = at.and_then(|at| self.entries.get(at)) {
            path.push(id.as_str());
            if id == first {
                path.reverse();
                return path;
            }
            // A parent stands before its child: a file that says otherwise ends the path.
            at = parent.filter(|parent| at.is_some_and(|at| *parent < at));
        }
        Vec::new()
    }
}
