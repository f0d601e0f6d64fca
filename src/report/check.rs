//! `owed.check/1`: the ledger and the verdict at a moment.

use std::sync::Arc;

use serde::Serialize;

use crate::base::ids::EventIx;
use crate::compaction::judgement::{Cannot, Judgement, Reason, Tokens};
use crate::compaction::policy::Unknown;
use crate::ledger::entry::{Entry, Trust};
use crate::report::entry::{EntryReport, Id};
use crate::report::forecast;
use crate::report::graph::LinkReport;
use crate::report::pending::PendingReport;
use crate::report::session::SessionReport;
use crate::report::span::SpanReport;
use crate::report::subject::{Breadth, Spot, Subject};
use crate::report::wording;

/// What `owed check` says.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport<'a> {
    /// `owed.check/1`.
    pub schema: &'static str,
    /// The session.
    pub session: SessionReport<'a>,
    /// The moment.
    pub at: AtReport,
    /// The lane asked for.
    pub lane: &'a str,
    /// How full its context is.
    pub context: ContextReport,
    /// How far the entries can be trusted.
    pub guarantee: GuaranteeReport,
    /// The pending-call table: calls without a resolution.
    pub pending: Vec<PendingReport<'a>>,
    /// The live entries, what is only given where the policy loses it; with `--all` everything, the closed ones too.
    pub entries: Vec<EntryReport>,
    /// With `--all`: how the entries and the events that they cite belong together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<Vec<LinkReport>>,
    /// The spans up to the moment.
    pub spans: Vec<SpanReport>,
    /// The verdict.
    pub verdict: VerdictReport<'a>,
}

/// The moment that a report is about: the state after this event.
#[derive(Clone, Debug, Serialize)]
pub struct AtReport {
    /// The event; null in a lane without events.
    pub event: Option<u32>,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
}

/// How full a context is.
#[derive(Clone, Debug, Serialize)]
pub struct ContextReport {
    /// Tokens now.
    pub tokens: u64,
    /// The model's window.
    pub window: u64,
    /// Whether the window is a guess.
    pub window_assumed: bool,
    /// Whether no usage record stands behind `tokens`.
    pub estimated: bool,
    /// Where the policy compacts by itself; null where it never does.
    pub trigger: Option<u64>,
    /// `none`, `due` or `critical`.
    pub pressure: &'static str,
    /// Turns until the trigger (or the window) is reached, at the pace of the last turns; null where there is no pace.
    pub full_in_turns: Option<u64>,
}

/// Shares of the live entries by where they come from, from 0 to 1, in hundredths; null when nothing is live.
#[derive(Clone, Debug, Serialize)]
pub struct GuaranteeReport {
    /// Tagged by a human or by the runtime.
    pub explicit: Option<f64>,
    /// From structured records.
    pub structured: Option<f64>,
    /// Inferred from text.
    pub inferred: Option<f64>,
    /// In words.
    pub text: &'static str,
}

impl GuaranteeReport {
    fn of(live: &[Arc<Entry>], at: Option<EventIx>) -> Self {
        let (mut explicit, mut structured, mut inferred) = (0_u32, 0, 0);
        for entry in live {
            match at.map_or(entry.trust, |at| entry.trust_at(at)) {
                Trust::Explicit => explicit += 1,
                Trust::Structured => structured += 1,
                Trust::Inferred => inferred += 1,
            }
        }
        let all = explicit + structured + inferred;
        let share = |n: u32| (all > 0).then(|| (f64::from(n) / f64::from(all) * 100.0).round() / 100.0);
        let text = match (all, inferred) {
            (0, _) => "nothing is live",
            (_, 0) => "every live entry comes from a tag or a structured record",
            _ => "best effort: tags were inferred",
        };
        Self { explicit: share(explicit), structured: share(structured), inferred: share(inferred), text }
    }
}

/// The verdict on a compaction of the lane, now.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictReport<'a> {
    /// `compact`, `repair`, `around`, `defer`, `refuse` or `escalate`.
    pub verdict: &'static str,
    /// The policy's id.
    pub policy: &'a str,
    /// The first span that is kept.
    pub cut: u32,
    /// What stands in the way, worst first.
    pub reasons: Vec<ReasonReport<'a>>,
    /// How its sentence begins, for people.
    #[serde(skip)]
    pub opening: String,
    /// Those of them that are open, each thing once: for people, who are told how many.
    #[serde(skip)]
    pub in_the_way: Vec<Id>,
    /// Live entries that the context no longer holds.
    pub lost: Vec<Id>,
    /// What the context must get under, in tokens.
    pub target: u64,
    /// How many tokens must go to get there.
    pub need: u64,
    /// With `defer`: the cut that compacts an older closed range now; null: wait.
    pub older: Option<u32>,
    /// What would have helped and the runtime cannot do: `pin-spans`, `compact-older`.
    pub cannot: Vec<&'static str>,
    /// What about the policy's run a transcript does not tell.
    pub unknown: Vec<UnknownReport>,
    /// Spans of which the policy would keep one part and not the other.
    pub torn: Vec<u32>,
    /// Exact values that every summary must name.
    pub live_identifiers: &'a [String],
    /// The policy's outcome in tokens.
    pub tokens: TokensReport,
}

/// What a transcript does not tell about a policy.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct UnknownReport {
    /// `setting`, `idle`, `images`, `server`, `kept` or `summary`.
    pub what: &'static str,
    /// The same in words.
    pub text: &'static str,
}

impl UnknownReport {
    /// The twin of what is unknown.
    #[must_use]
    pub fn of(unknown: Unknown) -> Self {
        Self { what: unknown.word(), text: unknown.words() }
    }
}

/// An entry that stands in the way, and what would clear it.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonReport<'a> {
    /// The entry.
    pub entry: Id,
    /// `reconcile`, `wait`, `abandon`, `close`, `carry` or `co-locate`.
    pub repair: &'static str,
    /// With what: `git status`.
    pub with: Option<&'a str>,
    /// The whole in words, for people.
    #[serde(skip)]
    pub told: String,
}

impl<'a> ReasonReport<'a> {
    fn of(reason: &'a Reason, subject: &Subject<'a>) -> Self {
        let (lane, Judgement { at, .. }) = (subject.lane, subject.judgement);
        let entry = subject.judgement.entry(lane, reason.entry);
        let told = entry.as_ref().map(|entry| wording::repair(reason.repair, entry.kind, reason.with.as_deref()));
        let lost = entry.as_ref().zip(*at).and_then(|(entry, at)| entry.lost_at(at));
        let lost = lost.map(|boundary| format!("; lost at {}", wording::boundary(lane, boundary)));
        let told = told.unwrap_or_default() + &lost.unwrap_or_default();
        Self { entry: Id(reason.entry), repair: reason.repair.word(), with: reason.with.as_deref(), told }
    }
}

/// An outcome in tokens: `before` - `after` = `reclaimed_safely` + `at_risk`.
#[derive(Clone, Debug, Serialize)]
pub struct TokensReport {
    /// Before.
    pub before: u64,
    /// After, without carriers, with a summary of the policy's default size.
    pub after: u64,
    /// Reclaimed from opportunities.
    pub reclaimed_safely: u64,
    /// Reclaimed from everything else.
    pub at_risk: u64,
    /// What the carriers cost.
    pub carriers: u64,
    /// What cannot be reclaimed.
    pub floor: u64,
    /// `after` and what follows from it are estimates.
    pub estimated: bool,
}

impl TokensReport {
    /// The twin of `tokens`.
    #[must_use]
    pub fn of(tokens: Tokens) -> Self {
        let Tokens { before, after, stands_in: _, reclaimed_safely, at_risk, carriers, floor } = tokens;
        Self { before, after, reclaimed_safely, at_risk, carriers, floor, estimated: true }
    }
}

impl<'a> CheckReport<'a> {
    /// The report on `subject`.
    #[must_use]
    pub fn of(subject: &Subject<'a>, breadth: Breadth) -> Self {
        let judgement = subject.judgement;
        let facts = &judgement.context;
        let live = subject.entries(Breadth::Live);
        Self {
            schema: "owed.check/1",
            session: SessionReport::of(subject.snapshot),
            at: AtReport { event: judgement.at.map(|at| at.0), spot: judgement.at.map(|at| subject.spot(at)).unwrap_or_default() },
            lane: &subject.lane.name,
            context: ContextReport {
                tokens: facts.tokens,
                window: facts.window,
                window_assumed: facts.window_assumed,
                estimated: facts.estimated,
                trigger: facts.trigger,
                pressure: facts.pressure.word(),
                full_in_turns: forecast::full_in_turns(subject),
            },
            guarantee: GuaranteeReport::of(&live, judgement.at),
            pending: PendingReport::all(subject),
            entries: (judgement.at.into_iter())
                .flat_map(|at| subject.entries(breadth).into_iter().map(move |entry| EntryReport::of(subject.scene(), &entry, at)))
                .collect(),
            graph: (breadth == Breadth::All).then(|| LinkReport::all(subject)),
            spans: SpanReport::all(subject),
            verdict: VerdictReport {
                verdict: judgement.verdict.word(),
                policy: &judgement.policy,
                cut: judgement.cut.0,
                reasons: judgement.reasons.iter().map(|reason| ReasonReport::of(reason, subject)).collect(),
                opening: wording::verdict(judgement, live.len(), judgement.in_the_way(subject.lane).len()),
                in_the_way: judgement.in_the_way(subject.lane).iter().map(|entry| Id(entry.id)).collect(),
                lost: judgement.lost.iter().copied().map(Id).collect(),
                target: judgement.target,
                need: judgement.need,
                older: judgement.older.map(|cut| cut.0),
                cannot: judgement.cannot.iter().map(|cannot| cannot_word(*cannot)).collect(),
                unknown: judgement.unknown.iter().copied().map(UnknownReport::of).collect(),
                torn: judgement.torn.iter().map(|span| span.0).collect(),
                live_identifiers: &judgement.live_identifiers,
                tokens: TokensReport::of(judgement.tokens),
            },
        }
    }
}

fn cannot_word(cannot: Cannot) -> &'static str {
    match cannot {
        Cannot::PinSpans => "pin-spans",
        Cannot::CompactOlder => "compact-older",
    }
}
