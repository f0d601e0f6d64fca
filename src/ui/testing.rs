//! Invented sessions for the screen's tests: rows as the fold would write them, bodies beside them, and a simple judge.

mod audit;
mod feed;
mod judge;
mod sessions;

use std::sync::Arc;

pub(crate) use self::feed::{Fake, options};
pub(crate) use self::judge::Simple;
pub(crate) use self::sessions::{delegating, long, migration, settled};
use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::{Atomicity, Class, EffectStatus, Idempotency, Known};
use crate::ledger::entry::{
    ActionFacts, Check, Discharge, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight,
};
use crate::ledger::rows::{BoundaryRow, CallEnd, CallRow, EndHow, EventKind, EventRow, SpanKind, SpanRow, TurnEnd, TurnRow};
use crate::ledger::snapshot::{Slot, UsageRow};
use crate::transcript::{Boundary, BoundaryKind, Call, Input, Kept, Mark, Outcome, Payload, Place, Resolution, Speaker, Trigger};

/// 2026-05-04, 9:02 UTC.
pub(crate) const START: i64 = 1_777_885_320_000;

/// A session that is being written.
#[derive(Clone)]
pub(crate) struct Script {
    pub(crate) lane: LaneSnapshot,
    bodies: Vec<Payload<'static>>,
    /// Milliseconds since [`START`].
    clock: i64,
    open_step: bool,
    /// The line of its first event in what a fake reads bodies from.
    first_line: u32,
}

impl Script {
    pub(crate) fn new() -> Self {
        let lane = LaneSnapshot { name: "main".into(), model: Some("claude-opus-4-6-20250929".into()), ..LaneSnapshot::default() };
        let mut script = Self { lane, bodies: Vec::new(), clock: 0, open_step: false, first_line: 1 };
        script.lane.turns.push(TurnRow { first: EventIx(0), span: SpanIx(0), end: None });
        script
    }

    /// The lane of a sub-agent of the main one, whose first event stands in a line of the session's; it begins now.
    pub(crate) fn sub_agent(&self, name: &str, first_line: u32) -> Self {
        let mut script = Self { clock: self.clock, first_line, ..Self::new() };
        (script.lane.name, script.lane.parent) = (name.into(), Some(self.lane.name.clone()));
        script
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, seconds: i64) -> &mut Self {
        self.clock += seconds * 1_000;
        self
    }

    pub(crate) fn now(&self) -> Stamp {
        Stamp(START + self.clock)
    }

    pub(crate) fn prompt(&mut self, text: &str) -> EventIx {
        let span = self.span(SpanKind::Prompt);
        let first = EventIx::from_index(self.lane.events.len());
        self.lane.turns.push(TurnRow { first, span, end: None });
        self.event(
            EventKind::Prompt,
            Some(span),
            None,
            text,
            Payload::User { speaker: Speaker::Human, text: text.to_owned().into() },
        )
    }

    /// The prompt that launches a sub-agent.
    pub(crate) fn task(&mut self, text: &str) -> EventIx {
        let span = self.span(SpanKind::Prompt);
        let payload = Payload::User { speaker: Speaker::Parent, text: text.to_owned().into() };
        self.event(EventKind::Task, Some(span), None, text, payload)
    }

    pub(crate) fn injected(&mut self, text: &str) -> EventIx {
        let span = self.span(SpanKind::Injected);
        let payload = Payload::User { speaker: Speaker::Injected, text: text.to_owned().into() };
        self.event(EventKind::Injected, Some(span), None, text, payload)
    }

    /// Begins a new assistant message.
    pub(crate) fn step(&mut self) -> &mut Self {
        self.open_step = false;
        self
    }

    pub(crate) fn says(&mut self, text: &str) -> EventIx {
        let span = self.step_span();
        self.event(EventKind::Assistant, Some(span), None, text, Payload::Assistant { text: text.to_owned().into() })
    }

    pub(crate) fn thinks(&mut self, text: &str) -> EventIx {
        let span = self.step_span();
        self.event(EventKind::Reasoning, Some(span), None, text, Payload::Reasoning { text: text.to_owned().into() })
    }

    /// A call: `label` is what the time line says, `input` its JSON.
    pub(crate) fn call(&mut self, tool: &str, class: Class, label: &str, input: &str) -> CallIx {
        let span = self.step_span();
        let ix = CallIx::from_index(self.lane.calls.len());
        let id: Arc<str> = format!("toolu_{:02x}", 0x8e + ix.index()).into();
        let payload = Payload::Call(Call {
            id: id.to_string().into(),
            tool: tool.to_owned().into(),
            input: Input::Json(input.to_owned().into()),
        });
        let event = self.event(EventKind::Call, Some(span), Some(ix), label, payload);
        let entry = EntryId::from_index(self.lane.entries.push(Slot::Call(ix)));
        Arc::make_mut(&mut self.lane.live).insert(entry);
        self.lane.calls.push(CallRow {
            id,
            entry,
            given_up: None,
            input: input.into(),
            world: None,
            sees: Arc::default(),
            label: label.into(),
            known: Known::Listed,
            atomicity: Atomicity::Partial,
            aftermath: Arc::default(),
            reconcile_with: None,
            tool: tool.into(),
            event,
            span,
            end: None,
            class,
            idempotency: Idempotency::Unknown,
            action: Hash64::of(input.as_bytes()),
            intent: format!("{}:{}", tool.to_lowercase(), label.split(' ').next().unwrap_or_default()).into(),
            target: None,
            key: None,
            declared: None,
            ghost: false,
            ran: None,
            masked: None,
            edges: Vec::new(),
        });
        Arc::make_mut(&mut self.lane.open_calls).insert(ix, input.into());
        ix
    }

    pub(crate) fn ok(&mut self, call: CallIx, text: &str) -> EventIx {
        self.end(call, EndHow::Success, text)
    }

    pub(crate) fn end(&mut self, call: CallIx, how: EndHow, text: &str) -> EventIx {
        let row = self.lane.calls.get(call.index()).unwrap().clone();
        let outcome = match how {
            EndHow::Failed(exit) => Outcome::Failed { exit },
            EndHow::TimedOut => Outcome::TimedOut,
            _ => Outcome::Success,
        };
        let effect = row.class.has_effect().then_some(match how {
            EndHow::Success => EffectStatus::Committed,
            _ => EffectStatus::Unknown,
        });
        let payload =
            Payload::Resolution(Resolution { call: row.id.to_string().into(), outcome, text: text.to_owned().into(), said: None });
        let label = text.lines().next().unwrap_or_default().to_owned();
        let event = self.event(EventKind::Resolution, Some(row.span), Some(call), &label, payload);
        self.lane.calls.get_mut(call.index()).unwrap().end = Some(CallEnd { event, how, effect });
        Arc::make_mut(&mut self.lane.open_calls).remove(&call);
        Arc::make_mut(&mut self.lane.live).remove(&row.entry);
        event
    }

    pub(crate) fn turn_ends(&mut self) -> &mut Self {
        let event = self.event(EventKind::TurnEnded, None, None, "", Payload::Mark(Mark::TurnEnded));
        let turn = self.lane.turns.len() - 1;
        self.lane.turns.get_mut(turn).unwrap().end = Some((event, TurnEnd::Normal));
        self
    }

    /// A compaction that takes everything before it out of the context, and its summary.
    pub(crate) fn compacts(&mut self, before: u64, after: u64, summary: &str) -> BoundaryIx {
        let ix = BoundaryIx::from_index(self.lane.boundaries.len());
        let spans_before = SpanIx::from_index(self.lane.spans.len());
        for n in 0..spans_before.index() {
            self.lane.spans.get_mut(n).unwrap().left.get_or_insert(ix);
        }
        let span = self.span(SpanKind::System);
        let payload = Payload::Boundary(Boundary {
            kind: BoundaryKind::Summary,
            trigger: Trigger::Auto,
            tokens_before: Some(before),
            tokens_after: Some(after),
            kept: Kept::Nothing,
            masked: Vec::new(),
            reinjected_bytes: 0,
        });
        let event = self.event(EventKind::Boundary, Some(span), None, "", payload);
        let summary = self.event(
            EventKind::Summary,
            Some(span),
            None,
            summary,
            Payload::Summary { text: summary.to_owned().into(), opaque: false },
        );
        Arc::make_mut(&mut self.lane.boundaries).push(BoundaryRow {
            event,
            kind: BoundaryKind::Summary,
            trigger: Trigger::Auto,
            before: Some(before),
            after: Some(after),
            summary: Some(summary),
            opaque: false,
            kept: Arc::new([]),
            spans_before,
            masked: Arc::new([]),
        });
        self.open_step = false;
        ix
    }

    /// What the newest event's request was charged.
    pub(crate) fn charged(&mut self, input: u64) -> &mut Self {
        let event = self.lane.end().unwrap();
        self.lane.usage.push(UsageRow {
            event,
            from: EventIx(event.0 + 1),
            span: None,
            input,
            output: 0,
            window: None,
            calibration: 1.0,
        });
        self
    }

    /// A live entry that opened with the newest event and touches its span.
    pub(crate) fn entry(&mut self, kind: EntryKind, weight: Weight, text: &str) -> EntryId {
        let event = self.lane.end().unwrap();
        let row = self.lane.events.get(event.index()).unwrap().clone();
        let id = EntryId::from_index(self.lane.entries.len());
        let span = row.span.unwrap_or_default();
        let action =
            row.call.and_then(|call| self.lane.calls.get(call.index()).map(|row| (call, row))).map(|(call, row)| ActionFacts {
                call: Some(call),
                first: Some(call),
                class: row.class,
                effect: row.end.and_then(|end| end.effect),
                action: row.action,
                intent: row.intent.clone(),
                target: row.target.clone(),
                key: row.key.clone(),
                idempotency: Idempotency::NotIdempotent,
                attempts: 1,
            });
        let closes = match kind {
            EntryKind::Effect => "an observation of its target that began after it ended",
            EntryKind::Call => "its result",
            _ => "a later prompt that lifts it",
        };
        self.lane.entries.push(Slot::Entry(Arc::new(Entry {
            id,
            kind,
            also: Vec::new(),
            key: format!("{}:test", kind.word()),
            line_text: text.to_owned(),
            text: text.into(),
            trust: Trust::Inferred,
            vouched: None,
            rule: "T1".into(),
            scope: Scope::Standing,
            opened: Moment { event, line: row.place.line, span, turn: TurnIx::from_index(self.lane.turns.len() - 1), at: row.at },
            history: vec![(event, EntryStatus::Live)],
            action,
            identifiers: Vec::new(),
            preconditions: Vec::new(),
            progress: Vec::new(),
            discharge: Discharge { text: closes.to_owned(), check: Check::Reconciled, needs: Vec::new(), observable: true },
            edges: Vec::new(),
            holders: vec![Holder { span, form: HolderForm::Verbatim, since: event }],
            lost: Vec::new(),
            evidence: vec![event],
            weight: vec![(event, weight)],
            pointer: None,
            marked: Vec::new(),
            settled: None,
            named: Vec::new(),
        })));
        Arc::make_mut(&mut self.lane.live).insert(id);
        id
    }

    /// Changes an entry.
    pub(crate) fn change(&mut self, id: EntryId, change: impl FnOnce(&mut Entry)) {
        if let Some(Slot::Entry(entry)) = self.lane.entries.get_mut(id.index()) {
            change(Arc::make_mut(entry));
        }
    }

    fn span(&mut self, kind: SpanKind) -> SpanIx {
        let next = EventIx::from_index(self.lane.events.len());
        let turn = match kind {
            SpanKind::Prompt => self.lane.turns.len(),
            _ => self.lane.turns.len() - 1,
        };
        self.open_step = kind == SpanKind::Step;
        let row = SpanRow {
            kind,
            turn: TurnIx::from_index(turn),
            first: next,
            last: next,
            events: 0,
            tokens: 0,
            left: None,
            masked: None,
        };
        SpanIx::from_index(self.lane.spans.push(row))
    }

    fn step_span(&mut self) -> SpanIx {
        if self.open_step { SpanIx::from_index(self.lane.spans.len() - 1) } else { self.span(SpanKind::Step) }
    }

    fn event(
        &mut self,
        kind: EventKind,
        span: Option<SpanIx>,
        call: Option<CallIx>,
        label: &str,
        payload: Payload<'static>,
    ) -> EventIx {
        let n = self.lane.events.len();
        let text = match &payload {
            Payload::Call(call) => call.input.as_str().len(),
            Payload::Resolution(resolution) => resolution.text.len(),
            _ => label.len(),
        };
        let tokens = u32::try_from(text * 9).unwrap();
        let ix = EventIx::from_index(n);
        let place = Place { line: self.first_line + u32::try_from(n).unwrap(), ..Place::default() };
        self.lane.events.push(EventRow { place, at: Some(self.now()), kind, span, call, tokens });
        self.lane.labels.push(label.lines().next().unwrap_or_default().into());
        self.bodies.push(payload);
        if let Some(row) = span.and_then(|span| self.lane.spans.get_mut(span.index())) {
            row.last = ix;
            row.events += 1;
            row.tokens += tokens;
        }
        ix
    }
}
