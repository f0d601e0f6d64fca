//! What later words do to what stands: lift it, go against it, say yes to it; and what stands in the way of an action.

use crate::base::ids::{EntryId, TurnIx};
use crate::base::words::WordSet;
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

/// Words that do not say that something is so: they deny it, hedge, put it off, set it as a condition, or order it.
static HEDGES: WordSet<256> = WordSet::new(&[
    "not", "n't", "never", "no", "nobody", "none", "nothing", "cannot", "without", "neither", "nor", "refuse", "refuses",
    "refused", "doubt", "nearly", "almost", "except", "partly", "mostly", "hardly", "if", "when", "whenever", "once", "unless",
    "before", "until", "till", "will", "would", "should", "might", "tomorrow", "soon", "later", "wait", "waits", "ensure", "sure",
    "tell", "check", "ask", "whether", "why", "how", "mean", "hope", "nicht", "kein", "keine", "nie", "wenn", "falls", "sobald",
    "bis", "ob", "pas", "jamais", "quand", "nunca", "cuando", "fast", "morgen",
]);

/// Whether a text says plainly that something is so.
fn is_plain(text: &str) -> bool {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    !text.trim_end().ends_with('?') && words.all(|word| !HEDGES.has(word) && !word.ends_with("n't"))
}

/// The clauses of a text that say plainly that something is so: "you may upload rc1, and no other version" lets rc1 be uploaded.
fn plain(text: &str) -> String {
    let clauses = text.split_inclusive([',', ';']).filter(|clause| is_plain(clause));
    if text.trim_end().ends_with('?') { String::new() } else { clauses.collect() }
}

/// Whether a text lets its reader do something.
fn permits(text: &str) -> bool {
    const WORDS: [&str; 13] =
        ["can", "may", "could", "free", "allowed", "permitted", "fine", "ok", "okay", "darfst", "kannst", "peux", "puedes"];
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// What a text that lifts something says that it means: "forget what I said about benchmarks/", "forget the 16 hours thing"; nothing where
/// somebody is told not to forget, or asked whether he has.
fn meant(text: &str) -> Gist {
    const VERBS: [&str; 8] = ["forget", "ignore", "disregard", "scratch", "drop", "strike", "lift", "vergiss"];
    const LEADS: [&str; 14] =
        ["and", "oh", "also", "please", "ok", "okay", "so", "now", "then", "just", "actually", "but", "you", "can"];
    const BEFORE: [&str; 3] = ["about ", "regarding ", "concerning "];
    const BEHIND: [&str; 5] = [" thing", " rule", " restriction", " freeze", " ban"];
    let lower = text.to_lowercase();
    let Some(verb) = VERBS.iter().filter_map(|verb| lower.find(verb)).min() else { return Gist::default() };
    let clause = lower.get(..verb).and_then(|before| before.rsplit([',', ';', '.', '!', ':']).next()).unwrap_or_default();
    if !clause.split_whitespace().all(|word| LEADS.contains(&word)) || text.trim_end().ends_with('?') {
        return Gist::default();
    }
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
        (words, text): (&Gist, &str),
        how: Lift,
        own: impl Fn(EntryId) -> bool,
    ) {
        let (meant, frees) = (meant(text), how == Lift::Revoke && permits(text) && is_plain(text));
        let others =
            self.items.iter().chain(&self.standing).filter(|item| !own(item.entry) && page.rows.live.contains(&item.entry));
        let mut best: Option<(usize, EntryId)> = None;
        let mut last_asked = TurnIx(0);
        for item in others {
            if item.source != Source::LastOfTurn {
                last_asked = last_asked.max(item.said);
            }
            let shared = item.gist.shared(words);
            let is_freed = || frees && item.bans.as_ref().is_some_and(|bans| bans.is_all_in(words));
            let is_meant = (!meant.is_empty() && meant.is_all_in(&item.gist)) || is_freed();
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
        lifted.into_iter().for_each(|entry| self.revoke(page, by, entry));
    }

    fn revoke(&mut self, page: &mut Page<'_>, by: Option<EntryId>, entry: EntryId) {
        book::set_status(page.rows, page.delta, entry, page.at.event, EntryStatus::Revoked);
        if let Some(by) = by {
            book::link(page.rows, by, EdgeKind::Revokes, entry, page.at.event);
        }
        self.items.retain(|item| item.entry != entry);
        self.standing.retain(|item| item.entry != entry);
    }

    /// A human lets be done what an earlier turn forbade: the newest ban on that is over.
    pub(super) fn free(&mut self, page: &mut Page<'_>, by: Option<EntryId>, text: &str) {
        const SHARED: usize = 2;
        let said = plain(text);
        if said.is_empty() {
            return;
        }
        let words = &Gist::of(&said);
        let is_freed = |item: &&Item| {
            let bans = item.bans.as_ref().filter(|_| item.said < page.at.turn && page.rows.live.contains(&item.entry));
            bans.is_some_and(|bans| bans.share_in(words) >= ABOUT && bans.shared(words) >= SHARED.min(bans.len()))
        };
        if let Some(entry) = self.standing.iter().rfind(is_freed).map(|item| item.entry) {
            self.revoke(page, by, entry);
        }
    }

    /// A human says that what something waits for has come about: it is over. Most of that will do where what waits is named too: "the
    /// window is confirmed, go ahead with edge-2".
    pub(super) fn come_about(&mut self, page: &mut Page<'_>, by: Option<EntryId>, (text, words): (&str, &Gist)) {
        const MOST: f64 = 0.6;
        if !is_plain(text) {
            return;
        }
        let has_come = |item: &Item, until: &Gist| {
            let names_it = || match item.values.as_slice() {
                [] => item.gist.without(until).shared(words) >= 1,
                values => values.iter().any(|value| text.contains(value.as_str())),
            };
            until.is_all_in(words) || (until.share_in(words) >= MOST && names_it())
        };
        let is_met = |item: &Item| {
            let until = item.until.as_ref().filter(|_| item.said < page.at.turn);
            until.is_some_and(|until| has_come(item, until))
        };
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
        // What an order is about is asked only where something stands, and hardly anything is about all of it.
        if self.standing.is_empty() {
            return;
        }
        let words = words();
        let forbids = |item: &Item| {
            item.entry != by
                && item.gist.len() >= 2
                && item.gist.is_all_in(&words)
                && page.rows.live.contains(&item.entry)
                && is_prohibition(page.rows, item.entry)
        };
        if self.standing.iter().any(forbids) {
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
