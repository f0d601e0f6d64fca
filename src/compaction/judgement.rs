//! What a judgement says: values that reports and views read.

use std::sync::Arc;

use crate::base::ids::{EntryId, EventIx, SpanIx};
use crate::compaction::policy::Unknown;
use crate::compaction::spans::Spans;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind, Weight};

/// The judgement on a proposed compaction of one lane at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The moment: the state after this event. None for a lane without events.
    pub at: Option<EventIx>,
    /// The policy's id.
    pub policy: Arc<str>,
    /// How full the context is.
    pub context: ContextFacts,
    /// What the run must get under, in tokens.
    pub target: u64,
    /// How many tokens must go to get there.
    pub need: u64,
    /// The first span that is kept: everything in the context before it is in range. A cut of the policy's own that falls between a
    /// call and its resolution stands here moved over the resolution.
    pub cut: SpanIx,
    /// The spans of the lane up to the moment, by number.
    pub spans: Spans,
    /// The spans of which the policy would keep one part and not the other: a call is parted from its resolution.
    pub torn: Vec<SpanIx>,
    /// What to do.
    pub verdict: Verdict,
    /// With [`Verdict::Defer`]: the cut that compacts an older closed range now. None: wait.
    pub older: Option<SpanIx>,
    /// What would have helped and the runtime cannot do.
    pub cannot: Vec<Cannot>,
    /// What about the policy's run a transcript does not tell.
    pub unknown: Vec<Unknown>,
    /// Why: what stands in the way, worst first, each with its repair.
    pub reasons: Vec<Reason>,
    /// Entries that the policy would sever, and how.
    pub severed: Vec<Severed>,
    /// The live entries that the context no longer holds: reported as lost, first among the carriers.
    pub lost: Vec<EntryId>,
    /// The bindings that the cut makes, by id: values that what stays relies on and does not state in full. They follow the cut, so
    /// their ids, the next ones after the lane's own at the moment, are good for this judgement only; their keys last.
    pub bindings: Vec<Arc<Entry>>,
    /// Exact values that what is retained, or a live entry, uses: every summary must name them.
    pub live_identifiers: Vec<String>,
    /// The policy's outcome in tokens, without carriers.
    pub tokens: Tokens,
    /// The barrier-aware plan that stands beside it.
    pub plan: Plan,
}

impl Judgement {
    /// The entry of this id, as this judgement on `lane` names it: one of the lane's, or a binding.
    #[must_use]
    pub fn entry(&self, lane: &LaneSnapshot, id: EntryId) -> Option<Arc<Entry>> {
        let binding = self.bindings.binary_search_by_key(&id, |entry| entry.id);
        match binding.ok().and_then(|n| self.bindings.get(n)) {
            Some(entry) => Some(Arc::clone(entry)),
            None => lane.entry(id),
        }
    }

    /// The entries of its reasons, worst first.
    pub fn named<'a>(&'a self, lane: &'a LaneSnapshot) -> impl Iterator<Item = Arc<Entry>> + 'a {
        self.reasons.iter().filter_map(|reason| self.entry(lane, reason.entry))
    }

    /// Those that stand in the way as they are, each open thing once: where the effect of an attempt is in doubt, that it was tried
    /// again is the same thing.
    #[must_use]
    pub fn in_the_way(&self, lane: &LaneSnapshot) -> Vec<Arc<Entry>> {
        let mut open: Vec<Arc<Entry>> = self.named(lane).filter(|entry| self.is_barrier(entry)).collect();
        let intent = |entry: &Entry| entry.action.as_ref().map(|action| action.intent.clone());
        let in_doubt: Vec<_> =
            open.iter().filter(|entry| entry.kind == EntryKind::Effect).filter_map(|entry| intent(entry)).collect();
        open.retain(|entry| entry.kind != EntryKind::Retry || intent(entry).is_none_or(|intent| !in_doubt.contains(&intent)));
        open
    }

    /// Whether an entry is open as it stands: what touches it is a barrier.
    #[must_use]
    pub fn is_barrier(&self, entry: &Entry) -> bool {
        self.at.is_some_and(|at| entry.weight_at(at) == Weight::Barrier)
    }
}

/// How full a context is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextFacts {
    /// Tokens now.
    pub tokens: u64,
    /// Whether no usage record stands behind that number.
    pub estimated: bool,
    /// The model's window, in tokens.
    pub window: u64,
    /// Whether the window is a guess.
    pub window_assumed: bool,
    /// Where the policy compacts by itself; none where it never does.
    pub trigger: Option<u64>,
    /// How hard it presses.
    pub pressure: Pressure,
}

/// How hard the budget presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pressure {
    /// Below the trigger.
    None,
    /// At or over the trigger.
    Due,
    /// Forced now.
    Critical,
}

/// What may be done to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// May be summarised freely.
    Opportunity,
    /// May be summarised once its carriers are written.
    Repair,
    /// Must stay verbatim.
    Barrier,
}

/// What a policy does to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It stays.
    Kept,
    /// It stays, without the bodies of its results.
    Masked,
    /// A summary stands in for it.
    Summarised,
    /// Nothing stands in for it.
    Dropped,
}

/// The verdict on a proposed compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Safe as it stands.
    Compact,
    /// Safe once the carriers are written.
    Repair,
    /// Not yet: wait, or compact an older closed range.
    Defer,
    /// Not safe: names every open entry.
    Refuse,
    /// It does not fit above the floor: somebody must decide what may be lost.
    Escalate,
    /// Barriers stay verbatim in place, and the rest frees what is needed.
    Around,
}

/// An entry that stands in the way, and what would clear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The entry.
    pub entry: EntryId,
    /// What to do about it.
    pub repair: Repair,
    /// With what, where that is known (`git status`).
    pub with: Option<String>,
}

/// What clears a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    /// Look whether it happened.
    Reconcile,
    /// Wait for its resolution.
    Wait,
    /// Give it up, and say so.
    Abandon,
    /// Close it.
    Close,
    /// Write a carrier.
    Carry,
    /// Keep both ends together.
    CoLocate,
}

/// An entry that a policy would sever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Severed {
    /// The entry.
    pub entry: EntryId,
    /// What happens to the span that holds it.
    pub how: Action,
    /// That span.
    pub span: SpanIx,
    /// Whether the summariser is asked to keep such things. It words the risk, and never changes a colour.
    pub asked: Asked,
}

/// Whether a summariser is asked to keep a kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// It is asked to.
    Yes,
    /// It is not: gone, unless the model volunteers it.
    No,
}

/// What would help and a runtime cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cannot {
    /// Keep single spans verbatim.
    PinSpans,
    /// Compact an older range only.
    CompactOlder,
}

/// A policy's outcome in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Before.
    pub before: u64,
    /// After, with a summary of the policy's default size.
    pub after: u64,
    /// What stands in for what goes: the summary, and what is put back with it.
    pub stands_in: u64,
    /// Reclaimed from opportunities.
    pub reclaimed_safely: u64,
    /// Reclaimed from everything else.
    pub at_risk: u64,
    /// What the carriers of the live entries in range cost.
    pub carriers: u64,
    /// The distinct live entries in range, each once: what cannot be reclaimed.
    pub floor: u64,
}

/// What a compaction that respects the barriers would do with the same budget.
///
/// It is what a runtime could do that can pin single spans and compact an older range, whether or not this one can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The verdict on it.
    pub verdict: Verdict,
    /// Spans that stay verbatim.
    pub keep: Vec<SpanIx>,
    /// Spans that are summarised.
    pub summarise: Vec<SpanIx>,
    /// Entries that get a carrier, in order of opening; lost ones first.
    pub carry: Vec<EntryId>,
    /// What it comes to in tokens.
    pub tokens: Tokens,
}

impl Colour {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Opportunity => "opportunity",
            Self::Repair => "repair",
            Self::Barrier => "barrier",
        }
    }
}

impl Action {
    /// The one of two by which less is left: a model gets back a masked body, and a summary says something.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let loss = |action| match action {
            Self::Kept => 0,
            Self::Masked => 1,
            Self::Summarised => 2,
            Self::Dropped => 3,
        };
        if loss(other) > loss(self) { other } else { self }
    }

    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Masked => "masked",
            Self::Summarised => "summarised",
            Self::Dropped => "dropped",
        }
    }
}

impl Verdict {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Repair => "repair",
            Self::Defer => "defer",
            Self::Refuse => "refuse",
            Self::Escalate => "escalate",
            Self::Around => "around",
        }
    }
}

impl Asked {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "asked",
            Self::No => "not asked",
        }
    }
}

impl Cannot {
    /// What a runtime cannot do, to follow its name.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::PinSpans => "cannot keep single spans verbatim",
            Self::CompactOlder => "cannot compact an older range only",
        }
    }
}

impl Pressure {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Due => "due",
            Self::Critical => "critical",
        }
    }
}

impl Repair {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
            Self::Wait => "wait",
            Self::Abandon => "abandon",
            Self::Close => "close",
            Self::Carry => "carry",
            Self::CoLocate => "co-locate",
        }
    }
}
