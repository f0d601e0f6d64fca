//! `owed.policies/1`: the compaction policies that are known.

use serde::Serialize;

use crate::compaction::policy::{Confidence, Policies, Policy};

/// The policies.
#[derive(Clone, Debug, Serialize)]
pub struct PoliciesReport<'a> {
    /// `owed.policies/1`.
    pub schema: &'static str,
    /// One row each, by id.
    pub policies: Vec<PolicyReport<'a>>,
}

/// One policy.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyReport<'a> {
    /// Its id, as `--policy` takes it.
    pub id: &'a str,
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
    /// What the primitives do not say.
    pub note: &'a str,
}

impl<'a> PoliciesReport<'a> {
    /// The twin of the set.
    #[must_use]
    pub fn of(policies: &'a Policies) -> Self {
        Self { schema: "owed.policies/1", policies: policies.iter().map(PolicyReport::of).collect() }
    }
}

impl<'a> PolicyReport<'a> {
    fn of(policy: &'a Policy) -> Self {
        Self {
            id: &policy.id,
            aliases: &policy.aliases,
            title: &policy.title,
            agents: &policy.agents,
            source: &policy.source,
            confidence: confidence(policy.confidence),
            trigger: policy.trigger.tokens.as_ref().map(ToString::to_string),
            note: policy.note.trim(),
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
