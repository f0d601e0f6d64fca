//! The primitives `rest`, `pair`, `guards` and `after`: what becomes of what is not kept, and what stands there instead.

use serde::Deserialize;

use crate::compaction::expr::Expr;

/// What becomes of what is not kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// What.
    #[serde(rename = "do")]
    pub does: Does,
    /// Where what stands in for it is put.
    #[serde(default)]
    pub place: Stand,
    /// The most tokens that a summary may have.
    pub out: Option<Expr>,
    /// What the model is told in its place.
    pub notice: Option<String>,
    /// What the summariser gets to see of it.
    #[serde(default)]
    pub see: See,
    /// What becomes of the summary of an earlier compaction.
    #[serde(default)]
    pub previous: Previous,
}

/// What becomes of what is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// A model writes a summary.
    Summarise,
    /// A summary that nobody but the vendor can read.
    Opaque,
    /// A program writes a digest.
    Digest,
    /// Nothing stands in for it.
    Drop,
}

/// Where a summary stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// Before what is kept.
    #[default]
    First,
    /// Behind the head.
    AfterHead,
    /// Behind all that is kept.
    Last,
}

/// What a summariser gets to see of what goes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct See {
    /// The newest so many tokens. What is older goes without a trace, whatever the summary says.
    pub newest_tokens: Option<Expr>,
    /// So many characters of each result.
    pub result_chars: Option<u32>,
}

/// What becomes of the summary of an earlier compaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Previous {
    /// It is read like any message.
    #[default]
    Reread,
    /// The summariser is told to bring it up to date.
    Merged,
}

/// What becomes of the half of a pair.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// A kept call whose result is gone.
    #[serde(default)]
    pub orphan_call: Orphan,
    /// A kept result whose call is gone.
    #[serde(default)]
    pub orphan_result: Orphan,
    /// A kept call that has no result yet.
    #[serde(default)]
    pub open_call: Orphan,
}

/// What becomes of one half of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orphan {
    /// It is sent as it is.
    #[default]
    Stays,
    /// It goes too.
    Dropped,
    /// The missing half is made up.
    Stubbed,
}

/// When a runtime does nothing after all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guards {
    /// When less than this share of the messages would go.
    pub min_progress: Option<f64>,
    /// When the summary would be longer than what it stands for.
    #[serde(default)]
    pub inflate: Inflate,
    /// When it has failed so many times in a row.
    pub breaker: Option<u32>,
    /// The policy that takes over when it fails, by its id.
    pub fallback: Option<String>,
}

/// What becomes of a summary that is longer than what it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inflate {
    /// It is taken.
    #[default]
    Taken,
    /// It is thrown away, and everything stays.
    Refused,
}

/// Something that is put back after a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reinjected {
    /// Rules files and memory: what they say is not lost.
    Rules,
    /// The environment, permissions and settings.
    Environment,
    /// Files that were read last.
    Files,
    /// The names of the files that were read or changed.
    FileNames,
    /// Images that were seen last.
    Images,
    /// Skills in use.
    Skills,
    /// The commands that the first prompt called.
    Commands,
    /// The approved plan.
    Plan,
    /// The todo list.
    Todos,
    /// Which tools and agents there are.
    Tools,
    /// Which agents are at work in the background.
    Subagents,
    /// What the user's hooks say.
    Hooks,
    /// Where the whole transcript lies.
    TranscriptPath,
    /// The newest prompt, once more: what it asks for may be done twice.
    LastPrompt,
    /// An answer of the model, made up: it has understood.
    Acknowledgement,
    /// An order to go on.
    Continue,
}

impl Does {
    /// What happens to a text, for a sentence that begins with it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Summarise => "is summarised by a model",
            Self::Opaque => "becomes a summary that only the vendor can read",
            Self::Digest => "becomes a digest that a program writes",
            Self::Drop => "is dropped",
        }
    }
}
