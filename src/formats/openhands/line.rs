//! The fields of a record, and of an event of version 1.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::chat::Part;
use crate::formats::json::{Content, Flag, List, Maybe, Text};

/// A record of either version: an event, a part of a document, or its header.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
    pub(super) base: Maybe<State<'a>>,
    pub(super) persistence_dir: Text<'a>,
    pub(super) instance_id: Text<'a>,
    pub(super) events: Maybe<Event<'a>>,
    pub(super) trajectory: Option<&'a RawValue>,
    pub(super) history: Option<&'a RawValue>,
    pub(super) action: Option<&'a RawValue>,
    pub(super) observation: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct State<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) workspace: Maybe<Workspace<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Workspace<'a> {
    #[serde(borrow)]
    pub(super) working_dir: Text<'a>,
}

/// An event of version 1.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Event<'a> {
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) timestamp: Text<'a>,
    pub(super) source: Text<'a>,
    pub(super) llm_message: Maybe<Message<'a>>,
    pub(super) system_prompt: Content<'a, Part<'a>>,
    pub(super) tool_name: Text<'a>,
    pub(super) tool_call_id: Text<'a>,
    pub(super) tool_call: Maybe<Made<'a>>,
    pub(super) action: Option<&'a RawValue>,
    pub(super) thought: Content<'a, Part<'a>>,
    pub(super) reasoning_content: Text<'a>,
    pub(super) llm_response_id: Text<'a>,
    pub(super) observation: Maybe<Observation<'a>>,
    pub(super) rejection_reason: Text<'a>,
    pub(super) rejection_source: Text<'a>,
    pub(super) error: Text<'a>,
    pub(super) detail: Text<'a>,
    pub(super) forgotten_event_ids: List<Text<'a>>,
    pub(super) summary: Text<'a>,
    pub(super) title: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) raw_input: Option<&'a RawValue>,
    pub(super) raw_output: Option<&'a RawValue>,
    pub(super) is_error: Flag,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Made<'a> {
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Observation<'a> {
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) output: Text<'a>,
    pub(super) error: Text<'a>,
    pub(super) is_error: Flag,
    pub(super) exit_code: Option<i32>,
    pub(super) timeout: Flag,
}
