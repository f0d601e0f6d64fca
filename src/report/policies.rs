//! `owed.policies/1`: the compaction policies that are known.

use serde::Serialize;

use crate::compaction::Window;
use crate::compaction::policy::{Confidence, Policies, Policy};
use crate::report::check::UnknownReport;

/// The policies.
#[derive(Clone, Debug, Serialize)]
pub struct PoliciesReport<'a> {
    /// `owed.policies/1`.
    pub schema: &'static str,
    /// One row each: agents first, then model APIs, frameworks and shapes, by id.
    pub policies: Vec<PolicyReport<'a>>,
}

/// One policy.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyReport<'a> {
    /// Its id, as `--policy` takes it.
    pub id: &'a str,
    /// Whose it is: `agent`, `api`, `framework` or `shape`.
    pub family: &'static str,
    /// That as a heading.
    #[serde(skip)]
    pub heading: &'static str,
    /// Other names for it.
    pub aliases: &'a [String],
    /// What people call it.
    pub title: &'a str,
    /// The agents that run by it unless told otherwise.
    pub agents: &'a [String],
    /// Where its numbers come from.
    pub source: &'a str,
    /// How far they can be trusted: `measured`, `source`, `docs`, ...
    pub confidence: &'static str,
    /// Tokens at which it compacts by itself, as an expression over the window; null where tokens never make it.
    pub trigger: Option<String>,
    /// What makes it compact by itself, in words; null where no count does.
    pub reached: Option<String>,
    /// The same, and when it looks.
    pub fires: String,
    /// What stays verbatim, in words.
    pub stays: String,
    /// All that it does, in its order.
    pub steps: Vec<StepReport>,
    /// What about its run a transcript does not tell.
    pub unknown: Vec<UnknownReport>,
    /// What the primitives do not say.
    pub note: String,
}

/// One thing that a policy does.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The key of its file that says it.
    pub key: &'static str,
    /// The same in words.
    pub text: String,
}

impl<'a> PoliciesReport<'a> {
    /// The twin of the set. What is unknown depends on a window a little: `window` is one to reckon with.
    #[must_use]
    pub fn of(policies: &'a Policies, window: Window) -> Self {
        let mut rows: Vec<&Policy> = policies.iter().collect();
        rows.sort_by_key(|policy| policy.family);
        Self::some(rows, window)
    }

    /// The twin of some of them.
    #[must_use]
    pub fn some(policies: impl IntoIterator<Item = &'a Policy>, window: Window) -> Self {
        let policies = policies.into_iter().map(|policy| PolicyReport::of(policy, window)).collect();
        Self { schema: "owed.policies/1", policies }
    }
}

impl<'a> PolicyReport<'a> {
    fn of(policy: &'a Policy, window: Window) -> Self {
        Self {
            id: &policy.id,
            family: policy.family.word(),
            heading: policy.family.title(),
            aliases: &policy.aliases,
            title: &policy.title,
            agents: &policy.agents,
            source: &policy.source,
            confidence: confidence(policy.confidence),
            trigger: policy.trigger.tokens.as_ref().map(ToString::to_string),
            reached: policy.reached(),
            fires: policy.fires(),
            stays: policy.stays(),
            steps: policy.steps().into_iter().map(|(key, text)| StepReport { key, text }).collect(),
            unknown: policy.unknown(window).into_iter().map(UnknownReport::of).collect(),
            note: policy.note.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Measured => "measured",
        Confidence::Source => "source",
        Confidence::SourceOld => "source_old",
        Confidence::Docs => "docs",
        Confidence::Secondary => "secondary",
        Confidence::Opaque => "opaque",
        Confidence::Generic => "generic",
    }
}
