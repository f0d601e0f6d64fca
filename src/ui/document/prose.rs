//! Prose as agents and people write it: a little Markdown, read line by line, so that half a document is still one.

use std::ops::Range;

use super::layout::{Block, CodeRow, Line};
use super::regions::Marked;
use super::{blobs, diff, json, text};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// The blocks of a text in `role`.
pub(crate) fn blocks(source: &str, role: Role) -> Vec<Block> {
    marked(source, role, &[])
}

/// The blocks of a text in `role`, with some parts of it marked, by place. Code is left as it is.
pub(crate) fn marked(source: &str, role: Role, parts: &[Marked]) -> Vec<Block> {
    let (lines, left_out) = text::lines(source);
    let starts = source.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    });
    let mut blocks = Vec::new();
    let mut lines = lines.into_iter().zip(starts);
    while let Some((line, (start, own))) = lines.next() {
        match fence(&line) {
            Some(language) => {
                let code = lines.by_ref().map(|(line, _)| line).take_while(|line| fence(line).is_none()).collect();
                blocks.push(fenced(&language, code));
            }
            None => {
                let mut block = paragraph(&line, role);
                if let (Block::Text { line: pieces, .. }, false) = (&mut block, parts.is_empty()) {
                    *pieces = mark(std::mem::take(pieces), &line, start..start + own.len(), parts);
                }
                blocks.push(block);
            }
        }
    }
    if left_out > 0 {
        blocks.push(Block::text(Role::Dim, format!("… and {left_out} more bytes, left out here")));
    }
    blocks
}

/// Marks the parts of a line that stand at `place` in its text. Where the line is not shown as it stands there, it is marked whole.
fn mark(pieces: Line, line: &str, place: Range<usize>, parts: &[Marked]) -> Line {
    let from = parts.partition_point(|(part, _)| part.end <= place.start);
    let mut here = parts.iter().skip(from).take_while(|(part, _)| part.start < place.end).peekable();
    if line.len() != place.len() {
        let mark = here.peek().map(|(_, mark)| *mark);
        return pieces.into_iter().map(|piece| piece.marked(mark)).collect();
    }
    let here: Vec<&Marked> = here.collect();
    let mut marked = Line::new();
    let mut at = 0;
    for piece in pieces {
        // A piece is a part of the line; what stands between two of them is markup.
        let Some(found) = line.get(at..).and_then(|rest| rest.find(&*piece.text)) else {
            marked.push(piece);
            continue;
        };
        let start = place.start + at + found;
        at += found + piece.text.len();
        cut(piece, start, &here, &mut marked);
    }
    marked
}

/// Cuts a piece that begins at byte `start` where parts begin and end.
fn cut(piece: Piece<'static>, start: usize, parts: &[&Marked], line: &mut Line) {
    let end = start + piece.text.len();
    let mut at = start;
    while at < end {
        let part = parts.iter().find(|(part, _)| part.end > at && part.start < end);
        let (stop, mark) = match part {
            Some((part, mark)) if part.start <= at => (part.end.min(end), Some(*mark)),
            Some((part, _)) => (part.start, None),
            None => (end, None),
        };
        let text = piece.text.get(at - start..stop - start);
        let Some(text) = text else { return line.push(Piece::owned(piece.role, piece.text.get(at - start..).unwrap_or_default())) };
        line.push(Piece::owned(piece.role, text).marked(mark));
        at = stop;
    }
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
    Block::Json(json::lines(&blobs::told(source)))
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
    use crate::ui::piece::Mark;

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

    /// The marked texts, each with the number of its region.
    fn regions(source: &str, parts: &[(&str, u16)]) -> Vec<(String, u16)> {
        let place = |text: &str| source.find(text).map(|at| at..at + text.len()).unwrap();
        let mark = |region| Mark { region, role: Role::RegionOther };
        let parts: Vec<Marked> = parts.iter().map(|(text, region)| (place(text), mark(*region))).collect();
        let lines = marked(source, Role::Text, &parts).into_iter().filter_map(|block| match block {
            Block::Text { line, .. } => Some(line),
            _ => None,
        });
        lines.flatten().filter_map(|piece| Some((piece.text.into_owned(), piece.mark?.region))).collect()
    }

    #[test]
    fn regions_are_marked_whatever_markup_stands_in_them() {
        let own = |shown: &[(&str, u16)]| shown.iter().map(|(text, n)| ((*text).to_owned(), *n)).collect::<Vec<_>>();
        for (source, parts, shown) in [
            ("Fix it. Never push.", vec![("Never push.", 0)], vec![("Never push.", 0)]),
            ("Fix it. Never push.", vec![("Fix it.", 0), ("Never push.", 1)], vec![("Fix it.", 0), ("Never push.", 1)]),
            (
                "- run `cargo test` **now**",
                vec![("run `cargo test` **now**", 3)],
                vec![("run ", 3), ("cargo test", 3), (" ", 3), ("now", 3)],
            ),
            ("one\r\ntwo three\n", vec![("one\r\ntwo", 0)], vec![("one", 0), ("two", 0)]),
            ("é ü. Do not.", vec![("Do not.", 0)], vec![("Do not.", 0)]),
            ("a\tb. Do not.", vec![("Do not.", 0)], vec![("a   b. Do not.", 0)]),
            ("```\nDo not.\n```", vec![("Do not.", 0)], vec![]),
        ] {
            assert_eq!(regions(source, &parts), own(&shown), "{source}");
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
