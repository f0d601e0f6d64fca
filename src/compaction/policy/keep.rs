//! The primitives `keep` and `cut`: what a policy keeps verbatim, and where the tail of it may begin.

use serde::Deserialize;

use crate::compaction::expr::Expr;

/// What stays verbatim.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// From the beginning.
    #[serde(default)]
    pub head: Head,
    /// From the end.
    pub tail: Option<Tail>,
    /// From both ends, without the middle.
    pub ends: Option<Ends>,
    /// By who speaks.
    pub roles: Option<Roles>,
    /// Single messages.
    #[serde(default)]
    pub pin: Vec<Pin>,
}

/// What stays from the beginning.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The first so many messages.
    pub messages: Option<u32>,
    /// The messages of these kinds.
    #[serde(default)]
    pub kinds: Vec<HeadKind>,
    /// What to do when the head ends within a pair.
    pub snap: Option<HeadSnap>,
}

/// Kinds of message that may stand at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadKind {
    /// The system prompt and rules files, where the transcript quotes them.
    System,
    /// Everything up to the first prompt, that one included.
    FirstUser,
}

/// What to do when the head ends within a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadSnap {
    /// Take the results in.
    Forward,
    /// Leave the call out.
    DropTrailingCall,
}

/// What stays from the end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// What is counted.
    pub by: Measure,
    /// How much of it.
    pub n: Expr,
    /// Whether the unit that crosses the limit is in.
    #[serde(default)]
    pub edge: Edge,
    /// What stays or goes as a whole.
    #[serde(default)]
    pub unit: Unit,
    /// Whether the newest turn that does not fit may be split.
    #[serde(default)]
    pub split_turn: bool,
    /// Whether the tail begins within the last turn.
    #[serde(default)]
    pub within_last_turn: bool,
    /// Whether an even number of messages goes, so that pairs of a strictly alternating protocol stay together.
    #[serde(default)]
    pub even: bool,
    /// It goes on until it holds so many messages with text too.
    #[serde(default)]
    pub least_texts: u32,
    /// It never holds more than so many tokens.
    pub most_tokens: Option<Expr>,
    /// A second limit, in tokens of the context after the cut.
    pub and_tokens: Option<Expr>,
    /// Of a share: how much smaller it gets, try by try, until the context after the cut holds fewer than `until` tokens. It is then
    /// the share of all messages, rounded.
    pub step: Option<f64>,
    /// See `step`.
    pub until: Option<Expr>,
    /// Kept as one text and not as messages, with so many characters of each result.
    pub as_text: Option<u32>,
    /// What a tail that would leave nothing to compact comes to.
    #[serde(default)]
    pub if_all: IfAll,
}

/// What a tail that would leave nothing to compact comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfAll {
    /// It stays, and nothing is compacted.
    #[default]
    Stays,
    /// None: everything is compacted.
    NoTail,
}

/// What stays from both ends. The message in the middle goes, again and again, until the rest fits: no pair is looked at.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// Into so many tokens.
    pub tokens: Expr,
}

/// What a tail is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Tokens, by the runtime's own estimate (a quarter of the bytes).
    Tokens,
    /// Messages.
    Messages,
    /// Records: each text, each call and each result is one.
    Events,
    /// Messages with calls and their results, and any other message.
    Groups,
    /// Human prompts with their answers.
    Turns,
    /// The share of the messages after the head.
    MessageShare,
    /// The share of the characters after the head: the first prompt before which the rest of them stands.
    CharacterShare,
}

/// Whether the unit that crosses a limit is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// It is not.
    #[default]
    Out,
    /// It is.
    In,
}

/// What stays or goes as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// One message: an assistant's, or one result.
    #[default]
    Message,
    /// A message with calls and its results.
    Group,
    /// A prompt with its answers.
    Turn,
}

/// What stays by who speaks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roles {
    /// Who.
    pub kinds: Vec<Role>,
    /// Up to so many tokens, the newest first.
    pub budget: Option<Expr>,
    /// What becomes of the message that does not fit any more. The older ones go.
    #[serde(default)]
    pub edge: Overflow,
}

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A human, or the agent that launched this one.
    User,
    /// The model.
    Assistant,
}

/// What becomes of a message that does not fit a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// It goes.
    #[default]
    Drop,
    /// It stays without its middle.
    CutMiddle,
    /// It stays without its end.
    CutEnd,
}

/// Single messages that stay wherever they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pin {
    /// Messages with a call that has no result.
    PendingCall,
    /// The last message, if it has one: a call that waits to be approved, or for its result.
    TrailingCall,
    /// The newest prompt.
    LastUser,
    /// The newest prompt and all after it.
    LastUserTurn,
    /// The last answer of each turn but the newest.
    TurnFinalAnswers,
}

/// Where the first message of a kept tail may stand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// At messages of these kinds.
    pub at: Vec<CutAt>,
    /// Which way to go from where the tail's measure put it.
    #[serde(default)]
    pub direction: Direction,
    /// What to do when there is no such message.
    #[serde(default, rename = "else")]
    pub otherwise: Otherwise,
    /// Whether only one result at the very cut is passed over, and whatever comes then is taken.
    #[serde(default)]
    pub only_first: bool,
}

/// Where a tail may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutAt {
    /// At any message, between a call and its result too.
    Any,
    /// At a prompt.
    User,
    /// At a message of the model.
    Assistant,
    /// At a message of the model without calls.
    Answer,
    /// At a result.
    Tool,
    /// At the summary of an earlier compaction.
    Summary,
    /// At anything but a result.
    Group,
}

/// Which way a cut is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To a later message: less is kept.
    #[default]
    Forward,
    /// To an earlier message: more is kept.
    Back,
}

/// What to do when a cut finds no place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Otherwise {
    /// Keep no tail.
    #[default]
    NoTail,
    /// Look forward.
    Forward,
    /// Keep the last turn.
    LastTurn,
    /// Keep everything: the compaction has failed.
    All,
}

impl CutAt {
    /// What a tail may begin with.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Any => "any message",
            Self::User => "a prompt",
            Self::Assistant => "a message of the model",
            Self::Answer => "an answer without calls",
            Self::Tool => "a result",
            Self::Summary => "an earlier summary",
            Self::Group => "anything but a result",
        }
    }
}

impl Direction {
    /// Which one is looked for.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Forward => "the next",
            Self::Back => "the last",
        }
    }
}
