//! `owed.accept/1`: whether a summary, with its carriers, would be a safe stand-in for the context.

use serde::Serialize;

use crate::audit::acceptance::{Acceptance, Added, Next, Unheld, Why};
use crate::base::ids::EventIx;
use crate::ledger::record::Misread;
use crate::report::subject::{Scene, Spot};

/// What `owed audit --summary` says.
#[derive(Clone, Debug, Serialize)]
pub struct AcceptReport {
    /// `owed.accept/1`.
    pub schema: &'static str,
    /// Whether it is safe.
    pub accepted: bool,
    /// The keys of the entries that nothing holds, in order of opening.
    pub missing: Vec<String>,
    /// The keys of those that are said otherwise.
    pub altered: Vec<String>,
    /// The keys of what is stated as a commitment, and nobody gave.
    pub added: Vec<String>,
    /// `write-carriers`, `stricter-cut` or `surface`; null where it is accepted.
    pub next: Option<&'static str>,
    /// The lane's name.
    pub lane: String,
    /// The moment; null in a lane without events.
    pub at: Option<MomentReport>,
    /// Why, key by key in the order of the lists.
    pub why: Vec<WhyReport>,
    /// What stands as a carrier and holds nothing, because of a mistake in it.
    pub mistakes: Vec<MistakeReport>,
}

/// A carrier with a mistake in it.
#[derive(Clone, Debug, Serialize)]
pub struct MistakeReport {
    /// `summary` or `carriers`.
    pub file: &'static str,
    /// Its line there, from 1.
    pub line: u32,
    /// The field at fault; null where it is the whole.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// A moment of a lane.
#[derive(Clone, Debug, Serialize)]
pub struct MomentReport {
    /// The event.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
}

/// Why a key is listed.
#[derive(Clone, Debug, Serialize)]
pub struct WhyReport {
    /// The key.
    pub key: String,
    /// `missing`, `altered` or `added`.
    pub list: &'static str,
    /// `absent`, `restated`, `not-carriable`, `carried-otherwise`, `ended`, `added`, or the class of the loss.
    pub why: &'static str,
    /// What is owed, for display; what was added, as it stands.
    pub line_text: String,
    /// Where it opened; null of what was added.
    pub opened: Option<Spot>,
    /// What the summary says of it.
    pub says: Option<String>,
    /// On which line of the summary, from 1.
    pub says_line: Option<u32>,
}

fn mistakes<'m>(file: &'static str, misread: &'m [Misread]) -> impl Iterator<Item = MistakeReport> + 'm {
    misread.iter().map(move |Misread { line, mistake }| MistakeReport {
        file,
        line: *line,
        field: mistake.field.clone(),
        message: mistake.message.clone(),
    })
}

impl AcceptReport {
    /// The twin of an acceptance, of the scene's lane after event `at`; `beside` is what could not be read of the carriers' own file.
    #[must_use]
    pub fn of(scene: Scene<'_>, at: Option<EventIx>, acceptance: &Acceptance, beside: &[Misread]) -> Self {
        let rows = |list: &'static str, of: &[Unheld]| of.iter().map(|one| WhyReport::of(scene, list, one)).collect::<Vec<_>>();
        let (missing, altered) = (rows("missing", &acceptance.missing), rows("altered", &acceptance.altered));
        let added: Vec<WhyReport> = acceptance.added.iter().map(WhyReport::added).collect();
        Self {
            schema: "owed.accept/1",
            accepted: acceptance.is_accepted(),
            missing: keys(&missing),
            altered: keys(&altered),
            added: keys(&added),
            next: acceptance.next.map(Next::word),
            lane: scene.lane.name.to_string(),
            at: at.map(|at| MomentReport { event: at.0, spot: scene.spot(at) }),
            why: [missing, altered, added].into_iter().flatten().collect(),
            mistakes: mistakes("summary", &acceptance.misread).chain(mistakes("carriers", beside)).collect(),
        }
    }
}

/// The keys, each once: two entries may say the same.
fn keys(rows: &[WhyReport]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for row in rows {
        if !keys.contains(&row.key) {
            keys.push(row.key.clone());
        }
    }
    keys
}

impl WhyReport {
    fn of(scene: Scene<'_>, list: &'static str, unheld: &Unheld) -> Self {
        let entry = &unheld.entry;
        Self {
            key: entry.key.clone(),
            list,
            why: unheld.why.word(),
            line_text: entry.line_text.clone(),
            opened: Some(scene.spot(entry.opened.event)),
            says: unheld.stands.as_ref().map(|line| line.text.clone()),
            says_line: unheld.stands.as_ref().map(|line| line.line),
        }
    }

    fn added(added: &Added) -> Self {
        Self {
            key: added.key.clone(),
            list: "added",
            why: "added",
            line_text: added.says.text.clone(),
            opened: None,
            says: Some(added.says.text.clone()),
            says_line: Some(added.says.line).filter(|line| *line > 0),
        }
    }

    /// Why, in words.
    #[must_use]
    pub fn words(&self) -> &'static str {
        match self.why {
            word if word == Why::Absent.word() => "nothing says it",
            word if word == Why::Restated.word() => "only in other words, which hold nothing",
            word if word == Why::NotCarriable.word() => "no carrier can hold it: its end could not be told from one",
            word if word == Why::CarriedOtherwise.word() => "its carrier says something else",
            word if word == Why::Ended.word() => "it has ended, and is carried as if it had not",
            "added" => "nobody gave it",
            class => class,
        }
    }
}
