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
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::snapshot::LaneSnapshot;

/// A plain failure of a local action that nobody came back to in this many steps is left behind.
const FORGOTTEN_AFTER_STEPS: u32 = 30;

/// The unknown effects that are not settled, and the done effects by action.
#[derive(Default)]
pub(super) struct World {
    unknown: Vec<Unknown>,
    done: FxHashMap<Hash64, EntryId>,
    steps: u32,
}

struct Unknown {
    entry: EntryId,
    call: CallIx,
    /// It ran and exited by itself, and what it does is local: it leaves with its retry chain.
    plain: Plain,
    touched: u32,
}

/// A call that ended, with its exact input where it is still known.
struct Acted<'a> {
    ix: CallIx,
    call: &'a CallRow,
    input: Option<Arc<str>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    Plain,
    MustReconcile,
}

impl World {
    /// Counts a step; forgets plain failures that nothing came back to.
    pub(super) fn step(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, event: EventIx) {
        self.steps += 1;
        let now = self.steps;
        self.unknown.retain(|unknown| {
            let keep = unknown.plain == Plain::MustReconcile || now - unknown.touched <= FORGOTTEN_AFTER_STEPS;
            if !keep {
                book::set_status(rows, delta, unknown.entry, event, EntryStatus::Settled);
            }
            keep
        });
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
        let Some(call) = rows.calls.get(ix.index()).cloned() else { return };
        let Some(end) = call.ended() else { return };
        let looked = matches!(end.how, EndHow::Success | EndHow::Returned | EndHow::Failed(_));
        if looked {
            self.settle(rows, delta, &call, at, |unknown, other| {
                // An observation counts only if it began after the operation ended.
                other.ended().is_some_and(|ended| ended.event < call.event) && unknown.call != ix && observes(&call, other)
            });
        }
        match end.effect {
            Some(EffectStatus::Committed) => {
                self.settle(rows, delta, &call, at, |unknown, other| settles(unknown, &call, other));
                self.commit(rows, delta, Acted { ix, call: &call, input }, at);
            }
            Some(EffectStatus::Unknown) => self.wonder(rows, delta, Acted { ix, call: &call, input }, at, end.how),
            Some(EffectStatus::NotStarted) | None => {}
        }
    }

    /// Closes the unknown effects that `closes` picks, by the call that shows what became of them.
    fn settle(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        by: &CallRow,
        at: Moment,
        closes: impl Fn(&Unknown, &CallRow) -> bool,
    ) {
        self.unknown.retain(|unknown| {
            let Some(other) = rows.calls.get(unknown.call.index()) else { return false };
            if !closes(unknown, other) {
                return true;
            }
            book::set_status(rows, delta, unknown.entry, at.event, EntryStatus::Reconciled);
            book::link(rows, unknown.entry, EdgeKind::Reconciles, by.entry, at.event);
            false
        });
    }

    /// Notes an effect that must not be repeated, once an action.
    fn commit(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, acted: Acted<'_>, at: Moment) {
        let call = acted.call;
        if call.idempotency != Idempotency::NotIdempotent || call.known == Known::Inferred {
            return;
        }
        if let Some(&entry) = self.done.get(&call.action) {
            book::edit(rows, entry, |entry| {
                entry.evidence.push(at.event);
                if let Some(action) = &mut entry.action {
                    action.attempts += 1;
                }
            });
            return;
        }
        let action = call.action;
        let entry = open(rows, delta, EntryKind::Done, acted, at, Weight::Repair);
        self.done.insert(action, entry);
    }

    /// Opens an unknown effect, or adds an attempt to the one of the same intent.
    fn wonder(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, acted: Acted<'_>, at: Moment, how: EndHow) {
        let (ix, call) = (acted.ix, acted.call);
        let exited = match how {
            EndHow::Returned => true,
            EndHow::Failed(code) => !matches!(code, Some(124 | 137 | 143)),
            _ => false,
        };
        let plain = if exited && matches!(call.class, Class::Write | Class::Execute) { Plain::Plain } else { Plain::MustReconcile };
        let weight = if plain == Plain::Plain { Weight::Repair } else { Weight::Barrier };
        let same = |unknown: &&mut Unknown| rows.calls.get(unknown.call.index()).is_some_and(|other| other.intent == call.intent);
        if let Some(unknown) = self.unknown.iter_mut().find(same) {
            unknown.call = ix;
            unknown.touched = self.steps;
            if plain == Plain::MustReconcile {
                unknown.plain = plain;
            }
            book::edit(rows, unknown.entry, |entry| {
                entry.evidence.push(at.event);
                entry.holders.push(Holder { span: call.span, form: HolderForm::Verbatim, since: at.event });
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
            book::link(rows, unknown.entry, EdgeKind::Retries, call.entry, at.event);
            return;
        }
        let entry = open(rows, delta, EntryKind::Effect, acted, at, weight);
        self.unknown.push(Unknown { entry, call: ix, plain, touched: self.steps });
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

fn open(rows: &mut LaneSnapshot, delta: &mut Delta, kind: EntryKind, acted: Acted<'_>, at: Moment, weight: Weight) -> EntryId {
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
    book::open(
        rows,
        delta,
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
        },
    )
}
