//! Field types that take any JSON value, so that no surprise in one field costs a record.
//!
//! Each keeps what it is made for and reads over everything else in the same pass. Flat structs of these, all with `default`, parse
//! at the speed of strict ones; tagged, untagged and flattened enums would buffer every record.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::strings::all_text;

/// A string; anything else is none. Borrowed wherever the string has no escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(pub Option<Cow<'a, str>>);

impl Text<'_> {
    /// The string, or an empty one.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// The string, if there is one that is not empty.
    #[must_use]
    pub fn filled(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

/// A whole number that is not negative; anything else is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number(pub Option<u64>);

impl Number {
    /// The number, or 0.
    #[must_use]
    pub fn or_zero(self) -> u64 {
        self.0.unwrap_or(0)
    }
}

/// `true`; anything else is false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

/// An object; anything else is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maybe<T>(pub Option<T>);

/// An array; anything else is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(pub Vec<T>);

/// The keys of an object with their values, in order; anything else is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs<'a, T>(pub Vec<(Cow<'a, str>, T)>);

/// The shape that both model APIs give to a message's content and to a tool's output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content<'a, T> {
    /// Neither text nor parts.
    #[default]
    Absent,
    /// A plain string.
    Text(Cow<'a, str>),
    /// Typed parts, in order. A single object is one part.
    Parts(Vec<T>),
}

/// A part of a [`Content`]: an object, as a rule.
pub trait Element<'de>: Deserialize<'de> {
    /// A part that is something else, of which this is the text: of a string itself, of an array what is said in it.
    fn odd(text: Cow<'de, str>) -> Self;
}

/// The type under which a part that is no object is counted.
pub const ODD: &str = "(no object)";

impl<T> Default for Maybe<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// What a lenient type does with each JSON type; what it does not name, it reads over.
trait Lenient<'de>: Default {
    fn text(_: Cow<'de, str>) -> Self {
        Self::default()
    }
    fn flag(_: bool) -> Self {
        Self::default()
    }
    fn number(_: u64) -> Self {
        Self::default()
    }
    fn object<M: MapAccess<'de>>(mut map: M) -> Result<Self, M::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
    fn array<S: SeqAccess<'de>>(mut seq: S) -> Result<Self, S::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

struct AnyOf<L>(PhantomData<L>);

impl<'de, L: Lenient<'de>> Visitor<'de> for AnyOf<L> {
    type Value = L;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<L, E> {
        Ok(L::default())
    }
    fn visit_bool<E>(self, flag: bool) -> Result<L, E> {
        Ok(L::flag(flag))
    }
    fn visit_u64<E>(self, number: u64) -> Result<L, E> {
        Ok(L::number(number))
    }
    fn visit_i64<E>(self, number: i64) -> Result<L, E> {
        Ok(u64::try_from(number).map_or_else(|_| L::default(), L::number))
    }
    fn visit_f64<E>(self, number: f64) -> Result<L, E> {
        // Some languages write every number as a float: `1200.0` is still a count.
        let whole = (0.0..9e15).contains(&number) && number.fract() == 0.0;
        Ok(if whole { L::number(number as u64) } else { L::default() })
    }
    fn visit_str<E>(self, text: &str) -> Result<L, E> {
        Ok(L::text(Cow::Owned(text.to_owned())))
    }
    fn visit_string<E>(self, text: String) -> Result<L, E> {
        Ok(L::text(Cow::Owned(text)))
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<L, E> {
        Ok(L::text(Cow::Borrowed(text)))
    }
    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<L, M::Error> {
        L::object(map)
    }
    fn visit_seq<S: SeqAccess<'de>>(self, seq: S) -> Result<L, S::Error> {
        L::array(seq)
    }
}

impl Lenient<'_> for Number {
    fn number(number: u64) -> Self {
        Self(Some(number))
    }
}

impl Lenient<'_> for Flag {
    fn flag(flag: bool) -> Self {
        Self(flag)
    }
}

impl<'de: 'a, 'a> Lenient<'de> for Text<'a> {
    fn text(text: Cow<'de, str>) -> Self {
        Self(Some(text))
    }
}

impl<'de, T: Deserialize<'de>> Lenient<'de> for Maybe<T> {
    fn object<M: MapAccess<'de>>(map: M) -> Result<Self, M::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|value| Self(Some(value)))
    }
}

impl<'de, T: Deserialize<'de>> Lenient<'de> for List<T> {
    fn array<S: SeqAccess<'de>>(mut seq: S) -> Result<Self, S::Error> {
        let mut all = Vec::new();
        while let Some(value) = seq.next_element()? {
            all.push(value);
        }
        Ok(Self(all))
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Lenient<'de> for Pairs<'a, T> {
    fn object<M: MapAccess<'de>>(mut map: M) -> Result<Self, M::Error> {
        let mut all = Vec::new();
        while let Some((key, value)) = map.next_entry::<Text<'a>, T>()? {
            all.push((key.0.unwrap_or_default(), value));
        }
        Ok(Self(all))
    }
}

impl<'de: 'a, 'a, T: Element<'de>> Lenient<'de> for Content<'a, T> {
    fn text(text: Cow<'de, str>) -> Self {
        Self::Text(text)
    }
    fn object<M: MapAccess<'de>>(map: M) -> Result<Self, M::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|part| Self::Parts(vec![part]))
    }
    fn array<S: SeqAccess<'de>>(mut seq: S) -> Result<Self, S::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element::<Part<T>>()? {
            parts.extend(part.0);
        }
        Ok(Self::Parts(parts))
    }
}

/// A part of a content, whatever it is; null is none.
struct Part<T>(Option<T>);

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Element<'de>> Lenient<'de> for Part<T> {
    fn text(text: Cow<'de, str>) -> Self {
        Self(Some(T::odd(text)))
    }
    fn flag(flag: bool) -> Self {
        Self::text(flag.to_string().into())
    }
    fn number(number: u64) -> Self {
        Self::text(number.to_string().into())
    }
    fn object<M: MapAccess<'de>>(map: M) -> Result<Self, M::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|part| Self(Some(part)))
    }
    fn array<S: SeqAccess<'de>>(seq: S) -> Result<Self, S::Error> {
        Ok(Self::text(all_text(seq)?.into()))
    }
}

macro_rules! deserialize {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {
        $(impl<$($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_any(AnyOf(PhantomData))
            }
        })*
    };
}

deserialize! {
    ['de] Number,
    ['de] Flag,
    ['de: 'a, 'a] Text<'a>,
    ['de, T: Deserialize<'de>] Maybe<T>,
    ['de, T: Deserialize<'de>] List<T>,
    ['de: 'a, 'a, T: Deserialize<'de>] Pairs<'a, T>,
    ['de: 'a, 'a, T: Element<'de>] Content<'a, T>,
    ['de, T: Element<'de>] Part<T>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(default)]
    struct Inner<'a> {
        #[serde(borrow)]
        text: Text<'a>,
    }

    impl<'de: 'a, 'a> Element<'de> for Inner<'a> {
        fn odd(text: Cow<'de, str>) -> Self {
            Self { text: Text(Some(text)) }
        }
    }

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(default)]
    struct Line<'a> {
        #[serde(borrow)]
        uuid: Text<'a>,
        tokens: Number,
        meta: Flag,
        inner: Maybe<Inner<'a>>,
        names: List<Text<'a>>,
        pairs: Pairs<'a, Text<'a>>,
        content: Content<'a, Inner<'a>>,
    }

    #[test]
    fn every_field_takes_every_json_type() {
        for value in
            ["null", "true", "7", "-7", "7.5", "1e300", "\"s\"", "\"\\n\"", "[]", "[[1],{},null]", "{}", "{\"a\":[{\"b\":1}]}"]
        {
            let fields = ["uuid", "tokens", "meta", "inner", "names", "pairs", "content"].map(|key| format!("\"{key}\":{value}"));
            let line = format!("{{{},\"unknown\":{value}}}", fields.join(","));
            assert!(serde_json::from_str::<Line<'_>>(&line).is_ok(), "{line}");
        }
    }

    #[test]
    fn each_keeps_what_it_is_made_for() {
        let line: Line<'_> = serde_json::from_str(
            r#"{"uuid":"u\n","tokens":1200.0,"meta":true,"inner":{"text":"in"},"names":["a",5],"pairs":{"k":"v","l":1},"content":[{"text":"x"},"stray",{},7,[1,["a",{"b":"c"}]],null,true]}"#,
        )
        .unwrap();
        let inner = |text: Option<&'static str>| Inner { text: Text(text.map(Cow::Borrowed)) };
        assert_eq!((line.uuid.as_str(), line.tokens, line.meta), ("u\n", Number(Some(1200)), Flag(true)));
        assert_eq!(line.inner, Maybe(Some(inner(Some("in")))));
        assert_eq!(line.names, List(vec![Text(Some("a".into())), Text(None)]));
        assert_eq!(line.pairs, Pairs(vec![("k".into(), Text(Some("v".into()))), ("l".into(), Text(None))]));
        assert_eq!(
            line.content,
            Content::Parts(
                ["x", "stray", "", "7", "a\nc", "true"].map(|text| inner(Some(text).filter(|text| !text.is_empty()))).into()
            )
        );

        let line: Line<'_> =
            serde_json::from_str(r#"{"uuid":5,"tokens":-1,"meta":"true","inner":"x","names":{},"content":"plain"}"#).unwrap();
        assert_eq!((line.uuid, line.tokens, line.meta, line.inner), (Text(None), Number(None), Flag(false), Maybe(None)));
        assert_eq!(line.content, Content::Text("plain".into()));
        let one: Line<'_> = serde_json::from_str(r#"{"content":{"text":"alone"}}"#).unwrap();
        assert_eq!(one.content, Content::Parts(vec![inner(Some("alone"))]));
    }

    #[test]
    fn plain_text_is_borrowed() {
        let line: Line<'_> = serde_json::from_str(r#"{"uuid":"plain","content":"plain"}"#).unwrap();
        assert!(matches!((line.uuid.0, line.content), (Some(Cow::Borrowed(_)), Content::Text(Cow::Borrowed(_)))));
    }
}
