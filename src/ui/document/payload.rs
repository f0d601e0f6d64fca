//! An event's payload as blocks.

use super::call::input;
use super::layout::{Block, CodeRow};
use super::prose::{blocks as prose, json_block, marked, plain_code};
use super::regions::Marked;
use super::{ansi, blobs, diff, json, text};
use crate::transcript::{BoundaryKind, Kept, Payload};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::words;

/// A call, and its result once it has one. `ending` says how it ended, in words; what its reader said of it has marked parts.
pub(crate) fn call_and_result(call: &Payload<'_>, result: Option<&Payload<'_>>, ending: &str, said_parts: &[Marked]) -> Vec<Block> {
    let Payload::Call(call) = call else { return other(call, &[]) };
    let (mut blocks, language) = input(&call.input);
    let heading = if ending.is_empty() { "result".to_owned() } else { format!("result: {ending}") };
    blocks.extend([Block::Gap, Block::text(Role::Heading, heading)]);
    match result {
        Some(Payload::Resolution(resolution)) => {
            blocks.extend(output(&resolution.text, language.as_deref()));
            if let Some(said) = &resolution.said {
                blocks.extend([Block::Gap, Block::text(Role::Heading, "you said")]);
                blocks.extend(marked(said, Role::Text, said_parts));
            }
        }
        Some(payload) => blocks.extend(other(payload, &[])),
        None => {}
    }
    blocks
}

/// Any other event, with parts of what it says marked.
pub(crate) fn other(payload: &Payload<'_>, parts: &[Marked]) -> Vec<Block> {
    match payload {
        Payload::User { text, .. } | Payload::Assistant { text } => marked(text, Role::Text, parts),
        Payload::Reasoning { text } if text.is_empty() => vec![Block::text(Role::Dim, "The reasoning is encrypted.")],
        Payload::Reasoning { text } => prose(text, Role::Dim),
        Payload::Call(call) => input(&call.input).0,
        Payload::Resolution(resolution) => output(&resolution.text, None),
        Payload::Summary { opaque: true, .. } => {
            vec![Block::text(Role::Dim, "The summary is encrypted: nobody can tell what it kept.")]
        }
        Payload::Summary { text, .. } => prose(text, Role::Text),
        Payload::Job { handle, text, .. } => {
            let mut blocks = vec![fact("job", handle), Block::Gap];
            blocks.extend(prose(text, Role::Text));
            blocks
        }
        Payload::Ran { tool, call } => vec![
            Block::text(Role::Text, "A hook's line proves that this call ran. The call itself may stand nowhere in the file."),
            Block::Gap,
            fact("tool", tool),
            fact("call", call),
        ],
        Payload::Boundary(boundary) => {
            let tokens = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), words::tokens);
            let kept = match &boundary.kept {
                Kept::Nothing => "nothing verbatim".to_owned(),
                Kept::Records(ids) => words::counted(ids.len(), "record"),
                Kept::Texts(texts) => format!("{} of your prompts", texts.len()),
                Kept::Prompts { tokens } => format!("your newest prompts, up to {} tokens", words::tokens(*tokens)),
            };
            let mut facts = vec![
                fact("kind", words::boundary_kind(boundary.kind)),
                fact("asked by", Some(words::trigger(boundary.trigger)).filter(|t| !t.is_empty()).unwrap_or("unknown")),
            ];
            // What a runtime counts of a masking is what it masked, and no size of the context, which the rule on the time line tells.
            if boundary.kind != BoundaryKind::Masking {
                facts.push(fact("before", &format!("{} tokens", tokens(boundary.tokens_before))));
                facts.push(fact("after", &format!("{} tokens", tokens(boundary.tokens_after))));
            }
            facts.push(fact("kept", &kept));
            if !boundary.masked.is_empty() {
                facts.push(fact("masked", &words::counted(boundary.masked.len(), "result")));
            }
            facts
        }
        Payload::Mark(_) => Vec::new(),
        Payload::Unrecognised { name, text } => {
            let mut blocks = vec![
                Block::text(Role::Text, "A record of a type that is not known here. It is kept, counted, and what it says counts."),
                Block::Gap,
                fact("type", name),
                Block::Gap,
            ];
            blocks.extend(marked(text, Role::Text, parts));
            blocks
        }
    }
}

/// A record as it stands.
pub(crate) fn raw(source: &str) -> Vec<Block> {
    output(source, None)
}

fn fact(name: &str, value: &str) -> Block {
    let label = format!("{name:<10}");
    let hang = label.len();
    Block::Text { line: vec![Piece::new(Role::Dim, label), Piece::new(Role::Text, text::lines(value).0.concat())], hang }
}

/// What a tool gave back: JSON, a diff, what it coloured for a terminal, a numbered file, else text.
fn output(source: &str, language: Option<&str>) -> Vec<Block> {
    if source.trim().is_empty() {
        return vec![Block::text(Role::Dim, "(nothing)")];
    }
    let told = blobs::told(source);
    let (kept, left_out) = text::kept(&told);
    let mut blocks = match () {
        () if left_out == 0 && json::is_json(kept) => vec![json_block(kept)],
        () if diff::is_patch(kept) => vec![diff::patch(kept)],
        () if kept.contains(ansi::ESCAPE) => {
            vec![Block::Code { language: None, rows: ansi::lines(kept).into_iter().map(CodeRow::painted).collect() }]
        }
        () => {
            let lines: Vec<String> = kept.lines().map(text::shown).collect();
            match numbered(&lines) {
                Some(rows) => vec![Block::Code { language: language.map(str::to_owned), rows }],
                None => vec![plain_code(lines, None)],
            }
        }
    };
    if left_out > 0 {
        blocks.push(Block::text(Role::Dim, format!("… and {left_out} more bytes, left out here")));
    }
    blocks
}

/// The rows of a text whose first lines are numbered, as `cat -n` and the read tools number them.
fn numbered(lines: &[String]) -> Option<Vec<CodeRow>> {
    lines.first().and_then(|line| number(line))?;
    let row = |line: &String| match number(line) {
        Some((number, code)) => CodeRow::new(code).behind(Piece::new(Role::Dim, format!("{number:>5} "))),
        None => CodeRow::painted(vec![Piece::owned(Role::Dim, line)]),
    };
    Some(lines.iter().map(row).collect())
}

fn number(line: &str) -> Option<(&str, &str)> {
    let trimmed = line.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = trimmed.split_at_checked(digits).filter(|(number, _)| !number.is_empty())?;
    let code = rest.strip_prefix('→').or_else(|| rest.strip_prefix("  ").filter(|_| line.starts_with(' ')))?;
    Some((number, code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Call, Input, Outcome, Resolution};
    use crate::ui::document::lay_out;

    fn shown(blocks: &[Block]) -> Vec<String> {
        let document = lay_out(blocks, 60, None);
        document.lines.iter().map(|line| line.iter().map(|piece| &*piece.text).collect()).collect()
    }

    #[test]
    fn a_call_stands_above_its_result() {
        let call = Payload::Call(Call { id: "t1".into(), tool: "Bash".into(), input: Input::Json(r#"{"command":"ls"}"#.into()) });
        let result = Payload::Resolution(Resolution {
            call: "t1".into(),
            outcome: Outcome::Failed { exit: Some(2) },
            text: "no such file".into(),
            said: None,
        });
        assert_eq!(shown(&call_and_result(&call, Some(&result), "exit 2", &[])), ["ls", "", "result: exit 2", "no such file"]);
        assert_eq!(shown(&call_and_result(&call, None, "no result yet", &[])), ["ls", "", "result: no result yet"]);
    }

    #[test]
    fn what_a_tool_gave_back_is_shown_by_its_shape() {
        for (source, lines) in [
            ("{\"a\":1}", vec!["{", "  \"a\": 1", "}"]),
            ("     1→fn a() {}\n     2→", vec!["    1 fn a() {}", "    2 "]),
            ("12 files changed", vec!["12 files changed"]),
            (" \n", vec!["(nothing)"]),
            ("\u{1b}[32mok\u{1b}[0m\n\u{1b}[1m3 passed\u{1b}(B", vec!["ok", "3 passed"]),
            ("diff --git a/x b/x\n+y", vec!["diff --git a/x b/x", "+ y"]),
        ] {
            assert_eq!(shown(&output(source, Some("rs"))), lines, "{source}");
        }
    }
}
