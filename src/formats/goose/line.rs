//! The fields of a record: of a row, or of one of the JSON lines.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::json::{Content, Element, Flag, List, Maybe, Number, ODD, Text};

/// A record.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) root: Text<'a>,
    pub(super) session: Text<'a>,
    pub(super) parent: Text<'a>,
    pub(super) title: Text<'a>,
    pub(super) directory: Text<'a>,
    // The first of the JSON lines.
    pub(super) id: Text<'a>,
    pub(super) description: Text<'a>,
    pub(super) working_dir: Text<'a>,
    pub(super) created: Number,
    pub(super) role: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) metadata: Maybe<Metadata>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metadata {
    pub(super) agent_visible: Option<bool>,
    pub(super) user_visible: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) msg: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) tool_call: Maybe<Wrapped<'a>>,
    pub(super) tool_result: Maybe<Wrapped<'a>>,
}

impl<'de: 'a, 'a> Element<'de> for Part<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { kind: Text(Some(ODD.into())), text: Text(Some(text)), ..Self::default() }
    }
}

/// A call, or a result: or why there is none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wrapped<'a> {
    #[serde(borrow)]
    pub(super) status: Text<'a>,
    pub(super) value: Content<'a, Inner<'a>>,
    pub(super) error: Text<'a>,
}

/// A call; what a result holds; or a part of it, in old versions.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Inner<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) content: List<Maybe<Piece<'a>>>,
    #[serde(rename = "isError")]
    pub(super) is_error: Flag,
    #[serde(rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Inner<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), ..Self::default() }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Piece<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
}
