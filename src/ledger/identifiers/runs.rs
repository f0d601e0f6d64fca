//! Values that are longer than one token: URLs, Windows paths, `Option 2`, `200 ms`, `port 8443`, `${VAR}`, Latin runs in CJK text.

use super::kind::IdentifierKind as Kind;
use super::tokens::{Token, is_inner};
use super::{Identifier, numbers, prose};

/// A URL, with all that belongs to it.
pub(super) fn url(text: &str, token: &Token) -> Option<Identifier> {
    let word = text.get(token.range.clone()).filter(|_| token.may_have(b":"))?;
    let mark = word.as_bytes().windows(3).position(|mark| mark == b"://")?;
    let scheme = word.get(..mark)?;
    let start =
        mark - scheme.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')).count();
    let rest = text.get(token.range.start + start..)?;
    let mut open = 0_i32;
    let end = rest.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
        open < 0
            || c.is_whitespace()
            || matches!(c, '"' | '\'' | '<' | '>' | '`' | '|' | '\\' | '^')
            || prose::is_cjk(*c)
            || prose::is_wide_mark(*c)
    });
    let whole = rest.get(..end.map_or(rest.len(), |(at, _)| at))?;
    let whole = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~', '(', '[', '{']);
    let host = whole.get(mark - start + 3..)?;
    if start == mark || !host.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '[' | '{' | '$' | ':' | '.')) {
        return None;
    }
    let from = token.range.start + start;
    let end = from + whole.len();
    // `NAME=scheme://...` is a name with its value.
    let name = word
        .get(..start)?
        .strip_suffix('=')
        .filter(|name| name.len() > 1 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    Some(match name {
        Some(_) => Identifier { kind: Kind::Assignment, range: token.range.start..end },
        None => Identifier { kind: Kind::Url, range: from..end },
    })
}

/// `C:\Users\x`, `\\server\share`, `src\main.rs`: a token with backslashes behind it.
pub(super) fn windows_path(text: &str, token: &Token) -> Option<Identifier> {
    let rest = text.get(token.range.start..)?;
    let bytes = rest.as_bytes();
    let drive = matches!(bytes, [a, b':', b'\\', ..] if a.is_ascii_alphabetic());
    let share = token.before == Some('\\') && text.get(..token.range.start).is_some_and(|text| text.ends_with("\\\\"));
    // A hidden folder, and the mark by which a client takes a file in.
    let hidden = text.get(..token.range.start).map_or(0, |text| text.len() - text.trim_end_matches(['.', '@']).len());
    let relative = !drive
        && !share
        && {
            let end = token.range.len();
            // An escape like `\n` is no folder, unless what stands before it is one.
            let is_folder = hidden > 0;
            matches!(bytes.get(end..), Some([b'\\', next, ..]) if next.is_ascii_alphanumeric() && (is_folder || !b"nrtubfx0".contains(next)))
        };
    if !(drive || share || relative) {
        return None;
    }
    let inner = |byte: u8| (is_inner(byte) && byte != b'=') || byte == b'\\';
    let length = bytes.iter().position(|byte| !inner(*byte)).unwrap_or(bytes.len());
    let path = rest.get(..length)?.trim_end_matches(['.', ':', '\\']);
    let is_file = path.rsplit('\\').next().is_some_and(super::paths::has_known_ending);
    let lead = if share { 2 } else { hidden };
    let is_path = drive || (share && path.contains('\\')) || (relative && is_file);
    (is_path && path.len() > 3)
        .then(|| Identifier { kind: Kind::Path, range: token.range.start - lead..token.range.start + path.len() })
}

/// `$HOME`, `${VAR}`; not an amount of money.
pub(super) fn variable(text: &str, token: &Token) -> Option<Identifier> {
    let word = text.get(token.range.clone())?;
    if let Some(name) = word.strip_prefix('$') {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains(['$', '=']);
        let is_path = name.contains('/');
        return is_name.then(|| Identifier { kind: if is_path { Kind::Path } else { Kind::Variable }, range: token.range.clone() });
    }
    if token.before != Some('{') || !text.get(..token.range.start)?.ends_with("${") {
        return None;
    }
    let closes = text.get(token.range.end..)?.starts_with('}');
    let start = token.range.start - "${".len();
    closes.then(|| Identifier { kind: Kind::Variable, range: start..token.range.end + 1 })
}

/// Something numbered: `Option 2`, `phase 3`, `Stage B`, `PR 12`; and the port in `port 8443`.
pub(super) fn numbered(text: &str, token: &Token) -> Option<Identifier> {
    let word = text.get(token.range.clone()).filter(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    let (next, range) = next_word(text, token.range.end)?;
    let digits = next.bytes().take_while(u8::is_ascii_digit).count();
    if matches!(word, "port" | "ports" | "Port" | "Ports") {
        let is_port = (2..=5).contains(&digits) && next.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        return is_port.then_some(Identifier { kind: Kind::Port, range });
    }
    if prose::takes_version(word) {
        let core = next.strip_prefix('v').unwrap_or(next);
        let is_version = core.starts_with(|c: char| c.is_ascii_digit())
            && core.contains('.')
            && core.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        return is_version.then_some(Identifier { kind: Kind::Version, range });
    }
    if !prose::takes_number(word) {
        return None;
    }
    let is_number =
        digits > 0 && digits <= 4 && next.len() <= 7 && next.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    let is_letter = next.len() == 1
        && next.bytes().all(|byte| byte.is_ascii_uppercase())
        // "Any other PR I merge myself": an abbreviation has no part I.
        && (next != "I" && next != "A" || word.starts_with(|c: char| c.is_ascii_uppercase()) && !word.bytes().all(|b| b.is_ascii_uppercase()));
    let is_ticket =
        next.strip_prefix('#').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    if is_ticket {
        return Some(Identifier { kind: Kind::Ticket, range });
    }
    (is_number || is_letter).then_some(Identifier { kind: Kind::Label, range: token.range.start..range.end })
}

/// A number and the unit behind it: `5 MB`.
pub(super) fn measured(text: &str, token: &Token) -> Option<Identifier> {
    let word = text.get(token.range.clone())?;
    if !word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let (unit, range) = next_word(text, token.range.end)?;
    let is_unit = numbers::is_unit(unit) && unit.len() > 1 && !matches!(unit, "em" | "pt" | "deg" | "bit");
    is_unit.then_some(Identifier { kind: Kind::Quantity, range: token.range.start..range.end })
}

/// Latin letters in a text that is written in Chinese, Japanese or Korean: up to three words between its characters.
pub(super) fn latin(text: &str, token: &Token) -> Option<Identifier> {
    let is_word =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b'#' | b'/'));
    let word = text.get(token.range.clone())?;
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    if letters < 2 || !is_word(word) {
        return None;
    }
    let before = text.get(..token.range.start)?.trim_end_matches(' ').chars().next_back();
    let mut end = token.range.end;
    let mut words = 1;
    while let Some((_, range)) =
        next_word(text, end).filter(|(next, _)| is_word(next) && next.starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        end = range.end;
        words += 1;
        if words > 3 {
            return None;
        }
    }
    let after = text.get(end..)?.trim_start_matches(' ').chars().next();
    let is_wide = |c: char| prose::is_cjk(c) || prose::is_wide_mark(c);
    let inside = before.is_some_and(prose::is_cjk) || after.is_some_and(is_wide);
    // What is written as a common word is the trade's, and no name.
    let is_name = text.get(token.range.start..end)?.bytes().any(|byte| !byte.is_ascii_lowercase() && byte != b' ');
    (inside && is_name).then_some(Identifier { kind: Kind::Latin, range: token.range.start..end })
}

/// The word one space behind `end`.
fn next_word(text: &str, end: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let rest = text.get(end..)?.strip_prefix(' ')?;
    let length = rest.bytes().take_while(|byte| is_inner(*byte)).count();
    let word = rest.get(..length)?.trim_end_matches(['.', ':', '-', '*', '=', '/', '+']);
    (!word.is_empty()).then(|| (word, end + 1..end + 1 + word.len()))
}
