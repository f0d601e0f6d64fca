//! What a token is, if it is a value at all.

use super::kind::IdentifierKind as Kind;
use super::tokens::Token;
use super::{Identifier, hyphens, numbers, paths, prose, symbols};

/// The value that a token is.
pub(super) fn identifier(text: &str, token: &Token) -> Option<Identifier> {
    let word = text.get(token.range.clone())?;
    if is_part_of_a_word(text, token) {
        return None;
    }
    let kind = kind(text, word, token).filter(|_| !prose::is_common(word)).or_else(|| call(text, token, word))?;
    let mut range = token.range.clone();
    if let (Kind::Path | Kind::File, Some(end)) = (kind, paths::end_of_file(word)) {
        range.end = range.start + end;
    }
    if matches!(kind, Kind::Symbol | Kind::Host | Kind::File) && is_called(text, range.end) {
        range.end = end_of_calls(text, range.end);
        return Some(Identifier { kind: Kind::Symbol, range });
    }
    Some(Identifier { kind, range })
}

fn kind(text: &str, word: &str, token: &Token) -> Option<Kind> {
    let bytes = word.as_bytes();
    match bytes.first()? {
        b'@' => return at_sign(word),
        b'#' => return hash_sign(word),
        b'-' => return flag(word, token),
        b'%' => return (word.len() > 3 && word.ends_with('%')).then_some(Kind::Variable),
        _ => {}
    }
    let has = |mark: u8| token.may_have(&[mark]) && bytes.contains(&mark);
    if has(b'=') {
        let (name, value) = word.split_once('=')?;
        return assignment(name, value);
    }
    let is_rooted = word.starts_with(['/', '~', '.']);
    if has(b'@') && !is_rooted {
        return email_or_package(word);
    }
    if has(b'/') {
        return if symbols::has_arity(word) { Some(Kind::Symbol) } else { paths::kind(word) };
    }
    if token.before == Some('[') && word.ends_with('m') && word.starts_with(|c: char| c.is_ascii_digit()) {
        // What is left of a terminal's colour.
        return None;
    }
    if token.may_have_digits()
        && let Some(kind) = numbers::kind(word)
    {
        return Some(kind);
    }
    if has(b':') {
        return symbols::colons(word);
    }
    if has(b'#') {
        let (name, number) = word.split_once('#')?;
        let is_ticket = name.len() > 1 && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        return is_ticket.then_some(Kind::Ticket);
    }
    if token.may_have(b"*+~%$") && word.contains(['*', '+', '~', '%', '$']) {
        let is_glob = word.contains('*') && paths::has_known_ending(word);
        return is_glob.then_some(Kind::File);
    }
    if has(b'.') {
        let name = || if has(b'-') { hyphens::kind(word, text, token) } else { None };
        return paths::file(word).or_else(|| symbols::dotted(word)).or_else(name);
    }
    if has(b'-') {
        return hyphens::kind(word, text, token);
    }
    if paths::is_name(word) {
        return Some(Kind::File);
    }
    symbols::plain(word)
}

/// `@scope/pkg@1.2`, `@src/a.rs`, `@decorator`.
fn at_sign(word: &str) -> Option<Kind> {
    let rest = word.get(1..)?;
    if !rest.bytes().next()?.is_ascii_alphabetic() {
        return None;
    }
    match rest.split_once('/') {
        Some(_) if paths::has_known_ending(rest) => Some(Kind::Path),
        Some(_) => Some(Kind::Package),
        None => (rest.len() > 1).then_some(Kind::Symbol),
    }
}

/// `#123`, `#1a2b3c`.
fn hash_sign(word: &str) -> Option<Kind> {
    let rest = word.get(1..)?;
    let is_hex = rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    if rest.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() <= 6 && rest != "0" {
        return Some(Kind::Ticket);
    }
    (is_hex && matches!(rest.len(), 3 | 4 | 6 | 8)).then_some(Kind::Colour)
}

/// `--dry-run`, `--x=y`, `-rf`: where a word could begin.
fn flag(word: &str, token: &Token) -> Option<Kind> {
    let begins =
        token.before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '{' | '"' | '\'' | ',' | '|' | '`' | '/'));
    let name = word.trim_start_matches('-');
    let dashes = word.len() - name.len();
    let letters = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_flag = match dashes {
        1 => letters <= 14 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'=' | b':' | b'.')),
        2 => true,
        _ => false,
    };
    (begins && is_flag && name.bytes().next()?.is_ascii_alphabetic()).then_some(Kind::Flag)
}

/// `batch=37`, `FOO=`: one name, one sign.
fn assignment(name: &str, value: &str) -> Option<Kind> {
    let is_name = name.len() > 1
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    (is_name && !value.starts_with('=') && !value.is_empty()).then_some(Kind::Assignment)
}

/// `a@b.example`, `git@host:owner/name`, `pkg@1.2.3`.
fn email_or_package(word: &str) -> Option<Kind> {
    let (left, right) = word.split_once('@')?;
    if left.is_empty() || right.is_empty() {
        return None;
    }
    if right.contains(':') {
        return Some(Kind::Url);
    }
    if right.starts_with(|c: char| c.is_ascii_digit()) || matches!(right, "latest" | "next" | "main") {
        return Some(Kind::Package);
    }
    (right.contains('.') && !right.contains('/')).then_some(Kind::Email)
}

/// `name()`.
fn call(text: &str, token: &Token, word: &str) -> Option<Kind> {
    let is_name = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && word.starts_with(|c: char| c.is_ascii_alphabetic()) && is_called(text, token.range.end)).then_some(Kind::Symbol)
}

/// Where `().next().last()` ends.
fn end_of_calls(text: &str, from: usize) -> usize {
    let mut end = from;
    while is_called(text, end) {
        end += "()".len();
        let name = text.get(end..).and_then(|rest| rest.strip_prefix('.')).unwrap_or("");
        let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let next = end + ".".len() + length;
        if length > 0 && is_called(text, next) {
            end = next;
        }
    }
    end
}

fn is_called(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|rest| rest.starts_with("()"))
}

/// Whether letters outside ASCII, of a script that writes in words, go on before or behind.
fn is_part_of_a_word(text: &str, token: &Token) -> bool {
    let goes_on = |c: char| !c.is_ascii() && c.is_alphabetic() && !prose::is_cjk(c);
    let after = text.get(token.range.end..).and_then(|text| text.chars().next());
    // A folder may be called `R&D`.
    let is_joined = token.before == Some('&')
        && text.get(..token.range.start - 1).is_some_and(|text| text.ends_with(|c: char| c.is_ascii_uppercase()));
    token.before.is_some_and(goes_on) || after.is_some_and(goes_on) || is_joined
}
