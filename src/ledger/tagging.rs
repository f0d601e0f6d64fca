//! From words to regions: which parts of a text commit somebody to something, by rule and without a model (DESIGN section 4).
//!
//! Who speaks, and where, decides more than words do: human text is a commitment unless narrow evidence says otherwise, the last
//! message of a turn is what the human answers, tool output says nothing by sentence.

use std::borrow::Cow;
use std::ops::Range;

use crate::base::data::{DataError, DataFile};
use crate::ledger::entry::{EntryKind, Scope, Trust};

/// The rules by which words are read (`assets/cues.toml`).
#[derive(Debug, Default)]
pub struct Cues {}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}

impl Cues {
    /// The built-in rules with the user's laid over them. Patterns are compiled when a text first needs them.
    ///
    /// # Errors
    /// A mistake in the user's file.
    pub fn load(_overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        Ok(Self::default())
    }

    /// Reads a text.
    #[must_use]
    pub fn read(&self, said: &Said<'_>, _setting: Setting) -> Vec<Region> {
        super::segments::segments(said.text)
            .into_iter()
            .map(|segment| (segment, said.text.get(segment.start..segment.end).unwrap_or("").to_lowercase()))
            .map(|(segment, words)| Region {
                range: segment.start..segment.end,
                kind: matches!(
                    said.source,
                    Source::Typed | Source::LastOfTurn | Source::Steering | Source::Answer | Source::Parent | Source::Unknown
                )
                .then_some(match () {
                    () if words.contains("do not ") => EntryKind::Prohibition,
                    () if words.contains(" until ") => EntryKind::Ordering,
                    () => EntryKind::Unclassified,
                }),
                also: Vec::new(),
                scope: if words.contains("do not ") { Scope::Standing } else { Scope::OneShot },
                rule: "human-text".into(),
                trust: Trust::Inferred,
                key: None,
                acts: match () {
                    () if words.contains(" until ") => vec![Act::Guards],
                    () if words.ends_with('?') => vec![Act::Asks],
                    () => Vec::new(),
                },
            })
            .collect()
    }
}
