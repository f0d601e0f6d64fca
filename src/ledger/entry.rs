//! Entries: the records of the ledger, each an interval of events with its status changes.

use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::base::range::ByteRange;
use crate::base::time::Stamp;
use crate::ledger::effects::{Class, EffectStatus, Idempotency};

/// One record of the ledger (DESIGN section 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id, by order of opening.
    pub id: EntryId,
    /// What it is.
    pub kind: EntryKind,
    /// Further kinds of a commitment.
    pub also: Vec<EntryKind>,
    /// `kind:slug~hash`, or the explicit key of a tag.
    pub key: String,
    /// One line for display.
    pub line_text: String,
    /// Exact text (commitments) or exact input (actions).
    pub text: Arc<str>,
    /// Where the text comes from.
    pub trust: Trust,
    /// The rule that made it, by its id in the docs.
    pub rule: &'static str,
    /// Whether it holds until it is lifted, or until it is done.
    pub scope: Scope,
    /// Where it opened.
    pub opened: Moment,
    /// Every change of its status, in order; the first is its opening.
    pub history: Vec<(EventIx, EntryStatus)>,
    /// What it says about an action, for entries that are about one.
    pub action: Option<ActionFacts>,
    /// Exact values that it names.
    pub identifiers: Vec<String>,
    /// What must hold before it may be acted on.
    pub preconditions: Vec<String>,
    /// How it ends.
    pub discharge: Discharge,
    /// Typed relations to other entries.
    pub edges: Vec<Edge>,
    /// Where it stands, or stood: what its colour falls on (DESIGN section 3, column "touches").
    pub holders: Vec<Holder>,
    /// Since when nothing in the context holds it, by which boundary; or holds it again.
    pub lost: Vec<(EventIx, Option<BoundaryIx>)>,
    /// The events that show it.
    pub evidence: Vec<EventIx>,
    /// The weight that it gives to what it touches, and since when.
    pub weight: Vec<(EventIx, Weight)>,
    /// Where the rest of a long text stands.
    pub pointer: Option<Pointer>,
}

/// A long text's place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The event that holds it.
    pub event: EventIx,
    /// The record's bytes in the lane's file.
    pub bytes: ByteRange,
}

impl Entry {
    /// Its newest status.
    #[must_use]
    pub fn status(&self) -> EntryStatus {
        self.history.last().map_or(EntryStatus::Live, |&(_, status)| status)
    }

    /// Its status after event `at`; none if it was not open yet.
    #[must_use]
    pub fn status_at(&self, at: EventIx) -> Option<EntryStatus> {
        self.history.iter().rev().find(|(event, _)| *event <= at).map(|&(_, status)| status)
    }

    /// Whether something relies on it, or it must still be discharged, after event `at`.
    #[must_use]
    pub fn is_live_at(&self, at: EventIx) -> bool {
        self.status_at(at).is_some_and(EntryStatus::is_live)
    }

    /// The spans that it touched after event `at`, in the context or not, each once.
    pub fn touches_at(&self, at: EventIx) -> impl Iterator<Item = SpanIx> + '_ {
        self.holders.iter().filter(move |holder| holder.since <= at).map(|holder| holder.span)
    }

    /// The weight that it gave after event `at`; an entry without one yet gives the lighter.
    #[must_use]
    pub fn weight_at(&self, at: EventIx) -> Weight {
        self.weight.iter().rev().find(|(since, _)| *since <= at).map_or(Weight::Repair, |&(_, weight)| weight)
    }

    /// The boundary after which nothing in the context held it, as known after event `at`.
    #[must_use]
    pub fn lost_at(&self, at: EventIx) -> Option<BoundaryIx> {
        self.lost.iter().rev().find(|(since, _)| *since <= at).and_then(|&(_, boundary)| boundary)
    }

    /// The event that closed it, if its newest status is a closed one.
    #[must_use]
    pub fn closed(&self) -> Option<EventIx> {
        self.history.last().filter(|(_, status)| !status.is_live()).map(|&(event, _)| event)
    }
}

/// The kinds of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// A call without a resolution.
    Call,
    /// A side effect left unknown.
    Effect,
    /// A committed effect that must not be repeated.
    Done,
    /// Attempts without a success.
    Retry,
    /// Something half done in the world.
    Transaction,
    /// Something running.
    Process,
    /// Something to be undone.
    Resource,
    /// Work without a passing check.
    Unverified,
    /// A plan item, or a promise.
    Task,
    /// Asked to the human, and not answered.
    Question,
    /// Names something that is defined elsewhere.
    Reference,
    /// Must not be done.
    Prohibition,
    /// Must be done, or must hold.
    Requirement,
    /// One thing before another.
    Ordering,
    /// Chosen.
    Decision,
    /// An exact value.
    Value,
    /// Human text of which nobody can tell what it is: counts as a commitment.
    Unclassified,
    /// Two places joined by one exact value.
    Binding,
}

impl EntryKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Effect => "effect",
            Self::Done => "done",
            Self::Retry => "retry",
            Self::Transaction => "transaction",
            Self::Process => "process",
            Self::Resource => "resource",
            Self::Unverified => "unverified",
            Self::Task => "task",
            Self::Question => "question",
            Self::Reference => "reference",
            Self::Prohibition => "prohibition",
            Self::Requirement => "requirement",
            Self::Ordering => "ordering",
            Self::Decision => "decision",
            Self::Value => "value",
            Self::Unclassified => "unclassified",
            Self::Binding => "binding",
        }
    }

    /// Whether it is a commitment: a text, not an action.
    #[must_use]
    pub fn is_commitment(self) -> bool {
        matches!(self, Self::Prohibition | Self::Requirement | Self::Ordering | Self::Decision | Self::Value | Self::Unclassified)
    }
}

/// Where an entry is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryStatus {
    /// Something relies on it, or it must still be discharged.
    Live,
    /// Marked done without proof: still live.
    Claimed,
    /// Its end was observed.
    Discharged,
    /// It ended by age, not by observation.
    Settled,
    /// Nobody will answer any more.
    Abandoned,
    /// An unknown that an observation settled.
    Reconciled,
    /// A newer entry took its place.
    Superseded,
    /// Lifted by the human.
    Revoked,
}

impl EntryStatus {
    /// Whether an entry of this status still counts.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::Live | Self::Claimed)
    }

    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Claimed => "claimed",
            Self::Discharged => "discharged",
            Self::Settled => "settled",
            Self::Abandoned => "abandoned",
            Self::Reconciled => "reconciled",
            Self::Superseded => "superseded",
            Self::Revoked => "revoked",
        }
    }
}

/// How sure it is that an entry says what its source meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trust {
    /// Tagged by a human or by the runtime.
    Explicit,
    /// From a structured record.
    Structured,
    /// Inferred from text, or from an unknown program.
    Inferred,
}

impl Trust {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Structured => "structured",
            Self::Inferred => "inferred",
        }
    }
}

/// How long an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Until it is revoked or superseded.
    Standing,
    /// Until it is done, or settles.
    OneShot,
    /// As long as the action that it is about is open.
    Action,
}

impl Scope {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Standing => "standing",
            Self::OneShot => "one-shot",
            Self::Action => "action",
        }
    }
}

/// What an entry does to the colour of the spans that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weight {
    /// A carrier holds it: repair.
    Repair,
    /// It can change unobserved: barrier.
    Barrier,
}

impl Weight {
    /// The colour that it asks for, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::Barrier => "barrier",
        }
    }
}

/// Where and when an entry opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The event.
    pub event: EventIx,
    /// 1-based line of the lane's file.
    pub line: u32,
    /// The span.
    pub span: SpanIx,
    /// The turn.
    pub turn: TurnIx,
    /// The record's time.
    pub at: Option<Stamp>,
}

/// What an entry says about an action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionFacts {
    /// The call.
    pub call: CallIx,
    /// Its class.
    pub class: Class,
    /// What it did.
    pub effect: Option<EffectStatus>,
    /// Identity: hash of tool and normalised input.
    pub action: Hash64,
    /// What retries share.
    pub intent: Arc<str>,
    /// What it acts on.
    pub target: Option<Arc<str>>,
    /// The explicit key.
    pub key: Option<Arc<str>>,
    /// Whether doing it again does harm.
    pub idempotency: Idempotency,
    /// Attempts so far, the first included.
    pub attempts: u32,
}

/// How an entry ends: in words, as a check, and what the check needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discharge {
    /// In words.
    pub text: String,
    /// The check.
    pub check: Check,
    /// Identifiers that the check needs.
    pub needs: Vec<String>,
    /// Whether it can be decided from what is retained plus the carrier.
    pub observable: bool,
}

/// The checks that end an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// A resolution with the call's id.
    Resolved,
    /// An observation that covers the target.
    Reconciled,
    /// A later success of the same intent.
    Succeeded,
    /// Its inverse was done.
    Undone,
    /// What runs has ended, or was killed.
    Ended,
    /// The human lifts it, or later prompts leave it behind.
    Revoked,
}

impl Check {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Resolved => "resolved",
            Self::Reconciled => "reconciled",
            Self::Succeeded => "succeeded",
            Self::Undone => "undone",
            Self::Ended => "ended",
            Self::Revoked => "revoked",
        }
    }
}

/// A typed relation from one entry to another. The graph is walkable both ways: `ledger::graph` keeps the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What relation.
    pub kind: EdgeKind,
    /// The other entry.
    pub to: EntryId,
}

/// The relations of the graph (DESIGN section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// Ends a call.
    Resolves,
    /// Another attempt of one intent.
    Retries,
    /// Ends an obligation.
    Discharges,
    /// Settles an unknown.
    Reconciles,
    /// Takes the place of.
    Supersedes,
    /// Lifts.
    Revokes,
    /// Stands before an action as its condition.
    Guards,
    /// Must come first.
    Before,
    /// Uses a value from the other's output.
    DependsOnOutput,
    /// Defines an identifier.
    Defines,
    /// Uses an identifier.
    Uses,
    /// Uses a shortened form.
    Shortens,
    /// Starts.
    Launches,
}

impl EdgeKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Resolves => "resolves",
            Self::Retries => "retries",
            Self::Discharges => "discharges",
            Self::Reconciles => "reconciles",
            Self::Supersedes => "supersedes",
            Self::Revokes => "revokes",
            Self::Guards => "guards",
            Self::Before => "before",
            Self::DependsOnOutput => "depends_on_output",
            Self::Defines => "defines",
            Self::Uses => "uses",
            Self::Shortens => "shortens",
            Self::Launches => "launches",
        }
    }
}

/// A place in the context where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The span.
    pub span: SpanIx,
    /// In what form.
    pub form: HolderForm,
    /// Since which event.
    pub since: EventIx,
}

/// In what form an entry stands at a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HolderForm {
    /// Word by word.
    Verbatim,
    /// In other words that keep identifiers, polarity, order and status.
    Restated,
    /// In a carrier.
    Carrier,
}

impl HolderForm {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim",
            Self::Restated => "restated",
            Self::Carrier => "carrier",
        }
    }
}
