//! Code mode: one `exec` call runs JavaScript, which calls tools itself.
//!
//! "Script completed" only says that the script came to its end. Whether its commands succeeded is known from the runtime's own
//! records between the call and its output, or from the results that the script prints; else nobody knows.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::Item;
use crate::transcript::Outcome;

/// How one tool call of a script ended; with its exit code, where a command failed.
type End = Result<(), Option<i32>>;

/// Items of the runtime that are tool calls of their own.
const TOOL_ITEMS: &[&str] = &["CommandExecution", "FileChange", "McpToolCall", "DynamicToolCall", "CollabAgentToolCall"];

/// A script that runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Tool calls that its text makes.
    calls: usize,
    /// Those whose end is known.
    ends: Vec<End>,
}

impl Script {
    /// A script of this text.
    pub(super) fn new(text: &str) -> Self {
        let called = |at: usize| {
            let name = text.get(at..).unwrap_or_default();
            name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start().starts_with('(')
        };
        Self { calls: text.match_indices("tools.").filter(|(at, dot)| called(at + dot.len())).count(), ends: Vec::new() }
    }

    /// Takes what the runtime says of something that ended while the script ran.
    pub(super) fn hear(&mut self, said: &Item<'_>) {
        let end = match &said.item.0 {
            Some(item) if TOOL_ITEMS.contains(&item.kind.as_str()) => match item.status.as_str() {
                "completed" => Some(Ok(())),
                "failed" | "declined" => Some(Err(code(item.exit_code))),
                _ => None,
            },
            Some(_) => None,
            None => match (said.kind.as_str(), code(said.exit_code)) {
                ("exec_command_end", exit) => exit.map(ended),
                ("patch_apply_end", _) if said.success.0 => Some(Ok(())),
                ("patch_apply_end", _) => Some(Err(None)),
                _ => None,
            },
        };
        self.ends.extend(end);
    }
}

/// How a script ended that completed with this output. Without its call, only what it printed counts.
pub(super) fn outcome(script: Option<&Script>, output: &str) -> Outcome<'static> {
    let printed = Printed::of(output);
    let heard = script.map_or(&[][..], |script| &script.ends);
    // Both tell of the same calls: the one that tells of more of them is believed, and a failure in either.
    let known = heard.len().max(printed.ends.len());
    let made = script.map(|script| script.calls);
    if let Some(exit) = heard.iter().chain(&printed.ends).find_map(|end| end.err()) {
        Outcome::Failed { exit }
    } else if let Some(session) = printed.running {
        Outcome::Started { handle: format!("proc:{session}").into() }
    } else if made.map_or(known > 0, |made| known >= made) {
        Outcome::Success
    } else {
        Outcome::Returned
    }
}

/// The results of `exec_command` that a script printed as JSON, one a line.
#[derive(Default)]
struct Printed {
    ends: Vec<End>,
    running: Option<i32>,
}

impl Printed {
    fn of(output: &str) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Result<'a> {
            #[serde(borrow)]
            wall_time_seconds: Option<&'a RawValue>,
            exit_code: Option<&'a RawValue>,
            session_id: Option<&'a RawValue>,
        }
        let mut printed = Self::default();
        for line in output.lines().filter(|line| line.starts_with('{') && line.contains("\"wall_time_seconds\"")) {
            let Ok(result) = serde_json::from_str::<Result<'_>>(line) else { continue };
            if result.wall_time_seconds.is_some() {
                printed.ends.extend(code(result.exit_code).map(ended));
                printed.running = printed.running.or(code(result.session_id));
            }
        }
        printed
    }
}

fn ended(code: i32) -> End {
    if code == 0 { Ok(()) } else { Err(Some(code)) }
}

/// A number that may be negative, or stand in a string.
fn code(raw: Option<&RawValue>) -> Option<i32> {
    raw?.get().trim_matches('"').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(items: &[&str]) -> Script {
        let mut script =
            Script::new("const a = await tools.exec_command({cmd:\"make\"}); await tools.apply_patch(p); text(a.output)");
        for item in items {
            script.hear(&serde_json::from_str(item).unwrap());
        }
        script
    }

    #[test]
    fn a_script_makes_the_calls_that_stand_in_it() {
        for (text, calls) in [
            ("text(1 + 1)", 0),
            ("await tools.exec_command({cmd:'a'}); await tools.apply_patch (p)", 2),
            ("const t = tools.exec_command; // tools. are nice", 0),
            ("await Promise.all([1,2].map(n => tools.mcp__x__get({n})))", 1),
        ] {
            assert_eq!(Script::new(text).calls, calls, "{text}");
        }
    }

    #[test]
    fn completed_is_no_success_until_every_call_is_known() {
        const OK: &str = r#"{"type":"item_completed","item":{"type":"CommandExecution","status":"completed","exit_code":0}}"#;
        const PATCHED: &str = r#"{"type":"patch_apply_end","call_id":"exec-1","success":true}"#;
        const FAILED: &str = r#"{"type":"item_completed","item":{"type":"CommandExecution","status":"failed","exit_code":2}}"#;
        const PLAN: &str = r#"{"type":"item_completed","item":{"type":"Plan","status":"completed"}}"#;
        let done = "Script completed\nWall time 1 seconds\nOutput:\n";
        for (items, output, expected) in [
            (&[][..], done.to_owned(), Outcome::Returned),
            (&[OK, PLAN], done.to_owned(), Outcome::Returned),
            (&[OK, PATCHED], done.to_owned(), Outcome::Success),
            (&[OK, FAILED], done.to_owned(), Outcome::Failed { exit: Some(2) }),
            (&[r#"{"type":"patch_apply_end","success":false}"#], done.to_owned(), Outcome::Failed { exit: None }),
            (
                &[],
                format!("{done}{{\"chunk_id\":\"a\",\"exit_code\":1,\"output\":\"\",\"wall_time_seconds\":0.1}}"),
                Outcome::Failed { exit: Some(1) },
            ),
            (
                &[PATCHED],
                format!("{done}{{\"output\":\"\",\"session_id\":77,\"wall_time_seconds\":0.1}}"),
                Outcome::Started { handle: "proc:77".into() },
            ),
            // Some other program's JSON.
            (&[], format!("{done}{{\"exit_code\":1}}\nbwrap: Failed to make / slave: Permission denied"), Outcome::Returned),
        ] {
            assert_eq!(outcome(Some(&heard(items)), &output), expected, "{items:?} {output}");
        }
        assert_eq!(outcome(Some(&Script::new("text('hi')")), done), Outcome::Success);
        assert_eq!(outcome(None, done), Outcome::Returned);
    }
}
