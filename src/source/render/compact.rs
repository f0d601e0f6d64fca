//! JSON on one line.

use std::io::{self, Write};

/// Writes a JSON value without the white space between its parts: it has no line break any more, because a string cannot hold one.
pub(super) fn write(json: &str, out: &mut dyn Write) -> io::Result<()> {
    let bytes = json.as_bytes();
    let (mut from, mut at) = (0, 0);
    let mut is_string = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => is_string = !is_string,
            b'\\' if is_string => at += 1,
            b' ' | b'\t' | b'\n' | b'\r' if !is_string => {
                out.write_all(bytes.get(from..at).unwrap_or_default())?;
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    out.write_all(bytes.get(from..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn white_space_stays_where_it_is_text() {
        let mut out = Vec::new();
        write("{ \"a b\" :\n\t[1, \"x \\\" y \\\\\" , null] }\r\n", &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r#"{"a b":[1,"x \" y \\",null]}"#);
    }

    proptest! {
        #[test]
        fn it_is_the_same_value(text in "[ \\\\\"a-z\n\t{}]{0,40}", number in any::<i64>()) {
            let value = serde_json::json!({"t": [text.clone(), number, {text: null}]});
            let mut out = Vec::new();
            write(&serde_json::to_string_pretty(&value).unwrap(), &mut out).unwrap();
            prop_assert!(!out.contains(&b'\n'));
            prop_assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), value);
        }
    }
}
