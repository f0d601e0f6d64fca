//! The measure that the whole analysis is held against: a typed parse of the same bytes that borrows what it can, skips what it does
//! not need, and keeps nothing.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Parses every line of `bytes`; the number of blocks in them, so that nothing can be optimised away.
pub(crate) fn parse(bytes: &[u8]) -> usize {
    let mut blocks = 0;
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        if let Ok(line) = serde_json::from_slice::<Line<'_>>(line) {
            blocks += std::hint::black_box(&line).blocks();
        }
    }
    blocks
}

/// A record of Claude Code: the fields that an analysis reads.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    uuid: Option<Text<'a>>,
    #[serde(borrow)]
    parent_uuid: Option<Text<'a>>,
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    #[serde(borrow)]
    timestamp: Option<Text<'a>>,
    #[serde(borrow)]
    version: Option<Text<'a>>,
    #[serde(borrow)]
    subtype: Option<Text<'a>>,
    #[serde(borrow)]
    parent_tool_use_id: Option<Text<'a>>,
    is_sidechain: Option<bool>,
    is_meta: Option<bool>,
    is_compact_summary: Option<bool>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

impl Line<'_> {
    fn blocks(&self) -> usize {
        self.message.as_ref().map_or(0, |message| match &message.content {
            Some(Content::Blocks(blocks)) => blocks.len(),
            Some(Content::Text(_)) => 1,
            None => 0,
        })
    }
}

#[derive(Debug, serde::Deserialize)]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    role: Option<Text<'a>>,
    #[serde(borrow)]
    model: Option<Text<'a>>,
    usage: Option<Usage>,
    #[serde(borrow)]
    content: Option<Content<'a>>,
}

#[derive(Debug, serde::Deserialize)]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
struct Usage {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Debug, serde::Deserialize)]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    thinking: Option<Text<'a>>,
    #[serde(borrow)]
    tool_use_id: Option<Text<'a>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    is_error: Option<bool>,
    #[serde(borrow)]
    content: Option<Content<'a>>,
}

/// Text, borrowed unless it has escapes.
#[derive(Debug)]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
}

/// A text or a list of blocks.
#[derive(Debug)]
#[expect(dead_code, reason = "parsed to be measured, not to be read")]
enum Content<'a> {
    Text(Text<'a>),
    Blocks(Vec<Block<'a>>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of blocks")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Text(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Text(Cow::Owned(text.to_owned()))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Vec::new();
        while let Some(block) = list.next_element()? {
            blocks.push(block);
        }
        Ok(Content::Blocks(blocks))
    }
}
