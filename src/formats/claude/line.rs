//! A line of a transcript, as far as the ledger needs it.
//!
//! Flat and lenient: every field may be missing or of another type, unknown fields are read over. `toolUseResult` alone is 39 % of all
//! bytes: of it only a few keys are kept.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Pairs, Text};

/// Any line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) subtype: Text<'a>,
    pub(super) uuid: Text<'a>,
    pub(super) parent_uuid: Text<'a>,
    pub(super) timestamp: Text<'a>,
    pub(super) session_id: Text<'a>,
    pub(super) version: Text<'a>,
    pub(super) cwd: Text<'a>,
    pub(super) git_branch: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) is_sidechain: Flag,
    pub(super) is_meta: Flag,
    pub(super) is_compact_summary: Flag,
    pub(super) is_visible_in_transcript_only: Flag,
    pub(super) is_api_error_message: Flag,
    pub(super) prompt_source: Text<'a>,
    pub(super) origin: Maybe<Origin<'a>>,
    pub(super) message: Maybe<Message<'a>>,
    pub(super) tool_use_result: Maybe<ToolUseResult<'a>>,
    pub(super) data: Maybe<Box<Progress<'a>>>,
    #[serde(rename = "parentToolUseID")]
    pub(super) parent_tool_use_id: Text<'a>,
    pub(super) operation: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) hook_errors: List<Text<'a>>,
    pub(super) prevented_continuation: Flag,
    pub(super) compact_metadata: Maybe<Box<CompactMetadata<'a>>>,
    pub(super) microcompact_metadata: Maybe<Box<MicrocompactMetadata<'a>>>,
    pub(super) replacements: List<Maybe<Replacement<'a>>>,
    pub(super) attachment: Maybe<Box<Attachment<'a>>>,
    pub(super) rendered: Text<'a>,
    pub(super) summary: Text<'a>,
    pub(super) ai_title: Text<'a>,
    pub(super) custom_title: Text<'a>,
}

/// Who put a user line in (2.1.26x and later).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
}

/// The API's message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) model: Text<'a>,
    pub(super) content: Content<'a, Block<'a>>,
    pub(super) stop_reason: Text<'a>,
    pub(super) usage: Maybe<Charged>,
}

/// A block of a message's content, of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) input: Option<&'a RawValue>,
    pub(super) tool_use_id: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) is_error: Flag,
}

/// A part of a result, of a queued prompt or of a system line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) tool_name: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Block<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// Token counts. The prompt is the sum of its three parts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Charged {
    pub(super) input_tokens: Number,
    pub(super) cache_read_input_tokens: Number,
    pub(super) cache_creation_input_tokens: Number,
    pub(super) cache_creation: Maybe<CacheCreation>,
    pub(super) output_tokens: Number,
}

/// What `cache_creation_input_tokens` is made of; before 2.1.152 that may be 0 where this is not.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CacheCreation {
    pub(super) ephemeral_5m_input_tokens: Number,
    pub(super) ephemeral_1h_input_tokens: Number,
}

/// The runtime's own account of a result: an object per tool, or an array, or a string.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolUseResult<'a> {
    #[serde(borrow)]
    pub(super) status: Text<'a>,
    pub(super) interrupted: Flag,
    pub(super) background_task_id: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) task_id: Text<'a>,
    pub(super) shell_id: Text<'a>,
    pub(super) answers: Pairs<'a, Text<'a>>,
    pub(super) annotations: Pairs<'a, Maybe<Annotation<'a>>>,
}

/// What a human added to an answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Annotation<'a> {
    #[serde(borrow)]
    pub(super) notes: Text<'a>,
}

/// `data` of a progress line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Progress<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) hook_event: Text<'a>,
    pub(super) hook_name: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) message: Maybe<Box<Line<'a>>>,
}

/// What a compaction says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CompactMetadata<'a> {
    #[serde(borrow)]
    pub(super) trigger: Text<'a>,
    pub(super) pre_tokens: Number,
    pub(super) post_tokens: Number,
    pub(super) preserved_messages: Maybe<Preserved<'a>>,
    pub(super) preserved_segment: Maybe<Segment<'a>>,
}

/// The records that stay, each by its `uuid`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Preserved<'a> {
    #[serde(borrow)]
    pub(super) uuids: List<Text<'a>>,
}

/// The first and the last record that stay.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Segment<'a> {
    #[serde(borrow)]
    pub(super) head_uuid: Text<'a>,
    pub(super) tail_uuid: Text<'a>,
}

/// What a micro-compaction says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct MicrocompactMetadata<'a> {
    #[serde(borrow)]
    pub(super) trigger: Text<'a>,
    pub(super) pre_tokens: Number,
    pub(super) tokens_saved: Number,
    pub(super) compacted_tool_ids: List<Text<'a>>,
}

/// A result that was replaced in the context.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    #[serde(borrow)]
    pub(super) tool_use_id: Text<'a>,
}

/// What the runtime attached to a request (2.1.97 and later).
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) prompt: Content<'a, Part<'a>>,
    pub(super) origin: Maybe<Origin<'a>>,
    pub(super) is_meta: Flag,
    pub(super) task_id: Text<'a>,
    pub(super) status: Text<'a>,
}
