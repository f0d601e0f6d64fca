//! A deserializer for records: what nobody asks for is stepped over.
//!
//! Three of four bytes of a transcript stand in strings that nobody reads. serde_json looks at each of them; here `memchr` finds where
//! a string ends, a register of bytes at a time. What is asked for means what it means to serde_json, and is refused where it refuses
//! it. **What is stepped over** must be JSON in its structure; what its strings and numbers hold is not looked at.

use std::borrow::Cow;

use memchr::memchr;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Error, Number};

/// The longest string that is looked at eight bytes at a time.
const SHORT: usize = 64;

/// What is asked for may be nested this deep.
const DEPTH: usize = 128;

/// Reads a record: one JSON value with nothing behind it.
///
/// # Errors
/// It is no JSON, or no UTF-8.
pub fn read<'de, T: Deserialize<'de>>(record: &'de [u8]) -> Result<T, Error> {
    let text = simdutf8::basic::from_utf8(record).map_err(|_| odd("invalid UTF-8"))?;
    let mut reader = Reader { text, at: 0, depth: 0, open: Vec::new() };
    let value = T::deserialize(&mut reader);
    // As it came: a value is large, and moving it costs as much as looking at its text.
    if value.is_ok() && reader.peek().is_some() { Err(odd("something stands behind the value")) } else { value }
}

/// A text that is read from its beginning to its end.
struct Reader<'de> {
    text: &'de str,
    at: usize,
    /// How deep the value stands that is being read.
    depth: usize,
    /// The objects and arrays that begin in what is being stepped over.
    open: Vec<u8>,
}

fn odd(what: &str) -> Error {
    Error::custom(what)
}

impl<'de> Reader<'de> {
    /// The next byte that is no white space; it is not taken.
    fn peek(&mut self) -> Option<u8> {
        // Most agents write none between the marks of a line.
        match self.text.as_bytes().get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.behind_blank(),
        }
    }

    /// The same where white space stands before it, or nothing follows: kept apart, so that the common case is small.
    #[cold]
    fn behind_blank(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))?;
        self.at += blank;
        rest.get(blank).copied()
    }

    /// Takes this byte, if it is the next.
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.take(byte) { Ok(()) } else { Err(odd("a mark of punctuation is missing")) }
    }

    /// Takes a string whose quote is next: what stands between its quotes.
    fn string(&mut self) -> Result<&'de str, Error> {
        let start = self.at + 1;
        self.at = start;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            self.at += memchr(b'"', rest).ok_or_else(|| odd("a string has no end"))? + 1;
            let inner = self.text.get(start..self.at - 1).unwrap_or_default();
            // A quote behind an odd number of backslashes is text. Quotes in strings are far fewer than escapes.
            if !inner.ends_with('\\') || inner.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0 {
                return Ok(inner);
            }
        }
    }

    /// Whether a key is next.
    fn expect_key(&mut self) -> Result<(), Error> {
        if self.peek() == Some(b'"') { Ok(()) } else { Err(odd("no key")) }
    }

    /// Takes a number, or one of the three words.
    fn scalar(&mut self) -> Result<&'de str, Error> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = rest.bytes().take_while(|byte| is_inner(byte)).count();
        let scalar = rest.get(..length).unwrap_or_default();
        let is_number = scalar.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        if !is_number && !matches!(scalar, "true" | "false" | "null") {
            return Err(odd("no value"));
        }
        self.at += length;
        Ok(scalar)
    }

    /// Steps over a value.
    fn skip(&mut self) -> Result<(), Error> {
        let outside = self.open.len();
        loop {
            match self.peek() {
                Some(b'"') => _ = self.string()?,
                Some(mark @ (b'{' | b'[')) => {
                    let end = if mark == b'{' { b'}' } else { b']' };
                    self.at += 1;
                    self.open.push(end);
                    if self.peek() != Some(end) {
                        self.key_in(end)?;
                        continue;
                    }
                }
                _ => _ = self.scalar()?,
            }
            // Behind a value: the ends of what it is the last of, then the next one.
            while let Some(&end) = self.open.get(outside..).and_then(<[u8]>::last) {
                if !self.take(end) {
                    self.expect(b',')?;
                    self.key_in(end)?;
                    break;
                }
                self.open.pop();
            }
            if self.open.len() == outside {
                return Ok(());
            }
        }
    }

    /// Steps over a key and its colon, where what ends with `end` has keys.
    fn key_in(&mut self, end: u8) -> Result<(), Error> {
        if end == b'}' {
            self.expect_key()?;
            self.string()?;
            self.expect(b':')?;
        }
        Ok(())
    }

    /// Takes a string whose quote is next, if it is short and stands for itself: keys, ids and times are so, and they are nearly all of
    /// the strings that are asked for. Eight bytes at a time are looked at for all that may end it, or make it another text.
    fn short(&mut self) -> Option<&'de str> {
        let start = self.at + 1;
        let (eights, _) = self.text.as_bytes().get(start..)?.as_chunks::<8>();
        let marks = eights.iter().take(SHORT / 8).map(|eight| marks(u64::from_le_bytes(*eight)));
        let (n, marks) = marks.enumerate().find(|(_, marks)| *marks != 0)?;
        let end = start + n * 8 + marks.trailing_zeros() as usize / 8;
        let inner = self.text.get(start..end).filter(|_| self.text.as_bytes().get(end) == Some(&b'"'))?;
        self.at = end + 1;
        Some(inner)
    }

    /// Takes a string whose quote is next, as the text that it stands for.
    fn text(&mut self) -> Result<Cow<'de, str>, Error> {
        if let Some(short) = self.short() {
            return Ok(Cow::Borrowed(short));
        }
        let inner = self.string()?;
        // Without a branch, so that many bytes are looked at in one step.
        if inner.bytes().fold(0, |found, byte| found | u8::from(byte < b' ')) != 0 {
            return Err(odd("a control character in a string"));
        }
        match memchr(b'\\', inner.as_bytes()) {
            None => Ok(Cow::Borrowed(inner)),
            Some(_) => unescaped(inner).map(Cow::Owned).ok_or_else(|| odd("an escape that is none")),
        }
    }

    /// Gives a visitor what stands between the mark that is next and its `end`.
    fn parts<T>(&mut self, end: u8, visit: impl FnOnce(Parts<'_, 'de>) -> Result<T, Error>) -> Result<T, Error> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(odd("nested too deeply"));
        }
        let value = visit(Parts { reader: self, end, is_first: true })?;
        self.depth -= 1;
        self.expect(end)?;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'"') => match self.text()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            Some(b'{') => self.parts(b'}', |parts| visitor.visit_map(parts)),
            Some(b'[') => self.parts(b']', |parts| visitor.visit_seq(parts)),
            _ => match self.scalar()? {
                "null" => visitor.visit_unit(),
                word @ ("true" | "false") => visitor.visit_bool(word == "true"),
                number => match count(number) {
                    Some(count) => visitor.visit_u64(count),
                    None => serde_json::from_str::<Number>(number)?.deserialize_any(visitor),
                },
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'n') => self.scalar().and_then(|_| visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip()?;
        visitor.visit_unit()
    }

    /// `RawValue` asks for its JSON like this; it has an understanding with serde_json about the rest.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        _ = self.peek();
        let start = self.at;
        self.skip()?;
        let json = self.text.get(start..self.at).unwrap_or_default();
        serde_json::Deserializer::from_str(json).deserialize_newtype_struct(name, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map struct enum identifier
    }
}

/// The members of an object, or the elements of an array.
struct Parts<'p, 'de> {
    reader: &'p mut Reader<'de>,
    end: u8,
    is_first: bool,
}

impl Parts<'_, '_> {
    /// Whether there is one more; it stands next then.
    fn has_more(&mut self) -> Result<bool, Error> {
        if self.reader.peek() == Some(self.end) {
            return Ok(false);
        }
        if !std::mem::replace(&mut self.is_first, false) {
            self.reader.expect(b',')?;
        }
        Ok(true)
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if !self.has_more()? {
            return Ok(None);
        }
        self.reader.expect_key()?;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.has_more()? { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }
}

/// A number of few digits and nothing else, as nearly all are.
fn count(number: &str) -> Option<u64> {
    let is_plain = number.len() < 19 && (number.len() == 1 || !number.starts_with('0'));
    number.bytes().try_fold(0, |sum, byte| (is_plain && byte.is_ascii_digit()).then(|| sum * 10 + u64::from(byte - b'0')))
}

/// Of eight bytes the high bit of each that is a quote, a backslash or a control character; behind the first one there may be more.
fn marks(eight: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xFF;
    // A byte is below another where taking it away borrows.
    let below = |bytes: u64, limit: u8| bytes.wrapping_sub(EACH * u64::from(limit)) & !bytes;
    let is = |byte: u8| below(eight ^ (EACH * u64::from(byte)), 1);
    (below(eight, b' ') | is(b'"') | is(b'\\')) & (EACH << 7)
}

/// A string's text without its escapes; none where one of them is none, or half a character.
fn unescaped(inner: &str) -> Option<String> {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(rest.get(..at)?);
        let (c, length) = match rest.as_bytes().get(at + 1)? {
            b'n' => ('\n', 2),
            b't' => ('\t', 2),
            b'r' => ('\r', 2),
            b'b' => ('\u{8}', 2),
            b'f' => ('\u{c}', 2),
            byte @ (b'"' | b'\\' | b'/') => (char::from(*byte), 2),
            b'u' => by_number(rest.get(at..)?)?,
            _ => return None,
        };
        out.push(c);
        rest = rest.get(at + length..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// The character of an escape by number, or of two that are one character, and their length.
fn by_number(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = escape.get(at..)?.strip_prefix("\\u")?.get(..4).filter(|digits| !digits.starts_with('+'))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(0)?;
    match char::from_u32(first.into()) {
        Some(c) => Some((c, 6)),
        None => char::decode_utf16([first, unit(6)?]).next()?.ok().map(|c| (c, 12)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;
    use serde_json::Value;
    use serde_json::value::RawValue;

    fn value() -> impl Strategy<Value = Value> {
        let text = "[a-z\\\\\"/\u{0}-\u{1f}é日\u{1F600}]{0,12}";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e300..1e300).prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((text, inner), 0..5).prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    /// The text of a value, with a few of its bytes changed.
    fn broken() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![prop::sample::select(b"{}[]\":,\\ud8-+.e0tn \n\0\xff".to_vec()), any::<u8>()];
        let changes = prop::collection::vec((any::<prop::sample::Index>(), byte), 0..4);
        (value(), any::<bool>(), changes).prop_map(|(value, pretty, changes)| {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let mut bytes = text.unwrap().into_bytes();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn what_is_asked_for_is_what_serde_json_reads(bytes in broken()) {
            let theirs = serde_json::from_slice::<Value>(&bytes).ok();
            prop_assert_eq!(read::<Value>(&bytes).ok(), theirs, "{}", String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn what_is_json_can_be_stepped_over(bytes in broken()) {
            if serde_json::from_slice::<IgnoredAny>(&bytes).is_ok() && std::str::from_utf8(&bytes).is_ok() {
                prop_assert!(read::<IgnoredAny>(&bytes).is_ok());
            }
            let theirs = serde_json::from_slice::<&RawValue>(&bytes).ok().map(RawValue::get);
            if let (Ok(ours), Some(theirs)) = (read::<&RawValue>(&bytes), theirs) {
                prop_assert_eq!(ours.get(), theirs);
            }
        }
    }

    #[test]
    fn structure_is_looked_at_where_nothing_else_is() {
        for text in
            ["{}", "[]", " [ ] ", "{\"a\":[{},[1,\"]\"]],\"b\":{\"c\":null}}", "\"\\\"\"", "-1.5e3", "[[[[]]]]", "\"\u{1}\""]
        {
            assert!(read::<IgnoredAny>(text.as_bytes()).is_ok(), "{text}");
        }
        for text in [
            "",
            "{",
            "}",
            "[1",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "[1}",
            "{\"a\":1]",
            "{\"a\":\"b{\"c\":1}",
            "nul",
            "tru",
            "1 2",
            "{}{}",
            "\"a",
            "\"a\\",
            "'a'",
        ] {
            assert!(read::<IgnoredAny>(text.as_bytes()).is_err(), "{text}");
        }
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read::<IgnoredAny>(deep(100_000).as_bytes()).is_ok(), "no stack grows with it");
        assert!(read::<Value>(deep(100).as_bytes()).is_ok() && read::<Value>(deep(100_000).as_bytes()).is_err());
    }

    #[test]
    fn a_text_is_copied_only_where_it_has_escapes() {
        assert!(matches!(read::<&str>(b"\"plain\""), Ok("plain")));
        assert_eq!(read::<String>(br#""\u00e9\ud83d\ude00\/""#).unwrap(), "é😀/");
        for text in [r#""\ud83d""#, r#""\ud83dx""#, r#""\ude00\ud83d""#, r#""\u+041""#, r#""\x""#, "\"\n\""] {
            assert!(read::<String>(text.as_bytes()).is_err(), "{text}");
        }
    }
}
