//! `owed.audit/1`: what the boundaries of a session lost, and what that cost.

use serde::Serialize;

use crate::audit::{Audit, BoundaryAudit, Consequence, Distance, Fate, Finding};
use crate::base::ids::EventIx;
use crate::compaction::Strictness;
use crate::ledger::LaneSnapshot;
use crate::report::crossed::CrossedReport;
use crate::report::entry::EntryReport;
use crate::report::session::SessionReport;
use crate::report::subject::{Scene, Spot};
use crate::report::wording;
use crate::session::{Audited, Snapshot};

/// What `owed audit` says.
#[derive(Clone, Debug, Serialize)]
pub struct AuditReport<'a> {
    /// `owed.audit/1`.
    pub schema: &'static str,
    /// The session.
    pub session: SessionReport<'a>,
    /// Its boundaries, lane by lane.
    pub boundaries: Vec<BoundaryReport<'a>>,
}

/// One compaction or masking.
#[derive(Clone, Debug, Serialize)]
pub struct BoundaryReport<'a> {
    /// Its event in the lane.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
    /// The lane's name.
    pub lane: &'a str,
    /// RFC 3339, UTC.
    pub at: Option<String>,
    /// `summary`, `dropped` or `masking`.
    pub kind: &'static str,
    /// Its name among the boundaries of its lane, for people: `compaction 1`.
    #[serde(skip)]
    pub name: String,
    /// `auto`, `manual` or `unknown`.
    pub trigger: &'static str,
    /// Tokens of the context.
    pub tokens: TokensReport,
    /// Tokens of what was owed.
    pub obligations: ObligationsReport,
    /// What became of the entries that were live.
    pub entries: FatesReport,
    /// What the gate let through here over something open; null where it did not, or there was none.
    pub crossed: Option<CrossedReport>,
    /// What was lost: of what the gate had crossed first, else worst first.
    pub findings: Vec<FindingReport>,
}

/// Tokens of a context around a boundary; null where nobody knows.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TokensReport {
    /// Before.
    pub before: Option<u64>,
    /// After.
    pub after: Option<u64>,
}

/// Estimated tokens of what was owed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ObligationsReport {
    /// All of it, as carriers.
    pub before: u64,
    /// The least that it takes.
    pub floor: u64,
    /// What stands afterwards.
    pub after: u64,
}

/// How many entries had which fate.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FatesReport {
    /// All that were live and stood in the context.
    pub live: usize,
    /// Word by word.
    pub verbatim: usize,
    /// In other words that keep what matters.
    pub restated: usize,
    /// Without something that matters.
    pub altered: usize,
    /// Not at all.
    pub missing: usize,
    /// By its opposite.
    pub contradicted: usize,
    /// Undecided.
    pub unverifiable: usize,
    /// Unreadable.
    pub unobserved: usize,
}

/// One loss.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// `negation-loss`, ...
    pub class: &'static str,
    /// `high`, `medium` or `low`.
    pub severity: &'static str,
    /// The entry that was hurt, as it stood before.
    pub entry: Option<Box<EntryReport>>,
    /// What became of it.
    pub fate: Option<&'static str>,
    /// What stood before.
    pub before: Option<String>,
    /// What stands instead.
    pub after: Option<String>,
    /// Its line.
    pub after_line: Option<u32>,
    /// What it cost.
    pub consequences: Vec<ConsequenceReport>,
}

/// What a loss cost.
#[derive(Clone, Debug, Serialize)]
pub struct ConsequenceReport {
    /// `repeated-action`, ...
    pub class: &'static str,
    /// The event.
    pub event: u32,
    /// Its line.
    pub line: u32,
    /// What it says.
    pub text: String,
    /// How long after the boundary.
    pub distance: DistanceReport,
}

/// How long after a boundary.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DistanceReport {
    /// In events of the lane.
    pub events: u32,
    /// In turns of the lane.
    pub turns: u32,
    /// In minutes; null where the records say no time.
    pub minutes: Option<u32>,
}

impl DistanceReport {
    /// The twin of a distance.
    pub(crate) fn of(distance: Distance) -> Self {
        let Distance { events, turns, minutes } = distance;
        Self { events, turns, minutes }
    }

    /// In words: `19 events, 2 turns, 4 min later`.
    #[must_use]
    pub fn words(&self) -> String {
        self.told(self.events)
    }

    /// The same without what the turns tell roughly: `2 turns, 4 min later`.
    pub(crate) fn briefly(&self) -> String {
        self.told(if self.turns > 0 { 0 } else { self.events })
    }

    fn told(&self, events: u32) -> String {
        let part = |n: u32, one: &str, many: &str| (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { many }));
        let parts = [
            part(events, "event", "events"),
            part(self.turns, "turn", "turns"),
            self.minutes.and_then(|minutes| part(minutes, "min", "min")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "at once".to_owned() } else { format!("{} later", parts.join(", ")) }
    }
}

impl FatesReport {
    /// How many there were: `9 owed`.
    pub(crate) fn owed(&self) -> String {
        if self.live == 0 { "nothing owed".to_owned() } else { format!("{} owed", self.live) }
    }

    /// In words: `9 owed: 2 verbatim, 3 restated, 1 altered`.
    #[must_use]
    pub fn words(&self) -> String {
        let each = [
            (self.verbatim, "verbatim"),
            (self.restated, "restated"),
            (self.altered, "altered"),
            (self.missing, "missing"),
            (self.contradicted, "contradicted"),
            (self.unverifiable, "unverifiable"),
            (self.unobserved, "unobserved"),
        ];
        let each: Vec<String> = each.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        if each.is_empty() { self.owed() } else { format!("{}: {}", self.owed(), each.join(", ")) }
    }

    /// What there is to say where nothing was found: something may still be gone that costs nothing, or undecided.
    pub(super) fn unfound(&self) -> &'static str {
        if self.verbatim + self.restated == self.live { "nothing was lost" } else { NO_FINDING }
    }
}

/// What is said where nothing was found, and not all stands.
const NO_FINDING: &str = "no finding";

/// A count with its noun.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

impl AuditReport<'_> {
    /// The whole in one line: `2 boundaries, 5 findings (3 high, 2 low), 4 consequences`; that nothing was lost, where nothing was.
    #[must_use]
    pub fn closing(&self) -> String {
        let boundaries = count(self.boundaries.len(), "boundary", "boundaries");
        if self.is_clean() {
            let all = self.boundaries.iter().map(|boundary| boundary.entries.unfound());
            return format!("{boundaries}: {}", all.min_by_key(|said| *said != NO_FINDING).unwrap_or(NO_FINDING));
        }
        let findings = || self.boundaries.iter().flat_map(|boundary| &boundary.findings);
        let of = |severity: &str| findings().filter(|finding| finding.severity == severity).count();
        let each = ["high", "medium", "low"].iter().map(|word| (of(word), word)).filter(|(n, _)| *n > 0);
        let each: Vec<String> = each.map(|(n, word)| format!("{n} {word}")).collect();
        let costs = count(findings().map(|finding| finding.costs().count()).sum(), "consequence", "consequences");
        format!("{boundaries}, {} ({}), {costs}", count(findings().count(), "finding", "findings"), each.join(", "))
    }
}

impl<'a> AuditReport<'a> {
    /// The twin of an audit.
    #[must_use]
    pub fn of(audited: &'a Audited) -> Self {
        let snapshot = &*audited.snapshot;
        let lanes = snapshot.lanes.iter().zip(&audited.audits);
        Self {
            schema: "owed.audit/1",
            session: SessionReport::of(snapshot),
            boundaries: lanes.flat_map(|(lane, audit)| boundaries(snapshot, lane, audit)).collect(),
        }
    }

    /// Whether anything was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.boundaries.iter().all(|boundary| boundary.findings.is_empty())
    }
}

fn boundaries<'a>(snapshot: &'a Snapshot, lane: &'a LaneSnapshot, audit: &'a Audit) -> impl Iterator<Item = BoundaryReport<'a>> {
    let scene = Scene { snapshot, lane, strictness: Strictness::Normal };
    audit.boundaries.iter().filter_map(move |boundary| BoundaryReport::of(scene, boundary))
}

impl<'a> BoundaryReport<'a> {
    fn of(scene: Scene<'a>, audit: &BoundaryAudit) -> Option<Self> {
        let row = scene.lane.boundaries.get(audit.boundary.index())?;
        let before = EventIx(row.event.0.saturating_sub(1));
        Some(Self {
            event: row.event.0,
            spot: scene.spot(row.event),
            lane: &scene.lane.name,
            at: scene.lane.events.get(row.event.index()).and_then(|row| row.at).map(|at| at.to_string()),
            kind: row.kind.word(),
            name: wording::boundary(scene.lane, audit.boundary),
            trigger: row.trigger.word(),
            tokens: TokensReport { before: row.before, after: row.after },
            obligations: ObligationsReport {
                before: audit.obligations.before,
                floor: audit.obligations.floor,
                after: audit.obligations.after,
            },
            entries: FatesReport::of(audit),
            crossed: None,
            findings: audit.findings.iter().map(|finding| FindingReport::of(scene, finding, before)).collect(),
        })
    }
}

impl FatesReport {
    /// The twin of what became of the entries.
    pub(crate) fn of(audit: &BoundaryAudit) -> Self {
        Self {
            live: audit.entries.len(),
            verbatim: audit.count(Fate::Verbatim),
            restated: audit.count(Fate::Restated),
            altered: audit.count(Fate::Altered),
            missing: audit.count(Fate::Missing),
            contradicted: audit.count(Fate::Contradicted),
            unverifiable: audit.count(Fate::Unverifiable),
            unobserved: audit.count(Fate::Unobserved),
        }
    }
}

impl FindingReport {
    /// What it cost, each event once: how that is called, and all that went wrong in it.
    pub(super) fn costs(&self) -> impl Iterator<Item = (String, &ConsequenceReport)> {
        let costs = self.consequences.chunk_by(|one, other| one.event == other.event);
        costs.filter_map(|cost| {
            // They stand in the order of their classes.
            let mut classes: Vec<&str> = cost.iter().map(|each| each.class).collect();
            classes.dedup();
            Some((classes.join(", "), cost.first()?))
        })
    }

    fn of(scene: Scene<'_>, finding: &Finding, before: EventIx) -> Self {
        Self {
            class: finding.class.word(),
            severity: finding.severity.word(),
            entry: finding.entry.as_deref().map(|entry| Box::new(EntryReport::of(scene, entry, before))),
            fate: finding.fate.map(Fate::word),
            before: finding.before.clone(),
            after: finding.after.clone(),
            after_line: finding.after_line,
            consequences: finding.consequences.iter().map(ConsequenceReport::of).collect(),
        }
    }
}

impl ConsequenceReport {
    fn of(consequence: &Consequence) -> Self {
        Self {
            class: consequence.class.word(),
            event: consequence.event.0,
            line: consequence.line,
            text: consequence.text.clone(),
            distance: DistanceReport::of(consequence.distance),
        }
    }
}
