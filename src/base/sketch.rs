//! What a JSON value looks like: its keys and its first elements, with what is long or deep left out. However large a value is, what is
//! kept of it is small.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Elements of a list that are looked at, by how deep it lies.
const ELEMENTS: [usize; 3] = [60, 60, 8];

/// How deep a value is looked into.
const DEPTH: usize = 7;

/// Characters of a text that are kept.
const TEXT: usize = 400;

/// The sketch of the value that `from` reads, as far as it could be read, and what went wrong.
///
/// # Errors
/// The second part: it is no JSON, ends in the middle, or cannot be read.
pub fn sketched<'de, D: Deserializer<'de>>(from: D) -> (Value, Result<(), D::Error>) {
    let mut value = Value::Null;
    let read = Part { into: &mut value, depth: 0 }.deserialize(from);
    (value, read)
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

    #[test]
    fn what_is_long_is_cut() {
        let long = format!(r#"{{"a":"{}","m":[{}1],"z":{{"b":true}}}}"#, "x".repeat(900), "{},".repeat(100));
        let (value, read) = sketched(&mut serde_json::Deserializer::from_str(&long));
        read.unwrap();
        assert_eq!(value["a"].as_str().unwrap().len(), TEXT);
        assert_eq!(value["m"].as_array().unwrap().len(), ELEMENTS[1]);
        assert_eq!(value["z"]["b"], Value::Bool(true));
    }

    #[test]
    fn what_was_read_before_an_end_in_the_middle_stands() {
        let (value, read) = sketched(&mut serde_json::Deserializer::from_str(r#"{"id":"a","list":[{"b":1},{"c":"#));
        assert!(read.unwrap_err().is_eof());
        assert_eq!(value.to_string(), r#"{"id":"a","list":[{"b":1},{"c":null}]}"#);
    }
}
