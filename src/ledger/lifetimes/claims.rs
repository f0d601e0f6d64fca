//! Claims: what the agent reports as done. Nobody has seen that it is, and it lives on as it would; but it is not owed as before.

use crate::base::ids::{EntryId, TurnIx};
use crate::evidence::Gist;
use crate::ledger::book;
use crate::ledger::entry::{Entry, EntryKind, EntryStatus};
use crate::ledger::folds::Page;
use crate::ledger::lifetimes::item::Item;
use crate::ledger::lifetimes::{Living, Trouble};
use crate::ledger::snapshot::{LaneSnapshot, Slot};

impl Living {
    /// What a report claims of what was asked for in a turn, after work that went well: all that `open` is not about. The human may say
    /// otherwise, and until then it lives. Nobody can claim what is still unknown.
    pub(super) fn claimed(&self, page: &Page<'_>, turn: TurnIx, open: &[Gist]) -> Vec<EntryId> {
        let is_left = |item: &Item| open.iter().any(|words| item.is_whole || words.shared(&item.gist) > 0);
        // What the turn before had to ask about first is done in this one.
        let is_of = |item: &Item| item.turn == turn || (item.is_unmet && item.turn.0 + 1 == turn.0);
        let own = self.items.iter().filter(|item| is_of(item) && item.can_be_claimed() && !is_left(item));
        let mut asked: Vec<EntryId> = own.map(|item| item.entry).filter(|entry| is_open_request(page.rows, *entry)).collect();
        if !asked.is_empty() && self.leaves_unknown(page.rows, turn) {
            asked.clear();
        }
        asked
    }

    /// A message that nothing follows yet reports.
    pub(in crate::ledger) fn reported(&mut self, page: &mut Page<'_>) {
        let turn = page.at.turn;
        if self.worked == Some(turn) && self.trouble == Trouble::None {
            self.claimed_for_now = self.claimed(page, turn, &[]);
            claim(page, &self.claimed_for_now);
        }
    }

    /// The turn goes on: it had not been reported yet.
    pub(in crate::ledger) fn reported_too_early(&mut self, page: &mut Page<'_>) {
        for entry in std::mem::take(&mut self.claimed_for_now) {
            if book::status(page.rows, entry) == Some(EntryStatus::Claimed) {
                book::set_status(page.rows, page.delta, entry, page.at.event, EntryStatus::Live);
            }
        }
    }
}

pub(super) fn claim(page: &mut Page<'_>, entries: &[EntryId]) {
    for entry in entries {
        book::set_status(page.rows, page.delta, *entry, page.at.event, EntryStatus::Claimed);
    }
}

impl Living {
    /// Whether a turn has left open what came of something.
    fn leaves_unknown(&self, rows: &LaneSnapshot, turn: TurnIx) -> bool {
        let mut opened = self.opened_since(rows, turn);
        opened.any(|entry| matches!(entry.kind, EntryKind::Effect | EntryKind::Retry | EntryKind::Transaction))
    }

    /// What was opened in a turn or later, and lives.
    pub(super) fn opened_since<'r>(&self, rows: &'r LaneSnapshot, turn: TurnIx) -> impl Iterator<Item = &'r Entry> + use<'r> {
        let own = |id: &EntryId| rows.entries.get(id.index()).and_then(Slot::own).map(|entry| &**entry);
        // Of older turns, all that lives is looked through: nobody asks for them often.
        let first = self.began.iter().find(|(began, _)| *began == turn).map_or(EntryId(0), |(_, first)| *first);
        // What opened late may have begun in an earlier turn: the order of ids is not that of turns.
        rows.live.range(first..).filter_map(own).filter(move |entry| entry.opened.turn >= turn)
    }
}

/// Whether an entry asks for something that can be reported as done, and was not yet: what is forbidden, chosen or set cannot.
fn is_open_request(rows: &LaneSnapshot, id: EntryId) -> bool {
    use EntryKind::{Ordering, Prohibition, Requirement, Unclassified};
    let own = rows.entries.get(id.index()).and_then(Slot::own);
    own.is_some_and(|entry| {
        let asks = match entry.kind {
            Requirement => true,
            Ordering | Unclassified => !entry.also.contains(&Prohibition),
            _ => false,
        };
        asks && entry.status() == EntryStatus::Live
    })
}
