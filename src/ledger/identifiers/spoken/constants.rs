//! Words in capitals that are no shouting: levels of a log, methods of a request, files without an ending, states.

use super::{Identifier, Kind, Spoken};

const LEVELS: &[&str] = &["DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "TRACE"];
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const FILES: &[&str] = &["CODEOWNERS", "README", "LICENSE", "CHANGELOG", "CONTRIBUTING", "AUTHORS", "NOTICE"];

/// Beside a level, and beside a method.
const LOGS: &[&str] =
    &["level", "levels", "log", "logs", "logging", "logged", "logger", "severity", "auf", "nivel", "nível", "niveau"];
const REQUESTS: &[&str] =
    &["request", "requests", "endpoint", "endpoints", "route", "routes", "method", "methods", "handler", "call", "to", "on"];

/// What is said to be one of a few words.
#[rustfmt::skip]
const STATES: &[&str] = &[
    "status", "state", "level", "type", "role", "mode", "value", "enum", "constant", "variable", "phase", "estado", "zustand",
    "statut", "état", "статус", "default", "env",
];
const BECOMES: &[&str] = &["to", "is", "as", "be", "auf", "ist", "à", "a", "na", "в", "stays", "becomes", "or", "not"];

/// Capitals that shout, or that everybody knows.
#[rustfmt::skip]
const NO_CONSTANTS: &[&str] = &[
    "NOT", "NEVER", "ONLY", "ALWAYS", "ALL", "ANY", "MUST", "THE", "THIS", "THAT", "VERY", "REALLY", "NO", "YES", "DO", "AND", "OR",
    "API", "JSON", "HTML", "HTTP", "SQL", "URL", "UI", "UX", "CLI", "CSS", "PDF", "XML", "YAML", "HTTPS", "REST", "TUI", "IDE",
    "AI", "LLM", "MCP", "CI", "PR", "OK", "ID", "IDS",
];

/// Constants by the words beside them.
pub(super) fn constants(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let in_text = |list: &[&str], but: usize| {
        spoken.words.iter().enumerate().any(|(n, word)| n != but && list.contains(&word.lower.as_str()))
    };
    let mut found = Vec::new();
    for (n, word) in spoken.words.iter().enumerate().filter(|(_, word)| is_capital(word.text)) {
        let text = word.text;
        let after = spoken.after(n);
        let is_state = STATES.contains(&spoken.before(n))
            || (BECOMES.contains(&spoken.before(n)) && n.checked_sub(1).is_some_and(|n| STATES.contains(&spoken.before(n))));
        let kind = if FILES.contains(&text) {
            Kind::File
        } else if LEVELS.contains(&text) && in_text(LOGS, n)
            || METHODS.contains(&text) && (REQUESTS.contains(&after) || is_path_behind(spoken, n))
            || is_state && text.len() > 2 && !NO_CONSTANTS.contains(&text)
        {
            Kind::Symbol
        } else {
            continue;
        };
        found.push(Identifier { kind, range: word.range.clone() });
    }
    found
}

fn is_path_behind(spoken: &Spoken<'_>, n: usize) -> bool {
    spoken.words.get(n + 1).is_some_and(|next| next.opens.ends_with('/') || next.text.starts_with("http"))
}

fn is_capital(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
