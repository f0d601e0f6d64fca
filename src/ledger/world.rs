//! What calls did to the world: effects left unknown, how they are settled, and what must not be done twice (DESIGN section 2).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, EventIx};
use crate::ledger::book::{self, Draft};
use crate::ledger::delta::Delta;
use crate::ledger::effects::{Class, EffectStatus, Idempotency, Known};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight};
use crate::ledger::open_call::action_facts;
use crate::ledger::rows::{CallEnd, CallRow, EndHow};
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::unknowns::{Facet, Plain, Unknown, Unknowns};

/// A plain failure of a local action that nobody came back to in this many steps is left behind.
const FORGOTTEN_AFTER_STEPS: u32 = 30;

/// The unknown effects that are not settled, and the done effects by action.
#[derive(Default)]
pub(super) struct World {
    unknowns: Unknowns,
    done: FxHashMap<Hash64, EntryId>,
    steps: u32,
}

/// A call that ended, with its exact input where it is still known.
struct Acted<'a> {
    ix: CallIx,
    call: &'a CallRow,
    input: Option<Arc<str>>,
}

impl World {
    /// Counts a step; forgets plain failures that nothing came back to.
    pub(super) fn step(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, event: EventIx) {
        self.steps += 1;
        while let Some(unknown) = self.unknowns.tried_before(self.steps.saturating_sub(FORGOTTEN_AFTER_STEPS)) {
            self.forget(rows, unknown);
            book::set_status(rows, delta, unknown.entry, event, EntryStatus::Settled);
        }
    }

    /// Folds the end of a call with this exact input, at the moment `at`. `observes` says whether a call's result shows what became
    /// of another.
    pub(super) fn ended(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        (ix, input): (CallIx, Option<Arc<str>>),
        at: Moment,
        observes: impl Fn(&CallRow, &CallRow) -> bool,
    ) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        let Some(end) = call.ended() else { return };
        let by = call.entry;
        for unknown in self.settled(rows, ix, call, end, observes) {
            self.forget(rows, unknown);
            book::set_status(rows, delta, unknown.entry, at.event, EntryStatus::Reconciled);
            book::link(rows, unknown.entry, EdgeKind::Reconciles, by, at.event);
        }
        match end.effect {
            Some(EffectStatus::Committed) => self.commit(rows, delta, (ix, input), at),
            Some(EffectStatus::Unknown) => self.wonder(rows, delta, (ix, input), at, end.how),
            Some(EffectStatus::NotStarted) | None => {}
        }
    }

    /// The unknown effects of which this call's end shows what became.
    fn settled(
        &self,
        rows: &LaneSnapshot,
        ix: CallIx,
        call: &CallRow,
        end: CallEnd,
        observes: impl Fn(&CallRow, &CallRow) -> bool,
    ) -> Vec<Unknown> {
        let looked = matches!(end.how, EndHow::Success | EndHow::Returned | EndHow::Failed(_));
        let seen = call.sees.iter().filter(|_| looked).map(|sight| Facet::World(Arc::clone(&sight.world)));
        let done = (end.effect == Some(EffectStatus::Committed)).then(|| {
            let target = call.target.clone().map(Facet::Target);
            [Facet::Action(call.action), Facet::Intent(Arc::clone(&call.intent))].into_iter().chain(target)
        });
        let mut found = self.unknowns.sharing(seen.chain(done.into_iter().flatten()));
        found.retain(|unknown| {
            let Some(other) = rows.calls.get(unknown.call.index()) else { return false };
            // An observation counts only if it began after the operation ended.
            let later = other.ended().is_some_and(|ended| ended.event < call.event) && unknown.call != ix;
            (looked && later && observes(call, other))
                || (end.effect == Some(EffectStatus::Committed) && settles(unknown, call, other))
        });
        found
    }

    fn forget(&mut self, rows: &LaneSnapshot, unknown: Unknown) {
        if let Some(call) = rows.calls.get(unknown.call.index()) {
            self.unknowns.remove(unknown.entry, call);
        }
    }

    /// Notes an effect that must not be repeated, once an action.
    fn commit(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, (ix, input): (CallIx, Option<Arc<str>>), at: Moment) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        if call.idempotency != Idempotency::NotIdempotent || call.known == Known::Inferred {
            return;
        }
        let action = call.action;
        if let Some(&entry) = self.done.get(&action) {
            book::edit(rows, entry, |entry| {
                entry.evidence.push(at.event);
                if let Some(action) = &mut entry.action {
                    action.attempts += 1;
                }
            });
            return;
        }
        let draft = draft(EntryKind::Done, Acted { ix, call, input }, at, Weight::Repair);
        self.done.insert(action, book::open(rows, delta, draft));
    }

    /// Opens an unknown effect, or adds an attempt to the one of the same intent.
    fn wonder(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        (ix, input): (CallIx, Option<Arc<str>>),
        at: Moment,
        how: EndHow,
    ) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        let exited = match how {
            EndHow::Returned => true,
            EndHow::Failed(code) => !matches!(code, Some(124 | 137 | 143)),
            _ => false,
        };
        let plain = if exited && matches!(call.class, Class::Write | Class::Execute) { Plain::Plain } else { Plain::MustReconcile };
        let weight = if plain == Plain::Plain { Weight::Repair } else { Weight::Barrier };
        let Some(known) = self.unknowns.sharing([Facet::Intent(Arc::clone(&call.intent))]).first().copied() else {
            let draft = draft(EntryKind::Effect, Acted { ix, call, input }, at, weight);
            let unknown = Unknown { entry: book::open(rows, delta, draft), call: ix, plain, touched: self.steps };
            self.file(rows, unknown);
            return;
        };
        let (span, attempt) = (call.span, call.entry);
        book::edit(rows, known.entry, |entry| {
            entry.evidence.push(at.event);
            entry.holders.push(Holder { span, form: HolderForm::Verbatim, since: at.event });
            if weight > entry.weight_at(at.event) {
                entry.weight.push((at.event, weight));
            }
            if entry.lost_at(at.event).is_some() {
                entry.lost.push((at.event, None));
            }
            if let Some(action) = &mut entry.action {
                action.attempts += 1;
                action.call = ix;
            }
        });
        book::link(rows, known.entry, EdgeKind::Retries, attempt, at.event);
        self.forget(rows, known);
        let plain = if plain == Plain::MustReconcile { plain } else { known.plain };
        self.file(rows, Unknown { call: ix, plain, touched: self.steps, ..known });
    }

    fn file(&mut self, rows: &LaneSnapshot, unknown: Unknown) {
        if let Some(call) = rows.calls.get(unknown.call.index()) {
            self.unknowns.add(unknown, call);
        }
    }
}

/// Whether a later success settles an unknown of the same action or chain (DESIGN section 2, "Effect status").
fn settles(unknown: &Unknown, success: &CallRow, other: &CallRow) -> bool {
    let one_key = success.key.is_some() && success.key == other.key;
    let one_action = success.action == other.action && (success.idempotency == Idempotency::Idempotent || one_key);
    let put_right = unknown.plain == Plain::Plain
        && (success.intent == other.intent || (success.target.is_some() && success.target == other.target));
    one_action || put_right
}

/// The entry of what a call did, or may have done.
fn draft(kind: EntryKind, acted: Acted<'_>, at: Moment, weight: Weight) -> Draft {
    let call = acted.call;
    let discharge = match kind {
        EntryKind::Done => Discharge {
            text: "its inverse is done".to_owned(),
            check: Check::Undone,
            needs: call.target.iter().map(ToString::to_string).collect(),
            observable: true,
        },
        _ => Discharge {
            text: match &call.reconcile_with {
                Some(look) => format!("look whether it happened: {look}"),
                None => "look whether it happened".to_owned(),
            },
            check: Check::Reconciled,
            needs: call.reconcile_with.iter().map(ToString::to_string).collect(),
            observable: true,
        },
    };
    let (rule, verb) = if kind == EntryKind::Done { ("done", "done") } else { ("unknown-effect", "outcome unknown") };
    Draft {
        kind,
        key: format!("{}:{}~{}", kind.word(), call.intent, call.action.short()),
        line_text: format!("{verb}: {} {}", call.tool, call.label),
        text: acted.input.unwrap_or_else(|| Arc::clone(&call.label)),
        trust: if call.known == Known::Listed { Trust::Structured } else { Trust::Inferred },
        rule: rule.into(),
        scope: Scope::Action,
        opened: Moment { span: call.span, ..at },
        action: Some(action_facts(acted.ix, call)),
        identifiers: call.target.iter().map(ToString::to_string).collect(),
        discharge,
        weight,
        pointer: None,
    }
}
