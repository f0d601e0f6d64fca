//! Words with hyphens: names of things (`user-service`, `ABC-12`, `gpt-4o`), or plain English (`well-known`, `end-to-end`).

use super::kind::IdentifierKind as Kind;
use super::prose;
use super::tokens::Token;
use crate::base::words::WordSet;

/// Parts that make a name of a thing.
#[rustfmt::skip]
static THINGS: WordSet<256> = WordSet::new(&[
    "api", "service", "services", "server", "client", "app", "apps", "cli", "ui", "sdk", "db", "lib", "libs", "utils", "util",
    "config", "configs", "plugin", "plugins", "worker", "workers", "bot", "svc", "rs", "js", "ts", "py", "go", "css", "html",
    "json", "yaml", "toml", "md", "sql", "git", "npm", "cargo", "docker", "aws", "gcp", "http", "https", "grpc", "tcp", "url",
    "uri", "id", "ids", "uuid", "env", "dev", "prod", "staging", "ctx", "src", "repo", "pkg", "bin", "cmd", "tmp", "log", "logs",
    "auth", "mcp", "llm", "gpt", "claude", "codex", "ssh", "tls", "jwt", "postgres", "redis", "kafka", "nginx", "vm", "k8s",
    "tui", "cors", "csv", "xml", "pdf", "img", "btn", "nav", "svg", "wasm", "cdn",
]);

/// What a word with hyphens is.
pub(super) fn kind(word: &str, text: &str, token: &Token) -> Option<Kind> {
    let parts = || word.split('-');
    if parts().any(str::is_empty) {
        return None;
    }
    if let Some((name, number)) = word.rsplit_once('-') {
        let is_project =
            (2..=10).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let is_number = !number.is_empty() && number.len() <= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_project && is_number && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return (!prose::is_standard(name)).then_some(Kind::Ticket);
        }
    }
    let is_inner = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/'));
    if !parts().all(is_inner) {
        return None;
    }
    if parts().any(|part| part.contains('_') || (part.contains('.') && part.len() > 2)) {
        return Some(Kind::Name);
    }
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return numbered(word);
    }
    let lower = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !lower {
        return None;
    }
    let after = text.get(token.range.end..).and_then(|text| text.chars().next());
    if token.before == after && matches!(after, Some('"' | '\'')) {
        return Some(Kind::Name);
    }
    if is_plain(word) || is_tag(text, token) {
        return None;
    }
    (parts().count() > 2 || parts().any(|part| THINGS.has(part))).then_some(Kind::Name)
}

/// Whether a word with hyphens is plain English, or the mode of a file.
pub(super) fn is_plain(word: &str) -> bool {
    prose::is_hyphenated(word) || is_mode(word)
}

/// `<task-id>`, `</task-id>`
fn is_tag(text: &str, token: &Token) -> bool {
    text.get(..token.range.start).is_some_and(|text| text.ends_with('<') || text.ends_with("</"))
}

/// `drwxr-xr-x`
fn is_mode(word: &str) -> bool {
    word.len() >= 9 && word.bytes().all(|byte| b"drwxslt-".contains(&byte))
}

/// `gpt-4o`, `bk-2291`, `run-42`; not `7-char`, `30-day`, `top-10`, `mid-2024`.
fn numbered(word: &str) -> Option<Kind> {
    let parts = || word.split('-');
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if parts().all(number) || parts().next().is_some_and(|part| number(part) && part.len() <= 4) {
        return None;
    }
    let first = parts().next()?;
    let is_prose = parts().count() == 2 && (prose::is_numbered_word(first) || prose::is_prefix(first));
    if is_prose {
        return None;
    }
    let long = parts().any(|part| part.len() >= 4 && part.bytes().any(|b| b.is_ascii_digit()) && !number(part));
    Some(if long { Kind::Id } else { Kind::Name })
}
