//! A record that serde_json refuses, made readable: what it cannot hold is replaced, nothing is taken away.

use serde_json::Value;

/// The record as text that a JSON string may hold: invalid UTF-8 and lone surrogate escapes become U+FFFD, control characters
/// (a crash leaves runs of NUL) become spaces.
pub(super) fn text(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().map(|c| if c < ' ' { ' ' } else { c }).collect();
    if text.contains("\\u") { pair_surrogates(&text) } else { text }
}

/// The record with every key once, the last one's value standing. None where it is no JSON.
pub(super) fn keys(text: &str) -> Option<String> {
    serde_json::from_str::<Value>(text).ok().map(|value| value.to_string())
}

fn pair_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        let (kept, len) = match (unit(escape), unit(escape.get(6..).unwrap_or_default())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (escape.get(..12), 12),
            (Some(0xD800..=0xDFFF), _) => (Some("\u{FFFD}"), 6),
            (Some(_), _) => (escape.get(..6), 6),
            // The character after a back-slash belongs to it, so that `\\ud800` is read as text.
            (None, _) => {
                let len = escape.chars().take(2).map(char::len_utf8).sum();
                (escape.get(..len), len)
            }
        };
        out.push_str(kept.unwrap_or_default());
        rest = escape.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The UTF-16 unit of the escape that `text` begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}
