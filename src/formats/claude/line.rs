//! A line of a transcript, as far as the ledger needs it.
//!
//! Flat and lenient: every field may be missing or of another type, unknown fields are read over. `toolUseResult` alone is 39 % of all
//! bytes: of it only a few keys are kept.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Pairs, Text, fields};

fields! {
    /// Any line.
    pub(super) struct Line<'a> {
        "type" => kind: Text<'a>,
        "subtype" => subtype: Text<'a>,
        "uuid" => uuid: Text<'a>,
        "parentUuid" => parent_uuid: Text<'a>,
        "timestamp" => timestamp: Text<'a>,
        "sessionId" => session_id: Text<'a>,
        "version" => version: Text<'a>,
        "cwd" => cwd: Text<'a>,
        "gitBranch" => git_branch: Text<'a>,
        "agentId" => agent_id: Text<'a>,
        "isSidechain" => is_sidechain: Flag,
        "isMeta" => is_meta: Flag,
        "isCompactSummary" => is_compact_summary: Flag,
        "isVisibleInTranscriptOnly" => is_visible_in_transcript_only: Flag,
        "isApiErrorMessage" => is_api_error_message: Flag,
        "promptSource" => prompt_source: Text<'a>,
        "origin" => origin: Maybe<Origin<'a>>,
        "message" => message: Maybe<Message<'a>>,
        "toolUseResult" => tool_use_result: Maybe<ToolUseResult<'a>>,
        "data" => data: Maybe<Box<Progress<'a>>>,
        "parentToolUseID" => parent_tool_use_id: Text<'a>,
        "operation" => operation: Text<'a>,
        "content" => content: Content<'a, Part<'a>>,
        "hookErrors" => hook_errors: List<Text<'a>>,
        "preventedContinuation" => prevented_continuation: Flag,
        "compactMetadata" => compact_metadata: Maybe<Box<CompactMetadata<'a>>>,
        "microcompactMetadata" => microcompact_metadata: Maybe<Box<MicrocompactMetadata<'a>>>,
        "replacements" => replacements: List<Maybe<Replacement<'a>>>,
        "attachment" => attachment: Maybe<Box<Attachment<'a>>>,
        "rendered" => rendered: Text<'a>,
        "summary" => summary: Text<'a>,
        "aiTitle" => ai_title: Text<'a>,
        "customTitle" => custom_title: Text<'a>,
    }
}

/// Who put a user line in (2.1.26x and later).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
}

fields! {
    /// The API's message.
    pub(super) struct Message<'a> {
        "id" => id: Text<'a>,
        "model" => model: Text<'a>,
        "content" => content: Content<'a, Block<'a>>,
        "stop_reason" => stop_reason: Text<'a>,
        "usage" => usage: Maybe<Charged>,
    }
}

fields! {
    /// A block of a message's content, of any type.
    pub(super) struct Block<'a> {
        "type" => kind: Text<'a>,
        "text" => text: Text<'a>,
        "thinking" => thinking: Text<'a>,
        "id" => id: Text<'a>,
        "name" => name: Text<'a>,
        "input" => input: Option<&'a RawValue>,
        "tool_use_id" => tool_use_id: Text<'a>,
        "content" => content: Content<'a, Part<'a>>,
        "is_error" => is_error: Flag,
    }
}

fields! {
    /// A part of a result, of a queued prompt or of a system line.
    pub(super) struct Part<'a> {
        "type" => kind: Text<'a>,
        "text" => text: Text<'a>,
        "tool_name" => tool_name: Text<'a>,
    }
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

fields! {
    /// Token counts. The prompt is the sum of its three parts.
    pub(super) struct Charged {
        "input_tokens" => input_tokens: Number,
        "cache_read_input_tokens" => cache_read_input_tokens: Number,
        "cache_creation_input_tokens" => cache_creation_input_tokens: Number,
        "cache_creation" => cache_creation: Maybe<CacheCreation>,
        "output_tokens" => output_tokens: Number,
    }
}

fields! {
    /// What `cache_creation_input_tokens` is made of; before 2.1.152 that may be 0 where this is not.
    pub(super) struct CacheCreation {
        "ephemeral_5m_input_tokens" => ephemeral_5m_input_tokens: Number,
        "ephemeral_1h_input_tokens" => ephemeral_1h_input_tokens: Number,
    }
}

fields! {
    /// The runtime's own account of a result: an object per tool, or an array, or a string.
    pub(super) struct ToolUseResult<'a> {
        "status" => status: Text<'a>,
        "interrupted" => interrupted: Flag,
        "backgroundTaskId" => background_task_id: Text<'a>,
        "agentId" => agent_id: Text<'a>,
        "taskId" => task_id: Text<'a>,
        "shellId" => shell_id: Text<'a>,
        "answers" => answers: Pairs<'a, Text<'a>>,
        "annotations" => annotations: Pairs<'a, Maybe<Annotation<'a>>>,
    }
}

/// What a human added to an answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Annotation<'a> {
    #[serde(borrow)]
    pub(super) notes: Text<'a>,
}

fields! {
    /// `data` of a progress line.
    pub(super) struct Progress<'a> {
        "type" => kind: Text<'a>,
        "hookEvent" => hook_event: Text<'a>,
        "hookName" => hook_name: Text<'a>,
        "agentId" => agent_id: Text<'a>,
        "message" => message: Maybe<Box<Line<'a>>>,
    }
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
