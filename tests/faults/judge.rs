//! What the audit says of a session, and whether it is about a fact.

use std::fs;
use std::sync::Arc;

use owed::audit::{Finding, Severity};
use owed::base::ids::EventIx;
use owed::ledger::entry::Entry;
use owed::ledger::{LaneSnapshot, Overlays, Rulebook};
use owed::session::{Audited, Options};
use tempfile::NamedTempFile;

use super::case::{Injected, shares};
use super::mutation::How;
use super::session::Session;
use super::story::{Fact, Kind};

/// Audits sessions.
pub(crate) struct Judge {
    options: Options,
}

/// What was found in one session.
pub(crate) struct Judgement {
    pub(crate) findings: Vec<Found>,
    /// How many entries were live before its boundaries.
    pub(crate) live: usize,
}

/// One finding.
pub(crate) struct Found {
    pub(crate) finding: Finding,
    /// The lines of its entry.
    pub(crate) lines: Vec<u32>,
}

impl Judge {
    pub(crate) fn new() -> Self {
        let rules = Rulebook::load(Overlays::default()).unwrap();
        Self { options: Options::of(Arc::new(rules)) }
    }

    /// What is live just before the last boundary, each with its lines.
    pub(crate) fn live(&self, session: &Session) -> Vec<(Arc<Entry>, Vec<u32>)> {
        let audited = self.read(session);
        let lane = &audited.snapshot.lanes[0];
        let before = EventIx::from_index(lane.boundaries.last().unwrap().event.index() - 1);
        lane.live_at(before).into_iter().map(|entry| (Arc::clone(&entry), lines(lane, &entry))).collect()
    }

    fn read(&self, session: &Session) -> Audited {
        let file = NamedTempFile::with_suffix(".jsonl").unwrap();
        fs::write(file.path(), session.text()).unwrap();
        Audited::read(file.path(), &self.options).unwrap()
    }

    pub(crate) fn judge(&self, session: &Session) -> Judgement {
        let audited = self.read(session);
        let (lane, audit) = (&audited.snapshot.lanes[0], &audited.audits[0]);
        let found = |finding: &Finding| Found {
            lines: finding.entry.as_ref().map_or_else(Vec::new, |entry| lines(lane, entry)),
            finding: finding.clone(),
        };
        let live = audit.boundaries.iter().map(|boundary| boundary.entries.len()).sum();
        Judgement { findings: audit.findings().map(found).collect(), live }
    }
}

/// The lines of an entry: where it opened, and what shows it.
fn lines(lane: &LaneSnapshot, entry: &Entry) -> Vec<u32> {
    let events = entry.evidence.iter().copied().chain([entry.opened.event]);
    events.map(|event| lane.events.get(event.index()).unwrap().place.line).collect()
}

impl Found {
    /// Whether it is one that somebody has to look at.
    pub(crate) fn matters(&self) -> bool {
        self.finding.severity >= Severity::Medium
    }

    /// Whether it is about what went wrong here: the fact's own entry; or where that is closed, or there is none, its words.
    pub(crate) fn is_on(&self, injected: &Injected<'_>, session: &Session) -> bool {
        let fact: &Fact = injected.fact;
        let told = || {
            let words = [Some(injected.wording), fact.said.as_deref()];
            let shown = [&self.finding.after, &self.finding.before];
            shown.into_iter().flatten().any(|shown| words.iter().flatten().any(|words| shares(words, shown)))
        };
        match &self.finding.entry {
            Some(entry) if fact.owns(session, &self.lines, &entry.text) => true,
            Some(_) => matches!(fact.kind, Kind::Settled | Kind::Nothing) && told(),
            // Of what is masked nothing is told.
            None => injected.mutation.how == How::Mask || told(),
        }
    }

    /// Whether another finding says the same of the same.
    pub(crate) fn says_as(&self, other: &Self) -> bool {
        let of = |found: &Self| {
            found.finding.entry.as_ref().map_or_else(|| found.finding.after.clone(), |entry| Some(entry.key.clone()))
        };
        self.class() == other.class() && of(self) == of(other)
    }

    pub(crate) fn class(&self) -> &'static str {
        self.finding.class.word()
    }

    pub(crate) fn costs(&self) -> impl Iterator<Item = &'static str> {
        self.finding.consequences.iter().map(|consequence| consequence.class.word())
    }

    /// One line on it.
    pub(crate) fn line(&self) -> String {
        let entry = self.finding.entry.as_ref().map_or("no entry", |entry| entry.line_text.as_str());
        let costs: Vec<&str> = self.costs().collect();
        format!("{} {} on {entry:?} after {:?} {costs:?}", self.finding.severity.word(), self.class(), self.finding.after)
    }
}
