//! What a policy masks: bodies that it takes out of messages that stay.

use serde::Deserialize;

use crate::compaction::expr::Expr;

/// One masking. Of the bodies that it may take, the newest are spared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    /// Of what.
    pub on: MaskOn,
    /// What stands in place of a body.
    pub how: MaskHow,
    /// Spare the newest so many.
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
    /// Not of these tools.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Of these tools only; of all where none is named.
    #[serde(default)]
    pub only: Vec<String>,
    /// Nothing is masked unless so many tokens are gained.
    pub min_gain: Option<Expr>,
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
    /// Calls and their results.
    ToolGroup,
}

/// What stands in place of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskHow {
    /// A fixed text.
    Clear,
    /// A handle by which the model can read it again.
    Offload,
    /// Its beginning and end.
    Headtail,
    /// One line for several.
    Collapse,
    /// Nothing, and the log loses it too.
    Erase,
}
