//! JSON, indented as it stands: its keys in their order, its numbers digit by digit. What is no JSON comes out as it went in.

use super::layout::Line;
use crate::base::text;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// Whether a text is a JSON object or array.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// One level in, in cells.
const STEP: usize = 2;
/// Text on one level may be so deep before it is no longer moved in.
const DEEPEST: usize = 40;

/// The lines of an indented JSON text, painted.
pub(crate) fn lines(source: &str) -> Vec<Line> {
    let mut out = Printer::default();
    let mut letters = source.char_indices().peekable();
    while let Some((start, c)) = letters.next() {
        match c {
            '"' => {
                let mut end = source.len();
                let mut escaped = false;
                for (at, c) in letters.by_ref() {
                    match c {
                        _ if escaped => escaped = false,
                        '\\' => escaped = true,
                        '"' => {
                            end = at + 1;
                            break;
                        }
                        _ => {}
                    }
                }
                let rest = source.get(end..).unwrap_or_default();
                let role = if rest.trim_start().starts_with(':') { Role::Name } else { Role::String };
                out.put(role, source.get(start..end).unwrap_or_default());
            }
            '{' | '[' => {
                let close = if c == '{' { '}' } else { ']' };
                while letters.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                if letters.next_if(|(_, next)| *next == close).is_some() {
                    out.put(Role::Dim, if c == '{' { "{}" } else { "[]" });
                } else {
                    out.put(Role::Dim, if c == '{' { "{" } else { "[" });
                    out.depth += 1;
                    out.newline();
                }
            }
            '}' | ']' => {
                out.depth = out.depth.saturating_sub(1);
                out.newline();
                out.put(Role::Dim, if c == '}' { "}" } else { "]" });
            }
            ',' => {
                out.put(Role::Dim, ",");
                out.newline();
            }
            ':' => out.put(Role::Dim, ": "),
            c if c.is_whitespace() => {}
            c => {
                let mut end = start + c.len_utf8();
                while let Some((at, c)) = letters.next_if(|(_, c)| !c.is_whitespace() && !",]}:".contains(*c)) {
                    end = at + c.len_utf8();
                }
                out.put(Role::Number, source.get(start..end).unwrap_or_default());
            }
        }
    }
    out.newline();
    out.lines
}

#[derive(Default)]
struct Printer {
    lines: Vec<Line>,
    line: Line,
    depth: usize,
}

impl Printer {
    fn put(&mut self, role: Role, text: &str) {
        if self.line.is_empty() && self.depth > 0 {
            self.line.push(Piece::new(Role::Dim, " ".repeat(self.depth.min(DEEPEST) * STEP)));
        }
        self.line.push(Piece::new(role, text::clean(text).into_owned()));
    }

    fn newline(&mut self) {
        if !self.line.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(source: &str) -> Vec<String> {
        lines(source).iter().map(|line| line.iter().map(|piece| &*piece.text).collect()).collect()
    }

    #[test]
    fn keys_keep_their_order_and_numbers_their_digits() {
        let source = r#"{"z":1.0e400,"a":["x, \"y\"",{}, [ ] ,null],"t":true}"#;
        assert_eq!(
            shown(source),
            [
                "{",
                "  \"z\": 1.0e400,",
                "  \"a\": [",
                "    \"x, \\\"y\\\"\",",
                "    {},",
                "    [],",
                "    null",
                "  ],",
                "  \"t\": true",
                "}"
            ]
        );
    }

    #[test]
    fn keys_and_values_have_roles() {
        let line = &lines(r#"{"key": "value"}"#)[1];
        let roles: Vec<_> = line.iter().map(|piece| (piece.text.trim(), piece.role)).collect();
        assert!(roles.contains(&("\"key\"", Role::Name)) && roles.contains(&("\"value\"", Role::String)), "{roles:?}");
    }

    proptest! {
        #[test]
        fn nothing_but_white_space_is_added_or_lost(source in "[\\[\\]{}:,\"a1 \\\\]{0,60}") {
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&shown(&source).concat()), bare(&source));
        }
    }
}
