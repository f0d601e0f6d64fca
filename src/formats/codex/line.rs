//! The shape of a rollout's lines (codex-rs `protocol`: `RolloutLine`, `ResponseItem`, `EventMsg`).
//!
//! One flat struct serves every payload, so that a line is read in one pass whatever order its keys stand in; a field of another
//! type than expected is none, and costs nothing else.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Text};

/// A line: an envelope of all formats since autumn 2025. The older ones are bare [`Item`]s.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) timestamp: Text<'a>,
    #[serde(rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) payload: Maybe<Item<'a>>,
}

/// A payload, or one item of a replacement history.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) status: Text<'a>,

    // Messages, reasoning, mail between agents.
    pub(super) role: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) summary: Content<'a, Part<'a>>,
    pub(super) message: Text<'a>,
    pub(super) author: Text<'a>,

    // Calls and their outputs.
    pub(super) call_id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) namespace: Text<'a>,
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) input: Option<&'a RawValue>,
    pub(super) action: Option<&'a RawValue>,
    pub(super) output: Content<'a, Part<'a>>,
    pub(super) revised_prompt: Text<'a>,
    pub(super) success: Flag,

    // What the runtime says of its turns.
    pub(super) info: Maybe<TokenInfo>,
    pub(super) usage: Maybe<Tokens>,
    pub(super) thread_token_usage: Maybe<Tokens>,
    pub(super) model_context_window: Number,
    pub(super) num_turns: Number,
    pub(super) error: Option<&'a RawValue>,
    pub(super) item: Maybe<TurnItem<'a>>,
    pub(super) exit_code: Option<&'a RawValue>,

    /// Absent in old compactions; empty is another thing.
    pub(super) replacement_history: Option<List<Maybe<Item<'a>>>>,

    // Sessions and turns.
    pub(super) record_type: Text<'a>,
    pub(super) session_id: Text<'a>,
    pub(super) parent_thread_id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    pub(super) cwd: Text<'a>,
    pub(super) model: Text<'a>,
    pub(super) cli_version: Text<'a>,
    pub(super) git: Maybe<Git<'a>>,
    pub(super) base_instructions: Content<'a, Part<'a>>,
    pub(super) agent_nickname: Text<'a>,
    pub(super) source: Maybe<Source<'a>>,
}

/// A part of a message's content, of a reasoning summary, of an output.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)) }
    }
}

impl Part<'_> {
    /// Whether it is no object, and nobody knows what it is.
    pub(super) fn is_odd(&self) -> bool {
        self.kind.as_str() == ODD
    }
}

/// What a step of the conversation was charged, and the thread so far.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenInfo {
    pub(super) last_token_usage: Maybe<Tokens>,
    pub(super) total_token_usage: Maybe<Tokens>,
    pub(super) model_context_window: Number,
}

/// Token counts. The input includes what was cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub(super) input_tokens: Number,
    pub(super) output_tokens: Number,
    pub(super) total_tokens: Number,
}

/// An item that the runtime completed, as `item_completed` tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TurnItem<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) exit_code: Option<&'a RawValue>,
}

/// Where a session's folder stands in its history.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Git<'a> {
    #[serde(borrow)]
    pub(super) branch: Text<'a>,
}

/// Who started a session. The plain names (`"cli"`, `"exec"`) are read over: only a sub-agent's matters.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Source<'a> {
    #[serde(borrow)]
    pub(super) subagent: Content<'a, SubAgent<'a>>,
}

/// What kind of sub-agent: a name (`"review"`), or an object of one key.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SubAgent<'a> {
    #[serde(borrow)]
    pub(super) thread_spawn: Maybe<Spawn<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for SubAgent<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

/// How a sub-agent was launched.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Spawn<'a> {
    #[serde(borrow)]
    pub(super) parent_thread_id: Text<'a>,
    pub(super) depth: Number,
}
