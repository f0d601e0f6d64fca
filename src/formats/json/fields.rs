//! Objects that are read in place.
//!
//! A derived `Deserialize` reads each field into an option of its own, and makes the struct of them at the end. A line has thirty
//! fields, of which a record has ten: that is more work than to read these.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

/// Declares a struct of lenient fields, each behind its key, and how it is read: a field that is not there is empty, a key that nobody
/// knows is read over, one that stands twice is an error.
macro_rules! fields {
    (
        $(#[$about:meta])*
        $public:vis struct $name:ident $(<$life:lifetime>)? {
            $($key:literal => $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        $public struct $name $(<$life>)? {
            $($public $field: $type,)*
        }

        impl<'de $(: $life, $life)?> $crate::formats::json::Fields<'de> for $name $(<$life>)? {
            fn fill<M: serde::de::MapAccess<'de>>(&mut self, key: &str, map: &mut M) -> Result<Option<u32>, M::Error> {
                #[expect(non_camel_case_types, reason = "they are called as the fields are")]
                enum Number {
                    $($field,)*
                }
                match key {
                    $($key => {
                        self.$field = map.next_value()?;
                        Ok(Some(Number::$field as u32))
                    })*
                    _ => Ok(None),
                }
            }
        }

        impl<'de $(: $life, $life)?> serde::Deserialize<'de> for $name $(<$life>)? {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::formats::json::in_place(from)
            }
        }
    };
}

pub(in crate::formats) use fields;

/// A struct whose fields stand behind keys.
pub trait Fields<'de>: Default {
    /// Reads the value that is next into the field of this key. The field's number, below 64; none if there is no such field: then
    /// nothing was read.
    ///
    /// # Errors
    /// It is no JSON.
    fn fill<M: MapAccess<'de>>(&mut self, key: &str, map: &mut M) -> Result<Option<u32>, M::Error>;
}

/// Reads an object into its struct.
///
/// # Errors
/// It is no object, or a key stands in it twice.
pub fn in_place<'de, T: Fields<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_map(InPlace(PhantomData))
}

struct InPlace<T>(PhantomData<T>);

impl<'de, T: Fields<'de>> Visitor<'de> for InPlace<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<T, M::Error> {
        let mut whole = T::default();
        let mut seen = 0_u64;
        while let Some(Key(key)) = map.next_key()? {
            let Some(number) = whole.fill(&key, &mut map)? else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let field = 1_u64.checked_shl(number).unwrap_or_default();
            if seen & field != 0 {
                return Err(M::Error::custom("a key stands twice"));
            }
            seen |= field;
        }
        Ok(whole)
    }
}

/// A key, borrowed where it has no escape.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        from.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::json::{self, Number, Text};

    fields! {
        struct Person<'a> {
            "name" => name: Text<'a>,
            "birthYear" => year: Number,
        }
    }

    #[test]
    fn an_object_is_read_by_its_keys() {
        for (json, expected) in [
            (r#"{"name":"Ada","birthYear":1815}"#, Some(("Ada", 1815))),
            (r#"{"x":[{"name":"no"}],"birthYear":7}"#, Some(("", 7))),
            (r#"{"n\u0061me":"Ada","birthYear":"no"}"#, Some(("Ada", 0))),
            ("{}", Some(("", 0))),
            (r#"{"name":"a","name":"b"}"#, None),
            (r#"{"x":1,"x":2}"#, Some(("", 0))),
            ("[]", None),
            ("7", None),
        ] {
            let read = json::read::<Person<'_>>(json.as_bytes());
            let read = read.as_ref().ok().map(|person| (person.name.as_str(), person.year.or_zero()));
            assert_eq!(read, expected, "{json}");
            let theirs = serde_json::from_str::<Person<'_>>(json).is_ok();
            assert_eq!(theirs, expected.is_some(), "{json}");
        }
    }
}
