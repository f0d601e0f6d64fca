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

/// A JSON text of more lines is folded unless its reader wants to see more.
const LONG: usize = 60;

/// The lines with what lies deeper than the reader wants folded to one line: of a long text, so deep that it is not long any more, and
/// `levels` deeper than that.
pub(crate) fn folded(lines: &[Line], levels: i8) -> Vec<Line> {
    let depths: Vec<usize> = lines.iter().map(depth_of).collect();
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let fits = |depth: &usize| depths.iter().filter(|of| **of <= *depth).count() <= LONG;
    let by_itself = if lines.len() <= LONG { deepest } else { (1..=deepest).rev().find(fits).unwrap_or(1) };
    let shown = by_itself.saturating_add_signed(isize::from(levels)).max(1);
    if shown >= deepest {
        return lines.to_vec();
    }
    let mut out: Vec<Line> = Vec::new();
    let mut hidden = 0;
    for (line, depth) in lines.iter().zip(&depths) {
        if *depth > shown {
            hidden += 1;
            continue;
        }
        // The line that closes what was folded ends the line that opened it.
        if let (1.., Some(opened)) = (hidden, out.last_mut()) {
            opened.push(Piece::new(Role::Dim, format!(" … {hidden} lines … ")));
            let closing = line.iter().skip_while(|piece| piece.text.trim().is_empty());
            opened.extend(closing.cloned());
            hidden = 0;
            continue;
        }
        out.push(line.clone());
    }
    out
}

/// How deep a line stands.
fn depth_of(line: &Line) -> usize {
    line.first().map_or(0, |piece| (piece.text.len() - piece.text.trim_start().len()) / STEP)
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
    fn a_long_text_is_folded_and_opened_level_by_level() {
        let inner = |n: usize| format!(r#"{{"n":{n},"deep":{{"a":[1,2],"b":{n}}}}}"#);
        let source = format!("[{}]", (0..8).map(inner).collect::<Vec<_>>().join(","));
        let all = lines(&source);
        let shown = |levels: i8| -> Vec<String> {
            folded(&all, levels).iter().map(|line| line.iter().map(|piece| &*piece.text).collect()).collect()
        };
        assert_eq!(shown(0).get(1..5).unwrap(), ["  {", "    \"n\": 0,", "    \"deep\": { … 5 lines … }", "  },"]);
        assert_eq!(shown(-9).get(..3).unwrap(), ["[", "  { … 8 lines … },", "  { … 8 lines … },"]);
        assert_eq!(shown(9).len(), all.len());
        assert_eq!(folded(&lines("{\"a\":[1]}"), 0).len(), 5, "a short one is whole");
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
