//! What was done and must not be done again: once an action, with the proof of its result, until its inverse is done (DESIGN section 3).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId};
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{Class, Deed, EffectStatus, Idempotency, Known, Role, ThingKind};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::open_call::{action_facts, record_of};
use crate::ledger::proof::{self, same_handle};
use crate::ledger::rows::{CallRow, EndHow};

/// The done effects, by action and by what undoes them.
#[derive(Default)]
pub(super) struct Done {
    by_action: FxHashMap<Hash64, EntryId>,
    by_thing: FxHashMap<Arc<str>, Vec<Deeded>>,
}

struct Deeded {
    entry: EntryId,
    action: Hash64,
    /// By what names its inverse may call it.
    names: Vec<String>,
}

impl Done {
    /// Folds the end of a call or of its job with this result, and with its exact input where that is still known.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow, (text, input): (&str, Option<Arc<str>>)) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        // What was started in the background is done when it ends.
        let committed = call.ended().is_some_and(|end| end.effect == Some(EffectStatus::Committed)) && how != EndHow::Started;
        let proven = call.aftermath.deeds.iter().any(|deed| deed.is_proven(how, text));
        if !committed && !proven {
            return;
        }
        let once = call.idempotency == Idempotency::NotIdempotent && (call.class != Class::Execute || call.known == Known::Listed);
        if !once && !call.aftermath.deeds.iter().any(of_done_thing) {
            return;
        }
        if (matches!(how, EndHow::Failed(_)) && !proven) || call.aftermath.half_done(how, text) {
            return;
        }
        let call = call.clone();
        for deed in call.aftermath.deeds.iter().filter(|deed| of_done_thing(deed) && deed.role != Role::Opens) {
            self.undone(page, deed, &call);
        }
        // What opens a resource, or ends what was open, is told as that.
        let told = call.class != Class::External
            && !call.aftermath.deeds.iter().any(of_done_thing)
            && call.aftermath.deeds.iter().any(Deed::is_of_an_open_thing);
        if once && !told {
            self.done(page, ix, &call, text, input);
        }
    }

    fn done(&mut self, page: &mut Page<'_>, ix: CallIx, call: &CallRow, text: &str, input: Option<Arc<str>>) {
        let event = page.at.event;
        let proofs = proof::of_result(text);
        if let Some(&entry) = self.by_action.get(&call.action) {
            book::edit(page.rows, entry, |entry| {
                entry.evidence.push(event);
                for proof in proofs {
                    if !entry.names_at(event).any(|name| name == proof) {
                        entry.named.push((event, proof));
                    }
                }
                if let Some(action) = &mut entry.action {
                    action.attempts += 1;
                }
            });
            return;
        }
        let opener = call.aftermath.deeds.iter().find(|deed| of_done_thing(deed) && deed.role == Role::Opens);
        let undo = opener.and_then(|deed| deed.thing.row.undo.clone()).unwrap_or_else(|| "its inverse is done".to_owned());
        let mut identifiers: Vec<String> = call.target.iter().map(ToString::to_string).collect();
        identifiers.extend(proofs.iter().filter(|proof| call.target.as_deref() != Some(proof.as_str())).cloned());
        let draft = Draft {
            kind: EntryKind::Done,
            key: format!("done:{}~{}", call.intent, call.action.short()),
            line_text: format!("done: {}", call.said()),
            text: input.unwrap_or_else(|| Arc::clone(&call.label)),
            trust: if call.known == Known::Listed { Trust::Structured } else { Trust::Inferred },
            rule: "done".into(),
            scope: Scope::Action,
            opened: Moment { span: call.span, ..page.at },
            action: Some(action_facts(ix, call)),
            discharge: Discharge { text: undo, check: Check::Undone, needs: identifiers.clone(), observable: true },
            identifiers,
            weight: Weight::Repair,
            pointer: record_of(page.rows, call),
        };
        let entry = book::open(page.rows, page.delta, draft);
        self.by_action.insert(call.action, entry);
        if let Some(deed) = opener {
            let names = deed.handle.iter().map(ToString::to_string).chain(proofs).collect();
            self.by_thing.entry(Arc::clone(&deed.thing.name)).or_default().push(Deeded { entry, action: call.action, names });
        }
    }

    /// Its inverse was done: the named one's, or the newest one's where none is named.
    fn undone(&mut self, page: &mut Page<'_>, deed: &Deed, by: &CallRow) {
        let Some(deeds) = self.by_thing.get_mut(&deed.thing.name) else { return };
        let position = match deed.handle.as_deref().filter(|handle| !handle.starts_with("HEAD")) {
            Some(handle) => deeds.iter().rposition(|done| done.names.iter().any(|name| same_handle(name, handle))),
            None => deeds.len().checked_sub(1),
        };
        let Some(done) = position.map(|at| deeds.remove(at)) else { return };
        if self.by_action.get(&done.action) == Some(&done.entry) {
            self.by_action.remove(&done.action);
        }
        book::set_status(page.rows, page.delta, done.entry, page.at.event, EntryStatus::Superseded);
        book::link(page.rows, done.entry, EdgeKind::Supersedes, by.entry, page.at.event);
    }
}

fn of_done_thing(deed: &Deed) -> bool {
    deed.thing.row.kind == ThingKind::Done
}
