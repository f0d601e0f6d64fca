//! What later words do to what stands: lift it, go against it, say yes to it; and what stands in the way of an action.

use crate::base::ids::{EntryId, TurnIx};
use crate::evidence::Gist;
use crate::ledger::anomaly::AnomalyKind;
use crate::ledger::book;
use crate::ledger::calls::{self, At};
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, EntryStatus};
use crate::ledger::folds::Page;
use crate::ledger::lifetimes::Living;
use crate::ledger::lifetimes::item::{ABOUT, Item};
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::ledger::tagging::Source;

/// How something said earlier is lifted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lift {
    /// Taken back, named or not.
    Revoke,
    /// No duty any more, if it is named.
    Waive,
}

/// What a text that lifts something says that it means: "forget what I said about benchmarks/", "forget the 16 hours thing".
pub(super) fn meant(text: &str) -> Gist {
    const BEFORE: [&str; 3] = ["about ", "regarding ", "concerning "];
    const BEHIND: [&str; 5] = [" thing", " rule", " restriction", " freeze", " ban"];
    let lower = text.to_lowercase();
    let clause_end =
        |from: usize| lower.get(from..).and_then(|rest| rest.find([',', ';', '.', '!'])).map_or(lower.len(), |at| from + at);
    let about = BEFORE.iter().filter_map(|word| lower.find(word).map(|at| at + word.len())).min();
    let of = about.map(|from| from..clause_end(from)).or_else(|| {
        let to = BEHIND.iter().filter_map(|word| lower.find(word)).min()?;
        Some(lower.get(..to)?.rfind(" the ")? + " the ".len()..to)
    });
    Gist::of(of.and_then(|range| lower.get(range)).unwrap_or_default())
}

impl Living {
    /// Lifts what a revocation means: the newest that is about the same; where it names nothing, all that the last prompt asked for.
    pub(super) fn lift(
        &mut self,
        page: &mut Page<'_>,
        by: Option<EntryId>,
        (words, meant): (&Gist, &Gist),
        how: Lift,
        own: impl Fn(EntryId) -> bool,
    ) {
        let others =
            self.items.iter().chain(&self.standing).filter(|item| !own(item.entry) && page.rows.live.contains(&item.entry));
        let mut best: Option<(usize, EntryId)> = None;
        let mut last_asked = TurnIx(0);
        for item in others {
            if item.source != Source::LastOfTurn {
                last_asked = last_asked.max(item.said);
            }
            let shared = item.gist.shared(words);
            let is_freed = || how == Lift::Revoke && item.bans.as_ref().is_some_and(|bans| bans.share_in(words) >= 1.0);
            let is_meant = (!meant.is_empty() && meant.share_in(&item.gist) >= 1.0) || is_freed();
            let is_about = (item.gist.share_in(words) >= ABOUT || is_meant) && !item.is_whole;
            if is_about && best.is_none_or(|(most, _)| shared >= most) {
                best = Some((shared, item.entry));
            }
        }
        let lifted: Vec<EntryId> = match best {
            Some((_, entry)) => vec![entry],
            None if how == Lift::Revoke && words.len() <= 1 => {
                let of_last = |item: &&Item| item.said == last_asked && item.source != Source::LastOfTurn && !own(item.entry);
                self.items.iter().chain(&self.standing).filter(of_last).map(|item| item.entry).collect()
            }
            None => Vec::new(),
        };
        for entry in lifted {
            book::set_status(page.rows, page.delta, entry, page.at.event, EntryStatus::Revoked);
            if let Some(by) = by {
                book::link(page.rows, by, EdgeKind::Revokes, entry, page.at.event);
            }
            self.items.retain(|item| item.entry != entry);
            self.standing.retain(|item| item.entry != entry);
        }
    }

    /// A human says that what something waits for has come about: it is over.
    pub(super) fn come_about(&mut self, page: &mut Page<'_>, by: Option<EntryId>, (text, words): (&str, &Gist)) {
        if text.contains("until") {
            return;
        }
        let is_met =
            |item: &Item| item.said < page.at.turn && item.until.as_ref().is_some_and(|until| until.share_in(words) >= 1.0);
        let met: Vec<EntryId> = self.standing.iter().filter(|item| is_met(item)).map(|item| item.entry).collect();
        for entry in met {
            book::set_status(page.rows, page.delta, entry, page.at.event, EntryStatus::Discharged);
            if let Some(by) = by {
                book::link(page.rows, by, EdgeKind::Discharges, entry, page.at.event);
            }
            self.standing.retain(|item| item.entry != entry);
        }
    }

    /// An order that names all that a standing prohibition names: nobody may decide silently which of the two holds.
    pub(super) fn conflicts(&self, page: &mut Page<'_>, by: EntryId, words: impl FnOnce() -> Gist) {
        let forbids = |item: &&Item| {
            item.entry != by
                && item.gist.len() >= 2
                && page.rows.live.contains(&item.entry)
                && is_prohibition(page.rows, item.entry)
        };
        let mut standing = self.standing.iter().filter(forbids).peekable();
        // What an order is about is asked only where something forbids.
        if standing.peek().is_none() {
            return;
        }
        let words = words();
        if standing.any(|item| item.gist.share_in(&words) >= 1.0) {
            calls::note(page.rows, AnomalyKind::Conflict, At { event: page.at.event, line: page.at.line }, None);
        }
    }

    /// A yes means the message before it, and keeps it alive.
    pub(super) fn approve(&mut self, page: &mut Page<'_>, by: EntryId) {
        let approved = self.items.iter().rfind(|item| item.source == Source::LastOfTurn && item.is_whole && item.entry != by);
        if let Some(item) = approved.filter(|item| item.turn == self.turn) {
            book::link(page.rows, by, EdgeKind::Uses, item.entry, page.at.event);
        }
    }

    /// Words point at the message before them: it lives as long as they do.
    pub(super) fn refer(&mut self, page: &mut Page<'_>, by: EntryId) {
        let turn = self.turn;
        let meant = self.items.iter_mut().rfind(|item| item.source == Source::LastOfTurn && item.is_whole && item.turn == turn);
        if let Some(item) = meant.filter(|item| item.entry != by) {
            item.users.push(by);
            book::link(page.rows, by, EdgeKind::Uses, item.entry, page.at.event);
        }
    }

    /// The conditions and prohibitions that live and are about an action of these words.
    pub(in crate::ledger) fn guards(&self, rows: &LaneSnapshot, label: &str) -> Vec<EntryId> {
        if self.standing.is_empty() {
            return Vec::new();
        }
        let words = Gist::of(label);
        let about = |item: &&Item| {
            item.gist.shared(&words) >= item.gist.len().clamp(1, 2) && !item.is_whole && rows.live.contains(&item.entry)
        };
        self.items
            .iter()
            .chain(&self.standing)
            .filter(about)
            .map(|item| item.entry)
            .filter(|entry| is_guard(rows, *entry))
            .collect()
    }
}

fn entry(rows: &LaneSnapshot, id: EntryId) -> Option<&Entry> {
    rows.entries.get(id.index()).and_then(Slot::own).map(|entry| &**entry)
}

fn is_prohibition(rows: &LaneSnapshot, id: EntryId) -> bool {
    entry(rows, id).is_some_and(|entry| entry.kind == EntryKind::Prohibition || entry.also.contains(&EntryKind::Prohibition))
}

fn is_guard(rows: &LaneSnapshot, id: EntryId) -> bool {
    is_prohibition(rows, id) || entry(rows, id).is_some_and(|entry| !entry.preconditions.is_empty())
}
