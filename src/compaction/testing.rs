//! Lanes made by hand: the rows that a fold would make, with chosen sizes and entries of every kind.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use crate::base::data::{DataFile, parse};
use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::compaction::judge::{Ask, Urgency};
use crate::compaction::models::Window;
use crate::compaction::policy::{Policies, Policy};
use crate::compaction::standing::Strictness;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::{Atomicity, Class, EffectStatus, Idempotency, Known};
use crate::ledger::entry::{
    ActionFacts, Check, Discharge, Edge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight,
};
use crate::ledger::rows::{BoundaryRow, CallEnd, CallRow, EndHow, EventKind, EventRow, SpanKind, SpanRow, TurnRow};
use crate::ledger::snapshot::{Slot, UsageRow};
use crate::ledger::tokens::of_bytes;
use crate::transcript::{BoundaryKind, Place, Trigger};

/// A window of 200,000 tokens.
pub(crate) const WINDOW: Window = Window { tokens: 200_000, assumed: false, output: 32_000, input: 168_000 };

/// The built-in policies, read once.
pub(crate) fn built_in() -> &'static Policies {
    static BUILT_IN: LazyLock<Policies> = LazyLock::new(|| Policies::load(&[]).unwrap());
    &BUILT_IN
}

/// The policy of this name.
pub(crate) fn policy(name: &str) -> Policy {
    built_in().get(name).unwrap().clone()
}

/// A policy written in the test.
pub(crate) fn written(toml: &str) -> Policy {
    let text = format!("title = \"Test\"\nconfidence = \"generic\"\n{toml}");
    let mut policy: Policy = parse(DataFile { name: "test.toml", text: &text }).unwrap();
    policy.id = "test".into();
    policy
}

/// A question about the end of a lane, under no pressure but the measured.
pub(crate) fn ask(policy: &Policy) -> Ask<'_> {
    Ask { at: None, policy, window: WINDOW, budget: None, cut: None, strictness: Strictness::Normal, urgency: Urgency::Measured }
}

/// A lane from one word a message, with its size as runtimes estimate it: `u60 A80+40 r9000 r200 a400` is a prompt, a message with two
/// calls, their results in order, and an answer. `R` are rules, `j` is put in by the runtime, `t` is reasoning that opens a message,
/// to which the next word belongs.
pub(crate) fn session(words: &str) -> Hand {
    let mut hand = Hand::default();
    let (mut open, mut reasoned) = (VecDeque::new(), None);
    for word in words.split_whitespace() {
        let (kind, sizes) = word.split_at(1);
        let of = match kind {
            "a" => EventKind::Assistant,
            "A" => EventKind::Call,
            "t" => EventKind::Reasoning,
            _ => EventKind::Prompt,
        };
        let mut sizes = sizes.split('+').map(|size| of_bytes(of, 4 * size.parse::<u32>().unwrap()));
        let size = sizes.next().unwrap();
        match kind {
            "R" => _ = hand.rules(size),
            "j" => _ = hand.injected(size),
            "u" => _ = hand.prompt(size),
            "t" => reasoned = Some(hand.reason(size)),
            "a" => {
                let span = reasoned.take().unwrap_or_else(|| hand.span(SpanKind::Step));
                hand.event(EventKind::Assistant, Some(span), None, size);
            }
            "A" => {
                let span = reasoned.take().unwrap_or_else(|| hand.span(SpanKind::Step));
                open.extend([size].into_iter().chain(sizes).map(|size| hand.call_in(span, "Bash", Class::Execute, size)));
            }
            "r" => _ = hand.result(open.pop_front().unwrap(), size),
            _ => panic!("{word}"),
        }
    }
    hand
}

/// A lane that grows event by event.
#[derive(Default)]
pub(crate) struct Hand {
    pub(crate) lane: LaneSnapshot,
}

impl Hand {
    fn span(&mut self, kind: SpanKind) -> SpanIx {
        let event = EventIx::from_index(self.lane.events.len());
        let turn = TurnIx::from_index(self.lane.turns.len().saturating_sub(1));
        let row = SpanRow { kind, turn, first: event, last: event, events: 0, tokens: 0, left: None, masked: None };
        SpanIx::from_index(self.lane.spans.push(row))
    }

    fn event(&mut self, kind: EventKind, span: Option<SpanIx>, call: Option<CallIx>, tokens: u32) -> EventIx {
        let place = Place { line: self.lane.events.len() as u32 + 1, ..Place::default() };
        let event = EventIx::from_index(self.lane.events.push(EventRow { place, at: None, kind, span, call, tokens }));
        if let Some(row) = span.and_then(|span| self.lane.spans.get_mut(span.index())) {
            row.last = event;
            row.events += 1;
            row.tokens += tokens;
        }
        event
    }

    /// A human prompt: a turn begins.
    pub(crate) fn prompt(&mut self, tokens: u32) -> SpanIx {
        let (first, span) = (EventIx::from_index(self.lane.events.len()), SpanIx::from_index(self.lane.spans.len()));
        self.lane.turns.push(TurnRow { first, span, end: None });
        let span = self.span(SpanKind::Prompt);
        self.event(EventKind::Prompt, Some(span), None, tokens);
        span
    }

    /// A step without calls.
    pub(crate) fn say(&mut self, tokens: u32) -> SpanIx {
        let span = self.span(SpanKind::Step);
        self.event(EventKind::Assistant, Some(span), None, tokens);
        span
    }

    /// A step that begins with reasoning.
    pub(crate) fn reason(&mut self, tokens: u32) -> SpanIx {
        let span = self.span(SpanKind::Step);
        self.event(EventKind::Reasoning, Some(span), None, tokens);
        span
    }

    /// What the runtime puts in.
    pub(crate) fn injected(&mut self, tokens: u32) -> SpanIx {
        let span = self.span(SpanKind::Injected);
        self.event(EventKind::Injected, Some(span), None, tokens);
        span
    }

    /// A rules file.
    pub(crate) fn rules(&mut self, tokens: u32) -> SpanIx {
        let span = self.span(SpanKind::System);
        self.event(EventKind::Rules, Some(span), None, tokens);
        span
    }

    /// A step with one open call.
    pub(crate) fn call(&mut self, tool: &str, class: Class, tokens: u32) -> CallIx {
        let span = self.span(SpanKind::Step);
        self.call_in(span, tool, class, tokens)
    }

    /// One more open call in a step.
    pub(crate) fn call_in(&mut self, span: SpanIx, tool: &str, class: Class, tokens: u32) -> CallIx {
        let ix = CallIx::from_index(self.lane.calls.len());
        let event = self.event(EventKind::Call, Some(span), Some(ix), tokens);
        let entry = EntryId::from_index(self.lane.entries.push(Slot::Call(ix)));
        Arc::make_mut(&mut self.lane.live).insert(entry);
        Arc::make_mut(&mut self.lane.open_calls).insert(ix, Arc::from("{}"));
        self.lane.calls.push(CallRow {
            id: format!("call_{}", ix.0).into(),
            tool: tool.into(),
            event,
            span,
            entry,
            end: None,
            given_up: None,
            input: Arc::from("{}"),
            class,
            idempotency: Idempotency::Unknown,
            action: Hash64(u64::from(ix.0)),
            intent: tool.into(),
            target: None,
            world: None,
            sees: Arc::default(),
            key: None,
            declared: None,
            ghost: false,
            ran: None,
            label: tool.into(),
            known: Known::Listed,
            atomicity: Atomicity::Partial,
            aftermath: Arc::default(),
            reconcile_with: None,
            masked: None,
            edges: Vec::new(),
        });
        ix
    }

    /// The result of a call.
    pub(crate) fn result(&mut self, call: CallIx, tokens: u32) -> EventIx {
        let (span, entry) = self.lane.calls.get(call.index()).map(|row| (row.span, row.entry)).unwrap();
        let event = self.event(EventKind::Resolution, Some(span), Some(call), tokens);
        let row = self.lane.calls.get_mut(call.index()).unwrap();
        row.end = Some(CallEnd { event, how: EndHow::Success, effect: row.class.has_effect().then_some(EffectStatus::Committed) });
        Arc::make_mut(&mut self.lane.live).remove(&entry);
        Arc::make_mut(&mut self.lane.open_calls).remove(&call);
        event
    }

    /// A step with a call and its result. Returns its span.
    pub(crate) fn act(&mut self, tool: &str, call_tokens: u32, result_tokens: u32) -> SpanIx {
        let call = self.call(tool, Class::Read, call_tokens);
        self.result(call, result_tokens);
        self.lane.calls.get(call.index()).unwrap().span
    }

    /// What a request was charged, by a record of its own.
    pub(crate) fn usage(&mut self, input: u64) {
        let event = self.event(EventKind::Counted, None, None, 0);
        let from = EventIx(event.0 + 1);
        self.lane.usage.push(UsageRow { event, from, span: None, input, output: 0, window: None, calibration: 1.0 });
    }

    /// A compaction that keeps these spans, with a summary of so many tokens. Returns the summary's span.
    pub(crate) fn boundary(&mut self, kept: &[SpanIx], summary: u32) -> SpanIx {
        let number = BoundaryIx::from_index(self.lane.boundaries.len());
        let spans_before = SpanIx::from_index(self.lane.spans.len());
        for n in 0..self.lane.spans.len() {
            let row = self.lane.spans.get_mut(n).unwrap();
            if row.left.is_none() && !kept.contains(&SpanIx::from_index(n)) {
                row.left = Some(number);
            }
        }
        let span = self.span(SpanKind::System);
        let event = self.event(EventKind::Boundary, Some(span), None, 0);
        let told = self.event(EventKind::Summary, Some(span), None, summary);
        Arc::make_mut(&mut self.lane.boundaries).push(BoundaryRow {
            event,
            kind: BoundaryKind::Summary,
            trigger: Trigger::Auto,
            before: None,
            after: None,
            summary: Some(told),
            opaque: false,
            kept: kept.into(),
            spans_before,
            masked: Arc::default(),
        });
        span
    }

    /// A masking that takes the results of these calls.
    pub(crate) fn mask(&mut self, calls: &[CallIx]) {
        let number = BoundaryIx::from_index(self.lane.boundaries.len());
        let spans_before = SpanIx::from_index(self.lane.spans.len());
        let span = self.span(SpanKind::System);
        let event = self.event(EventKind::Masking, Some(span), None, 0);
        for call in calls {
            let row = self.lane.calls.get_mut(call.index()).unwrap();
            row.masked = Some(number);
            let span = row.span;
            self.lane.spans.get_mut(span.index()).unwrap().masked = Some(number);
        }
        Arc::make_mut(&mut self.lane.boundaries).push(BoundaryRow {
            event,
            kind: BoundaryKind::Masking,
            trigger: Trigger::Auto,
            before: None,
            after: None,
            summary: None,
            opaque: false,
            kept: Arc::default(),
            spans_before,
            masked: calls.into(),
        });
    }

    /// An entry that opens at the first event of a span and stands there word by word.
    pub(crate) fn entry(&mut self, kind: EntryKind, weight: Weight, span: SpanIx) -> EntryId {
        self.entry_from(kind, weight, span, |_| {})
    }

    /// The same, changed.
    pub(crate) fn entry_from(&mut self, kind: EntryKind, weight: Weight, span: SpanIx, change: impl Fn(&mut Entry)) -> EntryId {
        let id = EntryId::from_index(self.lane.entries.len());
        let row = self.lane.spans.get(span.index()).unwrap();
        let event = row.first;
        let mut entry = Entry {
            id,
            kind,
            also: Vec::new(),
            key: format!("{}:{}", kind.word(), id.0),
            line_text: kind.word().to_owned(),
            text: format!("the text of {}", kind.word()).into(),
            trust: Trust::Structured,
            vouched: None,
            rule: "test".into(),
            scope: Scope::OneShot,
            opened: Moment { event, line: event.0 + 1, span, turn: row.turn, at: None },
            history: vec![(event, EntryStatus::Live)],
            action: None,
            identifiers: Vec::new(),
            preconditions: Vec::new(),
            progress: Vec::new(),
            discharge: Discharge { text: String::new(), check: Check::Revoked, needs: Vec::new(), observable: true },
            edges: Vec::new(),
            holders: vec![Holder { span, form: HolderForm::Verbatim, since: event }],
            lost: Vec::new(),
            evidence: vec![event],
            weight: vec![(event, weight)],
            pointer: None,
            marked: Vec::new(),
            settled: None,
            named: Vec::new(),
        };
        change(&mut entry);
        if entry.status().is_live() {
            Arc::make_mut(&mut self.lane.live).insert(id);
        }
        self.lane.entries.push(Slot::Entry(Arc::new(entry)));
        id
    }

    /// The unknown effect of a call, told by its result.
    pub(crate) fn unknown(&mut self, call: CallIx, weight: Weight) -> EntryId {
        let row = self.lane.calls.get(call.index()).unwrap().clone();
        let event = row.end.unwrap().event;
        self.entry_from(EntryKind::Effect, weight, row.span, |entry| {
            entry.action = Some(facts(&row, call, EffectStatus::Unknown));
            entry.opened.event = event;
            entry.history = vec![(event, EntryStatus::Live)];
            entry.holders = vec![Holder { span: row.span, form: HolderForm::Verbatim, since: event }];
            entry.weight = vec![(event, weight)];
            entry.evidence = vec![event];
        })
    }
}

/// What an entry says about a call.
pub(crate) fn facts(row: &CallRow, call: CallIx, effect: EffectStatus) -> ActionFacts {
    ActionFacts {
        call: Some(call),
        first: Some(call),
        class: row.class,
        effect: Some(effect),
        action: row.action,
        intent: Arc::clone(&row.intent),
        target: row.target.clone(),
        key: None,
        idempotency: row.idempotency,
        attempts: 1,
    }
}

/// An edge to the entry of a call whose output something depends on.
pub(crate) fn depends_on(to: EntryId) -> Edge {
    Edge { kind: EdgeKind::DependsOnOutput, to, since: EventIx(0) }
}
