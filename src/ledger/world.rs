//! What calls did to the world: effects left unknown, and how they are settled (DESIGN section 2).
//!
//! An unknown is settled by a look that began after it ended, by a record of its own, by what a human says about it, or by a later
//! success that cannot have been a second one. A success that may be a second one settles nothing: it is a blind retry.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId, EventIx, TurnIx};
use crate::ledger::anomaly::AnomalyKind;
use crate::ledger::book::{self, Draft};
use crate::ledger::calls::{self, At};
use crate::ledger::delta::Delta;
use crate::ledger::effects::{Class, EffectStatus, Idempotency, Known, Statements};
use crate::ledger::entry::{
    Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Settled, Trust, Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::open_call::{action_facts, record_of};
use crate::ledger::retries::exited;
use crate::ledger::rows::{CallEnd, CallRow, EndHow};
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::testimony::{self, Asked, Question, Testimony};
use crate::ledger::unknowns::{Facet, Pending, Plain, Unknown, Unknowns};
use crate::transcript::JobState;

/// A plain failure of a local action that nobody came back to in this many steps is left behind.
const FORGOTTEN_AFTER_STEPS: u32 = 30;

/// The unknown effects that are not settled.
#[derive(Default)]
pub(super) struct World {
    unknowns: Unknowns,
    steps: u32,
}

/// An unknown effect that was settled.
pub(super) struct Resolved {
    /// The call that had left it.
    pub(super) call: CallIx,
    /// As what; none where the agent looked, and only what it saw says more.
    pub(super) effect: Option<EffectStatus>,
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
    ) -> Vec<Resolved> {
        let mut resolved = Vec::new();
        let Some(call) = rows.calls.get(ix.index()) else { return resolved };
        let Some(end) = call.ended() else { return resolved };
        let by = call.entry;
        for (unknown, effect) in self.shown(rows, ix, call, end, observes) {
            self.reconcile(rows, delta, unknown, at.event, effect);
            book::link(rows, unknown.entry, EdgeKind::Reconciles, by, at.event);
            resolved.push(Resolved { call: unknown.call, effect });
        }
        match end.effect {
            Some(EffectStatus::Committed) => self.blind(rows, ix, at),
            Some(EffectStatus::Unknown) => self.wonder(rows, delta, (ix, end.how, input), at),
            Some(EffectStatus::NotStarted) | None => {}
        }
        resolved
    }

    /// The recording leaves the results of a tool out: what its calls left unknown before that showed is no more than not recorded.
    /// Returns the calls.
    pub(super) fn left_out(&mut self, page: &mut Page<'_>, tool: &str) -> Vec<CallIx> {
        let of_tool = |unknown: &Unknown| {
            let call = page.rows.calls.get(unknown.call.index());
            call.is_some_and(|call| *call.tool == *tool && call.end.is_none())
        };
        let left: Vec<Unknown> = self.unknowns.all().filter(of_tool).collect();
        for unknown in &left {
            let is_local =
                page.rows.calls.get(unknown.call.index()).is_some_and(|call| matches!(call.class, Class::Write | Class::Execute));
            if is_local {
                self.forget(page.rows, *unknown);
                book::set_status(page.rows, page.delta, unknown.entry, page.at.event, EntryStatus::Settled);
            } else {
                book::edit(page.rows, unknown.entry, |entry| entry.weight.push((page.at.event, Weight::Repair)));
            }
        }
        left.into_iter().map(|unknown| unknown.call).collect()
    }

    /// A hook's line proves that a call ran which had been given up.
    pub(super) fn proved(&mut self, page: &mut Page<'_>, ix: CallIx) -> Vec<Resolved> {
        let Some(unknown) = self.unknowns.all().find(|unknown| unknown.call == ix) else { return Vec::new() };
        let effect = Some(EffectStatus::Committed);
        self.reconcile(page.rows, page.delta, unknown, page.at.event, effect);
        vec![Resolved { call: ix, effect }]
    }

    /// A runtime's record says what an ended call did to the world.
    pub(super) fn declared(&mut self, page: &mut Page<'_>, ix: CallIx, effect: EffectStatus) -> Vec<Resolved> {
        let unknown = self.unknowns.all().find(|unknown| unknown.call == ix);
        let ended = page.rows.calls.get(ix.index()).and_then(CallRow::ended);
        match (effect, unknown, ended) {
            (EffectStatus::Committed | EffectStatus::NotStarted, Some(unknown), _) => {
                self.reconcile(page.rows, page.delta, unknown, page.at.event, Some(effect));
                vec![Resolved { call: ix, effect: Some(effect) }]
            }
            (EffectStatus::Unknown, None, Some(end)) => {
                self.wonder(page.rows, page.delta, (ix, end.how, None), page.at);
                let opened: Vec<_> = page.delta.opened().collect();
                for id in opened {
                    book::edit(page.rows, id, |entry| {
                        if let Some(action) = entry.action.as_mut() {
                            action.effect = Some(EffectStatus::Unknown);
                        }
                    });
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// A runtime's record ends an entry: if that is an unknown effect, nobody wonders about it any more.
    pub(super) fn closed(&mut self, page: &mut Page<'_>, entry: EntryId, effect: Option<EffectStatus>) -> Vec<Resolved> {
        let Some(unknown) = self.unknowns.all().find(|unknown| unknown.entry == entry) else { return Vec::new() };
        self.forget(page.rows, unknown);
        vec![Resolved { call: unknown.call, effect }]
    }

    /// What a call had started in the background failed or was stopped: what it was to do to the world may have happened in part. A
    /// server is stopped, and what nobody knows is stopped by whoever started it: that leaves nothing to wonder about.
    pub(super) fn job_failed(&mut self, page: &mut Page<'_>, ix: CallIx, state: JobState) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let how = if state == JobState::Failed { EndHow::Failed(None) } else { EndHow::Lost };
        let acts = match call.class {
            Class::Write | Class::Create | Class::External => true,
            Class::Execute => state == JobState::Failed,
            Class::Control | Class::Read | Class::Check => false,
        };
        if acts && !call.aftermath.serves {
            self.wonder(page.rows, page.delta, (ix, how, None), page.at);
        }
    }

    /// Whether nobody knows what became of some action.
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.unknowns.is_empty()
    }

    /// The assistant said something: a question about an unknown waits for its answer, and so does the one of its turn of which it
    /// says that it does not know.
    pub(super) fn said(&mut self, page: &Page<'_>, text: &str, facts: &Statements) {
        if self.unknowns.is_empty() {
            return;
        }
        let question = Question::of(text);
        let began = page.rows.turns.get(page.at.turn.index()).map(|turn| turn.first);
        let newest = self.unknowns.all().max_by_key(|unknown| unknown.ended).filter(|newest| Some(newest.ended) >= began);
        let left_open = newest.filter(|_| testimony::leaves_open(text, facts)).map(|newest| newest.entry);
        for unknown in self.unknowns.all_mut() {
            let asks = left_open == Some(unknown.entry)
                || page.rows.calls.get(unknown.call.index()).is_some_and(|call| question.is_about(call));
            unknown.question = asks.then_some(Pending { asked: page.at.turn, answered: None });
        }
    }

    /// Turns were taken back: a question waits again if its answer was among them.
    pub(super) fn rewound(&mut self, first_gone: TurnIx) {
        for unknown in self.unknowns.all_mut() {
            unknown.question = unknown.question.filter(|question| question.asked < first_gone);
            if let Some(question) = &mut unknown.question {
                question.answered = question.answered.filter(|turn| *turn < first_gone);
            }
        }
    }

    /// A human said something, as an answer to `question` where a tool asked it.
    pub(super) fn told(&mut self, page: &mut Page<'_>, text: &str, question: Option<&str>, facts: &Statements) -> Vec<Resolved> {
        let mut resolved = Vec::new();
        if self.unknowns.is_empty() {
            return resolved;
        }
        let unknowns: Vec<Unknown> = self.unknowns.all().collect();
        for waiting in self.unknowns.all_mut().filter(|_| question.is_none()).filter_map(|unknown| unknown.question.as_mut()) {
            waiting.answered = waiting.answered.or(Some(page.at.turn));
        }
        let (testimony, question) = (Testimony::of(text, facts), question.map(Question::of));
        for unknown in unknowns {
            let Some(call) = page.rows.calls.get(unknown.call.index()) else { continue };
            let asked = match &question {
                Some(question) if question.is_about(call) => Asked::Answers,
                Some(_) => Asked::Unasked,
                None if unknown.question.is_some_and(|waiting| waiting.answered.is_none()) => Asked::Answers,
                None => Asked::Unasked,
            };
            let Some(effect) = testimony.outcome(call, asked) else { continue };
            self.reconcile(page.rows, page.delta, unknown, page.at.event, Some(effect));
            resolved.push(Resolved { call: unknown.call, effect: Some(effect) });
        }
        resolved
    }

    /// The unknown effects of which this call's end shows what became, and as what.
    fn shown(
        &self,
        rows: &LaneSnapshot,
        ix: CallIx,
        call: &CallRow,
        end: CallEnd,
        observes: impl Fn(&CallRow, &CallRow) -> bool,
    ) -> Vec<(Unknown, Option<EffectStatus>)> {
        let looked = matches!(end.how, EndHow::Success | EndHow::Returned | EndHow::Failed(_));
        let seen = call.sees.iter().filter(|_| looked).map(|sight| Facet::World(Arc::clone(&sight.world)));
        let known = end.effect.filter(|effect| *effect != EffectStatus::Unknown);
        let done = known.map(|_| {
            let target = call.target.clone().map(Facet::Target);
            [Facet::Action(call.action), Facet::Intent(Arc::clone(&call.intent))].into_iter().chain(target)
        });
        let sharing = self.unknowns.sharing(seen.chain(done.into_iter().flatten()));
        let shown = sharing.into_iter().filter_map(|unknown| {
            let other = rows.calls.get(unknown.call.index())?;
            // An observation counts only if it began after the operation ended.
            let later = unknown.ended < call.event && unknown.call != ix;
            let own_record = unknown.call == ix && known.is_some();
            let repeated = end.effect == Some(EffectStatus::Committed) && settles(&unknown, call, other);
            let observed = looked && later && observes(call, other);
            (own_record || repeated || observed).then_some((unknown, known.filter(|_| own_record || repeated)))
        });
        shown.collect()
    }

    /// Closes an unknown, and says in its entry what it turned out to be.
    fn reconcile(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        unknown: Unknown,
        by: EventIx,
        effect: Option<EffectStatus>,
    ) {
        self.forget(rows, unknown);
        book::edit(rows, unknown.entry, |entry| entry.settled = Some(Settled { by, effect }));
        book::set_status(rows, delta, unknown.entry, by, EntryStatus::Reconciled);
    }

    /// Notes a success of an action of which an unknown attempt still stands: the world may have it twice.
    fn blind(&mut self, rows: &mut LaneSnapshot, ix: CallIx, at: Moment) {
        let Some((action, id)) = rows.calls.get(ix.index()).map(|call| (call.action, Arc::clone(&call.id))) else { return };
        for unknown in self.unknowns.sharing([Facet::Action(action)]).into_iter().filter(|unknown| !unknown.retried) {
            self.unknowns.mark_retried(unknown.entry);
            calls::note(rows, AnomalyKind::BlindRetry, At { event: at.event, line: at.line }, Some(&id));
        }
    }

    fn forget(&mut self, rows: &LaneSnapshot, unknown: Unknown) {
        if let Some(call) = rows.calls.get(unknown.call.index()) {
            self.unknowns.remove(unknown.entry, call);
        }
    }

    /// Opens an unknown effect that an operation left which ended like this, or adds an attempt to the one of the same intent.
    fn wonder(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        (ix, how, input): (CallIx, EndHow, Option<Arc<str>>),
        at: Moment,
    ) {
        let Some(call) = rows.calls.get(ix.index()) else { return };
        let is_local = matches!(call.class, Class::Write | Class::Execute);
        if how.is_silent() && is_local {
            return;
        }
        let plain = if exited(how) && is_local { Plain::Plain } else { Plain::MustReconcile };
        if plain == Plain::Plain && leaves_nothing(call) {
            return;
        }
        let weight = if plain == Plain::Plain || how.is_silent() { Weight::Repair } else { Weight::Barrier };
        let Some(known) = self.unknowns.sharing([Facet::Intent(Arc::clone(&call.intent))]).first().copied() else {
            let draft = Draft { pointer: record_of(rows, call), ..draft(Acted { ix, call, input }, at, weight) };
            let (entry, touched) = (book::open(rows, delta, draft), self.steps);
            let ended = at.event;
            let unknown = Unknown { entry, call: ix, ended, plain, touched, question: None, retried: false, one_key: true };
            self.file(rows, unknown);
            return;
        };
        let (span, attempt) = (call.span, call.entry);
        // The late result of an attempt that had been given up is no attempt more, nor is what a record says of one that was counted.
        let is_known = rows.entry(known.entry).is_some_and(|entry| entry.has_tried(ix, attempt));
        let counted = (call.given_up.is_some() && call.end.is_some()) || is_known;
        let one_key = known.one_key && rows.calls.get(known.call.index()).is_some_and(|before| before.key == call.key);
        book::edit(rows, known.entry, |entry| {
            entry.evidence.push(at.event);
            entry.holders.push(Holder { span, form: HolderForm::Verbatim, since: at.event });
            if weight > entry.weight_at(at.event) {
                entry.weight.push((at.event, weight));
            }
            if entry.lost_at(at.event).is_some() {
                entry.lost.push((at.event, None));
            }
            if let Some(action) = entry.action.as_mut().filter(|_| !counted) {
                action.attempts += 1;
                action.call = Some(ix);
            }
        });
        if !counted {
            book::link(rows, known.entry, EdgeKind::Retries, attempt, at.event);
        }
        self.forget(rows, known);
        let plain = if plain == Plain::MustReconcile { plain } else { known.plain };
        self.file(rows, Unknown { call: ix, ended: at.event, plain, touched: self.steps, one_key, ..known });
    }

    fn file(&mut self, rows: &LaneSnapshot, unknown: Unknown) {
        if let Some(call) = rows.calls.get(unknown.call.index()) {
            self.unknowns.add(unknown, call);
        }
    }
}

/// Whether there is nothing to wonder about in a failure: a formatter names neither what it acts on nor where one could look, and doing
/// it again does no harm.
fn leaves_nothing(call: &CallRow) -> bool {
    let names_something = call.target.is_some() || call.reconcile_with.is_some();
    call.class == Class::Write && call.idempotency == Idempotency::Idempotent && !names_something
}

/// Whether a later success settles an unknown of the same action or chain (DESIGN section 2, "Effect status").
fn settles(unknown: &Unknown, success: &CallRow, other: &CallRow) -> bool {
    let one_key = unknown.one_key && success.key.is_some() && success.key == other.key;
    let one_action = success.action == other.action && (success.idempotency == Idempotency::Idempotent || one_key);
    let put_right = unknown.plain == Plain::Plain
        && (success.intent == other.intent || (success.target.is_some() && success.target == other.target));
    one_action || put_right
}

/// What closes an unknown, in words.
fn reconciled_by(call: &CallRow) -> String {
    let look = call.reconcile_with.as_deref().unwrap_or("a later look at what it acts on");
    let again = if call.idempotency == Idempotency::Idempotent { ", or a success of the same action" } else { "" };
    format!("{look}, whichever way it answers{again}")
}

/// The entry of an effect that nobody knows the outcome of.
fn draft(acted: Acted<'_>, at: Moment, weight: Weight) -> Draft {
    let call = acted.call;
    let discharge = Discharge {
        text: reconciled_by(call),
        check: Check::Reconciled,
        needs: call.reconcile_with.iter().map(ToString::to_string).collect(),
        observable: true,
    };
    Draft {
        kind: EntryKind::Effect,
        key: format!("effect:{}~{}", call.intent, call.action.short()),
        line_text: format!("outcome unknown: {}", call.said()),
        text: acted.input.unwrap_or_else(|| Arc::clone(&call.label)),
        trust: if call.known == Known::Listed { Trust::Structured } else { Trust::Inferred },
        rule: "unknown-effect".into(),
        scope: Scope::Action,
        opened: Moment { span: call.span, ..at },
        action: Some(action_facts(acted.ix, call)),
        identifiers: call.target.iter().map(ToString::to_string).collect(),
        discharge,
        weight,
        pointer: None,
    }
}
