//! The text in a JSON value of which nobody knows the shape.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Every string that stands below one of `keys`, in the order of the document, each on a line of its own; names of types are left
/// out. What was read before `json` turned out to be none, or to be nested too deeply, is still returned.
#[must_use]
pub fn text_under(json: &[u8], keys: &[&str]) -> String {
    let mut out = String::new();
    let mut from = serde_json::Deserializer::from_slice(json);
    // An error ends the text and nothing else.
    drop(Strings { keys, wanted: false, out: &mut out }.deserialize(&mut from));
    out
}

/// Every string in the rest of an array, however deep, each on a line of its own; names of types are left out.
pub(super) fn all_text<'de, S: SeqAccess<'de>>(array: S) -> Result<String, S::Error> {
    let mut out = String::new();
    Strings { keys: &[], wanted: true, out: &mut out }.visit_seq(array)?;
    Ok(out)
}

struct Strings<'k, 'o> {
    keys: &'k [&'k str],
    wanted: bool,
    out: &'o mut String,
}

impl<'de> DeserializeSeed<'de> for Strings<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
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
    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.wanted && !text.is_empty() {
            if !self.out.is_empty() {
                self.out.push('\n');
            }
            self.out.push_str(text);
        }
        Ok(())
    }
    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        while seq.next_element_seed(Strings { keys: self.keys, wanted: self.wanted, out: &mut *self.out })?.is_some() {}
        Ok(())
    }
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            // A picture's bytes stand under `source`.
            if matches!(key.as_str(), "type" | "source") {
                map.next_value::<IgnoredAny>()?;
            } else {
                let wanted = self.wanted || self.keys.contains(&key.as_str());
                map.next_value_seed(Strings { keys: self.keys, wanted, out: &mut *self.out })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_stands_below_the_keys() {
        let json =
            br#"{"type":"x","id":"7","message":{"role":"user","content":[{"type":"text","text":"a"},"b",3,null]},"text":"c"}"#;
        assert_eq!(text_under(json, &["content", "text"]), "a\nb\nc");
        assert_eq!(text_under(json, &["message"]), "user\na\nb");
        assert_eq!(text_under(br#"{"text":"a","text":"b","#, &["text"]), "a\nb");
        assert_eq!(text_under(b"[[[[", &["text"]), "");
    }
}
