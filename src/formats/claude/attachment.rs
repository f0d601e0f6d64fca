//! Attachments (2.1.97 and later): what the runtime adds to a request, and words that a human typed while the agent worked.

use std::borrow::Cow;

use super::line::{Attachment, Line};
use super::message::{Voice, speech};
use super::names::{INJECTED_ATTACHMENTS, RULES_ATTACHMENTS};
use super::result;
use super::zone::{Typed, job_state};
use crate::formats::emit::Emit;
use crate::formats::json::text_under;
use crate::transcript::{Payload, Speaker};

/// The keys that hold what the model is shown.
const SHOWN: &[&str] =
    &["content", "text", "message", "prompt", "stdout", "stderr", "lines", "names", "addedLines", "snippet", "filename"];

/// An attachment line's events. `record`: its bytes.
pub(super) fn attachment(line: &Line<'_>, told: &Attachment<'_>, record: &[u8], emit: &mut Emit<'_, '_>) {
    let shown = || match line.rendered.filled() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(text_under(record, SHOWN)),
    };
    match told.kind.as_str() {
        "queued_command" => queued(told, emit),
        "task_status" => {
            let handle = Cow::Borrowed(told.task_id.as_str());
            emit.push(Payload::Job { handle, state: job_state(told.status.as_str()), text: shown() });
        }
        kind if RULES_ATTACHMENTS.has(kind) => emit.push(Payload::User { speaker: Speaker::Rules, text: shown() }),
        kind if INJECTED_ATTACHMENTS.has(kind) => emit.push(Payload::User { speaker: Speaker::Injected, text: shown() }),
        kind => emit.push(Payload::Unrecognised { name: Cow::Owned(format!("attachment/{kind}")), text: shown() }),
    }
}

/// A message that reached the agent in mid turn: of the human, unless its origin says otherwise.
fn queued(told: &Attachment<'_>, emit: &mut Emit<'_, '_>) {
    let origin = told.origin.0.as_ref().and_then(|origin| origin.kind.filled());
    let human = !told.is_meta.0 && origin.is_none_or(|kind| kind == "human");
    let voice = Voice {
        speaker: if human { Speaker::Steering } else { Speaker::Injected },
        typed: if origin == Some("human") { Typed::Said } else { Typed::Unsaid },
    };
    speech(&result::text(&told.prompt), voice, emit);
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::testing::events;

    #[test]
    fn each_kind_has_its_speaker() {
        for (attachment, event) in [
            (r#"{"type":"queued_command","prompt":"wait for me","commandMode":"prompt"}"#, "Steering: wait for me"),
            (
                r#"{"type":"queued_command","prompt":[{"type":"text","text":"wait"},{"type":"image"}],"origin":{"kind":"human"}}"#,
                "Steering: wait\n[image]",
            ),
            (r#"{"type":"queued_command","prompt":"hello","origin":{"kind":"peer"}}"#, "Injected: hello"),
            (r#"{"type":"queued_command","prompt":"hello","isMeta":true}"#, "Injected: hello"),
            (
                r#"{"type":"queued_command","prompt":"<task-notification><task-id>b1</task-id><status>completed</status></task-notification>","commandMode":"task-notification"}"#,
                "Job b1 Completed: <task-notification><task-id>b1</task-id><status>completed</status></task-notification>",
            ),
            (r#"{"type":"task_status","taskId":"b2","taskType":"local_bash","status":"killed","content":"x"}"#, "Job b2 Killed: x"),
            (r#"{"type":"compact_file_reference","filename":"/a/b.rs"}"#, "Injected: /a/b.rs"),
            (r#"{"type":"file","filename":"/a","content":{"type":"text","file":{"content":"fn main"}}}"#, "Injected: /a\nfn main"),
            (
                r#"{"type":"nested_memory","path":"/r/CLAUDE.md","content":{"path":"/r/CLAUDE.md","content":"Never push."}}"#,
                "Rules: /r/CLAUDE.md\nNever push.",
            ),
            (r#"{"type":"brand_new","content":"do x"}"#, "Unrecognised attachment/brand_new: do x"),
        ] {
            assert_eq!(
                events(&[&format!(r#"{{"type":"attachment","uuid":"u","attachment":{attachment}}}"#)]),
                [event],
                "{attachment}"
            );
        }
    }

    #[test]
    fn what_the_model_was_shown_counts_more_than_its_parts() {
        let line = r#"{"type":"attachment","uuid":"u","rendered":"<system-reminder>As shown</system-reminder>","attachment":{"type":"task_reminder","content":[]}}"#;
        assert_eq!(events(&[line]), ["Injected: <system-reminder>As shown</system-reminder>"]);
    }
}
