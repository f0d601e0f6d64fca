//! Retries: attempts with one intent since its last success (DESIGN section 3).
//!
//! The first attempt is none; what was rejected or did not begin is none either. A chain lives until one succeeds, until its target is
//! put right by another call, or until nothing has touched it for some steps.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, EventIx, SpanIx};
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{Class, EffectStatus, Idempotency, Known};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::open_call::action_facts;
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::world::Resolved;

/// A chain that nothing has touched for this many steps is left behind.
const FORGOTTEN_AFTER_STEPS: u32 = 30;

/// The chains of attempts, by intent.
#[derive(Default)]
pub(super) struct Retries {
    chains: FxHashMap<Hash64, Chain>,
    /// The intents that act on a target.
    of_target: FxHashMap<Hash64, Vec<Hash64>>,
    /// The intents in the order in which they were touched, each with the step.
    due: VecDeque<(u32, Hash64)>,
    steps: u32,
}

struct Chain {
    /// Its entry, from the second attempt on.
    entry: Option<EntryId>,
    first: (CallIx, SpanIx, EntryId),
    attempts: u32,
    /// The attempts that the world may count twice, and of which nobody knows what they did.
    unknown: Vec<CallIx>,
    target: Option<Hash64>,
    touched: u32,
}

impl Retries {
    /// Counts a step; leaves behind what nothing came back to.
    pub(super) fn step(&mut self, page: &mut Page<'_>) {
        self.steps += 1;
        while let Some(&(_, intent)) = self.due.front().filter(|(touched, _)| self.steps - touched > FORGOTTEN_AFTER_STEPS) {
            self.due.pop_front();
            if self.chains.get(&intent).is_some_and(|chain| self.steps - chain.touched > FORGOTTEN_AFTER_STEPS) {
                self.leave(page, intent, page.at.event, EntryStatus::Settled, None);
            }
        }
    }

    /// Folds the end of a call; `resolved` are the unknown effects that it has settled.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, resolved: &[Resolved]) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let (intent, target) = (of(&call.intent), call.target.as_deref().map(of));
        if self.chains.is_empty() && call.ended().and_then(|end| end.effect) != Some(EffectStatus::Unknown) {
            return;
        }
        let call = call.clone();
        self.settled(page, resolved);
        self.touch(intent);
        for own in target.and_then(|target| self.of_target.get(&target)).cloned().unwrap_or_default() {
            self.touch(own);
        }
        match call.ended().and_then(|end| end.effect) {
            Some(EffectStatus::Unknown) if !call.ended().is_some_and(|end| end.how.is_silent()) => {
                self.failed(page, ix, &call, intent);
            }
            Some(EffectStatus::Committed) => self.succeeded(page, &call, intent, target),
            Some(EffectStatus::Unknown | EffectStatus::NotStarted) | None => {}
        }
    }

    /// Unknown effects were settled: what is no longer unknown is no barrier, and what was done is a success.
    pub(super) fn settled(&mut self, page: &mut Page<'_>, resolved: &[Resolved]) {
        for one in resolved {
            let Some(call) = page.rows.calls.get(one.call.index()) else { continue };
            let intent = of(&call.intent);
            if one.effect == Some(EffectStatus::Committed) {
                self.leave(page, intent, page.at.event, EntryStatus::Discharged, None);
                continue;
            }
            let Some(chain) = self.chains.get_mut(&intent) else { continue };
            chain.unknown.clear();
            if let Some(entry) = chain.entry {
                weigh(page, entry, Weight::Repair);
            }
        }
    }

    /// The results of a call's tool are left out: nobody knows that it was tried again for want of success.
    pub(super) fn left_out(&mut self, page: &mut Page<'_>, call: CallIx) {
        let Some(intent) = page.rows.calls.get(call.index()).map(|call| of(&call.intent)) else { return };
        self.leave(page, intent, page.at.event, EntryStatus::Settled, None);
    }

    fn succeeded(&mut self, page: &mut Page<'_>, call: &CallRow, intent: Hash64, target: Option<Hash64>) {
        let event = page.at.event;
        self.leave(page, intent, event, EntryStatus::Discharged, Some(call.entry));
        for own in target.and_then(|target| self.of_target.get(&target)).cloned().unwrap_or_default() {
            self.leave(page, own, event, EntryStatus::Discharged, Some(call.entry));
        }
    }

    fn failed(&mut self, page: &mut Page<'_>, ix: CallIx, call: &CallRow, intent: Hash64) {
        let counts_twice = call.class == Class::External
            || call.idempotency == Idempotency::NotIdempotent
            || !call.ended().is_some_and(|end| exited(end.how));
        let target = call.target.as_deref().map(of);
        let touched = self.steps;
        let chain = self.chains.entry(intent).or_insert_with(|| Chain {
            entry: None,
            first: (ix, call.span, call.entry),
            attempts: 0,
            unknown: Vec::new(),
            target,
            touched,
        });
        if chain.attempts > 0 && call.given_up.is_some() && call.end.is_some() {
            // The late result of an attempt that had been given up: it is counted.
            return;
        }
        chain.attempts += 1;
        chain.unknown.extend(counts_twice.then_some(ix));
        let weight = if chain.unknown.is_empty() { Weight::Repair } else { Weight::Barrier };
        if chain.attempts == 1 {
            self.due.push_back((touched, intent));
            if let Some(target) = target {
                self.of_target.entry(target).or_default().push(intent);
            }
            return;
        }
        let entry = match chain.entry {
            Some(entry) => {
                book::edit(page.rows, entry, |entry| {
                    entry.holders.push(Holder { span: call.span, form: HolderForm::Verbatim, since: page.at.event });
                    entry.evidence.push(page.at.event);
                });
                weigh(page, entry, weight);
                entry
            }
            None => {
                let first = chain.first;
                let entry = open(page, ix, call, weight);
                book::edit(page.rows, entry, |entry| {
                    entry.holders.insert(0, Holder { span: first.1, form: HolderForm::Verbatim, since: page.at.event });
                });
                book::link(page.rows, entry, EdgeKind::Retries, first.2, page.at.event);
                chain.entry = Some(entry);
                entry
            }
        };
        let attempts = chain.attempts;
        book::link(page.rows, entry, EdgeKind::Retries, call.entry, page.at.event);
        book::edit(page.rows, entry, |entry| {
            if let Some(action) = &mut entry.action {
                (action.attempts, action.call) = (attempts, Some(ix));
            }
            if entry.lost_at(page.at.event).is_some() {
                entry.lost.push((page.at.event, None));
            }
        });
    }

    /// A chain ends: its counter is at zero again.
    fn leave(&mut self, page: &mut Page<'_>, intent: Hash64, event: EventIx, status: EntryStatus, by: Option<EntryId>) {
        let Some(chain) = self.chains.remove(&intent) else { return };
        if let Some(of_target) = chain.target.and_then(|target| self.of_target.get_mut(&target)) {
            of_target.retain(|own| *own != intent);
        }
        let Some(entry) = chain.entry else { return };
        book::set_status(page.rows, page.delta, entry, event, status);
        if let Some(by) = by {
            book::link(page.rows, entry, EdgeKind::Discharges, by, page.at.event);
        }
    }

    fn touch(&mut self, intent: Hash64) {
        let now = self.steps;
        if let Some(chain) = self.chains.get_mut(&intent).filter(|chain| chain.touched != now) {
            chain.touched = now;
            self.due.push_back((now, intent));
        }
    }
}

fn of(text: &str) -> Hash64 {
    Hash64::of(text.as_bytes())
}

/// Whether it ran and ended by itself.
pub(super) fn exited(how: EndHow) -> bool {
    match how {
        EndHow::Returned => true,
        EndHow::Failed(code) => !matches!(code, Some(124 | 129 | 130 | 137 | 143)),
        _ => false,
    }
}

/// Gives an entry another weight, if it has not that already.
fn weigh(page: &mut Page<'_>, entry: EntryId, weight: Weight) {
    let event = page.at.event;
    book::edit(page.rows, entry, |entry| {
        if entry.weight_at(event) != weight {
            entry.weight.push((event, weight));
        }
    });
}

fn open(page: &mut Page<'_>, ix: CallIx, call: &CallRow, weight: Weight) -> EntryId {
    let draft = Draft {
        kind: EntryKind::Retry,
        key: format!("retry:{}~{}", call.intent, call.action.short()),
        line_text: format!("tried again, without success: {}", call.said()),
        text: std::sync::Arc::clone(&call.input),
        trust: if call.known == Known::Listed { Trust::Structured } else { Trust::Inferred },
        rule: "retry".into(),
        scope: Scope::Action,
        opened: Moment { span: call.span, ..page.at },
        action: Some(action_facts(ix, call)),
        identifiers: call.target.iter().map(ToString::to_string).collect(),
        discharge: Discharge {
            text: format!("{} succeeds, or its target is put right", call.intent),
            check: Check::Succeeded,
            needs: call.target.iter().map(ToString::to_string).collect(),
            observable: true,
        },
        weight,
        pointer: None,
    };
    book::open(page.rows, page.delta, draft)
}
