//! What a file is that is no supported session, so that a person is told more than "no".

use std::collections::BTreeSet;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::refusal::Refusal::{self, LfsPointer, PromptsOnly, Unknown, Unsupported};

/// What the first bytes of a file say, if it holds no JSON at all.
pub(super) fn no_json(head: &[u8]) -> Option<Refusal> {
    const BEGINNINGS: &[(&[u8], Refusal)] = &[
        (b"version https://git-lfs.github.com/spec/", LfsPointer),
        (b"PAR1", Unsupported("a Parquet file")),
        (b"# aider chat started at", Unsupported("a chat history of Aider")),
    ];
    if let Some((_, refusal)) = BEGINNINGS.iter().find(|(begins, _)| head.starts_with(begins)) {
        return Some(refusal.clone());
    }
    match head.first() {
        Some(b'{' | b'[') => None,
        _ if head.contains(&0) => Some(Unknown("binary data")),
        _ => Some(Unknown("text that is no JSON")),
    }
}

/// What a database with these columns is.
pub(super) fn tables(columns: &BTreeSet<String>) -> Refusal {
    let tables: BTreeSet<&str> = columns.iter().filter_map(|column| column.split_once('.')).map(|(table, _)| table).collect();
    match tables.is_empty() {
        true => Unknown("an SQLite database without tables"),
        false => Unknown("an SQLite database of no known agent"),
    }
}

/// Where a shape is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// A record, or a document that is an object.
    Object,
    /// The first element of a document that is an array.
    Array,
    /// Either.
    Both,
}

/// How the objects of one program look: keys that are all there (a dot goes into an object), and how one value begins.
struct Shape {
    within: In,
    keys: &'static [&'static str],
    value: Option<(&'static str, &'static str)>,
    means: Refusal,
}

const fn shape(within: In, keys: &'static [&'static str], means: Refusal) -> Shape {
    Shape { within, keys, value: None, means }
}

const fn valued(keys: &'static [&'static str], key: &'static str, begins: &'static str, means: Refusal) -> Shape {
    Shape { within: In::Object, keys, value: Some((key, begins)), means }
}

/// JSON that is like nothing that is known.
pub(super) const NO_KIND: &str = "JSON of no known kind";

/// An empty object, or array.
pub(super) const NOTHING: &str = "JSON with nothing in it";

/// What only looks like a session.
pub(super) const NO_RECORDS: &str = "chat messages without the records of a session";

/// What the screens of Cline and Roo Code show.
const SCREEN: &str = "what the screen of Cline or Roo Code showed; name `api_conversation_history.json` beside it";

/// What a model's API sends piece by piece.
const STREAM: &str = "the pieces of one answer of a model's API, which is no session";

/// The first that fits says what a file is.
static SHAPES: &[Shape] = &[
    valued(&[], "schema", "owed.", Unknown("a side ledger, or what `owed` itself printed; name the session")),
    shape(In::Object, &["session_id", "ts", "text"], PromptsOnly("Codex")),
    shape(In::Object, &["display", "timestamp", "project"], PromptsOnly("Claude Code")),
    shape(In::Array, &["sessionId", "messageId", "message"], PromptsOnly("Gemini CLI")),
    valued(&["thread_id"], "type", "thread.started", Unsupported("the output of `codex exec --json`")),
    shape(In::Object, &["id", "sessionID"], Unknown("one message of OpenCode; name its session's file")),
    shape(In::Array, &["ts", "type", "say"], Unknown(SCREEN)),
    shape(In::Array, &["ts", "type", "ask"], Unknown(SCREEN)),
    valued(&["message"], "type", "message_start", Unknown(STREAM)),
    valued(&["response"], "type", "response.", Unknown(STREAM)),
    shape(In::Object, &["status", "headers", "body"], Unknown("a recorded answer of a server, which is no session")),
    shape(In::Object, &["error.message"], Unknown("an error of a model's API")),
    shape(In::Object, &["message.role", "message.content"], Unknown(NO_RECORDS)),
    shape(In::Object, &["messages"], Unknown(NO_RECORDS)),
];

/// What a record is that no supported format wrote.
pub(super) fn record(record: &Map<String, Value>) -> Option<Refusal> {
    named(In::Object, record)
}

/// What a JSON text is in which no record was found. It may be cut off.
pub(super) fn document(head: &[u8]) -> Refusal {
    let mut begun = Begun { within: In::Object, map: Map::new(), is_empty: false };
    // What was read before the end of the head, or of its first element, is enough.
    drop((&mut begun).deserialize(&mut serde_json::Deserializer::from_slice(head)));
    let unnamed = if begun.is_empty { NOTHING } else { NO_KIND };
    named(begun.within, &begun.map).unwrap_or(Unknown(unnamed))
}

fn named(within: In, object: &Map<String, Value>) -> Option<Refusal> {
    let fits = |shape: &&Shape| {
        (shape.within == within || shape.within == In::Both)
            && shape.keys.iter().all(|path| at(object, path).is_some())
            && shape
                .value
                .is_none_or(|(key, begins)| at(object, key).and_then(Value::as_str).is_some_and(|v| v.starts_with(begins)))
    };
    SHAPES.iter().find(fits).map(|shape| shape.means.clone())
}

/// The value at a path of keys and places in arrays.
fn at<'v>(object: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let mut parts = path.split('.');
    let first = object.get(parts.next()?)?;
    parts.try_fold(first, |value, part| match value {
        Value::Array(all) => all.get(part.parse::<usize>().ok()?),
        value => value.get(part),
    })
}

/// The object that a JSON text begins with, as far as it goes; of an array the first element.
struct Begun {
    within: In,
    map: Map<String, Value>,
    is_empty: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Begun {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Begun {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object or an array")
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            // The key counts even where its value is cut off.
            self.map.insert(key.clone(), Value::Null);
            self.map.insert(key, map.next_value()?);
        }
        self.is_empty = self.map.is_empty();
        Ok(())
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        self.within = In::Array;
        let has_none = seq.next_element_seed(&mut *self)?.is_none();
        self.is_empty |= has_none;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
