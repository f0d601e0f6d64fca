//! Acceptance: whether a summary, with the carriers that come with it, would be a safe stand-in for the context (DESIGN section 8).
//!
//! **Law:** only the exact text or a carrier holds an entry. What is restated, however well, is not held: nobody here can tell that it
//! says the same. So a summary is accepted or rejected, and never accepted with a warning.
//!
//! ```
//! use std::path::Path;
//!
//! use owed::audit::{Next, Proposal, accept};
//! use owed::compaction::{Ask, Models, Policies, Strictness, Urgency, judge};
//! use owed::ledger::Rulebook;
//! use owed::session::{Feed, LaneTexts, Options};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = std::sync::Arc::new(Rulebook::load(Default::default())?);
//! let session = Feed::whole(Path::new("sample-sessions/stopped-mid-call.jsonl"), &Options::of(rules.clone()))?;
//! let (snapshot, bodies) = (session.latest(), session.bodies());
//! let lane = snapshot.lanes.first().ok_or("a session without a lane")?;
//! let policies = Policies::load(&[])?;
//! let policy = policies.of_agent("claude-code").ok_or("no policy")?;
//! let window = Models::load(None)?.window_for(lane.model.as_deref(), None, None);
//! let ask = Ask { at: None, policy, window, budget: None, cut: None, strictness: Strictness::Normal, urgency: Urgency::Measured };
//! let judgement = judge(lane, &ask);
//!
//! let summary = "The migration script was written, and is running. Do not drop or rename any column of orders.";
//! let proposal = Proposal { summary, carriers: &[], strictness: Strictness::Normal };
//! let answer = accept(lane, &LaneTexts { lane, bodies: &bodies }, &rules, &judgement, &proposal);
//! assert!(!answer.is_accepted());
//! assert!(answer.missing.iter().any(|one| one.entry.key.starts_with("call:")), "the open call is held by nothing");
//! assert!(matches!(answer.next, Some(Next::WriteCarriers | Next::StricterCut | Next::Surface)));
//! # Ok(())
//! # }
//! ```

mod carried;
mod invented;
mod next;

use std::sync::Arc;

use crate::audit::acceptance::carried::Carried;
use crate::audit::boundary::stands;
use crate::audit::case::Case;
use crate::audit::fate::Fate;
use crate::audit::finding::FindingClass;
use crate::audit::findings;
use crate::audit::hearing::Hearing;
use crate::audit::humans::Humans;
use crate::audit::owed::Owed;
use crate::audit::readings::Readings;
use crate::audit::standing::Standing;
use crate::audit::texts::Texts;
use crate::base::ids::{EventIx, SpanIx};
use crate::compaction::carrier::can_hold;
use crate::compaction::{Colour, Judgement, Strictness, live};
use crate::evidence::Haystack;
use crate::ledger::entry::Entry;
use crate::ledger::record::{Misread, Opening};
use crate::ledger::rows::BoundaryRow;
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::transcript::{BoundaryKind, Trigger};

pub use next::Next;

/// What would stand in for a context.
#[derive(Clone, Copy, Debug)]
pub struct Proposal<'a> {
    /// The summary. Carriers in it count, as they do in a transcript.
    pub summary: &'a str,
    /// The carriers beside it, as `ledger::record::carriers` reads them.
    pub carriers: &'a [Opening],
    /// Whether settled entries count.
    pub strictness: Strictness,
}

/// Whether a proposal is safe, and why not.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// The entries that nothing holds, by id.
    pub missing: Vec<Unheld>,
    /// The entries that are said otherwise, by id.
    pub altered: Vec<Unheld>,
    /// What is stated as a commitment and was given by nobody.
    pub added: Vec<Added>,
    /// What stands in the summary as a carrier, and holds nothing because of a mistake in it.
    pub misread: Vec<Misread>,
    /// What to do about it; none where it is accepted.
    pub next: Option<Next>,
}

/// An entry that the proposal does not hold.
#[derive(Clone, Debug)]
pub struct Unheld {
    /// The entry.
    pub entry: Arc<Entry>,
    /// Why not.
    pub why: Why,
    /// The sentence of the summary that stands for it, as nearly as one does.
    pub stands: Option<Line>,
}

/// Why an entry is not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing says it.
    Absent,
    /// It is said in other words.
    Restated,
    /// It has a carrier, and its end could not be told from one.
    NotCarriable,
    /// The summary says something else, as a compaction that has this loss.
    Told(FindingClass),
    /// A carrier with its key says something else.
    CarriedOtherwise,
    /// It has ended, and is stated as if it had not.
    Ended,
}

/// A commitment that nobody gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// Its key: a carrier's own, or as the ledger would make it of these words.
    pub key: String,
    /// Where the summary says it; of a carrier its text, and line 0.
    pub says: Line,
}

/// A sentence of the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its 1-based line in the summary.
    pub line: u32,
    /// The sentence.
    pub text: String,
}

/// Asks whether `proposal` may stand in for the context of a lane at the moment of `judgement`: whether every entry that a span which
/// is not green touches is held. Nothing that came later is looked at.
#[must_use]
pub fn accept(
    lane: &LaneSnapshot,
    texts: &dyn Texts,
    rules: &Rulebook,
    judgement: &Judgement,
    proposal: &Proposal<'_>,
) -> Acceptance {
    let Some(at) = judgement.at else {
        return Acceptance { missing: Vec::new(), altered: Vec::new(), added: Vec::new(), misread: Vec::new(), next: None };
    };
    let lane = &lane.as_of(at);
    let carried = Carried::of(proposal);
    let mut entries = live(lane, proposal.strictness, at);
    entries.extend(judgement.bindings.iter().cloned());
    let stands = Haystack::new(proposal.summary);
    let touched = |entry: &Entry| entry.touches_at(at).any(|span| is_coloured(judgement, span));
    let unheld = |entry: &Entry| carried.is_otherwise(entry, lane) || !(is_exact(&stands, entry) || carried.holds(entry, at));
    let open: Vec<Arc<Entry>> = entries.iter().filter(|entry| touched(entry) && unheld(entry)).cloned().collect();

    let row = boundary(at);
    let standing = Standing::proposed(proposal.summary, row.event, &rules.phrasebook);
    let (mut humans, readings, mut hearing) = (Humans::default(), Readings::default(), Hearing::default());
    humans.take(hearing.up_to(at, lane, texts, &rules.phrasebook));
    // Once more: the summaries up to here are sources of this one.
    humans.take(hearing.up_to(at, lane, texts, &rules.phrasebook));
    let mut case = Case::new((lane, &row, standing), texts, rules, (entries, &humans, &readings));
    // Nothing of the context is kept beside the summary.
    case.owed.iter_mut().for_each(|owed| owed.is_held = false);

    let owed = case.owed.iter().filter(|owed| open.iter().any(|entry| entry.id == owed.entry.id));
    let told = owed.map(|owed| told(&case, owed, &carried, proposal.summary));
    let (mut altered, missing): (Vec<Unheld>, Vec<Unheld>) = told.partition(|one| one.why.is_altered());
    altered.extend(invented::back(&case, &carried, proposal.summary));
    let added = invented::added(&case, &carried, judgement, rules, proposal.summary);
    let next = next::next(judgement, proposal, &missing, &altered, &added);
    Acceptance { missing, altered, added, misread: carried.misread, next }
}

impl Acceptance {
    /// Whether it is safe.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.missing.is_empty() && self.altered.is_empty() && self.added.is_empty()
    }
}

impl Why {
    /// The word for it, as in the machine output: of what is told otherwise the class of the loss.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Restated => "restated",
            Self::NotCarriable => "not-carriable",
            Self::Told(class) => class.word(),
            Self::CarriedOtherwise => "carried-otherwise",
            Self::Ended => "ended",
        }
    }

    /// Whether it should not be stated at all.
    fn is_back(self) -> bool {
        matches!(self, Self::Ended | Self::Told(FindingClass::StaleDirective))
    }

    fn is_altered(self) -> bool {
        matches!(self, Self::Told(_) | Self::CarriedOtherwise | Self::Ended)
    }
}

impl Line {
    /// A sentence of a summary.
    fn of(summary: &str, sentence: &str) -> Self {
        let before = summary.find(sentence).and_then(|at| summary.get(..at)).unwrap_or_default();
        let breaks = memchr::memchr_iter(b'\n', before.as_bytes()).count();
        Self { line: u32::try_from(breaks + 1).unwrap_or(u32::MAX), text: sentence.to_owned() }
    }
}

/// The compaction that this would be.
fn boundary(at: EventIx) -> BoundaryRow {
    let event = EventIx(at.0.saturating_add(1));
    BoundaryRow {
        event,
        kind: BoundaryKind::Summary,
        trigger: Trigger::Unknown,
        before: None,
        after: None,
        summary: Some(event),
        opaque: false,
        kept: Arc::default(),
        spans_before: SpanIx(0),
        masked: Arc::default(),
    }
}

fn is_coloured(judgement: &Judgement, span: SpanIx) -> bool {
    judgement.spans.get(span).is_some_and(|view| view.in_context && view.colour != Colour::Opportunity)
}

/// Whether an entry stands word by word, and not inside longer words: "no" does not stand in "nobody".
fn is_exact(stands: &Haystack, entry: &Entry) -> bool {
    let core = entry.text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '-' | '*' | '"' | '\'' | '`'));
    stands.holds(&entry.text) && stands.names(core)
}

/// Why an entry is not held.
fn told(case: &Case<'_>, owed: &Owed, carried: &Carried<'_>, summary: &str) -> Unheld {
    let entry = &owed.entry;
    let unheld =
        |why, stands: Option<String>| Unheld { entry: Arc::clone(entry), why, stands: stands.map(|text| Line::of(summary, &text)) };
    if carried.is_otherwise(entry, case.lane) {
        return unheld(Why::CarriedOtherwise, None);
    }
    match findings::of_entry(case, owed) {
        Some((class, loss)) if loss.fate != Fate::Missing => unheld(Why::Told(class), loss.after.map(|passage| passage.text)),
        Some(_) => unheld(Why::Absent, None),
        None if carried.names(&entry.key) && !can_hold(entry, case.before) => unheld(Why::NotCarriable, None),
        None => {
            let told = stands(case, owed);
            let why = if told.fate == Fate::Restated { Why::Restated } else { Why::Absent };
            unheld(why, told.stands.filter(|_| why == Why::Restated).map(|passage| passage.text))
        }
    }
}

#[cfg(test)]
mod tests;
