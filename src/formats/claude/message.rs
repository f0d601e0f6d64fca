//! User and assistant lines: the conversation.

use std::borrow::Cow;

use super::boundary;
use super::line::{Block, Charged, Line, Message};
use super::result;
use super::zone::{self, Typed, Zone};
use crate::formats::emit::Emit;
use crate::formats::json::Content;
use crate::transcript::{Call, Finish, Input, Mark, Payload, Speaker, Usage};

/// The model's name on messages that the runtime wrote itself.
const SYNTHETIC: &str = "<synthetic>";

/// An assistant line: one block of a message, rarely more. All lines of a message share its id, and that is the step.
pub(super) fn assistant<'a>(line: &'a Line<'_>, message: &'a Message<'_>, emit: &mut Emit<'a, '_>) {
    emit.step = message.id.filled().or(line.uuid.filled());
    emit.usage = usage(message);
    if message.stop_reason.filled().is_none() {
        emit.finish = Finish::Untold;
    }
    if message.model.as_str() == SYNTHETIC || line.is_api_error_message.0 {
        return synthetic(line, message, emit);
    }
    match &message.content {
        Content::Absent => {}
        Content::Text(text) => emit.push(Payload::Assistant { text: Cow::Borrowed(text) }),
        Content::Parts(blocks) => {
            for block in blocks {
                assistant_block(block, emit);
            }
        }
    }
    if ends_turn(message) {
        emit.push(Payload::Mark(Mark::TurnEnded));
    } else if emit.is_empty() && emit.usage.is_some() {
        emit.push(Payload::Mark(Mark::Counted));
    }
}

/// Whether the turn ends with this line. Every line of a message may say so: the one with its words counts. The runtime's own record
/// of it comes later, and only in some versions; older ones leave the reason out.
fn ends_turn(message: &Message<'_>) -> bool {
    message.stop_reason.as_str() == "end_turn"
        && match &message.content {
            Content::Absent => false,
            Content::Text(_) => true,
            Content::Parts(blocks) => blocks.last().is_some_and(|block| block.kind.as_str() == "text"),
        }
}

fn assistant_block(block: &Block<'_>, emit: &mut Emit<'_, '_>) {
    match block.kind.as_str() {
        "text" => emit.push(Payload::Assistant { text: Cow::Borrowed(block.text.as_str()) }),
        // Since about 2.1.100 reasoning is empty but for its signature.
        "thinking" | "redacted_thinking" => emit.push(Payload::Reasoning { text: Cow::Borrowed(block.thinking.as_str()) }),
        // `server_tool_use` runs at the API, which puts its result into the same message.
        kind if kind.ends_with("tool_use") => {
            let input = Cow::Borrowed(block.input.map_or("null", |input| input.get()));
            let (id, tool) = (Cow::Borrowed(block.id.as_str()), Cow::Borrowed(block.name.as_str()));
            emit.push(Payload::Call(Call { id, tool, input: Input::Json(input) }));
        }
        kind if kind.ends_with("tool_result") => result::result(block, None, emit),
        kind => unknown_block("assistant", kind, block, emit),
    }
}

/// What the runtime says in the assistant's place: the provider's errors, and "No response requested." after a resume. No model
/// wrote it, so that nothing in it is a promise: it is injected text.
fn synthetic(line: &Line<'_>, message: &Message<'_>, emit: &mut Emit<'_, '_>) {
    if line.is_api_error_message.0 {
        emit.push(Payload::Mark(Mark::RequestFailed));
    }
    let injected = |text| Payload::User { speaker: Speaker::Injected, text: Cow::Borrowed(text) };
    match &message.content {
        Content::Absent => {}
        Content::Text(text) => emit.push(injected(text)),
        Content::Parts(blocks) => blocks.iter().filter_map(|block| block.text.filled()).for_each(|text| emit.push(injected(text))),
    }
}

/// A user line: a prompt, results, or what the runtime puts in.
pub(super) fn user(line: &Line<'_>, message: &Message<'_>, emit: &mut Emit<'_, '_>) {
    if line.is_compact_summary.0 {
        return boundary::summary(line, message, emit);
    }
    match &message.content {
        Content::Absent => {}
        Content::Text(text) => speech(text, voice(line, false), emit),
        Content::Parts(blocks) => {
            let answers = blocks.iter().any(|block| block.kind.as_str() == "tool_result");
            for block in blocks {
                user_block(block, line, voice(line, answers), emit);
            }
        }
    }
}

pub(super) fn user_block(block: &Block<'_>, line: &Line<'_>, voice: Voice, emit: &mut Emit<'_, '_>) {
    match block.kind.as_str() {
        "text" => speech(block.text.as_str(), voice, emit),
        "tool_result" => result::result(block, line.tool_use_result.0.as_ref(), emit),
        kind @ ("image" | "document") => {
            emit.push(Payload::User { speaker: Speaker::Injected, text: Cow::Owned(format!("[{kind}]")) });
        }
        kind => unknown_block("user", kind, block, emit),
    }
}

fn unknown_block(role: &str, kind: &str, block: &Block<'_>, emit: &mut Emit<'_, '_>) {
    let text = if block.text.filled().is_some() { Cow::Borrowed(block.text.as_str()) } else { result::text(&block.content) };
    emit.push(Payload::Unrecognised { name: Cow::Owned(format!("{role}:{kind}")), text });
}

/// Whose words the unmarked words of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Voice {
    /// The speaker.
    pub(super) speaker: Speaker,
    /// Whether the record itself says so.
    pub(super) typed: Typed,
}

/// The speaker of a user line, by the record alone.
pub(super) fn voice(line: &Line<'_>, beside_results: bool) -> Voice {
    let origin = line.origin.0.as_ref().and_then(|origin| origin.kind.filled());
    let typed = if line.prompt_source.as_str() == "typed" || origin == Some("human") { Typed::Said } else { Typed::Unsaid };
    let speaker = if line.is_meta.0 || line.is_visible_in_transcript_only.0 || origin.is_some_and(|kind| kind != "human") {
        Speaker::Injected
    } else if line.is_sidechain.0 {
        Speaker::Parent
    } else if beside_results {
        Speaker::Steering
    } else {
        Speaker::Human
    };
    Voice { speaker, typed }
}

/// The events of a user text, zone by zone.
pub(super) fn speech(text: &str, voice: Voice, emit: &mut Emit<'_, '_>) {
    for zone in zone::zones(text, voice.typed) {
        emit.push(match zone {
            Zone::Human(text) => Payload::User { speaker: voice.speaker, text: Cow::Borrowed(text) },
            Zone::Command(name, word) => {
                Payload::User { speaker: voice.speaker, text: format!("/{name} {word}").trim_end().to_owned().into() }
            }
            Zone::Injected(text) => Payload::User { speaker: Speaker::Injected, text: Cow::Borrowed(text) },
            Zone::Job(notice) => {
                Payload::Job { handle: Cow::Borrowed(notice.handle), state: notice.state, text: Cow::Borrowed(notice.text) }
            }
            Zone::Interrupted => Payload::Mark(Mark::Interrupted),
        });
    }
}

/// What a message was charged: the whole prompt is what was read, written to the cache, and read from it.
///
/// Every line of a message repeats it. Messages of the runtime's own and proxies that count nothing have none.
fn usage(message: &Message<'_>) -> Option<Usage> {
    let Charged { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, cache_creation, output_tokens } =
        message.usage.0.as_ref().filter(|_| message.model.as_str() != SYNTHETIC)?;
    let parts = cache_creation
        .0
        .as_ref()
        .map_or(0, |parts| parts.ephemeral_5m_input_tokens.or_zero().saturating_add(parts.ephemeral_1h_input_tokens.or_zero()));
    let written = cache_creation_input_tokens.or_zero().max(parts);
    let input = input_tokens.or_zero().saturating_add(cache_read_input_tokens.or_zero()).saturating_add(written);
    let output = output_tokens.or_zero();
    (input > 0 || output > 0).then_some(Usage { input, output, window: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::claude::testing::{events, told};

    #[test]
    fn who_speaks_by_what_the_record_says() {
        for (fields, spoken) in [
            (r#""isMeta":false"#, "Human: use tabs"),
            (r#""isMeta":true"#, "Injected: use tabs"),
            (r#""isVisibleInTranscriptOnly":true"#, "Injected: use tabs"),
            (r#""isSidechain":true,"agentId":"a1""#, "Parent: use tabs"),
            (r#""promptSource":"typed""#, "Human: use tabs"),
            (r#""origin":{"kind":"human"}"#, "Human: use tabs"),
            (r#""origin":{"kind":"task-notification"}"#, "Injected: use tabs"),
        ] {
            for content in [r#""use tabs""#, r#"[{"type":"text","text":"use tabs"}]"#] {
                let line = format!(r#"{{"type":"user","uuid":"u",{fields},"message":{{"role":"user","content":{content}}}}}"#);
                assert_eq!(events(&[&line]), [spoken], "{line}");
            }
        }
    }

    #[test]
    fn words_beside_a_result_are_steering() {
        let line = r#"{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"},{"type":"text","text":"and then stop"},{"type":"image","source":{"data":"AAAA"}}]}}"#;
        assert_eq!(events(&[line]), ["Resolution t Success: ok", "Steering: and then stop", "Injected: [image]"]);
    }

    #[test]
    fn a_message_is_one_step_over_several_lines() {
        let blocks = [
            (r#"{"type":"thinking","thinking":"hm","signature":"s"}"#, "Reasoning: hm"),
            (r#"{"type":"thinking","thinking":"","signature":"s"}"#, "Reasoning: "),
            (r#"{"type":"redacted_thinking","data":"s"}"#, "Reasoning: "),
            (r#"{"type":"text","text":"Reading."}"#, "Assistant: Reading."),
            (
                r#"{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/a"},"caller":{"type":"direct"}}"#,
                r#"Call t1 Read {"file_path":"/a"}"#,
            ),
            (r#"{"type":"server_tool_use","id":"t2","name":"web_search","input":{"q":1}}"#, r#"Call t2 web_search {"q":1}"#),
            (
                r#"{"type":"web_search_tool_result","tool_use_id":"t2","content":[{"type":"web_search_result"}]}"#,
                "Resolution t2 Success: [web_search_result]",
            ),
            (r#"{"type":"novelty","text":"?"}"#, "Unrecognised assistant:novelty: ?"),
        ];
        for (block, event) in blocks {
            let line =
                format!(r#"{{"type":"assistant","uuid":"u","message":{{"id":"msg_1","role":"assistant","content":[{block}]}}}}"#);
            assert_eq!(events(&[&line]), [event], "{block}");
        }
    }

    #[test]
    fn the_last_words_of_a_turn_end_it() {
        let said = r#"{"type":"text","text":"Done."}"#;
        let call = r#"{"type":"tool_use","id":"t","name":"Read","input":{}}"#;
        for (content, reason, events) in [
            (said, r#""end_turn""#, &["Assistant: Done.", "TurnEnded"][..]),
            (said, r#""tool_use""#, &["Assistant: Done."]),
            (said, "null", &["Assistant: Done."]),
            (r#"{"type":"thinking","thinking":"hm"}"#, r#""end_turn""#, &["Reasoning: hm"]),
            (&format!("{said},{call}"), r#""end_turn""#, &["Assistant: Done.", "Call t Read {}"]),
        ] {
            let message = format!(r#"{{"id":"m","stop_reason":{reason},"content":[{content}]}}"#);
            let line = format!(r#"{{"type":"assistant","uuid":"u","message":{message}}}"#);
            assert_eq!(told(&[&line]).events, events, "{line}");
        }
    }

    #[test]
    fn what_the_runtime_says_in_the_assistants_place_is_injected() {
        let error = r#"{"type":"assistant","uuid":"u","isApiErrorMessage":true,"error":"rate_limit","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"You've hit your session limit"}]}}"#;
        assert_eq!(events(&[error]), ["RequestFailed", "Injected: You've hit your session limit"]);
        let stub = r#"{"type":"assistant","uuid":"u","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}"#;
        assert_eq!(events(&[stub]), ["Injected: No response requested."]);
    }

    #[test]
    fn the_prompt_is_the_sum_of_its_parts() {
        for (model, charged, expected) in [
            (
                "claude-opus-4-6",
                r#"{"input_tokens":3,"cache_read_input_tokens":1000,"cache_creation_input_tokens":20,"output_tokens":8}"#,
                Some((1023, 8)),
            ),
            (
                "claude-opus-4-6",
                r#"{"input_tokens":3,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":2}}"#,
                Some((45, 0)),
            ),
            (
                "claude-opus-4-6",
                r#"{"cache_creation_input_tokens":42,"cache_creation":{"ephemeral_5m_input_tokens":42},"output_tokens":null}"#,
                Some((42, 0)),
            ),
            ("claude-opus-4-6", r#"{"input_tokens":0,"output_tokens":0}"#, None),
            ("claude-opus-4-6", "null", None),
            ("<synthetic>", r#"{"input_tokens":5}"#, None),
        ] {
            let message = format!(r#"{{"model":"{model}","usage":{charged}}}"#);
            let read = usage(&serde_json::from_str(&message).unwrap()).map(|usage| (usage.input, usage.output));
            assert_eq!(read, expected, "{message}");
        }
    }

    #[test]
    fn a_charge_without_words_is_counted() {
        let line = r#"{"type":"assistant","uuid":"u","message":{"id":"m","content":[],"usage":{"input_tokens":9}}}"#;
        assert_eq!(told(&[line]).events, ["Counted"]);
    }
}
