//! What to do about a proposal that was rejected.

use crate::audit::acceptance::{Added, Proposal, Unheld};
use crate::base::ids::{EventIx, SpanIx};
use crate::compaction::Judgement;
use crate::compaction::carrier::{Carrier, can_hold, text_tokens};

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Write carriers of what is not held: they fit.
    WriteCarriers,
    /// Keep the spans that hold it, and summarise only what stands before them.
    StricterCut,
    /// Neither will do: somebody must decide.
    Surface,
}

impl Next {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::WriteCarriers => "write-carriers",
            Self::StricterCut => "stricter-cut",
            Self::Surface => "surface",
        }
    }
}

/// The least that would make the proposal safe. What was made up goes by no carrier and no cut.
pub(super) fn next(
    judgement: &Judgement,
    proposal: &Proposal<'_>,
    missing: &[Unheld],
    altered: &[Unheld],
    added: &[Added],
) -> Option<Next> {
    let at = judgement.at?;
    let open: Vec<&Unheld> = missing.iter().chain(altered).collect();
    if open.is_empty() && added.is_empty() {
        return None;
    }
    let is_wrong = !added.is_empty() || altered.iter().any(|one| one.why.is_back());
    let room = Room::of(judgement, proposal);
    Some(match () {
        () if is_wrong => Next::Surface,
        () if open.iter().all(|one| can_hold(&one.entry, at)) && room.fits(carriers(&open, at)) => Next::WriteCarriers,
        () if cut(judgement, &open, at).is_some_and(|cut| room.fits(kept(judgement, cut))) => Next::StricterCut,
        () => Next::Surface,
    })
}

/// What a stand-in may take, in tokens.
struct Room {
    target: u64,
    /// What the context would take with the summary and its carriers alone.
    taken: u64,
    /// Whether anything has to go at all.
    is_free: bool,
}

impl Room {
    fn of(judgement: &Judgement, proposal: &Proposal<'_>) -> Self {
        let spans: u64 = judgement.spans.context().map(|span| span.tokens).sum();
        let around = judgement.context.tokens.saturating_sub(spans);
        let carried: u64 = proposal.carriers.iter().map(|carrier| text_tokens(&carrier.text)).sum();
        Self { target: judgement.target, taken: around + text_tokens(proposal.summary) + carried, is_free: judgement.need == 0 }
    }

    fn fits(&self, more: u64) -> bool {
        self.is_free || self.taken + more <= self.target
    }
}

fn carriers(open: &[&Unheld], at: EventIx) -> u64 {
    open.iter().map(|one| Carrier::of(&one.entry, at).tokens).sum()
}

/// The latest cut that keeps a place of each of these; none where nothing would be left to compact.
fn cut(judgement: &Judgement, open: &[&Unheld], at: EventIx) -> Option<SpanIx> {
    let is_there = |span: &SpanIx| judgement.spans.get(*span).is_some_and(|view| view.in_context);
    let newest: Option<Vec<SpanIx>> = open.iter().map(|one| one.entry.touches_at(at).filter(is_there).max()).collect();
    let cut = newest?.into_iter().min()?;
    let first = judgement.spans.context().next()?.span;
    (cut > first).then_some(cut)
}

/// What the spans from a cut on take.
fn kept(judgement: &Judgement, cut: SpanIx) -> u64 {
    judgement.spans.context().filter(|span| span.span >= cut).map(|span| span.tokens).sum()
}
