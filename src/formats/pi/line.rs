//! The shape of a session's entries (`packages/coding-agent/src/core/session-manager.ts`, versions 1 to 3).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, Maybe, Number, ODD, Text};

/// An entry of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entry<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) parent_id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    pub(super) cwd: Text<'a>,
    /// Of a header and of a change of model.
    pub(super) model_id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) message: Maybe<Message<'a>>,
    /// Of what an extension puts into the context.
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) summary: Text<'a>,
    pub(super) first_kept_entry_id: Text<'a>,
    pub(super) first_kept_entry_index: Number,
    pub(super) tokens_before: Number,
}

/// A message, of whatever role.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) model: Text<'a>,
    pub(super) usage: Maybe<Charged>,
    pub(super) stop_reason: Text<'a>,
    pub(super) tool_call_id: Text<'a>,
    pub(super) is_error: Flag,
    // What a person ran themselves.
    pub(super) command: Text<'a>,
    pub(super) output: Text<'a>,
    pub(super) exclude_from_context: Flag,
    pub(super) summary: Text<'a>,
}

/// A part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) arguments: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// Token counts. The input does not include what was cached.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Charged {
    pub(super) input: Number,
    pub(super) output: Number,
    pub(super) cache_read: Number,
    pub(super) cache_write: Number,
}
