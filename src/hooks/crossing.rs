//! What a gate let through over something open: the record that an audit begins with.

use serde::{Deserialize, Serialize};

use crate::hooks::gate::{Decision, Trigger};
use crate::report::Subject;
use crate::report::carrier::CarrierReport;

/// A compaction that went on although it crossed what must stay. A row of `crossed` in `SESSION.gate.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossing {
    /// `forced`: it had been stopped as often as it may be. `warn`: nobody had opted in to stopping it.
    pub decision: String,
    /// Who asked for it.
    pub trigger: Trigger,
    /// The verdict, which no decision changes.
    pub verdict: String,
    /// The policy that it was judged by.
    pub policy: String,
    /// The lane's name.
    pub lane: String,
    /// 1-based line of the lane's file up to which it was read.
    pub line: Option<u32>,
    /// The time of the event there; RFC 3339, UTC.
    pub at: Option<String>,
    /// What was open, worst first: unverified from then on, to be checked first.
    pub unverified: Vec<Unverified>,
}

/// An entry that a compaction crossed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unverified {
    /// Its key.
    pub key: String,
    /// Its kind.
    pub kind: String,
    /// For display.
    pub what: String,
    /// `unknown`, where it is known to be so.
    pub effect: Option<String>,
    /// What would settle it, in words.
    pub discharge: String,
    /// With what to look, where that is known: `git ls-remote origin main`.
    pub check: Option<String>,
    /// 1-based line at which it opened.
    pub line: u32,
}

impl Crossing {
    /// The record of a decision on a compaction of the subject's lane; none where nothing is crossed.
    pub(super) fn of(decision: &Decision, trigger: Trigger, lane: &str, subject: &Subject<'_>) -> Option<Self> {
        if !matches!(decision, Decision::Warn(_) | Decision::Forced(_)) {
            return None;
        }
        let judgement = subject.judgement;
        let unverified = judgement.reasons.iter().filter_map(|reason| {
            let carrier = CarrierReport::of(subject, reason.entry).filter(|carrier| carrier.colour == Some("barrier"))?;
            Some(Unverified::of(carrier, reason.with.clone()))
        });
        Some(Self {
            decision: decision.word().to_owned(),
            trigger,
            verdict: judgement.verdict.word().to_owned(),
            policy: judgement.policy.to_string(),
            lane: lane.to_owned(),
            line: judgement.at.and_then(|at| subject.spot(at).line),
            at: subject.now().map(|at| at.to_string()),
            unverified: unverified.collect(),
        })
    }
}

impl Unverified {
    fn of(carrier: CarrierReport, check: Option<String>) -> Self {
        let CarrierReport { key, kind, line_text, effect, discharge, place, .. } = carrier;
        Self {
            key,
            kind: kind.to_owned(),
            what: line_text,
            effect: effect.map(str::to_owned),
            discharge: discharge.text,
            check,
            line: place.line,
        }
    }
}
