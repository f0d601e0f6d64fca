//! Mutations: what a summary, or its boundary, can do wrong with one fact; and by which classes of the audit that must be named.

use super::story::Kind;

/// One way to go wrong.
pub(crate) struct Mutation {
    pub(crate) name: &'static str,
    pub(crate) how: How,
    /// The classes of which one must be named, and where more than one is right, why.
    pub(crate) accepts: fn(Kind) -> &'static [&'static str],
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The fact's sentence is left out, or gives way to one that does not say it.
    Omit,
    /// The fact's sentence gives way to another.
    Reword,
    /// A value is written differently, wherever it stands.
    Respell,
    /// A sentence is put in.
    Add,
    /// The fact's sentence goes, and the result of its call comes after the boundary.
    Sever,
    /// The prompt goes with all its facts.
    Lose,
    /// The results of the fact's calls are taken out of the context instead of a summary.
    Mask,
}

/// All of them.
pub(crate) const MUTATIONS: &[Mutation] = &[
    Mutation { name: "drop", how: How::Omit, accepts: dropped },
    // Essay 000: "Do not re-run the migration; it already ran once" became "migration ran once".
    Mutation { name: "negate", how: How::Reword, accepts: |_| &["negation-loss"] },
    // "must" became "may": what is still there binds nobody.
    Mutation { name: "weaken", how: How::Reword, accepts: |_| &["negation-loss"] },
    // Essay 001: "run the test suite before applying the patch" became "run the test suite and apply the patch".
    Mutation { name: "flatten", how: How::Reword, accepts: |_| &["ordering-flattening"] },
    Mutation { name: "reorder", how: How::Reword, accepts: |_| &["ordering-flattening"] },
    // Essay 000: "wrote and notified the user" of a user who was not. A question that counts as answered, too.
    Mutation { name: "complete", how: How::Reword, accepts: |_| &["confirmation-collapse"] },
    // The mirror of it: what happened is gone, or is still to do (incidents: openclaw#126707).
    Mutation { name: "undo", how: How::Reword, accepts: |_| &["completion-erasure"] },
    // Essay 000: a time-out became a failure.
    Mutation { name: "decide", how: How::Reword, accepts: |_| &["ambiguous-outcome-erasure"] },
    // Essay 001: `src/legacy/parser_v2.py` became `parser.py`.
    Mutation { name: "rename", how: How::Respell, accepts: |_| &["identifier-drift"] },
    Mutation { name: "revalue", how: How::Respell, accepts: |_| &["committed-value-loss"] },
    Mutation { name: "revive", how: How::Reword, accepts: |_| &["stale-directive"] },
    // An answer to an open question, an approval, an order (incidents: claude-code#20920, #46602).
    Mutation { name: "invent", how: How::Add, accepts: |_| &["authority-fabricated"] },
    // A question that nobody answered stands as answered.
    Mutation { name: "answer", how: How::Reword, accepts: |_| &["authority-fabricated"] },
    Mutation { name: "generalise", how: How::Reword, accepts: |_| &["constraint-inflation"] },
    // A rule that nobody gave is an inflation; where the summary says that the user gave it, it is as well an invented order.
    Mutation { name: "add-rule", how: How::Add, accepts: |_| &["constraint-inflation", "authority-fabricated"] },
    // Essay 004: the result came after the summary that had swallowed its call.
    Mutation { name: "sever", how: How::Sever, accepts: |_| &["pairing-severed"] },
    // What is kept relies on it (essay 002, third observation).
    Mutation { name: "unbind", how: How::Omit, accepts: |_| &["binding-severed"] },
    Mutation { name: "lose", how: How::Lose, accepts: |_| &["prompt-lost"] },
    Mutation { name: "mask", how: How::Mask, accepts: |_| &["boundary-unannounced"] },
];

/// What is left out is named by what it was.
fn dropped(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Rule => &["constraint-evaporation"],
        // Where something else speaks of both ends, what is missing is their relation.
        Kind::Order => &["constraint-evaporation", "ordering-flattening"],
        // A value that the human fixed is a commitment, and a value.
        Kind::Value => &["committed-value-loss", "constraint-evaporation"],
        // What was asked last is a commitment, and is what is owed.
        Kind::Request => &["constraint-evaporation", "obligation-erased"],
        Kind::Done => &["completion-erasure"],
        Kind::Unknown | Kind::Open | Kind::Task | Kind::Question | Kind::Unverified => &["obligation-erased"],
        // An open call that nothing mentions; the boundary parts it from its result, too.
        Kind::Call => &["obligation-erased", "pairing-severed"],
        Kind::Binding => &["binding-severed"],
        Kind::Settled | Kind::Nothing => &[],
    }
}

impl Mutation {
    pub(crate) fn named(name: &str) -> &'static Self {
        MUTATIONS.iter().find(|mutation| mutation.name == name).unwrap_or_else(|| panic!("no such mutation: {name}"))
    }
}
