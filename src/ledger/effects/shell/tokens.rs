//! The tokens of a script, for its identity: white space, comments, line continuations, and a leading `cd` do not count. Quotes do.

use tree_sitter::Node;

use super::parse::{Extent, Parsed, Syntax};

/// The words and operators of a script from its byte `from` on. Where the grammar could not make sense of it, or where it is too long
/// to be parsed as it stands, its words.
pub(in super::super) fn tokens<'t>(parsed: &Parsed<'t>, text: &'t str, from: usize) -> Vec<&'t str> {
    let mut tokens = Vec::new();
    match &parsed.syntax {
        Syntax::Plain(plain) => tokens.extend(plain.iter().filter(|token| token.start >= from).map(|token| token.text)),
        Syntax::Tree(tree) if parsed.extent == Extent::Whole && !tree.root_node().has_error() => {
            leaves(tree.root_node(), text, from, &mut tokens);
        }
        Syntax::Tree(_) | Syntax::Unknown => {
            // A continued line leaves its backslash behind as a word.
            return text.get(from..).unwrap_or(text).split_whitespace().filter(|word| *word != "\\").collect();
        }
    }
    let ends = tokens.iter().rposition(|token| *token != ";").map_or(0, |last| last + 1);
    tokens.truncate(ends);
    // What joined the part that was left out with the rest.
    if from > 0 && matches!(tokens.first(), Some(&("&&" | ";"))) {
        tokens.remove(0);
    }
    tokens
}

/// Behind these a line break ends nothing.
const GOES_ON: &[&str] = &["&&", "||", "|", "|&", ";", "&", "(", "{", "do", "then", "else", "in"];

fn leaves<'t>(root: Node<'_>, text: &'t str, from: usize, tokens: &mut Vec<&'t str>) {
    let mut cursor = root.walk();
    let mut end = from;
    loop {
        let node = cursor.node();
        // A quoted text is one token: the white space in it counts, and is not all in its leaves.
        let is_whole = node.child_count() == 0 || matches!(node.kind(), "string" | "heredoc_body");
        // What the grammar allows anywhere is a comment.
        if is_whole && !node.is_extra() && node.start_byte() >= from {
            let gap = text.get(end..node.start_byte()).unwrap_or_default();
            let token = text.get(node.byte_range()).unwrap_or_default();
            let token = if node.kind() == "heredoc_body" { token } else { token.trim() };
            // A line break ends a statement like a semicolon.
            let ends = gap.replace("\\\n", "").contains('\n') && tokens.last().is_some_and(|last| !GOES_ON.contains(last));
            if ends && token != ";" {
                tokens.push(";");
            }
            tokens.extend(Some(token).filter(|token| !token.is_empty()));
            end = node.end_byte();
        }
        if !is_whole && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
