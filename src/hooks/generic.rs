//! The hook of any runtime: one JSON object in, one out (`owed.gate/1`).

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::hooks::gate::{Answer, Decision, Trigger};
use crate::hooks::protocol::{Before, Event, Reply, Then};
use crate::report::json;

/// What a runtime sends.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, tag = "event", rename_all = "lowercase")]
enum Input {
    Before {
        session: String,
        #[serde(default)]
        lane: Option<String>,
        transcript: PathBuf,
        #[serde(default = "auto")]
        trigger: Trigger,
        #[serde(default)]
        format: Option<String>,
        #[serde(default)]
        policy: Option<String>,
    },
    After {
        session: String,
        #[serde(default)]
        lane: Option<String>,
    },
}

fn auto() -> Trigger {
    Trigger::Auto
}

/// What it is answered before a compaction.
#[derive(Serialize)]
struct Output<'a> {
    schema: &'static str,
    event: &'static str,
    /// `pass`, `warn`, `block` or `forced`.
    decision: &'static str,
    verdict: &'static str,
    /// Why it does not simply pass; null where it does.
    reason: Option<&'a str>,
    /// The file in which the carriers stand; null where nothing is owed.
    carriers: Option<&'a Path>,
    /// For the summariser, as it stands; empty where nothing is open.
    briefing: &'a str,
}

/// What it is answered after one.
#[derive(Serialize)]
struct Restored<'a> {
    schema: &'static str,
    event: &'static str,
    /// What goes into the context, as it stands; null where nothing is owed.
    inject: Option<&'a str>,
}

const SCHEMA: &str = "owed.gate/1";

/// Reads what a runtime sends.
///
/// # Errors
/// What is wrong with it.
pub fn read(bytes: &[u8]) -> Result<Event, String> {
    let input = serde_json::from_slice(bytes).map_err(|error| format!("standard input is not what a gate is asked: {error}"))?;
    Ok(match input {
        Input::Before { session, lane, transcript, trigger, format, policy } => {
            Event::Before(Before { session, lane, transcript, trigger, format, policy })
        }
        Input::After { session, lane } => Event::After { session, lane },
    })
}

/// What is said before a compaction.
#[must_use]
pub fn before(answer: &Answer) -> Reply {
    let output = Output {
        schema: SCHEMA,
        event: "before",
        decision: answer.decision.word(),
        verdict: answer.verdict.word(),
        reason: answer.decision.reason(),
        carriers: answer.carriers.as_deref(),
        briefing: &answer.briefing,
    };
    let then = if matches!(answer.decision, Decision::Block(_)) { Then::Stop(answer.verdict) } else { Then::GoOn };
    Reply { stdout: line(&output), stderr: None, then }
}

/// What is said after one.
#[must_use]
pub fn after(carriers: Option<Vec<u8>>) -> Reply {
    let text = carriers.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Reply { stdout: line(&Restored { schema: SCHEMA, event: "after", inject: text.as_deref() }), ..Reply::default() }
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = Vec::new();
    // Writing to memory does not fail; a path that is no text is the only thing that cannot be written.
    json::write_line(&mut line, value).ok();
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runtime_sends() {
        let before = |trigger, format: Option<&str>| {
            let (session, transcript) = ("s".to_owned(), PathBuf::from("/p"));
            Event::Before(Before { session, lane: None, transcript, trigger, format: format.map(str::to_owned), policy: None })
        };
        for (json, event) in [
            (r#"{"event":"before","session":"s","transcript":"/p"}"#, before(Trigger::Auto, None)),
            (
                r#"{"event":"before","session":"s","transcript":"/p","trigger":"manual","format":"codex"}"#,
                before(Trigger::Manual, Some("codex")),
            ),
            (r#"{"event":"after","session":"s"}"#, Event::After { session: "s".into(), lane: None }),
            (r#"{"event":"after","session":"s","lane":"a1"}"#, Event::After { session: "s".into(), lane: Some("a1".into()) }),
        ] {
            assert_eq!(read(json.as_bytes()).unwrap(), event, "{json}");
        }
        for json in [
            "",
            "{}",
            r#"{"event":"during","session":"s"}"#,
            r#"{"event":"before","session":"s"}"#,
            r#"{"event":"after","session":"s","transcipt":"/p"}"#,
            r#"{"event":"before","session":"s","transcript":"/p","trigger":"soon"}"#,
        ] {
            assert!(read(json.as_bytes()).is_err(), "{json}");
        }
    }
}
