//! `owed.scan/1`: one session of many, in a row.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::audit::{Audit, Finding, Severity};
use crate::base::time::Stamp;
use crate::compaction::Verdict;
use crate::session::Audited;

/// One session.
#[derive(Clone, Debug, Serialize)]
pub struct ScanReport {
    /// `owed.scan/1`.
    pub schema: &'static str,
    /// Its main file.
    pub path: String,
    /// The format's id.
    pub format: &'static str,
    /// The agent's version.
    pub agent_version: Option<String>,
    /// The working directory.
    pub directory: Option<String>,
    /// A title, where the transcript gives one.
    pub title: Option<String>,
    /// Events of all lanes.
    pub events: usize,
    /// Bytes read of all files.
    pub bytes: u64,
    /// The first time in it, RFC 3339, UTC.
    pub started: Option<String>,
    /// The last time in it.
    pub ended: Option<String>,
    /// The verdict on the main lane, now.
    pub verdict: Option<&'static str>,
    /// Live entries of all lanes, by kind.
    pub live: BTreeMap<&'static str, usize>,
    /// Boundaries of all lanes.
    pub boundaries: usize,
    /// Findings of all boundaries, by class.
    pub findings: BTreeMap<&'static str, usize>,
    /// What they cost later, by class.
    pub consequences: BTreeMap<&'static str, usize>,
    /// What was odd in it.
    pub anomalies: usize,
    /// The worst that was lost; none: nothing.
    #[serde(serialize_with = "word")]
    pub worst: Option<Severity>,
    /// How bad it is: 100 for each finding of severity high, 10 for medium, 1 for low and for each anomaly.
    pub score: u64,
}

impl ScanReport {
    /// The twin of a session that was audited, and judged.
    #[must_use]
    pub fn of(audited: &Audited, verdict: Option<Verdict>) -> Self {
        let (snapshot, facts) = (&*audited.snapshot, &*audited.snapshot.facts);
        let findings = || audited.audits.iter().flat_map(Audit::findings);
        let times = || snapshot.lanes.iter().flat_map(|lane| lane.events.iter().filter_map(|row| row.at));
        let odd = snapshot.lanes.iter().flat_map(|lane| lane.anomalies.iter()).filter(|anomaly| anomaly.until.is_none()).count();
        let anomalies = odd + facts.diagnostics.len() + facts.mistakes.len();
        let live = snapshot.lanes.iter().flat_map(|lane| lane.owed().filter_map(|id| lane.entry(id)));
        Self {
            schema: "owed.scan/1",
            path: facts.path.to_string_lossy().into_owned(),
            format: facts.agent.0,
            agent_version: facts.version.clone(),
            directory: facts.directory.clone(),
            title: facts.title.clone(),
            events: snapshot.lanes.iter().map(|lane| lane.events.len()).sum(),
            bytes: facts.bytes,
            started: times().min().as_ref().map(Stamp::to_string),
            ended: times().max().as_ref().map(Stamp::to_string),
            verdict: verdict.map(Verdict::word),
            live: counted(live.map(|entry| entry.kind.word())),
            boundaries: snapshot.lanes.iter().map(|lane| lane.boundaries.len()).sum(),
            findings: counted(findings().map(|finding| finding.class.word())),
            consequences: counted(findings().flat_map(|finding| finding.consequences.iter().map(|cost| cost.class.word()))),
            anomalies,
            worst: findings().map(|finding| finding.severity).max(),
            score: findings().map(weight).sum::<u64>() + u64::try_from(anomalies).unwrap_or(u64::MAX),
        }
    }

    /// Whether anything was lost.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        !self.findings.is_empty()
    }

    /// What was lost, the most frequent class first, and whether it cost anything, in words.
    #[must_use]
    pub fn lost(&self) -> String {
        let mut classes: Vec<(&&str, &usize)> = self.findings.iter().collect();
        classes.sort_by(|a, b| b.1.cmp(a.1));
        let told = classes.iter().map(|(class, n)| if **n == 1 { (**class).to_owned() } else { format!("{class} x{n}") });
        let told = told.collect::<Vec<_>>().join(", ");
        let costs: usize = self.consequences.values().sum();
        if costs == 0 { told } else { format!("{costs} cost: {told}") }
    }
}

fn word<S: Serializer>(worst: &Option<Severity>, to: S) -> Result<S::Ok, S::Error> {
    worst.map(Severity::word).serialize(to)
}

fn weight(finding: &Finding) -> u64 {
    match finding.severity {
        Severity::High => 100,
        Severity::Medium => 10,
        Severity::Low => 1,
    }
}

fn counted(words: impl Iterator<Item = &'static str>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}
