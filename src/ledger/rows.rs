//! The rows of a lane's snapshot: small, plain, of fixed size; the text stays in the file.

use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::base::time::Stamp;
use crate::ledger::effects::{Aftermath, Atomicity, Class, EffectStatus, Idempotency, Known, Sight};
use crate::ledger::entry::{ActionFacts, Edge};
use crate::transcript::{BoundaryKind, Outcome, Place, ResolutionStatus, Trigger};

/// One event.
#[derive(Clone, Debug)]
pub struct EventRow {
    /// Where it stands.
    pub place: Place,
    /// When.
    pub at: Option<Stamp>,
    /// What it is.
    pub kind: EventKind,
    /// The span that it belongs to; none for marks.
    pub span: Option<SpanIx>,
    /// The call that it makes or ends.
    pub call: Option<CallIx>,
    /// Estimated tokens that it takes in the context, before calibration; 0 for what the model does not see.
    pub tokens: u32,
}

/// What kind of event a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A prompt that a human typed.
    Prompt,
    /// The prompt that launched this sub-agent.
    Task,
    /// Text that the runtime put in.
    Injected,
    /// A rules file or system prompt.
    Rules,
    /// Assistant text.
    Assistant,
    /// Reasoning.
    Reasoning,
    /// A tool call.
    Call,
    /// A call's resolution.
    Resolution,
    /// A compaction.
    Boundary,
    /// A masking (micro-compaction).
    Masking,
    /// The summary after a boundary.
    Summary,
    /// Proof by hook that a call ran.
    Ran,
    /// News of a background job.
    Job,
    /// The turn ended by itself.
    TurnEnded,
    /// The human stopped the turn.
    Interrupted,
    /// The session ended.
    SessionEnded,
    /// A request failed.
    RequestFailed,
    /// Turns were taken back.
    RolledBack,
    /// A usage record.
    Counted,
    /// Unknown to its adapter.
    Unrecognised,
}

impl EventKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Task => "task",
            Self::Injected => "injected",
            Self::Rules => "rules",
            Self::Assistant => "assistant",
            Self::Reasoning => "reasoning",
            Self::Call => "call",
            Self::Resolution => "resolution",
            Self::Boundary => "boundary",
            Self::Masking => "masking",
            Self::Summary => "summary",
            Self::Ran => "ran",
            Self::Job => "job",
            Self::TurnEnded => "turn-ended",
            Self::Interrupted => "interrupted",
            Self::SessionEnded => "session-ended",
            Self::RequestFailed => "request-failed",
            Self::RolledBack => "rolled-back",
            Self::Counted => "counted",
            Self::Unrecognised => "unrecognised",
        }
    }
}

/// One span: the unit of eligibility.
#[derive(Clone, Debug)]
pub struct SpanRow {
    /// What it is.
    pub kind: SpanKind,
    /// The turn that it stands in.
    pub turn: TurnIx,
    /// Its first event.
    pub first: EventIx,
    /// Its last event so far; events of other spans may stand between.
    pub last: EventIx,
    /// Number of its events.
    pub events: u32,
    /// Estimated tokens of its events, before calibration.
    pub tokens: u32,
    /// The first boundary that removed it from the context.
    pub left: Option<BoundaryIx>,
    /// The first masking that took results out of it; which ones, its boundary row says.
    pub masked: Option<BoundaryIx>,
}

/// The kinds of span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanKind {
    /// A human prompt, or the prompt that launched a sub-agent.
    Prompt,
    /// An assistant message, its calls and their resolutions.
    Step,
    /// What the runtime put in.
    Injected,
    /// Boundaries, summaries, and what belongs to no message.
    System,
}

impl SpanKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Step => "step",
            Self::Injected => "injected",
            Self::System => "system",
        }
    }
}

/// Of a call's input this much is kept, in bytes: more than a carrier holds.
pub const INPUT_BYTES: usize = 4096;

/// One tool call.
#[derive(Clone, Debug)]
pub struct CallRow {
    /// The runtime's id.
    pub id: Arc<str>,
    /// The tool's name.
    pub tool: Arc<str>,
    /// The event that made it. For a call known only from a hook's line, that line's.
    pub event: EventIx,
    /// Its span.
    pub span: SpanIx,
    /// Its entry in the ledger.
    pub entry: EntryId,
    /// Its resolution.
    pub end: Option<CallEnd>,
    /// The moment at which it was given up without a resolution; a late one still counts.
    pub given_up: Option<CallEnd>,
    /// Its exact input, of a long one the first [`INPUT_BYTES`]: what a carrier holds of it, whether it has ended or not.
    pub input: Arc<str>,
    /// What it may do to the world.
    pub class: Class,
    /// Whether doing it again does harm.
    pub idempotency: Idempotency,
    /// Hash of the tool or program and its normalised input.
    pub action: Hash64,
    /// Tool or program, sub-command and target, without flags and values: what retries share.
    pub intent: Arc<str>,
    /// What it acts on: a path, a host, a branch.
    pub target: Option<Arc<str>>,
    /// The part of the world that it acts on, as `assets/effects.toml` names it.
    pub world: Option<Arc<str>>,
    /// What a read or a check lets its reader see.
    pub sees: Arc<[Sight]>,
    /// An idempotency key that stands in the input.
    pub key: Option<Arc<str>>,
    /// The event since which that key is known, where it does not stand in the input: a runtime's record told it later.
    pub declared: Option<EventIx>,
    /// The call has no record of its own: it is known from a hook's line.
    pub ghost: bool,
    /// The hook's line that proves that it ran.
    pub ran: Option<EventIx>,
    /// One line for display.
    pub label: Arc<str>,
    /// Whether the catalogue knows the tool or program.
    pub known: Known,
    /// Whether a failure leaves the world as it was.
    pub atomicity: Atomicity,
    /// What it leaves behind beside its effect.
    pub aftermath: Arc<Aftermath>,
    /// What would show whether it happened.
    pub reconcile_with: Option<Arc<str>>,
    /// The boundary that masked its result.
    pub masked: Option<BoundaryIx>,
    /// Typed relations of its entry to others.
    pub edges: Vec<Edge>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEnd {
    /// The event that ended it: its resolution, or what made it abandoned.
    pub event: EventIx,
    /// Which end.
    pub how: EndHow,
    /// What it did to the world; none where its class has no effect.
    pub effect: Option<EffectStatus>,
}

/// The ends that a call may come to, with the reason that decides about its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndHow {
    /// Success.
    Success,
    /// It returned; whether what it ran succeeded is not said.
    Returned,
    /// Launched in the background.
    Started,
    /// It ran and failed, with this exit code if it was a process.
    Failed(Option<i32>),
    /// Not started by the runtime.
    Refused,
    /// Not allowed by the human.
    Declined,
    /// Out of time.
    TimedOut,
    /// Stopped by the human while running.
    Interrupted,
    /// Killed, or the connection lost.
    Lost,
    /// A synthetic text in place of a result.
    Synthetic,
    /// Nothing came: a boundary fell.
    AbandonedAtBoundary,
    /// Nothing came: its turn ended.
    AbandonedAtTurn,
    /// Nothing came: the session ended.
    AbandonedAtEnd,
    /// The model had its result and went on; the recording leaves the results of its tool out.
    NotRecorded,
}

impl EndHow {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Returned => "returned",
            Self::Started => "started",
            Self::Failed(_) => "failed",
            Self::Refused => "refused",
            Self::Declined => "declined",
            Self::TimedOut => "timed-out",
            Self::Interrupted => "interrupted",
            Self::Lost => "lost",
            Self::Synthetic => "synthetic",
            Self::AbandonedAtBoundary | Self::AbandonedAtTurn | Self::AbandonedAtEnd => "abandoned",
            Self::NotRecorded => "not-recorded",
        }
    }

    /// Which of the three ends this is (DESIGN section 2, "Pairing").
    #[must_use]
    pub fn status(self) -> ResolutionStatus {
        match self {
            Self::Success | Self::Returned | Self::Started => ResolutionStatus::Result,
            Self::Failed(_) | Self::Refused | Self::Declined | Self::TimedOut => ResolutionStatus::Error,
            Self::Interrupted
            | Self::Lost
            | Self::Synthetic
            | Self::AbandonedAtBoundary
            | Self::AbandonedAtTurn
            | Self::AbandonedAtEnd
            | Self::NotRecorded => ResolutionStatus::Abandoned,
        }
    }

    /// Whether it was in vain: it failed, or the runtime refused it, as it does where a file is not there.
    #[must_use]
    pub fn is_in_vain(self) -> bool {
        matches!(self, Self::Failed(_) | Self::Refused)
    }

    /// Whether it came back, and nothing on record says how. It did not fail: what a local action did is left at that.
    #[must_use]
    pub fn is_silent(self) -> bool {
        matches!(self, Self::Returned | Self::NotRecorded)
    }
}

impl CallRow {
    /// What it does, behind its tool's name; nothing where no more than that name is known.
    #[must_use]
    pub fn what(&self) -> &str {
        if self.label == self.tool { "" } else { &self.label }
    }

    /// The tool, and what it does: `Bash make test`.
    #[must_use]
    pub fn said(&self) -> String {
        format!("{} {}", self.tool, self.what()).trim_end().to_owned()
    }

    /// How it had ended after event `at`; none while it is open.
    #[must_use]
    pub fn end_at(&self, at: EventIx) -> Option<CallEnd> {
        self.end.filter(|end| end.event <= at).or(self.given_up.filter(|end| end.event <= at))
    }

    /// Whether it does what an entry is about: the very action, or one with its intent and target.
    #[must_use]
    pub fn does(&self, action: &ActionFacts) -> bool {
        self.action == action.action || (self.intent == action.intent && self.target == action.target)
    }

    /// Whether the world or the model was given something to build on by it.
    #[must_use]
    pub fn went_well(&self) -> bool {
        self.ended().is_some_and(|end| matches!(end.how, EndHow::Success | EndHow::Returned))
    }

    /// How it ended, as far as the transcript goes.
    #[must_use]
    pub fn ended(&self) -> Option<CallEnd> {
        self.end.or(self.given_up)
    }
}

impl From<&Outcome<'_>> for EndHow {
    fn from(outcome: &Outcome<'_>) -> Self {
        match outcome {
            Outcome::Success => Self::Success,
            Outcome::Returned => Self::Returned,
            Outcome::Started { .. } => Self::Started,
            Outcome::Failed { exit } => Self::Failed(*exit),
            Outcome::Refused => Self::Refused,
            Outcome::Declined => Self::Declined,
            Outcome::TimedOut => Self::TimedOut,
            Outcome::Interrupted => Self::Interrupted,
            Outcome::Lost => Self::Lost,
            Outcome::Synthetic => Self::Synthetic,
        }
    }
}

/// One boundary.
#[derive(Clone, Debug)]
pub struct BoundaryRow {
    /// Its event.
    pub event: EventIx,
    /// What it did.
    pub kind: BoundaryKind,
    /// Who asked for it.
    pub trigger: Trigger,
    /// Tokens before: of the record, else as counted.
    pub before: Option<u64>,
    /// Tokens after, of the record.
    pub after: Option<u64>,
    /// The event of the summary, when it came.
    pub summary: Option<EventIx>,
    /// Whether its summary cannot be read.
    pub opaque: bool,
    /// Spans before it that stay in the context.
    pub kept: Arc<[SpanIx]>,
    /// Spans in the file before it.
    pub spans_before: SpanIx,
    /// Calls masked by it.
    pub masked: Arc<[CallIx]>,
}

/// One turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnRow {
    /// Its first event: the prompt, but for turn 0.
    pub first: EventIx,
    /// Its first span.
    pub span: SpanIx,
    /// How it ended, and by which event; none while it goes on.
    pub end: Option<(EventIx, TurnEnd)>,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnEnd {
    /// The runtime said so, or the next prompt came.
    Normal,
    /// The human stopped it.
    Interrupted,
}
