//! Names in code: `camelCase`, `snake_case`, `CONST_ANT`, `a.b.c`, `a::b`, `scope:name`.

use super::kind::IdentifierKind as Kind;
use super::{paths, prose};

/// What a word of letters, digits and underscores is.
pub(super) fn plain(word: &str) -> Option<Kind> {
    if word.contains('_') {
        let inner = word.trim_matches('_');
        let edges = word.len() - inner.len();
        // `_emphasis_` is none, `__init__` and `_private` are.
        let is_name = inner.contains('_') || edges >= 4 || (word.starts_with('_') && !word.ends_with('_'));
        return (is_name && inner.bytes().any(|byte| byte.is_ascii_alphabetic())).then_some(Kind::Symbol);
    }
    is_camel(word).then_some(Kind::Symbol)
}

/// `camelCase`, `PascalCase`, `HTTPServer`; not `GitHub`, `APIs`, `Word`, `WORD`, `useState`.
pub(super) fn is_camel(word: &str) -> bool {
    let bytes = word.as_bytes();
    if word.len() < 4 || !bytes.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    let turns = bytes.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase())).count();
    let is_acronym_first = || {
        let upper = bytes.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        upper >= 3 && word.len() - upper >= 3 && bytes.iter().skip(upper).all(u8::is_ascii_lowercase)
    };
    (turns > 0 || is_acronym_first()) && !prose::is_brand(word) && !prose::is_language(word)
}

/// `render_message/1`, `Repo.insert/2`: a function and how many arguments it takes.
pub(super) fn has_arity(word: &str) -> bool {
    word.split_once('/').is_some_and(|(name, arity)| {
        arity.len() == 1
            && arity.bytes().all(|byte| byte.is_ascii_digit())
            && name.contains(['_', '.'])
            && is_chain(name.split('.'))
    })
}

/// What a word with colons is.
pub(super) fn colons(word: &str) -> Option<Kind> {
    if word.contains("::") {
        return is_chain(word.split("::")).then_some(Kind::Symbol);
    }
    let bare = paths::without_line(word);
    if bare.len() < word.len() {
        let port = word.get(bare.len() + 1..).unwrap_or("");
        if paths::file(bare) == Some(Kind::File) {
            return Some(Kind::File);
        }
        let is_port = (2..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
        let is_address =
            bare == "localhost" || bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && bare.contains('.');
        if is_port && (is_address || paths::file(bare) == Some(Kind::Host)) {
            return Some(Kind::Host);
        }
        return plain_part(bare).then_some(Kind::Symbol).filter(|_| bare.contains(['_', '-', '.']) || is_camel(bare));
    }
    let (left, right) = word.split_once(':')?;
    let is_name = |part: &str| part.len() > 1 && part.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    (is_name(left) && !right.is_empty() && right.split(':').all(is_tail)).then_some(Kind::Symbol)
}

fn is_tail(part: &str) -> bool {
    part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'*'))
}

/// `a.b.c`: names joined by dots; not `e.g`, not an initial.
pub(super) fn dotted(word: &str) -> Option<Kind> {
    if prose::is_abbreviation(word) || !is_chain(word.split('.')) {
        return None;
    }
    let mut parts = word.split('.');
    let (first, last) = (parts.next()?, parts.next_back()?);
    let is_sentence_end = first.len() > 3 && is_word(first) && last.len() > 1 && is_capital(last) && word.split('.').count() == 2;
    // "done.Now" is a missing space; `Spotter.Services` and `git.Repository` are names.
    (!(is_sentence_end && prose::begins_a_sentence(last)) && word.len() > 3).then_some(Kind::Symbol)
}

fn is_word(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_capital(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Whether all parts are names.
fn is_chain<'a>(mut parts: impl Iterator<Item = &'a str>) -> bool {
    parts.all(|part| !part.is_empty() && plain_part(part))
}

fn plain_part(part: &str) -> bool {
    part.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}
