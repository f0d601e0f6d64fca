//! Who is speaking in a user message.
//!
//! What a person sees of it is recorded beside it where the two differ: a slash command, a prompt whose files were read in.

use std::borrow::Cow;

use super::line::Line;
use crate::formats::google::{Part, joined, parts};
use crate::transcript::Speaker;

/// How a text begins that the runtime wrote.
const INJECTED: &[&str] = &[
    "System: ",
    "<state_snapshot",
    "<session_context>",
    "<hook_context>",
    "<system-reminder>",
    "This is the Gemini CLI. We are setting up the context for our chat",
    "--- Content from referenced files ---",
    "Content from @",
    "\nContent from @",
];

/// The texts of a user message with their speakers; `prompter` writes the prompts of the lane. Results are none of them.
pub(super) fn said<'l>(line: &'l Line<'_>, prompter: Speaker) -> Vec<(Speaker, Cow<'l, str>)> {
    let shown = joined(&line.display_content);
    let mut said = match parts(&line.content) {
        (text, []) => vec![(prompter, Cow::Borrowed(text))],
        (_, parts) => {
            let texts = parts.iter().filter(|part| part.function_response.0.is_none()).map(Part::says);
            in_order(texts.filter(|text| !text.trim().is_empty()), prompter)
        }
    };
    // What was typed is shown; what the model was sent instead is the runtime's.
    let typed = shown.trim();
    let is_command = typed.starts_with('/');
    let is_result =
        matches!(parts(&line.display_content), (_, shown) if shown.iter().any(|part| part.function_response.0.is_some()));
    if is_command || is_result {
        said.iter_mut().for_each(|(speaker, _)| *speaker = Speaker::Injected);
    } else if !typed.is_empty() && said.iter().all(|(_, text)| text.trim() != typed) {
        said.iter_mut().for_each(|(speaker, _)| *speaker = Speaker::Injected);
        said.insert(0, (prompter, Cow::Owned(typed.to_owned())));
    }
    for (speaker, text) in &mut said {
        if INJECTED.iter().any(|words| text.starts_with(words)) || text.starts_with('[') && text.ends_with(']') {
            *speaker = Speaker::Injected;
        }
    }
    said.retain(|(_, text)| !text.trim().is_empty());
    said
}

/// What stands behind the mark of files that were read in is theirs.
fn in_order<'l>(texts: impl Iterator<Item = Cow<'l, str>>, prompter: Speaker) -> Vec<(Speaker, Cow<'l, str>)> {
    let mut speaker = prompter;
    let each = |text: Cow<'l, str>| {
        if text.contains("--- Content from referenced files ---") {
            speaker = Speaker::Injected;
        }
        (speaker, text)
    };
    texts.map(each).collect()
}
