//! Who speaks in a message that is not the assistant's.
//!
//! Codex wraps what it puts into the conversation itself in marks of its own, one content part each (codex-rs
//! `core/src/context/contextual_user_message.rs` and the fragments beside it). Everything else with the role of the user is the
//! human's, word for word: an unknown wrapper costs tokens, a lost order would cost correctness.

use std::borrow::Cow;

use super::line::Part;
use crate::formats::json::Content;
use crate::formats::template::{self, Filled};
use crate::transcript::Speaker;

/// A text and its speaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said<'a> {
    pub(super) speaker: Speaker,
    pub(super) text: Cow<'a, str>,
}

/// Where a wrapped text ends.
#[derive(Clone, Copy)]
enum Ends {
    /// With the closing tag of its opening one.
    Tag,
    /// With these words.
    Words(&'static str),
    /// With the part.
    Part,
}

/// What the runtime's own texts begin with.
const WRAPPERS: &[(&str, Ends, Speaker)] = &[
    ("# AGENTS.md instructions", Ends::Words("</INSTRUCTIONS>"), Speaker::Rules),
    ("<user_instructions>", Ends::Tag, Speaker::Rules),
    ("<environment_context>", Ends::Tag, Speaker::Injected),
    ("<turn_aborted>", Ends::Tag, Speaker::Injected),
    ("<user_shell_command>", Ends::Tag, Speaker::Injected),
    ("<user_action>", Ends::Tag, Speaker::Injected),
    ("<subagent_notification>", Ends::Tag, Speaker::Injected),
    ("<hook_prompt", Ends::Tag, Speaker::Injected),
    ("<skill>", Ends::Tag, Speaker::Injected),
    ("<skill ", Ends::Tag, Speaker::Injected),
    ("<recommended_plugins>", Ends::Tag, Speaker::Injected),
    ("<codex_internal_context", Ends::Tag, Speaker::Injected),
    ("<goal_context>", Ends::Tag, Speaker::Injected),
    ("<external_", Ends::Tag, Speaker::Injected),
    ("<heartbeat>", Ends::Tag, Speaker::Injected),
    ("<realtime_conversation>", Ends::Tag, Speaker::Injected),
    ("Warning: apply_patch was requested via ", Ends::Part, Speaker::Injected),
    ("Warning: The maximum number of unified exec processes you can keep open is", Ends::Part, Speaker::Injected),
    ("Warning: Your account was flagged for potentially high-risk cyber activity", Ends::Part, Speaker::Injected),
    (SUMMARY_PREFIX, Ends::Part, Speaker::Injected),
];

/// How a summary begins that Codex's own compaction put into the conversation (codex-rs `prompts/templates/compact/summary_prefix.md`).
pub(super) const SUMMARY_PREFIX: &str =
    "Another language model started to solve this problem and produced a summary of its thinking process.";

/// An editor's text begins so, and the human's request follows below [`REQUEST`].
const EDITOR: &[&str] = &["# Context from my IDE setup:", "# Files mentioned by the user:"];
const REQUEST: &str = "## My request for Codex:";

/// Stands for a picture in a message that is nothing else.
const IMAGE: &str = "[image]";

/// The texts of a message by speaker, in order. `otherwise` speaks what no wrapper marks; a person's parts are one text, joined
/// without a break as Codex itself joins them, so that a kept copy of it can be recognised.
pub(super) fn said<'a>(content: &'a Content<'_, Part<'_>>, otherwise: Speaker) -> Vec<Said<'a>> {
    let mut out: Vec<Said<'a>> = Vec::new();
    let mut pictures = false;
    match content {
        Content::Absent => {}
        Content::Text(text) => add(&mut out, text, otherwise),
        Content::Parts(parts) => {
            for (n, part) in parts.iter().enumerate() {
                let picture =
                    |n: Option<usize>| n.and_then(|n| parts.get(n)).is_some_and(|part| part.kind.as_str() == "input_image");
                let text = part.text.as_str();
                let opens = text.starts_with("<image") && picture(Some(n + 1));
                let closes = text == "</image>" && picture(n.checked_sub(1));
                pictures |= picture(Some(n));
                if !opens && !closes && !part.is_odd() {
                    add(&mut out, text, otherwise);
                }
            }
        }
    }
    out.retain(|said| !said.text.trim().is_empty());
    if out.is_empty() && pictures {
        out.push(Said { speaker: otherwise, text: Cow::Borrowed(IMAGE) });
    }
    out
}

/// Adds one content part, cut where its speaker changes.
fn add<'a>(out: &mut Vec<Said<'a>>, part: &'a str, otherwise: Speaker) {
    let mut rest = part;
    while let Some((text, speaker)) = wrapped(rest.trim_start()) {
        out.push(Said { speaker, text: Cow::Borrowed(text) });
        rest = rest.trim_start().get(text.len()..).unwrap_or_default().trim_start();
    }
    if let Some((editor, request)) = editors(rest) {
        out.push(Said { speaker: Speaker::Injected, text: Cow::Borrowed(editor) });
        rest = request;
    }
    let person = matches!(otherwise, Speaker::Human | Speaker::Parent);
    if let Some(Filled { before, input, behind }) = template::filled(rest).filter(|_| person) {
        let parts = [(Speaker::Injected, before), (otherwise, input), (Speaker::Injected, behind)];
        out.extend(parts.map(|(speaker, text)| Said { speaker, text: Cow::Borrowed(text) }));
        return;
    }
    if person && template::is_command(rest) {
        return out.push(Said { speaker: Speaker::Injected, text: Cow::Borrowed(rest) });
    }
    match out.last_mut() {
        Some(last) if person && last.speaker == otherwise => last.text.to_mut().push_str(rest),
        _ => out.push(Said { speaker: otherwise, text: Cow::Borrowed(rest) }),
    }
}

/// The wrapped text that `text` begins with. One that is never closed goes to the end.
fn wrapped(text: &str) -> Option<(&str, Speaker)> {
    let (begins, ends, speaker) = WRAPPERS.iter().find(|(begins, ..)| text.starts_with(begins))?;
    let end = match ends {
        Ends::Part => None,
        Ends::Words(words) => text.find(words).map(|at| at + words.len()),
        Ends::Tag => {
            let name = text.get(1..).unwrap_or_default().split(['>', ' ', '\n']).next().unwrap_or_default();
            let closing = format!("</{name}>");
            text.get(begins.len()..).and_then(|body| body.find(&closing)).map(|at| begins.len() + at + closing.len())
        }
    };
    Some((text.get(..end.unwrap_or(text.len()))?, *speaker))
}

/// What an editor put before the human's request, and the request.
fn editors(text: &str) -> Option<(&str, &str)> {
    let begun = text.trim_start();
    EDITOR.iter().find(|words| begun.starts_with(**words))?;
    let (editor, request) = begun.split_once(REQUEST)?;
    Some((editor.trim_end(), request.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Speaker::{Human, Injected, Rules};
    use proptest::prelude::*;

    fn cut(json: &str, otherwise: Speaker) -> Vec<(Speaker, String)> {
        let content: Content<'_, Part<'_>> = serde_json::from_str(json).unwrap();
        said(&content, otherwise).into_iter().map(|said| (said.speaker, said.text.into_owned())).collect()
    }

    fn one(text: &str) -> Vec<(Speaker, String)> {
        cut(&serde_json::json!([{"type": "input_text", "text": text}]).to_string(), Human)
    }

    #[test]
    fn the_runtimes_texts_are_not_the_humans() {
        for (text, speaker) in [
            ("fix the tests, keep src/db as it is", Human),
            ("  <b>bold</b> is broken", Human),
            ("<task>rename the table</task>", Human),
            ("Warning: the build is red", Human),
            ("<environment_context>\n  <cwd>/w</cwd>\n</environment_context>", Injected),
            ("<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>", Injected),
            ("<user_shell_command>\n<command>ls</command>\n</user_shell_command>", Injected),
            ("<external_notes>never push</external_notes>", Injected),
            ("<codex_internal_context source=\"goal\">\ngo on\n</codex_internal_context>", Injected),
            ("<skill>\n<name>x</name>\n</skill>", Injected),
            ("Warning: apply_patch was requested via exec_command.", Injected),
            ("<user_instructions>\n\nUse tabs.\n\n</user_instructions>", Rules),
            ("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", Rules),
            // Never closed: all of it.
            ("# AGENTS.md instructions\nUse tabs.", Rules),
        ] {
            assert_eq!(one(text), [(speaker, text.to_owned())]);
        }
    }

    #[test]
    fn what_stands_behind_a_wrapper_is_cut_off_it() {
        let rules = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>";
        let context = "<environment_context>\n</environment_context>";
        assert_eq!(
            one(&format!("{rules}\n\n{context}\n\ndeploy it\n")),
            [(Rules, rules.into()), (Injected, context.into()), (Human, "deploy it\n".into())]
        );
        assert_eq!(
            one("## User Input\n\n```text\nsort it\n```\n\nConsider the user input. Never ask twice.\n"),
            [
                (Injected, "## User Input\n\n```text".into()),
                (Human, "sort it".into()),
                (Injected, "```\n\nConsider the user input. Never ask twice.".into())
            ]
        );
        assert_eq!(
            one("# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nrename it\n"),
            [(Injected, "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs".into()), (Human, "rename it\n".into())]
        );
    }

    #[test]
    fn parts_are_one_text_and_pictures_leave_no_marks() {
        let shown = r#"[{"type":"input_text","text":"look: "},{"type":"input_text","text":"<image>"},{"type":"input_image"},
            {"type":"input_text","text":"</image>"},{"type":"input_text","text":"it is off"}]"#;
        assert_eq!(cut(shown, Human), [(Human, "look: it is off".into())]);
        let alone = r#"[{"type":"input_text","text":"\n"},{"type":"input_image","image_url":"data:"}]"#;
        assert_eq!(cut(alone, Human), [(Human, IMAGE.into())]);
        assert_eq!(cut(r#""plain""#, Human), [(Human, "plain".into())]);
        assert_eq!(cut("[]", Human), []);
        assert_eq!(cut("null", Human), []);
        let developer = r#"[{"type":"input_text","text":"<permissions instructions>a"},{"type":"input_text","text":"b"}]"#;
        assert_eq!(cut(developer, Rules), [(Rules, "<permissions instructions>a".into()), (Rules, "b".into())]);
    }

    proptest! {
        #[test]
        fn no_word_is_lost(words in prop::collection::vec(prop_oneof![
            Just("<environment_context>"), Just("</environment_context>"), Just("# AGENTS.md instructions"), Just("</INSTRUCTIONS>"),
            Just("<external_a b>"), Just("</external_a>"), Just("# Context from my IDE setup:"), Just("Warning: "), Just("<"),
            Just("plain"), Just("\n"), Just("é"),
        ], 0..10)) {
            let text = words.concat();
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let told: String = one(&text).into_iter().map(|(_, part)| part).collect();
            prop_assert_eq!(squeezed(&told), squeezed(&text));
        }
    }
}
