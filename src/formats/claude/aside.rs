//! Lines that are no message: the runtime's own records, progress, and the queue of typed messages.

use std::borrow::Cow;

use super::boundary;
use super::line::Line;
use super::message::{Voice, speech};
use super::names;
use super::result;
use super::zone::Typed;
use crate::formats::emit::Emit;
use crate::transcript::{Mark, Payload, Speaker};

/// A system line.
pub(super) fn system(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    match line.subtype.as_str() {
        "compact_boundary" => boundary::compact(line, emit),
        "microcompact_boundary" => boundary::microcompact(line, emit),
        "api_error" => emit.push(Payload::Mark(Mark::RequestFailed)),
        "turn_duration" => emit.push(Payload::Mark(Mark::TurnEnded)),
        "stop_hook_summary" if goes_on(line) => {}
        "stop_hook_summary" => emit.push(Payload::Mark(Mark::TurnEnded)),
        // 1.0.x wrote warnings of hooks without a subtype.
        "" | "local_command" | "informational" => {
            let text = result::text(&line.content);
            if !text.is_empty() {
                emit.push(Payload::User { speaker: Speaker::Injected, text });
            }
        }
        subtype if names::SYSTEM.has(subtype) => {}
        subtype => {
            emit.push(Payload::Unrecognised { name: Cow::Owned(format!("system/{subtype}")), text: result::text(&line.content) });
        }
    }
}

/// A stop hook that blocks makes the agent go on; one that merely failed does not.
fn goes_on(line: &Line<'_>) -> bool {
    let blocks = |error: &str| !error.starts_with("Failed with non-blocking status code");
    !line.prevented_continuation.0 && line.hook_errors.0.iter().any(|error| blocks(error.as_str()))
}

/// A progress line of the lane itself. A hook's line after a tool proves that the tool ran, also where call or result were lost; one
/// that runs when the agent stops, that its turn is over, also where nothing else says so.
pub(super) fn progress(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    let Some(data) = &line.data.0 else { return };
    match (data.kind.as_str(), data.hook_event.as_str()) {
        ("hook_progress", "PostToolUse") => {
            let tool = data.hook_name.as_str().split_once(':').map_or("", |(_, tool)| tool);
            if let Some(call) = line.parent_tool_use_id.filled() {
                emit.push(Payload::Ran { call: Cow::Borrowed(call), tool: Cow::Borrowed(tool) });
            }
        }
        ("hook_progress", "Stop") => emit.push(Payload::Mark(Mark::TurnEnded)),
        (kind, _) if names::PROGRESS.has(kind) => {}
        (kind, _) => {
            emit.push(Payload::Unrecognised { name: Cow::Owned(format!("progress/{kind}")), text: Cow::Borrowed("") });
        }
    }
}

/// The queue of messages typed while the agent works. Up to 2.1.96 a message that the agent took in mid turn stands nowhere else, so
/// that its words count when they are queued; other operations repeat them or take them back unread.
pub(super) fn queue(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    let text = result::text(&line.content);
    // A task that starts is announced as an object.
    if line.operation.as_str() != "enqueue" || text.starts_with("{\"task_id\"") {
        return;
    }
    let speaker = if text.starts_with('/') { Speaker::Injected } else { Speaker::Steering };
    speech(&text, Voice { speaker, typed: Typed::Unsaid }, emit);
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::testing::told;

    #[test]
    fn what_each_line_means() {
        for (line, events) in [
            (r#"{"type":"system","subtype":"turn_duration","durationMs":5,"uuid":"u"}"#, &["TurnEnded"][..]),
            (r#"{"type":"system","subtype":"stop_hook_summary","hookErrors":[],"uuid":"u"}"#, &["TurnEnded"]),
            (
                r#"{"type":"system","subtype":"stop_hook_summary","hookErrors":["Failed with non-blocking status code: x"],"uuid":"u"}"#,
                &["TurnEnded"],
            ),
            (r#"{"type":"system","subtype":"stop_hook_summary","hookErrors":["tests fail"],"uuid":"u"}"#, &[]),
            (
                r#"{"type":"system","subtype":"stop_hook_summary","hookErrors":["x"],"preventedContinuation":true,"uuid":"u"}"#,
                &["TurnEnded"],
            ),
            (r#"{"type":"system","subtype":"api_error","error":{},"retryAttempt":1,"uuid":"u"}"#, &["RequestFailed"]),
            (r#"{"type":"system","content":"Running hook x","level":"info","uuid":"u"}"#, &["Injected: Running hook x"]),
            (
                r#"{"type":"system","subtype":"local_command","content":"<command-name>/skills</command-name>","uuid":"u"}"#,
                &["Injected: <command-name>/skills</command-name>"],
            ),
            (r#"{"type":"system","subtype":"away_summary","content":"While you were away","uuid":"u"}"#, &[]),
            (r#"{"type":"system","subtype":"novelty","content":"do x","uuid":"u"}"#, &["Unrecognised system/novelty: do x"]),
            (
                r#"{"type":"progress","uuid":"u","data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:Edit"},"parentToolUseID":"t1","toolUseID":"t1"}"#,
                &["Ran t1 Edit"],
            ),
            (
                r#"{"type":"progress","uuid":"u","data":{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"PreToolUse:Edit"},"parentToolUseID":"t1"}"#,
                &[],
            ),
            (
                r#"{"type":"progress","uuid":"u","data":{"type":"hook_progress","hookEvent":"Stop","hookName":"Stop","command":"./stop.sh"}}"#,
                &["TurnEnded"],
            ),
            (r#"{"type":"progress","uuid":"u","data":{"type":"bash_progress","output":"1\n2"},"parentToolUseID":"t1"}"#, &[]),
            (r#"{"type":"progress","uuid":"u","data":{"type":"novelty"}}"#, &["Unrecognised progress/novelty: "]),
            (r#"{"type":"queue-operation","operation":"enqueue","content":"use main instead"}"#, &["Steering: use main instead"]),
            (
                r#"{"type":"queue-operation","operation":"enqueue","content":[{"type":"text","text":"use main"}]}"#,
                &["Steering: use main"],
            ),
            (r#"{"type":"queue-operation","operation":"enqueue","content":"/compact"}"#, &["Injected: /compact"]),
            (
                r#"{"type":"queue-operation","operation":"enqueue","content":"{\"task_id\":\"b1\",\"task_type\":\"local_bash\"}"}"#,
                &[],
            ),
            (
                r#"{"type":"queue-operation","operation":"enqueue","content":"<agent-notification><agent-id>a1</agent-id><status>completed</status></agent-notification>"}"#,
                &["Job a1 Completed: <agent-notification><agent-id>a1</agent-id><status>completed</status></agent-notification>"],
            ),
            (r#"{"type":"queue-operation","operation":"remove","content":"use main instead"}"#, &[]),
            (r#"{"type":"queue-operation","operation":"popAll","content":"use main instead"}"#, &[]),
            (r#"{"type":"queue-operation","operation":"dequeue"}"#, &[]),
        ] {
            let told = told(&[line]);
            assert_eq!(told.events, events, "{line}");
            assert_eq!(told.facts.len(), usize::from(events.is_empty()), "{line}");
        }
    }
}
