//! What the audit says of a session, and whether it is about a fact.

use std::fs;
use std::sync::Arc;

use owed::audit::{Finding, Severity};
use owed::ledger::{Overlays, Rulebook};
use owed::session::{Audited, Options};
use tempfile::NamedTempFile;

use super::case::{Injected, shares};
use super::claude::Session;
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
    /// The lines of its entry: where it opened, and what shows it.
    pub(crate) lines: Vec<u32>,
}

impl Judge {
    pub(crate) fn new() -> Self {
        let rules = Rulebook::load(Overlays::default()).unwrap();
        Self { options: Options::of(Arc::new(rules)) }
    }

    pub(crate) fn judge(&self, session: &Session) -> Judgement {
        let file = NamedTempFile::with_suffix(".jsonl").unwrap();
        fs::write(file.path(), session.text()).unwrap();
        let audited = Audited::read(file.path(), &self.options).unwrap();
        let (lane, audit) = (&audited.snapshot.lanes[0], &audited.audits[0]);
        let line = |event: owed::base::ids::EventIx| lane.events.get(event.index()).unwrap().place.line;
        let found = |finding: &Finding| {
            let events = finding.entry.iter().flat_map(|entry| entry.evidence.iter().copied().chain([entry.opened.event]));
            Found { lines: events.map(line).collect(), finding: finding.clone() }
        };
        let live = audit.boundaries.iter().map(|boundary| boundary.entries.len()).sum();
        Judgement { findings: audit.findings().map(found).collect(), live }
    }
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
            None => told(),
        }
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
