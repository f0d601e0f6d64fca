//! Prose as agents and people write it: a little Markdown, read line by line, so that half a document is still one.

use super::layout::{Block, CodeRow, Line};
use super::{diff, json, text};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// The blocks of a text in `role`.
pub(crate) fn blocks(source: &str, role: Role) -> Vec<Block> {
    let (lines, left_out) = text::lines(source);
    let mut blocks = Vec::new();
    let mut lines = lines.into_iter();
    while let Some(line) = lines.next() {
        match fence(&line) {
            Some(language) => {
                let code: Vec<String> = lines.by_ref().take_while(|line| fence(line).is_none()).collect();
                blocks.push(fenced(&language, code));
            }
            None => blocks.push(paragraph(&line, role)),
        }
    }
    if left_out > 0 {
        blocks.push(Block::text(Role::Dim, format!("… and {left_out} more bytes, left out here")));
    }
    blocks
}

fn fence(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("```")?;
    Some(rest.split([' ', '{', ',']).next().unwrap_or_default().to_owned())
}

fn fenced(language: &str, code: Vec<String>) -> Block {
    match language {
        "diff" | "patch" => diff::patch(&code.join("\n")),
        "json" => {
            let whole = code.join("\n");
            if json::is_json(&whole) { json_block(&whole) } else { plain_code(code, Some("json")) }
        }
        language => plain_code(code, Some(language).filter(|l| !l.is_empty())),
    }
}

/// Lines of code in a language.
pub(crate) fn plain_code(code: Vec<String>, language: Option<&str>) -> Block {
    Block::Code { language: language.map(str::to_owned), rows: code.into_iter().map(CodeRow::new).collect() }
}

/// JSON, indented.
pub(crate) fn json_block(source: &str) -> Block {
    Block::Code { language: None, rows: json::lines(source).into_iter().map(CodeRow::painted).collect() }
}

fn paragraph(line: &str, role: Role) -> Block {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    if trimmed.is_empty() {
        return Block::Gap;
    }
    let hashes = trimmed.bytes().take_while(|b| *b == b'#').count();
    if let Some(heading) = trimmed.get(hashes..).and_then(|rest| rest.strip_prefix(' ')).filter(|_| (1..=6).contains(&hashes)) {
        return Block::text(Role::Heading, heading.trim());
    }
    if let Some(quote) = trimmed.strip_prefix("> ") {
        let mut quoted = vec![Piece::new(Role::Dim, "▏ ")];
        quoted.extend(inline(quote, Role::Dim));
        return Block::Text { line: quoted, hang: 2 };
    }
    let marker = list_marker(trimmed);
    let mut line = Line::new();
    if indent > 0 {
        line.push(Piece::new(role, " ".repeat(indent)));
    }
    if let Some(marker) = trimmed.get(..marker).filter(|m| !m.is_empty()) {
        line.push(Piece::owned(Role::Dim, marker));
    }
    line.extend(inline(trimmed.get(marker..).unwrap_or_default(), role));
    Block::Text { line, hang: indent + marker }
}

/// The length of a list item's marker with its space: `- `, `* `, `12. `.
fn list_marker(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or_default();
    match digits {
        0 if line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") => 2,
        1..=3 if rest.starts_with(". ") || rest.starts_with(") ") => digits + 2,
        _ => 0,
    }
}

/// Code and emphasis inside a line.
fn inline(line: &str, role: Role) -> Line {
    let mut pieces = Line::new();
    let mut rest = line;
    while !rest.is_empty() {
        let marked = [("`", Role::Code), ("**", Role::Strong)].into_iter().filter_map(|(mark, role)| {
            let start = rest.find(mark)?;
            let inner = rest.get(start + mark.len()..)?;
            let len = inner.find(mark).filter(|len| *len > 0)?;
            Some((start, mark.len(), inner.get(..len)?, role))
        });
        let Some((start, mark, inner, marked_role)) = marked.min_by_key(|(start, ..)| *start) else { break };
        if let Some(before) = rest.get(..start).filter(|text| !text.is_empty()) {
            pieces.push(Piece::owned(role, before));
        }
        pieces.push(Piece::owned(marked_role, inner));
        rest = rest.get(start + 2 * mark + inner.len()..).unwrap_or_default();
    }
    if !rest.is_empty() {
        pieces.push(Piece::owned(role, rest));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(line: &str) -> Vec<(String, Role)> {
        let Block::Text { line, .. } = paragraph(line, Role::Text) else { return Vec::new() };
        line.into_iter().map(|piece| (piece.text.into_owned(), piece.role)).collect()
    }

    #[test]
    fn a_line_says_what_it_is() {
        for (line, shown) in [
            ("## Plan", vec![("Plan", Role::Heading)]),
            ("#hashtag", vec![("#hashtag", Role::Text)]),
            ("  - run `cargo test`", vec![("  ", Role::Text), ("- ", Role::Dim), ("run ", Role::Text), ("cargo test", Role::Code)]),
            ("**never** drop", vec![("never", Role::Strong), (" drop", Role::Text)]),
            ("> said", vec![("▏ ", Role::Dim), ("said", Role::Dim)]),
            ("2 * 3 ** 4 ` x", vec![("2 * 3 ** 4 ` x", Role::Text)]),
        ] {
            let shown: Vec<(String, Role)> = shown.into_iter().map(|(text, role)| (text.to_owned(), role)).collect();
            assert_eq!(pieces(line), shown, "{line}");
        }
    }

    #[test]
    fn a_fence_is_code_also_when_it_never_ends() {
        let blocks = blocks("see\n```rust\nfn a() {}\n```\nthen\n```\nraw", Role::Text);
        let languages: Vec<Option<&str>> = blocks
            .iter()
            .filter_map(|b| match b {
                Block::Code { language, .. } => Some(language.as_deref()),
                _ => None,
            })
            .collect();
        assert_eq!((blocks.len(), languages), (4, vec![Some("rust"), None]));
    }
}
