//! Messages of the model APIs, one a line, as programs log them: OpenAI Chat Completions and Anthropic Messages.
//!
//! No envelope says who wrote them: a record with the role of the user is taken for a person's, and what a tool's text says of its end is
//! not guessed at.

pub mod anthropic;
pub mod openai;

use std::borrow::Cow;

use super::json::{Element, ODD, Text};
use crate::transcript::{Agent, LaneKey, Speaker, Whereabouts};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Messages lie wherever somebody wrote them to.
const fn nowhere(agent: Agent) -> Whereabouts {
    Whereabouts {
        agent,
        variable: "",
        others: &[],
        home: "",
        folders: &[],
        prefix: "",
        suffix: ".jsonl",
        not_below: None,
        children: None,
        locks: None,
    }
}

/// Who writes a lane's prompts.
fn prompter(lane: &LaneKey<'_>) -> Speaker {
    if *lane == LaneKey::Main { Speaker::Human } else { Speaker::Parent }
}

/// A part of a message, of any type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
    refusal: Text<'a>,
    thinking: Text<'a>,
    id: Text<'a>,
    name: Text<'a>,
    input: Option<&'a RawValue>,
    tool_use_id: Text<'a>,
    is_error: super::json::Flag,
    content: super::json::Content<'a, Inner<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// A part of a result.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Inner<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
    error_code: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Inner<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}
