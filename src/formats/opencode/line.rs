//! The fields of OpenCode's records: of a row, of an export's header, of a message with its parts.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Text};

/// A record.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    // A row.
    #[serde(borrow)]
    pub(super) root: Text<'a>,
    pub(super) session: Text<'a>,
    pub(super) piece: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) message: Text<'a>,
    pub(super) role: Text<'a>,
    pub(super) summary: Number,
    pub(super) parent: Text<'a>,
    pub(super) title: Text<'a>,
    pub(super) directory: Text<'a>,
    pub(super) version: Text<'a>,
    pub(super) at: Number,
    pub(super) turns: Number,
    pub(super) part: Maybe<Part<'a>>,
    /// A message's own fields; in the header of an export, the session's.
    pub(super) info: Maybe<Info<'a>>,
    // A row of 2.0.
    pub(super) kind: Text<'a>,
    pub(super) data: Maybe<Data<'a>>,
    /// A message of an export.
    pub(super) messages: Content<'a, Message<'a>>,
}

/// A message of an export, with its parts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) info: Maybe<Info<'a>>,
    pub(super) parts: List<Maybe<Part<'a>>>,
}

impl<'de: 'a, 'a> Element<'de> for Message<'a> {
    fn odd(_: Cow<'de, str>) -> Self {
        Self::default()
    }
}

/// What is said of a session or of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Info<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    pub(super) role: Text<'a>,
    pub(super) summary: Flag,
    pub(super) finish: Text<'a>,
    #[serde(rename = "modelID")]
    pub(super) model_id: Text<'a>,
    pub(super) error: Maybe<Failure<'a>>,
    pub(super) tokens: Maybe<Tokens>,
    pub(super) time: Maybe<Time>,
    pub(super) title: Text<'a>,
    pub(super) directory: Text<'a>,
    pub(super) version: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Failure<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
}

/// When something was; milliseconds since 1970.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Time {
    pub(super) created: Number,
    pub(super) compacted: Number,
}

/// The input is what was not cached.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub(super) input: Number,
    pub(super) output: Number,
    pub(super) reasoning: Number,
    pub(super) cache: Maybe<Cache>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cache {
    pub(super) read: Number,
    pub(super) write: Number,
}

/// A part of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) synthetic: Flag,
    pub(super) ignored: Flag,
    pub(super) filename: Text<'a>,
    #[serde(rename = "callID")]
    pub(super) call_id: Text<'a>,
    pub(super) tool: Text<'a>,
    /// In 2.0, a tool's name.
    pub(super) name: Text<'a>,
    pub(super) state: Maybe<State<'a>>,
    pub(super) prompt: Text<'a>,
    pub(super) auto: Flag,
    pub(super) tail_start_id: Text<'a>,
    pub(super) masked: List<Text<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// How far a call has come.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct State<'a> {
    #[serde(borrow)]
    pub(super) status: Text<'a>,
    pub(super) input: Option<&'a RawValue>,
    pub(super) output: Text<'a>,
    pub(super) error: Content<'a, Part<'a>>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) metadata: Maybe<Metadata<'a>>,
    pub(super) time: Maybe<Time>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata<'a> {
    /// A shell's exit code; null where it was killed.
    #[serde(borrow, deserialize_with = "even_null")]
    pub(super) exit: Option<&'a RawValue>,
    pub(super) interrupted: Flag,
}

/// A field that says something by being null.
fn even_null<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// A message of 2.0.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Data<'a> {
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) summary: Text<'a>,
    pub(super) finish: Text<'a>,
    pub(super) error: Maybe<Failure<'a>>,
    pub(super) tokens: Maybe<Tokens>,
    pub(super) time: Maybe<Time>,
    pub(super) model: Maybe<Model<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Model<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
}
