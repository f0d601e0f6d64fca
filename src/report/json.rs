//! Writing JSON: one value a line, and nothing in it that a terminal would obey.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use crate::base::text::{is_safe, is_unsafe};

/// Writes `value` as one line.
///
/// # Errors
/// What the writer says.
pub fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, TerminalSafe))?;
    out.write_all(b"\n")
}

/// JSON escapes only some of the characters that a terminal obeys: this escapes the rest, which changes no value.
struct TerminalSafe;

impl Formatter for TerminalSafe {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if is_safe(fragment) {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_unsafe(*c)) {
            CompactFormatter.write_string_fragment(writer, fragment.get(plain..at).unwrap_or_default())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + c.len_utf8();
        }
        CompactFormatter.write_string_fragment(writer, fragment.get(plain..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_live_character_gets_out_and_no_value_changes() {
        for text in ["plain", "é 日本", "a\u{1b}[31m", "\u{9b}31m\u{7f}", "\u{202e}gnp.exe", "x\u{e0041}y", "\"quoted\"\n"] {
            let mut out = Vec::new();
            write_line(&mut out, &text).unwrap();
            let line = String::from_utf8(out).unwrap();
            assert_eq!(line.trim_end_matches('\n').chars().filter(|c| is_unsafe(*c)).count(), 0, "{line:?}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }
    }
}
