//! The unknown effects that are not settled, filed under what a later call can share with them: a call that ends looks only at those.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, EventIx, TurnIx};
use crate::ledger::rows::CallRow;

/// One effect whose outcome nobody knows.
#[derive(Clone, Copy)]
pub(super) struct Unknown {
    pub(super) entry: EntryId,
    /// Its newest attempt.
    pub(super) call: CallIx,
    /// When that ended: a look that began earlier shows nothing.
    pub(super) ended: EventIx,
    pub(super) plain: Plain,
    /// The step in which it was last tried.
    pub(super) touched: u32,
    /// The assistant's last words asked about it.
    pub(super) question: Option<Pending>,
    /// A blind retry of it was noted.
    pub(super) retried: bool,
    /// All its attempts carried one explicit key, or none of them any.
    pub(super) one_key: bool,
}

/// A question of the assistant's.
#[derive(Clone, Copy)]
pub(super) struct Pending {
    /// The turn in which it was asked.
    pub(super) asked: TurnIx,
    /// The turn of the prompt that came behind it.
    pub(super) answered: Option<TurnIx>,
}

/// Whether time alone may settle it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// It ran and exited by itself, and what it does is local: it leaves with its retry chain.
    Plain,
    MustReconcile,
}

/// What two calls may share.
#[derive(Clone, Hash, PartialEq, Eq)]
pub(super) enum Facet {
    Action(Hash64),
    Intent(Arc<str>),
    Target(Arc<str>),
    World(Arc<str>),
}

/// All of them.
#[derive(Default)]
pub(super) struct Unknowns {
    by_entry: BTreeMap<EntryId, Unknown>,
    by_facet: FxHashMap<Facet, Vec<EntryId>>,
    /// The plain ones by the step in which they were tried, oldest first; an entry that was tried again stands here again.
    tried: VecDeque<(u32, EntryId)>,
}

impl Unknowns {
    /// Files one under what its newest attempt is about.
    pub(super) fn add(&mut self, unknown: Unknown, call: &CallRow) {
        for facet in facets(call) {
            self.by_facet.entry(facet).or_default().push(unknown.entry);
        }
        if unknown.plain == Plain::Plain {
            self.tried.push_back((unknown.touched, unknown.entry));
        }
        self.by_entry.insert(unknown.entry, unknown);
    }

    /// Takes one out. `call` is its newest attempt.
    pub(super) fn remove(&mut self, entry: EntryId, call: &CallRow) {
        for facet in facets(call) {
            if let Some(filed) = self.by_facet.get_mut(&facet) {
                filed.retain(|one| *one != entry);
                if filed.is_empty() {
                    self.by_facet.remove(&facet);
                }
            }
        }
        self.by_entry.remove(&entry);
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.by_entry.is_empty()
    }

    /// All of them, by entry.
    pub(super) fn all(&self) -> impl Iterator<Item = Unknown> + '_ {
        self.by_entry.values().copied()
    }

    /// The same, to be changed in what they are not filed under.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Unknown> + '_ {
        self.by_entry.values_mut()
    }

    /// Notes a blind retry of one.
    pub(super) fn mark_retried(&mut self, entry: EntryId) {
        if let Some(unknown) = self.by_entry.get_mut(&entry) {
            unknown.retried = true;
        }
    }

    /// Those that share one of these facets, by entry.
    pub(super) fn sharing(&self, facets: impl IntoIterator<Item = Facet>) -> Vec<Unknown> {
        if self.by_entry.is_empty() {
            return Vec::new();
        }
        let filed = facets.into_iter().filter_map(|facet| self.by_facet.get(&facet)).flatten();
        let mut found: Vec<Unknown> = filed.filter_map(|entry| self.by_entry.get(entry).copied()).collect();
        found.sort_unstable_by_key(|unknown| unknown.entry);
        found.dedup_by_key(|unknown| unknown.entry);
        found
    }

    /// The oldest plain one, if it was last tried before this step. It is handed out once.
    pub(super) fn tried_before(&mut self, step: u32) -> Option<Unknown> {
        while let Some((tried, entry)) = self.tried.front().copied().filter(|(tried, _)| *tried < step) {
            self.tried.pop_front();
            let known = self.by_entry.get(&entry).copied();
            if known.is_some_and(|unknown| unknown.plain == Plain::Plain && unknown.touched == tried) {
                return known;
            }
        }
        None
    }
}

fn facets(call: &CallRow) -> impl Iterator<Item = Facet> {
    [Facet::Action(call.action), Facet::Intent(Arc::clone(&call.intent))]
        .into_iter()
        .chain(call.target.clone().map(Facet::Target))
        .chain(call.world.clone().map(Facet::World))
}
