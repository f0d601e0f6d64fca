//! `owed.plan/1`: a check, and beside what the policy would sever the plan that respects the barriers.

use serde::Serialize;

use crate::compaction::judgement::{Action, Asked};
use crate::report::carrier::CarrierReport;
use crate::report::check::{CheckReport, TokensReport};
use crate::report::entry::Id;
use crate::report::subject::{Breadth, Subject};

/// What `owed plan` says.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport<'a> {
    /// The check, under the schema `owed.plan/1`.
    #[serde(flatten)]
    pub check: CheckReport<'a>,
    /// Entries that the policy would sever.
    pub severed: Vec<SeveredReport>,
    /// What a compaction that respects the barriers would do.
    pub plan: BesideReport<'a>,
}

/// An entry that the policy would sever.
#[derive(Clone, Debug, Serialize)]
pub struct SeveredReport {
    /// The entry.
    pub entry: Id,
    /// `summarised away`, `masked` or `dropped`.
    pub how: &'static str,
    /// The span that held it.
    pub span: u32,
    /// Whether the summariser is asked to keep such things.
    pub asked: bool,
}

/// The barrier-aware plan.
#[derive(Clone, Debug, Serialize)]
pub struct BesideReport<'a> {
    /// The verdict on it: what a runtime could do that can pin spans and compact an older range.
    pub verdict: &'static str,
    /// Spans that stay verbatim.
    pub keep: Vec<u32>,
    /// Spans that are summarised.
    pub summarise: Vec<u32>,
    /// The carriers, lost entries first.
    pub carriers: Vec<CarrierReport>,
    /// Exact values that the summary must name.
    pub live_identifiers: &'a [String],
    /// What it comes to.
    pub tokens: TokensReport,
}

impl<'a> PlanReport<'a> {
    /// The report on `subject`.
    #[must_use]
    pub fn of(subject: &Subject<'a>, breadth: Breadth) -> Self {
        let judgement = subject.judgement;
        let plan = &judgement.plan;
        Self {
            check: CheckReport { schema: "owed.plan/1", ..CheckReport::of(subject, breadth) },
            severed: (judgement.severed.iter())
                .map(|severed| SeveredReport {
                    entry: Id(severed.entry),
                    how: how(severed.how),
                    span: severed.span.0,
                    asked: severed.asked == Asked::Yes,
                })
                .collect(),
            plan: BesideReport {
                verdict: plan.verdict.word(),
                keep: plan.keep.iter().map(|span| span.0).collect(),
                summarise: plan.summarise.iter().map(|span| span.0).collect(),
                carriers: plan.carry.iter().filter_map(|id| CarrierReport::of(subject, *id)).collect(),
                live_identifiers: &judgement.live_identifiers,
                tokens: TokensReport::of(plan.tokens),
            },
        }
    }
}

/// What happens to an entry whose span meets `action`.
fn how(action: Action) -> &'static str {
    match action {
        Action::Summarised => "summarised away",
        Action::Kept | Action::Masked | Action::Dropped => action.word(),
    }
}
