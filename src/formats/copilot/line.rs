//! The shape of a session's events (github/copilot-sdk, `session-events`; versions 1.0.10 to 1.0.95).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::copilot::old::Entry;
use crate::formats::json::{Content, Element, List, Maybe, Number, Text};

/// An event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Line<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    /// The sub-agent whose event it is.
    pub(super) agent_id: Text<'a>,
    pub(super) data: Maybe<Data<'a>>,
    // A document of older versions: its header, or an entry.
    pub(super) session_id: Text<'a>,
    pub(super) timeline: Maybe<Entry<'a>>,
}

/// What an event says, of whatever type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Data<'a> {
    // Sessions.
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
    pub(super) copilot_version: Text<'a>,
    pub(super) context: Maybe<Surroundings<'a>>,
    pub(super) selected_model: Text<'a>,
    pub(super) new_model: Text<'a>,
    pub(super) title: Text<'a>,
    pub(super) current_tokens: Number,
    pub(super) usage: Maybe<Charged>,
    pub(super) input_tokens: Number,
    pub(super) output_tokens: Number,

    // Messages.
    pub(super) message_id: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) transformed_content: Text<'a>,
    pub(super) reasoning_text: Text<'a>,
    pub(super) tool_requests: List<Maybe<Request<'a>>>,
    pub(super) model: Text<'a>,

    // Calls.
    pub(super) tool_call_id: Text<'a>,
    pub(super) parent_tool_call_id: Text<'a>,
    pub(super) tool_name: Text<'a>,
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) success: Option<bool>,
    pub(super) result: Maybe<Output<'a>>,
    pub(super) error: Maybe<Failure<'a>>,
    pub(super) shell_execution: Maybe<ShellExecution>,

    // News of something in the background.
    pub(super) kind: Maybe<News<'a>>,

    // Compactions.
    pub(super) system_tokens: Number,
    pub(super) conversation_tokens: Number,
    pub(super) tool_definitions_tokens: Number,
    pub(super) trigger: Text<'a>,
    pub(super) custom_instructions: Text<'a>,
    pub(super) pre_compaction_tokens: Number,
    pub(super) post_compaction_tokens: Number,
    pub(super) summary_content: Text<'a>,
    pub(super) post_truncation_messages_length: Number,
    pub(super) pre_truncation_tokens: Number,
    pub(super) post_truncation_tokens: Number,
}

/// Where a session works.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Surroundings<'a> {
    #[serde(borrow)]
    pub(super) cwd: Text<'a>,
    pub(super) branch: Text<'a>,
}

/// A call as the model asked for it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Request<'a> {
    #[serde(borrow)]
    pub(super) tool_call_id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) arguments: Option<&'a RawValue>,
}

/// What the model was given.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Output<'a> {
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
}

/// Why a call failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Failure<'a> {
    #[serde(borrow)]
    pub(super) message: Text<'a>,
    pub(super) code: Text<'a>,
}

/// How a command ended (1.0.9x).
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ShellExecution {
    pub(super) exit_code: Option<i32>,
}

/// What a notification is about.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct News<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) shell_id: Text<'a>,
    pub(super) agent_id: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) exit_code: Option<i32>,
}

/// Token counts of a request. The input includes what was cached.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Charged {
    pub(super) input_tokens: Number,
    pub(super) output_tokens: Number,
}

/// A part of a content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)) }
    }
}

/// The texts of a content in one.
pub(super) fn joined<'c>(content: &'c Content<'_, Part<'_>>) -> Cow<'c, str> {
    match content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text),
        Content::Parts(parts) => Cow::Owned(parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n")),
    }
}
