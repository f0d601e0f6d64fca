//! The tools with which an agent ends its turn: what it says in them is its last message, and what comes back is the human's answer.

use serde_json::{Map, Value};

/// Such a tool, and the field in which it speaks.
const TOOLS: &[(&str, &str)] =
    &[("attempt_completion", "result"), ("plan_mode_respond", "response"), ("submit_and_exit", "summary")];

/// What an agent says to the human with a call that ends its turn.
pub(super) fn said(tool: &str, input: &str) -> Option<String> {
    let (_, field) = TOOLS.iter().find(|(name, _)| *name == tool)?;
    let input: Map<String, Value> = serde_json::from_str(input).ok()?;
    Some(input.get(*field)?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_speaks_in_the_call_that_ends_its_turn() {
        for (tool, input, text) in [
            ("attempt_completion", r#"{"result":"All is done.","command":"open ."}"#, Some("All is done.")),
            ("submit_and_exit", r#"{"summary":"Fixed.","verified":true}"#, Some("Fixed.")),
            ("attempt_completion", r#"{"result":["x"]}"#, None),
            ("attempt_completion", "", None),
            ("execute_command", r#"{"result":"x"}"#, None),
        ] {
            assert_eq!(said(tool, input).as_deref(), text, "{tool} {input}");
        }
    }
}
