//! What a JSON document looks like, by which its format is known: its keys, with what is long or deep left out.

use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::source::error::Error;
use crate::source::file::Origin;
use crate::source::render::{document, from_start};

/// Elements of a list that are looked at, by how deep it lies.
const ELEMENTS: [usize; 3] = [60, 60, 8];

/// How deep a document is looked into.
const DEPTH: usize = 7;

/// Characters of a text that are kept.
const TEXT: usize = 400;

/// A document, as far as it could be read.
#[derive(Debug)]
pub struct Sketch {
    /// The document's beginning.
    pub value: Value,
    /// What is wrong with it, if it is not whole.
    pub broken: Option<String>,
}

impl Sketch {
    /// Looks through the document at `origin`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(origin: &Origin) -> Result<Self, Error> {
        let (file, _) = origin.open()?;
        Ok(Self::read(&file))
    }

    fn read(file: &Arc<std::fs::File>) -> Self {
        let mut value = Value::Null;
        let mut from = serde_json::Deserializer::from_reader(from_start(file));
        let read = Part { into: &mut value, depth: 0 }.deserialize(&mut from).and_then(|()| from.end());
        Self { value, broken: read.err().map(|error| document::words(&error)) }
    }

    /// The objects that decide: the document itself, or the elements of an array; of elements that are arrays, their elements.
    #[must_use]
    pub fn objects(&self) -> Vec<&Map<String, Value>> {
        match &self.value {
            Value::Object(object) => vec![object],
            Value::Array(elements) => elements.iter().flat_map(inner).filter_map(Value::as_object).collect(),
            _ => Vec::new(),
        }
    }
}

fn inner(element: &Value) -> &[Value] {
    element.as_array().map_or(std::slice::from_ref(element), Vec::as_slice)
}

/// Puts what is read of a value into its place at once: what comes before an error counts.
struct Part<'v> {
    into: &'v mut Value,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, flag: bool) -> Result<(), E> {
        *self.into = flag.into();
        Ok(())
    }
    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        *self.into = number.into();
        Ok(())
    }
    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        *self.into = number.into();
        Ok(())
    }
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        *self.into = number.into();
        Ok(())
    }
    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.into = text.chars().take(TEXT).collect::<String>().into();
        Ok(())
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        *self.into = Value::Object(Map::new());
        let Value::Object(into) = self.into else { return Ok(()) };
        while let Some(key) = map.next_key::<String>()? {
            if self.depth >= DEPTH {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = into.entry(key).or_insert(Value::Null);
            map.next_value_seed(Part { into: value, depth: self.depth + 1 })?;
        }
        Ok(())
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        *self.into = Value::Array(Vec::new());
        let Value::Array(into) = self.into else { return Ok(()) };
        let most = ELEMENTS.get(self.depth).or(ELEMENTS.last()).copied().unwrap_or_default();
        while into.len() < most && self.depth < DEPTH {
            into.push(Value::Null);
            let Some(element) = into.last_mut() else { break };
            if seq.next_element_seed(Part { into: element, depth: self.depth + 1 })?.is_none() {
                into.pop();
                return Ok(());
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::spool::spool;

    fn sketch(json: &str) -> Sketch {
        Sketch::of(&Origin::Held(spool(&mut json.as_bytes()).unwrap())).unwrap()
    }

    #[test]
    fn what_is_long_is_cut_and_what_is_torn_counts() {
        let long = format!(r#"{{"a":"{}","m":[{}1],"z":{{"b":true}}}}"#, "x".repeat(900), "{},".repeat(100));
        let whole = sketch(&long);
        assert_eq!(whole.broken, None);
        assert_eq!(whole.value["a"].as_str().unwrap().len(), TEXT);
        assert_eq!(whole.value["m"].as_array().unwrap().len(), ELEMENTS[1]);
        assert_eq!(whole.value["z"]["b"], Value::Bool(true));
        let torn = sketch(r#"{"id":"T-1","messages":[{"role":"us"#);
        assert_eq!(torn.value["id"], "T-1");
        assert!(torn.broken.unwrap().contains("ends in the middle"));
        assert_eq!(sketch("[{\"a\":1},2,[\"values\",{\"b\":1}]]").objects().len(), 2);
    }
}
