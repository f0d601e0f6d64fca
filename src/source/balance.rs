//! Where a JSON object ends, found without parsing it.

use memchr::memchr2;

/// Finds the end of the object that bytes begin with. It may be given the bytes in any pieces: every byte is looked at once.
///
/// Braces are counted and strings are skipped; that what stands between them is JSON is not checked. An object has one end: no
/// complete object is the beginning of a longer one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    at: At,
    depth: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// Before the opening brace.
    #[default]
    Start,
    /// Within the object, outside its strings.
    Object,
    /// Within a string.
    Text,
    /// Behind a backslash in a string.
    Escape,
    /// Behind something that is no object.
    Nowhere,
}

impl Balance {
    /// Finds nothing any more, whatever follows.
    pub fn give_up(&mut self) {
        self.at = At::Nowhere;
    }

    /// The number of bytes of `bytes`, which follow those given before, up to the end of the object; `None` while it is open, or
    /// when there is none. Not to be asked again after it found the end.
    pub fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut n = 0;
        while let Some(&byte) = bytes.get(n) {
            n += 1;
            match (self.at, byte) {
                (At::Start, b'{') => (self.at, self.depth) = (At::Object, 1),
                (At::Start, byte) if byte.is_ascii_whitespace() => {}
                (At::Start | At::Nowhere, _) => {
                    self.at = At::Nowhere;
                    return None;
                }
                (At::Object, b'"') => self.at = At::Text,
                (At::Object, b'{') => self.depth += 1,
                (At::Object, b'}') => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(n);
                    }
                }
                (At::Object, _) => {}
                (At::Text, b'"') => self.at = At::Object,
                (At::Text, b'\\') => self.at = At::Escape,
                (At::Text, _) => n += memchr2(b'"', b'\\', bytes.get(n..)?)?,
                (At::Escape, _) => self.at = At::Text,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_ends_where_its_braces_balance_outside_strings() {
        for (text, end) in [
            (r#"{}"#, Some(2)),
            (r#" {"a":{"b":[1,{}]}} tail"#, Some(19)),
            (r#"{"a":"}"}{"b":1}"#, Some(9)),
            (r#"{"a":"\"}"}"#, Some(11)),
            (r#"{"a":"\\"}x"#, Some(10)),
            (r#"{"a":"x"#, None),
            (r#"{"a":{}"#, None),
            ("[{}]", None),
            ("x{}", None),
            ("", None),
        ] {
            assert_eq!(Balance::default().end(text.as_bytes()), end, "{text}");
            for cut in 0..text.len().min(end.unwrap_or(text.len())) {
                let mut balance = Balance::default();
                assert_eq!(balance.end(&text.as_bytes()[..cut]), None, "{text} at {cut}");
                assert_eq!(balance.end(&text.as_bytes()[cut..]).map(|n| n + cut), end, "{text} at {cut}");
            }
        }
    }
}
