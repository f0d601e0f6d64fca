//! What a runtime wrote down itself: the records of a side ledger, and our own carriers that come back in a transcript (DESIGN section
//! 4, trust 1; section 2, "Provenance").
//!
//! A record has no event of its own. It counts after the event at which it is anchored, and that event stands for it as evidence.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId};
use crate::base::text::prefix;
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::exact_values;
use crate::ledger::effects::{Class, EffectStatus, Idempotency};
use crate::ledger::entry::{
    ActionFacts, Check, Discharge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Vouched,
    Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::label::first_line;
use crate::ledger::open_call::action_facts;
use crate::ledger::record::{Declared, Opening};
use crate::ledger::snapshot::Slot;

/// Finds the newest call of an id.
pub(super) type Find<'a> = &'a dyn Fn(&str) -> Option<CallIx>;

/// Who wrote a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// The runtime, in a side ledger.
    Runtime,
    /// We, before a compaction; it stands in the context again.
    Carrier,
}

/// What of an opening became of it.
pub(super) enum Opened {
    /// An entry that was not known.
    New(EntryId),
    /// One that was, and lives.
    Known,
    /// Nothing: a carrier of what has ended, or says other words by now.
    Nothing,
}

/// The keys of a lane, and what waits for its other end.
#[derive(Default)]
pub(super) struct Explicit {
    /// The newest entry of each key, as far as `seen`: nobody asks before a record comes.
    by_key: FxHashMap<String, EntryId>,
    seen: usize,
    /// Edges to keys that are not there yet.
    waiting: FxHashMap<String, Vec<(EntryId, EdgeKind)>>,
    /// What was declared of calls that have not been made or have not ended, by their id.
    declared: FxHashMap<Box<str>, Declared>,
}

impl Explicit {
    /// Opens the entry that a record states, or joins the live one of its key.
    pub(super) fn open(&mut self, page: &mut Page<'_>, said: &Opening, by: Writer, find: Find<'_>) -> Opened {
        let by_key = self.entry(page, &said.key, find);
        let known = by_key.or_else(|| of_call(page, said, find));
        let live = known.filter(|id| page.rows.live.contains(id));
        let same = match by {
            Writer::Runtime => live.filter(|id| says_the_same(page, *id, said)),
            Writer::Carrier => not_held_yet(page, said),
        };
        let of_call = live.filter(|id| by_key.is_none() && says_the_same(page, *id, said));
        if let Some(id) = same.or(of_call) {
            join(page, id, said, by);
            self.by_key.insert(said.key.clone(), id);
            self.link(page, id, said, find);
            return Opened::Known;
        }
        if by == Writer::Carrier && said.kind == EntryKind::Call && live.is_none() {
            left_by_call(page, said, find).into_iter().for_each(|id| join(page, id, said, by));
        }
        // A call is told by its own records.
        if live.is_some_and(|id| matches!(page.rows.entries.get(id.index()), Some(Slot::Call(_)))) {
            return Opened::Known;
        }
        if by == Writer::Carrier && known.is_some_and(|id| !stands_beside(page, id)) {
            return Opened::Nothing;
        }
        let opened = book::open(page.rows, page.delta, draft(page, said, by, find));
        book::edit(page.rows, opened, |entry| {
            entry.also.clone_from(&said.also);
            entry.preconditions.clone_from(&said.preconditions);
            entry.progress = said.progress.iter().map(|part| (page.at.event, part.clone())).collect();
            if by == Writer::Carrier {
                entry.holders = vec![Holder { span: page.at.span, form: HolderForm::Carrier, since: page.at.event }];
            }
        });
        self.link(page, opened, said, find);
        self.index(page);
        for (from, kind) in self.waiting.remove(&said.key).unwrap_or_default() {
            book::link(page.rows, from, kind, opened, page.at.event);
        }
        Opened::New(opened)
    }

    /// The newest entry of a key; `call:ID` names a call.
    pub(super) fn entry(&mut self, page: &Page<'_>, key: &str, find: Find<'_>) -> Option<EntryId> {
        self.index(page);
        let call = || page.rows.calls.get(find(key.strip_prefix("call:")?)?.index()).map(|call| call.entry);
        self.by_key.get(key).copied().or_else(call)
    }

    /// Keeps what was declared of a call until it is made, or ends.
    pub(super) fn declare(&mut self, declared: &Declared) {
        self.declared.insert(declared.call.as_str().into(), declared.clone());
    }

    /// A call was made: what its world can tell repetitions by may have been declared before.
    pub(super) fn made(&mut self, page: &mut Page<'_>, ix: CallIx) {
        if self.declared.is_empty() {
            return;
        }
        if let Some(call) = page.rows.calls.get_mut(ix.index())
            && let Some(key) = self.declared.get(&*call.id).and_then(|declared| declared.idempotency_key.as_deref())
        {
            call.key.get_or_insert_with(|| key.into());
        }
    }

    /// What was declared of a call that now ends did to the world.
    pub(super) fn effect_of(&mut self, id: &str) -> Option<EffectStatus> {
        if self.declared.is_empty() { None } else { self.declared.remove(id)?.effect }
    }

    /// Draws the edges that a record states; what its entry takes the place of ends.
    fn link(&mut self, page: &mut Page<'_>, from: EntryId, said: &Opening, find: Find<'_>) {
        for (kind, key) in &said.edges {
            // Before the new entry of a key is known by it, the key means the old one.
            match self.entry_before(page, key, from, find) {
                Some(to) => {
                    book::link(page.rows, from, *kind, to, page.at.event);
                    if *kind == EdgeKind::Supersedes && page.rows.live.contains(&to) {
                        book::set_status(page.rows, page.delta, to, page.at.event, EntryStatus::Superseded);
                    }
                }
                None => self.waiting.entry(key.clone()).or_default().push((from, *kind)),
            }
        }
    }

    fn entry_before(&mut self, page: &Page<'_>, key: &str, new: EntryId, find: Find<'_>) -> Option<EntryId> {
        let known = self.by_key.get(key).copied();
        known.or_else(|| self.entry(page, key, find)).filter(|id| *id != new)
    }

    /// Learns the keys of the entries that are new. Calls are found by their ids.
    fn index(&mut self, page: &Page<'_>) {
        for n in self.seen..page.rows.entries.len() {
            if let Some(Slot::Entry(entry)) = page.rows.entries.get(n) {
                self.by_key.insert(entry.key.clone(), entry.id);
            }
        }
        self.seen = page.rows.entries.len();
    }
}

/// What the fold knows already of the call that a record is about, and is of its kind.
fn of_call(page: &Page<'_>, said: &Opening, find: Find<'_>) -> Option<EntryId> {
    let call = said.call.as_deref().and_then(find)?;
    let is_of_it = |entry: &&Arc<Entry>| entry.action.as_ref().is_some_and(|action| action.call == Some(call));
    page.rows.live_entries().filter(|entry| entry.kind == said.kind).find(is_of_it).map(|entry| entry.id)
}

/// The live entry of the same key and words for which a carrier stands: of actions each has its own, in the order in which they were
/// opened.
fn not_held_yet(page: &Page<'_>, said: &Opening) -> Option<EntryId> {
    let is_held = |entry: &Entry| {
        let newest = entry.holders.last();
        newest.is_some_and(|holder| holder.form == HolderForm::Carrier && holder.since == page.at.event)
    };
    let own = page.rows.live_entries().filter(|entry| entry.key == said.key);
    let free = own.filter(|entry| entry.kind.is_commitment() || !is_held(entry));
    free.map(|entry| entry.id).find(|id| says_the_same(page, *id, said))
}

/// Whether an entry was opened by a carrier in the same text: where two of one key differ there, both were live.
fn stands_beside(page: &Page<'_>, id: EntryId) -> bool {
    let Some(Slot::Entry(entry)) = page.rows.entries.get(id.index()) else { return false };
    entry.rule == Entry::OF_CARRIER && entry.known() == page.at.event
}

/// What the call of a carrier has left since the carrier was written: a boundary gives every open call up.
fn left_by_call(page: &Page<'_>, said: &Opening, find: Find<'_>) -> Vec<EntryId> {
    let call = said.call.as_deref().or_else(|| said.key.strip_prefix("call:")).and_then(find);
    let is_of_it = |entry: &&Arc<Entry>| call.is_some() && entry.action.as_ref().is_some_and(|action| action.call == call);
    page.rows.live_entries().filter(is_of_it).map(|entry| entry.id).collect()
}

/// Whether a record states what its key stands for already: the words of a commitment, whatever is known of an action.
fn says_the_same(page: &Page<'_>, id: EntryId, said: &Opening) -> bool {
    let Some(Slot::Entry(entry)) = page.rows.entries.get(id.index()) else { return false };
    let text = said.text.trim();
    !entry.kind.is_commitment() || *entry.text == *text || (said.is_part && text.lines().all(|line| entry.text.contains(line)))
}

/// A live entry is stated again: a runtime vouches for it, a carrier holds it.
fn join(page: &mut Page<'_>, id: EntryId, said: &Opening, by: Writer) {
    let (event, span) = (page.at.event, page.at.span);
    book::edit(page.rows, id, |entry| {
        if by == Writer::Runtime && entry.trust != Trust::Explicit {
            let discharge = said.discharge.is_some().then(|| discharge(said));
            entry.vouched.get_or_insert(Vouched { since: event, discharge });
        }
        // What cannot be told to have ended from a carrier is not held by it.
        if by == Writer::Carrier && entry.discharge_at(event).observable {
            entry.holders.push(Holder { span, form: HolderForm::Carrier, since: event });
            if entry.lost_at(event).is_some() {
                entry.lost.push((event, None));
            }
        }
        for part in &said.progress {
            if !entry.progress.iter().any(|(_, known)| known == part) {
                entry.progress.push((event, part.clone()));
            }
        }
        entry.evidence.push(event);
    });
}

fn draft(page: &Page<'_>, said: &Opening, by: Writer, find: Find<'_>) -> Draft {
    let call = said.call.as_deref().and_then(find).and_then(|ix| Some((ix, page.rows.calls.get(ix.index())?)));
    let opened = call.map_or(page.at, |(_, call)| Moment { span: call.span, ..page.at });
    let mut action = call.map(|(ix, call)| action_facts(ix, call)).or_else(|| states_an_action(said).then(|| facts(said)));
    if let Some(action) = &mut action {
        action.effect = said.effect.or(action.effect);
        action.target = said.target.as_deref().map(Arc::from).or_else(|| action.target.take());
        action.key = said.idempotency_key.as_deref().map(Arc::from).or_else(|| action.key.take());
        action.attempts = said.attempts.unwrap_or(action.attempts);
    }
    let text = said.text.trim();
    let mut identifiers = exact_values(text);
    identifiers.extend(said.target.iter().filter(|target| !identifiers.contains(target)).cloned().collect::<Vec<_>>());
    let (trust, rule) = match by {
        Writer::Runtime => (Trust::Explicit, Entry::OF_RUNTIME),
        Writer::Carrier => (Trust::Structured, Entry::OF_CARRIER),
    };
    Draft {
        kind: said.kind,
        key: said.key.clone(),
        line_text: first_line(text),
        text: Arc::from(text),
        trust,
        rule: rule.into(),
        scope: said.scope.unwrap_or(match (said.kind.is_commitment(), by) {
            (false, _) => Scope::Action,
            (true, Writer::Runtime) => Scope::Standing,
            (true, Writer::Carrier) => Scope::OneShot,
        }),
        opened,
        discharge: discharge(said),
        identifiers,
        weight: said.colour.unwrap_or_else(|| weight(said)),
        action,
        pointer: None,
    }
}

/// How an entry ends, as its record states it or leaves it to its kind.
fn discharge(said: &Opening) -> Discharge {
    let ends = said.discharge.as_ref();
    Discharge {
        text: ends.map_or_else(|| "a record that closes it".to_owned(), |ends| ends.text.clone()),
        check: ends.and_then(|ends| ends.check).unwrap_or_else(|| check(said.kind)),
        needs: ends.map(|ends| ends.needs.clone()).unwrap_or_default(),
        observable: ends.is_none_or(|ends| ends.observable),
    }
}

/// Whether a record is about an action.
fn states_an_action(said: &Opening) -> bool {
    use EntryKind::{Call, Done, Effect, Process, Resource, Retry, Transaction};
    let is_one = matches!(said.kind, Call | Effect | Done | Retry | Transaction | Process | Resource);
    is_one || said.effect.is_some() || said.target.is_some() || said.idempotency_key.is_some()
}

/// What is known of an action of which the transcript has no call.
fn facts(said: &Opening) -> ActionFacts {
    let text = said.text.trim();
    ActionFacts {
        call: None,
        first: None,
        class: Class::Execute,
        effect: None,
        action: said.action.unwrap_or_else(|| Hash64::of(text.as_bytes())),
        intent: Arc::from(prefix(&first_line(text), INTENT_BYTES)),
        target: None,
        key: None,
        idempotency: match (said.kind, &said.idempotency_key) {
            (_, Some(_)) => Idempotency::Idempotent,
            (EntryKind::Done, None) => Idempotency::NotIdempotent,
            _ => Idempotency::Unknown,
        },
        attempts: 1,
    }
}

/// Of an action's text this much stands for what repetitions share, in bytes.
const INTENT_BYTES: usize = 80;

/// DESIGN section 3, column "colour", where the record does not say it.
fn weight(said: &Opening) -> Weight {
    use EntryKind::{Call, Effect, Process, Transaction};
    let open = said.effect.is_none_or(|effect| effect == EffectStatus::Unknown);
    if matches!(said.kind, Call | Effect | Transaction | Process) && open { Weight::Barrier } else { Weight::Repair }
}

/// How entries of a kind end.
fn check(kind: EntryKind) -> Check {
    match kind {
        EntryKind::Call => Check::Resolved,
        EntryKind::Effect => Check::Reconciled,
        EntryKind::Retry | EntryKind::Unverified => Check::Succeeded,
        EntryKind::Done | EntryKind::Transaction | EntryKind::Resource => Check::Undone,
        EntryKind::Process => Check::Ended,
        EntryKind::Question => Check::Answered,
        EntryKind::Task => Check::Done,
        EntryKind::Prohibition
        | EntryKind::Requirement
        | EntryKind::Ordering
        | EntryKind::Decision
        | EntryKind::Value
        | EntryKind::Unclassified
        | EntryKind::Reference
        | EntryKind::Binding => Check::Revoked,
    }
}
