//! Parsing with bounds: the time that a grammar takes must not depend on who wrote the script.
//!
//! The parser is linear on what people write, and worse than quadratic on some of what they do not (`a|a|a|...`, `))))...`). So only
//! the first bytes of a script are parsed, in a number of steps that grows with them, and in few once something is wrong. The bodies of
//! here-documents, which make nearly all long scripts long, are put aside first. What is not read is said to be unread.

use std::borrow::Cow;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::plain::{self, Token};
use crate::base::text::prefix;

/// Of a longer script only this many bytes are parsed.
pub(super) const SCRIPT_BYTES: usize = 8 * 1024;
/// Steps of the parser, in hundreds: at any rate, for each kilobyte, and after the first error.
const STEPS: usize = 48;
const STEPS_A_KILOBYTE: usize = 16;
const STEPS_AFTER_AN_ERROR: usize = 12;

/// A script as far as it was parsed.
pub(in super::super) struct Parsed<'t> {
    pub(super) syntax: Syntax<'t>,
    /// What was parsed.
    pub(in super::super) text: Cow<'t, str>,
    /// The bodies of here-documents that were put aside; each left its number behind.
    bodies: Vec<&'t str>,
    /// Whether that is all of it.
    pub(in super::super) extent: Extent,
}

/// What a script is made of.
pub(super) enum Syntax<'t> {
    /// Nothing but plain words.
    Plain(Vec<Token<'t>>),
    /// What the grammar says.
    Tree(Tree),
    /// The parser gave up.
    Unknown,
}

/// How much of a script was parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Extent {
    /// All of it, as it stands.
    Whole,
    /// All of it but the bodies of here-documents.
    Shortened,
    /// Its beginning.
    Beginning,
}

/// Parses a script.
pub(in super::super) fn parse<'t>(parser: &mut Parser, script: &'t str) -> Parsed<'t> {
    let plain = if script.len() > SCRIPT_BYTES { None } else { plain::tokens(script) };
    match plain.map(Syntax::Plain) {
        Some(syntax) => Parsed { syntax, text: Cow::Borrowed(script), bodies: Vec::new(), extent: Extent::Whole },
        None => parse_by_grammar(parser, script),
    }
}

/// Parses a script whatever it is made of.
pub(super) fn parse_by_grammar<'t>(parser: &mut Parser, script: &'t str) -> Parsed<'t> {
    let (text, bodies) = if script.len() > SCRIPT_BYTES { without_bodies(script) } else { (Cow::Borrowed(script), Vec::new()) };
    let extent = match text.len() {
        len if len > SCRIPT_BYTES => Extent::Beginning,
        _ if bodies.is_empty() => Extent::Whole,
        _ => Extent::Shortened,
    };
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(prefix(text, SCRIPT_BYTES)),
        Cow::Owned(text) => Cow::Owned(prefix(&text, SCRIPT_BYTES).to_owned()),
    };
    let syntax = bounded(parser, text.as_bytes()).map_or(Syntax::Unknown, Syntax::Tree);
    Parsed { syntax, text, bodies, extent }
}

fn bounded(parser: &mut Parser, text: &[u8]) -> Option<Tree> {
    let most = STEPS + STEPS_A_KILOBYTE * text.len() / 1024;
    let (mut steps, mut after_error) = (0, 0);
    let mut go_on = |state: &ParseState| {
        steps += 1;
        after_error += usize::from(state.has_error());
        if steps > most || after_error > STEPS_AFTER_AN_ERROR { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // To the grammar's scanner, written in C, a brace before a character from beyond Latin-1 is a read outside of its tables. All such
    // characters are letters of words to a shell, so that one letter is as good as another; the bytes keep their places.
    let letters: Vec<u8> = text.iter().map(|byte| if byte.is_ascii() { *byte } else { b'x' }).collect();
    let mut read = |at: usize, _| letters.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut go_on)));
    if tree.is_none() {
        // What was begun must not be gone on with.
        parser.reset();
    }
    tree
}

impl<'t> Parsed<'t> {
    /// Whether anything is known of what was parsed.
    pub(super) fn is_read(&self) -> bool {
        !matches!(self.syntax, Syntax::Unknown)
    }

    /// The body of a here-document, which may be the number of one that was put aside.
    pub(super) fn body<'p>(&'p self, text: &'p str) -> &'p str {
        let aside = if self.bodies.is_empty() { None } else { text.trim().parse::<usize>().ok() };
        aside.and_then(|number| self.bodies.get(number)).copied().unwrap_or(text)
    }
}

/// A script with a number in place of the body of each here-document, and the bodies.
fn without_bodies(script: &str) -> (Cow<'_, str>, Vec<&str>) {
    let mut text = String::new();
    let mut bodies = Vec::new();
    let mut rest = script;
    while let Some((line, behind)) = rest.split_once('\n') {
        text.extend([line, "\n"]);
        rest = behind;
        if let Some(body) = end_word(line).and_then(|(word, tabs)| body(behind, word, tabs)) {
            text.push_str(&format!("{}\n", bodies.len()));
            bodies.push(body);
            rest = behind.get(body.len()..).unwrap_or_default();
        }
    }
    if bodies.is_empty() {
        return (Cow::Borrowed(script), bodies);
    }
    text.push_str(rest);
    (Cow::Owned(text), bodies)
}

/// The word that ends the here-document which a line begins, and whether tabs may stand before it.
fn end_word(line: &str) -> Option<(&str, Tabs)> {
    let (_, behind) = line.split_once("<<")?;
    let (tabs, word) = match behind.strip_prefix('-') {
        Some(word) => (Tabs::Allowed, word),
        None => (Tabs::NotAllowed, behind),
    };
    let word = word.trim_start().trim_start_matches(['\'', '"', '\\']);
    let end = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
    word.get(..end).filter(|word| !word.is_empty()).map(|word| (word, tabs))
}

#[derive(Clone, Copy, PartialEq)]
enum Tabs {
    Allowed,
    NotAllowed,
}

/// The lines up to the one that is `word`; none if no line is.
fn body<'t>(text: &'t str, word: &str, tabs: Tabs) -> Option<&'t str> {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let bare = if tabs == Tabs::Allowed { bare.trim_start_matches('\t') } else { bare };
        if bare == word {
            return text.get(..length);
        }
        length += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_put_aside() {
        let script = "cat > a <<'EOF'\none\ntwo\nEOF\ngit push\ncat <<-X | psql\n\tthree\n\tX\n";
        let (text, bodies) = without_bodies(script);
        assert_eq!(text, "cat > a <<'EOF'\n0\nEOF\ngit push\ncat <<-X | psql\n1\n\tX\n");
        assert_eq!(bodies, ["one\ntwo\n", "\tthree\n"]);
        for script in ["echo $((1<<2))\nx", "cat <<EOF\nno end", "no document", ""] {
            assert_eq!(without_bodies(script), (Cow::Borrowed(script), vec![]));
        }
    }

    #[test]
    fn no_character_behind_a_brace_ends_the_program() {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
        for c in ['\u{e9}', '\u{4e00}', '\u{1f600}', '\u{10ffff}'] {
            for script in [format!("echo {{{c}}}"), format!("echo {{1..{c}}}"), format!("cat <<{c}\n{{{c}\n{c}\n")] {
                assert!(parse(&mut parser, &script).is_read(), "{script}");
            }
        }
    }

    #[test]
    fn a_script_that_the_grammar_is_slow_on_is_given_up() {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
        let steps = |parser: &mut Parser, unit: &str| parse(parser, &unit.repeat(SCRIPT_BYTES / unit.len())).is_read();
        assert!(!steps(&mut parser, "a|"), "a pipeline of thousands");
        assert!(!steps(&mut parser, ")"), "thousands of errors");
        assert!(steps(&mut parser, "git status && "), "plain commands, however many");
        assert!(parse_by_grammar(&mut parser, "git push").is_read(), "the parser is fit for use after it");
    }
}
