//! The hooks of Claude Code: PreCompact (since 1.0.48; may stop a compaction since 2.1.105) and SessionStart (since 1.0.62), the only one
//! whose output goes to the model after a compaction.
//!
//! PreCompact: exit code 2 stops the compaction and shows standard error to the user; with 0, standard output is added to the
//! summariser's instructions; any other code is shown, and the compaction goes on. SessionStart: with 0, standard output goes into the
//! context.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::hooks::gate::{Answer, Decision, Trigger};
use crate::hooks::protocol::{Before, Event, Reply, Then};

/// The fields of a hook's JSON that are of interest here; the others may come and go.
#[derive(Deserialize)]
struct Input {
    hook_event_name: String,
    session_id: Option<String>,
    /// Of what happens to a sub-agent.
    agent_id: Option<String>,
    transcript_path: Option<PathBuf>,
    trigger: Option<String>,
    source: Option<String>,
}

/// Reads what Claude Code sends.
///
/// # Errors
/// It is no hook's JSON, or does not say which session it is about.
pub fn read(bytes: &[u8]) -> Result<Event, String> {
    let input: Input =
        serde_json::from_slice(bytes).map_err(|error| format!("standard input is no hook's JSON: {}", wrong(bytes, &error)))?;
    match (input.hook_event_name.as_str(), input.source.as_deref()) {
        ("PreCompact", _) => {
            let session = session(&input)?;
            let transcript = input.transcript_path.clone().filter(|path| !path.as_os_str().is_empty());
            Ok(Event::Before(Before {
                session,
                lane: lane(&input),
                transcript: transcript.ok_or("the hook's JSON has no `transcript_path`")?,
                // What nobody is said to have asked for, the runtime began by itself.
                trigger: if input.trigger.as_deref() == Some("manual") { Trigger::Manual } else { Trigger::Auto },
                format: None,
                policy: None,
            }))
        }
        ("SessionStart", Some("compact")) => Ok(Event::After { session: session(&input)?, lane: lane(&input) }),
        _ => Ok(Event::Other),
    }
}

/// What is wrong with it.
fn wrong(bytes: &[u8], error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    let place = format!("line {}, column {}", error.line(), error.column());
    match error.classify() {
        _ if bytes.trim_ascii().is_empty() => "nothing came".to_owned(),
        Category::Eof => format!("it ends in the middle, at {place}"),
        Category::Syntax | Category::Io => format!("it is broken at {place}"),
        Category::Data if !bytes.trim_ascii_start().starts_with(b"{") => "it is no object".to_owned(),
        Category::Data if error.to_string().starts_with("missing field") => "it has no `hook_event_name`".to_owned(),
        Category::Data => format!("a field is of another kind than a hook's, at {place}"),
    }
}

/// The sub-agent whose context it is: named, or the transcript is its own file (`agent-ID.jsonl`), whose session is its parent's.
fn lane(input: &Input) -> Option<String> {
    let stem = input.transcript_path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    let own = stem.as_deref().and_then(|stem| stem.strip_prefix("agent-")).map(str::to_owned);
    input.agent_id.clone().filter(|id| !id.is_empty()).or(own)
}

/// The session's id; where there is none, its transcript's name, which is the same.
fn session(input: &Input) -> Result<String, String> {
    let named = input.transcript_path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let id = input.session_id.clone().filter(|id| !id.is_empty()).or(named);
    id.ok_or_else(|| "the hook's JSON has no `session_id`".to_owned())
}

/// What is said to PreCompact.
#[must_use]
pub fn before(answer: &Answer) -> Reply {
    let stderr = answer.decision.reason().map(|reason| format!("owed: {reason}"));
    match answer.decision {
        Decision::Block(_) => Reply { stdout: Vec::new(), stderr, then: Then::Stop(answer.verdict) },
        Decision::Pass | Decision::Warn(_) | Decision::Forced(_) => {
            Reply { stdout: answer.briefing.clone().into_bytes(), stderr, then: Then::GoOn }
        }
    }
}

/// What is said to SessionStart after a compaction.
#[must_use]
pub fn after(carriers: Option<Vec<u8>>) -> Reply {
    Reply { stdout: carriers.unwrap_or_default(), ..Reply::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_claude_code_sends() {
        let before = |session: &str, trigger| {
            let transcript = PathBuf::from("/p/s1.jsonl");
            Ok(Event::Before(Before { session: session.into(), lane: None, transcript, trigger, format: None, policy: None }))
        };
        let of_agent = |path: &str| {
            let (session, lane, transcript) = ("s1".to_owned(), Some("a4c81e2".to_owned()), PathBuf::from(path));
            Ok(Event::Before(Before { session, lane, transcript, trigger: Trigger::Auto, format: None, policy: None }))
        };
        let after = Ok(Event::After { session: "s1".into(), lane: None });
        let common = r#""session_id":"s1","transcript_path":"/p/s1.jsonl","cwd":"/w","permission_mode":"default""#;
        for (json, event) in [
            (
                format!(r#"{{{common},"hook_event_name":"PreCompact","trigger":"manual","custom_instructions":"keep it"}}"#),
                before("s1", Trigger::Manual),
            ),
            (
                format!(r#"{{{common},"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}}"#),
                before("s1", Trigger::Auto),
            ),
            (format!(r#"{{{common},"hook_event_name":"PreCompact"}}"#), before("s1", Trigger::Auto)),
            (format!(r#"{{{common},"hook_event_name":"PreCompact","trigger":"new"}}"#), before("s1", Trigger::Auto)),
            (r#"{"hook_event_name":"PreCompact","transcript_path":"/p/s1.jsonl"}"#.into(), before("s1", Trigger::Auto)),
            (
                format!(r#"{{{common},"hook_event_name":"PreCompact","agent_id":"a4c81e2","agent_type":"Explore"}}"#),
                of_agent("/p/s1.jsonl"),
            ),
            (
                r#"{"hook_event_name":"PreCompact","session_id":"s1","transcript_path":"/p/s1/subagents/agent-a4c81e2.jsonl"}"#
                    .into(),
                of_agent("/p/s1/subagents/agent-a4c81e2.jsonl"),
            ),
            (
                format!(r#"{{{common},"hook_event_name":"SessionStart","source":"compact","agent_id":"a4c81e2"}}"#),
                Ok(Event::After { session: "s1".into(), lane: Some("a4c81e2".into()) }),
            ),
            (format!(r#"{{{common},"hook_event_name":"SessionStart","source":"compact"}}"#), after.clone()),
            (format!(r#"{{{common},"hook_event_name":"SessionStart","source":"compact","model":"x","new":[1]}}"#), after),
            (format!(r#"{{{common},"hook_event_name":"SessionStart","source":"startup"}}"#), Ok(Event::Other)),
            (format!(r#"{{{common},"hook_event_name":"SessionStart","source":"resume"}}"#), Ok(Event::Other)),
            (format!(r#"{{{common},"hook_event_name":"SessionStart","source":"clear"}}"#), Ok(Event::Other)),
            (format!(r#"{{{common},"hook_event_name":"SessionStart"}}"#), Ok(Event::Other)),
            (format!(r#"{{{common},"hook_event_name":"PostCompact","compact_summary":"x"}}"#), Ok(Event::Other)),
            (r#"{"hook_event_name":"Stop"}"#.into(), Ok(Event::Other)),
        ] {
            assert_eq!(read(json.as_bytes()), event, "{json}");
        }
        for (json, told) in [
            ("", "standard input is no hook's JSON: nothing came"),
            ("[]", "standard input is no hook's JSON: it is no object"),
            ("{}", "standard input is no hook's JSON: it has no `hook_event_name`"),
            (r#"{"hook_event_name":"#, "standard input is no hook's JSON: it ends in the middle, at line 1, column 19"),
            ("hello", "standard input is no hook's JSON: it is broken at line 1, column 1"),
            (
                r#"{"hook_event_name":7}"#,
                "standard input is no hook's JSON: a field is of another kind than a hook's, at line 1, column 20",
            ),
            (r#"{"hook_event_name":"PreCompact"}"#, "the hook's JSON has no `session_id`"),
            (r#"{"hook_event_name":"PreCompact","session_id":"s"}"#, "the hook's JSON has no `transcript_path`"),
            (
                r#"{"hook_event_name":"PreCompact","session_id":"s","transcript_path":""}"#,
                "the hook's JSON has no `transcript_path`",
            ),
            (r#"{"hook_event_name":"SessionStart","source":"compact","session_id":""}"#, "the hook's JSON has no `session_id`"),
        ] {
            assert!(read(json.as_bytes()).unwrap_err().starts_with(told), "{json}");
        }
    }
}
