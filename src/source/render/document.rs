//! From a JSON document to records: read as a stream, an element at a time; once for the header, and once for each list.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::source::error::Error;
use crate::source::render::attached::{self, Attached};
use crate::source::render::{compact, kept};
use crate::transcript::Document;

/// Renders the document at `path`. It is opened several times: what its header holds may stand behind its lists. The number of the first
/// record is 0 if that is a header, so that those of a list are counted from 1.
///
/// # Errors
/// It is no JSON, or ends in the middle; the records cannot be kept.
pub(super) fn render(
    path: &Path,
    open: &dyn Fn() -> Box<dyn Read>,
    document: &Document,
    out: &mut dyn Write,
) -> Result<u32, Error> {
    let mut writer = Writer { document, around: Vec::new(), attached: Attached::default(), out, failed: None };
    let rendered = both_passes(open, &mut writer);
    match (writer.failed, rendered) {
        (Some(error), _) => Err(kept(error)),
        (None, Err(error)) => Err(Error::malformed(path, words(&error))),
        (None, Ok(first)) => Ok(first),
    }
}

/// What is wrong with a document.
pub(super) fn words(error: &serde_json::Error) -> String {
    let place = format!("line {}, column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Eof => format!("the JSON document ends in the middle, at {place}"),
        serde_json::error::Category::Io => error.to_string(),
        _ => format!("the JSON document is broken at {place}"),
    }
}

fn both_passes(open: &dyn Fn() -> Box<dyn Read>, writer: &mut Writer<'_>) -> Result<u32, serde_json::Error> {
    let mut from = serde_json::Deserializer::from_reader(open());
    let header = Header { document: writer.document, below: "" }.deserialize(&mut from)?;
    from.end()?;
    let again = |writer: &mut Writer<'_>, list| {
        Lists { writer, below: "", list }.deserialize(&mut serde_json::Deserializer::from_reader(open()))
    };
    match header {
        Found::Array => again(writer, "").map(|()| 1),
        Found::Object { fields, lists } if !lists.is_empty() => {
            let (fields, attached) = detached(fields);
            writer.attached = attached;
            writer.record(&|out| object(&fields, out))?;
            lists.iter().try_for_each(|list| again(writer, list)).map(|()| 0)
        }
        Found::Object { .. } => {
            let whole = Box::<RawValue>::deserialize(&mut serde_json::Deserializer::from_reader(open()))?;
            writer.record(&|out| compact::write(whole.get(), out)).map(|()| 1)
        }
    }
}

/// What the first pass finds.
enum Found<'p> {
    /// An object, with what belongs into its header, and the keys of its lists in the order in which they are told.
    Object { fields: Fields, lists: Vec<&'p str> },
    /// An array.
    Array,
}

/// Fields of an object, as they stand.
type Fields = Vec<(String, Box<RawValue>)>;

/// Puts records together.
struct Writer<'w> {
    document: &'w Document,
    /// The keys of the lists that an element stands in.
    around: Vec<String>,
    /// The texts that its strings may stand for.
    attached: Attached,
    out: &'w mut dyn Write,
    failed: Option<io::Error>,
}

impl Writer<'_> {
    /// Writes one record: what `inner` writes, below the keys that are around it.
    fn record<E: serde::de::Error>(&mut self, inner: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), E> {
        self.write(inner).map_err(|error| {
            let told = E::custom(&error);
            self.failed = Some(error);
            told
        })
    }

    /// Writes a value as one record, with the texts that stand elsewhere.
    fn value<E: serde::de::Error>(&mut self, value: &RawValue) -> Result<(), E> {
        let attached = std::mem::take(&mut self.attached);
        let written = self.record(&|out| attached.write(value.get(), out));
        self.attached = attached;
        written
    }

    fn write(&mut self, inner: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        for key in &self.around {
            write!(self.out, "{{{}:", serde_json::Value::from(key.as_str()))?;
        }
        inner(self.out)?;
        for _ in &self.around {
            self.out.write_all(b"}")?;
        }
        self.out.write_all(b"\n")
    }

    /// Writes an element of the lists at the path `below`: as it stands, or like a document if it has lists of its own.
    fn element<E: serde::de::Error>(&mut self, element: &RawValue, below: &str) -> Result<(), E> {
        let deeper = format!("{below}.");
        if !self.document.lists.iter().any(|path| path.starts_with(&deeper)) {
            return self.value(element);
        }
        // A part of what was read as a whole cannot be broken; what went wrong is the writing.
        let told = |error: serde_json::Error| E::custom(error);
        let header = Header { document: self.document, below: &deeper };
        let header = header.deserialize(&mut serde_json::Deserializer::from_str(element.get())).map_err(told)?;
        let Found::Object { fields, lists } = header else { return Ok(()) };
        let (fields, own) = detached(fields);
        if !fields.is_empty() {
            self.record(&|out| object(&fields, out))?;
        }
        let outer = std::mem::replace(&mut self.attached, own);
        let written = lists.iter().try_for_each(|list| {
            let lists = Lists { writer: &mut *self, below: &deeper, list };
            lists.deserialize(&mut serde_json::Deserializer::from_str(element.get())).map_err(told)
        });
        self.attached = outer;
        written
    }
}

/// The fields of a header without its attachments, and those.
fn detached(mut fields: Fields) -> (Fields, Attached) {
    let own = fields.iter().rposition(|(key, _)| key == attached::KEY).map(|at| Attached::of(&fields.remove(at).1));
    fields.retain(|(key, _)| key != attached::KEY);
    (fields, own.unwrap_or_default())
}

fn object(fields: &Fields, out: &mut dyn Write) -> io::Result<()> {
    let mut open = b"{";
    for (key, value) in fields {
        out.write_all(open)?;
        open = b",";
        write!(out, "{}:", serde_json::Value::from(key.as_str()))?;
        compact::write(value.get(), out)?;
    }
    if fields.is_empty() {
        out.write_all(open)?;
    }
    out.write_all(b"}")
}

/// The first pass.
struct Header<'p> {
    document: &'p Document,
    below: &'p str,
}

impl<'p> Header<'p> {
    /// The first key of each list below this, in the order in which they are told.
    fn keys(&self) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for path in self.document.lists.iter().filter_map(|path| path.strip_prefix(self.below)) {
            let key = path.split('.').next().unwrap_or_default();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

impl<'de> DeserializeSeed<'de> for Header<'_> {
    type Value = Found<'static>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Found<'static>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Header<'_> {
    type Value = Found<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Found<'static>, M::Error> {
        let (mut fields, mut lists) = (Vec::new(), self.keys());
        let mut there = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if lists.contains(&key.as_str()) {
                there.insert(key.clone());
            }
            if self.document.header.iter().any(|path| path.strip_prefix(self.below) == Some(&key)) {
                fields.push((key, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        lists.retain(|key| there.contains(*key));
        Ok(Found::Object { fields, lists })
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Found<'static>, S::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Found::Array)
    }
}

/// A later pass: the elements of one of an object's lists; of an array at the top, its own.
struct Lists<'w, 'o> {
    writer: &'w mut Writer<'o>,
    below: &'w str,
    list: &'w str,
}

impl<'de> DeserializeSeed<'de> for Lists<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Lists<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == self.list {
                let path = format!("{}{key}", self.below);
                self.writer.around.push(key);
                map.next_value_seed(Elements { writer: &mut *self.writer, path: &path })?;
                self.writer.around.pop();
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        while let Some(element) = seq.next_element::<Box<RawValue>>()? {
            if element.get().starts_with('{') {
                self.writer.value(&element)?;
            } else {
                self.writer.around.push(String::new());
                self.writer.value(&element)?;
                self.writer.around.pop();
            }
        }
        Ok(())
    }
}

/// The elements of one list; an object or a text in its place is one element, and anything else none.
struct Elements<'w, 'o> {
    writer: &'w mut Writer<'o>,
    path: &'w str,
}

impl<'de> DeserializeSeed<'de> for Elements<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        while let Some(element) = seq.next_element::<Box<RawValue>>()? {
            self.writer.element(&element, self.path)?;
        }
        Ok(())
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut fields: Fields = Vec::new();
        while let Some(entry) = map.next_entry()? {
            fields.push(entry);
        }
        let mut element = Vec::new();
        object(&fields, &mut element).map_err(M::Error::custom)?;
        let element = String::from_utf8(element).map_err(M::Error::custom)?;
        self.writer.element(&RawValue::from_string(element).map_err(M::Error::custom)?, self.path)
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, text: &str) -> Result<(), E>
    where
        E: serde::de::Error,
    {
        // A list that was written as text (rows of data sets, spans).
        match serde_json::from_str::<&RawValue>(text) {
            Ok(list) if list.get().starts_with(['[', '{']) => {
                self.deserialize(&mut serde_json::Deserializer::from_str(list.get())).map_err(E::custom)
            }
            _ => self.writer.record(&|out| write!(out, "{}", serde_json::Value::from(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: Document =
        Document { header: &["id", "info", "samples.name"], lists: &["messages", "samples.steps", "trace.spans"] };

    fn rendered(json: &str) -> Result<String, String> {
        let mut out = Vec::new();
        let text = json.to_owned();
        let open = || Box::new(io::Cursor::new(text.clone().into_bytes())) as Box<dyn Read>;
        render(Path::new("d.json"), &open, &DOCUMENT, &mut out).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_record_is_the_document_without_everything_else() {
        for (json, lines) in [
            ("{}", "{}\n"),
            ("{\"x\": 1,\n\"id\": 2}", "{\"x\":1,\"id\":2}\n"),
            ("[]", ""),
            (r#"{"id":1,"messages":[]}"#, "{\"id\":1}\n"),
            (
                r#"{"trace":{"spans":[{"n":2}]},"messages":[{"n":1}]}"#,
                "{}\n{\"messages\":{\"n\":1}}\n{\"trace\":{\"spans\":{\"n\":2}}}\n",
            ),
            (
                "{ \"messages\" : [ {\"a\": \"x y\"},\n {\"b\":[1, 2]} ], \"cost\": 3, \"id\": \"T\\\"1\" }",
                "{\"id\":\"T\\\"1\"}\n{\"messages\":{\"a\":\"x y\"}}\n{\"messages\":{\"b\":[1,2]}}\n",
            ),
            (
                r#"{"samples":[{"steps":[{"n":1},{"n":2}],"name":"one","score":1},{"steps":null}]}"#,
                "{}\n{\"samples\":{\"name\":\"one\"}}\n{\"samples\":{\"steps\":{\"n\":1}}}\n{\"samples\":{\"steps\":{\"n\":2}}}\n",
            ),
            (r#"{"trace":{"spans":[{"n":1}],"x":1}}"#, "{}\n{\"trace\":{\"spans\":{\"n\":1}}}\n"),
            (r#"{"messages":"[{\"n\":1}]"}"#, "{}\n{\"messages\":{\"n\":1}}\n"),
            (r#"{"messages":{"role":"user"}}"#, "{}\n{\"messages\":{\"role\":\"user\"}}\n"),
            (r#"{"messages":"hello"}"#, "{}\n{\"messages\":\"hello\"}\n"),
            (r#"[{"a": 1}, ["values", {"b": 2}], 3]"#, "{\"a\":1}\n{\"\":[\"values\",{\"b\":2}]}\n{\"\":3}\n"),
        ] {
            assert_eq!(rendered(json).as_deref(), Ok(lines), "{json}");
        }
    }

    #[test]
    fn texts_that_stand_elsewhere_are_put_in_their_places() {
        const ATTACHED: Document = Document { header: &["id", "samples.id", "samples.attachments"], lists: &["samples.steps"] };
        let json = r#"{"samples":[{"id":1,"steps":[{"r":"attachment://a"}],"attachments":{"a":"long"}},{"id":2,"steps":["attachment://a"]}]}"#;
        let mut out = Vec::new();
        let open = || Box::new(io::Cursor::new(json.as_bytes())) as Box<dyn Read>;
        render(Path::new("d.json"), &open, &ATTACHED, &mut out).unwrap();
        let lines = [
            "{}",
            r#"{"samples":{"id":1}}"#,
            r#"{"samples":{"steps":{"r":"long"}}}"#,
            r#"{"samples":{"id":2}}"#,
            r#"{"samples":{"steps":"attachment://a"}}"#,
        ];
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (json, part) in [
            (r#"{"messages":[{"a":1},{"#, "ends in the middle, at line 1, column 22"),
            (r#"{"messages":[{"a":1}}"#, "broken at line 1, column 21"),
            ("{}\n{}", "broken at line 2, column 1"),
        ] {
            let told = rendered(json).unwrap_err();
            assert!(told.starts_with("d.json: ") && told.contains(part), "{told}");
        }
    }
}
