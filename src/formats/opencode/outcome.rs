//! How a call ended (packages/opencode/src/session/{prompt,processor}.ts, tool/bash.ts, permission).

use serde_json::value::RawValue;

use super::line::{Metadata, State};
use crate::formats::outcome::{begins, exited, failure};
use crate::transcript::Outcome;

/// How the errors begin that OpenCode itself writes.
const ERRORS: &[(&str, Outcome<'static>)] = &[
    // Also what it makes of the calls that an abort finds running.
    ("Tool execution aborted", Outcome::Interrupted),
    ("[Tool execution was interrupted]", Outcome::Synthetic),
    ("The user rejected permission", Outcome::Declined),
    ("The user dismissed this question", Outcome::Declined),
    ("The user has specified a rule which prevents", Outcome::Refused),
    ("Model tried to call unavailable tool", Outcome::Refused),
    ("The arguments provided to the tool are invalid", Outcome::Refused),
    ("Invalid input for tool", Outcome::Refused),
];

/// Behind the output of a shell: what it does not say itself.
const TAILS: [&str; 2] = ["<bash_metadata>", "<shell_metadata>"];

/// The outcome of a call in this state; none while it has none.
pub(super) fn of(state: &State<'_>, text: &str) -> Option<Outcome<'static>> {
    match state.status.as_str() {
        "error" => Some(begins(text, ERRORS).unwrap_or_else(|| failure(text))),
        "completed" => Some(completed(state.metadata.0.as_ref(), text)),
        _ => None,
    }
}

/// A shell is completed whatever its command came to.
fn completed(metadata: Option<&Metadata<'_>>, text: &str) -> Outcome<'static> {
    let tail = TAILS.iter().find_map(|tail| text.rsplit_once(tail)).map_or("", |(_, tail)| tail);
    if tail.contains("exceeding timeout") {
        return Outcome::TimedOut;
    }
    if tail.contains("User aborted the command") || metadata.is_some_and(|metadata| metadata.interrupted.0) {
        return Outcome::Interrupted;
    }
    match metadata.and_then(|metadata| metadata.exit).map(RawValue::get) {
        None => Outcome::Success,
        Some("null") => Outcome::Lost,
        Some(code) => code.parse().map_or(Outcome::Returned, exited),
    }
}
