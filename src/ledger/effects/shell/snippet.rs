//! Programs in another language on a command line (`python3 -c`, `node -e`, `ruby -e`): whether one only reads.
//!
//! Unsure is never clear: it only reads if all that it loads is known to be harmless, and nothing in it acts.

use super::super::data::PureFacts;

/// Whether a program loads only modules that are listed, and holds no word that acts.
pub(super) fn only_reads(text: &str, facts: &PureFacts) -> bool {
    // To write to its own output is to print.
    let text = text.replace("stdout.write", "print").replace("stderr.write", "print");
    !text.contains(['`', '\u{0}'])
        && loaded(&text).all(|module| is_listed(module, facts))
        && !acts(&text, facts)
        && opens_to_read(&text)
}

/// The modules that it loads: `import a, b as c`, `from a.b import c`, `require('a')`, `import x from 'a'`, `require "a"`.
fn loaded(text: &str) -> impl Iterator<Item = &str> {
    let statements = text.split(['\n', ';']).map(str::trim);
    let imported = statements.flat_map(|statement| {
        let quoted = statement.split_once(" from ").map(|(_, module)| module).filter(|_| statement.starts_with("import "));
        let from = statement.strip_prefix("from ").and_then(|rest| rest.split(' ').next());
        let list = statement.strip_prefix("import ").filter(|_| quoted.is_none()).unwrap_or_default();
        let names = list.split(',').map(|name| name.trim().split(' ').next().unwrap_or_default());
        quoted.into_iter().chain(from).chain(names)
    });
    let required = text.split("require").skip(1).map(|rest| rest.trim_start_matches(['(', ' ']));
    let required = required.map(|rest| rest.split([')', '\n', ';', ',']).next().unwrap_or_default());
    imported.chain(required).map(|module| module.trim().trim_matches(['"', '\''])).filter(|module| !module.is_empty())
}

fn is_listed(module: &str, facts: &PureFacts) -> bool {
    let top = module.split('.').next().unwrap_or_default();
    facts.modules.contains(module) || (top != "os" && top != "xml" && facts.modules.contains(top)) || module.ends_with(".json")
}

/// Whether a word of it acts. `Path.replace` does, `str.replace` does not: unsure where there are paths.
fn acts(text: &str, facts: &PureFacts) -> bool {
    let paths = text.contains("pathlib") || text.contains("os");
    let code = without_texts(text);
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.any(|word| facts.acts.contains(word) || (paths && word == "replace"))
}

/// A program without its string literals; those that may hold code (`f"{...}"`, `"#{...}"`) stay.
fn without_texts(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, literal) = rest.split_at(at);
        code.push_str(before);
        let quote = literal.chars().next().unwrap_or('"');
        let mut escaped = false;
        let ends = |c: char| {
            let end = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            end
        };
        let end = literal.get(1..).and_then(|inner| inner.find(ends)).map_or(literal.len(), |end| end + 2);
        let (literal, behind) = literal.split_at(end);
        let formats = before.ends_with(['f', 'F']) || literal.contains("#{") || literal.contains("${");
        code.push_str(if formats { literal } else { " " });
        rest = behind;
    }
    code.push_str(rest);
    code
}

/// Whether every `open` is to read: its mode, where it has one, is a literal without `w`, `a`, `x` and `+`.
fn opens_to_read(text: &str) -> bool {
    text.match_indices("open(").all(|(at, call)| {
        let method = text.get(..at).is_some_and(|before| before.ends_with('.'));
        let arguments = arguments(text.get(at + call.len()..).unwrap_or_default());
        let modes = arguments.iter().skip(usize::from(!method));
        modes.into_iter().all(|argument| reads(argument))
    })
}

/// Whether an argument of `open` says nothing about writing.
fn reads(argument: &str) -> bool {
    let value = match argument.split_once('=') {
        Some((name, _)) if ["encoding", "errors", "newline", "buffering"].contains(&name.trim()) => return true,
        Some((name, value)) if name.trim() == "mode" => value.trim(),
        _ => argument,
    };
    let literal = value.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
    literal.is_some_and(|mode| mode.chars().all(|c| "rbtU".contains(c)))
}

/// The arguments of a call, whose `(` has been read.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut quote) = (0usize, 0, None);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')') if depth == 0 => {
                found.push(text.get(from..at).unwrap_or_default().trim());
                break;
            }
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                found.push(text.get(from..at).unwrap_or_default().trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|argument| !argument.is_empty());
    found
}
