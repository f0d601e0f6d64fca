//! Colours for code: a grammar's scopes to roles.

use std::str::FromStr;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use super::layout::Line;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// A line over so many bytes is machine-made; it stays plain, and so do the lines of its text that follow.
const LONGEST_LINE: usize = 2_000;
/// Nobody reads further than this.
const MOST_LINES: usize = 4_000;

/// The grammars, and what their scopes mean. Loading takes milliseconds and megabytes: the worker owns the one that there is.
pub(crate) struct Painter {
    grammars: SyntaxSet,
    roles: Vec<(Scope, Role)>,
}

/// Scopes of the TextMate convention; the first that a scope starts with decides.
const ROLES: [(&str, Role); 14] = [
    ("comment", Role::Comment),
    ("string", Role::String),
    ("constant.character", Role::String),
    ("constant", Role::Number),
    ("keyword.operator", Role::Text),
    ("keyword", Role::Keyword),
    ("storage", Role::Keyword),
    ("entity.name", Role::Name),
    ("support.function", Role::Name),
    ("support.type", Role::Name),
    ("variable.function", Role::Name),
    ("markup.heading", Role::Heading),
    ("markup.raw", Role::Code),
    ("markup.bold", Role::Strong),
];

impl Painter {
    pub(crate) fn load() -> Self {
        let roles = ROLES.iter().filter_map(|(scope, role)| Some((Scope::from_str(scope).ok()?, *role))).collect();
        Self { grammars: two_face::syntax::extra_newlines(), roles }
    }

    /// Paints the lines of one text. `language` is a name or a file's extension; one that nobody knows leaves the text plain.
    pub(crate) fn paint(&self, language: &str, lines: &[&str]) -> Vec<Line> {
        let Some(grammar) = self.grammars.find_syntax_by_token(language) else { return Vec::new() };
        let mut state = ParseState::new(grammar);
        let mut stack = ScopeStack::new();
        let readable = lines.iter().take(MOST_LINES).take_while(|line| line.len() <= LONGEST_LINE);
        readable.map_while(|line| self.line(line, &mut state, &mut stack)).collect()
    }

    fn line(&self, line: &str, state: &mut ParseState, stack: &mut ScopeStack) -> Option<Line> {
        let mut painted = Line::new();
        let mut from = 0;
        let mut add = |to: usize, stack: &ScopeStack| {
            let text = line.get(from..to.min(line.len())).unwrap_or_default();
            from = from.max(to.min(line.len()));
            let role = self.role(stack);
            match painted.last_mut() {
                _ if text.is_empty() => {}
                Some(last) if last.role == role => last.text.to_mut().push_str(text),
                _ => painted.push(Piece::owned(role, text)),
            }
        };
        for (at, change) in state.parse_line(&format!("{line}\n"), &self.grammars).ok()? {
            add(at, stack);
            stack.apply(&change).ok()?;
        }
        add(line.len(), stack);
        Some(painted)
    }

    fn role(&self, stack: &ScopeStack) -> Role {
        let of = |scope: &Scope| self.roles.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, role)| *role);
        stack.as_slice().iter().rev().find_map(of).unwrap_or(Role::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_roles_by_its_grammar() {
        let painted = Painter::load().paint("rs", &["fn main() {", "    let n = 37; // why", "    say(\"hi\");"]);
        let roles = |n: usize| painted[n].iter().map(|p| (p.text.trim(), p.role)).collect::<Vec<_>>();
        assert!(roles(0).contains(&("fn", Role::Keyword)) && roles(0).contains(&("main", Role::Name)), "{:?}", roles(0));
        assert!(roles(1).contains(&("37", Role::Number)) && roles(1).contains(&("// why", Role::Comment)), "{:?}", roles(1));
        assert!(roles(2).contains(&("\"hi\"", Role::String)), "{:?}", roles(2));
    }

    #[test]
    fn painting_changes_no_letter() {
        let source = include_str!("code.rs");
        let lines: Vec<&str> = source.lines().collect();
        let painted = Painter::load().paint("rust", &lines);
        let text = |line: &Line| line.iter().map(|piece| &*piece.text).collect::<String>();
        assert_eq!(painted.iter().map(text).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn what_is_unknown_or_too_long_stays_plain() {
        let painter = Painter::load();
        assert!(painter.paint("no-such-language", &["x"]).is_empty());
        let long = "x".repeat(LONGEST_LINE + 1);
        assert_eq!(painter.paint("js", &["let a = 1;", &long, "let b = 2;"]).len(), 1);
    }
}
