//! A word of a script as the program would get it: without quotes and escapes, with expansions left as they are written.

use std::borrow::Cow;

use tree_sitter::Node;

/// The value of a word's node.
pub(super) fn value<'t>(node: Node<'_>, text: &'t str) -> Cow<'t, str> {
    let raw = text.get(node.byte_range()).unwrap_or_default();
    match node.kind() {
        "command_name" => node.named_child(0).map_or(Cow::Borrowed(raw), |name| value(name, text)),
        "word" => unescaped(raw, Quotes::None),
        "raw_string" => Cow::Borrowed(unquoted(raw, "'", "'")),
        "string" => unescaped(unquoted(raw, "\"", "\""), Quotes::Double),
        "ansi_c_string" => unescaped(unquoted(raw, "$'", "'"), Quotes::Ansi),
        "translated_string" => unescaped(unquoted(raw, "$\"", "\""), Quotes::Double),
        "concatenation" => concatenated(node, text).unwrap_or(Cow::Borrowed(raw)),
        _ => Cow::Borrowed(raw),
    }
}

/// The values of the parts, if they are all that there is.
fn concatenated<'t>(node: Node<'_>, text: &'t str) -> Option<Cow<'t, str>> {
    let mut joined = String::new();
    let mut end = node.start_byte();
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        if part.start_byte() != end {
            return None;
        }
        joined.push_str(&value(part, text));
        end = part.end_byte();
    }
    (end == node.end_byte()).then_some(Cow::Owned(joined))
}

fn unquoted<'t>(raw: &'t str, open: &str, close: &str) -> &'t str {
    let inner = raw.strip_prefix(open).unwrap_or(raw);
    inner.strip_suffix(close).unwrap_or(inner)
}

#[derive(Clone, Copy, PartialEq)]
enum Quotes {
    None,
    Double,
    Ansi,
}

fn unescaped(raw: &str, quotes: Quotes) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match (c, quotes) {
            ('\\', Quotes::None) => match chars.next() {
                Some('\n') | None => {}
                Some(next) => out.push(next),
            },
            ('\\', Quotes::Double) => match chars.next() {
                Some('\n') => {}
                Some(next @ ('"' | '\\' | '$' | '`')) => out.push(next),
                next => {
                    out.push('\\');
                    out.extend(next);
                }
            },
            ('\\', Quotes::Ansi) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                next => out.extend(next),
            },
            (c, _) => out.push(c),
        }
    }
    Cow::Owned(out)
}
