//! The shape of a recording's lines (`packages/core/src/services/chatRecordingTypes.ts`): the header, a message, `$set`, `$rewindTo`.

use serde::Deserialize;

use crate::formats::google::Part;
use crate::formats::json::{Content, List, Maybe, Number, Text};

/// A line of any kind.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    // The header.
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
    pub(super) project_hash: Text<'a>,
    /// Whose session: `main` or `subagent`.
    pub(super) kind: Text<'a>,

    // A message.
    pub(super) id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    #[serde(rename = "type")]
    pub(super) role: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) display_content: Content<'a, Part<'a>>,
    pub(super) tool_calls: List<Maybe<ToolCall<'a>>>,
    pub(super) thoughts: List<Maybe<Thought<'a>>>,
    pub(super) tokens: Maybe<Tokens>,
    pub(super) model: Text<'a>,

    // Updates; a header may say the same.
    pub(super) summary: Text<'a>,
    pub(super) directories: List<Text<'a>>,
    /// A message of a document.
    pub(super) messages: Maybe<Box<Line<'a>>>,
    #[serde(rename = "$set")]
    pub(super) set: Maybe<Set<'a>>,
    #[serde(rename = "$rewindTo")]
    pub(super) rewind_to: Text<'a>,
}

/// New values for the whole recording.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Set<'a> {
    #[serde(borrow)]
    pub(super) last_updated: Text<'a>,
    pub(super) summary: Text<'a>,
    pub(super) directories: List<Text<'a>>,
    /// The whole conversation from now on; absent where it stays.
    pub(super) messages: Option<List<Maybe<Line<'a>>>>,
}

/// A call, and its result once it has ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) args: Option<&'a serde_json::value::RawValue>,
    pub(super) result: Content<'a, Part<'a>>,
    pub(super) status: Text<'a>,
}

/// A summary of what the model thought.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Thought<'a> {
    #[serde(borrow)]
    pub(super) subject: Text<'a>,
    pub(super) description: Text<'a>,
}

/// Token counts. The input includes what was cached.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub(super) input: Number,
    pub(super) output: Number,
    pub(super) thoughts: Number,
}
