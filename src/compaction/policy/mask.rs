//! The primitive `mask`: bodies that a policy takes out of messages that stay.

use serde::Deserialize;

use crate::compaction::expr::Expr;

/// One masking. It looks at all bodies of its kind, spares the newest as its keys say, and takes the rest. Several are done in their
/// order, and all that comes after them counts what they have left.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// Of what.
    pub on: MaskOn,
    /// What stands in place of a body.
    pub how: MaskHow,
    /// Tokens of a body that stay, or of what stands in its place.
    #[serde(default)]
    pub leaves: u32,
    /// Spare the newest so many; of reads, of each file.
    pub keep_n: Option<Expr>,
    /// Spare the newest so many tokens.
    pub protect_tokens: Option<Expr>,
    /// Spare what stands in the newest so many turns.
    pub protect_turns: Option<u32>,
    /// Spare the oldest so many.
    #[serde(default)]
    pub keep_first: u32,
    /// Spare what stands in the newest so many messages.
    #[serde(default)]
    pub skip_last: u32,
    /// Spare bodies of up to so many tokens.
    pub over: Option<Expr>,
    /// Not of these tools.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Of these tools only; of all where none is named.
    #[serde(default)]
    pub only: Vec<String>,
    /// Nothing is masked unless so many tokens are gained.
    pub min_gain: Option<Expr>,
    /// Nothing else is done once all messages come to so many tokens or fewer.
    pub enough: Option<Expr>,
    /// The text in place of a body.
    #[serde(default)]
    pub text: String,
    /// Whether the runtime has it, and does not do it unless told to.
    #[serde(default)]
    pub off: bool,
}

/// What is masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskOn {
    /// Results.
    ToolResult,
    /// What calls were given.
    ToolArgs,
    /// Messages with calls, and their results.
    ToolGroup,
    /// Results that show a file which a later call shows again.
    Reads,
    /// Reasoning.
    Thinking,
}

/// What stands in place of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskHow {
    /// A fixed text.
    Clear,
    /// A handle by which the model can read it again.
    Offload,
    /// Its beginning.
    Cut,
    /// Its beginning and end.
    Headtail,
    /// One line for several.
    Collapse,
    /// Nothing: it is as if it had never been there.
    Delete,
    /// A fixed text, and the log loses it too.
    Erase,
}
