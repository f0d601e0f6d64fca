//! A lane's ledger: the one mutable thing, owned by the one writer. The folds run in a fixed order; none can fail.

use std::sync::Arc;

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::base::ids::{CallIx, EventIx, SpanIx};
use crate::ledger::anomaly::AnomalyKind;
use crate::ledger::answers::Answers;
use crate::ledger::calls::{self, At, Calls, Ended, Made, Origin};
use crate::ledger::context::Context;
use crate::ledger::delta::Delta;
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::Moment;
use crate::ledger::folds::{Ending, Folds, Page};
use crate::ledger::label;
use crate::ledger::prepared::{Meaning, Prepared, Preparer, words};
use crate::ledger::processes::may_still_run;
use crate::ledger::record::{CARRIER, Mistake, Says};
use crate::ledger::replays::Replays;
use crate::ledger::retries::exited;
use crate::ledger::rows::{EndHow, EventKind, EventRow, SpanKind, TurnEnd};
use crate::ledger::rulebook::Rulebook;
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::spans::{self, Home, Spans};
use crate::ledger::tokens::{self, Meter};
use crate::ledger::values::{Spelled, Spellings};
use crate::transcript::{Agent, BoundaryKind, Call, Event, Input, Mark, Outcome, Payload, Place, Resolution, Speaker, Trigger};

/// The fold of one lane.
pub struct Lane {
    rows: LaneSnapshot,
    rules: Arc<Rulebook>,
    preparer: Preparer,
    replays: Replays,
    spans: Spans,
    calls: Calls,
    context: Context,
    folds: Folds,
    meter: Meter,
    tools: FxHashSet<Arc<str>>,
    answers: Answers,
    /// A buffer that is used again.
    spellings: Spellings,
}

/// The event that is being folded.
struct Now {
    ix: EventIx,
    place: Place,
    span: Option<SpanIx>,
}

impl Lane {
    /// An empty lane of this name (`main`, or the sub-agent's id).
    #[must_use]
    pub fn new(name: &str, agent: Agent, rules: Arc<Rulebook>) -> Self {
        Self {
            rows: LaneSnapshot { name: name.into(), ..LaneSnapshot::default() },
            rules: Arc::clone(&rules),
            preparer: Preparer::new(agent, Arc::clone(&rules)),
            replays: Replays::default(),
            spans: Spans::default(),
            calls: Calls::default(),
            context: Context::default(),
            folds: Folds::default(),
            meter: Meter::default(),
            tools: FxHashSet::default(),
            answers: Answers::default(),
            spellings: Spellings::default(),
        }
    }

    /// Notes which lane launched this one.
    pub fn set_parent(&mut self, parent: &str) {
        self.rows.parent = Some(parent.into());
    }

    /// Notes which model answers.
    pub fn set_model(&mut self, model: &str) {
        if self.rows.model.as_deref() != Some(model) {
            self.rows.model = Some(model.into());
        }
    }

    /// The lane as it stands, for readers. Costs microseconds.
    #[must_use]
    pub fn snapshot(&self) -> LaneSnapshot {
        self.rows.clone()
    }

    /// Folds one event.
    pub fn apply(&mut self, event: &Event<'_>) -> Delta {
        self.apply_prepared(event, Prepared::default())
    }

    /// Folds one event that may have been prepared for this lane's agent, by its rules.
    pub fn apply_prepared(&mut self, event: &Event<'_>, prepared: Prepared<'_>) -> Delta {
        if let Some(spelled) = prepared.spelled {
            return self.fold(event, spelled, prepared.meaning);
        }
        let mut spellings = std::mem::take(&mut self.spellings);
        spellings.clear();
        self.preparer.spell(&event.payload, &mut spellings);
        let delta = self.fold(event, spellings.iter().next().unwrap_or_default(), prepared.meaning);
        self.spellings = spellings;
        delta
    }

    fn fold(&mut self, event: &Event<'_>, spelled: Spelled<'_>, meaning: Option<&Meaning>) -> Delta {
        let mut delta = Delta::default();
        let ix = EventIx::from_index(self.rows.events.len());
        if self.replays.is_replay(event, ix) {
            calls::note(&mut self.rows, AnomalyKind::Replayed, At { event: ix, line: event.place.line }, None);
            return delta;
        }
        delta.event = Some(ix);
        let ended = match &event.payload {
            Payload::Resolution(resolution) => Some(self.pair(resolution, At { event: ix, line: event.place.line })),
            _ => None,
        };
        let home = match &ended {
            Some(Ended::Call(call) | Ended::Already(call)) => {
                self.rows.calls.get(call.index()).map_or(Home::Payload, |row| Home::Call(row.span))
            }
            Some(Ended::Orphan) | None => Home::Payload,
        };
        let spans_before = self.rows.spans.len();
        let span = self.spans.place(&mut self.rows, &mut delta, event, ix, &home);
        let now = Now { ix, place: event.place, span };
        if self.rows.spans.len() > spans_before {
            self.began(&mut delta, &now);
        }
        self.meter.read(&mut self.rows, &mut delta, event, ix, span);
        self.push(event, &now);
        let (folds, mut page) = self.page(&mut delta, &now);
        folds.seen(&mut page, &event.payload, spelled);
        let read;
        let meaning = match meaning {
            Some(meaning) => meaning,
            None => {
                read = self.preparer.read(&event.payload);
                &read
            }
        };
        match &event.payload {
            Payload::Call(call) => self.call(&mut delta, call, (meaning, spelled), &now),
            Payload::Resolution(resolution) => {
                self.resolution(&mut delta, resolution, ended, &now);
                self.heard(&mut delta, &event.payload, meaning, &now);
            }
            Payload::Ran { call, tool } => self.ran(&mut delta, call, tool, &now),
            Payload::User { speaker: Speaker::Injected, text } => self.carried(&mut delta, text, &now),
            Payload::User { .. } | Payload::Unrecognised { .. } => self.heard(&mut delta, &event.payload, meaning, &now),
            Payload::Boundary(boundary) => self.boundary(&mut delta, boundary, &now),
            Payload::Summary { text, opaque } => {
                if let Some(span) = span {
                    self.context.summary(&mut self.rows, text, *opaque, ix, span);
                }
                self.carried(&mut delta, text, &now);
            }
            Payload::Mark(mark) => self.marked(&mut delta, *mark, &now),
            Payload::Job { handle, state, text } => {
                let (folds, mut page) = self.page(&mut delta, &now);
                folds.job(&mut page, handle, *state, text);
            }
            Payload::Assistant { text } => {
                let (folds, mut page) = self.page(&mut delta, &now);
                folds.said(&mut page, text, event.finish, &meaning.regions);
            }
            Payload::Reasoning { .. } => {}
        }
        delta
    }

    /// Counts a runtime's record from here on: after the newest event, which stands for it.
    ///
    /// # Errors
    /// It is about something that is not there: the lane has no event yet, or nothing live has the key.
    pub fn record(&mut self, says: &Says) -> Result<Delta, Mistake> {
        let mut delta = Delta::default();
        let newest = self.rows.events.len().checked_sub(1).map(EventIx::from_index);
        let row = newest.and_then(|ix| self.rows.events.get(ix.index()));
        let Some((ix, row)) = newest.zip(row) else { return Err(Mistake::whole("its lane has no event yet")) };
        let now = Now { ix, place: row.place, span: row.span };
        delta.event = Some(ix);
        if let Says::Close(closing) = says
            && let Some(call) = closing.key.strip_prefix("call:").and_then(|id| self.calls.newest(id))
            && self.rows.open_calls.contains_key(&call)
        {
            if let Some(effect) = closing.effect {
                self.folds.expect(&closing.key, effect);
            }
            self.give_up(&mut delta, &now, EndHow::AbandonedAtTurn, |_, open| open == call);
            return Ok(delta);
        }
        let at = self.moment(&now);
        let mut page = Page { rows: &mut self.rows, delta: &mut delta, at, place: now.place, rules: &self.rules };
        let calls = &self.calls;
        self.folds.recorded(&mut page, says, &|id| calls.newest(id))?;
        Ok(delta)
    }

    /// Counts our own carriers in what the runtime put into the context.
    fn carried(&mut self, delta: &mut Delta, text: &str, now: &Now) {
        if memmem::find(text.as_bytes(), CARRIER.as_bytes()).is_none() {
            return;
        }
        let at = self.moment(now);
        let mut page = Page { rows: &mut self.rows, delta, at, place: now.place, rules: &self.rules };
        let calls = &self.calls;
        self.folds.carried(&mut page, text, &|id| calls.newest(id));
    }

    /// Finds the call that a resolution ends.
    fn pair(&mut self, resolution: &Resolution<'_>, at: At) -> Ended {
        self.calls.resolve(&mut self.rows, &resolution.call, at, EndHow::from(&resolution.outcome), &resolution.text)
    }

    /// A span began: it enters the context, and a step of a new turn proves that older calls will not be answered any more.
    fn began(&mut self, delta: &mut Delta, now: &Now) {
        let Some(span) = now.span else { return };
        self.context.enter(span);
        if self.rows.span_kind(span) != Some(SpanKind::Step) {
            return;
        }
        let (folds, mut page) = self.page(delta, now);
        folds.step(&mut page);
        let Some(turn) = self.rows.spans.get(span.index()).map(|row| row.turn) else { return };
        let older = |rows: &LaneSnapshot, call: CallIx| {
            let made = rows.calls.get(call.index()).and_then(|call| rows.spans.get(call.span.index()));
            made.is_some_and(|row| row.turn < turn)
        };
        // Calls stand in their order: where the first is of this turn, all are.
        if self.rows.open_calls.keys().next().is_some_and(|call| older(&self.rows, *call)) {
            self.give_up(delta, now, EndHow::AbandonedAtTurn, older);
        }
    }

    /// Adds the event's row.
    fn push(&mut self, event: &Event<'_>, now: &Now) {
        let tokens = tokens::estimate(&event.payload);
        self.meter.add(tokens);
        self.rows.events.push(EventRow {
            place: event.place,
            at: event.at,
            kind: kind_of(&event.payload),
            span: now.span,
            call: None,
            tokens,
        });
        self.rows.labels.push(match event.payload {
            Payload::Call(_) => Arc::default(),
            _ => Arc::from(label::label(event)),
        });
        if let Some(span) = now.span {
            spans::count(&mut self.rows, span, now.ix, tokens);
        }
    }

    fn call(&mut self, delta: &mut Delta, call: &Call<'_>, (meaning, spelled): (&Meaning, Spelled<'_>), now: &Now) {
        let Some((span, action)) = now.span.zip(meaning.action.as_ref()) else { return };
        let made = Made {
            id: &call.id,
            tool: self.tool(&call.tool),
            input: call.input.as_str(),
            action,
            event: now.ix,
            span,
            origin: Origin::Record,
        };
        let (ix, early) = self.calls.open(&mut self.rows, delta, made);
        self.belongs(now.ix, ix);
        if let (Some(row), Some(made)) = (self.rows.labels.get_mut(now.ix.index()), self.rows.calls.get(ix.index())) {
            *row = Arc::clone(&made.label);
        }
        let (folds, mut page) = self.page(delta, now);
        folds.made(&mut page, ix, call, spelled);
        if let Some((how, text)) = early {
            self.end(delta, ix, how, &text, now);
        } else if action.aftermath.is_last {
            // What comes of it all the same replaces that.
            calls::end(&mut self.rows, delta, ix, now.ix, EndHow::AbandonedAtTurn, None);
        }
    }

    /// The shared name of a tool.
    fn tool(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.tools.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = Arc::from(name);
        self.tools.insert(Arc::clone(&name));
        name
    }

    fn resolution(&mut self, delta: &mut Delta, resolution: &Resolution<'_>, ended: Option<Ended>, now: &Now) {
        match ended {
            Some(Ended::Call(call)) => {
                self.belongs(now.ix, call);
                self.answers.came(&self.rows, call);
                self.end(delta, call, EndHow::from(&resolution.outcome), &resolution.text, now);
                if let Outcome::Started { handle } = &resolution.outcome {
                    let (folds, mut page) = self.page(delta, now);
                    folds.started(&mut page, call, handle, &resolution.text);
                }
            }
            Some(Ended::Already(call)) => self.belongs(now.ix, call),
            Some(Ended::Orphan) | None => {}
        }
    }

    /// Ends a call, and folds what that did to the world.
    fn end(&mut self, delta: &mut Delta, ix: CallIx, how: EndHow, text: &str, now: &Now) {
        let Some(call) = self.rows.calls.get(ix.index()) else { return };
        let id = Arc::clone(&call.id);
        let effect = match self.rules.effects.effect_of(call.class, call.atomicity, how, text) {
            Some(EffectStatus::Unknown) if call.ran.is_some() => Some(EffectStatus::Committed),
            Some(EffectStatus::Unknown) if self.rules.effects.reached_nobody(&call.intent, call.atomicity, how) => {
                Some(EffectStatus::NotStarted)
            }
            // What was left half done, and what may still run, is known as that.
            Some(EffectStatus::Unknown) if call.aftermath.half_done(how, text) || may_still_run(call, how) => {
                Some(EffectStatus::Committed)
            }
            // So is what it printed a proof of, and a launch: what runs on in the background is owed by its process.
            Some(EffectStatus::Unknown)
                if call.aftermath.proven(&call.intent, how, text) || call.aftermath.only_launches && exited(how) =>
            {
                Some(EffectStatus::Committed)
            }
            effect => effect,
        };
        let effect = self.folds.declared(&id).or(effect);
        let input = calls::end(&mut self.rows, delta, ix, now.ix, how, effect);
        let (folds, mut page) = self.page(delta, now);
        folds.ended(&mut page, Ending { call: ix, how, effect, text, input });
    }

    /// Gives up the open calls that `which` picks.
    fn give_up(&mut self, delta: &mut Delta, now: &Now, how: EndHow, which: impl Fn(&LaneSnapshot, CallIx) -> bool) {
        let open: Vec<CallIx> = self.rows.open_calls.keys().copied().filter(|call| which(&self.rows, *call)).collect();
        for ix in open {
            self.calls.give_up(&self.rows, ix);
            // A call that only says something to the human, or to the agent itself, is complete without a result.
            if let Some(call) = self.rows.calls.get(ix.index()).filter(|call| call.class != Class::Control) {
                let id = Arc::clone(&call.id);
                calls::note(&mut self.rows, AnomalyKind::Dangling, At { event: now.ix, line: now.place.line }, Some(&id));
            }
            let how = if how == EndHow::AbandonedAtTurn { self.answers.missed(&self.rows, ix) } else { how };
            if let Some(tool) =
                self.rows.calls.get(ix.index()).filter(|_| how == EndHow::NotRecorded).map(|call| Arc::clone(&call.tool))
            {
                let (folds, mut page) = self.page(delta, now);
                folds.left_out(&mut page, &tool);
            }
            self.end(delta, ix, how, "", now);
        }
    }

    /// A hook's line proves that a call ran: one that is known, or one that has no record of its own.
    fn ran(&mut self, delta: &mut Delta, id: &str, tool: &str, now: &Now) {
        if let Some(ix) = self.calls.newest(id) {
            self.belongs(now.ix, ix);
            let call = self.rows.calls.get_mut(ix.index());
            if let Some(call) = call.filter(|call| call.ran.is_none()) {
                call.ran = Some(now.ix);
                let (folds, mut page) = self.page(delta, now);
                folds.ran(&mut page, ix);
            }
            return;
        }
        let Some(span) = self.rows.spans.len().checked_sub(1).map(SpanIx::from_index) else { return };
        let call = Call { id: id.into(), tool: tool.into(), input: Input::Json("{}".into()) };
        let action = self.preparer.classify(&call);
        let made = Made { id, tool: self.tool(tool), input: "", action: &action, event: now.ix, span, origin: Origin::Hook };
        let (ix, _) = self.calls.open(&mut self.rows, delta, made);
        self.belongs(now.ix, ix);
        calls::note(&mut self.rows, AnomalyKind::Ghost, At { event: now.ix, line: now.place.line }, Some(id));
        self.calls.give_up(&self.rows, ix);
        self.end(delta, ix, EndHow::Success, "", now);
    }

    /// Folds what is said to the agent.
    fn heard(&mut self, delta: &mut Delta, payload: &Payload<'_>, meaning: &Meaning, now: &Now) {
        let Some(span) = now.span else { return };
        if let Some(words) = words(payload) {
            let (folds, mut page) = self.page(delta, now);
            folds.heard(&mut page, words, &meaning.regions);
        }
        if let Payload::User { speaker: Speaker::Human | Speaker::Steering | Speaker::Parent, text } = payload {
            self.context.prompt(span, text);
        }
    }

    fn boundary(&mut self, delta: &mut Delta, boundary: &crate::transcript::Boundary<'_>, now: &Now) {
        let asked_for = boundary.kind != BoundaryKind::Masking && boundary.trigger == Trigger::Manual;
        if asked_for {
            let (folds, mut page) = self.page(delta, now);
            folds.between_turns(&mut page);
        }
        if boundary.kind != BoundaryKind::Masking {
            // A call that stays in the context stays open: some runtimes compact beside the agent, while it works.
            let kept = self.context.kept(&self.rows, &boundary.kept, &self.replays);
            let goes = |rows: &LaneSnapshot, call: CallIx| {
                rows.calls.get(call.index()).is_none_or(|call| kept.binary_search(&call.span).is_err())
            };
            self.give_up(delta, now, EndHow::AbandonedAtBoundary, goes);
            self.meter.boundary();
        }
        if let Some(span) = now.span {
            self.context.boundary(&mut self.rows, delta, boundary, (now.ix, span), (&self.calls, &self.replays));
        }
        if boundary.kind != BoundaryKind::Masking && !asked_for {
            self.folds.boundary(now.ix);
        }
    }

    fn marked(&mut self, delta: &mut Delta, mark: Mark, now: &Now) {
        if mark == Mark::RequestFailed {
            self.folds.request_failed();
        }
        if let Mark::RolledBack { turns } = mark
            && let Some(first_gone) = self.context.rewind(&mut self.rows, delta, turns, now.ix)
        {
            let (folds, mut page) = self.page(delta, now);
            folds.rewound(&mut page, first_gone);
        }
        if spans::end_turn(&mut self.rows, delta, now.ix, mark) {
            let how = if mark == Mark::SessionEnded { EndHow::AbandonedAtEnd } else { EndHow::AbandonedAtTurn };
            self.give_up(delta, now, how, |_, _| true);
            let (folds, mut page) = self.page(delta, now);
            folds.turn_ended(&mut page, if mark == Mark::Interrupted { TurnEnd::Interrupted } else { TurnEnd::Normal });
        }
        if mark == Mark::SessionEnded {
            let (folds, mut page) = self.page(delta, now);
            folds.session_ended(&mut page);
        }
    }

    /// Notes in an event's row which call it is about.
    fn belongs(&mut self, event: EventIx, call: CallIx) {
        if let Some(row) = self.rows.events.get_mut(event.index()) {
            row.call = Some(call);
        }
    }

    /// The folds, and what they write on at this event.
    fn page<'a>(&'a mut self, delta: &'a mut Delta, now: &Now) -> (&'a mut Folds, Page<'a>) {
        let at = self.moment(now);
        (&mut self.folds, Page { rows: &mut self.rows, delta, at, place: now.place, rules: &self.rules })
    }

    fn moment(&self, now: &Now) -> Moment {
        let span = now.span.unwrap_or_else(|| SpanIx::from_index(self.rows.spans.len().saturating_sub(1)));
        let turn = self.rows.spans.get(span.index()).map(|row| row.turn).unwrap_or_default();
        let at = self.rows.events.get(now.ix.index()).and_then(|row| row.at);
        Moment { event: now.ix, line: now.place.line, span, turn, at }
    }
}

fn kind_of(payload: &Payload<'_>) -> EventKind {
    match payload {
        Payload::User { speaker: Speaker::Human | Speaker::Steering, .. } => EventKind::Prompt,
        Payload::User { speaker: Speaker::Parent, .. } => EventKind::Task,
        Payload::User { speaker: Speaker::Injected, .. } => EventKind::Injected,
        Payload::User { speaker: Speaker::Rules, .. } => EventKind::Rules,
        Payload::Assistant { .. } => EventKind::Assistant,
        Payload::Reasoning { .. } => EventKind::Reasoning,
        Payload::Call(_) => EventKind::Call,
        Payload::Resolution(_) => EventKind::Resolution,
        Payload::Boundary(boundary) if boundary.kind == BoundaryKind::Masking => EventKind::Masking,
        Payload::Boundary(_) => EventKind::Boundary,
        Payload::Summary { .. } => EventKind::Summary,
        Payload::Ran { .. } => EventKind::Ran,
        Payload::Job { .. } => EventKind::Job,
        Payload::Mark(Mark::TurnEnded) => EventKind::TurnEnded,
        Payload::Mark(Mark::Interrupted) => EventKind::Interrupted,
        Payload::Mark(Mark::SessionEnded) => EventKind::SessionEnded,
        Payload::Mark(Mark::RequestFailed) => EventKind::RequestFailed,
        Payload::Mark(Mark::RolledBack { .. }) => EventKind::RolledBack,
        Payload::Mark(Mark::Counted) => EventKind::Counted,
        Payload::Unrecognised { .. } => EventKind::Unrecognised,
    }
}
