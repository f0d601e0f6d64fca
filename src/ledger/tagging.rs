//! From words to regions: which parts of a text commit somebody to something, by rule and without a model (DESIGN section 4).
//!
//! Who speaks, and where, decides more than words do: human text is a commitment unless narrow evidence says otherwise, the last
//! message of a turn is what the human answers, tool output says nothing by sentence.

use std::borrow::Cow;
use std::ops::Range;

pub mod answers;
mod book;
mod data;
mod deeds;
mod explicit;
mod heads;
mod language;
mod phrase;
mod plain;
mod reader;
mod rules;
#[cfg(test)]
mod tests;
mod tree;
mod weigh;

use serde::Deserialize;

use self::book::CueBook;
use self::reader::Reader;
use crate::base::data::{DataError, DataFile};
use crate::base::text::prefix;
use crate::ledger::entry::{EntryKind, Scope, Trust};
pub(in crate::ledger) use deeds::Deeds;

/// The rules by which words are read (`assets/cues.toml`).
#[derive(Debug, Default)]
pub struct Cues {
    book: CueBook,
}

/// A text, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// The text.
    pub text: &'a str,
    /// Who says it, and where.
    pub source: Source,
    /// What stood just before it; empty where nothing did.
    pub before: &'a str,
    /// The list head that it stands under; empty where it is known to the text itself, or there is none.
    pub head: &'a str,
}

/// Who says something, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A human, typing.
    Typed,
    /// A human, typing while the agent works.
    Steering,
    /// A human, in a structured place: an answer, an approval, the reason of a rejection.
    Answer,
    /// The agent that launched this sub-agent.
    Parent,
    /// A rules file or a system prompt.
    Rules,
    /// The runtime.
    Injected,
    /// The assistant, in the last message of a turn: the one that the human answers.
    LastOfTurn,
    /// The assistant, in the middle of its work.
    Assistant,
    /// The assistant, to itself.
    Reasoning,
    /// A tool.
    Tool,
    /// A record that its adapter does not know.
    Unknown,
}

/// How much of human text is kept where nothing says what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Setting {
    /// All of it but what narrow evidence calls narrative.
    #[default]
    Keep,
    /// What a cue or its form calls a commitment.
    Lean,
}

/// A part of a text. The regions of a text cover it without overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is; none: narrative.
    pub kind: Option<EntryKind>,
    /// What else it is.
    pub also: Vec<EntryKind>,
    /// How long it holds, if it is a commitment.
    pub scope: Scope,
    /// Whether its words are an order, and no report: what a short prompt forbids so holds on.
    pub is_order: bool,
    /// The rule that says so.
    pub rule: Cow<'static, str>,
    /// How sure that is.
    pub trust: Trust,
    /// The key of an explicit tag.
    pub key: Option<String>,
    /// What is done by saying it.
    pub acts: Vec<Act>,
}

/// What somebody does by saying something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Lifts something said earlier.
    Revokes,
    /// Says yes to the message before.
    Approves,
    /// Says no to the message before, or that it is wrong.
    Rejects,
    /// Asks the reader something.
    Asks,
    /// Says that the speaker will do something.
    Promises,
    /// Says that something is not done yet.
    NotYet,
    /// Sets a condition on an action: while, until, unless, only if, as long as, once.
    Guards,
    /// Takes back a duty: "you don't need to".
    Waives,
    /// Lets its reader do from now on, or again, what was forbidden: "you may use it from now on".
    Frees,
    /// Asks to be told what somebody finds who looks: "check whether", "explain how".
    Inquires,
    /// Tells of something broken.
    Faults,
    /// Names a deed that is done by writing a file.
    Makes,
    /// Asks whether more is wanted than was asked for.
    Offers,
    /// Points at what the message before says as a whole: "that approach", "as described above".
    Refers,
    /// Puts off an answer: "let me sleep on it".
    Defers,
}

impl Act {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Revokes => "revokes",
            Self::Approves => "approves",
            Self::Rejects => "rejects",
            Self::Asks => "asks",
            Self::Promises => "promises",
            Self::NotYet => "not-yet",
            Self::Guards => "guards",
            Self::Waives => "waives",
            Self::Frees => "frees",
            Self::Inquires => "inquires",
            Self::Faults => "faults",
            Self::Makes => "makes",
            Self::Offers => "offers",
            Self::Refers => "refers",
            Self::Defers => "defers",
        }
    }
}

/// So many bytes of a text are read sentence by sentence. Nobody types more: what is longer was pasted.
pub const LONGEST: usize = 1 << 20;

impl Cues {
    /// The built-in rules with the user's laid over them. Without a file of the user's nothing is read yet: the cues of a language are
    /// parsed and compiled when a text first needs them.
    ///
    /// # Errors
    /// A mistake in the user's file, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        Ok(Self { book: CueBook::load(overlay)? })
    }

    /// The verbs of requests whose doing a session shows.
    pub(in crate::ledger) fn deeds(&self) -> &Deeds {
        self.book.deeds()
    }

    /// Whether a text can be read at once; before that, whoever reads one compiles cues first, and whoever else does waits.
    #[must_use]
    pub fn are_compiled(&self) -> bool {
        self.book.is_compiled()
    }

    /// Reads a text. The regions cover every word of it without overlap, by place; what stands behind [`LONGEST`] bytes is one.
    #[must_use]
    pub fn read(&self, said: &Said<'_>, setting: Setting) -> Vec<Region> {
        match said.source {
            Source::Tool => whole(said.text, "tool-output"),
            Source::Injected => whole(said.text, "injected"),
            _ => {
                let text = prefix(said.text, LONGEST);
                let mut regions = Reader::new(&self.book, Said { text, ..*said }, setting).read();
                if text.len() < said.text.len() {
                    regions.push(Region::narrative(text.len()..said.text.len(), "too-long"));
                }
                regions
            }
        }
    }
}

impl Region {
    /// The rule of several lines in a row that look like code or a log.
    pub const PASTE: &'static str = "paste";

    /// Whether it is of a kind, of all that it is.
    #[must_use]
    pub fn is(&self, kind: EntryKind) -> bool {
        self.kind == Some(kind) || self.also.contains(&kind)
    }

    /// A part that commits nobody to anything.
    #[must_use]
    pub fn narrative(range: Range<usize>, rule: &'static str) -> Self {
        Self {
            range,
            kind: None,
            also: Vec::new(),
            scope: Scope::OneShot,
            is_order: false,
            rule: rule.into(),
            trust: Trust::Inferred,
            key: None,
            acts: Vec::new(),
        }
    }
}

/// A text that is narrative as a whole.
fn whole(text: &str, rule: &'static str) -> Vec<Region> {
    let words = text.trim();
    let start = text.len() - text.trim_start().len();
    if words.is_empty() { Vec::new() } else { vec![Region::narrative(start..start + words.len(), rule)] }
}
