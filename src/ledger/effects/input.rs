//! A call's input, looked at without being copied: one level of names, each with its JSON as it stands.
//!
//! A `Write` may carry megabytes; nothing here reads a value that nobody asks for.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::transcript::Input;

/// Nothing in a nested value that is longer than this, in bytes, is looked for.
const NESTED_BYTES: usize = 64 * 1024;

/// The fields of an input, in the order in which they stand.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    /// Name and JSON of each field.
    pub(super) fields: Vec<(Cow<'a, str>, &'a str)>,
    /// The whole input.
    pub(super) whole: &'a str,
    /// The whole input, where it is a text and no JSON.
    pub(super) free_text: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// The fields of an input; none for a text, and for JSON that is no object.
    pub(super) fn of(input: &'a Input<'_>) -> Self {
        match input {
            Input::Text(text) => Self { fields: Vec::new(), whole: text, free_text: Some(text) },
            Input::Json(json) => Self { fields: object(json).unwrap_or_default(), whole: json, free_text: None },
        }
    }

    /// The JSON of a field, by name or by path (`questions.0.question`).
    pub(super) fn json(&self, path: &str) -> Option<&'a str> {
        let mut names = path.split('.');
        let top = names.next()?;
        let mut json = self.fields.iter().rev().find(|(name, _)| name == top).map(|(_, json)| *json)?;
        for name in names {
            json = match name.parse::<usize>() {
                Ok(index) => *array(json)?.get(index)?,
                Err(_) => object(json)?.into_iter().rev().find(|(own, _)| own == name)?.1,
            };
        }
        Some(json)
    }

    /// A field as text: a string's content, a number as it stands. None for null, for what is empty and for what has parts.
    pub(super) fn text(&self, path: &str) -> Option<Cow<'a, str>> {
        scalar(self.json(path)?)
    }

    /// The first of several fields that is there, as text.
    pub(super) fn first_text(&self, paths: &[Box<str>]) -> Option<Cow<'a, str>> {
        paths.iter().find_map(|path| self.text(path))
    }

    /// The first of several fields that is there, as names with a space between them: a text, the strings of an array, or a field of
    /// each of its objects (`files.*.path`).
    pub(super) fn names(&self, paths: &[Box<str>]) -> Option<Cow<'a, str>> {
        let of = |path: &str| {
            if let Some((list, field)) = path.split_once(".*.") {
                let named = |element: &'a str| scalar(object(element)?.into_iter().rev().find(|(own, _)| own == field)?.1);
                return array(self.json(list)?)?.into_iter().map(named).collect::<Option<Vec<_>>>();
            }
            self.text(path).map(|text| vec![text]).or_else(|| self.words(path))
        };
        let names = paths.iter().find_map(|path| of(path).filter(|names| !names.is_empty()))?;
        Some(if names.len() == 1 { names.into_iter().next()? } else { names.join(" ").into() })
    }

    /// A field that is an array of strings.
    pub(super) fn words(&self, path: &str) -> Option<Vec<Cow<'a, str>>> {
        array(self.json(path)?)?.into_iter().map(scalar).collect()
    }

    /// Number of elements of a field that is an array.
    pub(super) fn count(&self, path: &str) -> Option<usize> {
        Some(array(self.json(path)?)?.len())
    }
}

/// The text of a JSON value without parts.
pub(super) fn scalar(json: &str) -> Option<Cow<'_, str>> {
    match json.as_bytes().first()? {
        b'"' => {
            let inner = json.get(1..json.len().saturating_sub(1))?;
            let text = match inner.contains('\\') {
                false => Cow::Borrowed(inner),
                // A lone surrogate is no JSON for a parser: its text is shown as it was written.
                true => serde_json::from_str::<String>(json).map_or(Cow::Borrowed(inner), Cow::Owned),
            };
            Some(text).filter(|text| !text.is_empty())
        }
        b'{' | b'[' | b'n' => None,
        _ => Some(Cow::Borrowed(json)),
    }
}

/// The fields of a JSON object; none where it is something else, or broken.
pub(super) fn object(json: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let Pairs(pairs) = serde_json::from_str(json).ok()?;
    Some(pairs)
}

fn array(json: &str) -> Option<Vec<&str>> {
    let may_be = json.starts_with('[') && json.len() <= NESTED_BYTES;
    let elements: Vec<&RawValue> = may_be.then(|| serde_json::from_str(json).ok())??;
    Some(elements.into_iter().map(RawValue::get).collect())
}

struct Pairs<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    pairs.push((name, value.get()));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A key, borrowed where it holds no escape.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> Input<'_> {
        Input::Json(Cow::Borrowed(json))
    }

    #[test]
    fn a_field_is_found_by_name_or_path() {
        let input = input(r#"{"a":"x\ny","n":3,"q":[{"t":"first"},{"t":"second"}],"e":"","z":null,"argv":["git","push"]}"#);
        let fields = Fields::of(&input);
        assert_eq!(fields.text("a").as_deref(), Some("x\ny"));
        assert_eq!(fields.text("n").as_deref(), Some("3"));
        assert_eq!(fields.text("q.1.t").as_deref(), Some("second"));
        assert_eq!(fields.words("argv").unwrap(), ["git", "push"]);
        assert_eq!(fields.count("q"), Some(2));
        for missing in ["e", "z", "q", "q.7.t", "nothing", ""] {
            assert_eq!(fields.text(missing), None, "{missing}");
        }
    }

    #[test]
    fn several_names_are_one_text() {
        let input = input(r#"{"files":[{"path":"a b.rs","line":3},{"path":"c.rs"}],"paths":["x","y"],"none":[],"path":"z"}"#);
        let fields = Fields::of(&input);
        let names = |paths: &[&str]| fields.names(&paths.iter().map(|path| Box::from(*path)).collect::<Vec<_>>());
        assert_eq!(names(&["nothing", "files.*.path", "path"]).as_deref(), Some("a b.rs c.rs"));
        assert_eq!(names(&["none", "paths"]).as_deref(), Some("x y"));
        assert_eq!(names(&["files.*.name", "path"]).as_deref(), Some("z"));
        assert_eq!(names(&["path.*.x", "none"]), None);
    }

    #[test]
    fn what_is_no_object_has_no_fields() {
        for json in ["", "[1,2]", "\"text\"", "{\"a\":", "nul"] {
            let input = input(json);
            let fields = Fields::of(&input);
            assert_eq!((fields.fields.len(), fields.whole), (0, json));
        }
    }
}
