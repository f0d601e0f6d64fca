//! An event as text, exactly: for the clipboard and the pager.

use super::call;
use crate::session::Body;
use crate::transcript::Payload;

/// What an event says; of a call what it was made with, and its result.
pub(crate) fn plain(event: &Body, end: Option<&Body>) -> String {
    let text = match &event.payload {
        Payload::User { text, .. } | Payload::Assistant { text } | Payload::Reasoning { text } => text.to_string(),
        Payload::Summary { text, .. } | Payload::Job { text, .. } | Payload::Unrecognised { text, .. } => text.to_string(),
        Payload::Resolution(resolution) => resolution.text.to_string(),
        Payload::Call(_) => command(&event.payload).unwrap_or_default(),
        Payload::Boundary(_) | Payload::Mark(_) | Payload::Ran { .. } => String::new(),
    };
    let text = if text.is_empty() { event.raw.clone() } else { text };
    match end.map(|end| plain(end, None)) {
        Some(result) => format!("{text}\n\n{result}"),
        None => text,
    }
}

/// The command of a call, or the path that it names, or all of its input; none: it is no call.
pub(crate) fn command(payload: &Payload<'_>) -> Option<String> {
    let Payload::Call(made) = payload else { return None };
    Some(call::essence(made.input.as_str()).unwrap_or_else(|| made.input.as_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Call, Input, Outcome, Resolution, Speaker};

    fn body(payload: Payload<'static>) -> Body {
        Body { raw: "{\"raw\":1}".to_owned(), payload }
    }

    #[test]
    fn a_call_is_its_command_and_its_result() {
        for (input, expected) in [
            (r#"{"command":"cargo test","timeout":1}"#, "cargo test"),
            (r#"{"file_path":"/w/a.rs","old_string":"x"}"#, "/w/a.rs"),
            (r#"{"query":"select 1"}"#, r#"{"query":"select 1"}"#),
        ] {
            let call = Payload::Call(Call { id: "t".into(), tool: "T".into(), input: Input::Json(input.into()) });
            assert_eq!(command(&call).as_deref(), Some(expected));
            let end =
                Payload::Resolution(Resolution { call: "t".into(), outcome: Outcome::Success, text: "ok".into(), said: None });
            assert_eq!(plain(&body(call), Some(&body(end))), format!("{expected}\n\nok"));
        }
    }

    #[test]
    fn what_was_said_is_copied_as_it_was_said() {
        let said = Payload::User { speaker: Speaker::Human, text: "tab\there \u{1b}[31m".into() };
        assert_eq!(plain(&body(said), None), "tab\there \u{1b}[31m");
        let silent = Payload::Mark(crate::transcript::Mark::TurnEnded);
        assert_eq!(plain(&body(silent), None), "{\"raw\":1}");
        let no_call = Payload::Assistant { text: "x".into() };
        assert_eq!(command(&no_call), None);
    }
}
