//! The shape of a record (`ChatRecord`).

use serde::Deserialize;

use crate::formats::google::{Part, UsageMetadata};
use crate::formats::json::{Content, Flag, List, Maybe, Number, Text};

/// A record of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) subtype: Text<'a>,
    pub(super) uuid: Text<'a>,
    pub(super) parent_uuid: Text<'a>,
    pub(super) session_id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    pub(super) cwd: Text<'a>,
    pub(super) version: Text<'a>,
    pub(super) git_branch: Text<'a>,
    pub(super) model: Text<'a>,
    /// Who wrote it: `real_user`, `system`, `assistant_output`, `tool_result`; older versions do not say it.
    pub(super) provenance: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) is_sidechain: Flag,
    pub(super) message: Maybe<Message<'a>>,
    pub(super) usage_metadata: Maybe<UsageMetadata>,
    pub(super) tool_call_result: Maybe<ToolCallResult<'a>>,
    pub(super) system_payload: Maybe<SystemPayload<'a>>,
}

/// A message as the API has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) parts: Content<'a, Part<'a>>,
}

/// The runtime's own account of a result.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolCallResult<'a> {
    #[serde(borrow)]
    pub(super) call_id: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) error_type: Text<'a>,
}

/// What a `system` record is about.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SystemPayload<'a> {
    #[serde(borrow)]
    pub(super) custom_title: Text<'a>,
    pub(super) info: Maybe<Compression<'a>>,
    pub(super) compressed_history: Option<List<Maybe<Message<'a>>>>,
}

/// The figures of a compression.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Compression<'a> {
    pub(super) original_token_count: Number,
    pub(super) new_token_count: Number,
    pub(super) compression_status: Number,
    #[serde(borrow)]
    pub(super) trigger_reason: Text<'a>,
}
