//! The fields of a message.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Text};
use crate::transcript;

/// A message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Message<'a> {
    #[serde(borrow)]
    pub(in crate::formats) role: Text<'a>,
    #[serde(rename = "type")]
    pub(in crate::formats) kind: Text<'a>,
    pub(in crate::formats) id: Text<'a>,
    pub(in crate::formats) model: Text<'a>,
    pub(in crate::formats) content: Content<'a, Part<'a>>,
    /// The same, in the rows of some data sets.
    pub(in crate::formats) text: Text<'a>,
    pub(in crate::formats) system_prompt: Text<'a>,
    /// What models say before they answer, where it has a field of its own.
    pub(in crate::formats) reasoning_content: Text<'a>,
    pub(in crate::formats) tool_calls: List<Maybe<ToolCall<'a>>>,
    pub(in crate::formats) invalid_tool_calls: List<Maybe<ToolCall<'a>>>,
    /// A call without an id (OpenAI, before 2023-11).
    pub(in crate::formats) function_call: Maybe<Function<'a>>,
    pub(in crate::formats) tool_call_id: Text<'a>,
    pub(in crate::formats) tool_call_ids: List<Text<'a>>,
    pub(in crate::formats) name: Text<'a>,
    pub(in crate::formats) is_error: Flag,
    pub(in crate::formats) status: Text<'a>,
    /// What went wrong with a call (Inspect).
    pub(in crate::formats) error: Maybe<Failure<'a>>,
    pub(in crate::formats) tool_error: Option<&'a RawValue>,
    pub(in crate::formats) stop_reason: Text<'a>,
    pub(in crate::formats) usage: Maybe<Usage>,
    pub(in crate::formats) usage_metadata: Maybe<Usage>,
    pub(in crate::formats) context_management: Maybe<Management<'a>>,
}

impl Message<'_> {
    /// What it says where it is nothing but text, in rows of data sets.
    pub(in crate::formats) fn plain(&self) -> Option<&str> {
        let text = self.text.filled().or(self.system_prompt.filled());
        text.filter(|_| self.tool_calls.0.is_empty())
    }
}

/// A block of a message's content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(in crate::formats) kind: Text<'a>,
    pub(in crate::formats) text: Text<'a>,
    pub(in crate::formats) thinking: Text<'a>,
    pub(in crate::formats) reasoning: Text<'a>,
    pub(in crate::formats) refusal: Text<'a>,
    pub(in crate::formats) id: Text<'a>,
    pub(in crate::formats) name: Text<'a>,
    pub(in crate::formats) input: Option<&'a RawValue>,
    pub(in crate::formats) tool_use_id: Text<'a>,
    pub(in crate::formats) content: Content<'a, Part<'a>>,
    pub(in crate::formats) encrypted_content: Text<'a>,
    pub(in crate::formats) is_error: Flag,
    pub(in crate::formats) error_code: Text<'a>,
    pub(in crate::formats) stdout: Text<'a>,
    pub(in crate::formats) stderr: Text<'a>,
    pub(in crate::formats) return_code: Number,
    pub(in crate::formats) title: Text<'a>,
    pub(in crate::formats) url: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

impl<'de: 'a, 'a> Element<'de> for Message<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), content: Content::Text(text), ..Self::default() }
    }
}

/// A tool call beside a message's content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(in crate::formats) id: Text<'a>,
    pub(in crate::formats) name: Text<'a>,
    /// OpenAI: an object; Inspect: the tool's name.
    pub(in crate::formats) function: Content<'a, Function<'a>>,
    pub(in crate::formats) custom: Maybe<Function<'a>>,
    pub(in crate::formats) arguments: Option<&'a RawValue>,
    pub(in crate::formats) args: Option<&'a RawValue>,
    pub(in crate::formats) parse_error: Text<'a>,
    pub(in crate::formats) error: Text<'a>,
}

/// What is called, and with what.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Function<'a> {
    #[serde(borrow)]
    pub(in crate::formats) name: Text<'a>,
    pub(in crate::formats) arguments: Option<&'a RawValue>,
    pub(in crate::formats) input: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Element<'de> for Function<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { name: Text(Some(text)), ..Self::default() }
    }
}

/// What kind of failure a call ended with, and how it is told.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Failure<'a> {
    #[serde(borrow, rename = "type")]
    pub(in crate::formats) kind: Text<'a>,
    pub(in crate::formats) message: Text<'a>,
}

/// What Anthropic's server did to the context (`context_management`).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Management<'a> {
    #[serde(borrow)]
    pub(in crate::formats) applied_edits: List<Maybe<Edit<'a>>>,
}

/// One thing that it did.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Edit<'a> {
    #[serde(borrow, rename = "type")]
    pub(in crate::formats) kind: Text<'a>,
    pub(in crate::formats) cleared_tool_uses: Number,
}

/// Token counts, in the words of all APIs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(in crate::formats) struct Usage {
    /// OpenAI's chat: with what was cached.
    prompt_tokens: Number,
    /// Anthropic's, Inspect's: without. OpenAI's responses and LangChain's: with, and then none of the next four is there.
    input_tokens: Number,
    cache_read_input_tokens: Number,
    cache_creation_input_tokens: Number,
    input_tokens_cache_read: Number,
    input_tokens_cache_write: Number,
    completion_tokens: Number,
    output_tokens: Number,
}

impl Usage {
    /// The same, as the vocabulary has it; none where nothing was counted.
    pub(in crate::formats) fn counted(self) -> Option<transcript::Usage> {
        let cached = [
            self.cache_read_input_tokens,
            self.cache_creation_input_tokens,
            self.input_tokens_cache_read,
            self.input_tokens_cache_write,
        ];
        let cached = cached.iter().fold(0_u64, |sum, count| sum.saturating_add(count.or_zero()));
        let input = self.prompt_tokens.0.unwrap_or_else(|| self.input_tokens.or_zero().saturating_add(cached));
        let output = self.completion_tokens.0.unwrap_or(self.output_tokens.or_zero());
        (input + output > 0).then_some(transcript::Usage { input, output, window: None })
    }
}
