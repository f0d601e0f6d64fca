//! The words of an entry: what it is, where it is in its life, how sure it is, how it ends.

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
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Call,
        Self::Effect,
        Self::Done,
        Self::Retry,
        Self::Transaction,
        Self::Process,
        Self::Resource,
        Self::Unverified,
        Self::Task,
        Self::Question,
        Self::Reference,
        Self::Prohibition,
        Self::Requirement,
        Self::Ordering,
        Self::Decision,
        Self::Value,
        Self::Unclassified,
        Self::Binding,
    ];

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

    /// At which of the places where it was told it stands (DESIGN section 3, column "touches").
    #[must_use]
    pub fn stands(self) -> Stands {
        match self {
            Self::Unverified | Self::Task => Stands::Newest,
            _ => Stands::All,
        }
    }

    /// Whether it is a commitment: a text, not an action.
    #[must_use]
    pub fn is_commitment(self) -> bool {
        matches!(self, Self::Prohibition | Self::Requirement | Self::Ordering | Self::Decision | Self::Value | Self::Unclassified)
    }
}

/// At which of its places an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stands {
    /// At each.
    All,
    /// At the newest: an entry that is kept current moves on.
    Newest,
}

/// Where an entry is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryStatus {
    /// Something relies on it, or it must still be discharged.
    Live,
    /// Marked or reported done without proof, or seen done without a mark: still live.
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
    /// Those of an entry that has ended.
    pub const CLOSED: [Self; 6] =
        [Self::Discharged, Self::Settled, Self::Abandoned, Self::Reconciled, Self::Superseded, Self::Revoked];

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
    /// The human answers.
    Answered,
    /// It is marked done, and what it names was seen done.
    Done,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Resolved, Self::Reconciled, Self::Succeeded, Self::Undone, Self::Ended, Self::Revoked, Self::Answered, Self::Done];

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
            Self::Answered => "answered",
            Self::Done => "done",
        }
    }
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
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Resolves,
        Self::Retries,
        Self::Discharges,
        Self::Reconciles,
        Self::Supersedes,
        Self::Revokes,
        Self::Guards,
        Self::Before,
        Self::DependsOnOutput,
        Self::Defines,
        Self::Uses,
        Self::Shortens,
        Self::Launches,
    ];

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
