//! Entries: the records of the ledger, each an interval of events with its status changes.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::{BoundaryIx, CallIx, EntryId, EventIx, SpanIx, TurnIx};
use crate::base::range::ByteRange;
use crate::base::time::Stamp;
use crate::ledger::effects::{Class, EffectStatus, Idempotency};

mod words;

pub use words::{Check, EdgeKind, EntryKind, EntryStatus, HolderForm, Scope, Stands, Trust, Weight};

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
    /// A runtime's own record says the same.
    pub vouched: Option<Vouched>,
    /// The rule that made it, by its id in the docs.
    pub rule: Cow<'static, str>,
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
    /// The parts of it that were seen done, each with the event that showed it.
    pub progress: Vec<(EventIx, String)>,
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
    /// Where the whole of a long text stands.
    pub pointer: Option<Pointer>,
    /// What in a long text holds on or forbids, in bytes of it: what a carrier holds word by word.
    pub marked: Vec<Range<usize>>,
    /// Of an unknown that was settled: by which event, and as what.
    pub settled: Option<Settled>,
    /// Exact values that it came to name after it had opened, and since when.
    pub named: Vec<(EventIx, String)>,
}

/// What showed the outcome of an effect that had been left unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The event.
    pub by: EventIx,
    /// What it says: committed or not started. None where the agent looked, and only what it saw says more.
    pub effect: Option<EffectStatus>,
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
    /// The rule of what a runtime recorded in its side ledger.
    pub const OF_RUNTIME: &'static str = "side-ledger";

    /// The rule of what only a carrier tells of.
    pub const OF_CARRIER: &'static str = "carrier";

    /// The rule of what the agent said last in a turn.
    pub const OF_LAST_MESSAGE: &'static str = "last-message";

    /// The rule of a prompt that is one entry because it is long.
    pub const OF_LONG_PROMPT: &'static str = "long-prompt";

    /// The rule of what a human only asks: to be told it is all that is wanted.
    pub const OF_INQUIRY: &'static str = "inquiry";

    /// The rule of a file of rules.
    pub const OF_RULES_FILE: &'static str = "rules-file";

    /// Whether it is a whole text, of which no single sentence says all.
    #[must_use]
    pub fn is_whole_text(&self) -> bool {
        matches!(&*self.rule, Self::OF_LAST_MESSAGE | Self::OF_LONG_PROMPT | Self::OF_RULES_FILE)
    }

    /// Whether the runtime says it to the agent, as it says it in every session: it binds, and nobody owes it.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.rule == Self::OF_RULES_FILE
    }

    /// Whether the agent said it, last in a turn.
    #[must_use]
    pub fn is_of_last_message(&self) -> bool {
        self.rule == Self::OF_LAST_MESSAGE
    }

    /// Whether it was opened by a record that states it, and not by a fold.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        matches!(&*self.rule, Self::OF_RUNTIME | Self::OF_CARRIER)
    }

    /// Where its text came from, as known after event `at`.
    #[must_use]
    pub fn trust_at(&self, at: EventIx) -> Trust {
        if self.vouched_at(at).is_some() { Trust::Explicit } else { self.trust }
    }

    /// How it ends, as known after event `at`: as a record states it, where one does.
    #[must_use]
    pub fn discharge_at(&self, at: EventIx) -> &Discharge {
        self.vouched_at(at).and_then(|vouched| vouched.discharge.as_ref()).unwrap_or(&self.discharge)
    }

    /// The record that vouched for it after event `at`.
    fn vouched_at(&self, at: EventIx) -> Option<&Vouched> {
        self.vouched.as_ref().filter(|vouched| vouched.since <= at)
    }

    /// Its newest status.
    #[must_use]
    pub fn status(&self) -> EntryStatus {
        self.history.last().map_or(EntryStatus::Live, |&(_, status)| status)
    }

    /// The event by which it is known: that of its opening, but for what only a later event shows.
    #[must_use]
    pub fn known(&self) -> EventIx {
        self.history.first().map_or(self.opened.event, |&(event, _)| event)
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

    /// Where it stood after event `at`, in the context or not: all places, or those at which its kind stands.
    pub fn places_at(&self, at: EventIx) -> impl Iterator<Item = Holder> + '_ {
        let verbatim = |holder: &Holder| holder.since <= at && holder.form == HolderForm::Verbatim;
        let from = match self.kind.stands() {
            Stands::All => 0,
            Stands::Newest => self.holders.iter().rposition(verbatim).unwrap_or_default(),
        };
        self.holders.iter().skip(from).copied().filter(move |holder| holder.since <= at)
    }

    /// The spans that it touched after event `at`, in the context or not, each once.
    pub fn touches_at(&self, at: EventIx) -> impl Iterator<Item = SpanIx> + '_ {
        self.places_at(at).map(|holder| holder.span)
    }

    /// The exact values that it named after event `at`.
    pub fn names_at(&self, at: EventIx) -> impl Iterator<Item = &str> + '_ {
        let later = self.named.iter().filter(move |(since, _)| *since <= at).map(|(_, name)| name.as_str());
        self.identifiers.iter().map(String::as_str).chain(later)
    }

    /// The relations that were known after event `at`.
    pub fn edges_at(&self, at: EventIx) -> impl Iterator<Item = Edge> + '_ {
        self.edges.iter().copied().filter(move |edge| edge.since <= at)
    }

    /// Whether a call, with its own entry, is one of the attempts that it counts.
    #[must_use]
    pub fn has_tried(&self, call: CallIx, attempt: EntryId) -> bool {
        let is_first = self.action.as_ref().is_some_and(|action| action.first == Some(call));
        is_first || self.edges.iter().any(|edge| edge.kind == EdgeKind::Retries && edge.to == attempt)
    }

    /// The weight that it gave after event `at`; an entry without one yet gives the lighter.
    #[must_use]
    pub fn weight_at(&self, at: EventIx) -> Weight {
        self.weight.iter().rev().find(|(since, _)| *since <= at).map_or(Weight::Repair, |&(_, weight)| weight)
    }

    /// The parts of it that had been seen done after event `at`.
    pub fn progress_at(&self, at: EventIx) -> impl Iterator<Item = &str> {
        self.progress.iter().filter(move |(event, _)| *event <= at).map(|(_, part)| part.as_str())
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

/// What a runtime's record said of an entry that was known without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// Since which event its trust is explicit.
    pub since: EventIx,
    /// How it ends, where the record says it.
    pub discharge: Option<Discharge>,
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
    /// The call; of an action that only a record tells of, none.
    pub call: Option<CallIx>,
    /// The call that the entry opened with: the first of the attempts.
    pub first: Option<CallIx>,
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

/// A typed relation from one entry to another. The graph is walkable both ways: `ledger::graph` keeps the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// What relation.
    pub kind: EdgeKind,
    /// The other entry.
    pub to: EntryId,
    /// The event that drew it.
    pub since: EventIx,
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
