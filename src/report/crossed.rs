//! What a gate let through over something open, beside the boundary that it let through: it is looked at first (DESIGN section 11).

use serde::Serialize;

use crate::report::audit::{AuditReport, BoundaryReport, FindingReport};

/// A compaction that went on over something open, as the gate's own record tells it.
#[derive(Clone, Debug, Serialize)]
pub struct CrossedReport {
    /// `forced`: it had been stopped as often as it may be. `warn`: nobody had opted in to stopping it.
    pub decision: String,
    /// The verdict, which no decision changes.
    pub verdict: String,
    /// What was open, worst first: unverified from then on, to be checked first.
    pub unverified: Vec<UnverifiedReport>,
}

/// An entry that was crossed.
#[derive(Clone, Debug, Serialize)]
pub struct UnverifiedReport {
    /// Its key.
    pub key: String,
    /// Its kind.
    pub kind: String,
    /// For display.
    pub line_text: String,
    /// What would settle it, in words.
    pub discharge: String,
    /// With what to look, where that is known.
    pub check: Option<String>,
    /// The line at which it opened.
    pub line: u32,
}

/// Where a gate was asked.
#[derive(Clone, Copy, Debug)]
pub struct AskedAt<'a> {
    /// The lane's name.
    pub lane: &'a str,
    /// The line of the lane's file up to which it was read.
    pub line: u32,
}

impl AuditReport<'_> {
    /// Sets beside its boundary what a gate let through there: the first compaction of the lane behind the line at which the gate was
    /// asked. What is found of the entries that it crossed comes first.
    pub fn cross(&mut self, asked: AskedAt<'_>, crossed: CrossedReport) {
        let is_it = |boundary: &&mut BoundaryReport<'_>| {
            boundary.lane == asked.lane && boundary.kind != "masking" && boundary.spot.line.is_some_and(|line| line > asked.line)
        };
        let Some(boundary) = self.boundaries.iter_mut().find(is_it) else { return };
        let is_crossed = |finding: &FindingReport| {
            let key = finding.entry.as_ref().map(|entry| entry.key.as_str());
            crossed.unverified.iter().any(|entry| Some(entry.key.as_str()) == key)
        };
        boundary.findings.sort_by_key(|finding| !is_crossed(finding));
        boundary.crossed = Some(crossed);
    }
}
